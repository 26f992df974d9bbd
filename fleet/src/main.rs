//! `plantune-fleet`: an organisation's lake of events, which machines publish to, and reports over it.
//! `plantune fleet …` calls it.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command owns its terminal"
)]

mod config;
mod database;
mod failure;
mod journal;
mod key;
mod lake;
mod optional_file;
mod projection;
mod publish;
mod report;
mod spark_address;
mod terminal;
mod verbs;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;
use workspace::{Environment, Workspace};

/// An organisation's reports, over a lake that its machines publish to.
///
/// Nothing leaves this machine before you have seen what would and said yes to it: `init`.
#[derive(Parser, Debug)]
#[command(
    name = "plantune fleet",
    bin_name = "plantune fleet",
    version,
    disable_help_subcommand = true,
    subcommand_required = true
)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Init(verbs::init::Arguments),
    Preview(verbs::preview::Arguments),
    Push(verbs::push::Arguments),
    Status(verbs::status::Arguments),
    Forget(verbs::forget::Arguments),
    Compact(verbs::compact::Arguments),
    Prepare(verbs::prepare::Arguments),
    Report(verbs::report::Arguments),
    Adopt(verbs::adopt::Arguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nothing is left to do when even the help text cannot be written.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match run(&arguments.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(verb: &Verb) -> Result<(), Failure> {
    let environment = Environment::from_process()?;
    if let Verb::Init(arguments) = verb {
        return verbs::init::run(arguments, environment);
    }
    let workspace = Workspace::load(environment)?;
    match verb {
        Verb::Init(_) => Ok(()),
        Verb::Preview(arguments) => verbs::preview::run(arguments, &workspace),
        Verb::Push(arguments) => verbs::push::run(arguments, &workspace),
        Verb::Status(arguments) => verbs::status::run(arguments, &workspace),
        Verb::Forget(arguments) => verbs::forget::run(arguments, &workspace),
        Verb::Compact(arguments) => verbs::compact::run(arguments, &workspace),
        Verb::Prepare(arguments) => verbs::prepare::run(arguments, &workspace),
        Verb::Report(arguments) => verbs::report::run(arguments, &workspace),
        Verb::Adopt(arguments) => verbs::adopt::run(arguments, &workspace),
    }
}
