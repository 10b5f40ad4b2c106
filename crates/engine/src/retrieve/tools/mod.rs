//! Which tools serve a message? A pool of tools, read once, and searched by words and by meaning.

mod answer;
mod judge;
mod parts;
mod order;
mod alternate;
mod turns;
mod examples;

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use waypost_core::catalog::Catalog;
use waypost_core::catalog::tools::{Safety, Tool};
use waypost_core::head::similarity;
use waypost_core::selection::judged;
use waypost_core::selection::legs::Late as Reader;
use waypost_core::selection::pool::{Pool, Texts};
use waypost_core::selection::ranked::{Candidate, Fusion, Meant, rank};

pub(crate) use alternate::which;
pub use alternate::{Alternate, WhichTool};
pub use answer::{Asked, Found, FoundTool, Removed, ToolFacts};
pub use examples::FusionTold;
pub use parts::FoundPart;
pub use turns::{Failures, OfferedSet, Turn};

use crate::Error;
use crate::cache::{Caches, Memo, checksum};
use crate::encode::{BuiltIn, bring_to_length_one};
use crate::retrieve::{Late, Rows, add, centred, in_parallel, mean};
use crate::vectors::Packed;
use examples::Examples;
use judge::{Judge, Judged};

/// What each text of a tool counts in what it means: name, description, parameters, what they are for, examples. Measured on
/// odd lines of public sets.
const SHARES: [f32; 5] = [0.5, 1.0, 0.4, 0.4, 0.5];
/// How much of what all tools have in common is taken away from each.
const CENTRED: f32 = 0.5;
/// Most tools that are read with the layers of the encoder: a third of a millisecond each, once. So does every message, which
/// is too long for what it gains among more tools: there reading the best word by word does as much.
const DEEP_MAX: usize = 1_000;
/// Most tools whose pieces are kept, to be read word by word: three kilobytes each.
const LATE_MAX: usize = 20_000;
/// The power of nearness that a piece of a message counts by; chosen on odd lines of public sets.
const SHARPNESS: i32 = 1;
/// Most pieces of a tool that are kept: a long description with many parameters.
const PIECES_MAX: usize = 256;

/// How many tools are weighed: the best by the search, and the best by the trained model. For 219 of 220 messages over 70 tools all right tools are among
/// them.
const RANKED_TAKEN: usize = 20;
const JUDGED_TAKEN: usize = 10;

/// Tools that can be found.
pub struct Toolbox {
    pool: Pool,
    encoder: Arc<BuiltIn>,
    plain: Rows,
    deep: Option<Rows>,
    /// The pieces of all texts but examples, which are messages of their own.
    late: Option<Late>,
    /// How far each tool is about what all are about.
    central: Vec<f32>,
    /// Messages that tools do not serve, and whose they are.
    against: Rows,
    against_of: Vec<usize>,
    /// The tool that searches for anything.
    search: Option<usize>,
    safety: Safety,
    /// Ids that several tools have.
    shared_ids: HashSet<String>,
    /// What the tools' own examples say about how legs and confidence should count, where there are enough.
    fusion: Option<Fusion>,
    /// How many examples say so.
    fitted_on: Option<usize>,
    examples: Examples,
    /// The trained model with the texts of the tools, read when a message first needs them.
    judge: OnceLock<Option<Judge>>,
    /// Where what the trained model makes of messages is looked up.
    memo: Option<Memo>,
}

impl Toolbox {
    /// Takes tools in and reads what they mean; where they have enough examples, legs and confidence count as those show.
    pub fn new(tools: Vec<Tool>, encoder: Arc<BuiltIn>) -> Result<Toolbox, Error> {
        Toolbox::read(tools, encoder)?.fitted()
    }

