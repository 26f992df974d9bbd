//! A lake in an S3-compatible store: what it is in a folder, too. `make fleet-s3-test` starts the store
//! (s3/server.py says what is wrong with its buckets) and runs this beside it; by itself it is skipped.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod home;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use home::{Fleet, Machine, answered};
use serde_json::Value;

/// As many machines publish.
const MACHINES: usize = 6;

/// The days that have events.
const DAYS: [&str; 3] = ["2026-11-16", "2026-11-18", "2026-11-20"];

/// A store: its address.
struct Store(String);

impl Store {
    /// The one that this test runs beside.
    fn find() -> Option<Self> {
        let address = std::env::var("PLANTUNE_TEST_S3").ok();
        if address.is_none() {
            println!("skipped: there is no store; `make fleet-s3-test` starts one");
        }
        address.map(Self)
    }

    /// What it answers to GET; it looks whether there is a signature, and at none.
    fn get(&self, path: &str) -> String {
        let host = self.0.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: AWS a:test\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// True when it holds the file.
    fn holds(&self, path: &str) -> bool {
        self.get(path).starts_with("HTTP/1.1 200")
    }

    /// A machine whose lake is the folder `org/lake` of a bucket.
    fn member(&self, fleet: &Fleet, name: &str, bucket: &str) -> Machine {
        let mut machine = fleet.machine(name);
        machine.lake = PathBuf::from(format!("s3://{bucket}/org/lake"));
        machine.init(&["--endpoint", &self.0, "--region", "us-east-1"]);
        let config = fs::read_to_string(machine.config()).unwrap();
        assert!(!config.contains("of-a-test"), "{config}");
        machine
    }
}

/// What the machine `number` logs: calls of its own, and one a day that all machines know.
fn log(machine: &Machine, number: usize) {
    for day in DAYS {
        for hour in 8..12 {
            let label = if hour == 8 { "Skip it" } else { "Create it" };
            let (call, ts) = (
                format!("{number} {day} {hour}"),
                format!("{day}T{hour:02}:00:00Z"),
            );
            machine.log(&answered(&call, &ts, 20 + number as i64, label));
        }
        let ts = format!("{day}T14:00:00Z");
        machine.log(&answered(&format!("of all {day}"), &ts, 30, "Create it"));
    }
}

/// A backup of the journal that is put back after more was published: its next file's name is taken.
fn goes_back_in_time(machine: &Machine) {
    let journal = machine.known().join("journal.duckdb");
    let backup = fs::read(&journal).unwrap();
    let more = |call: &str| machine.log(&answered(call, "2026-11-19T10:00:00Z", 20, "Create it"));
    more("after the backup");
    assert!(
        machine
            .text(&["push"])
            .contains("published 2 events in 1 file")
    );
    fs::write(&journal, backup).unwrap();
    more("after it was put back");
    let said = machine.text(&["push"]);
    assert!(said.contains("this machine is a new publisher"), "{said}");
}

/// What a report says, but of files, which may be merged, and of machines: of two publishers that one machine was,
/// chance decides which has what both know.
fn figures(machine: &Machine) -> Value {
    let mut report = machine.report();
    without(
        &mut report,
        &[
            "address",
            "files",
            "rows",
            "publishers",
            "machines",
            "computed_at",
            "files_since",
        ],
    );
    report
}

/// How many projections the machine has copies of.
fn copies(machine: &Machine) -> usize {
    let copies = machine.known().join("copies/projections/v1");
    fs::read_dir(copies).map_or(0, Iterator::count)
}

fn without(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !names.contains(&name.as_str()));
            fields.values_mut().for_each(|value| without(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| without(value, names)),
        _ => {}
    }
}

