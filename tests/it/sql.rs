//! `plantune sql`: read-only SQL on documented views.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::report::{empty, fill_every_figure, json_of};
use crate::world::{World, call_of, is_inert, question, run};

/// A world in which every view has a row.
fn world() -> World {
    let mut world = World::shop();
    world.ask("List");
    world.put(
        world.paths().global_preferences(),
        json!({"version": 1, "preferences": {
            "layout": {"preference": "never-ask", "answer": "List", "set_at": "2026-10-19T22:30:00Z"}
        }})
        .to_string(),
    );
    world
}

fn rows(world: &World, statement: &str) -> Value {
    world.json(&["sql", statement, "--json"])
}

#[test]
fn views_and_columns_are_listed() {
    let world = world();
    let listed = world.json(&["sql", "--json"]);
    let columns = listed["columns"].as_array().unwrap();
    let mut views: Vec<&str> = columns
        .iter()
        .map(|one| one["view"].as_str().unwrap())
        .collect();
    views.dedup();
    assert_eq!(
        views,
        ["questions", "prompts", "sessions", "preferences", "events"]
    );
    for one in columns {
        for field in ["column", "type", "meaning"] {
            assert_ne!(one[field].as_str(), Some(""), "{one}");
        }
    }
    // What is listed is there, and all that is there is listed.
    for view in views {
        let of_view = columns.iter().filter(|one| one["view"] == view);
        let found = rows(&world, &format!("FROM (DESCRIBE {view})"));
        assert_eq!(found.as_array().unwrap().len(), of_view.count(), "{view}");
    }
    let text = world.stdout_of(&["sql"]);
    assert!(text.contains("\nquestions: one row per question"), "{text}");
    assert!(text.contains("Times are in Europe/Berlin"), "{text}");
    let csv = world.stdout_of(&["sql", "--csv"]);
    assert_eq!(csv.lines().count(), columns.len() + 1);
}

#[test]
fn views_count_what_the_report_counts() {
    let world = empty();
    fill_every_figure(&world);
    let report = json_of(&world, &["--week", "2026-W47"]);
    let days = "day BETWEEN '2026-11-16' AND '2026-11-22'";
    let found = &rows(
        &world,
        &format!(
            "SELECT
                count(*) AS questions,
                count(*) FILTER (outcome <> 'auto_decided') AS asked,
                count(*) FILTER (outcome = 'answered') AS answered,
                count(*) FILTER (outcome = 'auto_decided') AS auto_decided,
                count(*) FILTER (outcome = 'failed') AS failed,
                count(*) FILTER (outcome = 'dismissed') AS dismissed,
                count(*) FILTER (outcome = 'open') AS open,
                count(away_seconds) AS away_answers,
                count(DISTINCT nullif(session_id, '')) AS sessions,
                round(sum(answering_seconds), 3) AS human_seconds,
                round(sum(away_seconds), 3) AS away_seconds
            FROM questions WHERE {days}"
        ),
    )[0];
    for (name, value) in found.as_object().unwrap() {
        let counted = report["totals"][name].as_f64();
        assert_eq!(value.as_f64(), counted, "{name}");
    }
    let keys = rows(
        &world,
        &format!("SELECT question_key, count(*) AS times FROM questions WHERE {days} GROUP BY ALL"),
    );
    for one in keys.as_array().unwrap() {
        let is_it = |listed: &&Value| listed["question_key"] == one["question_key"];
        let listed = report["questions"].as_array().unwrap().iter();
        let times = listed.filter(is_it).map(|listed| {
            listed["asked"].as_u64().unwrap() + listed["auto_decided"].as_u64().unwrap()
        });
        assert_eq!(one["times"].as_u64(), Some(times.sum()), "{one}");
    }
    let prompts = rows(
        &world,
        &format!(
            "SELECT count(*) AS asked, count(*) FILTER (outcome = 'granted') AS granted FROM prompts WHERE {days}"
        ),
    );
    for name in ["asked", "granted"] {
        assert_eq!(prompts[0][name], report["permissions"][name], "{name}");
    }
}

#[test]
fn times_are_those_of_the_persons_clock() {
    let world = world();
    let times = "SELECT asked_at FROM questions UNION ALL SELECT set_at FROM preferences";
    assert_eq!(
        rows(&world, times),
        json!([{"asked_at": "2026-10-20 12:00:00"}, {"asked_at": "2026-10-20 00:30:00"}])
    );
    let utc = world.done(&["sql", times, "--time-zone", "UTC"]);
    assert!(utc.contains("2026-10-20 10:00:00"), "{utc}");
}