    /// Takes tools in and reads what they mean.
    fn read(tools: Vec<Tool>, encoder: Arc<BuiltIn>) -> Result<Toolbox, Error> {
        let texts: Vec<Texts> = tools.iter().map(Texts::of).collect();
        let meanings: Vec<Vec<f32>> = in_parallel(&texts, |texts| meaning(&encoder, texts));
        let mean = mean(&meanings, BuiltIn::DIMENSIONS);
        let central = meanings.iter().map(|vector| similarity(vector, &mean)).collect();
        let plain = Rows::new(centred(meanings, &mean, CENTRED))?;
        let read_deep = || {
            let whole =
                |texts: &Texts| encoder.deep_vector(&format!("{}: {}", texts.name, texts.description));
            Rows::new(in_parallel(&texts, whole).into_iter())
        };
        let deep = (tools.len() <= DEEP_MAX).then(read_deep).transpose()?;
        let late = (tools.len() <= LATE_MAX)
            .then(|| Late::new(in_parallel(&texts, |texts| pieces(&encoder, texts)), SHARPNESS));
        let warnings = tools
            .iter()
            .enumerate()
            .flat_map(|(at, tool)| tool.anti_patterns.iter().map(move |text| (at, text)));
        let (against_of, vectors): (Vec<usize>, Vec<Vec<f32>>) =
            warnings.map(|(at, text)| (at, encoder.vector(text))).unzip();
        let against = Rows::new(vectors.into_iter())?;
        let examples = Examples::read(&tools, &encoder);
        let (search, safety, fusion, fitted_on) = (None, Safety::Off, None, None);
        let mut seen = HashSet::new();
        let shared = tools.iter().filter(|tool| !seen.insert(tool.id.as_str()));
        let shared_ids: HashSet<String> = shared.map(|tool| tool.id.clone()).collect();
        let pool = Pool::new(tools);
        Ok(Toolbox {
            pool,
            encoder,
            plain,
            deep,
            late,
            central,
            against,
            against_of,
            search,
            safety,
            shared_ids,
            fusion,
            fitted_on,
            examples,
            judge: OnceLock::new(),
            memo: None,
        })
    }

    /// The tools of a catalog, with its search tool and its word on safety.
    pub fn of(catalog: &Catalog, encoder: Arc<BuiltIn>) -> Result<Toolbox, Error> {
        Ok(Toolbox::new(catalog.tools().to_vec(), encoder)?.under(catalog))
    }

    /// The same tools under a catalog's word on safety, with its search tool where they have it.
    #[must_use]
    pub fn under(self, catalog: &Catalog) -> Toolbox {
        let own = catalog.search_tool().map(Tool::full_name);
        let search = own.and_then(|own| self.tools().iter().position(|tool| tool.full_name() == own));
        Toolbox { search, safety: catalog.safety(), ..self }
    }

    /// The same tools, looking up what the trained model made of a message before. They are found the same, sooner where messages repeat.
    #[must_use]
    pub fn with_caches(self, caches: Option<Arc<Caches>>) -> Toolbox {
        let memo = caches.map(|caches| Memo::new(caches, &format!("tools {:?}", self.tools())));
        Toolbox { memo, ..self }
    }

    /// The tools, in the order they were given.
    pub fn tools(&self) -> &[Tool] {
        self.pool.tools()
    }

    /// The best tools for a message, the best first: of all, or of those at these places.
    pub fn rank(&self, text: &str, most: usize, among: Option<&[usize]>) -> Vec<Candidate> {
        self.rank_by(text, most, among, self.fusion.as_ref())
    }

    /// The same, with legs and confidence counted in a way of somebody's choice.
    fn rank_by(
        &self,
        text: &str,
        most: usize,
        among: Option<&[usize]>,
        fusion: Option<&Fusion>,
    ) -> Vec<Candidate> {
        let query = self.encoder.vector(text);
        let plain = self.plain.similarities(&query);
        let deep = self.deep.as_ref().map(|rows| rows.similarities(&self.encoder.deep_vector(text)));
        let against = self.against(&query);
        let read = self.late.as_ref().map(|late| (late, self.encoder.pieces(text, PIECES_MAX)));
        let read = read.as_ref().map(|(late, pieces)| |tools: &[usize]| late.alike(pieces, tools));
        let late = read.as_ref().map(|read| Reader(read));
        let (deep, central) = (deep.as_deref(), self.central.as_slice());
        let meant = Meant { plain: &plain, deep, late, central, against: &against, among, fusion };
        rank(&self.pool, text, &Pool::asked(text), &meant, most)
    }

