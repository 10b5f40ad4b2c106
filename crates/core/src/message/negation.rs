//! What is denied?
//!
//! A negation reaches from its cue to the end of its clause. What lies inside is said not to be so, and
//! evidence found there does not count, unless the evidence is the negation itself.

use super::span::Span;

/// A cue such as "not" and the stretch of text it denies, both in the folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Negation {
    /// The cue itself.
    pub cue: Span,
    /// From the end of the cue to the end of its clause.
    pub scope: Span,
    /// What stands before a verb that this cue negates: "surgical mode" in "surgical mode is not needed".
    pub subject: Option<Span>,
}

/// Words that deny what follows them.
const CUES: &[&str] = &[
    "not", "no", "never", "without", "neither", "nor", "none", "nothing", "nobody", "avoid", "avoiding",
    "except",
];

/// Two words that together deny the few words after them, not the clause.
const PAIRED_CUES: &[(&str, &str)] = &[
    ("instead", "of"),
    ("rather", "than"),
    ("other", "than"),
    ("anything", "but"),
    ("everything", "but"),
    ("stop", "using"),
];

/// Prefixes that deny the word they are put before.
const PREFIX_CUES: &[&str] = &["non", "un", "anti"];

/// Openings that look like a denial and are none: "not only", "do not forget to", "no wonder".
const NOT_CUES: &[(&str, &str)] = &[
    ("not", "only"),
    ("not", "just"),
    ("not", "merely"),
    ("not", "forget"),
    ("not", "hesitate"),
    ("never", "forget"),
    ("no", "doubt"),
    ("no", "wonder"),
    ("no", "question"),
    ("nothing", "but"),
];

/// Verbs after "cannot" that deny; the others tell of trouble: "I cannot find the problem".
const DENIED_BY_CANNOT: &[&str] = &["be", "do", "have", "need", "use"];

/// Words at which the thing denied by a paired cue ends: "instead of surgical use interstitial".
const PHRASE_ENDS: &[&str] = &["do", "go", "i", "let", "please", "take", "try", "use", "we", "you"];

/// Verbs whose negation denies their subject: "surgical is not needed".
const DENYING_VERBS: &[&str] = &["are", "is", "must", "need", "should", "was", "were"];

/// Words that open a clause of their own, which the negation does not reach: contrast, cause, time, and
/// embedded questions ("I do not know why …").
const CLAUSE_OPENERS: &[&str] = &[
    "although", "because", "but", "except", "however", "how", "if", "only", "since", "so", "still", "then",
    "though", "unless", "until", "what", "when", "where", "whereas", "whether", "which", "while", "who",
    "why", "yet",
];

/// Verbs that make what follows an "and" a clause rather than one more thing denied.
const FINITE_VERBS: &[&str] = &[
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "must", "need", "needs",
    "should", "was", "were", "will", "would",
];

/// Most words a paired cue denies: "instead of the old surgical way".
const PHRASE_WORDS_MAX: usize = 5;
/// Most words of a subject: "the surgical mode".
const SUBJECT_WORDS_MAX: usize = 3;

/// Marks every negation of a folded text.
pub(super) fn mark(text: &str, words: &[Span], line_ends: &[u32]) -> Vec<Negation> {
    let clause = Clauses { text, words, line_ends };
    let mut negations = Vec::new();
    for index in 0..words.len() {
        if let Some(cue) = clause.cue_at(index) {
            negations.push(cue);
        }
    }
    negations
}

/// The words of a text, with the questions a negation asks of them.
struct Clauses<'t> {
    text: &'t str,
    words: &'t [Span],
    line_ends: &'t [u32],
}