/// Kills a push when the store has its second file and has not said so yet.
fn killed_in_the_middle(store: &Store, machine: &Machine) {
    let keys = || {
        let found = DAYS.map(|day| {
            let prefix =
                format!("/slow?list-type=2&max-keys=1000&prefix=org/lake/events/v1/date%3D{day}");
            store.get(&prefix).matches("-000000000002.parquet").count()
        });
        found.iter().sum::<usize>()
    };
    let before = keys();
    let mut push = machine
        .command(&["push"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while keys() == before {
        assert!(start.elapsed() < Duration::from_secs(120), "nothing came");
        sleep(Duration::from_millis(20));
    }
    push.kill().unwrap();
    assert_eq!(push.wait().unwrap().code(), None, "it was not killed");
}

#[test]
fn a_lake_in_a_store_says_what_it_says_in_a_folder() {
    let Some(store) = Store::find() else { return };
    let fleet = Fleet::new();
    let mut reports = Vec::new();
    for place in ["folder", "store"] {
        let member = |number: usize| {
            let name = format!("{place} {number}");
            match place {
                "folder" => fleet.member(&name, &[]),
                _ => store.member(&fleet, &name, "slow"),
            }
        };
        let mut machines: Vec<Machine> = (0..MACHINES).map(member).collect();
        for (number, machine) in machines.iter().enumerate() {
            log(machine, number);
            if place == "store" && number == 3 {
                killed_in_the_middle(&store, machine);
                let said = machine.text(&["push"]);
                assert!(
                    said.contains("finished 1 file of an earlier push"),
                    "{said}"
                );
                assert!(said.contains("published 10 events in 1 file"), "{said}");
            } else {
                let said = machine.text(&["push"]);
                assert!(said.contains("published 30 events in 3 files"), "{said}");
            }
            assert_eq!(machine.text(&["push"]), "nothing is due\n");
        }
        assert_eq!(machines[0].report()["totals"]["machines"], MACHINES);
        goes_back_in_time(&machines[5]);
        let before = figures(&machines[0]);
        assert_eq!(before["totals"]["answered"], 6 * 3 * 4 + 3 + 2);
        assert_eq!(before["lake"]["missing_files"], 0);
        // 18 files, and of the machine that went back one of before and four of after.
        let said = machines[1].text(&["compact"]);
        assert!(said.starts_with("merged 23 files of 4 days"), "{said}");
        assert_eq!(figures(&machines[0]), before);
        assert_eq!(machines[2].text(&["compact"]), "nothing to merge\n");
        // What was computed once says the same: of copies of the store's files, and in place of a newer one's.
        for prepared in 1..4 {
            machines[2].now = format!("2026-11-22T1{}:00:00Z", 2 + prepared);
            machines[2].text(&["prepare"]);
            let report = machines[0].report();
            assert_eq!(report["lake"]["files_since"], 0);
            assert_eq!(figures(&machines[0]), before, "{prepared}");
        }
        let said = machines[2].text(&["status"]);
        assert!(said.contains("no file has come since"), "{said}");
        let copies = copies(&machines[0]);
        assert!(
            if place == "store" {
                (1..=2).contains(&copies)
            } else {
                copies == 0
            },
            "{copies}"
        );
        // After a compaction a push goes on as before.
        let late = answered("late", "2026-11-16T15:00:00Z", 20, "Create it");
        machines[4].log(&late);
        assert!(
            machines[4]
                .text(&["push"])
                .contains("published 2 events in 1 file")
        );
        assert_eq!(figures(&machines[0]), before);
        assert_eq!(machines[0].report()["lake"]["files_since"], 1);
        machines[2].now = "2026-11-22T18:00:00Z".to_owned();
        machines[2].text(&["prepare"]);
        let after = figures(&machines[0]);
        assert_eq!(after["totals"]["answered"], 6 * 3 * 4 + 3 + 3);
        reports.push((before, after));
    }
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn a_store_that_lists_too_few_files_is_noticed_and_loses_none() {
    let Some(store) = Store::find() else { return };
    let fleet = Fleet::new();
    let machine = store.member(&fleet, "one", "partial");
    machine.configure("k = 1");
    log(&machine, 0);
    machine.text(&["push"]);
    let report = machine.report();
    assert_eq!(report["lake"]["missing_files"], 1);
    assert_eq!(report["lake"]["files"], 2);
    assert_eq!(report["totals"]["answered"], 10);
    let said = machine.text(&["report", "--since", "2026-01-01"]);
    assert!(
        said.contains("1 file that should be there by their numbers"),
        "{said}"
    );
    let publisher = machine.text(&["status"]);
    let publisher = publisher.split_once("publisher ").unwrap().1;
    let hidden = format!(
        "/partial/org/lake/events/v1/date%3D{}/{}-000000000002.parquet",
        DAYS[1],
        &publisher[..16]
    );
    assert!(store.holds(&hidden), "{hidden}");
    // What is not listed is not merged, and stays.
    machine.text(&["compact"]);
    assert!(store.holds(&hidden));
    assert_eq!(machine.report()["lake"]["missing_files"], 1);
}
