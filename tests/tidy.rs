//! Does the house keep its rules? Rooms in order, a purpose for every file, nothing too long.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the core, each using only those before it.
const ROOMS: &[&str] = &[
    "measure",
    "limits",
    "history",
    "resources",
    "message",
    "entities",
    "mentions",
    "head",
    "fewshot",
    "catalog",
    "context",
    "preflight",
    "threshold",
    "signals",
    "scores",
    "decision",
    "selection",
    "arguments",
    "gates",
    "conversation",
    "trace",
];

/// Longest function, in lines.
const FUNCTION_LINES_MAX: usize = 70;
/// Longest file, in lines.
const FILE_LINES_MAX: usize = 400;
/// Files longer than that, and how long they may be: tables and tables of tests. A ratchet: when one of
/// these grows shorter, its number goes down with it.
const LONG_FILES: &[(&str, usize)] = &[];

/// What the core must not touch: it decides, and the world is the engine's.
const OUTSIDE_THE_CORE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::thread",
    "std::time",
    "std::process",
    "tokio",
    "println!",
    "HashMap::iter",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    files.sort();
    files
}

fn all_rust_files() -> Vec<(PathBuf, String)> {
    ["crates", "tests", "examples", "benches"].iter().flat_map(|folder| rust_files(folder)).collect()
}

/// The text before its unit tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap()
}

#[test]
fn rooms_use_only_the_rooms_before_them() {
    for (path, text) in rust_files("crates/core/src") {
        let inside = path.strip_prefix("crates/core/src").unwrap().to_string_lossy().into_owned();
        let name = inside.split(['/', '.']).next().unwrap();
        let Some(rank) = ROOMS.iter().position(|room| *room == name) else {
            assert_eq!(name, "lib", "{} is no room; add it to the order", path.display());
            continue;
        };
        for later in &ROOMS[rank + 1..] {
            assert!(
                !without_tests(&text).contains(&format!("crate::{later}")),
                "{} uses {later}",
                path.display()
            );
        }
    }
}

#[test]
fn the_core_touches_nothing_outside() {
    for (path, text) in rust_files("crates/core/src") {
        for outside in OUTSIDE_THE_CORE {
            assert!(!without_tests(&text).contains(outside), "{} touches {outside}", path.display());
        }
    }
    let manifest = fs::read_to_string(root().join("crates/core/Cargo.toml")).unwrap();
    for heavy in ["tokio", "reqwest", "axum", "rmcp", "waypost.workspace"] {
        assert!(!manifest.contains(heavy), "the core depends on {heavy}");
    }
}

#[test]
fn every_file_opens_with_its_purpose() {
    for (path, text) in all_rust_files() {
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("//! ") && first.len() > 12,
            "{} does not say what it is for",
            path.display()
        );
    }
}

#[test]
fn files_are_named_by_what_they_hold() {
    for (path, _) in all_rust_files() {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let vague = ["utils", "util", "helpers", "common", "manager", "handler", "service", "misc"];
        assert!(!vague.contains(&stem.as_str()), "{} says nothing by its name", path.display());
    }
}

#[test]
fn files_stay_short() {
    for (path, text) in all_rust_files() {
        let lines = text.lines().count();
        let known = LONG_FILES.iter().find(|(long, _)| path == Path::new(long));
        match known {
            Some((_, most)) => {
                assert_eq!(lines, *most, "{}: set its number in LONG_FILES, downwards only", path.display())
            }
            None => assert!(lines <= FILE_LINES_MAX, "{} has {lines} lines", path.display()),
        }
    }
}

#[test]
fn functions_stay_short() {
    for (path, text) in all_rust_files() {
        for (name, lines) in functions(&text) {
            assert!(lines <= FUNCTION_LINES_MAX, "{} in {} has {lines} lines", name, path.display());
        }
    }
}

/// The functions of a formatted file and their lengths: from `fn` to the brace that closes at its indent.
fn functions(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut open: Vec<(String, usize, String)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let code = line.trim_start();
        let declared = code.split("fn ").nth(1).filter(|_| {
            ["fn ", "pub fn ", "pub(", "const fn ", "pub const fn ", "async fn "]
                .iter()
                .any(|start| code.starts_with(start))
        });
        if let Some(rest) = declared.filter(|_| !line.ends_with(';') && !line.ends_with('}')) {
            let name = rest.split(['(', '<']).next().unwrap_or_default().to_owned();
            open.push((name, number, indent));
        } else if code == "}" && open.last().is_some_and(|(_, _, at)| *at == indent) {
            let (name, start, _) = open.pop().unwrap();
            found.push((name, number - start + 1));
        }
    }
    found
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
    ];
    for (path, text) in all_rust_files() {
        for mark in marks {
            assert!(!text.contains(mark), "{} has a {mark}", path.display());
        }
    }
}

#[test]
fn documents_keep_their_length() {
    for (name, most) in [("README.md", 150), ("ARCHITECTURE.md", 300)] {
        let lines = fs::read_to_string(root().join(name)).unwrap().lines().count();
        assert!(lines <= most, "{name} has {lines} lines; the most is {most}");
    }
}

#[test]
fn the_library_shows_few_names() {
    let text = fs::read_to_string(root().join("crates/engine/src/lib.rs")).unwrap();
    let uses = text.lines().filter(|line| line.starts_with("pub use") || line.starts_with("pub mod"));
    let names: usize = uses.map(|line| line.matches(',').count() + 1).sum();
    assert!(names <= 20, "{names} names at the root of the library");
}
