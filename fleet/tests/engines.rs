//! The report on Apache Spark beside DuckDB, over one lake: query by query, and as a whole. Needs a Spark Connect
//! server: `make fleet-spark-test` starts one.

#![cfg(feature = "spark")]
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
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use home::random::{Random, random_log, random_prompts};
use home::{Fleet, Machine, text};
use serde_json::Value;

/// How far quotients may lie apart.
const TOLERANCE: f64 = 1e-9;

/// The Spark Connect server that the environment names.
fn server() -> Option<String> {
    let server = std::env::var("PLANTUNE_SPARK_CONNECT").ok();
    let server = server.filter(|server| !server.is_empty());
    if server.is_none() {
        println!(
            "skipped: PLANTUNE_SPARK_CONNECT names no server (make fleet-spark-test starts one)"
        );
    }
    server
}

/// A lake of five machines: of what happened to the same calls they know different things; one wants a project
/// forgotten, one everything, one has published twice.
fn odd_lake(seed: u64, calls: u64) -> (Fleet, Machine) {
    let fleet = Fleet::new();
    let mut random = Random(seed);
    let levels = ["none", "keys-and-labels", "full", "none", "keys-and-labels"];
    let mut machines = Vec::new();
    for (number, level) in levels.iter().enumerate() {
        let machine = fleet.member(&format!("m{number}"), &["--level", level]);
        let mut events = random_log(&mut random, calls);
        events.extend(random_prompts(&mut random, calls / 2));
        for event in &mut events {
            // Nothing that describes a question need be there.
            match random.below(40) {
                0 => event.project = "".into(),
                1 => event.key_source = None,
                2 => event.skill = Some("ship".into()),
                3 => event.question_count = None,
                4 => event.followed_recommendation = None,
                5 => event.was_auto_decided = None,
                6 => event.error_kind = None,
                7 => event.session_kind = "".into(),
                8 => event.answer = None,
                9 => event.question_key = Some("gr\u{fc}n-'key' % _\u{1f4a1}".into()),
                _ => {}
            }
        }
        machine.log(&events);
        machine.text(&["push"]);
        machines.push(machine);
    }
    machines[1].lose_journal();
    machines[1].text(&["push"]);
    let text = fs::read_to_string(machines[2].config()).unwrap();
    fs::write(
        machines[2].config(),
        text.replace("exclude = []", "exclude = ['b']"),
    )
    .unwrap();
    machines[2].text(&["forget", "--project", "b", "--yes"]);
    machines[3].text(&["forget", "--everything", "--yes"]);
    machines[4].text(&["compact", "--day", "2026-11-05"]);
    (fleet, machines.swap_remove(0))
}

/// A call of the report on Spark.
fn on_spark(machine: &Machine, server: &str, more: &[&str]) -> Command {
    let words = [
        "report",
        "--since",
        "2000-01-01",
        "--json",
        "--engine",
        "spark",
        "--connect",
        server,
    ];
    let mut command = machine.command(&[&words, more].concat());
    if let Some(token) = std::env::var_os("PLANTUNE_FLEET_SPARK_TOKEN") {
        command.env("PLANTUNE_FLEET_SPARK_TOKEN", token);
    }
    command
}

fn report_on_spark(machine: &Machine, server: &str, more: &[&str]) -> Value {
    let output = on_spark(machine, server, more).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asserts that two values are the same: numbers with a fraction nearly, all else exactly.
fn assert_same(one: &Value, other: &Value, what: &str) {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len(), "{what}");
            for (place, (one, other)) in one.iter().zip(other).enumerate() {
                assert_same(one, other, &format!("{what} {place}"));
            }
        }
        (Value::Object(one), Value::Object(other)) => {
            let names = |object: &serde_json::Map<String, Value>| -> Vec<String> {
                object.keys().cloned().collect()
            };
            assert_eq!(names(one), names(other), "{what}");
            for (name, value) in one {
                assert_same(value, &other[name], &format!("{what} {name}"));
            }
        }
        (Value::Number(one), Value::Number(other)) if one.is_f64() && other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            let most = TOLERANCE * one.abs().max(other.abs()).max(1.0);
            assert!((one - other).abs() <= most, "{what}: {one} {other}");
        }
        _ => assert_eq!(one, other, "{what}"),
    }
}

