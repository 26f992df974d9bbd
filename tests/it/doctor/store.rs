//! What `doctor` reports on the store and the log: held, damaged, of other versions, with lines that are no events.

use std::fs;

use duckdb::AccessMode;
use plantune_domain::spool;

use super::home::{damage, deep, empty, ingest, installed, text_of};
use crate::world::{call_of, question};

#[test]
fn the_store_is_what_the_log_says() {
    let world = installed();
    let before = world.everything("", &[]);
    let (code, text) = deep(&world);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @"ok       tables: the store is what the log says");
    assert_eq!(world.everything("", &[]), before);
    // Only when it is asked for.
    assert!(!text_of(&world, &["doctor"]).1.contains(" tables: "));
}

#[test]
fn a_store_that_differs_from_the_log() {
    let world = installed();
    damage(
        &world,
        "UPDATE questions SET question_key = 'other' WHERE tool_use_id = 't1';
        INSERT INTO questions FROM questions WHERE tool_use_id = 't2';
        INSERT INTO sessions VALUES
            ('s9', 'interactive', 'p', '2026-11-19 10:00:00', '2026-11-19 10:00:00', NULL)",
    );
    let before = world.everything("", &[]);
    let (code, text) = deep(&world);
    assert_eq!(code, 1);
    insta::assert_snapshot!(text, @r#"
    FAILED   tables: questions differs from the log (rows: 3 instead of 2)
             t1 0: question_key is "other", not "k"
             t2 0: rows: 2 instead of 1
             run `plantune ingest --rebuild`: it computes the store again from the log
    FAILED   tables: sessions differs from the log (rows: 1 instead of 0)
             s9: the log makes no such row
             run `plantune ingest --rebuild`: it computes the store again from the log
    "#);
    assert_eq!(world.everything("", &[]), before);

    let (code, text) = text_of(&world, &["ingest", "--rebuild"]);
    assert_eq!((code, text.as_str()), (0, "2 events read\n"));
    assert_eq!(deep(&world).0, 0);
}

#[test]
fn a_store_that_cannot_be_compared() {
    let world = empty();
    insta::assert_snapshot!(deep(&world).1, @"note     tables: nothing to compare yet; `plantune ingest` computes the store from the log");
    let world = installed();
    damage(
        &world,
        "INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')",
    );
    let (code, text) = deep(&world);
    assert_eq!(code, 1);
    let known = format!("knows {} at", plantune_migrations::newest());
    insta::assert_snapshot!(text.replace(&known, "knows [newest] at"), @r"
    FAILED   tables: ROOT/data/plantune.duckdb: the store has schema version 99, and this plantune knows [newest] at most
             install the newest plantune; a newer one wrote this store, and it was left as it is
    ");
    damage(
        &world,
        "DELETE FROM migrations; INSERT INTO migrations VALUES (2, TIMESTAMP '2026-11-20')",
    );
    let (code, text) = deep(&world);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @"note     tables: nothing to compare yet; `plantune ingest` computes the store from the log");
    world.put(world.paths().store(), "no database ".repeat(2000));
    let (code, text) = deep(&world);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @"note     tables: not compared: the store is damaged");
}

#[test]
#[ignore = "takes long: make test-long"]
fn the_store_is_held_newer_older_or_broken() {
    let world = installed();
    let path = world.paths().store();
    let open = || plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    let held = open();
    let (status, message, _) = world.finding("store");
    assert_eq!(status, "warning");
    assert!(
        message.contains(&format!("(PID {})", std::process::id())),
        "{message}"
    );
    let (code, text) = deep(&world);
    assert_eq!(code, 0);
    assert!(text.starts_with("warning  tables: "), "{text}");
    assert!(text.contains("is in use by another process"), "{text}");

    held.execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')")
        .unwrap();
    held.close().unwrap();
    let (status, message, remedy) = world.finding("store");
    assert_eq!(status, "failed");
    assert!(message.contains("schema version 99"), "{message}");
    assert!(remedy.contains("newest plantune"));

    let older = open();
    older
        .execute_batch(
            "DELETE FROM migrations; INSERT INTO migrations VALUES (1, TIMESTAMP '2026-11-20')",
        )
        .unwrap();
    older.close().unwrap();
    let before = fs::read(&path).unwrap();
    let (status, message, _) = world.finding("store");
    assert_eq!(status, "note");
    assert!(message.contains("computes it again"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), before);

    world.put(&path, "no database ".repeat(2000));
    let before = fs::read(&path).unwrap();
    let (status, _, remedy) = world.finding("store");
    assert_eq!(status, "warning");
    assert!(remedy.contains("computes it again"), "{remedy}");
    assert_eq!(fs::read(&path).unwrap(), before);
    world.done(&["report"]);
    assert_eq!(world.finding("store").0, "ok");
}

