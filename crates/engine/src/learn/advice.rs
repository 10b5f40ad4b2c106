//! What would make a catalog easier to decide by? Routes that are hard to tell apart, examples that fit another route better, and routes
//! with few examples; and which logged messages are worth adding.

use std::collections::HashSet;

use serde::Serialize;
use waypost_core::catalog::{Catalog, EncoderChoice, Route};
use waypost_core::head::{Select, similarity};

use super::cache::Cache;
use super::full::Full;
use super::lessons::Lessons;
use crate::encode::ModelError;
use crate::spread::spread_texts;

/// Examples from which on more of them change little: on catalogs nobody tuned to, a route with five is decided nearly as well as one with ten.
const EXAMPLES_ENOUGH: usize = 5;
/// How much of the belief in its examples a route must lose to another for the two to be called hard to tell apart: one in five.
const ALIKE_MIN: f32 = 0.2;
/// How sure another route must be of an example for it to be called misplaced: clearly surer than its own can be.
const MISPLACED_MIN: f32 = 0.6;
/// Words of the shortest and of the longest form that are looked for among examples.
const FEW_WORDS: usize = 3;
const MANY_WORDS: usize = 8;
/// A logged message whose best route is believed as much as this is decided already; one below the other bound is about something else.
const DECIDED_FROM: f32 = 0.9;
const FOREIGN_BELOW: f32 = 0.1;
/// How like two suggestions may be, as a cosine; above this they are the same request in other words, and one is enough.
const SAID_ALREADY: f32 = 0.85;

/// What would make a catalog easier to decide by, the most urgent first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Advice {
    /// Routes that are hard to tell apart.
    pub alike: Vec<Alike>,
    /// Examples that fit another route better.
    pub misplaced: Vec<Misplaced>,
    /// Routes with few examples.
    pub few: Vec<Few>,
    /// Whether the catalog says of no message that it belongs nowhere.
    pub no_near_misses: bool,
}

/// Two routes that are hard to tell apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alike {
    /// The one.
    pub one: String,
    /// The other.
    pub two: String,
    /// How much of the belief in the examples of one goes to the other, of 1.
    #[serde(serialize_with = "three_digits")]
    pub shared: f32,
}

/// An example that fits another route better than its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Misplaced {
    /// Where it stands.
    pub route: String,
    /// What it says.
    pub example: String,
    /// What it fits.
    pub fits: String,
    /// How sure that is, without the example itself.
    #[serde(serialize_with = "three_digits")]
    pub belief: f32,
}

/// A route with few examples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Few {
    /// Which one.
    pub route: String,
    /// How many it has.
    pub examples: usize,
    /// How many more would help.
    pub wanted: usize,
    /// Forms that none of them has.
    pub missing: Vec<Form>,
}

/// A form that a message can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Form {
    /// Three words or fewer.
    FewWords,
    /// A whole sentence of eight words or more.
    WholeSentence,
    /// A question.
    Question,
}

impl Form {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Form::FewWords => "of three words or fewer",
            Form::WholeSentence => "of eight words or more",
            Form::Question => "a question",
        }
    }

    fn is_had_by(self, example: &str) -> bool {
        let words = example.split_whitespace().count();
        match self {
            Form::FewWords => words <= FEW_WORDS,
            Form::WholeSentence => words >= MANY_WORDS,
            Form::Question => example.contains('?') || asks(example),
        }
    }
}

/// Whether a text begins as questions do.
fn asks(text: &str) -> bool {
    const BEGINNINGS: [&str; 16] = [
        "what", "when", "where", "who", "why", "how", "which", "can", "could", "do", "does", "is", "are",
        "will", "may", "has",
    ];
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    BEGINNINGS.contains(&first.trim_end_matches(|c: char| !c.is_alphabetic()))
}

/// A logged message that is worth adding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    /// What was said.
    pub text: String,
    /// The route it is likeliest for. Whoever adds it must know whether that is right.
    pub route: String,
    /// How far that is believed now.
    #[serde(serialize_with = "three_digits")]
    pub belief: f32,
    /// What speaks against it: the next likeliest route, or nothing where that is "none of these".
    pub instead: Option<String>,
    /// How far that is believed.
    #[serde(serialize_with = "three_digits")]
    pub instead_belief: f32,
}

