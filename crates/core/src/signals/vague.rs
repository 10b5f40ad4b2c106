//! Does the message say what it is about?

use super::Look;
use crate::catalog::Vague;
use crate::message::Span;

/// Words that ask for something, or say that something is wrong, without a word on what. One that names a kind of work
/// ("improve", "check", "test") is none of them: it tells who is meant.
const ASKING: &str = "
    break breaks broke broken bug bugs buggy change crash crashes crashed do error errors fail failed failing fails failure
    fix fixed fixes fixing handle happened help issue issues make mend mess messed problem problems repair resolve solve
    sort trouble update work worked working works wrong
";

/// Words that stand beside them and name nothing either; "doesn" and "t" are what an apostrophe leaves.
const BESIDE: &str = "
    a about again all already am an and any anything are aren as asap at away back be been being but by can cannot cant
    come could d did does doesn doesnt doing don done dont everything for get go got had has have he her here hey hi him i
    if immediately in is isn isnt it its just let lets like ll m maybe me my myself need no not now of off ok okay on one
    or our out over please pls plz quick quickly re really right s she should so some somehow someone something somewhere
    soon still stuff t thank thanks that the them then there these they thing things this those to today too up us ve want
    was way we well were whole will with won wont would you your yourself
";

/// Most words of such a message: whoever says more has said something.
const WORDS_MAX: usize = 12;

/// Whether the catalog wants to ask about a message that names nothing, and this is one: all its words are of these, and
/// nothing was said before it that they could stand for.
pub(super) fn is_vague(look: &Look<'_, '_>) -> bool {
    let (text, words) = (look.reading.text(), look.reading.words());
    let is_of = |list: &str, span: Span| list.split_whitespace().any(|word| word == span.of(text));
    look.catalog.vague() == Vague::Ask
        && look.situation.message.history.is_empty()
        && words.len() <= WORDS_MAX
        && words.iter().any(|word| is_of(ASKING, *word))
        && words.iter().all(|word| is_of(ASKING, *word) || is_of(BESIDE, *word))
}
