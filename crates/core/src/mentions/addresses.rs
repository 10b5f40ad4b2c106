//! Which addresses are said?

use super::Mention;
use super::tokens::Tokens;

pub(super) fn find(_tokens: &Tokens<'_>, _found: &mut Vec<Mention>) {}
