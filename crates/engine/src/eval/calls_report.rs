//! What do predictions of calls come to? Shares of whole calls, of values by kind, and of what runs.

use std::collections::BTreeMap;

use serde::Serialize;
use waypost_core::arguments::Outcome;

use super::calls::{CallPrediction, CallWanted};
use super::catalogs::{Percentiles, Share, percentiles};

/// What predictions come to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CallsReport {
    /// Messages.
    pub rows: usize,
    /// Of the requests, those of which every value is right and no other is taken.
    pub whole: Share,
    /// Of the requests for several calls, those of which all calls are right.
    pub several: Share,
    /// Of the requests, values that are right by kind.
    pub by_kind: BTreeMap<&'static str, Share>,
    /// Of the requests, slots that are rightly left empty.
    pub empty: Share,
    /// Of the requests that have all they need, those that run.
    pub ran: Share,
    /// Of all messages but traps, those that run and should not, or with a wrong value.
    pub wrong_runs: Share,
    /// Of the traps, those that run.
    pub traps_run: Share,
    /// How long an answer took.
    pub elapsed: Percentiles,
}

/// What predictions come to.
pub fn calls_report(predictions: &[CallPrediction]) -> CallsReport {
    let mut report = CallsReport { rows: predictions.len(), ..CallsReport::default() };
    for row in predictions {
        let ran = row.outcome == Outcome::Run;
        let requested = matches!(row.wanted, CallWanted::Run | CallWanted::Ask);
        match row.wanted {
            CallWanted::Trap => {
                report.traps_run.count(ran);
                continue;
            }
            CallWanted::Run => report.ran.count(ran),
            CallWanted::Ask | CallWanted::Nothing => {}
        }
        report.wrong_runs.count(ran && !(row.wanted == CallWanted::Run && row.whole));
        if !requested {
            continue;
        }
        report.whole.count(row.whole);
        if row.calls > 1 {
            report.several.count(row.whole);
        }
        for slot in &row.slots {
            match slot.wanted {
                Some(_) => report.by_kind.entry(slot.kind).or_default().count(slot.right),
                None => report.empty.count(slot.right),
            }
        }
    }
    report.elapsed = percentiles(predictions.iter().map(|row| row.elapsed_us));
    report
}
