//! The `waypost` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    waypost_server::cli::run()
}
