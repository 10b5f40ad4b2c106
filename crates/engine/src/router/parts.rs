//! Who takes which part of a message? Where it asks for several things, each part is decided by itself.

use waypost_core::catalog::Scoring;
use waypost_core::decision::Outcome;
use waypost_core::message::{Situation, Span};
use waypost_core::selection::parts::parts;
use waypost_core::signals::Depth;
use waypost_core::trace::{Answer, PartOfMessage, Team};

use super::{Climb, Router};
use crate::budget::Budget;
use crate::learn::Reach;

impl Router {
    /// Names the second request of a message, and the lead and assistants where a catalog has a universal route beside its specialists. The full
    /// model finds second requests by itself.
    pub(super) fn share_out(&self, situation: &Situation, answer: &mut Answer) {
        let by_factors = self.catalog.scoring() == Scoring::Factors;
        let open = answer.also.is_empty() && answer.read_by != Some(Depth::Full);
        if answer.route.is_none() || !(open || by_factors) {
            return;
        }
        let found = self.taken_parts(situation);
        if !found.iter().any(|part| Some(&part.route) != answer.route.as_ref()) {
            return;
        }
        if by_factors && let Some(team) = team(&found, answer.route.as_deref()) {
            answer.team = Some(team);
        } else if open {
            answer.also =
                found.into_iter().filter(|part| Some(&part.route) != answer.route.as_ref()).collect();
        }
    }

    /// The parts of a message that a route takes, in order; neighbours that the same route takes are one.
    fn taken_parts(&self, situation: &Situation) -> Vec<PartOfMessage> {
        let text = &situation.message.text;
        let mut found: Vec<(Span, PartOfMessage)> = Vec::new();
        for part in parts(text) {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            let span = Span::new(start..start + part.len());
            let Some(taken) = self.taken_part(situation, part) else { continue };
            match found.last_mut().filter(|(_, before)| before.route == taken.route) {
                Some((before, joined)) => {
                    *before = before.joined(span);
                    joined.confidence = joined.confidence.max(taken.confidence);
                }
                None => found.push((span, taken)),
            }
        }
        let told = |(span, part): (Span, PartOfMessage)| PartOfMessage {
            text: Some(span.of(text).to_owned()),
            span: Some(span.in_chars(text)),
            ..part
        };
        found.into_iter().map(told).collect()
    }

    /// The route that takes a part by itself; not the one that is taken because nothing else is.
    fn taken_part(&self, situation: &Situation, part: &str) -> Option<PartOfMessage> {
        let mut own = situation.clone();
        part.clone_into(&mut own.message.text);
        own.message.history.clear();
        let budget = Budget::recorded(&situation.skipped);
        let (account, _) = self.account(own, Climb::WhereOpen(Reach::Local), &budget).ok()?;
        let route = *account.decision.ranked.first()?;
        let acts = account.decision.outcome == Outcome::Act && self.catalog.fallback() != Some(route);
        let confidence = account.scores.iter().find(|score| score.route == route)?.confidence;
        let route = self.catalog.route_name(route).to_owned();
        acts.then_some(PartOfMessage { route, confidence, text: None, span: None })
    }
}

/// Who leads and who assists: the route of the whole message leads, or that of its first part; nothing where one route takes all.
fn team(parts: &[PartOfMessage], taken: Option<&str>) -> Option<Team> {
    let lead = parts.iter().find(|part| Some(part.route.as_str()) == taken).or(parts.first())?;
    let assistants: Vec<PartOfMessage> =
        parts.iter().filter(|part| part.route != lead.route).cloned().collect();
    (!assistants.is_empty()).then(|| Team { lead: lead.clone(), assistants })
}
