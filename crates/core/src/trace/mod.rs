//! **Why?** The whole account of one message: what it depended on, what was noticed, what came of it, and
//! what would have changed it.

mod answer;
mod why;
mod parts;
mod clarification;
mod context;
mod threshold;
mod learned;
mod what_if;
pub mod steps;

pub use context::{ComplexityTold, Context, EntityTold, LabelTold, OtherLabel};
pub use learned::{LearnedFrom, Like, Spoke};
pub use threshold::{SelectionTold, ThresholdUsed};

pub use answer::{Answer, CatalogRef, Considered, Evidence, Margin, Ranked};
pub use clarification::{Clarification, OptionOffered};
pub use parts::{Continued, PartOfMessage, Team};

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::decision::{Decision, Outcome};
use crate::gates::{self, GateAnswer};
use crate::history::Standing;
use crate::message::{Reading, Situation};
use crate::preflight::{Blocked, Permission, Preflight};
use crate::scores::Score;
use crate::signals::{Grounds, Meaning, Signals};
use crate::threshold::Adjusted;

/// The version of the JSON contract; within a version fields are only added.
pub const CONTRACT_VERSION: u32 = 1;

/// What a head would make of another text; nothing where there is none.
pub type Judge<'j> = dyn Fn(&str) -> Option<Meaning> + 'j;

/// One message that has gone through the rooms, with what each of them made of it.
#[derive(Clone, Debug)]
pub struct Account<'c> {
    /// The catalog it was decided by.
    pub catalog: &'c Catalog,
    /// What it depended on.
    pub situation: Situation,
    /// How the text was read.
    pub reading: Reading,
    /// What kind of request it is; nothing where the catalog does not ask.
    pub context: Option<crate::context::Context>,
    /// What the user's history says about them now.
    pub standing: Standing,
    /// How sure a route must be, now, and why.
    pub adjusted: Adjusted,
    /// What was found before anything is done; nothing where the catalog takes no precautions.
    pub preflight: Option<Preflight>,
    /// What forbids that it begins, for now or at all.
    pub blocked: Option<(Permission, Blocked)>,
    /// What was noticed.
    pub signals: Signals<'c>,
    /// What it is worth.
    pub scores: Vec<Score<'c>>,
    /// What was decided.
    pub decision: Decision,
    /// What the gates of the routes taken say.
    pub gates: Vec<GateAnswer>,
    /// What a head went by, for the routes it believes; only told in a trace.
    pub grounds: Vec<Grounds>,
}

impl<'c> Account<'c> {
    /// The same account, after what the catalog wants looked at before anything is done was looked at.
    #[must_use]
    pub fn looked_at(mut self) -> Account<'c> {
        if self.catalog.precautions().is_asked() {
            let found = steps::preflight(&self);
            self.blocked = steps::verdict(&self, &found);
            self.preflight = Some(found);
        }
        self
    }

    /// What is to happen: as was decided, unless a gate is closed; then the person is asked. What may not begin does not.
    pub fn outcome(&self) -> Outcome {
        match (gates::closed(&self.gates), self.decision.outcome, &self.blocked) {
            (Some(_), ..) => Outcome::Clarify,
            (None, Outcome::Act, Some((Permission::Blocked, _))) => Outcome::Blocked,
            (None, Outcome::Act, Some((Permission::Deferred, _))) => Outcome::Deferred,
            (None, decided, _) => decided,
        }
    }

    /// The answer, in the words of the JSON contract.
    pub fn answer(&self) -> Answer {
        answer::answer(self)
    }

    /// The account as it is kept, shown and replayed. What a head would make of other texts is asked for what would
    /// have changed the outcome.
    pub fn trace(&self, judge: &Judge<'_>) -> Trace {
        Trace {
            version: CONTRACT_VERSION,
            situation: self.situation.clone(),
            answer: self.answer(),
            evidence: answer::all_evidence(self),
            trouble: answer::trouble(self),
            learned: learned::learned(self),
            steps: steps::steps(self).map(Box::new),
            preflight: self.preflight.clone(),
            heads: Vec::new(),
            what_if: what_if::what_if(self, judge),
        }
    }
}

/// The whole account of one message, to keep and to show. The same situation and catalog give the same
/// trace, but for the answer's id and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The version of the JSON contract.
    pub version: u32,
    /// What the decision depended on.
    pub situation: Situation,
    /// The answer.
    pub answer: Answer,
    /// The reasons of every route that had any, by name.
    pub evidence: Vec<RouteEvidence>,
    /// Where the message says that something is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trouble: Vec<TroubleNoted>,
    /// What was learned from examples went by, for the routes it believes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<LearnedFrom>,
    /// The steps to a specialist, where the catalog scores by factors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Box<steps::Steps>>,
    /// What was found before anything is done, where the catalog takes precautions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preflight: Option<Preflight>,
    /// Which heads were asked, by what they learned and how sure they must be; given by the engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<String>,
    /// What would have changed the outcome, in a person's words.
    pub what_if: Vec<String>,
}

impl Trace {
    /// Gives the decision its id, wherever it is told.
    pub fn name(&mut self, id: String) {
        if let Some(steps) = &mut self.steps {
            steps.step_9.task_id.clone_from(&id);
            steps.step_9.decision_id.clone_from(&id);
        }
        self.answer.id = id;
    }
}

/// A word that says something is wrong; spans are in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TroubleNoted {
    /// Where it stands.
    pub span: [usize; 2],
    /// The negation that denies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<[usize; 2]>,
}

/// The reasons of one route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteEvidence {
    /// The route.
    pub name: String,
    /// The sum of the reasons that count.
    pub confidence: crate::measure::Confidence,
    /// The reasons.
    pub reasons: Vec<Evidence>,
}