#[test]
#[ignore = "takes long: make test-long"]
fn deleted_segments_are_named() {
    let world = installed();
    let now = "2026-11-18T10:00:00Z".parse().unwrap();
    let line = r#"{"v":1,"id":"00000000000000000000000000000009","ts":"2026-11-18T10:00:00.000Z","kind":"session_started","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook"}"#;
    spool::append(&world.paths(), now, format!("{line}\n").as_bytes()).unwrap();
    ingest(&world);
    for (day, words) in [("18", "1 event"), ("19", "2 events")] {
        let segment = format!("2026-11-{day}.jsonl");
        let path = world.paths().events().join(&segment);
        let kept = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let gone = format!("gone from the log: {segment}, with {words} of 2026-11-{day}");
        let said = world.doctor(&[]);
        assert!(said.contains(&gone), "{said}");
        for verb in [&["ingest", "--rebuild"][..], &["report"]] {
            let said = world.run(verb).stderr;
            assert!(
                said.contains(&format!("plantune: {gone}\n  hint: ")),
                "{verb:?}: {said}"
            );
            // Back, and gone again.
            plantune_domain::atomic_file::replace(&path, &kept, 0o600).unwrap();
            world.done(&["ingest"]);
            fs::remove_file(&path).unwrap();
        }
        plantune_domain::atomic_file::replace(&path, &kept, 0o600).unwrap();
        ingest(&world);
    }
    assert!(!world.doctor(&[]).contains("gone from the log"));
}

#[test]
fn what_was_logged_since_and_what_is_no_event() {
    let world = installed();
    let now = "2026-11-20T09:30:00Z".parse().unwrap();
    spool::append(&world.paths(), now, b"{\"v\":1,\n\x1b[31m\nnothing\n").unwrap();
    let (status, message, _) = world.finding("not_ingested");
    assert_eq!(status, "note");
    assert!(message.starts_with("22 bytes of the spool"), "{message}");
    ingest(&world);
    assert_eq!(world.finding("not_ingested").0, "ok");
    let found = world.findings("quarantine");
    let all: Vec<_> = found.iter().map(|found| found.1.as_str()).collect();
    assert_eq!(
        all,
        [
            "2 lines not JSON, last on 2026-11-20",
            "1 line torn off, last on 2026-11-20",
            "the latest lines, each kept as it was",
        ]
    );
    let latest: Vec<_> = found[2].2.lines().collect();
    assert_eq!(latest.len(), 4);
    assert!(
        latest[3].contains("plantune doctor --quarantine"),
        "{latest:?}"
    );
    assert!(
        latest[0].starts_with("2026-11-20.jsonl at byte 14 (7 bytes): not JSON"),
        "{latest:?}"
    );
}

#[test]
fn a_changed_preference_is_no_event_of_the_hooks() {
    let world = empty();
    let set = ["prefs", "set", "layout", "always-ask", "--force", "--yes"];
    world.done(&set);
    let says_so = || text_of(&world, &["doctor"]).1.contains(" last event: ");
    assert!(!says_so(), "by the segment");
    ingest(&world);
    assert!(!says_so(), "by the store");
    let call = call_of(
        "toolu_1",
        &[question("Which layout?", "Layout", &["Grid", "List"])],
    );
    world.hook("PreToolUse", call);
    assert!(says_so());
    ingest(&world);
    assert!(says_so());
}
