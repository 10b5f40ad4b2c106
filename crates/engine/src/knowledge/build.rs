//! How is a generation made? From the segments of the one before it, without what went, with what is new.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter};

use super::error::KnowledgeError;
use super::fields::Fields;
use super::generations::{Generations, Held, WriteLock};
use super::manifest::{IndexedFile, Manifest};
use super::plan::Plan;
use super::rows::{KeptRows, RowWriter, Rows};
use crate::documents::Passage;

/// The folder of the text index in a generation.
pub(super) const TEXT: &str = "text";
/// How much is held in memory before a segment is written, in bytes. Larger ones make fewer segments and save merging.
const MEMORY_BYTES: usize = 96 << 20;
/// Most segments of a generation. Each costs every search a little; merging them all costs as much as writing them.
const SEGMENTS_MAX: usize = 8;
/// Files of the text index that change in place, or belong to a process: they are copied, or made anew.
const NOT_LINKED: &[&str] = &["meta.json", ".managed.json"];
const NOT_TAKEN: &[&str] = &[".tantivy-writer.lock", ".tantivy-meta.lock"];

/// A generation in the making.
pub(super) struct Build {
    number: u64,
    folder: PathBuf,
    text: PathBuf,
    fields: Fields,
    writer: IndexWriter,
    rows: Box<dyn RowWriter>,
    manifest: Manifest,
}

/// The state an update starts from: a generation that is held, and its list.
pub(super) type Before<'b> = Option<(&'b Held, &'b Manifest)>;

impl Build {
    /// Begins the next generation with everything that stays.
    pub fn begin(
        generations: &Generations,
        lock: &WriteLock,
        current: Option<u64>,
        before: Before<'_>,
        plan: &Plan<'_>,
        rows: &dyn Rows,
    ) -> Result<Build, KnowledgeError> {
        let (number, folder) = generations.begin(lock, current)?;
        let text = folder.join(TEXT);
        fs::create_dir(&text).map_err(KnowledgeError::io(&text))?;
        let fields = Fields::new();
        let index = match before {
            Some((held, _)) => {
                let old = held.folder.join(TEXT);
                link(&old, &text).map_err(KnowledgeError::io(&old))?;
                Index::open_in_dir(&text)
            }
            None => Index::create_in_dir(&text, fields.schema.clone()),
        };
        let index = index.map_err(KnowledgeError::of(&folder))?;
        Fields::register(&index);
        // One thread, so that the same documents give the same segments; it keeps up with the encoding on many.
        let writer: IndexWriter =
            index.writer_with_num_threads(1, MEMORY_BYTES).map_err(KnowledgeError::of(&folder))?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        for file in plan.replaced.iter().chain(&plan.removed) {
            writer.delete_term(fields.key(&file.collection, &file.file));
        }
        let mut manifest = Manifest::new(rows.id());
        manifest.next = before.map_or(0, |(_, known)| known.next);
        manifest.files.clone_from(&plan.kept);
        let rows = begin_rows(rows, &folder, before, &manifest).map_err(KnowledgeError::io(&folder))?;
        Ok(Build { number, folder, text, fields, writer, rows, manifest })
    }

    /// Adds a file with its passages and their vectors.
    pub fn add(
        &mut self,
        mut file: IndexedFile,
        passages: &[Passage],
        vectors: &[Vec<f32>],
    ) -> Result<(), KnowledgeError> {
        file.first = self.manifest.next;
        file.passages = passages.len() as u64;
        for (number, (passage, vector)) in (file.first..).zip(passages.iter().zip(vectors)) {
            let document = self.fields.document(&file, number, passage);
            self.writer.add_document(document).map_err(KnowledgeError::of(&self.folder))?;
            self.rows.push(vector).map_err(KnowledgeError::io(&self.folder))?;
        }
        self.manifest.next += file.passages;
        self.manifest.files.push(file);
        Ok(())
    }

    /// Lets the generation count.
    pub fn finish(
        mut self,
        generations: &Generations,
        lock: &WriteLock,
    ) -> Result<(u64, Manifest), KnowledgeError> {
        let failed = KnowledgeError::of(&self.folder);
        self.writer.commit().map_err(&failed)?;
        let segments = self.writer.index().searchable_segment_ids().map_err(&failed)?;
        if segments.len() > SEGMENTS_MAX {
            self.writer.merge(&segments).wait().map_err(&failed)?;
        }
        self.writer.garbage_collect_files().wait().map_err(&failed)?;
        self.writer.wait_merging_threads().map_err(&failed)?;
        for name in NOT_TAKEN {
            // There is none where the text index needed none.
            let _ = fs::remove_file(self.text.join(name));
        }
        self.rows.finish().map_err(KnowledgeError::io(&self.folder))?;
        self.manifest.files.sort_by(|a, b| (&a.collection, &a.file).cmp(&(&b.collection, &b.file)));
        self.manifest.write(&self.folder)?;
        generations.publish(lock, self.number)?;
        Ok((self.number, self.manifest))
    }
}

fn begin_rows(
    rows: &dyn Rows,
    folder: &Path,
    before: Before<'_>,
    kept: &Manifest,
) -> io::Result<Box<dyn RowWriter>> {
    let Some((held, known)) = before else { return rows.begin(folder, None) };
    let staying = kept.numbers();
    let ranked = known.numbers().into_iter().enumerate();
    let ranks: Vec<usize> =
        ranked.filter(|(_, number)| staying.binary_search(number).is_ok()).map(|(rank, _)| rank).collect();
    rows.begin(folder, Some(&KeptRows { generation: &held.folder, rows: &ranks }))
}

/// Gives the files of a text index a second place. Segments are never written to again, so both may share them.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if NOT_TAKEN.iter().any(|not| name == *not) {
            continue;
        }
        let target = to.join(&name);
        let changes = NOT_LINKED.iter().any(|not| name == *not);
        // Some file systems have no links.
        if changes || fs::hard_link(&path, &target).is_err() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