    /// The best tools by the search and the trained model together. Users seldom use the words of a description, and the model does not need them.
    fn judge(
        &self,
        (text, earlier): (&str, &[&str]),
        session: Option<&str>,
        most: usize,
        among: Option<&[usize]>,
    ) -> Vec<Candidate> {
        let Some(judged) = self.judged(text, earlier, session) else { return self.rank(text, most, among) };
        let mut judged = judged::weigh(self.shortlist(text, &judged, among), judged.logs());
        judged.truncate(most);
        judged
    }

    /// What the trained model makes of a message; nothing where the pool is too large for it, or it cannot be read.
    fn judged(&self, text: &str, earlier: &[&str], session: Option<&str>) -> Option<Judged> {
        let compute = || {
            let judge = self.judge.get_or_init(|| Judge::of(self.tools()).ok().flatten());
            Some(judge.as_ref().ok_or(())?.hear(text, earlier)).ok_or(())
        };
        let Some(memo) = &self.memo else { return compute().ok() };
        let asked = format!("judged after {}", checksum(&format!("{earlier:?}")));
        memo.fetch((&asked, text), session, Judged::sure, compute).ok()
    }

    /// The best tools by the search, and the best by the trained model.
    fn shortlist(&self, text: &str, judged: &Judged, among: Option<&[usize]>) -> Vec<Candidate> {
        let ranked = self.rank(text, self.tools().len(), among);
        let mut logs: Vec<f32> = ranked.iter().map(|candidate| judged.asked(candidate.tool)).collect();
        logs.sort_by(|a, b| b.total_cmp(a));
        let least = logs.get(JUDGED_TAKEN - 1).copied().unwrap_or(f32::NEG_INFINITY);
        let placed = ranked.into_iter().enumerate();
        let kept = placed.filter(|(place, own)| *place < RANKED_TAKEN || judged.asked(own.tool) >= least);
        kept.map(|(_, candidate)| candidate).collect()
    }

    /// The facts by which the best tools for a message are weighed; `training/serves.py` learns from them.
    pub fn evidence(&self, text: &str) -> Vec<serde_json::Value> {
        let Some(judged) = self.judged(text, &[], None) else { return Vec::new() };
        let told = |candidate: &Candidate| {
            let (evidence, [asked, also, none, none_also]) =
                (&candidate.evidence, judged.told(candidate.tool));
            serde_json::json!({
                "id": self.tools().get(candidate.tool).map(|tool| &tool.id), "score": candidate.score, "alike": evidence.alike,
                "covered": evidence.covered, "named": evidence.named.is_some(), "asked": asked, "also": also, "none": none, "none_also": none_also,
            })
        };
        self.shortlist(text, &judged, None).iter().map(told).collect()
    }

    /// How like a message that each tool does not serve this one is.
    fn against(&self, query: &[f32]) -> Vec<f32> {
        if self.against_of.is_empty() {
            return Vec::new();
        }
        let mut worst = vec![0.0_f32; self.pool.tools().len()];
        for (tool, alike) in self.against_of.iter().zip(self.against.similarities(query)) {
            if let Some(worst) = worst.get_mut(*tool) {
                *worst = worst.max(alike);
            }
        }
        worst
    }
}

/// The pieces of a tool, one text after the other.
fn pieces(encoder: &BuiltIn, texts: &Texts) -> Packed {
    let Texts { name, description, parameters, about_parameters, .. } = texts;
    let whole = format!("{name}: {description} {parameters} {about_parameters}");
    Late::packed(&encoder.pieces(&whole, PIECES_MAX))
}

/// What a tool means: its texts, each by its share.
fn meaning(encoder: &BuiltIn, texts: &Texts) -> Vec<f32> {
    let Texts { name, description, parameters, about_parameters, examples } = texts;
    let mut sum = vec![0.0; BuiltIn::DIMENSIONS];
    for (text, share) in [name, description, parameters, about_parameters, examples].into_iter().zip(SHARES) {
        if !text.trim().is_empty() {
            add(&mut sum, &encoder.vector(text), share);
        }
    }
    bring_to_length_one(&mut sum);
    sum
}
