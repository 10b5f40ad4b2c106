//! What may a catalog say? Every key of the format, once.

use super::choices::{ARGUMENTS, CHOICES, EVENTS};
use super::columns::COLUMNS;
use super::context::CONTEXT;
use super::expertise::{AREAS, COMPLEXITY, DOMAINS, OPERATIONS, RELATED, SERVERS, TOOLS};
use super::flows::{FLOWS, PROCEED};
use super::gates::GATES;
use super::knowledge::format as knowledge;
use super::limits::LIMITS;
use super::llm::LLM;
use super::precautions::format::{FLAGS, PREFLIGHT, RESOURCES, RISK};
use super::session::FACTS;
use super::shape::Presence::{Needed, Optional};
use super::shape::{Key, Shape, Table};
use super::thresholds::format::THRESHOLDS;
use super::tools::format as tools;
use super::vague::VAGUE;

/// A whole catalog.
pub static CATALOG: Table = Table {
    title: "a catalog",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Name,
            presence: Optional,
            says: "What the catalog is called in answers and traces. Default: the name of its file or folder.",
        },
        Key {
            name: "description",
            shape: Shape::Text,
            presence: Optional,
            says: "What the catalog routes, for the people who read it.",
        },
        Key {
            name: "names",
            shape: Shape::Choice(&["force", "hint"]),
            presence: Optional,
            says: "What the name of a route in a message means. `force`: the route is taken, with confidence 1.0. `hint` (the default): the name counts like one keyword.",
        },
        Key {
            name: "thresholds",
            shape: Shape::Table(&THRESHOLDS),
            presence: Optional,
            says: "How sure a decision must be.",
        },
        Key {
            name: "select",
            shape: Shape::Choice(&["one", "many"]),
            presence: Optional,
            says: "How many routes a message may take. `one` (the default): the surest. `many`: every route that is sure enough, each for itself.",
        },
        Key {
            name: "encoder",
            shape: Shape::Either(&[Shape::Choice(&["built-in", "none", "minilm"]), Shape::Table(&ENCODER)]),
            presence: Optional,
            says: "What reads the meaning of messages. `built-in` (the default) needs nothing; `none` goes by letters and words alone; `minilm` asks a sentence transformer where the built-in one is not sure. A table names a model or an endpoint of your own.",
        },
        LLM,
        Key {
            name: "ordinary",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Messages that need no route; what is like them is left alone.",
        },
        Key {
            name: "trouble",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Words and phrases that say something is wrong. A message with one of them that fits no route is asked back rather than left alone; together with a target they count as a pattern.",
        },
        VAGUE,
        Key {
            name: "clarify",
            shape: Shape::Text,
            presence: Optional,
            says: "The question asked when a message says that something is wrong but not what, or names nothing. The routes are its options, the nearest five where there are more.",
        },
        Key {
            name: "abstain",
            shape: Shape::Text,
            presence: Optional,
            says: "The message given when no route is needed.",
        },
        Key {
            name: "registries",
            shape: Shape::Dictionary(&Shape::List(&Shape::Text, 1)),
            presence: Optional,
            says: "Lists of known things that targets are looked up in, each entry in its official spelling.",
        },
        Key {
            name: "scoring",
            shape: Shape::Choice(&["rules", "factors"]),
            presence: Optional,
            says: "How sure a route is. `rules` (the default): by its patterns, keywords and examples. `factors`: by four factors, which add up to 1: pattern (0.40), domain (0.30), complexity (0.20) and resources (0.10).",
        },
        Key {
            name: "routes_layer",
            shape: Shape::Name,
            presence: Optional,
            says: "A layer of `context` whose labels are routes: how far they are believed is how like its messages one is, and no examples of routes are needed.",
        },
        Key {
            name: "sources_layer",
            shape: Shape::Name,
            presence: Optional,
            says: "A layer of `context` whose labels are names of sources: how far one is believed is how much its passages are favoured. Rules say which sources are read.",
        },
        Key {
            name: "fallback",
            shape: Shape::Name,
            presence: Optional,
            says: "The route taken where no other is sure enough.",
        },
        Key {
            name: "context",
            shape: Shape::Table(&CONTEXT),
            presence: Optional,
            says: "Which kinds of request are told apart. Without it the context of a message is its text alone.",
        },
        Key {
            name: "limits",
            shape: Shape::Table(&LIMITS),
            presence: Optional,
            says: "Bounds narrower than the built-in ones.",
        },
        Key {
            name: "routes",
            shape: Shape::List(&Shape::Table(&ROUTE), 0),
            presence: Optional,
            says: "What a message can be routed to.",
        },
        tools::TOOLS,
        tools::TOOLS_FILES,
        tools::SEARCH_TOOL,
        tools::SAFETY,
        knowledge::SOURCES,
        knowledge::SOURCE_RULES,
        FACTS,
        GATES,
        FLOWS,
        PROCEED,
        COLUMNS,
        CHOICES,
        ARGUMENTS,
        EVENTS,
        Key {
            name: "resources",
            shape: Shape::Table(&RESOURCES),
            presence: Optional,
            says: "What is done when the machine runs short.",
        },
        Key {
            name: "flags",
            shape: Shape::Table(&FLAGS),
            presence: Optional,
            says: "Flags in messages, such as --seq: which there are, which exclude each other, and which are set by themselves.",
        },
        Key {
            name: "preflight",
            shape: Shape::Table(&PREFLIGHT),
            presence: Optional,
            says: "What must be there before work begins.",
        },
        Key {
            name: "risk",
            shape: Shape::Table(&RISK),
            presence: Optional,
            says: "How the risk of a task adds up.",
        },
    ],
};

