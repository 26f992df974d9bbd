//! A cold ingest beside DuckDB's own typed `read_json` into the same columns: whole processes,
//! alternating, medians of one run.
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

#[path = "support/spool.rs"]
mod spool;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Writer};

const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    for (argument, write) in [
        ("--write", spool::write as fn(&Path, u64) -> u64),
        ("--write-short", spool::write_short),
    ] {
        if let Some(at) = arguments.iter().position(|word| word == argument) {
            let events = Path::new(&arguments[at + 2]).join("events");
            write(&events, arguments[at + 1].parse().unwrap());
            return;
        }
    }
    if let Some(at) = arguments.iter().position(|word| word == "--run") {
        return run(&arguments[at + 1], Path::new(&arguments[at + 2]));
    }
    let count: u64 = std::env::var("PLANTUNE_BENCH_EVENTS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(1_000_000);
    let folder = tempfile::tempdir().unwrap();
    let bytes = spool::write(&folder.path().join("events"), count);
    println!("{count} events, {} bytes each", bytes / count);
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut memory = [0, 0];
    for _ in 0..ROUNDS {
        for (which, name) in ["read_json", "plantune"].into_iter().enumerate() {
            for file in ["plantune.duckdb", "plantune.duckdb.wal", "baseline.duckdb"] {
                let _ = fs::remove_file(folder.path().join(file));
            }
            let start = Instant::now();
            let output = Command::new("/usr/bin/time")
                .args(["-f", "%M"])
                .arg(std::env::current_exe().unwrap())
                .args(["--run", name])
                .arg(folder.path())
                .output()
                .unwrap();
            times[which].push(start.elapsed());
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{told}");
            let kib: u64 = told.trim().lines().last().unwrap().parse().unwrap();
            memory[which] = memory[which].max(kib);
        }
    }
    let medians = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    });
    println!(
        "{:12} {:>8} {:>6} {:>14}",
        "", "seconds", "ratio", "resident MiB"
    );
    for (which, name) in ["read_json", "plantune"].into_iter().enumerate() {
        println!(
            "{name:12} {:>8.2} {:>6.2} {:>14}",
            medians[which],
            medians[which] / medians[0],
            memory[which] / 1024
        );
    }
}

fn run(which: &str, folder: &Path) {
    if which == "plantune" {
        let mut writer = Writer::open(&Paths::below(folder.to_owned()), "Europe/Berlin").unwrap();
        writer.ingest(spool::now(), &Progress::default()).unwrap();
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
