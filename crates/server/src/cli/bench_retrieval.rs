//! `waypost bench retrieval`: how does the cost of a search grow with what is searched?

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use serde_json::json;
use waypost::core::catalog::tools::Tool;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::knowledge::{BuiltInRows, Collection, Wanted, update, walk};
use waypost::ports::elapsed_us;
use waypost::retrieve::growth::Scans;
use waypost::retrieve::sources::{self, Indexed, Metadata};
use waypost::retrieve::tools::{Asked, Toolbox};

use super::bench::memory;
use super::definitions::{BenchRetrievalFlags, Searched};
use super::output::Output;
use super::{Ending, progress};
use crate::report::{Cost, growth, growth_svg};

/// Words of a row that make a question: as long as people ask.
const QUESTION_WORDS: usize = 12;
/// Most tools that are measured: nobody has more.
const TOOLS_MAX: usize = 100_000;
/// Passages in one file of the index: as many as a long manual has.
const PASSAGES_A_FILE: usize = 1_000;
/// What is asked for: tools as `waypost tools` does, passages as the figures of recall.
const TOOLS_WANTED: usize = 5;
const PASSAGES_WANTED: usize = 10;

/// A row of text.
#[derive(Debug, Deserialize)]
struct Row {
    #[serde(default)]
    title: String,
    text: String,
}

/// Runs the command.
pub fn run(asked: &BenchRetrievalFlags, output: &mut Output) -> anyhow::Result<Ending> {
    // Before the long work, so that a wrong path is told at once.
    let drawn = asked.svg.as_deref().map(|file| {
        File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(file)
            .map(drop)
            .with_context(|| format!("cannot write {}", file.display()))
    });
    drawn.transpose()?;
    let texts = Texts::of(&asked.texts, asked.questions as usize)?;
    let sizes = texts.sizes(&asked.sizes);
    let folder = Folder::new()?;
    let mut costs = Vec::new();
    for what in [Searched::Vectors, Searched::Tools, Searched::Passages] {
        if asked.what.contains(&what) {
            let waiting = progress::waiting(&format!("measuring {}", name(what)));
            match what {
                Searched::Vectors => {
                    costs.extend(vectors(&texts, &sizes, asked.oversample, &folder.0.join("vectors"))?)
                }
                Searched::Tools => {
                    for size in sizes.iter().filter(|size| **size <= TOOLS_MAX) {
                        costs.push(tools(&texts, *size)?);
                    }
                }
                Searched::Passages => {
                    for size in &sizes {
                        costs.push(passages(&texts, *size, &folder.0)?);
                    }
                }
            }
            waiting.finish_and_clear();
        }
    }
    if let Some(file) = &asked.svg {
        fs::write(file, growth_svg(&costs)).with_context(|| format!("cannot write {}", file.display()))?;
        output.remark(&format!("wrote {}", file.display()));
    }
    if asked.json {
        output.json(&json!({ "version": CONTRACT_VERSION, "rows": texts.count, "costs": costs }))?;
    } else {
        output.text(&growth(&costs))?;
    }
    Ok(Ending::Good)
}

fn name(what: Searched) -> &'static str {
    match what {
        Searched::Tools => "tools",
        Searched::Vectors => "vectors",
        Searched::Passages => "passages",
    }
}

/// The rows of a file, read again for each measurement, so that they take no memory meanwhile.
struct Texts {
    file: PathBuf,
    /// Rows that are searched.
    count: usize,
    /// One row in so many is a question.
    every: usize,
    questions: Vec<String>,
}

impl Texts {
    fn of(file: &Path, questions: usize) -> anyhow::Result<Texts> {
        let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
        let rows = BufReader::new(opened)
            .lines()
            .map_while(Result::ok)
            .filter(|line| !line.trim().is_empty())
            .count();
        let every = (rows / questions).max(2);
        let mut texts = Texts { file: file.to_owned(), count: 0, every, questions: Vec::new() };
        let mut taken = Vec::new();
        for (row, at) in texts.all()?.zip(0_usize..) {
            let row = row?;
            if at % every == 0 && taken.len() < questions {
                taken.push(row.text.split_whitespace().take(QUESTION_WORDS).collect::<Vec<_>>().join(" "));
            }
        }
        if rows < 2 * questions {
            bail!(
                "{} has {rows} rows, too few for {questions} questions; give more, or fewer --questions",
                file.display()
            );
        }
        texts.count = rows - rows.div_ceil(every);
        texts.questions = taken;
        Ok(texts)
    }

