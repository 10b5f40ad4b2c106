//! Does a message need several tools? Each of its parts is asked for, and what it says counts beside the whole.

use serde::Serialize;
use waypost_core::measure::Confidence;
use waypost_core::selection::parts::parts;
use waypost_core::selection::pool::Named;
use waypost_core::selection::ranked::Candidate;

use super::Toolbox;
use super::answer::Asked;

/// How sure a part must be of its best tool to want one of its own. Where fewer than two parts want different tools, the message is
/// ranked as a whole. Both measured on odd lines of public sets: messages that need one tool lose nothing.
const WANTS_FROM: f64 = 0.2;
/// What a part counts beside the whole, in confidence.
const PART_WEIGHT: f64 = 0.25;

/// A part of a message and the tool that serves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundPart {
    /// The part, as it was written.
    pub text: String,
    /// The id of the best tool for it.
    pub tool: String,
}

/// A tool on its way into the answer.
#[derive(Clone, Debug)]
pub(super) struct Served<'t> {
    pub(super) candidate: Candidate,
    /// The part that wants it before all others.
    pub(super) part: Option<&'t str>,
    /// Why it stands where it stands among near-equals.
    pub(super) settled: Option<String>,
}

impl Served<'_> {
    pub(super) const fn of(candidate: Candidate) -> Self {
        Served { candidate, part: None, settled: None }
    }
}

/// A part, and how its tools rank.
struct Wanted<'t> {
    text: &'t str,
    ranked: Vec<Candidate>,
}

impl Toolbox {
    /// The tools of a message and of its parts together, the best first, and the parts where they want different tools.
    pub(super) fn by_parts<'t>(
        &self,
        asked: &Asked<'t>,
        whole: Vec<Candidate>,
        most: usize,
        among: Option<&[usize]>,
    ) -> (Vec<Served<'t>>, Vec<FoundPart>) {
        let (text, session) = (asked.text, asked.session);
        let wanted: Vec<Wanted<'t>> = parts(text)
            .into_iter()
            .map(|part| Wanted { text: part, ranked: self.judge((part, &[]), session, most, among) })
            .filter(|part| part.ranked.first().is_some_and(|best| share(best) >= WANTS_FROM))
            .collect();
        let best = |part: &Wanted<'_>| part.ranked.first().map(|best| best.tool);
        if wanted.iter().all(|part| best(part) == wanted.first().and_then(best)) {
            return (whole.into_iter().map(Served::of).collect(), Vec::new());
        }
        let tell = |part: &Wanted<'_>| {
            let tool = self.tools().get(best(part)?)?.id.clone();
            Some(FoundPart { text: part.text.to_owned(), tool })
        };
        let told = wanted.iter().filter_map(tell).collect();
        (joined(whole, &wanted), told)
    }
}

/// The whole and its parts: a tool counts by the whole and, with less weight, by the part that wants it most.
fn joined<'t>(whole: Vec<Candidate>, parts: &[Wanted<'t>]) -> Vec<Served<'t>> {
    let mut served: Vec<Served<'t>> = whole.into_iter().map(Served::of).collect();
    let mut worths: Vec<(f64, f64)> = served.iter().map(|served| (share(&served.candidate), 0.0)).collect();
    for part in parts {
        for (place, candidate) in part.ranked.iter().enumerate() {
            let known = served.iter().position(|served| served.candidate.tool == candidate.tool);
            let at = known.unwrap_or_else(|| {
                served.push(Served::of(Candidate { confidence: Confidence::NONE, ..candidate.clone() }));
                worths.push((0.0, 0.0));
                served.len() - 1
            });
            if let Some((_, by_part)) = worths.get_mut(at) {
                *by_part = by_part.max(share(candidate));
            }
            // Whoever serves a part best is as sure as the part is.
            if let Some(served) = served.get_mut(at).filter(|served| place == 0 && served.part.is_none()) {
                served.part = Some(part.text);
                served.candidate.confidence = served.candidate.confidence.max(candidate.confidence);
            }
        }
    }
    let is_written = |served: &Served<'_>| served.candidate.evidence.named == Some(Named::AsWritten);
    let mut ordered: Vec<(bool, f64, Served<'t>)> = served
        .into_iter()
        .zip(worths)
        .map(|(served, (whole, part))| (is_written(&served), whole + PART_WEIGHT * part, served))
        .collect();
    ordered.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
    ordered.into_iter().map(|(_, _, served)| served).collect()
}

fn share(candidate: &Candidate) -> f64 {
    candidate.confidence.points().share()
}
