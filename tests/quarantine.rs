//! `plantune quarantine`: the built binary on a log with lines that are no events.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

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

    fn output(&self, words: &[&str]) -> String {
        let (code, text, errors) = self.run(words);
        assert_eq!((code, errors.as_str()), (0, ""));
        let acts = |c: char| c.is_control() && c != '\n';
        assert!(
            !text.contains(acts) && !text.contains('\u{202e}'),
            "{text:?}"
        );
        text
    }
}

fn line(version: u32, number: u32) -> String {
    format!(
        r#"{{"v":{version},"id":"{number:032x}","ts":"2026-11-20T09:00:00.000Z","kind":"asked","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k","key_source":"marker","question":"Q?","door":"two-way"}}"#
    ) + "\n"
}

#[test]
fn nothing_there() {
    let home = Home::new();
    assert!(home.output(&["quarantine", "list"]).contains("is empty"));
    assert!(
        home.output(&["quarantine", "retry"])
            .contains("nothing was ever logged")
    );
    assert!(!home.paths().data().exists());
    home.log(line(1, 1).as_bytes());
    assert!(home.output(&["quarantine", "retry"]).contains("is empty"));
    let json: Value =
        serde_json::from_str(&home.output(&["quarantine", "list", "--json"])).unwrap();
    assert_eq!(
        (&json["total"], json["lines"].as_array().unwrap().len()),
        (&0.into(), 0)
    );
}

#[test]
fn hostile_lines() {
    let home = Home::new();
    home.log(line(1, 1).as_bytes());
    home.log(b"\x1b]0;owned\x07\x1b[2J\xe2\x80\xae gnp.exe\n");
    home.log(b"{\"v\":1,\"kind\":\"asked\",\"ts\":\"x\",\"id\":\"\\u001b[31m\"}\n");
    home.log(&[&[0; 5000][..], b"\n"].concat());
    home.log(line(7, 2).as_bytes());
    insta::assert_snapshot!(home.output(&["quarantine", "list"]));
    let text = home.output(&["quarantine", "list", "--limit", "1"]);
    assert!(text.contains("… and 3 more: --limit 4"), "{text}");
    let json: Value =
        serde_json::from_str(&home.output(&["quarantine", "list", "--json"])).unwrap();
    assert_eq!(
        (&json["schema_version"], &json["total"]),
        (&1.into(), &4.into())
    );
    let lines = json["lines"].as_array().unwrap();
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
    let doctor = home.run(&["doctor"]).1;
    assert!(doctor.contains("`plantune quarantine retry`"), "{doctor}");
    assert!(
        doctor.contains("run `plantune quarantine list`"),
        "{doctor}"
    );
    assert_eq!(home.run(&["quarantine", "list", "--limit", "0"]).0, 2);
}

/// How many questions the report counts.
fn questions(home: &Home) -> Value {
    let report: Value = serde_json::from_str(&home.output(&["report", "--json"])).unwrap();
    report["totals"]["questions"].clone()
}

#[test]
fn retry_after_an_update() {
    let home = Home::new();
    home.log((line(1, 1) + &line(1, 2) + "{torn\n").as_bytes());
    home.output(&["ingest"]);
    // As a version would have left it that did not know such events.
    let store = plantune_migrations::open(&home.paths().store(), duckdb::AccessMode::ReadWrite);
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
    assert_eq!(questions(&home), 0);
    insta::assert_snapshot!(home.output(&["quarantine", "retry"]), @r"
    lines taken out of quarantine: 2
    1 stays; `plantune quarantine list` shows them, `plantune doctor` says what they mean
    ");
    assert_eq!(questions(&home), 2);
    insta::assert_snapshot!(home.output(&["quarantine", "retry"]), @r"
    lines taken out of quarantine: 0
    1 stays; `plantune quarantine list` shows them, `plantune doctor` says what they mean
    ");
    assert_eq!(questions(&home), 2);
    let list = home.output(&["quarantine", "list"]);
    assert!(list.contains("{torn"), "{list}");
}

#[test]
fn retry_after_a_repair() {
    let home = Home::new();
    home.log((line(1, 1) + "{torn\n").as_bytes());
    home.output(&["ingest"]);
    let segment = home.paths().events().join("2026-11-20.jsonl");
    let repaired = line(1, 1) + &line(1, 2);
    plantune_domain::atomic_file::replace(&segment, repaired.as_bytes(), 0o600).unwrap();
    let (code, text, errors) = home.run(&["quarantine", "retry"]);
    assert_eq!(
        (code, text.as_str()),
        (0, "lines taken out of quarantine: 1\nnone is left\n")
    );
    assert!(
        errors.contains("the log changed (2026-11-20.jsonl)"),
        "{errors}"
    );
    assert_eq!(questions(&home), 2);
}