    /// All rows.
    fn all(&self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Row>>> {
        let opened =
            File::open(&self.file).with_context(|| format!("cannot read {}", self.file.display()))?;
        let place = self.file.display().to_string();
        let lines = BufReader::new(opened).lines().zip(1..);
        let lines = lines.filter(|(line, _)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
        Ok(lines.map(move |(line, number)| {
            let read = |line: String| Ok(serde_json::from_str(&line)?);
            line.map_err(anyhow::Error::from)
                .and_then(read)
                .with_context(|| format!("{place}, line {number}"))
        }))
    }

    /// The first so many rows that are no questions.
    fn searched(&self, most: usize) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Row>>> {
        let every = self.every;
        Ok(self.all()?.enumerate().filter(move |(at, _)| at % every != 0).map(|(_, row)| row).take(most))
    }

    /// The sizes there are enough rows for, in order, and all rows in place of those there are not.
    fn sizes(&self, asked: &[u32]) -> Vec<usize> {
        let mut sizes: Vec<usize> = asked.iter().map(|size| (*size as usize).min(self.count)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

/// A folder of our own, which goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> anyhow::Result<Folder> {
        let path = std::env::temp_dir().join(format!("waypost-bench-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The scan of vectors, of every size in one pass over the rows.
fn vectors(texts: &Texts, sizes: &[usize], oversample: u16, file: &Path) -> anyhow::Result<Vec<Cost>> {
    let mut scans = Scans::new(&texts.questions, sizes, usize::from(oversample))?;
    let (mut costs, mut begun) = (Vec::new(), Instant::now());
    let mut reading_s = 0.0;
    for row in texts.searched(texts.count)? {
        let Row { title, text } = row?;
        if scans.push(format!("{title}: {text}"))? {
            reading_s += begun.elapsed().as_secs_f64();
            let mut resident = Vec::new();
            let measured = scans.measure(file, &mut || resident.push(memory("VmRSS:")))?;
            if let ([first, last], Some(measured)) = (resident.as_slice(), measured) {
                let taken = last.zip(*first).map(|(last, first)| last - first);
                let cost = cost("vectors", measured.size, measured.times_us, reading_s, taken);
                costs.push(Cost { recall_at_10: Some(measured.recall_at_10), ..cost });
            }
            begun = Instant::now();
        }
        if costs.len() == sizes.len() {
            break;
        }
    }
    Ok(costs)
}

/// Tools, as `waypost tools` finds them.
fn tools(texts: &Texts, size: usize) -> anyhow::Result<Cost> {
    let tool = |(at, row): (usize, anyhow::Result<Row>)| {
        let Row { title, text } = row?;
        Tool::from_row(&json!({ "id": at.to_string(), "name": title, "description": text }))
            .map_err(|problem| anyhow!("row {at} is no tool: {problem}"))
    };
    let before = memory("VmRSS:");
    let begun = Instant::now();
    let tools: Vec<Tool> = texts.searched(size)?.enumerate().map(tool).collect::<anyhow::Result<_>>()?;
    let toolbox = Toolbox::new(tools, BuiltIn::shipped()?)?;
    let ready_s = begun.elapsed().as_secs_f64();
    let ask = |question: &String| {
        let begun = Instant::now();
        std::hint::black_box(toolbox.find(&Asked { text: question, most: TOOLS_WANTED, ..Asked::default() }));
        elapsed_us(begun)
    };
    // The first round reads what is searched into the caches of the processor.
    let _: Vec<f64> = texts.questions.iter().map(ask).collect();
    let times = texts.questions.iter().map(ask).collect();
    let taken = memory("VmRSS:").zip(before).map(|(now, before)| now - before);
    Ok(cost("tools", size, times, ready_s, taken))
}

/// An index, as `waypost index` makes it, and how it is asked.
fn passages(texts: &Texts, size: usize, folder: &Path) -> anyhow::Result<Cost> {
    let (docs, index) = (folder.join("docs"), folder.join("index"));
    for old in [&docs, &index] {
        let _ = fs::remove_dir_all(old);
    }
    fs::create_dir_all(&docs)?;
    write_documents(texts, size, &docs)?;
    let begun = Instant::now();
    let files = walk(&docs, &Wanted::by(&[], &[])?)?.files;
    let collections = [Collection { name: "texts".to_owned(), files }];
    let updated = update(&index, &collections, &BuiltInRows::shipped()?, &mut |_| ())?;
    let ready_s = begun.elapsed().as_secs_f64();
    let before = memory("VmRSS:");
    let indexed = Indexed::open(&index, BuiltIn::shipped()?, Metadata::new())?;
    let mut times = Vec::new();
    // The first round reads what is searched into memory.
    for round in 0..2 {
        for question in &texts.questions {
            let begun = Instant::now();
            let asked = sources::Asked { text: question, most: PASSAGES_WANTED, ..sources::Asked::default() };
            std::hint::black_box(indexed.find(&asked)?);
            if round > 0 {
                times.push(elapsed_us(begun));
            }
        }
    }
    let taken = memory("VmRSS:").zip(before).map(|(now, before)| now - before);
    let size = usize::try_from(updated.passages).unwrap_or(usize::MAX);
    Ok(cost("passages", size, times, ready_s, taken))
}

/// Rows as documents of many sections, each under a heading of its own so that none is joined with the next.
fn write_documents(texts: &Texts, size: usize, folder: &Path) -> anyhow::Result<()> {
    let mut file: Option<BufWriter<File>> = None;
    for (at, row) in texts.searched(size)?.enumerate() {
        let Row { title, text } = row?;
        if at % PASSAGES_A_FILE == 0 {
            let path = folder.join(format!("{}.md", at / PASSAGES_A_FILE));
            if let Some(mut full) = file.replace(BufWriter::new(File::create(path)?)) {
                full.flush()?;
            }
        }
        if let Some(file) = &mut file {
            writeln!(file, "# {at}\n\n## {}\n\n{}\n", escaped(&title), escaped(&text))?;
        }
    }
    file.map_or(Ok(()), |mut last| Ok(last.flush()?))
}

/// Text that Markdown shows as it is: an open bracket or fence would take in all that follows.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn cost(what: &'static str, size: usize, mut times: Vec<f64>, ready_s: f64, memory_mib: Option<f64>) -> Cost {
    times.sort_by(f64::total_cmp);
    let percentile = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    #[allow(clippy::cast_precision_loss)] // so many there are not
    let ready_per_second = size as f64 / ready_s.max(f64::MIN_POSITIVE);
    let (p50_us, p90_us, p99_us) = (percentile(50), percentile(90), percentile(99));
    let questions = times.len();
    Cost { what, size, questions, p50_us, p90_us, p99_us, ready_per_second, memory_mib, recall_at_10: None }
}
