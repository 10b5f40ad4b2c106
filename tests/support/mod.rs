//! How do tests run the real binary?
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod chat_server;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What one run of the binary left behind.
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs `waypost` with arguments in an empty environment of its own.
pub fn waypost(args: &[&str]) -> Run {
    waypost_in(Path::new(env!("CARGO_TARGET_TMPDIR")), args, b"", &[])
}

/// Runs `waypost` in a folder, with standard input and further variables.
pub fn waypost_in(folder: &Path, args: &[&str], input: &[u8], variables: &[(&str, &str)]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_waypost"))
        .args(args)
        .current_dir(folder)
        .env_remove("WAYPOST_CATALOG")
        .env_remove("NO_COLOR")
        .env_remove("WAYPOST_HOME")
        .env_remove("WAYPOST_ENV")
        // No answer depends on how full the disk of whoever runs the tests is.
        .env("WAYPOST_RESOURCES", r#"{"memory": 0.2, "disk": 0.2}"#)
        .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .env("XDG_DATA_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/data"))
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs and reads the JSON that was printed.
pub fn json(args: &[&str]) -> serde_json::Value {
    let run = waypost(args);
    assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}
