//! What is the most of anything? The bounds on what comes from outside, each with its unit and its reason.

/// Longest message, in bytes: a pasted log still gets its answer, a runaway upload does not take the
/// process with it. A catalog may ask for less, never for more.
pub const MESSAGE_BYTES_MAX: usize = 1 << 20;

/// How much of the passages a decision hands on where its catalog does not say, in tokens: some ten passages, a small part of what any language model takes.
pub const CONTEXT_TOKENS_MAX: usize = 2_000;

/// How long a decision may take unless a catalog says otherwise, in milliseconds: two seconds is what a person waits for an answer to begin,
/// and local tiers need a hundredth of it.
pub const LATENCY_MS: u64 = 2_000;

/// Longest catalog file, in bytes: ten thousand routes with twenty examples each fit.
pub const CATALOG_FILE_BYTES_MAX: usize = 32 << 20;

/// Deepest nesting of a catalog file: the format needs seven levels, hostile files offer thousands.
pub const CATALOG_DEPTH_MAX: usize = 64;

/// Most values of one catalog file, aliases expanded: stops a file whose aliases multiply.
pub const CATALOG_VALUES_MAX: usize = 4_000_000;

/// Most problems reported for one catalog: nobody reads the two hundred and first.
pub const PROBLEMS_MAX: usize = 200;

/// Largest compiled regular expression, in bytes: the document's longest needs 30 kB.
pub const PATTERN_BYTES_MAX: usize = 1 << 20;

/// Most places of one term kept in one message: the first few carry the reasons, a megabyte of one
/// word repeated carries no more.
pub const PLACES_PER_TERM_MAX: usize = 16;

/// How often a pattern that a negation silenced is tried again further on.
pub const NEGATED_RETRIES_MAX: usize = 8;

/// Most words a negation reaches over when no clause ends before: "no sign of any compatibility
/// problem in the new release" is nine.
pub const NEGATION_WORDS_MAX: usize = 10;

/// Most words of a sentence looked through for its question mark.
pub const SENTENCE_WORDS_MAX: usize = 40;

/// Longest command repeated in an answer, in characters: nobody means a longer one.
pub const COMMAND_CHARS_MAX: usize = 64;

/// Longest session fact or earlier turn searched for a target, in bytes: its beginning is.
pub const TURN_BYTES_MAX: usize = 16 << 10;

/// Most matches of one target pattern looked at: the first that is not denied is taken.
pub const TARGETS_TRIED_MAX: usize = 64;

/// How often a pattern that matched inside a word is tried again further on.
pub const BORDER_RETRIES_MAX: usize = 64;

/// Most earlier turns searched for a target that the message leaves open.
pub const TURNS_SEARCHED_MAX: usize = 50;

/// Most entities told of one message: a pasted table of addresses has dozens, and nobody reads hundreds.
/// Personal data and secrets are kept before the rest.
pub const ENTITIES_MAX: usize = 200;

/// Longest condition of a catalog, in bytes: the longest that is shipped has 120.
pub const CONDITION_BYTES_MAX: usize = 2_000;

/// Deepest nesting of `not` and parentheses in a condition: nobody can read even half of it.
pub const CONDITION_DEPTH_MAX: usize = 32;
