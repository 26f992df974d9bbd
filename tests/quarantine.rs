//! `plantune quarantine`: the built binary on a log with lines that are no events.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

use std::fs;
use std::process::{Command, Stdio};

use plantune_domain::paths::Paths;
use plantune_domain::spool;
use serde_json::Value;
use tempfile::TempDir;

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn paths(&self) -> Paths {
        Paths::below(self.0.path().join("data"))
    }

    fn log(&self, bytes: &[u8]) {
        let now = "2026-11-20T09:00:00Z".parse().unwrap();
        spool::append(&self.paths(), now, bytes).unwrap();
    }

    /// Exit code, standard output and standard error.
    fn run(&self, words: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_plantune"))
            .args(words)
            .env_clear()
            .env("HOME", self.0.path())
            .env("PLANTUNE_HOME", self.paths().data())
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    fn told(&self, words: &[&str]) -> String {
        let (code, told, errors) = self.run(words);
        assert_eq!((code, errors.as_str()), (0, ""));
        let acts = |c: char| c.is_control() && c != '\n';
        assert!(
            !told.contains(acts) && !told.contains('\u{202e}'),
            "{told:?}"
        );
        told
    }
}

fn line(version: u32, number: u32) -> String {
    format!(
        r#"{{"v":{version},"id":"{number:032x}","ts":"2026-11-20T09:00:00.000Z","kind":"asked","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook"}}"#
    ) + "\n"
}

#[test]
fn nothing_there() {
    let home = Home::new();
    assert!(home.told(&["quarantine", "list"]).contains("is empty"));
    assert!(
        home.told(&["quarantine", "retry"])
            .contains("nothing was ever logged")
    );
    assert!(!home.paths().data().exists());
    home.log(line(1, 1).as_bytes());
    assert!(home.told(&["quarantine", "retry"]).contains("is empty"));
    let json: Value = serde_json::from_str(&home.told(&["quarantine", "list", "--json"])).unwrap();
    assert_eq!(
        (&json["total"], json["lines"].as_array().unwrap().len()),
        (&0.into(), 0)
    );
}

#[test]
fn hostile_lines_are_listed_and_do_nothing() {
    let home = Home::new();
    home.log(line(1, 1).as_bytes());
    home.log(b"\x1b]0;owned\x07\x1b[2J\xe2\x80\xae gnp.exe\n");
    home.log(b"{\"v\":1,\"kind\":\"asked\",\"ts\":\"x\",\"id\":\"\\u001b[31m\"}\n");
    home.log(&[&[0; 5000][..], b"\n"].concat());
    home.log(line(7, 2).as_bytes());
    insta::assert_snapshot!(home.told(&["quarantine", "list"]));
    let text = home.told(&["quarantine", "list", "--limit", "1"]);
    assert!(text.contains("… and 3 more: --limit 4"), "{text}");
    let json: Value = serde_json::from_str(&home.told(&["quarantine", "list", "--json"])).unwrap();
    assert_eq!(
        (&json["schema_version"], &json["total"]),
        (&1.into(), &4.into())
    );
    let lines = json["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[1]["length"], 5000);
    assert_eq!(
        lines[2]["reason"],
        "not an event: id \"\\u{1b}[31m\" is not 32 hexadecimal digits"
    );
    let doctor = home.run(&["doctor"]).1;
    assert!(
        doctor.contains("then run `plantune quarantine retry`"),
        "{doctor}"
    );
    assert!(
        doctor.contains("run `plantune quarantine list`"),
        "{doctor}"
    );
    assert_eq!(home.run(&["quarantine", "list", "--limit", "0"]).0, 2);
}

#[test]
fn after_an_update_what_is_known_now_comes_in_once() {
    let home = Home::new();
    home.log(line(1, 1).as_bytes());
    home.log(b"{torn\n");
    home.told(&["ingest"]);
    // As an older version would have left it.
    let store = plantune_migrations::open(&home.paths().store(), duckdb::AccessMode::ReadWrite);
    let store = store.unwrap();
    for number in [1, 2] {
        let sql = "INSERT INTO quarantine SELECT $1, 'gone.jsonl', 7,
            'schema version 1 (this plantune knows 0)', bytes, octet_length(bytes), TIMESTAMP '2026-11-19'
            FROM (SELECT $2::BLOB AS bytes)";
        let (id, line) = (format!("q{number}"), line(1, number));
        store
            .execute(sql, duckdb::params![id, line.trim_end().as_bytes()])
            .unwrap();
    }
    store.close().unwrap();
    insta::assert_snapshot!(home.told(&["quarantine", "retry"]), @r"
    lines taken out of quarantine: 2; events that came in: 1, known already: 1
    1 stays:
           1  not JSON: key must be a string
    `plantune quarantine list` shows them; `plantune doctor` says what they mean
    ");
    insta::assert_snapshot!(home.told(&["quarantine", "retry"]), @r"
    lines taken out of quarantine: 0; events that came in: 0, known already: 0
    1 stays:
           1  not JSON: key must be a string
    `plantune quarantine list` shows them; `plantune doctor` says what they mean
    ");
    let list = home.told(&["quarantine", "list"]);
    assert!(
        !list.contains("gone.jsonl") && list.contains("{torn"),
        "{list}"
    );
    // Which the spool knows as well.
    fs::remove_file(home.paths().store()).unwrap();
    assert!(home.told(&["ingest"]).starts_with("2 new events"));
}
