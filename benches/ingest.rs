//! A store computed from the log beside DuckDB's own typed `read_json` of the same events into the same
//! columns: three shapes of JSONL, and sealed segments. Whole processes, alternating, medians of one run.
//!
//! Run by `make bench`. `PLANTUNE_BENCH_EVENTS` sets the number of events (default one million).
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "support/processes.rs"]
mod processes;
#[path = "support/spool.rs"]
mod spool;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use chrono::TimeDelta;
use plantune_domain::config::Retention;
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, RetentionStep, Writer};

use processes::{alternate, head, row};

const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|word| word == "--write") {
        let [shape, count, folder] = [1, 2, 3].map(|more| &arguments[at + more]);
        let write = spool::SHAPES
            .iter()
            .find(|(name, _)| name == shape)
            .unwrap()
            .1;
        write(&Path::new(folder).join("events"), count.parse().unwrap());
        return;
    }
    if let Some(at) = arguments.iter().position(|word| word == "--seal") {
        return seal(Path::new(&arguments[at + 1]));
    }
    if let Some(at) = arguments.iter().position(|word| word == "--run") {
        return run(&arguments[at + 1], Path::new(&arguments[at + 2]));
    }
    let events = std::env::var("PLANTUNE_BENCH_EVENTS").ok();
    let events: u64 = events
        .and_then(|count| count.parse().ok())
        .unwrap_or(1_000_000);
    head(&format!("{events} events, beside read_json"));
    for (shape, write) in spool::SHAPES {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("events"), events);
        let measured = alternate(
            ROUNDS,
            &[&|| command("read_json", folder.path()), &|| {
                command("plantune", folder.path())
            }],
        );
        row(&format!("{shape}: read_json"), &measured[0], &measured[0]);
        row(&format!("{shape}: plantune"), &measured[1], &measured[0]);
    }
    sealed(events);
}

/// The store computed from sealed months, beside `read_json` of the same events as JSONL.
fn sealed(events: u64) {
    let (lines, months) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [lines.path(), months.path()] {
        spool::write(&folder.join("events"), events);
    }
    seal(months.path());
    let measured = alternate(
        ROUNDS,
        &[&|| command("read_json", lines.path()), &|| {
            command("plantune", months.path())
        }],
    );
    row("as hooks write: read_json", &measured[0], &measured[0]);
    row("sealed months: plantune", &measured[1], &measured[0]);
}

/// Seals every month of the log, as if all of them were over for long.
fn seal(folder: &Path) {
    for segment in fs::read_dir(folder.join("events")).unwrap() {
        let file = fs::File::open(segment.unwrap().path()).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    let mut writer = Writer::open(&Paths::below(folder.to_owned()), "Europe/Berlin").unwrap();
    writer.ingest(&Progress::default()).unwrap();
    let later = spool::now() + TimeDelta::days(60);
    let collected = writer.gc(&Retention::default(), later, &Progress::default());
    for one in collected.unwrap() {
        assert!(
            one.planned.step == RetentionStep::Seal && one.freed.is_ok(),
            "{one:?}"
        );
    }
}

/// This program as the process `which`, without what an earlier one wrote.
fn command(which: &str, folder: &Path) -> Command {
    for file in ["plantune.duckdb", "plantune.duckdb.wal", "baseline.duckdb"] {
        let _ = fs::remove_file(folder.join(file));
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--run", which]).arg(folder);
    command
}

fn run(which: &str, folder: &Path) {
    if which == "plantune" {
        let mut writer = Writer::open(&Paths::below(folder.to_owned()), "Europe/Berlin").unwrap();
        writer.ingest(&Progress::default()).unwrap();
    } else {
        let connection = duckdb::Connection::open(folder.join("baseline.duckdb")).unwrap();
        connection
            .execute_batch(include_str!("read_json_tables.sql"))
            .unwrap();
        let files = folder.join("events/*.jsonl");
        connection
            .execute(include_str!("read_json.sql"), [files.to_str().unwrap()])
            .unwrap();
    }
}
