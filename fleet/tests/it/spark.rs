//! The report on Apache Spark beside DuckDB, over one lake. Needs a Spark Connect server: `make fleet-spark-test` starts
//! one.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chance::Chance;
use crate::home::{Fleet, Machine, below, part, random_log, random_prompts, text, total};

/// How far quotients may lie apart.
const TOLERANCE: f64 = 1e-9;

/// The Spark Connect server that the environment names.
fn server() -> Option<String> {
    let server = std::env::var("PLANTUNE_SPARK_CONNECT").ok();
    if server.is_none() {
        println!(
            "skipped: PLANTUNE_SPARK_CONNECT names no server (make fleet-spark-test starts one)"
        );
    }
    server
}

/// A lake of five machines, which know different things of what happened to the same calls; in it some files are copied
/// to another machine's folder.
fn odd_lake(seed: u64, calls: u64) -> (Fleet, Machine) {
    let fleet = Fleet::new();
    let mut random = Chance::new(seed);
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
    // What is pushed twice, by a machine that lost its name: another folder with the same rows.
    let lake = fleet.lake();
    let theirs = lake.join(machines[1].prefix());
    for file in below(&theirs) {
        let copy = file.to_str().unwrap().replace("/machine=", "/machine=0");
        fs::create_dir_all(std::path::Path::new(&copy).parent().unwrap()).unwrap();
        fs::copy(&file, copy).unwrap();
    }
    machines[0].configure("k = 2");
    let ordinary = machines[0].config().with_file_name("config.toml");
    fs::write(ordinary, "[report]\naway_after_minutes = 1\n").unwrap();
    (fleet, machines.swap_remove(0))
}

/// A call of the report on Spark.
fn on_spark(machine: &Machine, server: &str) -> Command {
    let mut command = machine.command(&[
        "report",
        "--since",
        "2000-01-01",
        "--json",
        "--engine",
        "spark",
        "--connect",
        server,
    ]);
    if let Some(token) = std::env::var_os("PLANTUNE_FLEET_SPARK_TOKEN") {
        command.env("PLANTUNE_FLEET_SPARK_TOKEN", token);
    }
    command
}

fn report_on_spark(machine: &Machine, server: &str) -> Value {
    let output = on_spark(machine, server).output().unwrap();
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
            assert_eq!(one.len(), other.len(), "{what}");
            for (name, value) in one {
                assert_same(value, &other[name], &format!("{what} {name}"));
            }
        }
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            let most = TOLERANCE * one.abs().max(other.abs()).max(1.0);
            assert!((one - other).abs() <= most, "{what}: {one} {other}");
        }
        _ => assert_eq!(one, other, "{what}"),
    }
}

#[test]
fn a_report_finds_the_same_rows_on_both_engines() {
    let Some(server) = server() else { return };
    let (_fleet, machine) = odd_lake(1, 60);
    let expected = machine.report();
    let start = Instant::now();
    let found = report_on_spark(&machine, &server);
    println!("{:?} on Spark", start.elapsed());
    assert_same(&expected, &found, "report");
    // The lake is as odd as it should be.
    assert!(total(&expected)["times"].as_u64().unwrap() > 50);
    assert!(part(&expected, "question").len() > 3 && part(&expected, "tool").len() > 1);
}

#[test]
fn the_server_lets_in_whom_it_knows() {
    let Some(server) = server() else { return };
    let (_fleet, machine) = odd_lake(5, 4);
    if std::env::var_os("PLANTUNE_FLEET_SPARK_TOKEN").is_some() {
        for wrong in ["", "wrong"] {
            let mut command = on_spark(&machine, &server);
            let output = command
                .env("PLANTUNE_FLEET_SPARK_TOKEN", wrong)
                .output()
                .unwrap();
            let said = text(&output.stderr);
            assert!(
                output.status.code() == Some(4) && said.contains("_SPARK_TOKEN"),
                "{said}"
            );
        }
    }
    if let Ok(server) = std::env::var("PLANTUNE_SPARK_TLS") {
        let certificate = std::env::var_os("PLANTUNE_SPARK_CERTIFICATE").unwrap();
        let mut command = on_spark(&machine, &server);
        let output = command.env("SSL_CERT_FILE", &certificate).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let found = serde_json::from_slice(&output.stdout).unwrap();
        assert_same(&machine.report(), &found, "report");
        // Nobody that the machine trusts vouches for it.
        let output = on_spark(&machine, &server).output().unwrap();
        let said = text(&output.stderr);
        assert!(
            !output.status.success() && said.contains("ertificate"),
            "{said}"
        );
    }
}

#[test]
fn a_server_that_cannot_be_used_is_named() {
    let fleet = Fleet::new();
    let machine = fleet.member("one", &[]);
    machine.log(&crate::home::answered(
        "a",
        "2026-11-20T10:00:00Z",
        20,
        "Create it",
    ));
    machine.text(&["push"]);
    for (connect, token, code, words) in [
        ("spark.example", "", 2, "sc://HOST:PORT"),
        (
            "sc://a.example/;use_ssl=true;token=dapi123",
            "",
            2,
            "_SPARK_TOKEN",
        ),
        ("sc://spark.example", "dapi123", 4, "use_ssl=true"),
        // Nothing listens at the first port.
        ("sc://127.0.0.1:1", "", 1, "Spark Connect server"),
    ] {
        let mut command = on_spark(&machine, connect);
        let output = command
            .env("PLANTUNE_FLEET_SPARK_TOKEN", token)
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert!(
            output.status.code() == Some(code) && said.contains(words),
            "{said}"
        );
        assert!(!said.contains("dapi123"), "{said}");
    }
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
    assert!(
        Command::new("kill")
            .arg("-KILL")
            .args(processes)
            .status()
            .unwrap()
            .success()
    );
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
    let expected = machine.report();
    let usual = Instant::now();
    report_on_spark(&machine, &server);
    let usual = usual.elapsed();
    let start = Instant::now();
    let mut command = on_spark(&machine, &server);
    let mut report = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // In the middle: the one before may have taken twice as long, as the cluster had just begun.
    sleep(usual.mul_f64(0.25).max(Duration::from_secs(2)));
    assert!(report.try_wait().unwrap().is_none(), "it is done already");
    kill_tree(worker.parse().unwrap());
    let killed = start.elapsed();
    let output = report.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_same(
        &expected,
        &serde_json::from_slice(&output.stdout).unwrap(),
        "report",
    );
    println!(
        "{:?}, a worker killed after {killed:?}; {usual:?} without",
        start.elapsed()
    );
}
