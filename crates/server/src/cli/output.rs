//! Where do results and complaints go? Results to standard output, everything else to standard error.

use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};

use serde::Serialize;
use serde_json::json;
use waypost::Router;
use waypost::core::trace::{CONTRACT_VERSION, CatalogRef};

use super::definitions::When;
use crate::report::{Paint, tame_lines};

/// The two ways out, and whether they are painted.
pub struct Output {
    out: BufWriter<Stdout>,
    err: Stderr,
    paint: Paint,
    paint_complaints: Paint,
}

impl Output {
    /// Output of this process.
    pub fn new(color: When) -> Output {
        let (out, err) = (io::stdout(), io::stderr());
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let painted = |terminal: bool| match color {
            When::Always => Paint::On,
            When::Auto if terminal && !no_color => Paint::On,
            When::Auto | When::Never => Paint::Off,
        };
        let (paint, paint_complaints) = (painted(out.is_terminal()), painted(err.is_terminal()));
        Output { out: BufWriter::new(out), err, paint, paint_complaints }
    }

    /// How results are painted.
    pub fn paint(&self) -> Paint {
        self.paint
    }

    /// Prints text as it is.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Prints one value as JSON a person can read.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.out, value)?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }

    /// Prints one value as one line of JSON; the caller flushes at the end.
    pub fn row(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }

    /// Sends on what is still held back.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Says what went wrong. If even that cannot be said, there is nobody left to tell.
    pub fn complain(&mut self, error: &anyhow::Error) {
        let label = self.paint_complaints.bad("error:");
        let _ = writeln!(self.err, "{label} {}", tame_lines(&format!("{error:#}")));
    }

    /// Says that one message cannot be answered, in the way that was asked for.
    pub fn refuse(&mut self, error: &waypost::Error, router: &Router, json: bool) -> anyhow::Result<()> {
        if !json {
            self.complain(&anyhow::anyhow!(error.to_string()));
            return Ok(());
        }
        let catalog =
            CatalogRef { name: router.catalog().name().to_owned(), hash: router.catalog().hash().to_owned() };
        let error = json!({ "code": error.code(), "message": error.to_string() });
        Ok(self.json(&json!({ "version": CONTRACT_VERSION, "catalog": catalog, "error": error }))?)
    }

    /// Says several things beside the result.
    pub fn remarks(&mut self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        for text in texts {
            self.remark(text.as_ref());
        }
    }

    /// Says something beside the result.
    pub fn remark(&mut self, text: &str) {
        let _ = writeln!(self.err, "{}", tame_lines(text));
    }
}

/// Whether an error is that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}
