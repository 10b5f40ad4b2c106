//! Does the index follow its documents, whoever reads and writes?

use std::fs;
use std::path::PathBuf;

use tempfile::{TempDir, tempdir};

use super::generations::Generations;
use super::*;
use crate::documents::{Wanted, walk};

/// A folder of documents and one of their index.
struct Case {
    here: TempDir,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Case {
        let case = Case { here: tempdir().unwrap() };
        for (name, text) in files {
            case.write(name, text);
        }
        case
    }

    fn docs(&self) -> PathBuf {
        self.here.path().join("docs")
    }

    fn index(&self) -> PathBuf {
        self.here.path().join("index")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.docs().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn try_update(&self, collection: &str) -> Result<Updated, KnowledgeError> {
        let files = walk(&self.docs(), &Wanted::default()).unwrap().files;
        update(&self.index(), &[Collection { name: collection.to_owned(), files }], &rows(), &mut |_| {})
    }

    fn update(&self) -> Updated {
        self.try_update("docs").unwrap()
    }

    /// Opens the index and holds its rows against its passages.
    fn open(&self) -> Knowledge {
        let knowledge = Knowledge::open(&self.index()).unwrap();
        let rows = rows();
        for row in 0..u32::try_from(knowledge.numbers().len()).unwrap() {
            let text = knowledge.passage(row).unwrap().unwrap().passage.in_context();
            let own = knowledge.vectors.nearest_among(&rows.row(&text), &[row], 1);
            assert!(own[0].similarity > 0.99, "row {row} is that of its passage: {own:?}");
        }
        knowledge
    }

    fn generations(&self) -> Vec<String> {
        let entries = fs::read_dir(self.index())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut found: Vec<String> = entries.filter(|name| name.starts_with("gen-")).collect();
        found.sort();
        found
    }
}

fn rows() -> BuiltInRows {
    BuiltInRows::shipped().unwrap()
}

/// The passages that have words of a text, the best first, with their numbers: of all rows, or of some.
fn found_in(
    knowledge: &Knowledge,
    text: &str,
    within: Option<&[std::ops::Range<u32>]>,
) -> Vec<(String, u64)> {
    let sought = Sought { texts: &[(text, 1.0)], vector: &[0.0; 256], within };
    let mut hits = knowledge.candidates(&sought, 20).unwrap();
    hits.retain(|hit| hit.words > 0.0);
    hits.sort_by(|a, b| b.words.total_cmp(&a.words));
    let told = |hit: Hinted| {
        let cited = knowledge.passage(hit.row).unwrap().unwrap().citation();
        (cited, knowledge.numbers()[hit.row as usize])
    };
    hits.into_iter().map(told).collect()
}

fn found(knowledge: &Knowledge, text: &str) -> Vec<(String, u64)> {
    found_in(knowledge, text, None)
}

fn counts(updated: &Updated) -> (bool, usize, usize, usize, u64) {
    let Updated { changed, files_read, files_unchanged, files_removed, passages, .. } = updated;
    (*changed, *files_read, *files_unchanged, *files_removed, *passages)
}

#[test]
fn what_changed_is_read_again_and_nothing_else() {
    let case = Case::new(&[
        ("a.md", "# Fish\n\nTrout live in rivers.\n"),
        ("b.md", "# Birds\n\nOwls hunt at night.\n"),
        ("c/d.txt", "Plain words about gardens.\n"),
    ]);
    let first = case.update();
    assert_eq!((counts(&first), first.generation), ((true, 3, 0, 0, 3), Some(1)));
    assert_eq!(found(&case.open(), "owl hunting"), [("b.md:3".to_owned(), 1)]);

    let same = case.update();
    assert_eq!((counts(&same), same.generation), ((false, 0, 3, 0, 3), Some(1)));

    case.write("b.md", "# Birds\n\nCranes fly far.\n\n# More\n\nStorks too, and they fly with care.\n");
    fs::remove_file(case.docs().join("a.md")).unwrap();
    case.write("empty.md", "");
    let third = case.update();
    assert_eq!((counts(&third), third.generation), ((true, 2, 1, 1, 2), Some(2)));
    let knowledge = case.open();
    assert_eq!(found(&knowledge, "owls trout rivers"), []);
    assert_eq!(found(&knowledge, "gardens"), [("c/d.txt:1".to_owned(), 2)], "its number stays");
    assert_eq!(found(&knowledge, "cranes"), [("b.md:1-7".to_owned(), 3)]);
    assert_eq!(knowledge.numbers(), [2, 3]);
    assert_eq!(knowledge.files().len(), 3);
    assert_eq!(case.generations(), ["gen-2"]);
}

#[test]
fn collections_that_are_not_named_stay() {
    let case = Case::new(&[("a.md", "One text about trout.\n")]);
    case.update();
    let other = case.try_update("other").unwrap();
    assert_eq!(counts(&other), (true, 1, 0, 0, 2));
    let knowledge = case.open();
    assert_eq!(knowledge.collections().into_iter().collect::<Vec<_>>(), [("docs", 1), ("other", 1)]);
    assert_eq!(
        found_in(&knowledge, "trout", Some(std::slice::from_ref(&(1..2)))),
        [("a.md:1".to_owned(), 1)]
    );
    assert_eq!(found_in(&knowledge, "trout", Some(&[])), []);
    assert_eq!(found(&knowledge, ""), []);
    assert_eq!(knowledge.passage(99).unwrap(), None);
}

#[test]
fn a_generation_stays_as_long_as_somebody_reads_it() {
    let case = Case::new(&[("a.md", "Trout.\n")]);
    case.update();
    let old = case.open();
    case.write("a.md", "Owls.\n");
    case.update();
    assert_eq!(case.generations(), ["gen-1", "gen-2"]);
    assert_eq!(found(&old, "trout").len(), 1);
    assert!(old.is_outdated().unwrap());
    drop(old);
    case.write("a.md", "Cranes.\n");
    case.update();
    assert_eq!(case.generations(), ["gen-3"]);
    assert!(!case.open().is_outdated().unwrap());
}

#[test]
fn many_updates_leave_few_segments() {
    let case = Case::new(&[]);
    fs::create_dir_all(case.docs()).unwrap();
    for number in 0..12 {
        case.write(&format!("{number}.md"), &format!("Text number{number} about trout.\n"));
        case.update();
    }
    let knowledge = case.open();
    assert_eq!(found(&knowledge, "trout").len(), 12);
    assert_eq!(found(&knowledge, "number7").len(), 1);
    let files = fs::read_dir(knowledge.folder().join("text")).unwrap().count();
    assert!(files < 80, "{files} files of segments");
}

#[test]
fn trouble_is_told_by_its_kind() {
    let case = Case::new(&[("a.md", "Trout.\n")]);
    let code = |result: Result<Updated, KnowledgeError>| result.unwrap_err().code();
    assert_eq!(Knowledge::open(&case.index()).err().unwrap().code(), "no_index");
    fs::create_dir(case.index()).unwrap();
    fs::write(case.index().join("letter.txt"), "Dear …").unwrap();
    assert_eq!(code(case.try_update("docs")), "not_an_index");
    fs::remove_file(case.index().join("letter.txt")).unwrap();

    let lock = Generations::at(&case.index()).lock().unwrap();
    assert_eq!(code(case.try_update("docs")), "index_locked");
    drop(lock);
    case.update();

    let files = walk(&case.docs(), &Wanted::default()).unwrap().files;
    let twice = Collection { name: "docs".to_owned(), files: [files.clone(), files].concat() };
    assert_eq!(code(update(&case.index(), &[twice], &rows(), &mut |_| {})), "same_name");

    let list = case.index().join("gen-1/files.json");
    let good = fs::read_to_string(&list).unwrap();
    fs::write(&list, good.replace("\"version\":1", "\"version\":2")).unwrap();
    assert_eq!(Knowledge::open(&case.index()).err().unwrap().code(), "index_newer");
    fs::write(&list, good.replace("\"passages\":1", "\"passages\":7")).unwrap();
    assert_eq!(Knowledge::open(&case.index()).err().unwrap().code(), "index_corrupt");
    fs::write(&list, good.replace(rows().id(), "others")).unwrap();
    assert_eq!(counts(&case.update()), (true, 1, 0, 0, 1), "other rows: all is read again");
    fs::write(case.index().join("current"), "gen-x").unwrap();
    assert_eq!(code(case.try_update("docs")), "index_corrupt");
}

#[test]
fn what_can_no_longer_be_read_leaves() {
    let case = Case::new(&[("a.md", "Trout.\n"), ("b.bin", "Owls.\n")]);
    case.update();
    case.write("b.bin", "O\0ls");
    let updated = case.update();
    assert_eq!(counts(&updated), (true, 0, 1, 1, 1));
    assert_eq!(updated.skipped[0].skipped.file, "b.bin");
    assert_eq!(counts(&case.update()), (false, 0, 1, 0, 1), "it is looked at again, and changes nothing");
}
