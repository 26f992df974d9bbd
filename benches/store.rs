//! Costs that must not grow with the store, and those of one person: one new event into many
//! beside opening that store and closing it; `report` and `suggest` at two sizes; a person's year; verbs
//! that need no store beside `--version`. Whole processes, alternating, medians of one run.
//!
//! Run by `make bench`. `PLANTUNE_BENCH_SIZES` sets the two sizes in events (default
//! `100000,1000000`; `100000,10000000` takes ten minutes and 8 GB of the temporary folder).
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "support/processes.rs"]
mod processes;
#[path = "support/spool.rs"]
mod spool;

use std::cell::Cell;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use chrono::TimeDelta;
use duckdb::AccessMode;
use plantune_domain::clock::timestamp;
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Writer};

use processes::{alternate, head, row};

const ROUNDS: usize = 11;

/// The most memory that a verb may take, however many events there are.
const MOST_MIB: u64 = 512;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|word| word == "--open") {
        let store = Paths::below(arguments[at + 1].clone().into()).store();
        drop(plantune_migrations::open(&store, AccessMode::ReadWrite).unwrap());
        return;
    }
    let year = home(10_000);
    let measured = alternate(
        ROUNDS,
        &[
            &|| plantune(year.path(), &["--version"]),
            &|| plantune(year.path(), &["--help"]),
            &|| plantune(year.path(), &["prefs", "list"]),
            &|| plantune(year.path(), &["report"]),
            &|| plantune(year.path(), &["suggest"]),
        ],
    );
    head("a person's year (10,000 events)");
    for (name, found) in ["--version", "--help", "prefs list", "report", "suggest"]
        .iter()
        .zip(&measured)
    {
        row(name, found, &measured[0]);
    }
    let sizes = std::env::var("PLANTUNE_BENCH_SIZES").unwrap_or("100000,1000000".to_owned());
    let sizes: Vec<u64> = sizes.split(',').map(|size| size.parse().unwrap()).collect();
    let (small, large) = (home(sizes[0]), home(sizes[1]));
    for verb in ["report", "suggest"] {
        let measured = alternate(
            ROUNDS,
            &[&|| plantune(small.path(), &[verb]), &|| {
                plantune(large.path(), &[verb])
            }],
        );
        head(verb);
        for (size, found) in sizes.iter().zip(&measured) {
            row(&format!("{size} events"), found, &measured[0]);
        }
    }
    head("the log of all events, and what takes most memory");
    let file = |name: &str| {
        let path = large.path().join(name);
        // Each run writes it anew.
        let _ = std::fs::remove_file(&path);
        path.to_str().unwrap().to_owned()
    };
    let measured = alternate(
        1,
        &[
            &|| plantune(large.path(), &["export", "--jsonl", &file("all.jsonl")]),
            &|| plantune(large.path(), &["export", "--parquet", &file("all.parquet")]),
            &|| plantune(large.path(), &["sql", "SELECT count(*) FROM events"]),
            &|| plantune(large.path(), &["ingest", "--rebuild"]),
            &|| plantune(large.path(), &["gc"]),
            &|| plantune(large.path(), &["export", "--jsonl", &file("sealed.jsonl")]),
            &|| plantune(large.path(), &["report"]),
            &|| plantune(large.path(), &["suggest"]),
        ],
    );
    let names = [
        "export --jsonl",
        "export --parquet",
        "sql, of all events",
        "ingest --rebuild",
        "gc",
        "export --jsonl, of sealed months",
        "report",
        "suggest",
    ];
    for (name, found) in names.iter().zip(&measured) {
        row(name, found, &measured[0]);
        assert!(
            found.resident_mib <= MOST_MIB,
            "{name} takes more than {MOST_MIB} MiB"
        );
    }
    let round = Cell::new(0);
    let measured = alternate(
        ROUNDS,
        &[
            &|| {
                let mut command = Command::new(std::env::current_exe().unwrap());
                command.arg("--open").arg(large.path());
                command
            },
            &|| {
                log(large.path(), round.replace(round.get() + 1));
                plantune(large.path(), &["ingest"])
            },
        ],
    );
    head(&format!("one event into {}", sizes[1]));
    row("opening and closing the store", &measured[0], &measured[0]);
    row("ingest of one event", &measured[1], &measured[0]);
}

/// A home whose store holds that many events.
fn home(events: u64) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::below(home.path().to_owned());
    spool::write(&paths.events(), events);
    let mut writer = Writer::open(&paths, "Europe/Berlin").unwrap();
    writer.ingest(&Progress::default()).unwrap();
    drop(writer);
    home
}

fn plantune(home: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
    command
        .args(words)
        .env("HOME", home)
        .env("PLANTUNE_HOME", home)
        .env("TZ", "Europe/Berlin");
    command
}

/// Logs an event that the store does not hold: a question, and the next time its answer.
fn log(home: &Path, round: u64) {
    let at = spool::now() + TimeDelta::seconds(round as i64);
    let line = spool::line((1 << 40) + round / 2, round % 2 == 1, timestamp(at));
    let segment = Paths::below(home.to_owned())
        .events()
        .join(format!("{}.jsonl", &timestamp(at)[..10]));
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(segment)
        .unwrap();
    file.write_all(&line).unwrap();
}
