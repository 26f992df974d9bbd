//! `plantune fleet status`.

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use plantune_reports::fleet::{moment, since};

use super::{left, preview, skipped};
use crate::failure::Failure;
use crate::journal::Journal;
use crate::lake::files::Listing;
use crate::lake::{tombstones, unfinished};
use crate::projection::{self, Table};
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// Show what this machine has published, what is due, and what the lake holds
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

/// Shows it.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake and the log.
pub(crate) fn run(_: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let lake = workspace.lake()?;
    let mut text = match workspace.consent() {
        Some(consent) => format!("you agreed to publish on {}\n", consent.at),
        None => "you have not agreed to publish: plantune fleet init\n".to_owned(),
    };
    if workspace.consent().is_some()
        && let Err(refused) = workspace.require_consent()
    {
        text += &format!("{}: plantune fleet init\n", refused.message());
    }
    if let Some(journal) = Journal::find(&workspace.folder())? {
        let counts = journal.counts()?;
        text += &format!(
            "publisher {}: {} in {}",
            journal.publisher,
            counted(counts.events, "event", "events"),
            counted(counts.files, "file", "files")
        );
        if let Some(last) = counts.last {
            text += &format!(", the last on {last}");
        }
        if counts.pending > 0 {
            text += &format!("; {} to finish", counted(counts.pending, "file", "files"));
        }
        text += "\n";
    }
    let due = preview::find(workspace)?;
    text += &preview::summary(&due)?;
    for line in left::lines(&due.left, workspace.config.grace_hours) {
        text += &format!("  {line}\n");
    }
    let listing = Listing::read(&lake)?;
    let days: BTreeSet<_> = listing.files.iter().map(|(file, _)| file.date).collect();
    let bytes: u64 = listing.files.iter().map(|(_, entry)| entry.size).sum();
    text += &format!(
        "{}: {} of {}, {}; {}\n",
        lake.address,
        counted(listing.files.len() as u64, "file", "files"),
        counted(days.len() as u64, "day", "days"),
        plantune_reports::amount::bytes(bytes),
        counted(
            tombstones::all(&lake)?.len() as u64,
            "tombstone",
            "tombstones"
        )
    );
    let found = projection::find(workspace, &lake, &BTreeMap::new())?;
    if let Some(projection) = found.newest {
        let manifest = &projection.manifest;
        text += &format!(
            "  projection of {}: {}, {} of {}; {}\n",
            moment(&manifest.computed_at),
            counted(
                projection::row_count(&manifest.tables, Table::Questions),
                "question",
                "questions"
            ),
            counted(
                projection::row_count(&manifest.tables, Table::Prompts),
                "prompt",
                "prompts"
            ),
            counted(manifest.files.len() as u64, "file", "files"),
            since(projection.files_since)
        );
    }
    if let Some(why) = found.not_used {
        text += &format!("  {why}\n");
    }
    let unfinished = unfinished::all(&lake)?.len() as u64;
    if unfinished > 0 {
        let files = counted(unfinished, "unfinished file", "unfinished files");
        text += &format!(
            "  {files}: being written, or of killed pushes; compact removes them after a day\n"
        );
    }
    text += &skipped(&listing.skipped);
    print(&text)
}
