//! `plantune quarantine list`.

use clap::Args;
use plantune_query::quarantine::Quarantine;
use plantune_reports::quarantine::{Document, Terminal};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::store;

/// How many lines are listed by default.
const LISTED: u32 = 20;

/// List the lines of the log that could not become events, the latest first
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// How many lines to list [default: 20; --json lists them all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists them, after reading what is new.
///
/// # Errors
/// Failed when the store cannot be written or read; conflict for a config.toml that is not
/// understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let limit = arguments.limit.or((!arguments.json).then_some(LISTED));
    let found = match workspace.store()? {
        Some(store) => store
            .quarantine(limit)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Quarantine::default(),
    };
    let width = usize::from(workspace.width);
    terminal::print_document(&Document::from(&found), arguments.json, &Terminal { width })
}
