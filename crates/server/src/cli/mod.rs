//! What can be asked on the command line? One file a command; this one maps names to functions and
//! outcomes to exit codes.

mod definitions;
mod output;
mod input;
mod progress;
mod rows;
mod batch;
mod route;
mod explain;
mod threshold;
mod tools;
mod sources;
mod suggest;
mod args;
mod chat;
mod outcome;
mod rerank;
mod llm;
mod eval_retrieval;
mod eval_args;
mod eval_calls;
mod eval_catalogs;
mod eval_conversations;
mod replay;
mod check;
mod schema;
mod init;
mod eval;
mod eval_context;
mod eval_outcomes;
mod fit;
mod bench;
mod history;
mod index;
mod bench_cache;
mod bench_args;
mod bench_retrieval;
mod import;
mod models;
mod documents;

use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::ErrorKind;

use definitions::{BenchFlags, Benched, Cli, Command, Evaluated, Models};
use output::Output;

pub use definitions::command;

/// How a command ended; the exit codes of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// All good: 0.
    Good,
    /// Some rows were bad, or a comparison failed: 1.
    SomeBad,
    /// The command line or the catalog is wrong: 2.
    Refused,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        match ending {
            Ending::Good => ExitCode::SUCCESS,
            Ending::SomeBad => ExitCode::from(1),
            Ending::Refused => ExitCode::from(2),
        }
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let parsed = command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are what was asked for; everything else is a mistake in the command line.
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let _ = error.print();
            return if asked { Ending::Good } else { Ending::Refused }.into();
        }
    };
    let mut output = Output::new(cli.color);
    match dispatch(cli, &mut output) {
        Ok(ending) => ending.into(),
        // Whoever read our output has seen enough: `waypost … | head` is no error.
        Err(error) if output::is_broken_pipe(&error) => Ending::Good.into(),
        Err(error) => {
            output.complain(&error);
            Ending::Refused.into()
        }
    }
}

fn dispatch(cli: Cli, output: &mut Output) -> anyhow::Result<Ending> {
    let catalog = cli.catalog.as_deref();
    match cli.command {
        Command::Route(asked) => route::run(catalog, &asked, output),
        Command::Explain(asked) => explain::run(catalog, &asked, output),
        Command::Threshold(asked) => threshold::run(catalog, &asked, output),
        Command::Tools(asked) => tools::run(catalog, &asked, output),
        Command::Sources(asked) => sources::run(catalog, &asked, output),
        Command::Args(asked) => args::run(catalog, &asked, output),
        Command::Eval { what: Evaluated::Tools(asked) } => eval_retrieval::tools(catalog, &asked, output),
        Command::Eval { what: Evaluated::Sources(asked) } => eval_retrieval::sources(catalog, &asked, output),
        Command::Eval { what: Evaluated::Args(asked) } => eval_args::run(catalog, &asked, output),
        Command::Chat(asked) => chat::run(catalog, &asked, output),
        Command::Outcome(asked) => outcome::run(catalog, &asked, output),
        Command::Replay(asked) => replay::run(catalog, &asked, output),
        Command::Eval { what: Evaluated::Routes(asked) } => eval::routes(catalog, &asked, output),
        Command::Eval { what: Evaluated::Catalogs(asked) } => eval_catalogs::run(&asked, output),
        Command::Eval { what: Evaluated::Calls(asked) } => eval_calls::run(&asked, output),
        Command::Eval { what: Evaluated::Conversations(asked) } => {
            eval_conversations::run(catalog, &asked, output)
        }
        Command::Eval { what: Evaluated::Context(asked) } => eval_context::run(catalog, &asked, output),
        Command::Eval { what: Evaluated::Outcomes(asked) } => eval_outcomes::run(&asked, output),
        Command::History { what } => history::run(what, output),
        Command::Import { what } => import::run(&what, output),
        Command::Index(asked) => index::run(catalog, &asked, output),
        Command::Models { what: Models::Pull { name, json } } => models::pull(&name, json, output),
        Command::Models { what: Models::List { json } } => models::list(json, output),
        Command::Fit(asked) => fit::run(catalog, &asked, output),
        Command::Bench(BenchFlags { what: Some(Benched::Cache(asked)), .. }) => {
            bench_cache::run(catalog, &asked, output)
        }
        Command::Bench(BenchFlags { what: Some(Benched::Retrieval(asked)), .. }) => {
            bench_retrieval::run(&asked, output)
        }
        Command::Bench(BenchFlags { what: Some(Benched::Args(asked)), .. }) => {
            bench_args::run(&asked, output)
        }
        Command::Bench(asked) => bench::run(catalog, &asked, output),
        Command::Check(asked) => check::run(catalog, &asked, output),
        Command::Suggest(asked) => suggest::run(catalog, &asked, output),
        Command::Schema { markdown, json: _ } => schema::run(markdown, output),
        Command::Init(asked) => init::run(&asked, output),
        Command::Completions { shell } => documents::completions(shell, output),
        Command::Man { out } => documents::man(out.as_deref(), output),
    }
}