/// What the full model knows of a catalog, to judge the catalog itself by.
pub struct Advisor<'c> {
    routes: Vec<&'c Route>,
    full: Full,
    /// What belongs nowhere, as the catalog says.
    foreign: Vec<&'c str>,
}

impl<'c> Advisor<'c> {
    /// Reads a catalog; nothing where it teaches nothing, or more than the full model reads.
    pub fn of(catalog: &'c Catalog, cache: &Cache) -> Result<Option<Advisor<'c>>, ModelError> {
        // A layer of the context tells the routes apart, or letters and words alone do.
        if catalog.routes_layer().is_some() || *catalog.encoder() == EncoderChoice::None {
            return Ok(None);
        }
        let Some(lessons) = Lessons::of(catalog) else { return Ok(None) };
        let Some((full, _)) = Full::of(catalog, &lessons, cache)? else { return Ok(None) };
        let routes: Vec<&Route> = lessons.routes.iter().filter_map(|route| catalog.route(*route)).collect();
        let near_misses = routes.iter().flat_map(|route| &route.not_examples);
        let foreign = catalog.ordinary().iter().chain(near_misses).map(String::as_str).collect();
        Ok(Some(Advisor { routes, full, foreign }))
    }

    /// What would make the catalog easier to decide by.
    pub fn advice(&self) -> Advice {
        // Where a message may need several routes, an example of one may rightly be one of another.
        let beliefs = if self.full.select == Select::Many { Vec::new() } else { self.without_themselves() };
        let alike = self.alike(&beliefs);
        let mut misplaced = self.misplaced(&beliefs);
        // Examples that two similar routes take from each other are reported once, as similar routes.
        misplaced.retain(|stray| !alike.iter().any(|twins| twins.are(&stray.route, &stray.fits)));
        Advice { alike, misplaced, few: self.few(), no_near_misses: self.foreign.is_empty() }
    }

    /// Which of these messages would teach the most, at most so many.
    pub fn suggestions(&self, logged: &[String], count: usize) -> Vec<Suggestion> {
        let known = self.routes.iter().flat_map(|route| &route.examples);
        let known = known.map(String::as_str).chain(self.foreign.iter().copied());
        let mut seen: HashSet<String> = known.map(folded).collect();
        let fresh: Vec<&str> = logged
            .iter()
            .map(|text| text.trim())
            .filter(|text| !text.is_empty() && seen.insert(folded(text)))
            .collect();
        let mut doubtful: Vec<(f32, Vec<f32>, Suggestion)> = Vec::new();
        for (text, (beliefs, vector)) in fresh.iter().zip(spread_texts(&fresh, |text| self.full.listen(text)))
        {
            if let Some(suggestion) = self.suggestion(text, &beliefs) {
                doubtful.push((suggestion.doubt(), vector, suggestion));
            }
        }
        doubtful.sort_by(|one, two| two.0.total_cmp(&one.0));
        let mut taken: Vec<(Vec<f32>, Suggestion)> = Vec::new();
        for (_, vector, suggestion) in doubtful {
            if taken.len() < count && taken.iter().all(|(other, _)| similarity(other, &vector) < SAID_ALREADY)
            {
                taken.push((vector, suggestion));
            }
        }
        taken.into_iter().map(|(_, suggestion)| suggestion).collect()
    }

    /// What a message would teach; nothing where it is decided already, or about something else.
    fn suggestion(&self, text: &str, beliefs: &[f32]) -> Option<Suggestion> {
        let mut ranked: Vec<(usize, f32)> = beliefs.iter().copied().enumerate().collect();
        ranked.sort_by(|one, two| two.1.total_cmp(&one.1));
        let (best, belief) = *ranked.iter().find(|(class, _)| *class < self.routes.len())?;
        let (next, instead_belief) = *ranked.iter().find(|(class, _)| *class != best)?;
        (FOREIGN_BELOW..DECIDED_FROM).contains(&belief).then_some(())?;
        Some(Suggestion {
            text: text.to_owned(),
            route: self.routes.get(best)?.name.to_string(),
            belief,
            instead: self.routes.get(next).map(|route| route.name.to_string()),
            instead_belief,
        })
    }

    /// For each route, what is believed of each of its examples when it is not there.
    fn without_themselves(&self) -> Vec<Vec<Vec<f32>>> {
        let examples: Vec<&str> =
            self.routes.iter().flat_map(|route| route.examples.iter().map(String::as_str)).collect();
        let numbered: Vec<(usize, &str)> = examples.into_iter().enumerate().collect();
        let mut beliefs =
            spread_texts(&numbered, |(at, example)| self.full.listen_without(example, *at)).into_iter();
        self.routes.iter().map(|route| beliefs.by_ref().take(route.examples.len()).collect()).collect()
    }

    fn alike(&self, beliefs: &[Vec<Vec<f32>>]) -> Vec<Alike> {
        let mut alike = Vec::new();
        let lent = |from: usize, to: usize| {
            let of = beliefs.get(from).map(Vec::as_slice).unwrap_or_default();
            let sum: f32 = of.iter().filter_map(|beliefs| beliefs.get(to)).sum();
            #[allow(clippy::cast_precision_loss)] // a few thousand examples at most
            let examples = of.len().max(1) as f32;
            sum / examples
        };
        for (one, first) in self.routes.iter().enumerate() {
            for (two, second) in self.routes.iter().enumerate().skip(one + 1) {
                let shared = lent(one, two).max(lent(two, one));
                if shared >= ALIKE_MIN {
                    alike.push(Alike { one: first.name.to_string(), two: second.name.to_string(), shared });
                }
            }
        }
        alike.sort_by(|one, two| two.shared.total_cmp(&one.shared));
        alike
    }

    fn misplaced(&self, beliefs: &[Vec<Vec<f32>>]) -> Vec<Misplaced> {
        let mut misplaced = Vec::new();
        for (class, (route, beliefs)) in self.routes.iter().zip(beliefs).enumerate() {
            for (example, beliefs) in route.examples.iter().zip(beliefs) {
                let others = beliefs.iter().enumerate().take(self.routes.len());
                let best = others.max_by(|one, two| one.1.total_cmp(two.1));
                if let Some((best, belief)) =
                    best.filter(|(best, belief)| *best != class && **belief >= MISPLACED_MIN)
                    && let Some(fits) = self.routes.get(best)
                {
                    let (route, fits) = (route.name.to_string(), fits.name.to_string());
                    misplaced.push(Misplaced { route, example: example.clone(), fits, belief: *belief });
                }
            }
        }
        misplaced.sort_by(|one, two| two.belief.total_cmp(&one.belief));
        misplaced
    }

    fn few(&self) -> Vec<Few> {
        let few = |route: &&Route| {
            let examples = route.examples.len();
            let forms = [Form::FewWords, Form::WholeSentence, Form::Question];
            let has = |form: Form| route.examples.iter().any(|example| form.is_had_by(example));
            let missing = forms.into_iter().filter(|form| !has(*form)).collect();
            let wanted = EXAMPLES_ENOUGH.saturating_sub(examples);
            (wanted > 0).then(|| Few { route: route.name.to_string(), examples, wanted, missing })
        };
        let mut found: Vec<Few> = self.routes.iter().filter_map(few).collect();
        found.sort_by_key(|few| few.examples);
        found
    }
}

impl Alike {
    fn are(&self, one: &str, two: &str) -> bool {
        (self.one == one && self.two == two) || (self.one == two && self.two == one)
    }
}

impl Suggestion {
    /// How much is in doubt: most where a route and what speaks against it are believed alike.
    fn doubt(&self) -> f32 {
        self.belief.min(self.instead_belief)
    }
}

/// Writes a belief with three digits.
#[allow(clippy::trivially_copy_pass_by_ref)] // as serde asks for it
fn three_digits<S: serde::Serializer>(belief: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((f64::from(*belief) * 1000.0).round() / 1000.0)
}

/// A text without what does not matter for whether it was said before.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_words_and_marks() {
        let cases = [
            ("refund", [true, false, false]),
            ("where is my refund", [false, false, true]),
            ("I sent it back two weeks ago and heard nothing since", [false, true, false]),
            ("money back?", [true, false, true]),
        ];
        for (example, expected) in cases {
            let forms = [Form::FewWords, Form::WholeSentence, Form::Question];
            assert_eq!(forms.map(|form| form.is_had_by(example)), expected, "{example}");
        }
    }
}
