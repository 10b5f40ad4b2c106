//! What does a condition say? Its text as tokens, the tokens as a tree.

use std::borrow::Cow;

use super::super::nearest::nearest;
use super::super::problem::Code;
use super::{Amount, Asks, Fault, Node, Operator, Test, UNITS_PER_ONE, Value};
use crate::limits::{CONDITION_BYTES_MAX, CONDITION_DEPTH_MAX};

/// Words that are not names.
const KEYWORDS: &[&str] = &["and", "or", "not"];

/// Most decimals of a number: the digits that decide.
const DECIMALS_MAX: usize = 6;

/// Signs of other languages, and what is written here.
const FOREIGN: &[(&str, &str)] = &[("==", "="), ("&", "and"), ("|", "or"), ("!", "not"), ("<>", "!=")];

/// Reads a condition.
pub fn parse(source: &str) -> Result<Node, Fault> {
    if source.len() > CONDITION_BYTES_MAX {
        let message = format!("it has {} bytes; the most is {CONDITION_BYTES_MAX}", source.len());
        return Err(bad(CONDITION_BYTES_MAX, &message));
    }
    let mut parser = Parser { tokens: tokens(source)?.into_iter().peekable(), end: source.chars().count() };
    let root = parser.any(0)?;
    match parser.tokens.next() {
        None => Ok(root),
        Some(token) => Err(unexpected(&token, "`and`, `or` or the end")),
    }
}

/// A piece of a condition and where it begins, in characters from 1.
#[derive(Clone, Debug)]
struct Token {
    at: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Word(String),
    Quoted(String),
    Number(Amount),
    Operator(Operator),
    Open,
    Close,
}

fn bad(at: usize, message: &str) -> Fault {
    Fault::new(Code::BadCondition, at, message)
}

fn tokens(source: &str) -> Result<Vec<Token>, Fault> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut at = 1;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if c.is_whitespace() => 1,
            '(' | ')' => {
                tokens.push(Token { at, kind: if first == '(' { Kind::Open } else { Kind::Close } });
                1
            }
            '\'' | '"' => {
                let text: String = rest.chars().skip(1).take_while(|c| *c != first).collect();
                let length = text.chars().count() + 2;
                if rest.chars().nth(length - 1) != Some(first) {
                    return Err(bad(at, "a text that is never closed").hint(format!("close it with {first}")));
                }
                tokens.push(Token { at, kind: Kind::Quoted(text) });
                length
            }
            c if in_word(c) => {
                let word: String = rest.chars().take_while(|c| in_word(*c)).collect();
                let length = word.chars().count();
                tokens.push(Token { at, kind: word_or_number(word, at)? });
                length
            }
            _ => {
                let (operator, length) = operator(rest, at)?;
                tokens.push(Token { at, kind: Kind::Operator(operator) });
                length
            }
        };
        at += length;
        let mut chars = rest.chars();
        chars.by_ref().take(length).for_each(drop);
        rest = chars.as_str();
    }
    Ok(tokens)
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn word_or_number(word: String, at: usize) -> Result<Kind, Fault> {
    if word.starts_with(char::is_alphabetic) {
        return Ok(Kind::Word(word));
    }
    match number(&word) {
        Some(number) => Ok(Kind::Number(number)),
        None => Err(bad(at, &format!("`{word}` is no number")).hint(format!(
            "a number has at most {DECIMALS_MAX} decimals and no exponent; a text has quotes"
        ))),
    }
}

/// A decimal number, exactly.
fn number(word: &str) -> Option<Amount> {
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |digits| (-1, digits));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if !all_digits(whole) || !all_digits(decimals) || decimals.len() > DECIMALS_MAX {
        return None;
    }
    let whole = whole.parse::<i128>().ok()?.checked_mul(UNITS_PER_ONE)?;
    let millionths: i128 = format!("{decimals:0<DECIMALS_MAX$}").parse().ok()?;
    Some(Amount(sign * whole.checked_add(millionths)?))
}

fn operator(rest: &str, at: usize) -> Result<(Operator, usize), Fault> {
    let foreign = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign) && !rest.starts_with("!="));
    if let Some((sign, ours)) = foreign {
        return Err(bad(at, &format!("`{sign}` means nothing here")).hint(format!("write `{ours}`")));
    }
    let known = [
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("!=", Operator::NotEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("=", Operator::Equal),
    ];
    let found = known.into_iter().find(|(sign, _)| rest.starts_with(sign));
    found.map(|(sign, operator)| (operator, sign.len())).ok_or_else(|| {
        let sign = rest.chars().next().unwrap_or_default();
        bad(at, &format!("`{sign}` means nothing here")).hint("put texts in quotes")
    })
}

