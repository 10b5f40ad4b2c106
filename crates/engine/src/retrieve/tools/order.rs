//! In which order are tools answered, and who must be among them?

use waypost_core::catalog::tools::Tool;
use waypost_core::selection::pool::Named;
use waypost_core::selection::ties::{Rated, Settled, settle};

use super::Toolbox;
use super::answer::{Asked, latency_of};
use super::parts::Served;

impl Toolbox {
    /// Tools with near-equals in order: in time, cheap, fast.
    pub(super) fn settled<'t>(&self, served: &[Served<'t>], asked: &Asked<'_>) -> Vec<Served<'t>> {
        let budget_ms = asked.latency_budget_ms;
        let rated: Vec<Rated> = served.iter().map(|served| self.rated(served, asked)).collect();
        let order = settle(&rated, budget_ms);
        let name = |place: usize| {
            let tool = served.get(place).and_then(|served| self.tools().get(served.candidate.tool));
            tool.map(Tool::full_name).unwrap_or_default()
        };
        let place = |(place, why): &(usize, Option<Settled>)| {
            let settled = why.map(|why| in_words(why, name, rated.get(*place), budget_ms));
            Some(Served { settled, ..served.get(*place)?.clone() })
        };
        order.iter().filter_map(place).collect()
    }

    fn rated(&self, served: &Served<'_>, asked: &Asked<'_>) -> Rated {
        let tool = self.tools().get(served.candidate.tool);
        Rated {
            confidence: served.candidate.confidence.points().share(),
            cost: tool.and_then(|tool| tool.cost_estimate),
            latency_ms: tool.and_then(|tool| latency_of(tool, asked.measured_of(tool))),
            asked_for: served.candidate.evidence.named == Some(Named::AsWritten),
        }
    }

    /// As many tools as are wanted. Who is called by name or serves a part is among them: at the end, in the place of the least; a part
    /// never takes the place of the first. Who is pinned is there beside them, in nobody's place.
    pub(super) fn with_room<'t>(&self, ordered: Vec<Served<'t>>, most: usize) -> Vec<Served<'t>> {
        let mut chosen = ordered;
        let rest = chosen.split_off(most.min(chosen.len()));
        let is_called = |served: &Served<'_>| served.candidate.evidence.named.is_some();
        let is_pinned = |served: &Served<'_>| self.pool.pinned().contains(&served.candidate.tool);
        let (pinned, rest): (Vec<Served<'t>>, Vec<Served<'t>>) = rest.into_iter().partition(is_pinned);
        let must = |served: &Served<'_>| is_called(served) || served.part.is_some();
        let (called, others): (Vec<Served<'t>>, Vec<Served<'t>>) =
            rest.into_iter().filter(must).partition(is_called);
        let first_to_give = |wanted: &Served<'_>| usize::from(!is_called(wanted));
        for wanted in called.into_iter().chain(others) {
            let least = chosen.iter().rposition(|chosen| !must(chosen));
            if let Some(least) = least.filter(|least| *least >= first_to_give(&wanted)) {
                chosen.remove(least);
                chosen.push(wanted);
            }
        }
        chosen.extend(pinned);
        chosen
    }
}

fn in_words(
    why: Settled,
    name: impl Fn(usize) -> String,
    own: Option<&Rated>,
    budget_ms: Option<f64>,
) -> String {
    let (takes, budget) =
        (own.and_then(|own| own.latency_ms).unwrap_or_default(), budget_ms.unwrap_or_default());
    match why {
        Settled::TooSlow => {
            format!(
                "takes {takes} ms, more than the {budget} ms it may: tools that are as sure come before it"
            )
        }
        Settled::InTime(other) => {
            format!(
                "comes before {}, which is as sure and takes more than the {budget} ms it may",
                name(other)
            )
        }
        Settled::Cheaper(other) => format!("comes before {}, which is as sure and costs more", name(other)),
        Settled::Faster(other) => {
            format!("comes before {}, which is as sure and takes longer", name(other))
        }
    }
}
