//! `plantune fleet compact`: merges the files of a day. Writes, reads back, and only then deletes; readers that pass
//! over what is there twice see the same before, between and after, and whatever kills it loses nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrono::NaiveDate;
use clap::Args;
use duckdb::Connection;
use plantune_domain::atomic_file;
use plantune_reports::fleet::SkippedFile;

use super::{memory, skipped};
use crate::database::{self, make_lake_rows, row};
use crate::failure::Failure;
use crate::key::random_hex;
use crate::lake::files::{Listing, Readable, Reader};
use crate::lake::name::{EventFile, Writer};
use crate::lake::tombstones;
use crate::lake::{Entry, Lake, unfinished};
use crate::projection::removal;
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// Merge the lake's files day by day, and remove what was forgotten
///
/// Safe beside machines that publish, readers, and other compactions. Files that are damaged or foreign are
/// named and left alone. What a killed push left unfinished in a folder is removed after a day.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Only this UTC day
    #[arg(long, value_name = "YYYY-MM-DD")]
    day: Option<NaiveDate>,
    /// How much memory DuckDB may use, such as 4GB or 800MB; the rest goes to the temporary folder [default: most of it]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<String>,
}

/// What was done.
#[derive(Debug, Default)]
struct Done {
    days: u64,
    merged: u64,
    forgotten: u64,
    /// Days whose files another compaction merged at the same time.
    busy: u64,
    skipped: Vec<SkippedFile>,
}

/// Compacts the lake.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let lake = workspace.lake()?;
    let listing = Listing::read(&lake)?;
    let tombstones = tombstones::all(&lake)?;
    let mut done = Done {
        skipped: listing.skipped,
        ..Done::default()
    };
    let mut days: BTreeMap<NaiveDate, Vec<(EventFile, Entry)>> = BTreeMap::new();
    for (file, entry) in listing.files {
        if arguments.day.is_none_or(|day| day == file.date) {
            days.entry(file.date).or_default().push((file, entry));
        }
    }
    for (date, files) in days {
        if files.len() > 1 || !tombstones.is_empty() {
            let folder = tempfile::tempdir()?;
            let connection = database::open(folder.path(), arguments.memory.as_deref())?;
            make_lake_rows(&connection)?;
            tombstones::load(&connection, &tombstones)?;
            let place = (folder.path(), &connection);
            compact(workspace, &lake, (date, &files), place, &mut done)?;
        }
    }
    let now = workspace.environment.now;
    // What was to be forgotten is in projections, too.
    removal::remove_old(&lake, now)?;
    let mut removed = 0;
    for file in unfinished::all(&lake)? {
        if file.is_abandoned(now) {
            file.remove()?;
            removed += 1;
        }
    }
    let mut text = match done.days {
        0 => "nothing to merge\n".to_owned(),
        days => format!(
            "merged {} of {}; {} forgotten\n",
            counted(done.merged, "file", "files"),
            counted(days, "day", "days"),
            counted(done.forgotten, "event", "events")
        ),
    };
    if removed > 0 {
        let files = counted(removed, "unfinished file", "unfinished files");
        text += &format!("  removed {files} of killed pushes\n");
    }
    if done.busy > 0 {
        text += &format!(
            "  {} left to another compaction\n",
            counted(done.busy, "day", "days")
        );
    }
    text += &skipped(&done.skipped);
    print(&text)
}

fn compact(
    workspace: &Workspace,
    lake: &Lake,
    (date, files): (NaiveDate, &[(EventFile, Entry)]),
    (folder, connection): (&Path, &Connection),
    done: &mut Done,
) -> Result<(), Failure> {
    let mut reader = Reader::new(lake, connection);
    let load = include_str!("../../sql/compact/load.sql");
    let read = match reader.readable(files, &workspace.key, false)? {
        Some(readable) => reader.read(&readable, load)?,
        None => None,
    };
    let Some(read) = read else {
        done.busy += 1;
        return Ok(());
    };
    done.skipped.append(&mut reader.skipped);
    connection.execute_batch(include_str!("../../sql/compact/clean.sql"))?;
    let (forgotten,): (u64,) = row(connection, include_str!("../../sql/compact/removed.sql"))?;
    if read.len() < 2 && forgotten == 0 {
        return Ok(());
    }
    let set = |sql: &str, value: &str| connection.execute(sql, [value]);
    let path = folder.join("merged.parquet");
    set("SET VARIABLE path = ?", &path.to_string_lossy())?;
    set("SET VARIABLE key_check = ?", &workspace.key.check_value())?;
    set("SET VARIABLE inputs = ?", &inputs(&read)?)?;
    connection.execute_batch(include_str!("../../sql/compact/write.sql"))?;
    let merged = EventFile {
        date,
        writer: Writer::Compaction(random_hex::<8>()?),
    };
    let content = std::fs::read(&path)?;
    lake.put_new(&merged.path(), &content)?;
    // What the lake gives back is what counts, not what was meant to be written.
    let found = lake.get(&merged.path())?.unwrap_or_default();
    atomic_file::replace(&path, &found, 0o600)?;
    let verify = include_str!("../../sql/compact/verify.sql");
    let (wanted, written, lacking): (u64, u64, u64) = row(connection, verify)?;
    if found != content || wanted != written || lacking > 0 {
        let words = format!("{}: the lake does not hold what was written", merged.path());
        return Err(Failure::failed(words).hint("nothing was deleted; look at the lake's storage"));
    }
    for file in &read {
        lake.delete(&file.entry.path)?;
    }
    done.days += 1;
    done.merged += read.len() as u64;
    done.forgotten += forgotten;
    Ok(())
}

/// The publishers' files that a merged one holds, those that its inputs were merged of included, as JSON.
fn inputs(read: &[Readable]) -> serde_json::Result<String> {
    let own = read.iter().filter_map(|file| file.file.numbered());
    let own = own.map(|(publisher, sequence)| format!("{publisher}-{sequence:012}"));
    let earlier = read.iter().flat_map(|file| file.inputs.iter().cloned());
    let names: BTreeSet<String> = own.chain(earlier).collect();
    serde_json::to_string(&names)
}
