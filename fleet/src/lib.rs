//! `plantune-fleet`: an organisation's lake of events, which machines push to, and reports over it. `plantune fleet`
//! becomes this program where it is installed. It is one of its own, so that nobody else pays for the object store's
//! client and its runtime.

mod adopt;
mod config;
mod document;
pub mod engine;
mod init;
mod lake;
mod member;
mod push;
mod report;
mod rows;
#[cfg(feature = "spark")]
mod spark;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use plantune::Program;
use plantune::cli::arguments::GlobalArguments;
use plantune::cli::maintenance::ManArguments;
use plantune::debug::packaging;
use plantune::document::Document;
use plantune::failure::Failure;
use plantune::session::Session;

/// Push your figures to your organisation's lake, and report on everybody's
///
/// Nothing leaves this machine until `plantune fleet init` has shown you what would, and you said yes.
#[derive(Parser, Debug)]
#[command(
    version,
    bin_name = "plantune fleet",
    after_help = "Examples:
  plantune fleet init /mnt/share/lake
      see what would leave this machine, and decide
  plantune fleet report --week 2026-W46           the organisation's figures
  plantune fleet adopt ship-todos
      see how nearly everybody answers it, and answer the same way"
)]
struct FleetArguments {
    #[command(subcommand)]
    verb: FleetVerb,
    #[command(flatten)]
    global: GlobalArguments,
}

#[derive(Subcommand, Debug)]
enum FleetVerb {
    Init(init::InitArguments),
    Push(push::PushArguments),
    Forget(push::ForgetArguments),
    Report(report::FleetReportArguments),
    Adopt(adopt::AdoptArguments),
    #[command(hide = true)]
    Man(ManArguments),
}

impl Program for FleetArguments {
    fn global(&self) -> &GlobalArguments {
        &self.global
    }

    fn uses_files(&self) -> bool {
        !matches!(self.verb, FleetVerb::Man(_))
    }

    fn run(&self, session: &Session) -> Result<Document, Failure> {
        match &self.verb {
            FleetVerb::Init(arguments) => init::run(arguments, session),
            FleetVerb::Push(arguments) => push::run(arguments, session),
            FleetVerb::Forget(arguments) => push::forget(arguments, session),
            FleetVerb::Report(arguments) => report::run(arguments, session),
            FleetVerb::Adopt(arguments) => adopt::run(arguments, session),
            FleetVerb::Man(arguments) => {
                let folder = arguments.folder.as_deref();
                packaging::man(folder, arguments.list, Self::command_line())
            }
        }
    }
}

/// Runs `plantune-fleet`, and returns its exit code.
pub fn main() -> ExitCode {
    plantune::start::<FleetArguments>()
}
