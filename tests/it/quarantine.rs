//! The quarantine: the built binary on a log with lines that are no events.

use plantune_domain::spool;
use serde_json::Value;

use crate::world::World;

fn log(world: &World, bytes: impl AsRef<[u8]>) {
    let now = "2026-11-20T09:00:00Z".parse().unwrap();
    spool::append(&world.paths(), now, bytes.as_ref()).unwrap();
}

fn output(world: &World, words: &[&str]) -> String {
    let text = world.stdout_of(words);
    let acts = |c: char| c.is_control() && c != '\n';
    assert!(
        !text.contains(acts) && !text.contains('\u{202e}'),
        "{text:?}"
    );
    text
}

fn json_of(world: &World, words: &[&str]) -> Value {
    serde_json::from_str(&output(world, words)).unwrap()
}

fn line(version: u32, number: u32) -> String {
    format!(
        r#"{{"v":{version},"id":"{number:032x}","ts":"2026-11-20T09:00:00.000Z","kind":"asked","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k","key_source":"marker","question":"Q?","door":"two-way"}}"#
    ) + "\n"
}

#[test]
fn nothing_there() {
    let world = World::at("work");
    assert!(output(&world, &["doctor", "--quarantine"]).contains("is empty"));
    log(&world, line(1, 1));
    assert!(
        !world
            .run(&["doctor", "--fix"])
            .stdout
            .contains("event read")
    );
    let listed = json_of(&world, &["doctor", "--quarantine", "--json"]);
    assert_eq!(
        (&listed["total"], listed["lines"].as_array().unwrap().len()),
        (&0.into(), 0)
    );
}

#[test]
fn hostile_lines() {
    let world = World::at("work");
    log(&world, line(1, 1));
    log(&world, b"\x1b]0;owned\x07\x1b[2J\xe2\x80\xae gnp.exe\n");
    log(
        &world,
        b"{\"v\":1,\"kind\":\"asked\",\"ts\":\"x\",\"id\":\"\\u001b[31m\"}\n",
    );
    log(&world, [&[0; 5000][..], b"\n"].concat());
    log(&world, line(7, 2));
    insta::assert_snapshot!(output(&world, &["doctor", "--quarantine"]));
    let listed = json_of(&world, &["doctor", "--quarantine", "--json"]);
    assert_eq!(
        (&listed["schema_version"], &listed["total"]),
        (&1.into(), &4.into())
    );
    let lines = listed["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 4);
    let names: Vec<&String> = lines[1].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["day", "excerpt", "length", "offset", "reason", "segment"]
    );
    assert_eq!(lines[1]["day"], "2026-11-20");
    assert_eq!(lines[1]["segment"], "2026-11-20.jsonl");
    assert_eq!(lines[1]["length"], 5000);
    assert_eq!(
        lines[2]["reason"],
        "not an event: id \"\\u{1b}[31m\" is not 32 hexadecimal digits"
    );
    let doctor = world.run(&["doctor"]).stdout;
    assert!(doctor.contains("`plantune doctor --fix`"), "{doctor}");
    assert!(
        doctor.contains("`plantune doctor --quarantine` shows them"),
        "{doctor}"
    );
}

/// The line of `doctor --fix` about the log, before it checks everything.
fn read_again(world: &World) -> String {
    let said = world.run(&["doctor", "--fix"]).stdout;
    said.lines().next().unwrap().to_owned()
}

/// How many questions the report counts.
fn questions(world: &World) -> Value {
    let report = json_of(world, &["report", "--json"]);
    report["totals"]["questions"].clone()
}

#[test]
fn retry_after_an_update() {
    let world = World::at("work");
    log(&world, line(1, 1) + &line(1, 2) + "{torn\n");
    output(&world, &["ingest"]);
    // As a version would have left it that did not know such events.
    let store = plantune_migrations::open(&world.paths().store(), duckdb::AccessMode::ReadWrite);
    let store = store.unwrap();
    store
        .execute_batch(
            "DELETE FROM questions;
            INSERT INTO quarantine
            SELECT '2026-11-20.jsonl', n, 9, '2026-11-20', 'schema version 1 (this plantune knows 0)', 'x'::BLOB
            FROM range(2) AS lines(n)",
        )
        .unwrap();
    store.close().unwrap();
    assert_eq!(questions(&world), 0);
    assert_eq!(
        read_again(&world),
        "2 events read, 1 line that is no event (kept; see `plantune doctor --quarantine`)"
    );
    assert_eq!(questions(&world), 2);
    assert_eq!(
        read_again(&world),
        "2 events read, 1 line that is no event (kept; see `plantune doctor --quarantine`)"
    );
    assert_eq!(questions(&world), 2);
    let list = output(&world, &["doctor", "--quarantine"]);
    assert!(list.contains("{torn"), "{list}");
}

#[test]
fn retry_after_a_repair() {
    let world = World::at("work");
    log(&world, line(1, 1) + "{torn\n");
    output(&world, &["ingest"]);
    let segment = world.paths().events().join("2026-11-20.jsonl");
    world.put(&segment, line(1, 1) + &line(1, 2));
    let ran = world.run(&["doctor", "--fix"]);
    assert!(ran.stdout.starts_with("2 events read\n"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("the log changed (2026-11-20.jsonl)"),
        "{}",
        ran.stderr
    );
    assert_eq!(questions(&world), 2);
}
