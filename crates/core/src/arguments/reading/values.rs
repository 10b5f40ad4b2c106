//! What does a piece of a message come to as the value of a slot? Numbers, days and times are found in it and written as the slot takes them.

use serde_json::Value;

use super::super::form::{Kind, Slot};
use super::super::{By, Doubt, written};
use super::numbers::amount;
use crate::mentions::{self, Amount, Bound, Dimension, Mention, Setting, Value as Found};
use crate::message::Span;

/// A text that pieces stand in, with the values it names.
pub(in crate::arguments) struct Source<'t> {
    pub text: &'t str,
    pub(super) mentions: Vec<Mention>,
    pub(super) setting: &'t Setting,
}

/// What a piece comes to.
pub(in crate::arguments) struct PieceValue {
    pub value: Value,
    pub by: By,
    pub doubt: Option<Doubt>,
}

/// What the reader sees besides where a time stands.
#[derive(Clone, Copy)]
pub(in crate::arguments) struct Hints {
    /// How likely it is after noon.
    pub afternoon: f32,
    /// How likely the day lies in the past.
    pub past: f32,
}

/// Longest piece in which a number, a time or an address is looked for, in bytes: nobody says one in more words, and a single token may be a megabyte long.
const VALUE_BYTES_MAX: usize = 512;

impl<'t> Source<'t> {
    pub fn new(text: &'t str, setting: &'t Setting) -> Source<'t> {
        Source { text, mentions: mentions::find(text, setting), setting }
    }

    /// What a piece is as a value of the slot, also if it is misspelt or jotted down; nothing if it holds none.
    pub fn value(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let said = span.of(self.text);
        let kind = slot.weighed_as();
        let respelt = match kind {
            _ if span.range().len() > VALUE_BYTES_MAX => None,
            Kind::Integer | Kind::Number => mentions::number_words(said),
            Kind::Date => mentions::end_of_period(said)
                .or_else(|| mentions::day_of_weekday(said, false))
                .or_else(|| mentions::time_words(said)),
            Kind::DateTime => mentions::day_of_weekday(said, true).or_else(|| mentions::time_words(said)),
            Kind::Time => mentions::time_words(said),
            _ => None,
        };
        let respelt = respelt.and_then(|said| {
            Source::new(&said, self.setting).plain_value(slot, Span::new(0..said.len()), hints)
        });
        let by_words = || {
            let count = mentions::count(said).filter(|_| kind.is_number())?;
            counted(slot, count)
        };
        let spelled = || {
            let part = mentions::part_of_whole(said).filter(|_| written::counts_percent(slot));
            let whole = |share: f64| if slot.kind == Kind::Integer { share.round() } else { share };
            let number = part.map(|part| whole(part * HUNDRED));
            let number = number.or_else(|| mentions::figure_by_figure(said)).filter(|_| kind.is_number())?;
            counted(slot, number)
        };
        let is_short = span.range().len() <= VALUE_BYTES_MAX;
        let spelled = is_short.then(spelled).flatten();
        spelled.or(respelt).or_else(|| self.plain_value(slot, span, hints)).or_else(by_words)
    }

    /// What a piece is as a value of the slot as it is written.
    fn plain_value(&self, slot: &Slot, span: Span, hints: Hints) -> Option<PieceValue> {
        let is_short = span.range().len() <= VALUE_BYTES_MAX;
        match slot.weighed_as() {
            // A telephone number is taken as it is said.
            Kind::Text | Kind::Phone => self.words(slot, span),
            _ if !is_short => None,
            Kind::Integer | Kind::Number => self.number(slot, span),
            Kind::Date | Kind::Time | Kind::DateTime => self.time(slot, span, hints),
            Kind::Duration => self.duration(span),
            Kind::Email | Kind::Url => self.address(slot, span),
            Kind::Flag | Kind::Object => None,
        }
    }

    /// Where the text's numbers, days and times stand, and which of them have a unit, if it names nothing else: no range, no bound, and none that overlap.
    pub fn plain_values(&self) -> Option<Vec<(Span, bool)>> {
        let plain = |mention: &Mention| match &mention.value {
            Found::Number(Amount::Exactly(_)) => Some((mention.span, false)),
            Found::Measure(Amount::Exactly(_), _) => Some((mention.span, true)),
            Found::Time(time) if time.bound == Bound::At => Some((mention.span, false)),
            _ => None,
        };
        let said = self.mentions.iter().filter(|mention| !mention.latent).map(plain);
        let mut spans = said.collect::<Option<Vec<(Span, bool)>>>()?;
        spans.sort_by_key(|(span, _)| span.start);
        let apart =
            spans.windows(2).all(|pair| matches!(pair, [(one, _), (other, _)] if one.end <= other.start));
        apart.then_some(spans)
    }

    /// Every value of the slot that the text names, with its place.
    pub fn values(&self, slot: &Slot) -> Vec<(Span, PieceValue)> {
        let both = [0.0, 1.0].map(|half| Hints { afternoon: half, past: 0.0 });
        let read = |span: Span| {
            both.into_iter().filter_map(move |hints| Some((span, self.value(slot, span, hints)?)))
        };
        let spans = self.mentions.iter().map(|mention| mention.span);
        if slot.kind == Kind::Text { Vec::new() } else { spans.flat_map(read).collect() }
    }

    /// The numbers that the text names, whatever they count.
    pub fn numbers(&self) -> Vec<(Span, f64)> {
        let number = |mention: &Mention| Some((mention.span, amount(&mention.value)?.single()?));
        self.mentions.iter().filter_map(number).collect()
    }

    /// The mentions of a piece, best first: those the piece itself holds, then those of the text that it is part of.
    pub(super) fn within(&self, span: Span) -> Vec<Mention> {
        let own = mentions::find(span.of(self.text), self.setting).into_iter().map(|mention| Mention {
            span: Span { start: mention.span.start + span.start, end: mention.span.end + span.start },
            ..mention
        });
        let around = self.mentions.iter().filter(|mention| mention.span.overlaps(span)).cloned();
        let mut all: Vec<Mention> = own.chain(around).collect();
        // A number that need not be one stands behind all that must be; a day that is the whole piece is one: "wed".
        let is_day = |mention: &Mention| {
            mention.span == span && matches!(&mention.value, Found::Time(time) if time.said.date)
        };
        all.sort_by_key(|mention| (mention.latent && !is_day(mention), u64::MAX - alike(mention.span, span)));
        all
    }

    fn duration(&self, span: Span) -> Option<PieceValue> {
        self.within(span).into_iter().find_map(|mention| {
            let Found::Measure(amount, unit) = mention.value else { return None };
            let number = amount.single().filter(|_| unit.dimension == Dimension::Duration)?;
            let value = Value::String(written::duration(number, unit.name)?);
            Some(PieceValue { value, by: By::Date, doubt: None })
        })
    }

    fn address(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        self.within(span).into_iter().find_map(|mention| match (mention.value, slot.kind) {
            (Found::Email(text), Kind::Email) | (Found::Url(text), Kind::Url) => {
                Some(PieceValue { value: Value::String(text), by: By::Pattern, doubt: None })
            }
            _ => None,
        })
    }

    /// The words themselves, without the signs around them.
    fn words(&self, slot: &Slot, span: Span) -> Option<PieceValue> {
        let text = before_next_key(self.text, span)
            .trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '“' | '”'));
        if let Some(month) = self.month(slot, span) {
            return Some(month);
        }
        let text = without_name(slot, text);
        let code = mentions::code(text).filter(|code| slot.kind == Kind::Text && !is_few_figures(code));
        let text = code.as_deref().unwrap_or(text);
        let fits = slot.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
        let doubt = (!fits).then(|| Doubt::Unread(text.to_owned()));
        (!text.is_empty()).then(|| PieceValue {
            value: Value::String(text.to_owned()),
            by: By::Learned,
            doubt,
        })
    }
}