impl<'t> Clauses<'t> {
    fn word(&self, index: usize) -> &'t str {
        self.words.get(index).map_or("", |span| span.of(self.text))
    }

    fn cue_at(&self, index: usize) -> Option<Negation> {
        let pair = (self.word(index), self.word(index + 1));
        if NOT_CUES.contains(&pair) || self.is_rhetorical(index) || self.is_inability(index) {
            return None;
        }
        let first = *self.words.get(index)?;
        if PREFIX_CUES.contains(&pair.0) && self.gap_before(index + 1) == "-" {
            return Some(Negation { cue: first, scope: *self.words.get(index + 1)?, subject: None });
        }
        let (last, end) = match pair {
            pair if PAIRED_CUES.contains(&pair) => (index + 1, self.phrase_end(index + 1)),
            (word, _) if CUES.contains(&word) => (index, self.clause_end(index)),
            _ => return None,
        };
        let cue = Span { start: first.start, end: self.words.get(last)?.end };
        let scope = Span { start: cue.end, end };
        (end > cue.end).then_some(Negation { cue, scope, subject: self.subject(index) })
    }

    /// "I cannot find the problem" tells of trouble and denies nothing.
    fn is_inability(&self, index: usize) -> bool {
        let able = index.checked_sub(1).map(|before| self.word(before));
        matches!(able, Some("can" | "could")) && !DENIED_BY_CANNOT.contains(&self.word(index + 1))
    }

    /// The few words before a negated verb, back to where their clause begins.
    fn subject(&self, cue: usize) -> Option<Span> {
        let verb = cue.checked_sub(1)?;
        // "Surgical is not working" complains about what it names; "is not needed" denies it.
        let complains = self.word(cue + 1).ends_with("ing") && self.word(cue + 1) != "being";
        if !DENYING_VERBS.contains(&self.word(verb)) || complains {
            return None;
        }
        let first = (0..verb)
            .rev()
            .take(SUBJECT_WORDS_MAX)
            .take_while(|word| !self.breaks_before(word + 1))
            .last()?;
        Some(Span { start: self.words.get(first)?.start, end: self.words.get(verb)?.start })
    }

    /// Where the thing denied by a paired cue ends.
    fn phrase_end(&self, cue: usize) -> u32 {
        let mut end = self.words.get(cue).map_or(0, |span| span.end);
        for index in cue + 1..self.words.len().min(cue + 1 + PHRASE_WORDS_MAX) {
            let ends = PHRASE_ENDS.contains(&self.word(index)) && index > cue + 1;
            if ends || self.breaks_before(index) || self.opens_clause(index) {
                break;
            }
            end = self.words.get(index).map_or(end, |span| span.end);
        }
        end
    }

    /// Where the clause that holds this word ends: at the end of its last word.
    fn clause_end(&self, cue: usize) -> u32 {
        let mut end = self.words.get(cue).map_or(0, |span| span.end);
        // "Do not, under any circumstances, use it": what stands between the commas is put in.
        let mut commas_passed = if self.has_aside(cue) { 2 } else { 0 };
        let reach = (cue + 1..self.words.len()).take(crate::limits::NEGATION_WORDS_MAX);
        for (index, span) in reach.filter_map(|index| Some((index, self.words.get(index)?))) {
            let comma = commas_passed > 0 && self.gap_before(index) == ", ";
            if comma {
                commas_passed -= 1;
            } else if self.breaks_before(index) || self.opens_clause(index) {
                break;
            }
            end = span.end;
        }
        end
    }

    fn has_aside(&self, cue: usize) -> bool {
        let mut reach = (cue + 2..self.words.len()).take(crate::limits::NEGATION_WORDS_MAX);
        let opens = self.word(cue) == "not" && self.gap_before(cue + 1) == ", ";
        opens && reach.any(|word| self.gap_before(word) == ", ")
    }

    /// What stands between a word and the one before it.
    fn gap_before(&self, index: usize) -> &'t str {
        let before = index.checked_sub(1).and_then(|before| self.words.get(before));
        let gap = before
            .zip(self.words.get(index))
            .map(|(before, word)| Span { start: before.end, end: word.start });
        gap.map_or("", |gap| gap.of(self.text))
    }

    fn opens_clause(&self, index: usize) -> bool {
        match self.word(index) {
            "and" => self.rest_of_clause(index).any(|word| FINITE_VERBS.contains(&word)),
            word => CLAUSE_OPENERS.contains(&word),
        }
    }

    fn rest_of_clause(&self, index: usize) -> impl Iterator<Item = &'t str> {
        let next = index + 1;
        let end = (next + 1..self.words.len())
            .take(crate::limits::NEGATION_WORDS_MAX)
            .find(|index| self.breaks_before(*index))
            .unwrap_or(next + crate::limits::NEGATION_WORDS_MAX);
        (next..end.min(self.words.len())).map(|index| self.word(index))
    }

    /// Whether a line or a part of a sentence ends between this word and the one before it.
    fn breaks_before(&self, index: usize) -> bool {
        let (Some(before), Some(word)) =
            (index.checked_sub(1).and_then(|i| self.words.get(i)), self.words.get(index))
        else {
            return false;
        };
        let between = Span { start: before.end, end: word.start };
        ends_part(between.of(self.text)) || self.line_ends_in(between)
    }

    fn line_ends_in(&self, gap: Span) -> bool {
        let next = self.line_ends.partition_point(|end| *end < gap.start);
        self.line_ends.get(next).is_some_and(|end| *end <= gap.end)
    }

    /// "Isn't this a compatibility problem?" asserts what it asks, "why don't we …" proposes. "Do not …" is an
    /// order and denies.
    fn is_rhetorical(&self, index: usize) -> bool {
        if self.word(index) != "not" || index == 0 {
            return false;
        }
        let verb = index - 1;
        let proposed = matches!(self.word(index + 1), "i" | "we" | "you");
        if self.word(verb) == "why" || (proposed && verb > 0 && self.word(verb - 1) == "why") {
            return true;
        }
        let opens = verb == 0 || self.breaks_before(verb);
        opens && self.word(verb) != "do" && FINITE_VERBS.contains(&self.word(verb)) && self.is_asked(index)
    }

    /// Whether the sentence that goes on from this word ends with a question mark.
    fn is_asked(&self, index: usize) -> bool {
        let end_of = |index: usize| self.words.get(index).map_or(0, |span| span.end as usize);
        let start_of =
            |index: usize| self.words.get(index).map_or(self.text.len(), |span| span.start as usize);
        let gaps = (index..self.words.len())
            .take(crate::limits::SENTENCE_WORDS_MAX)
            .map(|at| (end_of(at), start_of(at + 1)));
        let mut ends = gaps.filter_map(|(from, to)| {
            let gap = self.text.get(from..to)?;
            let ends = gap.contains(['!', ';']) || gap.starts_with(". ");
            gap.contains('?').then_some(true).or(ends.then_some(false))
        });
        ends.next().unwrap_or(false)
    }
}

