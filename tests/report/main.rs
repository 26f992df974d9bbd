//! `plantune report`: the built binary on the store of `query/tests/report.sql`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod explained;
mod figures;
mod home;
#[path = "../store_fixture/mod.rs"]
mod store_fixture;

use std::io::Read as _;
use std::process::Stdio;

use duckdb::AccessMode;
use serde_json::Value;

use home::Home;

#[test]
fn this_week_on_a_terminal() {
    insta::assert_snapshot!(Home::filled().text(&[]));
}

#[test]
fn this_week_in_markdown() {
    insta::assert_snapshot!(Home::filled().text(&["--markdown", "--top", "3"]));
}

#[test]
fn this_week_in_json() {
    let json = Home::filled().json(&["--top", "1"]);
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["period"]["start"], "2026-11-16");
    assert_eq!(json["period"]["end"], "2026-11-22");
    assert_eq!(json["period"]["time_zone"], "Europe/Berlin");
    assert_eq!(json["totals"]["questions"], 17);
    assert_eq!(json["totals"]["human_seconds"], 220.5);
    assert_eq!(json["totals"]["seconds_saved"], 85.5);
    assert_eq!(json["previous"]["questions"], 3);
    assert_eq!(json["trend"].as_array().unwrap().len(), 8);
    // All of them, whatever --top says.
    assert_eq!(json["questions"].as_array().unwrap().len(), 6);
    assert_eq!(json["questions"][0]["agreement"], 0.75);
    assert_eq!(json["questions"][2]["agreement"], Value::Null);
    assert_eq!(json["quarantined"], 2);
    assert_eq!(json["suggestions_waiting"], 0);
}

#[test]
fn other_periods() {
    let home = Home::filled();
    for (arguments, start, end, questions) in [
        (&["--last-week"][..], "2026-11-09", "2026-11-15", 3),
        (&["--week", "2026-W46"], "2026-11-09", "2026-11-15", 3),
        (&["--week", "2026-W01"], "2025-12-29", "2026-01-04", 1),
        (&["--since", "2026-11-18"], "2026-11-18", "2026-11-20", 9),
        (
            &["--since", "2026-11-15", "--until", "2026-11-16"],
            "2026-11-15",
            "2026-11-16",
            7,
        ),
        // The ends of what a date may be.
        (
            &["--since", "1000-01-01", "--until", "9999-12-31"],
            "1000-01-01",
            "9999-12-31",
            23,
        ),
    ] {
        let json = home.json(arguments);
        assert_eq!(json["period"]["start"], start, "{arguments:?}");
        assert_eq!(json["period"]["end"], end, "{arguments:?}");
        assert_eq!(json["totals"]["questions"], questions, "{arguments:?}");
    }
}

#[test]
fn the_persons_time_zone() {
    let home = Home::filled();
    home.configure("time_zone = \"Pacific/Kiritimati\"\n");
    // An hour later it is Saturday there.
    let mut later = home.report(&["--since", "2026-11-21", "--json"]);
    let output = later
        .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
        .output()
        .unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["period"]["time_zone"], "Pacific/Kiritimati");
    assert_eq!(json["period"]["end"], "2026-11-21");

    home.configure("time_zone = \"Middle/Earth\"\n");
    let (code, errors) = home.failure(&[]);
    assert_eq!(code, 3);
    assert!(errors.contains("Middle/Earth"), "{errors}");
}

#[test]
fn one_project() {
    let home = Home::filled();
    for wanted in ["github.com/acme/site", "acme/site", "site"] {
        let json = home.json(&["--project", wanted]);
        assert_eq!(json["totals"]["questions"], 4, "{wanted}");
    }
    let text = home.text(&["--project", "site"]);
    assert!(text.contains("Project github.com/acme/site\n"), "{text}");

    let (code, errors) = home.failure(&["--project", "sites"]);
    assert_eq!(code, 2);
    assert!(errors.contains("\"sites\""), "{errors}");
    assert!(errors.contains("github.com/acme/shop"), "{errors}");
}