/// Most words of the key of a line.
const KEY_WORDS_MAX: usize = 4;

/// A text without a last line that begins the next pair of a list of keys and values: "ON 25" of "title: ON 25\nPresent name: …", not "ON 25\nPresent".
fn before_next_key(message: &str, span: Span) -> &str {
    let own = span.of(message);
    let Some((before, begun)) = own.rsplit_once('\n') else { return own };
    let rest = message.get(span.end as usize..).unwrap_or_default();
    let line = [begun, rest.split('\n').next().unwrap_or_default()].concat();
    let key = line.split_once([':', '=']).map(|(key, _)| key.split_whitespace().count());
    if key.is_some_and(|words| (1..=KEY_WORDS_MAX).contains(&words)) { before } else { own }
}

/// A text without the small word before it that names its slot, misspelt or not: "Mail" of "schedlue Mail". Of 21 such texts on 539 tools of other authors none had the word in its value.
fn without_name<'t>(slot: &Slot, text: &'t str) -> &'t str {
    let Some((first, rest)) = text.split_once(' ') else { return text };
    let is_word = first.len() >= NAME_LETTERS_MIN && first.bytes().all(|byte| byte.is_ascii_lowercase());
    let of_name = |word: &String| {
        *word == first || word.len() > NAME_LETTERS_MIN && mentions::distance(first, word) == 1
    };
    let names = || {
        slot.names.iter().filter_map(|name| name.words.iter().rfind(|word| !LABELS.contains(&word.as_str())))
    };
    if is_word && names().any(of_name) { rest.trim_start() } else { text }
}

/// Fewest letters of a word that names a slot.
const NAME_LETTERS_MIN: usize = 3;
/// Words of names that say that a slot is a name or a number, and not of what.
const LABELS: [&str; 6] = ["code", "id", "name", "no", "number", "ref"];

/// A number as a slot takes it.
fn counted(slot: &Slot, number: f64) -> Option<PieceValue> {
    let value = written::number(number)?;
    let value = if slot.is_amount() { Value::String(value.to_string()) } else { value };
    Some(PieceValue { value, by: By::Number, doubt: written::out_of_range(slot, number) })
}

/// Whether a code is figures alone, and so few that they may be a name: "Four Four Two".
fn is_few_figures(code: &str) -> bool {
    code.len() < FIGURES_OF_CODE_MIN && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Fewest figures that are a code by themselves.
const FIGURES_OF_CODE_MIN: usize = 4;
/// How many hundredths are a whole.
const HUNDRED: f64 = 100.0;

/// How alike two spans are, in millionths: what they share of all they cover.
pub(super) fn alike(one: Span, other: Span) -> u64 {
    let shared = u64::from(one.end.min(other.end).saturating_sub(one.start.max(other.start)));
    let whole = u64::from(one.joined(other).end - one.joined(other).start).max(1);
    1_000_000 * shared / whole
}