/// Whether what stands between two words ends a sentence or a part of one. A full stop inside a name (`v3.0`)
/// ends nothing: it has no space after it.
fn ends_part(gap: &str) -> bool {
    gap.contains([';', '!', '?', '(', ')', '—', '–', '。', '，', '、'])
        || (gap.contains([',', '.', ':']) && gap.contains(' '))
}

#[cfg(test)]
mod tests {
    use crate::message::Reading;

    /// The denied stretches of a text, joined by " | ".
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let reading = Reading::new(text);
        let denied: Vec<&str> =
            reading.negations().iter().map(|n| n.scope.of(reading.text()).trim()).collect();
        assert_eq!(denied.join(" | "), expected, "{text}");
    }

    #[test]
    fn a_negation_reaches_to_the_end_of_its_clause() {
        check("no compatibility problems", "compatibility problems");
        check("We do not use surgical, the pipeline is broken", "use surgical");
        check("not surgical but circuitous", "surgical");
        check("use circuitous instead of surgical", "surgical");
        check("The file is not there and the pipeline is broken", "there");
        check("no bugs and problems", "bugs and problems");
        check("a non-surgical fix", "surgical");
        check("no bugs\npipeline broken", "bugs");
        check("Instead of surgical use interstitial", "surgical");
        check("do not, under any circumstances, use surgical", ", under any circumstances, use surgical");
        check("avoid surgical, please", "surgical");
        check("not in v3.0 of it. Next", "in v3.0 of it");
    }

    #[test]
    fn not_every_no_denies() {
        check("not only surgical", "");
        check("I do not know why the pipeline is broken", "know");
        check("Isn't this a compatibility problem?", "");
        check("Don't break it?", "break it");
        check("no", "");
        check("know the notes", "");
        check("Don't forget to use surgical mode", "");
        check("Why don't we use surgical?", "");
        check("Why not surgical?", "");
        check("I can't find the problem", "");
        check("Isn't. Is it?", "");
        check("It doesn't\nThe pipeline is broken", "");
        check("not sure whether it is broken", "sure");
        check("You can't use surgical here", "use surgical here");
    }
}
