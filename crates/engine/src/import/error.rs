//! Why do tools not come in, and what can be done about it?

use std::path::PathBuf;

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// There is no such program.
    #[error("there is no program `{command}`; is it installed, and on the PATH?")]
    NoProgram {
        /// The program.
        command: String,
    },
    /// The program cannot be started.
    #[error("cannot start `{command}`: {cause}")]
    NotStarted {
        /// The program.
        command: String,
        /// Why not.
        cause: std::io::Error,
    },
    /// The server ended before it had answered.
    #[error("{server} ended before it answered {method}{}{}", ended(.status), said(.stderr))]
    EndedEarly {
        /// The server.
        server: String,
        /// What it was asked.
        method: String,
        /// How it ended.
        status: String,
        /// The end of what it wrote to its standard error.
        stderr: String,
    },
    /// The server said something that is not JSON.
    #[error("{server} answers {method} with something that is not JSON: {said:?}{hint}")]
    NotJson {
        /// The server.
        server: String,
        /// What it was asked.
        method: String,
        /// The beginning of what it said.
        said: String,
        /// What may be the matter.
        hint: &'static str,
    },
    /// The server did not answer in time.
    #[error("{server} did not answer {method} within {seconds} s; --timeout waits longer{}", said(.stderr))]
    TimedOut {
        /// The server.
        server: String,
        /// What it was asked.
        method: String,
        /// How long it was waited for.
        seconds: u64,
        /// The end of what it wrote to its standard error.
        stderr: String,
    },
    /// The server cannot be asked over HTTP, or refuses.
    #[error("{server} {why}{hint}")]
    Http {
        /// The server.
        server: String,
        /// What happened.
        why: String,
        /// What may help.
        hint: &'static str,
    },
    /// The server answered with an error.
    #[error("{server} refuses {method}: {message} ({code})")]
    Refused {
        /// The server.
        server: String,
        /// What it was asked.
        method: String,
        /// Its words.
        message: String,
        /// Its code.
        code: i64,
    },
    /// The server's answer is not what the protocol says.
    #[error("{server} answers {method} as the protocol does not allow: {why}")]
    BadAnswer {
        /// The server.
        server: String,
        /// What it was asked.
        method: String,
        /// What is wrong with it.
        why: String,
    },
    /// An address or a header is none.
    #[error("{0}")]
    BadAddress(String),
    /// A document is not what it should be.
    #[error("{name} cannot be imported: {why}")]
    BadDocument {
        /// The document.
        name: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
    /// The file of tools that is there cannot be read as one.
    #[error("{}, line {line}: {why}; mend the line, or write elsewhere with --out", path.display())]
    BadToolsFile {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The file of tools cannot be read or written.
    #[error("cannot {doing} {}: {cause}", path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
}

impl ImportError {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            ImportError::NoProgram { .. } => "no_program",
            ImportError::NotStarted { .. } => "not_started",
            ImportError::EndedEarly { .. } => "ended_early",
            ImportError::NotJson { .. } => "not_json",
            ImportError::TimedOut { .. } => "timed_out",
            ImportError::Http { .. } => "http",
            ImportError::Refused { .. } => "refused",
            ImportError::BadAnswer { .. } => "bad_answer",
            ImportError::BadAddress(_) => "bad_address",
            ImportError::BadDocument { .. } => "bad_document",
            ImportError::BadToolsFile { .. } => "bad_tools_file",
            ImportError::File { .. } => "file",
        }
    }
}

fn ended(status: &str) -> String {
    if status.is_empty() { String::new() } else { format!(" ({status})") }
}

/// What a server said last, indented below the message.
fn said(stderr: &str) -> String {
    if stderr.is_empty() {
        return String::new();
    }
    let lines: String = stderr.lines().map(|line| format!("\n  {line}")).collect();
    format!("\nThe last it said:{lines}")
}
