//! When does it hold? Conditions over facts: `user.reputation_score >= 0.80 and not environment.frozen`.
//!
//! A test is a fact compared with a value (`=`, `!=`, `<`, `<=`, `>`, `>=`), or a fact alone, which asks whether it is
//! true. Tests are joined by `and`, `or`, `not` and parentheses; `not` binds closest, then `and`. Values are numbers,
//! `true`, `false`, and texts, in quotes where they are more than one word.
//!
//! A test of a fact that is not known fails, whatever it asks: `user.recent_error_count < 3` and
//! `user.recent_error_count != 3` are both false for somebody nobody knows. `not` turns that around:
//! `not (user.recent_error_count >= 3)` holds for them.

mod parse;
mod facts;

use std::borrow::Cow;
use std::cmp::Ordering;

pub use facts::{SESSION, Scope};

use super::problem::Code;
use crate::message::Fact;

/// A condition, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    source: String,
    root: Node,
}

/// A part of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Test(Test),
}

/// One fact, and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    fact: String,
    /// Where the fact stands in the condition, in characters from 1.
    at: usize,
    asks: Asks,
}

/// What is asked of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asks {
    /// Whether it is true.
    IsTrue,
    /// How it compares with a value.
    Compares(Operator, Value<'static>),
}

/// How a fact is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What a fact is, or what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// True or false.
    Flag(bool),
    /// A number.
    Number(Amount),
    /// A text; capitals matter.
    Text(Cow<'v, str>),
}

/// How many units of an amount make one: millionths, as with [`Points`](crate::measure::Points).
const UNITS_PER_ONE: i128 = 1_000_000;

/// A number in whole millionths, so that noise in its last digits decides nothing. Points stop at two thousand;
/// a count of tasks does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(i128);

impl Amount {
    /// Rounds to the nearest millionth. What is not a number is no amount.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // a float-to-int cast saturates, which is what we want
    pub fn from_share(share: f64) -> Option<Amount> {
        (!share.is_nan()).then(|| Amount((share * UNITS_PER_ONE as f64).round() as i128))
    }

    /// A count.
    pub fn from_count(count: u64) -> Amount {
        Amount(i128::from(count) * UNITS_PER_ONE)
    }
}

impl<'v> Value<'v> {
    /// A number, unless it is none.
    pub fn number(number: f64) -> Option<Value<'v>> {
        Amount::from_share(number).map(Value::Number)
    }

    /// A count.
    pub fn count(count: u64) -> Value<'v> {
        Value::Number(Amount::from_count(count))
    }

    /// A text.
    pub const fn text(text: &'v str) -> Value<'v> {
        Value::Text(Cow::Borrowed(text))
    }

    /// A fact of a session or environment; nothing where it is unset.
    pub fn of_fact(fact: &'v Fact) -> Option<Value<'v>> {
        match fact {
            Fact::Unset => None,
            Fact::Flag(flag) => Some(Value::Flag(*flag)),
            Fact::Number(number) => Value::number(*number),
            Fact::Text(text) => Some(Value::text(text)),
        }
    }
}

/// What is wrong with a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of trouble.
    pub code: Code,
    /// What is wrong, and at which character.
    pub message: String,
    /// What would be right, where that is known.
    pub hint: Option<String>,
}

impl Fault {
    fn new(code: Code, at: usize, message: &str) -> Fault {
        Fault { code, message: format!("bad condition: {message}, at character {at}"), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }
}

impl Condition {
    /// Reads a condition. Which facts there are is for [`Condition::faults`] to say.
    pub fn read(source: &str) -> Result<Condition, Fault> {
        Ok(Condition { source: source.trim().to_owned(), root: parse::parse(source)? })
    }

    /// The facts it asks for that are not there, or are of another kind than it takes them for.
    pub fn faults(&self, scope: &Scope<'_>) -> Vec<Fault> {
        let mut faults = Vec::new();
        each_test(&self.root, &mut |test| faults.extend(facts::fault(test, scope)));
        faults
    }

    /// As the catalog writes it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it holds, for facts as they are; a fact that is not known is nothing.
    pub fn holds<'f>(&self, fact: &dyn Fn(&str) -> Option<Value<'f>>) -> bool {
        holds(&self.root, fact)
    }
}

fn each_test<'c>(node: &'c Node, see: &mut dyn FnMut(&'c Test)) {
    match node {
        Node::All(parts) | Node::Any(parts) => parts.iter().for_each(|part| each_test(part, see)),
        Node::Not(part) => each_test(part, see),
        Node::Test(test) => see(test),
    }
}

fn holds<'f>(node: &Node, fact: &dyn Fn(&str) -> Option<Value<'f>>) -> bool {
    match node {
        Node::All(parts) => parts.iter().all(|part| holds(part, fact)),
        Node::Any(parts) => parts.iter().any(|part| holds(part, fact)),
        Node::Not(part) => !holds(part, fact),
        Node::Test(test) => fact(&test.fact).is_some_and(|known| passes(&known, &test.asks)),
    }
}

fn passes(known: &Value<'_>, asks: &Asks) -> bool {
    match asks {
        Asks::IsTrue => *known == Value::Flag(true),
        Asks::Compares(Operator::Equal, value) => known == value,
        Asks::Compares(Operator::NotEqual, value) => known != value,
        Asks::Compares(operator, value) => match (known, value) {
            (Value::Number(known), Value::Number(value)) => operator.accepts(known.cmp(value)),
            // Only numbers have an order.
            _ => false,
        },
    }
}

impl Operator {
    const fn accepts(self, ordering: Ordering) -> bool {
        match self {
            Operator::Equal => ordering.is_eq(),
            Operator::NotEqual => ordering.is_ne(),
            Operator::Less => ordering.is_lt(),
            Operator::LessOrEqual => ordering.is_le(),
            Operator::Greater => ordering.is_gt(),
            Operator::GreaterOrEqual => ordering.is_ge(),
        }
    }

    const fn orders(self) -> bool {
        !matches!(self, Operator::Equal | Operator::NotEqual)
    }
}

#[cfg(test)]
mod tests;