#[test]
fn the_project_of_this_folder() {
    let home = Home::filled();
    let git = home.0.path().join(".git");
    std::fs::create_dir(&git).unwrap();
    for (name, text) in [
        ("HEAD", "ref: refs/heads/main\n"),
        (
            "config",
            "[remote \"origin\"]\n\turl = git@github.com:acme/site.git\n",
        ),
    ] {
        plantune_domain::atomic_file::replace(&git.join(name), text.as_bytes(), 0o600).unwrap();
    }
    assert_eq!(home.json(&["--project", "."])["totals"]["questions"], 4);
}

#[test]
fn nothing_yet() {
    let (missing, empty) = (Home::new(), Home::new());
    empty.fill("");
    for home in [&missing, &empty] {
        let text = home.text(&[]);
        assert!(text.contains("`plantune import claude-code`"), "{text}");
        let json = home.json(&[]);
        assert_eq!(json["totals"], json["previous"]);
        assert_eq!(json["totals"]["questions"], 0);
        assert_eq!(json["totals"]["seconds_saved"], 0.0);
        assert_eq!(json["questions"], Value::Array(vec![]));
        assert_eq!(json["session_kinds"], Value::Array(vec![]));
        assert_eq!(json["errors"], Value::Array(vec![]));
        assert_eq!(json["trend"].as_array().unwrap().len(), 8);
        assert_eq!(json["trend"][7]["week"], "2026-W47");
        assert_eq!(json["quarantined"], 0);
        let keys = |json: &Value| {
            json.as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&json), keys(&Home::filled().json(&[])));
    }
    // Nothing was made where there was nothing.
    assert!(!missing.0.path().join("plantune.duckdb").exists());
}

#[test]
fn nothing_in_the_period() {
    let text = Home::filled().text(&["--week", "2026-W48", "--project", "acme/shop"]);
    assert!(text.contains("The last was on Fri 20 Nov 2026."), "{text}");
    assert!(
        text.contains("`plantune report --week 2026-W47 --project github.com/acme/shop`"),
        "{text}"
    );
}

#[test]
fn usage_errors() {
    let home = Home::filled();
    for (arguments, value) in [
        (&["--week", "2026-W54"][..], "2026-W54"),
        (&["--since", "2026-11-31"], "2026-11-31"),
        (
            &["--since", "2026-11-10", "--until", "2026-11-09"],
            "2026-11-10",
        ),
        (&["--week", "2026-W46", "--last-week"], "--last-week"),
        (&["--until", "2026-11-09"], "--since"),
        (&["--json", "--markdown"], "--markdown"),
        (&["--top", "0"], "0"),
    ] {
        let (code, errors) = home.failure(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(errors.contains(value), "{errors}");
    }
}

#[test]
fn a_broken_configuration_is_left_alone() {
    let home = Home::filled();
    home.configure("time_zone = [\n");
    let (code, errors) = home.failure(&[]);
    assert_eq!(code, 3);
    assert!(errors.contains("config.toml"), "{errors}");
}

#[test]
fn a_store_of_a_newer_plantune_is_named() {
    let home = Home::filled();
    let store = plantune_migrations::open(&home.store(), AccessMode::ReadWrite).unwrap();
    store
        .execute_batch("INSERT INTO migrations VALUES (999, now()::TIMESTAMP)")
        .unwrap();
    store.close().unwrap();
    let (code, errors) = home.failure(&[]);
    assert_eq!(code, 1);
    assert!(
        errors.contains("plantune.duckdb") && errors.contains("newest"),
        "{errors}"
    );
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let home = Home::new();
    // More than a pipe holds, so that the writer meets the closed end.
    home.fill(
        "INSERT INTO questions BY NAME
         SELECT '2026-11-16'::DATE AS day, '2026-11-16 09:00:00'::TIMESTAMP AS ts, 'p' AS project,
             'k' || i AS question_key, repeat('Q', 500) AS question, 'answered' AS outcome
         FROM range(2000) AS numbers(i)",
    );
    let mut child = home
        .report(&["--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
