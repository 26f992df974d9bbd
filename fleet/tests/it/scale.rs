//! Lakes of made-up machines: a report on one says what was made up, and how much it costs. `make fleet-scale` measures
//! larger ones: `PLANTUNE_FLEET_EVENTS` are their sizes, and they lie in `PLANTUNE_FLEET_DIR`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use chrono::{Days, NaiveDate, NaiveTime};
use duckdb::Connection;
use plantune_fleet::engine::push;
use plantune_ingest::with_event_columns;
use serde_json::{Value, json};

use crate::home::{Fleet, Machine, below, part, total};

/// Events of a machine on a day.
const A_DAY: u64 = 200;

/// The last of the days, which follow each other.
const LAST: &str = "2026-11-21";

/// Fills the lake in the folder `lake` with so many events, and returns what was made up. The files are those of pushes,
/// or one a day.
fn make(lake: &Path, events: u64, machines: u64, are_merged: bool) -> Value {
    let days = (events / A_DAY / machines).max(1);
    let last: NaiveDate = LAST.parse().unwrap();
    let mut sums = serde_json::Map::new();
    fs::create_dir_all(lake.join("v=1")).unwrap();
    for number in 0..days {
        let connection = Connection::open_in_memory().unwrap();
        let day = last - Days::new(days - 1 - number);
        let pairs = events / 2 / days;
        let midnight = day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
        for (name, value) in [
            ("threads", 2),
            ("machines", machines),
            ("pairs", pairs),
            ("first_pair", number * pairs),
            ("day_us", midnight as u64),
        ] {
            let sql = format!("SET VARIABLE {name} = ?::BIGINT");
            connection.execute(&sql, [value]).unwrap();
        }
        let set = |name: &str, value: &str| {
            let sql = format!("SET VARIABLE {name} = ?");
            connection.execute(&sql, [value]).unwrap();
        };
        set("memory", "4GB");
        set("root", lake.join("v=1").to_str().unwrap());
        for sql in [
            include_str!("made_up/settings.sql"),
            include_str!("made_up/pairs.sql"),
            &with_event_columns(push::DUE),
            "ALTER TABLE due ADD COLUMN machine VARCHAR; ALTER TABLE due ADD COLUMN day DATE;",
            include_str!("made_up/rows.sql"),
            match are_merged {
                true => include_str!("made_up/merged.sql"),
                false => include_str!("made_up/pushed.sql"),
            },
        ] {
            connection.execute_batch(sql).unwrap();
        }
        let mut statement = connection
            .prepare(include_str!("made_up/made.sql"))
            .unwrap();
        let batches: Vec<_> = statement.query_arrow([]).unwrap().collect();
        for batch in batches {
            let rows: Vec<serde_json::Map<String, Value>> =
                serde_arrow::from_record_batch(&batch).unwrap();
            for (name, value) in &rows[0] {
                let before = sums.get(name).and_then(Value::as_u64).unwrap_or(0);
                sums.insert(name.clone(), (before + value.as_u64().unwrap()).into());
            }
        }
    }
    Value::Object(sums)
}

/// Asserts that a report says what was made up.
fn check(report: &Value, made: &Value) {
    let all = total(report);
    for (name, expected) in [
        ("times", "questions"),
        ("answered", "answered"),
        ("auto_decided", "auto_decided"),
        ("dismissed", "dismissed"),
        ("failed", "failed"),
    ] {
        assert_eq!(all[name], made[expected], "{name}");
    }
    assert_eq!(part(report, "prompts")[0]["times"], made["prompts"]);
    let rows = made["events"].as_u64().unwrap() + made["copies"].as_u64().unwrap();
    assert_eq!(report["lake"]["rows"], rows);
}

/// The report without what is about the files alone.
fn figures(mut report: Value) -> Value {
    report["lake"] = Value::Null;
    report
}

#[test]
fn a_report_says_what_was_made_up_from_many_files_and_from_merged_ones() {
    let fleet = Fleet::new();
    let reader = fleet.member("reader", &[]);
    let (pushed, merged) = (fleet.lake(), fleet.folder.path().join("merged"));
    let made = make(&pushed, 12_000, 20, false);
    assert_eq!(make(&merged, 12_000, 20, true), made);
    let report = reader.report();
    check(&report, &made);
    assert_eq!(fleet.files().len(), 20 * 3);
    let of_merged = reader.report_with(&["--lake", merged.to_str().unwrap()]);
    assert_eq!(of_merged["lake"]["files"], 3);
    assert_eq!(figures(of_merged), figures(report));
}

