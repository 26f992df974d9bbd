//! `compare`: a store that somebody changed. What differs from the log is found and named, nothing is
//! changed by looking, and computing the store again repairs it.

use std::fs;

use plantune_domain::event::Kind;
use plantune_ingest::{Error, compare};

use crate::home::{Home, TestEvent, assert_same, ingest, put};

/// Three questions: answered, failed, and one whose session went on. A row at least in every table.
fn filled() -> Home {
    let home = Home::new();
    home.log(
        "2026-11-19.jsonl",
        &[
            TestEvent::new(Kind::SessionStarted, 0, "2026-11-19T09:00:00Z"),
            TestEvent::new(Kind::Asked, 1, "2026-11-19T10:00:00Z"),
            TestEvent::new(Kind::Answered, 1, "2026-11-19T10:00:08Z"),
            TestEvent::new(Kind::Asked, 2, "2026-11-19T11:00:00Z"),
            TestEvent::new(Kind::Failed, 2, "2026-11-19T11:00:01Z"),
            TestEvent::new(Kind::HookError, 0, "2026-11-19T11:30:00Z"),
            TestEvent::new(Kind::PreferenceChanged, 0, "2026-11-19T11:40:00Z"),
        ],
    );
    home.append("2026-11-19.jsonl", b"no event\n");
    home.ingest("UTC");
    home.log(
        "2026-11-20.jsonl",
        &[
            TestEvent::new(Kind::Asked, 3, "2026-11-20T08:00:00Z"),
            TestEvent::new(Kind::SessionEnded, 0, "2026-11-20T09:00:00Z"),
        ],
    );
    home.ingest("UTC");
    home
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_changed_row_is_named_with_its_column() {
    let home = filled();
    let before = home.dump();
    let store = fs::read(home.paths().store()).unwrap();
    let offset = fs::metadata(home.segment("2026-11-19.jsonl"))
        .unwrap()
        .len()
        - 9;
    let id = |table: &str| {
        home.texts(&format!("SELECT id::VARCHAR FROM {table}"))
            .remove(0)
    };
    let (change, error) = (id("preference_changes"), id("hook_errors"));
    for (sql, relation, rows) in [
        (
            "UPDATE questions SET outcome = 'open' WHERE tool_use_id = 'toolu_3'",
            "questions",
            r#"toolu_3 0: outcome is "open", not "dismissed""#.to_owned(),
        ),
        (
            "UPDATE questions SET answer_name = 'No', header = NULL WHERE tool_use_id = 'toolu_1'",
            "questions",
            r#"toolu_1 0: answer_name is "No", not "Yes"; header is null, not "Header""#.to_owned(),
        ),
        (
            "UPDATE sessions SET ended_at = NULL",
            "sessions",
            r#"session: ended_at is null, not "2026-11-20 09:00:00""#.to_owned(),
        ),
        (
            "UPDATE preference_changes SET project = 'mine'",
            "preference_changes",
            format!(r#"{change}: project is "mine", not "shop""#),
        ),
        (
            "UPDATE hook_errors SET day = DATE '2026-11-18'",
            "hook_errors",
            format!(r#"{error}: day is "2026-11-18", not "2026-11-19""#),
        ),
        (
            "UPDATE quarantine SET reason = 'none'",
            "quarantine",
            format!(
                r#"2026-11-19.jsonl {offset}: reason is "none", not "not JSON: expected ident (column 2)""#
            ),
        ),
    ] {
        home.tamper(sql);
        let tampered = home.dump();
        let found = home.differences();
        assert_same(&home.dump(), &tampered);
        assert_eq!(home.files(), ["plantune.duckdb"]);
        let [found] = &found[..] else {
            panic!("{sql}: {found:?}");
        };
        assert_eq!(
            (found.relation.as_str(), found.rows.join("\n")),
            (relation, rows),
            "{sql}"
        );
        assert_eq!(found.stored, found.computed);
        let mut writer = home.writer("UTC");
        writer.discard();
        ingest(&mut writer);
        drop(writer);
        assert_same(&home.dump(), &before);
        put(&home.paths().store(), &store);
    }
}

#[test]
fn rows_too_many_and_too_few_are_counted() {
    let tables = [
        ("questions", 3),
        ("sessions", 1),
        ("preference_changes", 1),
        ("hook_errors", 1),
        ("quarantine", 1),
    ];
    let home = filled();
    let store = fs::read(home.paths().store()).unwrap();
    for (table, rows) in tables {
        for (sql, stored, words) in [
            (
                format!("DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"),
                rows - 1,
                "a row that only the log makes",
            ),
            (
                format!(
                    "INSERT INTO {table} FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"
                ),
                rows + 1,
                "rows: 2 instead of 1",
            ),
        ] {
            home.tamper(&sql);
            let found = home.differences();
            let [found] = &found[..] else {
                panic!("{sql}: {found:?}");
            };
            assert_eq!(
                (found.relation.as_str(), found.stored, found.computed),
                (table, stored, rows)
            );
            assert!(
                found.rows.len() == 1 && found.rows.concat().ends_with(words),
                "{found:?}"
            );
            put(&home.paths().store(), &store);
        }
    }
}

#[test]
fn a_good_store_has_no_differences() {
    let home = Home::new();
    home.ingest("Europe/Berlin");
    assert_eq!(home.differences(), []);
    let home = filled();
    assert_eq!(home.differences(), []);
    // What was logged since is not missing.
    home.log(
        "2026-11-20.jsonl",
        &[TestEvent::new(Kind::Answered, 3, "2026-11-20T09:10:00Z")],
    );
    home.log(
        "2026-11-21.jsonl",
        &[TestEvent::new(Kind::Asked, 4, "2026-11-21T09:00:00Z")],
    );
    home.append("2026-11-21.jsonl", b"bad\n");
    assert_eq!(home.differences(), []);
    home.ingest("UTC");
    home.assert_computed("UTC");
}

#[test]
fn a_bad_line_has_the_day_of_its_segment() {
    let home = Home::new();
    let day = |text: &str| {
        let time: chrono::DateTime<chrono::Utc> = text.parse().unwrap();
        let file = fs::File::open(home.segment("other.jsonl")).unwrap();
        file.set_modified(time.into()).unwrap();
    };
    home.append("2026-11-19.jsonl", b"bad\n");
    home.append("other.jsonl", b"bad\n");
    day("2026-11-01T23:59:00Z");
    home.ingest("Europe/Berlin");
    let days = "SELECT concat(segment, ' ', day) FROM quarantine ORDER BY ALL";
    let expected = ["2026-11-19.jsonl 2026-11-19", "other.jsonl 2026-11-01"];
    assert_eq!(home.texts(days), expected);
    // Its line is as old as it was, when the file has grown.
    home.append("other.jsonl", b"\n\n");
    day("2026-11-02T10:00:00Z");
    home.ingest("Europe/Berlin");
    assert_eq!(home.texts(days), expected);
    assert_eq!(home.differences(), []);
}

#[test]
fn only_a_store_of_this_version_is_compared() {
    let home = Home::new();
    assert!(compare(&home.paths()).unwrap().is_none());
    let home = filled();
    home.tamper("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
    let newer = compare(&home.paths()).err();
    assert!(matches!(newer, Some(Error::Newer(_))), "{newer:?}");
    home.tamper(
        "DELETE FROM migrations; INSERT INTO migrations VALUES (4, TIMESTAMP '2026-11-20')",
    );
    assert!(compare(&home.paths()).unwrap().is_none());
    put(&home.paths().store(), &[7; 40_000]);
    let broken = compare(&home.paths()).err();
    assert!(matches!(broken, Some(Error::Broken(_))), "{broken:?}");
}