/// What an engine recorded: each table and query, in order. The rows of tables have no order.
fn recorded(file: &std::path::Path) -> Vec<(String, Value)> {
    let text = fs::read_to_string(file).unwrap();
    let records = text.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let query = record["query"].as_str().unwrap().to_owned();
        let rows = record["rows"].as_array_mut().unwrap();
        if !query.contains(' ') {
            rows.sort_by_key(ToString::to_string);
        }
        (query, record["rows"].take())
    });
    records.collect()
}

/// A report without what differs: how an engine words what is wrong with a file.
fn comparable(report: &Value) -> Value {
    let mut report = report.clone();
    let skipped = report["lake"]["skipped"].as_array_mut().unwrap();
    for file in skipped.iter_mut() {
        let why = file["why"].as_str().unwrap();
        let why = why.split(':').next().unwrap().to_owned();
        file["why"] = why.into();
    }
    skipped.sort_by_key(ToString::to_string);
    report
}

/// Damages some of a lake's files: a footer that is cut off, pages that are overwritten, a file that is gone,
/// somebody else's.
fn damage(fleet: &Fleet) {
    let files = fleet.files();
    let whole = fs::read(&files[0]).unwrap();
    fs::write(&files[0], &whole[..whole.len() / 2]).unwrap();
    let mut pages = fs::read(&files[1]).unwrap();
    pages[4..400].fill(0xa5);
    fs::write(&files[1], pages).unwrap();
    fs::remove_file(&files[2]).unwrap();
    fs::write(files[3].with_file_name("_SUCCESS"), "").unwrap();
}

#[test]
fn every_query_finds_the_same_rows_on_both_engines() {
    let Some(server) = server() else { return };
    let (fleet, machine) = odd_lake(1, 60);
    damage(&fleet);
    machine.configure("k = 2\naway_after_minutes = 1");
    let (duckdb, spark) = (
        machine.home.join("duckdb.jsonl"),
        machine.home.join("spark.jsonl"),
    );
    let words = ["report", "--since", "2000-01-01", "--json", "--record"];
    let said = machine.text(&[&words[..], &[duckdb.to_str().unwrap()]].concat());
    let expected: Value = serde_json::from_str(&said).unwrap();
    let start = Instant::now();
    let found = report_on_spark(&machine, &server, &["--record", spark.to_str().unwrap()]);
    println!("{:?} on Spark", start.elapsed());
    let (of_duckdb, of_spark) = (recorded(&duckdb), recorded(&spark));
    assert_eq!(of_duckdb.len(), of_spark.len());
    for (one, other) in of_duckdb.iter().zip(&of_spark) {
        assert_eq!(one.0, other.0);
        assert_same(&one.1, &other.1, &one.0);
    }
    assert_same(&comparable(&expected), &comparable(&found), "report");
    // The lake is as odd as it should be.
    let rows = |name: &str| {
        let (_, rows) = of_duckdb.iter().find(|(query, _)| query == name).unwrap();
        rows.as_array().unwrap().len()
    };
    assert!(rows("questions") > 50 && rows("prompts") > 20 && rows("each_event") > 300);
    assert!(expected["totals"]["questions"].as_u64().unwrap() > 50);
    assert!(!expected["permissions"].is_null());
    let lake = &expected["lake"];
    assert!(lake["rows"].as_u64() > lake["events"].as_u64(), "{lake}");
    let skipped = lake["skipped"].as_array().unwrap();
    assert!(
        skipped.len() == 3 && lake["missing_files"].as_u64() > Some(0),
        "{lake}"
    );
}

#[test]
fn a_compaction_meanwhile_changes_nothing() {
    let Some(server) = server() else { return };
    let (fleet, machine) = odd_lake(3, 30);
    machine.configure("k = 1");
    let expected = machine.report();
    let before = fleet.files().len();
    let report = on_spark(&machine, &server, &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(1));
    machine.text(&["compact"]);
    let output = report.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for part in [
        "totals",
        "weeks",
        "questions",
        "askers",
        "session_kinds",
        "errors",
        "permissions",
    ] {
        assert_same(&expected[part], &found[part], part);
    }
    assert!(fleet.files().len() < before);
}

