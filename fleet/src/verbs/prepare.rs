//! `plantune fleet prepare`: computes what reports need of all events, and keeps it in the lake as a projection.

use clap::Args;

use super::{EngineArguments, skipped};
use crate::failure::Failure;
use crate::projection::{self, Table, removal, row_count};
use crate::report::prepare;
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// Compute once what all reports need of the events, and keep it in the lake
///
/// For a nightly job, after `compact`. Reports and `adopt` then read a row a question in place of all events, only those of
/// their days, and say when that was computed; what has come since is in none of them until the next time. `report --fresh`
/// reads all events. Safe beside machines that publish, readers, and others that do the same.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engine: EngineArguments,
}

/// Writes a projection, and removes those that it takes the place of.
///
/// # Errors
/// Usage for an engine that is not there; refused for another organisation's lake; those of the lake and the
/// engine.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let engine = arguments.engine.chosen(workspace)?;
    let lake = workspace.lake()?;
    let written = prepare(workspace, &lake, &engine)?;
    let removed = removal::remove_old(&lake, workspace.environment.now)?;
    let manifest = &written.manifest;
    let tables = &manifest.tables;
    let bytes = tables.iter().map(|file| file.bytes).sum();
    let mut text = format!(
        "computed {} and {} of {} in {}\n  {}/{}: {}, {}\n",
        counted(row_count(tables, Table::Questions), "question", "questions"),
        counted(row_count(tables, Table::Prompts), "prompt", "prompts"),
        counted(manifest.events, "event", "events"),
        counted(manifest.files.len() as u64, "file", "files"),
        projection::FOLDER,
        written.id,
        counted(tables.len() as u64, "file", "files"),
        plantune_reports::amount::bytes(bytes),
    );
    if removed > 0 {
        text += &format!(
            "  removed {}\n",
            counted(removed, "old projection", "old projections")
        );
    }
    text += &skipped(&manifest.skipped);
    print(&text)
}
