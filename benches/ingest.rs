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

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_hooks::clock::timestamp;
use plantune_hooks::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_hooks::paths::Paths;
use plantune_ingest::{Progress, Writer};

const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|word| word == "--write") {
        write_spool(
            &Path::new(&arguments[at + 2]).join("events"),
            arguments[at + 1].parse().unwrap(),
        );
        return;
    }
    if let Some(at) = arguments.iter().position(|word| word == "--run") {
        return run(&arguments[at + 1], Path::new(&arguments[at + 2]));
    }
    let count: u64 = std::env::var("PLANTUNE_BENCH_EVENTS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(1_000_000);
    let folder = tempfile::tempdir().unwrap();
    let bytes = write_spool(&folder.path().join("events"), count);
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
        writer.ingest(now(), &Progress::default()).unwrap();
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

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// Questions as they come in: half of them asked, half of them answers, over half a year, two
/// hundred keys, forty projects. Returns the bytes written.
fn write_spool(events: &Path, count: u64) -> u64 {
    fs::create_dir_all(events).unwrap();
    let mut bytes = 0;
    let mut file: Option<(String, BufWriter<File>)> = None;
    let start = now() - TimeDelta::days(180);
    for number in 0..count {
        let question = number / 2;
        let at = start
            + TimeDelta::milliseconds((question * 15_552_000_000 / (count / 2).max(1)) as i64)
            + TimeDelta::seconds((number % 2) as i64 * 20);
        let ts = timestamp(at);
        let day = ts[..10].to_owned();
        if file.as_ref().is_none_or(|(open, _)| *open != day) {
            let path = events.join(format!("{day}.jsonl"));
            let opened = File::options()
                .create(true)
                .append(true)
                .open(path)
                .unwrap();
            file = Some((day, BufWriter::new(opened)));
        }
        let line = line(question, number % 2 == 1, ts);
        bytes += line.len() as u64;
        file.as_mut().unwrap().1.write_all(&line).unwrap();
    }
    bytes
}

fn line(question: u64, answered: bool, ts: String) -> Vec<u8> {
    let key = question.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56;
    let kind = if answered {
        Kind::Answered
    } else {
        Kind::Asked
    };
    let id = format!(
        "toolu_{:024x}",
        question.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    );
    let project = format!("github.com/someone/project-{}", question % 40);
    let mut event = Event {
        v: SCHEMA_VERSION,
        id: question_event_id(kind, &id, 0).into(),
        ts: ts.into(),
        kind: kind.name().into(),
        session_id: format!("00000000-0000-4000-8000-{:012x}", question / 7).into(),
        session_kind: "interactive".into(),
        cwd: format!("/home/dev/{project}").into(),
        project: project.into(),
        permission_mode: Some("default".into()),
        entrypoint: Some("cli".into()),
        source: "hook".into(),
        tool_name: Some("AskUserQuestion".into()),
        tool_use_id: Some(id.into()),
        question_index: Some(0),
        question_count: Some(1),
        question_key: Some(format!("habit-number-{key}").into()),
        key_source: Some("marker".into()),
        question: Some(format!("No file number {question} was found here. Create it?").into()),
        header: Some("Create".into()),
        options: Some(vec![
            "Create it (Recommended)".into(),
            "Skip it".into(),
            "Ask later".into(),
        ]),
        recommended: Some("Create it".into()),
        multi_select: Some(false),
        door: Some("two-way".into()),
        ..Event::default()
    };
    if answered {
        event.answer = Some(vec!["Create it (Recommended)".into()]);
        event.was_auto_decided = Some(false);
        event.followed_recommendation = Some(Some(true));
    } else {
        event.ask_reason = Some("no_preference".into());
    }
    event.to_line().unwrap()
}
