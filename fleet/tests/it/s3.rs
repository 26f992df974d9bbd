//! A lake in an S3-compatible store: what it is in a folder, too, and who may do what. `make fleet-s3-test` starts the
//! store (servers/s3.py) and runs this beside it; by itself it is skipped.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::home::{Fleet, Machine, answered, below, text, total};

/// As many machines push.
const MACHINES: usize = 5;

/// The days that have events.
const DAYS: [&str; 3] = ["2026-11-16", "2026-11-18", "2026-11-20"];

/// The store, whose address is in the environment.
struct Store;

impl Store {
    /// The one that this test runs beside.
    fn find() -> Option<Self> {
        let is_there = std::env::var_os("PLANTUNE_TEST_S3").is_some();
        if !is_there {
            println!("skipped: there is no store; `make fleet-s3-test` starts one");
        }
        is_there.then_some(Self)
    }

    /// A machine whose lake is the folder `org/lake` of a bucket.
    fn member(&self, fleet: &Fleet, name: &str, bucket: &str) -> Machine {
        let mut machine = fleet.machine(name);
        machine.lake = PathBuf::from(format!("s3://{bucket}/org/lake"));
        machine.init(&[]);
        let config = fs::read_to_string(machine.config()).unwrap();
        assert!(
            !config.contains(&std::env::var("AWS_SECRET_ACCESS_KEY").unwrap()),
            "{config}"
        );
        machine
    }

    /// The credentials of a new user of this name, whom the policy of docs/fleet.md lets write for a machine.
    fn user(&self, name: &str, bucket: &str, prefix: &str) -> [(&'static str, String); 2] {
        let page = include_str!("../../../docs/fleet.md");
        let policy = page
            .split_once("```json\n")
            .unwrap()
            .1
            .split("```")
            .next()
            .unwrap();
        let machine = prefix.rsplit_once("machine=").unwrap().1;
        let policy = policy
            .replace("BUCKET/FOLDER", &format!("{bucket}/org/lake"))
            .replace("BUCKET", bucket);
        let tool = std::env::var("PLANTUNE_TEST_S3_USER").unwrap();
        let mut words = tool.split(' ');
        let mut command = Command::new(words.next().unwrap());
        let mut child = command
            .args(words)
            .arg(name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let policy = policy.replace("MACHINE", machine);
        child
            .stdin
            .take()
            .unwrap()
            .write_all(policy.as_bytes())
            .unwrap();
        let said = text(&child.wait_with_output().unwrap().stdout);
        let (key, secret) = said.trim().split_once(' ').unwrap();
        [
            ("AWS_ACCESS_KEY_ID", key.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", secret.to_owned()),
        ]
    }
}

/// Logs for the machine `number`: calls of its own, and one a day that all machines know.
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
        machine.log(&answered(
            &format!("of all {day}"),
            &format!("{day}T14:00:00Z"),
            30,
            "Create it",
        ));
    }
}

/// The report without the files.
fn figures(mut report: Value) -> Value {
    report["lake"] = Value::Null;
    report
}

/// How many files the reader finds.
fn files(reader: &Machine) -> u64 {
    reader.report()["lake"]["files"].as_u64().unwrap()
}

/// Kills a push when the store has its second file and has not said so yet.
fn killed_in_the_middle(reader: &Machine, machine: &Machine) {
    let before = files(reader);
    let mut push = machine
        .command(&["push"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while files(reader) < before + 2 {
        assert!(start.elapsed() < Duration::from_secs(120), "nothing came");
        sleep(Duration::from_millis(20));
    }
    push.kill().unwrap();
    push.wait().unwrap();
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
        let machines: Vec<Machine> = (0..MACHINES).map(member).collect();
        let reader = member(MACHINES);
        for (number, machine) in machines.iter().enumerate() {
            log(machine, number);
            if place == "store" && number == 3 {
                killed_in_the_middle(&reader, machine);
                machine.text(&["push"]);
            } else {
                let said = machine.text(&["push"]);
                assert!(said.contains("pushed 30 events in 3 files"), "{said}");
            }
            assert!(machine.text(&["push"]).starts_with("nothing new"));
        }
        let before = reader.report();
        assert_eq!(total(&before)["answered"], 5 * 3 * 4 + 3);
        assert_eq!(before["lake"]["files"], 15);
        // A day that changed is replaced, and so is the reader's copy.
        machines[4].log(&answered("late", "2026-11-16T15:00:00Z", 20, "Create it"));
        let said = machines[4].text(&["push"]);
        assert!(
            said.contains("in 1 file") && said.contains("deleted 1 file"),
            "{said}"
        );
        let after = reader.report();
        assert_eq!(total(&after)["answered"], 5 * 3 * 4 + 4);
        let copies = below(&reader.data().join("fleet"));
        let copies = copies
            .iter()
            .filter(|file| file.extension().is_some_and(|end| end == "parquet"));
        assert_eq!(copies.count(), if place == "store" { 15 } else { 0 });
        machines[4].text(&["forget", "--yes"]);
        assert_eq!(files(&reader), 12);
        reports.push((figures(before), figures(after)));
    }
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn the_policy_of_the_page_confines_a_machine_to_its_folder() {
    let Some(store) = Store::find() else { return };
    let fleet = Fleet::new();
    let member = |name: &str| store.member(&fleet, name, "confined");
    let (one, victim, reader) = (member("one"), member("victim"), member("reader"));
    for machine in [&one, &victim] {
        machine.log(&answered(
            machine.home.to_str().unwrap(),
            "2026-11-20T10:00:00Z",
            20,
            "Yes",
        ));
    }
    let own = store.user("one", "confined", &one.prefix());
    let as_one = |machine: &Machine, words: &[&str]| {
        let output = machine.command(words).envs(own.clone()).output().unwrap();
        (output.status.success(), text(&output.stderr))
    };
    // Nobody pushes for another machine.
    let (done, said) = as_one(&victim, &["push"]);
    assert!(!done && said.contains("docs/fleet.md"), "{said}");
    assert_eq!(files(&reader), 0);
    assert!(as_one(&one, &["push"]).0);
    victim.text(&["push"]);
    assert_eq!(files(&reader), 2);
    // Nor deletes what is another's: neither all of it nor a day that changed.
    let agreed = below(&victim.data().join("fleet"));
    let agreed = agreed
        .iter()
        .find(|file| file.ends_with("consent.json"))
        .unwrap();
    let before = fs::read(agreed).unwrap();
    let (done, said) = as_one(&victim, &["forget", "--yes"]);
    assert!(!done, "{said}");
    assert_eq!(files(&reader), 2);
    fs::write(agreed, before).unwrap();
    // Its own it may.
    let (done, said) = as_one(&one, &["forget", "--yes"]);
    assert!(done, "{said}");
    assert_eq!(files(&reader), 1);
}
