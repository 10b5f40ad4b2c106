//! What do documents say, and where? Files are read by their format and split into passages that can be cited.

mod blocks;
mod sentences;
mod split;
mod plain;
mod markdown;
mod restructured;
mod html;
mod pdf;
mod code;
mod walk;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use split::{OVERLAP_SENTENCES, OVERLAP_WORDS_MAX, WORDS_MAX, WORDS_TARGET};
pub use walk::{FILE_BYTES_MAX, Found, Reason, Skipped, Walked, Wanted, walk};

/// How documents are read and split. It goes up when the same file would give other passages than before, so that
/// indexes are built anew.
pub const READING_VERSION: u32 = 1;

/// A piece of a document that makes sense by itself, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// What it says.
    pub text: String,
    /// The headings it stands under, the outermost first.
    pub heading: Vec<String>,
    /// Its first and last line in the file, counted from 1. A PDF has pages in place of lines.
    pub lines: (usize, usize),
}

impl Passage {
    /// The passage with its headings before it: what it is about is often said only there.
    pub fn in_context(&self) -> String {
        let mut whole = self.heading.join(" / ");
        if !whole.is_empty() {
            whole.push('\n');
        }
        whole.push_str(&self.text);
        whole
    }
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// Markdown, as GitHub reads it.
    Markdown,
    /// reStructuredText.
    Restructured,
    /// Text without any marks.
    Plain,
    /// A web page.
    Html,
    /// A PDF with text in it.
    Pdf,
    /// Source code, or data that people write by hand.
    Code,
}

/// Which format the ends of file names stand for; everything else is plain text.
const EXTENSIONS: &[(Format, &[&str])] = &[
    (Format::Markdown, &["md", "markdown", "mdown", "mkd", "mdx"]),
    (Format::Restructured, &["rst", "rest"]),
    (Format::Html, &["html", "htm", "xhtml"]),
    (Format::Pdf, &["pdf"]),
    (
        Format::Code,
        &[
            "bash",
            "bat",
            "c",
            "cc",
            "clj",
            "cljs",
            "cmake",
            "conf",
            "cpp",
            "cs",
            "css",
            "cts",
            "cxx",
            "dart",
            "el",
            "elm",
            "erl",
            "ex",
            "exs",
            "f90",
            "fish",
            "fs",
            "go",
            "gradle",
            "graphql",
            "groovy",
            "h",
            "hcl",
            "hh",
            "hpp",
            "hrl",
            "hs",
            "ini",
            "java",
            "jl",
            "js",
            "json",
            "jsonl",
            "jsx",
            "kt",
            "kts",
            "less",
            "lisp",
            "lua",
            "m",
            "mjs",
            "ml",
            "mli",
            "mm",
            "mts",
            "nim",
            "nix",
            "pas",
            "php",
            "pl",
            "pm",
            "properties",
            "proto",
            "ps1",
            "py",
            "pyi",
            "r",
            "rb",
            "rs",
            "sass",
            "scala",
            "scm",
            "scss",
            "sh",
            "sol",
            "sql",
            "svelte",
            "swift",
            "tcl",
            "tf",
            "toml",
            "ts",
            "tsx",
            "v",
            "vb",
            "vhdl",
            "vim",
            "vue",
            "xml",
            "yaml",
            "yml",
            "zig",
            "zsh",
        ],
    ),
];

impl Format {
    /// What it is called.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "markdown",
            Format::Restructured => "restructured",
            Format::Plain => "plain",
            Format::Html => "html",
            Format::Pdf => "pdf",
            Format::Code => "code",
        }
    }

    /// The format of a file by its name.
    pub fn of(path: &Path) -> Format {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        let known = EXTENSIONS.iter().find(|(_, extensions)| extensions.contains(&extension.as_str()));
        known.map_or(Format::Plain, |(format, _)| *format)
    }

    /// Whether its files hold text, which people can read without a program for it.
    pub const fn is_text(self) -> bool {
        !matches!(self, Format::Pdf)
    }

    /// How a passage of a file is cited: `guide.md:10-24`, `paper.pdf, pages 3-4`.
    pub fn cite(self, file: &str, (first, last): (usize, usize)) -> String {
        match (self.is_text(), first == last) {
            (true, true) => format!("{file}:{first}"),
            (true, false) => format!("{file}:{first}-{last}"),
            (false, true) => format!("{file}, page {first}"),
            (false, false) => format!("{file}, pages {first}-{last}"),
        }
    }
}

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unread {
    /// It has bytes that no text has.
    #[error("it is binary: there is a NUL byte at {at}")]
    Binary {
        /// Where the first of them is.
        at: usize,
    },
    /// It is text in some other encoding.
    #[error("it is not UTF-8 from byte {at} on")]
    NotUtf8 {
        /// Where that shows first.
        at: usize,
    },
    /// It holds pictures of text at best.
    #[error("there is no text in it")]
    NoText,
    /// It is damaged.
    #[error("it is damaged: {cause}")]
    Damaged {
        /// What is wrong with it.
        cause: String,
    },
}

/// Reads a document and splits it, in the order of the document. The same bytes give the same passages.
pub fn read(format: Format, bytes: &[u8]) -> Result<Vec<Passage>, Unread> {
    if format == Format::Pdf {
        return pdf::read(bytes).map(split::split);
    }
    let text = text_of(bytes)?;
    let blocks = match format {
        Format::Markdown => markdown::read(text),
        Format::Restructured => restructured::read(text),
        Format::Html => html::read(text),
        Format::Code => code::read(text),
        Format::Plain | Format::Pdf => plain::read(text),
    };
    Ok(split::split(blocks))
}

/// The text of a file. NUL bytes come first: what has them is no text in any encoding we read.
fn text_of(bytes: &[u8]) -> Result<&str, Unread> {
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Unread::Binary { at });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Unread::NotUtf8 { at: error.valid_up_to() })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