/// The tokens still to be read.
struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    end: usize,
}

impl Parser {
    fn any(&mut self, depth: usize) -> Result<Node, Fault> {
        let mut parts = vec![self.all(depth)?];
        while self.takes("or") {
            parts.push(self.all(depth)?);
        }
        Ok(joined(parts, Node::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Node, Fault> {
        let mut parts = vec![self.one(depth)?];
        while self.takes("and") {
            parts.push(self.one(depth)?);
        }
        Ok(joined(parts, Node::All))
    }

    fn one(&mut self, depth: usize) -> Result<Node, Fault> {
        let token = self.next("a fact")?;
        if depth > CONDITION_DEPTH_MAX {
            return Err(bad(token.at, &format!("more than {CONDITION_DEPTH_MAX} parts within each other")));
        }
        match &token.kind {
            Kind::Word(word) if word == "not" => Ok(Node::Not(Box::new(self.one(depth + 1)?))),
            Kind::Word(word) if !KEYWORDS.contains(&word.as_str()) && !is_flag(word) => {
                self.test(word.clone(), token.at)
            }
            Kind::Open => {
                let inner = self.any(depth + 1)?;
                let close = self.next("`)`")?;
                if close.kind == Kind::Close {
                    Ok(inner)
                } else {
                    Err(unexpected(&close, "`and`, `or` or `)`"))
                }
            }
            _ => Err(unexpected(&token, "a fact")),
        }
    }

    fn test(&mut self, fact: String, at: usize) -> Result<Node, Fault> {
        let operator = self.tokens.next_if(|token| matches!(token.kind, Kind::Operator(_)));
        let Some(Token { kind: Kind::Operator(operator), .. }) = operator else {
            return Ok(Node::Test(Test { fact, at, asks: Asks::IsTrue }));
        };
        let token = self.next("a value")?;
        let value = match token.kind {
            Kind::Number(number) => Value::Number(number),
            Kind::Quoted(text) => Value::Text(Cow::Owned(text)),
            Kind::Word(word) if is_flag(&word) => Value::Flag(word == "true"),
            Kind::Word(word) if super::facts::looks_like_fact(&word) => {
                return Err(bad(token.at, "a fact is compared with a value, not with another fact")
                    .hint(format!("write '{word}' if it is a text")));
            }
            Kind::Word(word) if !KEYWORDS.contains(&word.as_str()) => Value::Text(Cow::Owned(word)),
            _ => return Err(unexpected(&token, "a value")),
        };
        if operator.orders() && !matches!(value, Value::Number(_)) {
            return Err(bad(token.at, "only numbers have an order").hint("compare it by = or !="));
        }
        Ok(Node::Test(Test { fact, at, asks: Asks::Compares(operator, value) }))
    }

    fn takes(&mut self, keyword: &str) -> bool {
        self.tokens.next_if(|token| matches!(&token.kind, Kind::Word(word) if word == keyword)).is_some()
    }

    fn next(&mut self, expected: &str) -> Result<Token, Fault> {
        let missing = || bad(self.end + 1, &format!("it ends where {expected} is missing"));
        self.tokens.next().ok_or_else(missing)
    }
}

/// Several parts as one; one part as itself.
fn joined(mut parts: Vec<Node>, join: impl Fn(Vec<Node>) -> Node) -> Node {
    match (parts.pop(), parts.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            parts.extend(last);
            join(parts)
        }
    }
}

fn is_flag(word: &str) -> bool {
    matches!(word, "true" | "false")
}

fn unexpected(token: &Token, expected: &str) -> Fault {
    let found = match &token.kind {
        Kind::Word(word) => format!("`{word}`"),
        Kind::Quoted(text) => format!("the text {text:?}"),
        Kind::Number(_) => "a number".to_owned(),
        Kind::Operator(_) => "a comparison".to_owned(),
        Kind::Open => "`(`".to_owned(),
        Kind::Close => "`)`".to_owned(),
    };
    let fault = bad(token.at, &format!("expected {expected}, found {found}"));
    match &token.kind {
        Kind::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
            match nearest(word, KEYWORDS.iter().copied()) {
                Some(near) => fault.hint(format!("did you mean `{near}`?")),
                None => fault,
            }
        }
        Kind::Number(_) | Kind::Quoted(_) if expected == "a fact" => {
            fault.hint("write the fact first: `user.reputation_score >= 0.8`")
        }
        _ => fault,
    }
}
