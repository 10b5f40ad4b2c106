//! What is noted about a route that is weighed by factors? Each thing under a name that stays, and in a person's words.

use serde::{Deserialize, Serialize};

/// One of the four factors a confidence is the sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactorKind {
    /// Words, likeness and operation.
    Pattern,
    /// The area.
    Domain,
    /// How complex it is.
    Complexity,
    /// Tools and servers.
    Resources,
}

impl FactorKind {
    /// Its name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            FactorKind::Pattern => "pattern match",
            FactorKind::Domain => "domain expertise",
            FactorKind::Complexity => "complexity fit",
            FactorKind::Resources => "resources ready",
        }
    }
}

/// What is noted. Most notes are about something: an operation, an area, a band of complexity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The message is strongly like the route's own.
    StronglyLike,
    /// It asks for this operation, which the route does.
    DoesOperation,
    /// Words or files say it is this area.
    WordsOfArea,
    /// The area is the route's own, and the message is like its own too.
    OwnField,
    /// The area is one of the route's own.
    OwnArea,
    /// The area is another, and the message much like the route's own.
    OwnElsewhere,
    /// The area is one the route knows a little of.
    RelatedArea,
    /// The area is none of the route's.
    NoArea,
    /// Nobody knows which area it is.
    AreaUnknown,
    /// The route is made for this band of complexity.
    BandExact,
    /// The route is made for the band next to this one.
    BandAdjacent,
    /// The route is not made for this band.
    BandFar,
    /// Nobody knows how complex it is.
    BandUnknown,
    /// Everything the route needs is there.
    ToolsAll,
    /// More than half of it is.
    ToolsMost,
    /// Something of it is.
    ToolsSome,
    /// Nothing of it is.
    ToolsNone,
    /// The route needs no tool.
    ToolsNotNeeded,
    /// One of the tools was not looked up, and earns nothing.
    ToolsUnchecked,
    /// All servers completed a handshake.
    ServersAll,
    /// One of the servers did not complete a handshake.
    ServersOffline,
    /// The route needs no server.
    ServersNotNeeded,
    /// No handshake was tried with one of the servers, which earns nothing.
    ServersUnchecked,
}

impl Note {
    /// The note in a person's words; what it is about comes after it.
    pub const fn words(self) -> &'static str {
        match self {
            Note::StronglyLike => "strongly like messages of its own",
            Note::DoesOperation => "does the operation",
            Note::WordsOfArea => "words or files of the area",
            Note::OwnField => "its own field, area",
            Note::OwnArea => "an area of its own",
            Note::OwnElsewhere => "like its own, though the area is",
            Note::RelatedArea => "an area it knows a little of",
            Note::NoArea => "no area of its own",
            Note::AreaUnknown => "the area is unknown",
            Note::BandExact => "made for what is",
            Note::BandAdjacent => "made for what is next to",
            Note::BandFar => "not made for what is",
            Note::BandUnknown => "its complexity is unknown",
            Note::ToolsAll => "all tools it needs are ready",
            Note::ToolsMost => "most tools it needs are ready",
            Note::ToolsSome => "some of the tools it needs are ready",
            Note::ToolsNone => "none of the tools it needs is ready",
            Note::ToolsNotNeeded => "it needs no tools",
            Note::ToolsUnchecked => "tools it needs are not checked",
            Note::ServersAll => "all servers it needs are online",
            Note::ServersOffline => "a server it needs is offline",
            Note::ServersNotNeeded => "it needs no servers",
            Note::ServersUnchecked => "servers it needs are not checked",
        }
    }
}
