//! Does a message say an example in the same words? Then the full model has nothing to add. Does it forbid it in these words? Then it is
//! not wanted.

use std::collections::HashMap;

use waypost_core::message::{Negation, Reading, Span};

/// Words that change nothing about what is asked.
const FILLERS: &[&str] = &[
    "a", "an", "can", "could", "do", "for", "hello", "hey", "hi", "i", "is", "it", "just", "like", "me",
    "my", "need", "now", "of", "our", "please", "pls", "thank", "thanks", "the", "to", "want", "we", "would",
    "you",
];

/// Words that may stand before an order: "please do not …", "and never …".
const OPENERS: &[&str] = &[
    "actually", "also", "and", "but", "hello", "hey", "hi", "just", "no", "ok", "okay", "please", "pls",
    "so", "sorry", "thanks", "then", "wait", "yet",
];
/// Who may be told, or tells, that a thing need not be done.
const SPEAKERS: &[&str] = &["i", "u", "we", "you"];
/// What is not wanted or needed then; another verb tells what is so: "I do not see my order". "Have" needs a "to" behind it: "I do not have a card".
const WISHES: &[&str] = &["like", "need", "want", "wish"];
/// What "no" refuses with the word before it and the word behind it: "on no account".
const NO_WAYS: &[(&str, &str)] =
    &[("by", "means"), ("in", "case"), ("on", "account"), ("under", "circumstances")];
/// Words of which a refusal behind a question is made: "cancel my order? No thanks". With any other word it may say something else: "… ? No rush".
const REFUSALS: &[&str] = &[
    "absolutely",
    "again",
    "certainly",
    "definitely",
    "ever",
    "me",
    "nah",
    "never",
    "no",
    "nope",
    "not",
    "sir",
    "thank",
    "thanks",
    "today",
    "way",
    "you",
];
/// The words among these that say no.
const NOES: &[&str] = &["nah", "never", "no", "nope", "not"];
/// Where a sentence, or a part of one, ends.
const ENDS: [char; 5] = ['.', ',', ';', '!', '?'];
/// Most words that are forbidden beside those of an example: "do not cancel my appointment on Friday". With more it may be about another thing, and the
/// full model decides.
const BESIDE_MAX: usize = 2;

/// Which route has an example of these words. On clinc150, banking77 and our small catalogs, with ten examples a route or less,
/// all 75 messages that have one are decided by the full model as the example says.
#[derive(Clone, Debug, Default)]
pub(super) struct SameWords {
    /// By words in order of the alphabet; nothing where several routes have them.
    routes: HashMap<String, Option<usize>>,
    /// The words of each route's examples.
    told: HashMap<usize, Vec<Vec<String>>>,
}

impl SameWords {
    /// Reads examples, each with its route; nothing where it belongs nowhere.
    pub(super) fn of<'t>(examples: impl Iterator<Item = (Option<usize>, &'t str)>) -> SameWords {
        let mut routes: HashMap<String, Option<usize>> = HashMap::new();
        let mut told: HashMap<usize, Vec<Vec<String>>> = HashMap::new();
        for (route, example) in examples {
            let reading = Reading::new(example);
            let words = sorted_words(&reading, whole(&reading));
            let known = routes.entry(words.join(" ")).or_insert(route);
            *known = known.filter(|known| Some(*known) == route);
            if let Some(route) = route.filter(|_| !words.is_empty()) {
                let words = words.into_iter().map(str::to_owned).collect();
                told.entry(route).or_default().push(words);
            }
        }
        routes.remove("");
        SameWords { routes, told }
    }

    /// The one route that has an example of a message's words.
    pub(super) fn find(&self, message: &Reading) -> Option<usize> {
        *self.routes.get(&sorted_words(message, whole(message)).join(" "))?
    }

    /// Where a message forbids what an example of this route asks, in the words of the example: "do not cancel my order". Not where an example
    /// is forbidding too.
    pub(super) fn forbidden(&self, message: &Reading, route: usize) -> Option<Span> {
        let examples = self.told.get(&route)?;
        let forbids = |scope: &Span| {
            let words = sorted_words(message, *scope);
            let holds = |example: &Vec<String>| {
                words.len() <= example.len() + BESIDE_MAX
                    && example.iter().all(|word| words.contains(&word.as_str()))
            };
            examples.iter().any(holds)
        };
        let orders = message.negations().iter().filter(|negation| is_order(message, negation));
        let refused = refused(message).into_iter().chain(refused_behind(message));
        let found = orders.map(|negation| negation.scope).chain(refused).find(forbids)?;
        (self.find(message) != Some(route)).then_some(found)
    }
}

/// Whether a negation forbids, or says that a thing is not wanted, and does not merely tell what is not so.
fn is_order(message: &Reading, negation: &Negation) -> bool {
    let word = |span: &Span| span.of(message.text());
    let words = message.words();
    let at = words.partition_point(|span| span.start < negation.cue.start);
    let mut before = words.get(..at).unwrap_or_default().iter().rev().map(word).peekable();
    match word(&negation.cue) {
        "not" if before.next_if_eq(&"do").is_none() => return false,
        "no" => {
            let next = words.get(at + 1).map_or("", word);
            let way = before.next_if(|before| NO_WAYS.contains(&(before, next))).is_some();
            if !way && !["need", "way"].contains(&next) {
                return false;
            }
        }
        "not" | "never" => {}
        _ => return false,
    }
    let next = |place: usize| words.get(at + place).map(word);
    let wish = next(1).is_some_and(|next| WISHES.contains(&next))
        || (next(1), next(2)) == (Some("have"), Some("to"));
    match before.next() {
        None => true,
        Some(speaker) if SPEAKERS.contains(&speaker) => wish,
        Some(opener) => OPENERS.contains(&opener) || opens_clause(message, negation),
    }
}