/// One route.
static ROUTE: Table = Table {
    title: "a route",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Name,
            presence: Needed,
            says: "What the route is called; unique in the catalog.",
        },
        Key {
            name: "description",
            shape: Shape::Text,
            presence: Optional,
            says: "One sentence on what the route is for; shown when a person has to choose.",
        },
        Key {
            name: "aliases",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Other names people use for the route.",
        },
        Key {
            name: "commands",
            shape: Shape::List(&Shape::Name, 0),
            presence: Optional,
            says: "Slash commands, without the slash, that force the route with confidence 1.0.",
        },
        Key {
            name: "priority",
            shape: Shape::Whole(-1000, 1000),
            presence: Optional,
            says: "Who wins when several routes are about equally sure: the higher number. Default 0.",
        },
        Key {
            name: "patterns",
            shape: Shape::List(&Shape::Either(&[Shape::Regex, Shape::Table(&PATTERN)]), 0),
            presence: Optional,
            says: "Regular expressions over the message in lower case, contractions written out, on one line. One that begins with a letter matches at the start of a word only; its end is free.",
        },
        Key {
            name: "keywords",
            shape: Shape::List(&Shape::Either(&[Shape::Text, Shape::List(&Shape::Text, 1)]), 0),
            presence: Optional,
            says: "Words that make a match surer; they never activate a route by themselves. Several forms of one word are written as a list and count once.",
        },
        Key {
            name: "examples",
            shape: Shape::List(&Shape::Text, 0),
            presence: Optional,
            says: "Messages that belong to the route; what is like them is found too. Ten are good, and they should differ.",
        },
        Key {
            name: "not_examples",
            shape: Shape::List(&Shape::Either(&[Shape::Text, Shape::Table(&NOT_EXAMPLE)]), 0),
            presence: Optional,
            says: "Messages that look as if they belonged to the route and do not; what is like them is held off.",
        },
        Key {
            name: "domain",
            shape: Shape::Name,
            presence: Optional,
            says: "The domain that messages of this route are in, as the label of that layer.",
        },
        Key {
            name: "intent",
            shape: Shape::Name,
            presence: Optional,
            says: "What messages of this route want, as the label of that layer.",
        },
        AREAS,
        RELATED,
        DOMAINS,
        OPERATIONS,
        COMPLEXITY,
        TOOLS,
        SERVERS,
        Key {
            name: "target",
            shape: Shape::Table(&TARGET),
            presence: Optional,
            says: "What in the message the route is to work on.",
        },
    ],
};

