//! What does not get slower as the store grows: one new event into many beside opening that store and
//! closing it; `report` and `suggest` at two sizes. Whole processes, interleaved, medians of one run.
//!
//! Run by `make bench`. `PLANTUNE_BENCH_SIZES` sets the two sizes in events (default
//! `100000,1000000`; `100000,10000000` takes ten minutes and 9 GB of the temporary folder).
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

#[path = "support/spool.rs"]
mod spool;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use duckdb::AccessMode;
use plantune_domain::clock::timestamp;
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Writer};

const ROUNDS: usize = 11;
const WORK: [&str; 4] = ["open and close", "one event", "report", "suggest"];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|word| word == "--open") {
        let store = Paths::below(arguments[at + 1].clone().into()).store();
        drop(plantune_migrations::open(&store, AccessMode::ReadWrite).unwrap());
        return;
    }
    let sizes = std::env::var("PLANTUNE_BENCH_SIZES").unwrap_or("100000,1000000".to_owned());
    let sizes: Vec<u64> = sizes.split(',').map(|size| size.parse().unwrap()).collect();
    let homes: Vec<tempfile::TempDir> = sizes.iter().map(|size| home(*size)).collect();
    let mut times = vec![[const { Vec::<Duration>::new() }; WORK.len()]; sizes.len()];
    for round in 0..ROUNDS {
        for (which, home) in homes.iter().enumerate() {
            for (work, name) in WORK.iter().enumerate() {
                times[which][work].push(run(name, home.path(), round as u64));
            }
        }
    }
    let medians: Vec<[f64; WORK.len()]> = times
        .into_iter()
        .map(|times| {
            times.map(|mut times| {
                times.sort_unstable();
                times[times.len() / 2].as_secs_f64()
            })
        })
        .collect();
    print!("{:16}", "events");
    sizes.iter().for_each(|size| print!(" {size:>12}"));
    println!("  ratio");
    for (work, name) in WORK.iter().enumerate() {
        print!("{name:16}");
        medians
            .iter()
            .for_each(|times| print!(" {:>9.0} ms", times[work] * 1000.0));
        println!(
            " {:>6.2}",
            medians[medians.len() - 1][work] / medians[0][work]
        );
    }
    for (size, times) in sizes.iter().zip(&medians) {
        println!(
            "one event into {size}: {:.2} times opening and closing",
            times[1] / times[0]
        );
    }
}

/// A home whose store holds that many events.
fn home(events: u64) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::below(home.path().to_owned());
    spool::write(&paths.events(), events);
    let mut writer = Writer::open(&paths, "Europe/Berlin").unwrap();
    writer.ingest(spool::now(), &Progress::default()).unwrap();
    drop(writer);
    home
}

/// How long a whole process takes.
fn run(work: &str, home: &Path, round: u64) -> Duration {
    let mut command = match work {
        "open and close" => {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg("--open").arg(home);
            command
        }
        "one event" => {
            log(home, round);
            plantune(home, "ingest")
        }
        verb => plantune(home, verb),
    };
    command.stdout(Stdio::null());
    let start = Instant::now();
    assert!(command.status().unwrap().success(), "{work}");
    start.elapsed()
}

fn plantune(home: &Path, verb: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
    command
        .arg(verb)
        .env_clear()
        .env("HOME", home)
        .env("PLANTUNE_HOME", home)
        .env("PLANTUNE_NOW", timestamp(spool::now()))
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
