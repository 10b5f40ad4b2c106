//! Does the real binary keep an index of documents, whatever they are and whatever happens to it?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::{TempDir, tempdir};
use waypost::knowledge::Knowledge;

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Runs `waypost index … --out index` in a folder.
fn index(folder: &Path, args: &[&str]) -> Run {
    waypost_in(folder, &[&["index", "--out", "index"], args].concat(), b"", &[])
}

fn answer(folder: &Path, args: &[&str]) -> Value {
    let run = index(folder, &[args, &["--json"]].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn counts(answer: &Value) -> Value {
    json!([answer["files_read"], answer["files_unchanged"], answer["files_removed"], answer["passages"]])
}

/// Where the passages are from that have one of these words.
fn cited(folder: &Path, words: &str) -> Vec<String> {
    let args = ["sources", "--index", "index", "--json", "-k", "10", words];
    let run = waypost_in(folder, &args, b"", &[]);
    assert_eq!(run.code, 0, "{words}: {}", run.err);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let has = |passage: &&Value| {
        let text = passage["text"].as_str().unwrap().to_lowercase();
        words.split(' ').any(|word| text.contains(word))
    };
    let cited = |passage: &Value| {
        let part = |of: &Value| of.as_str().unwrap().to_owned();
        format!("{}/{}", part(&passage["collection"]), part(&passage["citation"]["source"]))
    };
    answer["passages"].as_array().unwrap().iter().filter(has).map(cited).collect()
}

/// A folder with documents of several kinds.
fn documents() -> TempDir {
    let here = tempdir().unwrap();
    write(here.path(), "docs/guide.md", "# Guide\n\n## Install\n\nRun make to compile the kettle.\n");
    write(here.path(), "docs/api/notes.rst", "Notes\n=====\n\nThe teapot is short and stout.\n");
    write(here.path(), "docs/page.html", "<h1>Cups</h1>\n<p>Porcelain breaks.</p>\n<script>spoon()</script>");
    write(here.path(), "docs/src/brew.py", "def brew(leaves):\n    return infusion(leaves)\n");
    write(here.path(), "docs/.git/config", "hidden samovar");
    write(here.path(), "docs/node_modules/x.md", "hidden samovar");
    here
}

#[test]
fn documents_are_found_where_they_say_it() {
    let here = documents();
    let first = answer(here.path(), &["docs"]);
    assert_eq!(counts(&first), json!([4, 0, 0, 4]));
    assert_eq!((&first["version"], &first["collections"]), (&json!(1), &json!(["docs"])));
    assert_eq!((&first["generation"], &first["changed"]), (&json!(1), &json!(true)));
    assert!(first["passages_per_second"].as_f64().unwrap() > 0.0, "{first}");
    assert_eq!(cited(here.path(), "kettle compile"), ["docs/guide.md:5"]);
    assert_eq!(cited(here.path(), "teapot"), ["docs/api/notes.rst:4"]);
    assert_eq!(cited(here.path(), "porcelain"), ["docs/page.html:2"]);
    assert_eq!(cited(here.path(), "brew"), ["docs/src/brew.py:1-2"]);
    assert_eq!(cited(here.path(), "samovar spoon"), [""; 0]);
}

#[test]
fn an_index_follows_what_changes() {
    let here = documents();
    answer(here.path(), &["docs"]);
    let same = answer(here.path(), &["docs"]);
    assert_eq!(
        (counts(&same), &same["changed"], &same["generation"]),
        (json!([0, 4, 0, 4]), &json!(false), &json!(1))
    );
    write(here.path(), "docs/guide.md", "# Guide\n\nBuy a samovar.\n");
    fs::remove_file(here.path().join("docs/page.html")).unwrap();
    let run = index(here.path(), &["docs"]);
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("files     1 read, 2 unchanged, 1 removed, 0 skipped\n"), "{}", run.out);
    assert!(run.out.contains("passages  1 read, 3 in the index\n"), "{}", run.out);
    assert!(run.out.ends_with("index     index, generation 2\n"), "{}", run.out);
    assert_eq!(run.err, "", "no bar where nobody sees it");
    assert_eq!(cited(here.path(), "kettle porcelain"), [""; 0]);
    assert_eq!(cited(here.path(), "samovar"), ["docs/guide.md:3"]);
}

#[test]
fn collections_have_names() {
    let here = documents();
    write(here.path(), "more/guide.md", "Another guide about kettles.\n");
    answer(here.path(), &["manual=docs", "more"]);
    let found = BTreeSet::from_iter(cited(here.path(), "kettle"));
    assert_eq!(found, BTreeSet::from(["manual/guide.md:5".to_owned(), "more/guide.md:1".to_owned()]));
    let both = answer(here.path(), &["docs", "more", "--collection", "all"]);
    assert_eq!((counts(&both), &both["collections"]), (json!([5, 0, 0, 10]), &json!(["all"])), "others stay");
    let found = cited(here.path(), "kettle");
    assert!(found.contains(&"all/more/guide.md:1".to_owned()), "{found:?}");
    let one = answer(here.path(), &["file=docs/guide.md", "--include", "*.rst"]);
    assert_eq!(one["files_read"], 1, "what is named itself is meant");
}

#[test]
fn patterns_choose_files() {
    let here = documents();
    assert_eq!(
        counts(&answer(here.path(), &["docs", "--include", "*.md", "--include", "src/**"])),
        json!([2, 0, 0, 2])
    );
    assert_eq!(counts(&answer(here.path(), &["docs", "--exclude", "src"])), json!([2, 1, 1, 3]));
    let bad = index(here.path(), &["docs", "--include", "a[b"]);
    assert_eq!((bad.code, bad.out.as_str()), (2, ""));
}

#[test]
fn the_index_does_not_read_itself() {
    let here = documents();
    let inside = |args: &[&str]| {
        let run = waypost_in(&here.path().join("docs"), &[&["index", "."], args].concat(), b"", &[]);
        serde_json::from_str::<Value>(&run.out).unwrap()
    };
    assert_eq!(counts(&inside(&["--out", "index", "--json"])), json!([4, 0, 0, 4]));
    assert_eq!(counts(&inside(&["--out", "index", "--json"])), json!([0, 4, 0, 4]));
}

#[test]
fn what_is_skipped_is_told_and_only_broken_files_count() {
    let here = documents();
    write(here.path(), "docs/image.dat", b"PNG\0\0");
    write(here.path(), "docs/old.txt", b"caf\xe9");
    fs::File::create(here.path().join("docs/big.log")).unwrap().set_len(1 << 26).unwrap();
    let good = answer(here.path(), &["docs"]);
    assert_eq!(good["skipped_by_reason"], json!({"binary": 1, "huge": 1, "not_utf8": 1}));
    assert_eq!(good["skipped"][0]["file"], "big.log");
    write(here.path(), "docs/broken.pdf", b"%PDF-1.7 and nothing else");
    let run = index(here.path(), &["docs"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("4 skipped (1 broken, 1 huge, 1 binary, 1 not UTF-8)"), "{}", run.out);
    assert!(run.err.contains("skipped docs/broken.pdf: it is damaged: "), "{}", run.err);
    assert!(run.out.contains("nothing changed; generation 1"), "{}", run.out);
}

#[test]
fn what_is_asked_wrongly_is_refused() {
    let here = documents();
    let check = |args: &[&str], told: &str| {
        let run = waypost_in(here.path(), &[&["index"], args].concat(), b"", &[]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(told), "{args:?}: {}", run.err);
    };
    check(&["docs"], "--out");
    check(&["--out", "index"], "give a PATH, or a catalog of your own");
    check(&["nowhere", "--out", "index"], "cannot read nowhere");
    check(&["=docs", "--out", "index"], "names no collection");
    check(&["docs", "--out", "docs"], "is not empty and holds no index");
    assert!(!here.path().join("index").exists());
}

/// How many files the documents have that are indexed while the process is killed.
const FILES: usize = 60;

/// Writes the documents of one version: every passage names it.
fn write_version(folder: &Path, version: usize) {
    for file in 0..FILES {
        let text = format!("Kettle version{version} of file{file} boils. ").repeat(200);
        write(folder, &format!("docs/{file}.txt"), text);
    }
}

/// The versions that an index has passages of; all files must be there.
fn versions(folder: &Path) -> BTreeSet<String> {
    let knowledge = Knowledge::open(&folder.join("index")).unwrap();
    assert_eq!(knowledge.files().len(), FILES);
    let passages = (0..).map_while(|row| knowledge.passage(row).unwrap());
    passages
        .flat_map(|found| {
            let words: Vec<String> = found.passage.text.split_whitespace().map(str::to_owned).collect();
            words.into_iter().filter(|word| word.starts_with("version"))
        })
        .collect()
}

#[test]
fn a_killed_process_leaves_the_old_state_or_the_new() {
    let here = tempdir().unwrap();
    let root = here.path();
    write_version(root, 0);
    answer(root, &["docs"]);
    let entries = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    // So many looks after it began; how far it is by then is the machine's affair.
    let looks = Cell::new(0);
    let looked = |next: &Path, times: usize| {
        looks.set(if next.exists() { looks.get() + 1 } else { 0 });
        looks.get() > times
    };
    let moments: &[&dyn Fn(&Path) -> bool] = &[
        &|next| next.exists(),
        &|next| looked(next, 30),
        &|next| looked(next, 100),
        &|next| looked(next, 300),
        &|next| looked(next, 1000),
        &|next| next.join("text").exists(),
        &|next| next.join("text/meta.json").exists(),
        &|next| entries(&next.join("text")) > 16,
        &|next| next.join("files.part").exists(),
        &|next| next.join("files.json").exists(),
        &|next| next.with_file_name("current.part").exists(),
        &|next| {
            fs::read_to_string(next.with_file_name("current")).is_ok_and(|now| next.ends_with(now.trim()))
        },
    ];
    let mut killed = 0;
    for (round, moment) in moments.iter().enumerate() {
        let before = Knowledge::open(&root.join("index")).unwrap().generation();
        let next = root.join(format!("index/gen-{}", before + 1));
        write_version(root, round + 1);
        let mut child = Command::new(env!("CARGO_BIN_EXE_waypost"))
            .args(["index", "docs", "--out", "index"])
            .current_dir(root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while child.try_wait().unwrap().is_none() && !moment(&next) {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().code().is_none());
        let (old, new) = (format!("version{round}"), format!("version{}", round + 1));
        let found = versions(root);
        assert!(
            found == BTreeSet::from([old]) || found == BTreeSet::from([new.clone()]),
            "{round}: {found:?}"
        );
        answer(root, &["docs"]);
        assert_eq!(versions(root), BTreeSet::from([new]), "the next run goes on");
        let generations = fs::read_dir(root.join("index")).unwrap().flatten();
        let left =
            generations.filter(|entry| entry.file_name().to_string_lossy().starts_with("gen-")).count();
        assert_eq!(left, 1, "nothing is left behind");
    }
    assert!(killed >= 3, "only {killed} were killed before they were done");
}