/// What the speaker refuses to do: "I refuse to …", up to the end of that part of the sentence.
fn refused(message: &Reading) -> Option<Span> {
    let words = message.words();
    let is = |at: usize, told: &[&str]| {
        words.get(at).is_some_and(|span: &Span| told.contains(&span.of(message.text())))
    };
    let at = (0..words.len()).find(|at| is(*at, &["refuse", "refusing"]) && is(at + 1, &["to"]))?;
    let start = words.get(at + 1)?.end as usize;
    let rest = message.text().get(start..)?;
    Some(Span::new(start..start + rest.find(ENDS).unwrap_or(rest.len())))
}

/// What is asked about and refused in one breath: "cancel my order? No!".
fn refused_behind(message: &Reading) -> Option<Span> {
    let (asked, behind) = message.text().rsplit_once('?')?;
    let start = message.text().len() - behind.len();
    let words = message.words().iter().filter(|span| span.start as usize >= start);
    let words: Vec<&str> = words.map(|span| span.of(message.text())).collect();
    let refuses = words.iter().all(|word| REFUSALS.contains(word))
        && words.iter().take(2).any(|word| NOES.contains(word));
    refuses.then(|| Span::new(asked.rfind(ENDS).map_or(0, |end| end + 1)..asked.len()))
}

/// Whether a sentence or a part of one begins with a negation.
fn opens_clause(message: &Reading, negation: &Negation) -> bool {
    let before = message.text().get(..negation.cue.start as usize).unwrap_or_default().trim_end();
    let before = before.strip_suffix("do").unwrap_or(before).trim_end();
    before.ends_with(['.', ',', ';', ':', '!', '?', '-', '–', '—'])
}

fn whole(reading: &Reading) -> Span {
    Span::new(0..reading.text().len())
}

/// The words of a stretch that say what is asked, in order of the alphabet.
fn sorted_words(reading: &Reading, stretch: Span) -> Vec<&str> {
    let words =
        reading.words().iter().filter(|span| stretch.holds(**span)).map(|span| span.of(reading.text()));
    let mut told: Vec<&str> = words.filter(|word| !FILLERS.contains(word)).collect();
    told.sort_unstable();
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_fillers_do_not_count_and_two_routes_are_none() {
        let examples = [
            (0, "cancel my order"),
            (1, "track the parcel"),
            (2, "open"),
            (3, "Open!"),
            (4, "please"),
            (5, "stop"),
        ];
        let examples = examples.into_iter().map(|(route, text)| (Some(route), text));
        let same = SameWords::of(examples.chain([(None, "stop it")]));
        for (text, route) in [
            ("Order, cancel!", Some(0)),
            ("could you please track my parcel", Some(1)),
            ("cancel my orders", None),
            ("do not cancel my order", None),
            ("open", None),
            ("stop", None),
            ("hi", None),
        ] {
            assert_eq!(same.find(&Reading::new(text)), route, "{text}");
        }
    }

    #[test]
    fn an_order_not_to_do_it_forbids_and_a_fact_does_not() {
        let examples =
            ["cancel my appointment", "I need a refund", "send me the invoice", "stop it, do not call me"];
        let same = SameWords::of(examples.into_iter().map(|text| (Some(0), text)));
        for (text, forbidden) in [
            ("do not cancel my appointment", Some("cancel my appointment")),
            ("Please don't cancel my appointment on Friday!", Some("cancel my appointment on friday")),
            ("I'm fine, don't cancel the appointment", Some("cancel the appointment")),
            ("never send me an invoice", Some("send me an invoice")),
            ("no need to cancel my appointment", Some("need to cancel my appointment")),
            ("I don't need a refund", Some("need a refund")),
            ("you don't have to send the invoice", Some("have to send the invoice")),
            ("I refuse to cancel my appointment, I waited for weeks", Some("cancel my appointment")),
            ("On no account cancel my appointment!", Some("account cancel my appointment")),
            ("please, under no circumstances send the invoice", Some("circumstances send the invoice")),
            ("cancel my appointment? No!", Some("cancel my appointment")),
            ("Hi. Cancel my appointment? Certainly not.", Some("cancel my appointment")),
            ("cancel my appointment? no rush", None),
            ("can I cancel my appointment? nobody answers", None),
            ("they refuse to accept it, cancel my appointment", None),
            ("I have no account to cancel my appointment", None),
            ("cancel my appointment", None),
            ("I do not see how to cancel my appointment", None),
            ("they did not send me the invoice", None),
            ("I don't have my refund", None),
            ("the buttons do not cancel my appointment", None),
            ("why don't you cancel my appointment?", None),
            ("stop it, do not call me", None),
            ("do not call me", None),
            ("do not tell my old dentist that I want to cancel my appointment", None),
        ] {
            let reading = Reading::new(text);
            let found = same.forbidden(&reading, 0).map(|span| span.of(reading.text()).trim());
            assert_eq!(found, forbidden, "{text}");
            assert_eq!(same.forbidden(&reading, 1), None, "{text}");
        }
    }
}
