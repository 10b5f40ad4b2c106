//! Which pieces are files? Paths, names with a known ending, and patterns of paths.

use std::sync::LazyLock;

use super::vocabulary::{List, list_of};

/// Endings of files that people speak of.
static EXTENSIONS: List = LazyLock::new(|| {
    list_of("rs py js jsx ts tsx mjs cjs vue svelte go java kt kts scala c h cc cpp hpp cs rb php swift m sh bash zsh
    ps1 bat sql html htm css scss sass less json jsonl yaml yml toml ini cfg conf env xml csv tsv parquet md mdx rst txt log
    pdf doc docx xls xlsx ppt pptx odt png jpg jpeg gif svg webp ico mp3 mp4 wav mov zip tar gz tgz bz2 xz 7z rar jar war
    lock proto graphql tf tfvars ipynb r jl lua pl ex exs erl hs clj dart gradle cmake mk patch diff pem crt cer key pub sqlite
    db bak tmp dockerfile wasm so dll exe dmg deb rpm apk ipa")
});

/// Files without an ending.
static FILES: List = LazyLock::new(|| {
    list_of("dockerfile makefile jenkinsfile procfile vagrantfile gemfile rakefile brewfile justfile codeowners
    .env .gitignore .dockerignore .npmrc .bashrc .zshrc .editorconfig .eslintrc .prettierrc readme changelog license")
});

/// Folders that paths begin with.
const FOLDERS: &[&str] = &[
    "src/",
    "docs/",
    "doc/",
    "tests/",
    "test/",
    "lib/",
    "app/",
    "crates/",
    ".github/",
    "scripts/",
    "config/",
    "packages/",
];

/// Whether a piece of text is a file: a path, or a name with a known ending.
pub(crate) fn is_file(text: &str) -> bool {
    judge(text, &text.to_lowercase()).is_some()
}

/// How sure it is that a piece, also given in lower case, is a file, and by which rule.
pub(super) fn judge(text: &str, lower: &str) -> Option<(i32, &'static str)> {
    if !lower.chars().all(is_path_char) {
        return None;
    }
    let last = lower.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_path = last.len() < lower.len();
    let (stem, ending) = last.rsplit_once('.').unwrap_or((last, ""));
    let known = EXTENSIONS.contains(ending);
    if lower.contains('*') {
        let fits = lower.len() > 2
            && (known || is_path || lower.ends_with('*'))
            && (is_path || !lower.starts_with("**"));
        return fits.then_some((88, "glob"));
    }
    if FILES.contains(last) && (is_path || is_file_alone(text)) {
        return Some((85, "file by its name"));
    }
    if known && is_path {
        return Some((95, "file with an ending"));
    }
    if known && stem.chars().any(char::is_alphabetic) {
        // "a.c" is as often something else.
        return (ending.len() > 1 || stem.len() > 2).then_some((88, "file with an ending"));
    }
    if is_rooted(lower) && stem.chars().any(char::is_alphanumeric) && !lower.contains("//") {
        return Some((85, "path"));
    }
    (is_path && FOLDERS.iter().any(|folder| lower.starts_with(folder)))
        .then_some((80, "path in a known folder"))
}

fn is_path_char(c: char) -> bool {
    c.is_alphanumeric() || "._-/\\*~:@+${},[]".contains(c)
}

/// Whether a file's name without an ending is written as one: `Dockerfile`, `README`, `.env`.
fn is_file_alone(text: &str) -> bool {
    let word = matches!(text, "License" | "Readme" | "Changelog");
    text.starts_with(|c: char| c.is_uppercase() || c == '.') && !word
}

/// Whether a path says where it begins.
fn is_rooted(lower: &str) -> bool {
    let root = ["/", "./", "../", "~/"].iter().any(|root| lower.starts_with(root));
    (root && lower.len() > 3) || lower.as_bytes().get(1..3) == Some(b":\\".as_slice())
}