#[test]
fn what_preferences_files_hold() {
    let found = rows(
        &world(),
        "SELECT scope, question_key, preference, answer FROM preferences",
    );
    assert_eq!(
        found,
        json!([{"scope": "global", "question_key": "layout", "preference": "never-ask", "answer": "List"}])
    );
}

#[test]
fn nothing_but_reading_the_views() {
    let world = world();
    world.stdout_of(&["sql"]);
    let before = world.everything(".", &[]);
    let events = world.data().join("events");
    let into_the_log = format!("COPY questions TO '{}/x.jsonl'", events.display());
    let hidden = format!("SELECT 1; {into_the_log}");
    for statement in [
        &into_the_log,
        &hidden,
        "",
        ";",
        "SELECT 1; SELECT 2",
        "SELEC 1",
        "SELECT nope FROM questions",
        "SELECT ?",
        "SELECT 'a'::INTEGER",
        "INSERT INTO preferences (scope) VALUES ('global')",
        "DELETE FROM plantune.main.questions",
        "DROP VIEW questions",
        "CREATE TABLE x AS SELECT 1",
        "SET memory_limit = '8GB'",
        "SET VARIABLE away_after = 1",
        "RESET lock_configuration",
        "PRAGMA database_list",
        "CALL pragma_database_list()",
        "ATTACH 'x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "EXPORT DATABASE 'x'",
        "CHECKPOINT",
        "FROM '/etc/passwd'",
        "FROM read_csv('/etc/passwd')",
        "FROM read_text('/etc/passwd')",
        "FROM glob('/etc/*')",
        "FROM read_parquet('https://example.org/x.parquet')",
        "FROM query('COPY questions TO ''x''')",
        "FROM sniff_csv('/etc/passwd')",
        "FROM sqlite_scan('x', 'y')",
        "FROM postgres_scan('x', 'y', 'z')",
        "FROM iceberg_scan('x')",
    ] {
        let ran = world.run(&["sql", statement]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{statement}");
        assert!(ran.stderr.contains("  hint: "), "{}", ran.stderr);
        assert!(is_inert(&ran.stderr));
    }
    assert_eq!(world.everything(".", &[]), before);
}

/// Whatever a statement makes DuckDB say: the store is neither damaged by it nor in use, and is not computed again.
#[test]
fn the_words_of_a_statement_are_not_those_of_the_store() {
    let world = world();
    world.stdout_of(&["sql"]);
    let before = world.everything(".", &[]);
    for words in [
        "x is not a valid DuckDB database file",
        "IO Error: Corrupt database file: computed checksum 1",
        "Could not read enough bytes from file \"x\"",
        "Serialization Error: x",
        "Failure while replaying WAL file \"x\"",
        "INTERNAL Error: x",
        "Extension \"x/sqlite_scanner.duckdb_extension\" not found",
        "sqlite_scanner",
        "Conflicting lock is held in x (PID 1)",
    ] {
        let name = words.replace('"', "\"\"");
        for statement in [
            format!("SELECT error('{words}')"),
            format!("SELECT error(question || '{words}') FROM questions"),
            format!("SELECT '{words}'::INTEGER"),
            format!("SELECT '{words}'::DATE FROM questions"),
            format!("SELECT \"{name}\""),
            format!("FROM \"{name}\""),
            format!("FROM json_execute_serialized_sql('{words}')"),
        ] {
            for format in [&[][..], &["--json"], &["--csv"]] {
                let ran = world.run(&[&["sql", &statement], format].concat());
                assert!([1, 2].contains(&ran.code), "{statement}: {ran:?}");
                assert!(ran.stderr.contains("  hint: "), "{ran:?}");
                for said in ["computing the store again", "in use by", " is damaged:"] {
                    assert!(!ran.stderr.contains(said), "{statement}: {ran:?}");
                }
            }
        }
    }
    assert_eq!(world.everything(".", &[]), before);
}

#[test]
fn a_mistake_is_shown_where_it_is() {
    let statement = "SELECT question,\n  answr\nFROM questions";
    let said = world().run(&["sql", statement]).stderr;
    assert!(said.contains("\"answr\" not found"), "{said}");
    assert!(said.contains("\nLINE 2:   answr\n          ^\n"), "{said}");
}

#[test]
fn texts_of_others_are_harmless() {
    let world = World::shop();
    let text = "=1+1\u{1b}[2J\u{7}<script>";
    let call = call_of("toolu_1", &[question(text, "H", &["A", "B"])]);
    world.hook("PreToolUse", call);
    let statement = "SELECT question, -1 AS number, NULL AS nothing FROM questions";
    for words in [
        &["sql", statement][..],
        &["sql", statement, "--csv"],
        &["sql", statement, "--json"],
        &["sql", "SELECT 1 AS \"\u{1b}[31m=x\""],
    ] {
        let shown = world.stdout_of(words);
        assert!(is_inert(&shown.replace('\r', "")), "{shown:?}");
    }
    let csv = world.stdout_of(&["sql", statement, "--csv"]);
    assert!(csv.contains("\n\"'=1+1"), "{csv}");
    assert!(csv.ends_with(",-1,\"\"\r\n"), "{csv}");
}

#[test]
fn a_statement_from_standard_input_and_many_rows() {
    let world = world();
    let mut command = world.command(&["sql", "-", "--csv"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"SELECT range FROM range(3000);\n-- done\n")
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().lines().count(),
        3001
    );
    let shown = world.stdout_of(&["sql", "SELECT range FROM range(3000)"]);
    assert!(shown.contains("\n  999\n"), "{shown}");
    assert!(
        shown.ends_with("\nThe first 1000 rows; --csv and --json write all.\n"),
        "{shown}"
    );
    assert_eq!(rows(&world, "SELECT 1 AS one WHERE false"), json!([]));
}

#[test]
fn without_a_log_it_says_where_one_comes_from() {
    let ran = run(&mut empty().command(&["sql", "SELECT 1"]));
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("plantune import claude-code"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_a_call_waited_is_shared_among_its_questions() {
    let mut world = World::shop();
    let two = [
        question("Which layout?", "A", &["Grid", "List"]),
        question("Which colour?", "B", &["Red", "Blue"]),
    ];
    let call = call_of("both", &two);
    world.hook("PreToolUse", call.clone());
    world.later(3);
    let mut after = call;
    after["tool_response"] = json!({"answers": {"Which layout?": "List", "Which colour?": "Red"}});
    world.hook("PostToolUse", after);
    let waited = rows(
        &world,
        "SELECT header, waited_seconds FROM questions ORDER BY question_index",
    );
    assert_eq!(
        waited,
        json!([{"header": "A", "waited_seconds": 90.0}, {"header": "B", "waited_seconds": 90.0}])
    );
    // However a statement reads it, and where it does not.
    for (found, statement) in [
        (2, "SELECT count(*) AS n FROM questions"),
        (
            2,
            "SELECT count(*) AS n FROM questions WHERE waited_seconds > 80",
        ),
        (
            0,
            "SELECT count(*) AS n FROM questions WHERE waited_seconds IS NULL",
        ),
        (
            2,
            "SELECT count(*) AS n FROM (FROM questions) AS q WHERE q.waited_seconds = 90",
        ),
        (180, "SELECT sum(waited_seconds)::INT AS n FROM sessions"),
        (0, "SELECT count(*) AS n FROM prompts"),
    ] {
        assert_eq!(
            rows(&world, statement),
            json!([{"n": found}]),
            "{statement}"
        );
    }
    let by = world.json(&["report", "--by", "header", "--json"]);
    let seconds = &by["groups"].as_array().unwrap()[0]["waiting_seconds"];
    assert_eq!(seconds.as_f64(), Some(90.0), "{by}");
}

#[test]
fn a_prompt_came_up_when_its_call_was_made() {
    let world = World::shop();
    let line = |kind: &str, at: &str, content: Value| {
        json!({"type": kind, "uuid": at, "timestamp": format!("2026-10-19T{at}.000Z"), "sessionId": "s",
            "cwd": "/nowhere/shop", "version": "2.1.34", "message": {"id": "m", "role": kind, "content": content}})
        .to_string()
            + "\n"
    };
    // Asked before midnight in Berlin, and refused after it.
    let called =
        json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}}]);
    let refused = json!([{"type": "tool_result", "tool_use_id": "t", "is_error": true,
        "content": "The user doesn't want to proceed with this tool use. The tool use was rejected."}]);
    let transcript = line("assistant", "21:58:30", called) + &line("user", "22:01:36", refused);
    world.put("home/.claude/projects/shop/s.jsonl", transcript);
    world.done(&["import", "claude-code"]);
    assert_eq!(
        rows(&world, "SELECT asked_at, day, outcome FROM prompts"),
        json!([{"asked_at": "2026-10-19 23:58:30", "day": "2026-10-19", "outcome": "refused"}])
    );
}
