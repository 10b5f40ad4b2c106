//! What is answered when tools are asked for?

use serde::Serialize;
use waypost_core::measure::Confidence;
use waypost_core::selection::pool::Pool;
use waypost_core::selection::ranked::Candidate;
use waypost_core::selection::terms::Word;

use super::Toolbox;

/// How sure the best tool must be for the pool to be said to serve the message.
const FITS_FROM: f64 = 0.25;
/// Most words of a message that are told as matched by a tool, or by none.
const WORDS_TOLD: usize = 8;
/// How alike meanings must be to be given as a reason.
const ALIKE_TOLD: f32 = 0.1;

/// Tools for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The best tools, the best first.
    pub tools: Vec<FoundTool>,
    /// Whether any of them serves the message.
    pub fits: bool,
    /// Words of the message that no tool knows, where none serves it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
}

/// A tool for a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundTool {
    /// What it is called in answers.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who offers it.
    pub server: Option<String>,
    /// How sure it is.
    pub confidence: Confidence,
    /// What speaks for it.
    pub reasons: Vec<String>,
}

impl Toolbox {
    /// The tools for a message, with reasons: of all, or of those with these ids.
    pub fn find(&self, text: &str, most: usize, among: Option<&[String]>) -> Found {
        let asked = Pool::asked(text);
        let ranked = self.rank(text, most, among);
        let fits = ranked.first().is_some_and(|best| best.confidence.points().share() >= FITS_FROM);
        let unmatched: Vec<String> = if fits {
            Vec::new()
        } else {
            self.pool.strange(text, &asked).into_iter().take(WORDS_TOLD).map(str::to_owned).collect()
        };
        let told = |candidate: &Candidate| self.told(candidate, text, &asked);
        Found { tools: ranked.iter().map(told).collect(), fits, unmatched }
    }

    fn told(&self, candidate: &Candidate, text: &str, asked: &[Word]) -> FoundTool {
        let (id, name, server) = match self.pool.tools().get(candidate.tool) {
            Some(tool) => (tool.id.clone(), tool.name.clone(), tool.server.clone()),
            None => Default::default(),
        };
        let evidence = &candidate.evidence;
        let shared = self.pool.shared(candidate.tool, text, asked);
        let shared: Vec<&str> = shared.into_iter().take(WORDS_TOLD).collect();
        let reasons = [
            evidence.named.map(|_| format!("its name is said: {name}")),
            (!shared.is_empty()).then(|| format!("shares the words {}", shared.join(", "))),
            (evidence.alike >= ALIKE_TOLD).then(|| format!("means something alike ({:.2})", evidence.alike)),
            (evidence.against > 0.0).then(|| "is like a message it does not serve".to_owned()),
        ];
        FoundTool {
            id,
            name,
            server,
            confidence: candidate.confidence,
            reasons: reasons.into_iter().flatten().collect(),
        }
    }
}
