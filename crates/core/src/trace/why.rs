//! Why was it decided so? One sentence for a person.

use super::Account;
use super::answer::score;
use crate::catalog::{Catalog, RouteId};
use crate::decision::{Decision, Loser, Lost, Why};
use crate::measure::Confidence;

/// A route below its threshold is named in the reason from this share of the threshold on; below it the catalog's own text is used. At half, two
/// more examples can make the difference; far below, nearly all messages need no route.
const NAMED_FROM: f64 = 0.5;

fn share(confidence: Confidence) -> f64 {
    confidence.points().share()
}

fn reaches(name: &str, confidence: Confidence, threshold: Confidence) -> String {
    format!("{name} at {confidence} reaches the threshold of {threshold}.")
}

pub(super) fn why(catalog: &Catalog, decision: &Decision, account: &Account<'_>) -> String {
    let chosen = decision.ranked.first();
    let name = chosen.map_or("", |route| catalog.route_name(*route));
    let confidence =
        chosen.and_then(|route| score(account, *route)).map_or(Confidence::NONE, |s| s.confidence);
    match &decision.why {
        Why::Ordered => format!("The command orders {name}."),
        Why::Named => format!("The message calls {name} by its name."),
        Why::Surest => reaches(name, confidence, decision.threshold),
        Why::Fallback if confidence > Confidence::NONE && confidence >= decision.threshold => {
            reaches(name, confidence, decision.threshold)
        }
        Why::Preferred => format!("{name} at {confidence} comes first among routes about equally sure."),
        Why::Several(count) => {
            let others = if *count == 2 { "1 other".to_owned() } else { format!("{} others", count - 1) };
            format!("{name} at {confidence} and {others} reach their thresholds.")
        }
        Why::SafeMode(route) => format!("Safe mode does not allow {}.", catalog.route_name(*route)),
        Why::Fallback if barred(decision).is_some() => {
            let barred = barred(decision).map_or("", |route| catalog.route_name(route));
            format!("Safe mode does not allow {barred}, and no other route is sure enough. {name} is taken.")
        }
        Why::Fallback => {
            let best = decision.losers.first().map(|near| (catalog.route_name(near.route), near.confidence));
            match best {
                Some((near, confidence)) => format!(
                    "No route reaches the threshold of {}; {near} comes nearest at {confidence}. {name} is taken.",
                    decision.threshold
                ),
                None => format!("No route reaches the threshold of {}. {name} is taken.", decision.threshold),
            }
        }
        Why::Conflict(pair) => format!("The message cannot be meant as it is: {pair}."),
        Why::Trouble => {
            "Something seems to be wrong, but not what; the question offers the routes.".to_owned()
        }
        Why::NamesNothing => {
            "The message does not say what it is about; the question offers routes.".to_owned()
        }
        Why::NothingFits => match decision.losers.first() {
            Some(Loser { route, confidence, lost: Lost::BelowThreshold(_, needed) })
                if share(*confidence) >= NAMED_FROM * share(*needed) =>
            {
                let name = catalog.route_name(*route);
                format!(
                    "No route is sure enough: {name} at {confidence} stays below the {needed} asked of it."
                )
            }
            _ => catalog.abstain().to_owned(),
        },
        Why::UnknownCommand(unknown) => {
            let given = &unknown.given;
            match &unknown.nearest {
                Some(near) => format!("There is no command /{given}; did you mean /{near}?"),
                None => format!("There is no command /{given}."),
            }
        }
    }
}

/// The route that would have been taken, did safe mode allow it.
fn barred(decision: &Decision) -> Option<RouteId> {
    let first = decision.losers.first().filter(|loser| loser.lost == Lost::SafeMode);
    first.filter(|loser| loser.confidence >= decision.threshold).map(|loser| loser.route)
}