/// Runs a report and says what it took.
fn measured(machine: &Machine, words: &[&str]) -> (Value, Value) {
    let begun = Instant::now();
    let temporary = machine.home.join("tmp");
    let out = fs::File::create(machine.home.join("report.json")).unwrap();
    let mut command = machine.command(words);
    if let Some(token) = std::env::var_os("PLANTUNE_FLEET_SPARK_TOKEN") {
        command.env("PLANTUNE_FLEET_SPARK_TOKEN", token);
    }
    let mut child = command.stdout(Stdio::from(out)).spawn().unwrap();
    let (mut ticks, mut memory, mut most) = (0_u64, 0_u64, 0_u64);
    while child.try_wait().unwrap().is_none() {
        let read = |name: &str| {
            fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap_or_default()
        };
        let stat = read("stat");
        let words: Vec<&str> = stat
            .rsplit_once(") ")
            .map_or(vec![], |(_, rest)| rest.split(' ').collect());
        let number = |place: usize| {
            words
                .get(place)
                .and_then(|word| word.parse::<u64>().ok())
                .unwrap_or(0)
        };
        ticks = ticks.max(number(11) + number(12));
        let status = read("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        memory = memory.max(peak.unwrap_or(0) / 1000);
        let files = below(&temporary);
        let bytes = files
            .iter()
            .filter_map(|file| Some(fs::metadata(file).ok()?.len()));
        most = most.max(bytes.sum::<u64>() / 1_000_000);
        sleep(Duration::from_millis(200));
    }
    assert!(child.wait().unwrap().success());
    let report = fs::read(machine.home.join("report.json")).unwrap();
    let took = json!({
        "wall_seconds": begun.elapsed().as_secs_f64(),
        // A tick is a hundredth of a second on Linux.
        "processor_seconds": ticks as f64 / 100.0,
        "memory_mb": memory,
        "temporary_mb": most,
    });
    (serde_json::from_slice(&report).unwrap(), took)
}

#[test]
#[ignore = "minutes to hours, and gigabytes: `make fleet-scale`"]
fn measures() {
    let variable =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let folder = PathBuf::from(variable("PLANTUNE_FLEET_DIR", "target/fleet-scale"));
    fs::create_dir_all(&folder).unwrap();
    let folder = fs::canonicalize(folder).unwrap();
    let fleet = Fleet::new();
    let reader = fleet.member("reader", &[]);
    let more = variable("PLANTUNE_FLEET_WORDS", "");
    let more: Vec<&str> = more.split_whitespace().collect();
    let are_merged = variable("PLANTUNE_FLEET_MERGED", "1") == "1";
    for size in variable("PLANTUNE_FLEET_EVENTS", "5000000").split_whitespace() {
        let events: u64 = size.parse().unwrap();
        let machines = if events < 200_000 { 20 } else { 1_000 };
        let lake = folder.join(format!(
            "{size}-{}",
            if are_merged { "merged" } else { "pushed" }
        ));
        let record = lake.join("made.json");
        let begun = Instant::now();
        if !record.exists() {
            let made = make(&lake, events, machines, are_merged);
            fs::write(&record, made.to_string()).unwrap();
        }
        let made: Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
        let files = below(&lake.join("v=1"));
        let bytes: u64 = files
            .iter()
            .map(|file| fs::metadata(file).unwrap().len())
            .sum();
        println!(
            "{size}: {} files, {bytes} bytes, made in {:?}",
            files.len(),
            begun.elapsed()
        );
        let lake = lake.to_str().unwrap();
        for since in ["2000-01-01", "2026-09-28"] {
            let words = [
                &["report", "--json", "--lake", lake, "--since", since],
                more.as_slice(),
            ]
            .concat();
            let (report, took) = measured(&reader, &words);
            if since < "2026" {
                check(&report, &made);
            }
            println!("{size} since {since}: {took}");
        }
    }
}
