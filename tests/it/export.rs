//! `plantune export` and the tables as CSV: the built binary on a log of hot and sealed segments.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use duckdb::Connection;
use serde_json::Value;

use crate::segments::{age, append, day, others, question};
use crate::world::{World, is_inert, run};

/// Two old days that are sealed, one of yesterday, an import that repeats a question, and a line with a field
/// that this version does not know.
fn world() -> World {
    let world = World::new();
    let home = world.path("data");
    for old in ["2026-10-01", "2026-10-02"] {
        day(&home, old, 20);
    }
    let unknown = "{\"v\":1,\"id\":\"0000000000000000000000000000000f\",\"ts\":\"2026-10-02T23:30:00.125Z\",\
                   \"kind\":\"session_started\",\"session_id\":\"s\u{202e}\",\"project\":\"p\",\"later\":{\"a\":[1]}}\n";
    append(&home, "2026-10-02.jsonl", unknown.as_bytes());
    age(&home, "2026-10-02.jsonl", "2026-10-02T23:59:00Z");
    world.done(&["ingest"]);
    world.done(&["gc"]);
    assert!(home.join("events/2026-10.parquet").exists());
    day(&home, "2026-11-19", 5);
    append(&home, "2026-11-19.jsonl", others("2026-11-19").as_bytes());
    let import = "import-claude-code-2026-11-19.jsonl";
    append(&home, import, question("2026-11-19", 1).as_bytes());
    world
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn ids(events: &[Value]) -> BTreeSet<String> {
    events
        .iter()
        .map(|event| event["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_line_of_any_length_is_passed_over() {
    let world = world();
    let before = lines(&world.done(&["export", "--jsonl", "-"])).len();
    let mut long = vec![b'x'; 40 * 1024 * 1024];
    long.push(b'\n');
    append(&world.path("data"), "2026-11-19.jsonl", &long);
    append(
        &world.path("data"),
        "2026-11-19.jsonl",
        question("2026-11-19", 77).as_bytes(),
    );
    world.done(&["ingest"]);
    let listed = world.done(&["doctor", "--quarantine"]);
    assert!(listed.contains("41943040"), "{listed}");
    let after = lines(&world.done(&["export", "--jsonl", "-"])).len();
    assert_eq!(after, before + question("2026-11-19", 77).lines().count());
    let parquet = world.path("all.parquet");
    world.done(&["export", "--parquet", parquet.to_str().unwrap()]);
    let count = "SELECT count(*) AS events FROM events";
    let counted = world.json(&["sql", count, "--json"]);
    assert_eq!(counted[0]["events"].as_u64(), Some(after as u64));
    // One that is still being written, behind what was read already.
    long.pop();
    append(&world.path("data"), "2026-11-19.jsonl", &long);
    assert_eq!(lines(&world.done(&["export", "--jsonl", "-"])).len(), after);
}

/// Nearly as much as all the memory that DuckDB may take (`query/sql/session.sql`): to hold the line twice is too much.
#[test]
fn a_line_that_does_not_fit_into_memory_is_passed_over() {
    let world = world();
    let before = lines(&world.done(&["export", "--jsonl", "-"])).len();
    let mut long = vec![b'x'; 200 * 1024 * 1024];
    long.push(b'\n');
    append(&world.path("data"), "2026-11-19.jsonl", &long);
    let line = question("2026-11-19", 77);
    append(&world.path("data"), "2026-11-19.jsonl", line.as_bytes());
    let written = world.done(&["export", "--jsonl", "-"]);
    let parquet = world.path("all.parquet");
    world.done(&["export", "--parquet", parquet.to_str().unwrap()]);
    assert_eq!(lines(&written).len(), before + line.lines().count());
    let listed = world.done(&["doctor", "--quarantine"]);
    assert!(listed.contains("209715200"), "{listed}");
}

#[test]
fn every_event_is_exported_once() {
    let world = world();
    let exported = world.done(&["export", "--jsonl", "-"]);
    assert!(is_inert(&exported));
    let events = lines(&exported);
    // Two or three events a question, some of another kind, and the one with the unknown field.
    assert!(events.len() > 90, "{}", events.len());
    assert_eq!(ids(&events).len(), events.len());
    let times: Vec<&str> = events
        .iter()
        .map(|event| event["ts"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted());
    let unknown = events
        .iter()
        .find(|event| event["id"] == "0000000000000000000000000000000f");
    let unknown = unknown.unwrap();
    assert_eq!(unknown["later"]["a"][0], 1);
    assert_eq!(unknown["ts"], "2026-10-02T23:30:00.125Z");
    assert_eq!(unknown["session_id"], "s\u{202e}");
    // What a line leaves out is left out.
    assert!(
        unknown.get("question").is_none() && unknown.get("extra").is_none(),
        "{unknown}"
    );

    // They are the lines of the log: loaded somewhere else they give the same report.
    let other = World::new();
    fs::create_dir_all(other.paths().events()).unwrap();
    append(&other.path("data"), "2026-11-18.jsonl", exported.as_bytes());
    let report = ["report", "--since", "2026-09-01", "--json"];
    let numbers = |world: &World| {
        let report = world.json(&report);
        (
            report["totals"].clone(),
            report["questions"].clone(),
            report["hours"].clone(),
        )
    };
    assert_eq!(numbers(&world), numbers(&other));
    assert_eq!(
        ids(&lines(&other.done(&["export", "--jsonl", "-"]))),
        ids(&events)
    );
}

#[test]
fn parquet_holds_the_same_events() {
    let world = world();
    let path = world.path("events.parquet");
    let words = ["export", "--parquet", path.to_str().unwrap()];
    assert!(world.done(&words).starts_with("Wrote "));
    let events = lines(&world.done(&["export", "--jsonl", "-"]));
    assert_eq!(parquet_ids(&path), ids(&events));
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );

    // What is there already is replaced only if it is meant.
    let before = fs::read(&path).unwrap();
    let refused = world.run(&[&words[..], &["--since", "2026-11-01"]].concat());
    assert_eq!((refused.code, fs::read(&path).unwrap()), (4, before));
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    world.done(&[&words[..], &["--since", "2026-11-01", "--force"]].concat());
    let since = lines(&world.done(&["export", "--jsonl", "-", "--since", "2026-11-01"]));
    assert!(!since.is_empty() && since.len() < events.len());
    assert_eq!(parquet_ids(&path), ids(&since));
}

fn parquet_ids(path: &Path) -> BTreeSet<String> {
    let connection = Connection::open_in_memory().unwrap();
    let mut ids = connection
        .prepare("SELECT id FROM read_parquet(?)")
        .unwrap();
    let ids = ids
        .query_map([path.to_str().unwrap()], |row| row.get(0))
        .unwrap();
    ids.collect::<duckdb::Result<_>>().unwrap()
}

#[test]
fn days_are_the_persons() {
    let world = world();
    // 23:30 UTC on 2 October is the 3rd in Berlin.
    let of = |since: &str, until: &str| {
        let words = ["export", "--jsonl", "-", "--since", since, "--until", until];
        ids(&lines(&world.done(&words))).contains("0000000000000000000000000000000f")
    };
    assert!(of("2026-10-03", "2026-10-03"));
    assert!(!of("2026-10-01", "2026-10-02"));
}

#[test]
fn without_a_log_there_is_nothing() {
    let world = World::new();
    assert_eq!(world.done(&["export", "--jsonl", "-"]), "");
    let path = world.path("none.parquet");
    let failed = world.run(&["export", "--parquet", path.to_str().unwrap()]);
    assert_eq!((failed.code, path.exists()), (1, false));
    for words in [
        &["export"][..],
        &["export", "--parquet", "-"],
        &["export", "--jsonl", "-", "--since", "2026-11-31"],
        &[
            "export",
            "--jsonl",
            "-",
            "--since",
            "2026-11-02",
            "--until",
            "2026-11-01",
        ],
    ] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
}

#[test]
fn tables_are_csv_without_formulas() {
    let world = World::with_habits();
    for (words, first) in [
        (
            &["report", "--since", "2026-10-01", "--csv"][..],
            "\"question_key\",",
        ),
        (&["log", "--csv", "--limit", "500"], "\"put_at\","),
    ] {
        let table = world.done(words);
        assert!(table.starts_with(first), "{table}");
        assert!(is_inert(&table.replace('\r', "")));
        let rows: Vec<&str> = table.split_terminator("\r\n").collect();
        let mut json: Vec<&str> = words.to_vec();
        json.retain(|word| *word != "--csv");
        json.push("--json");
        let json: Value = serde_json::from_str(&world.done(&json)).unwrap();
        let list = json
            .get("questions")
            .or_else(|| json.get("decisions"))
            .unwrap();
        assert_eq!(rows.len(), list.as_array().unwrap().len() + 1, "{words:?}");
    }
    for words in [
        &["report", "--csv", "--json"][..],
        &["report", "--html", "--csv"],
        &["log", "--csv", "--json"],
    ] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
}

#[test]
fn a_page_is_written_only_where_it_may_be() {
    let world = World::with_habits();
    let words = ["report", "--since", "2026-10-01", "--html"];
    let default = world.path("work/plantune-report.html");
    world.done(&words);
    let page = fs::read_to_string(&default).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html><!-- plantune report -->"),
        "{page}"
    );
    assert_eq!(world.done(&[&words[..], &["-"]].concat()), page);
    assert!(is_inert(&page));
    // One of plantune's is replaced, another file is not.
    world.done(&words);
    let theirs = world.path("work/theirs.html");
    world.put(&theirs, "<!DOCTYPE html>mine");
    let named = [&words[..], &[theirs.to_str().unwrap()]].concat();
    let refused = world.run(&named);
    assert_eq!(refused.code, 4, "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "<!DOCTYPE html>mine");
    world.done(&[&named[..], &["--force"]].concat());
    assert_eq!(fs::read_to_string(&theirs).unwrap(), page);
    for words in [
        &["report", "--open"][..],
        &["report", "--force"],
        &["report", "--html", "--json"],
    ] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
}

#[test]
fn a_page_that_cannot_be_opened_is_named() {
    let world = World::with_habits();
    let words = ["report", "--html", "--open"];
    // No opener can be found, then one that fails, then one that works.
    let ran = run(world.command(&words).env("PATH", world.path("bin")));
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("plantune-report.html"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.contains("plantune-report.html"),
        "{}",
        ran.stderr
    );
    for (script, is_silent) in [("exit 3", false), ("echo \"$1\" > opened", true)] {
        let opener = world.path("bin/xdg-open");
        world.put(&opener, format!("#!/bin/sh\n{script}\n"));
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o700)).unwrap();
        fs::copy(&opener, world.path("bin/open")).unwrap();
        let ran = run(world.command(&words).env("PATH", world.path("bin")));
        assert_eq!(
            (ran.code, ran.stderr.is_empty()),
            (0, is_silent),
            "{}",
            ran.stderr
        );
    }
    let opened = fs::read_to_string(world.path("work/opened")).unwrap();
    let written = world.path("work/plantune-report.html");
    assert!(
        opened.trim_end().ends_with("work/plantune-report.html"),
        "{opened} {}",
        written.display()
    );
    assert!(Path::new(opened.trim_end()).is_absolute());
}
