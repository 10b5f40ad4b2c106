//! Which sums of money are said?

use super::tokens::Tokens;
use super::{Mention, Setting};

pub(super) fn find(_tokens: &Tokens<'_>, _setting: &Setting, _found: &mut Vec<Mention>) {}