#[test]
fn the_server_lets_in_whom_it_knows() {
    let Some(server) = server() else { return };
    let Some(token) = std::env::var("PLANTUNE_FLEET_SPARK_TOKEN").ok() else {
        println!("skipped: PLANTUNE_FLEET_SPARK_TOKEN is not set, so the server lets everybody in");
        return;
    };
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    let with_token = |token: Option<&str>| {
        let mut command = on_spark(&machine, &server, &[]);
        command.env_remove("PLANTUNE_FLEET_SPARK_TOKEN");
        if let Some(token) = token {
            command.env("PLANTUNE_FLEET_SPARK_TOKEN", token);
        }
        let output = command.output().unwrap();
        (output.status.code().unwrap(), text(&output.stderr))
    };
    for wrong in [None, Some("wrong")] {
        let (code, said) = with_token(wrong);
        assert!(code == 4 && said.contains("token_file"), "{code} {said}");
    }
    // From a file that fleet.toml names.
    fs::write(
        machine.config().with_file_name("spark.token"),
        format!("{token}\n"),
    )
    .unwrap();
    machine.configure(&format!("connect = '{server}'\ntoken_file = 'spark.token'"));
    let said = machine.text(&["report", "--engine", "spark", "--since", "2026-01-01"]);
    assert!(said.contains("nothing is shown"), "{said}");
}

#[test]
fn a_server_is_reached_through_tls_where_its_certificate_is_known() {
    let Some(server) = std::env::var("PLANTUNE_SPARK_TLS").ok() else {
        println!("skipped: PLANTUNE_SPARK_TLS names no server");
        return;
    };
    let (_fleet, machine) = odd_lake(5, 4);
    machine.configure("k = 1");
    let certificate = std::env::var_os("PLANTUNE_SPARK_CERTIFICATE").unwrap();
    let mut command = on_spark(&machine, &server, &[]);
    let output = command.env("SSL_CERT_FILE", &certificate).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_same(&machine.report(), &found, "report");
    // Nobody that the machine trusts vouches for it.
    let output = on_spark(&machine, &server, &[]).output().unwrap();
    let said = text(&output.stderr);
    assert!(
        !output.status.success() && said.contains("ertificate"),
        "{said}"
    );
}

/// Kills a process and its children, and theirs, at once.
fn kill_tree(process: u32) {
    let mut processes = vec![process];
    let mut place = 0;
    while let Some(parent) = processes.get(place).copied() {
        for entry in fs::read_dir("/proc").unwrap() {
            let stat = fs::read_to_string(entry.unwrap().path().join("stat")).unwrap_or_default();
            let Some((start, rest)) = stat.rsplit_once(") ") else {
                continue;
            };
            let words: Vec<&str> = rest.split(' ').collect();
            if words[1] == parent.to_string() {
                processes.push(start.split(' ').next().unwrap().parse().unwrap());
            }
        }
        place += 1;
    }
    assert!(processes.len() > 1, "worker {process} has no executor");
    let processes = processes.iter().map(ToString::to_string);
    let status = Command::new("kill")
        .arg("-KILL")
        .args(processes)
        .status()
        .unwrap();
    assert!(status.success());
}

fn is_running(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_none()
}

// The last by name: it costs the cluster a worker.
#[test]
fn z_a_worker_that_is_killed_meanwhile_changes_nothing() {
    let Some(server) = server() else { return };
    let Some(worker) = std::env::var("PLANTUNE_SPARK_WORKER").ok() else {
        println!("skipped: PLANTUNE_SPARK_WORKER names no process of a worker");
        return;
    };
    let (_fleet, machine) = odd_lake(4, 60);
    machine.configure("k = 1");
    let expected = machine.report();
    let record = machine.home.join("record.jsonl");
    let start = Instant::now();
    let mut report = on_spark(&machine, &server, &["--record", record.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // In the middle: what is kept for all queries is computed, and some of them are done.
    let done = || {
        fs::read_to_string(&record)
            .unwrap_or_default()
            .lines()
            .count()
    };
    while done() < 8 {
        assert!(is_running(&mut report));
        std::thread::sleep(Duration::from_millis(50));
    }
    kill_tree(worker.parse().unwrap());
    let killed = start.elapsed();
    assert!(is_running(&mut report));
    let output = report.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_same(&expected, &found, "report");
    println!("{:?}, a worker killed after {killed:?}", start.elapsed());
}