/// A pattern with its weight.
static PATTERN: Table = Table {
    title: "a pattern",
    one_of: &[],
    keys: &[
        Key { name: "match", shape: Shape::Regex, presence: Needed, says: "The regular expression." },
        Key {
            name: "weight",
            shape: Shape::Share(0, 70),
            presence: Optional,
            says: "What the pattern adds to the base of 0.3 when it is the strongest that matches. Default: its length in characters, in hundredths, at most 0.7.",
        },
        Key {
            name: "if",
            shape: Shape::Text,
            presence: Optional,
            says: "The condition under which it is looked for, over facts of the session, such as `session.risk_complete and not session.itn_complete`: what the same words mean may depend on how far a session has come.",
        },
    ],
};

/// A message that is not the route's, and why.
static NOT_EXAMPLE: Table = Table {
    title: "a message that does not belong",
    one_of: &[],
    keys: &[
        Key { name: "text", shape: Shape::Text, presence: Needed, says: "The message." },
        Key {
            name: "reason",
            shape: Shape::Text,
            presence: Optional,
            says: "Why it does not belong to the route.",
        },
    ],
};

/// How a route finds its target.
static TARGET: Table = Table {
    title: "a target",
    one_of: &[],
    keys: &[
        Key {
            name: "find",
            shape: Shape::List(&Shape::Table(&FINDER), 1),
            presence: Needed,
            says: "Ways to find the target, tried in order.",
        },
        Key {
            name: "weight",
            shape: Shape::Share(0, 70),
            presence: Optional,
            says: "What a target adds to the base of 0.3 when it stands beside a keyword of the route or a word of trouble. Default 0.2.",
        },
        Key {
            name: "looks_like",
            shape: Shape::Regex,
            presence: Optional,
            says: "How a target is spelt, in its own case: what looks like one and is not known is reported as unresolved.",
        },
    ],
};

/// One way to find a target.
static FINDER: Table = Table {
    title: "a way to find a target",
    one_of: &["registry", "pattern", "words"],
    keys: &[
        Key {
            name: "registry",
            shape: Shape::Name,
            presence: Optional,
            says: "The longest entry of this registry that stands in the message as a whole word, in any case.",
        },
        Key {
            name: "pattern",
            shape: Shape::Regex,
            presence: Optional,
            says: "The first match of this regular expression, in any case.",
        },
        Key {
            name: "words",
            shape: Shape::Dictionary(&Shape::Text),
            presence: Optional,
            says: "Words of the message, each with the target it stands for.",
        },
    ],
};

/// What reads the meaning of messages, where it is not the built-in encoder.
static ENCODER: Table = Table {
    title: "an encoder",
    one_of: &["model", "url"],
    keys: &[
        Key {
            name: "model",
            shape: Shape::Text,
            presence: Optional,
            says: "A sentence transformer in process: the name of one that was pulled (`waypost models pull minilm`), or the folder of its files.",
        },
        Key {
            name: "url",
            shape: Shape::Text,
            presence: Optional,
            says: "An embeddings endpoint: the address before `/embeddings` or `/embed`.",
        },
        Key {
            name: "api",
            shape: Shape::Choice(&["openai", "tei"]),
            presence: Optional,
            says: "What the endpoint speaks. Default: `openai`.",
        },
        Key {
            name: "served",
            shape: Shape::Text,
            presence: Optional,
            says: "The model asked for at the endpoint.",
        },
        Key {
            name: "key_env",
            shape: Shape::Text,
            presence: Optional,
            says: "The environment variable that holds the endpoint's key. The key itself never stands in a catalog.",
        },
        Key {
            name: "timeout_ms",
            shape: Shape::Whole(1, 600_000),
            presence: Optional,
            says: "How long an answer of the endpoint is waited for, in milliseconds. Default 10000.",
        },
    ],
};
