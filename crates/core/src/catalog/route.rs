//! What is a route made of?

use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use super::expertise::Expertise;
use super::id::RouteId;
use crate::measure::Points;

/// Something a message can be routed to.
#[derive(Clone, Debug)]
pub struct Route {
    /// Its unique name, shared with every answer that mentions it.
    pub name: Arc<str>,
    /// What it is for.
    pub description: String,
    /// Commands that force it.
    pub commands: Vec<String>,
    /// Who wins among equals: the higher.
    pub priority: i32,
    /// Words that make a match surer.
    pub keywords: Vec<Keyword>,
    /// Messages that belong to it.
    pub examples: Vec<String>,
    /// Messages that look as if they did.
    pub not_examples: Vec<String>,
    /// What it is made for.
    pub expertise: Expertise,
    /// The domain its messages are in.
    pub domain: Option<String>,
    /// What its messages want.
    pub intent: Option<String>,
    /// How it finds what it is to work on.
    pub target: Option<TargetRule>,
}

/// A keyword in all its forms; it counts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The forms, the first of which names it.
    pub forms: Vec<String>,
}

/// A message the catalog lists word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Example {
    /// It belongs to the route.
    Of(RouteId),
    /// It does not, for this reason.
    NotOf(RouteId, String),
}

/// How a route finds its target.
#[derive(Clone, Debug)]
pub struct TargetRule {
    /// Ways to find it, in order.
    pub find: Vec<Finder>,
    /// What it adds to the base beside a keyword or a word of trouble.
    pub weight: Points,
    /// How one is spelt, known or not.
    pub looks_like: Option<Regex>,
}

/// One way to find a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finder {
    /// The longest entry of a registry.
    Registry(usize),
    /// The first match of a pattern.
    Pattern(usize),
    /// A word that stands for it: a range of the catalog's target words.
    Words(Range<usize>),
}

/// A word that stands for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetWord {
    /// What it stands for.
    pub target: String,
}

/// Known things to look targets up in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    /// What targets call it.
    pub name: String,
    /// Its entries in their official spelling.
    pub entries: Vec<String>,
}
