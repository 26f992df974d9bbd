//! `plantune report`: the built binary on the store of `query/tests/report.sql`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod store_fixture;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use duckdb::AccessMode;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::families::Grouping;
use plantune_query::report::explain::{
    Explained, FigureRow, Measure, OF_PERMISSIONS, Rows, TOTALS,
};
use plantune_query::report::{Days, Request};
use serde_json::Value;
use tempfile::TempDir;

struct Home(TempDir);

impl Home {
    /// A home without a store.
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A home with the store of `query/tests/report.sql`.
    fn filled() -> Self {
        let home = Self::new();
        home.fill(include_str!("../query/tests/report.sql"));
        home
    }

    fn fill(&self, sql: &str) {
        store_fixture::fill(&self.store(), sql);
    }

    fn store(&self) -> PathBuf {
        self.0.path().join("plantune.duckdb")
    }

    fn configure(&self, text: &str) {
        let path = self.0.path().join("config.toml");
        plantune_domain::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
    }

    /// `plantune report` on Friday, 20 November 2026, 10:00 in Berlin.
    fn report(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .env_clear()
            .env("HOME", self.0.path())
            .env("PLANTUNE_HOME", self.0.path())
            .env("PLANTUNE_NOW", "2026-11-20T09:00:00Z")
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.0.path())
            .arg("report")
            .args(arguments);
        command
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.report(arguments).output().unwrap()
    }

    /// What a report that works writes.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.as_ref()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<_> = arguments.iter().copied().chain(["--json"]).collect();
        serde_json::from_str(&self.text(&arguments)).unwrap()
    }

    /// The exit code and the errors of a report that does not work.
    fn failure(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.output(arguments);
        assert_eq!(output.stdout, b"");
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), errors)
    }
}

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

/// The figures of the document `json`, with the names that `--explain` takes for them, and the project of those
/// that are of one.
fn figures(json: &Value) -> Vec<(String, Option<String>, Value)> {
    let mut found = Vec::new();
    let mut add = |name: String, value: &Value| found.push((name, None, value.clone()));
    let leaves = |of: &Value| -> Vec<(String, Value)> {
        let mut leaves = Vec::new();
        for (name, value) in of.as_object().unwrap() {
            match value.as_object() {
                Some(inner) => {
                    let inner = inner.iter();
                    leaves.extend(
                        inner.map(|(field, value)| (format!("{name}.{field}"), value.clone())),
                    );
                }
                None if value.is_number() => leaves.push((name.clone(), value.clone())),
                None => {}
            }
        }
        leaves
    };
    for (name, value) in leaves(&json["totals"]) {
        add(name, &value);
    }
    for (name, value) in leaves(&json["previous"]) {
        add(format!("previous.{name}"), &value);
    }
    let is_empty = |week: &&Value| week["questions"] == 0;
    for week in json["trend"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|week| !is_empty(week))
    {
        for (name, value) in leaves(week) {
            add(
                format!("trend.{}.{name}", week["week"].as_str().unwrap()),
                &value,
            );
        }
    }
    for kind in json["session_kinds"].as_array().unwrap() {
        let of = kind["session_kind"].as_str().unwrap();
        for (name, value) in leaves(kind) {
            add(format!("session_kinds.{of}.{name}"), &value);
        }
    }
    for error in json["errors"].as_array().unwrap() {
        add(
            format!("errors.{}", error["error_kind"].as_str().unwrap()),
            &error["times"],
        );
    }
    for hour in json["hours"].as_array().unwrap() {
        add(
            format!("hours.{}.{}", hour["weekday"], hour["hour"]),
            &hour["asked"],
        );
    }
    for (name, value) in leaves(&json["answering_times"]) {
        add(format!("answering_times.{name}"), &value);
    }
    for bin in json["answering_times"]["bins"].as_array().unwrap() {
        let to = bin["to"]
            .as_f64()
            .map_or(String::new(), |to| to.to_string());
        let from = bin["from"].as_f64().unwrap();
        add(format!("answering_times.{from}-{to}"), &bin["answers"]);
    }
    for (name, value) in leaves(&json["permissions"]) {
        // It is a warning, and not a figure.
        if name != "without_approvals" {
            add(format!("permissions.{name}"), &value);
        }
    }
    for line in json["stands_out"].as_array().unwrap() {
        add(line["name"].as_str().unwrap().to_owned(), &line["n"]);
    }
    for question in json["questions"].as_array().unwrap() {
        let key = question["question_key"].as_str().unwrap();
        let project = question["project"].as_str().unwrap();
        for (name, value) in leaves(question) {
            found.push((
                format!("questions.{key}.{name}"),
                Some(project.to_owned()),
                value,
            ));
        }
    }
    found
}

/// Questions and prompts for permission such that every figure has rows: nine of one question, for a line that
/// stands out; dialogs left alone, calls at once, and waits that go on into the next week.
fn fill_every_figure(home: &Home) {
    home.fill(concat!(
        include_str!("../query/tests/report.sql"),
        "DROP TABLE asked;",
        include_str!("../query/tests/permissions.sql"),
        "UPDATE permission_events SET waited_seconds = 900 WHERE waited_seconds = 40;
         INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-17 09:00:00' + to_minutes(i::INTEGER) AS ts, DATE '2026-11-17' AS day,
             'github.com/acme/shop' AS project, 's9' AS session_id, 'pick-one' AS question_key,
             'marker' AS key_source, 'Which one?' AS question, '[\"A\",\"B\",\"C\"]' AS options,
             'answered' AS outcome, 'A' AS answer_name, true AS followed_recommendation, 12.5 AS human_seconds
         FROM range(9) AS numbers(i);
         INSERT INTO questions BY NAME
         SELECT asked AS ts, asked AS asked_at, day, 'github.com/acme/shop' AS project, session AS session_id,
             call AS tool_use_id, i AS question_index, times AS question_count, 'plan-' || call AS question_key,
             'marker' AS key_source, outcome,
             if(outcome = 'answered', ended, NULL) AS answered_at,
             if(outcome = 'dismissed', ended, NULL) AS dismissed_at,
             if(outcome = 'answered', 'Yes', NULL) AS answer_name,
             if(outcome = 'answered', epoch(ended - asked) / times, NULL) AS human_seconds
         FROM (VALUES
             (TIMESTAMP '2026-11-15 22:50:00', DATE '2026-11-15', 'w1', 'sunday', 1, TIMESTAMP '2026-11-16 00:00:00',
                 'answered'),
             ('2026-11-15 23:10:00', '2026-11-16', 'w1', 'covered', 2, '2026-11-15 23:30:00', 'answered'),
             ('2026-11-15 23:50:00', '2026-11-16', 'w1', 'overlaps', 1, '2026-11-16 00:20:00', 'dismissed'),
             ('2026-11-17 08:00:00', '2026-11-17', 'w1', 'four', 4, '2026-11-17 08:01:00', 'answered'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w1', 'beside', 1, '2026-11-17 08:02:00.25', 'dismissed'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w2', 'elsewhere', 3, '2026-11-17 08:22:00', 'answered')
         ) AS calls (asked, day, session, call, times, ended, outcome)
         CROSS JOIN LATERAL (SELECT unnest(range(times)) AS i)",
    ));
}

#[test]
fn every_figure_has_its_rows() {
    let home = Home::new();
    fill_every_figure(&home);
    let json = home.json(&[]);
    let mut figures = figures(&json);
    // What was decided without the person, question by question.
    for answered in json["answered_for_you"].as_array().unwrap() {
        let name = format!(
            "{}.auto_decided",
            answered["question_key"].as_str().unwrap()
        );
        let project = answered["project"].as_str().unwrap().to_owned();
        figures.push((name, Some(project), answered["times"].clone()));
    }
    let has = |wanted: &str| figures.iter().any(|(name, _, _)| name == wanted);
    assert!(has("always_recommended"), "{json}");
    for (name, _, _) in OF_PERMISSIONS {
        assert!(has(&format!("permissions.{name}")), "{name}");
    }
    for name in TOTALS {
        // The JSON document has that within `auto_decided_by`.
        assert!(has(name) || name == "answered_by_preferences", "{name}");
    }
    assert!(figures.len() > 150, "{}", figures.len());
    let store = Store::open(&home.store()).unwrap();
    let registry = Registry::default();
    let grouping = Grouping::read(&store, &registry).unwrap();
    // Of each list of figures, and of each way to compute one, the first goes through the binary, too.
    let (mut kinds, mut through_the_binary) = (BTreeSet::new(), Vec::new());
    for (name, project, value) in &figures {
        let request = week_47(project.as_deref());
        let explained = store.explained(name, &request, &grouping, &chrono_tz::Europe::Berlin);
        let explained = explained.unwrap().unwrap_or_else(|| panic!("{name}"));
        assert_eq!(explained.value, value.as_f64(), "{name}");
        hold(name, &explained);
        let list = name.split_once('.').map_or("totals", |(list, _)| list);
        let measure = format!("{:?}", explained.measure);
        if kinds.insert(list.to_owned()) | kinds.insert(measure) {
            through_the_binary.push((name, project, value, explained.rows.len()));
        }
    }
    drop(grouping);
    drop(store);
    assert!(through_the_binary.len() > 12, "{through_the_binary:?}");
    for (name, project, value, rows) in through_the_binary {
        let project = project.as_deref().map(|project| ["--project", project]);
        let project = project.iter().flatten().copied();
        let arguments: Vec<&str> = ["--explain", name].into_iter().chain(project).collect();
        let explained = home.json(&arguments);
        assert_eq!(explained["value"].as_f64(), value.as_f64(), "{name}");
        assert_eq!(explained["rows"].as_array().unwrap().len(), rows, "{name}");
    }
}

/// The request of [`Home::report`].
fn week_47(project: Option<&str>) -> Request<'_> {
    let day = |text: &str| text.parse().unwrap();
    let days = |start, end| Days {
        start: day(start),
        end: day(end),
    };
    Request {
        period: days("2026-11-16", "2026-11-22"),
        previous: days("2026-11-09", "2026-11-15"),
        today: day("2026-11-20"),
        project,
        limit: None,
        prompts: false,
    }
}

/// Holds a figure against its rows.
fn hold(name: &str, explained: &Explained) {
    let value = explained.value;
    let sum = |of: fn(&FigureRow) -> Option<f64>| match &explained.rows {
        Rows::Questions(rows) => rows.iter().filter_map(of).sum::<f64>(),
        Rows::Prompts(rows) => rows.iter().filter_map(|row| row.waited_seconds).sum(),
    };
    let calls = || match &explained.rows {
        Rows::Questions(_) => 0,
        Rows::Prompts(rows) => rows.iter().filter_map(|row| row.calls).sum::<u64>(),
    };
    let sum = match explained.measure {
        Measure::UnaskedCalls => calls() as f64,
        Measure::Questions | Measure::Prompts | Measure::Calls | Measure::Sessions => {
            explained.rows.len() as f64
        }
        Measure::Seconds => sum(|row| row.answering_seconds),
        Measure::AwaySeconds => sum(|row| row.away_seconds),
        Measure::WaitingSeconds => sum(|row| row.waiting_seconds),
        Measure::SecondsSaved => sum(|row| row.seconds_saved),
        _ => return assert!(!explained.rows.is_empty(), "{name}"),
    };
    assert!((sum - value.unwrap()).abs() < 0.001, "{name}: {sum}");
}

#[test]
fn waiting_is_shown_by_call() {
    let home = Home::new();
    fill_every_figure(&home);
    let seconds = |figure: &str| {
        let explained = home.json(&["--explain", figure]);
        let rows = explained["rows"].as_array().unwrap().iter();
        let rows: Vec<(String, u64, f64)> = rows
            .map(|row| {
                assert_eq!(row["session_id"].as_str().unwrap().get(..1), Some("w"));
                (
                    row["tool_use_id"].as_str().unwrap().to_owned(),
                    row["question_index"].as_u64().unwrap(),
                    row["waiting_seconds"].as_f64().unwrap(),
                )
            })
            .collect();
        (explained["value"].as_f64().unwrap(), rows)
    };
    let row = |call: &str, seconds| (call.to_owned(), 0, seconds);
    // Sunday's call covers the first of Monday's, and half an hour less ten minutes of the second.
    let rows = [
        row("covered", 0.0),
        row("overlaps", 1200.0),
        row("four", 60.0),
        row("beside", 60.25),
        row("elsewhere", 1290.0),
    ];
    let (value, mut shown) = seconds("waiting_seconds");
    shown.sort_by_key(|(call, _, _)| rows.iter().position(|(one, _, _)| one == call));
    assert_eq!((value, shown), (2610.25, rows.to_vec()));
    let (value, mut shown) = seconds("waiting_away_seconds");
    let away = [
        row("covered", 0.0),
        row("overlaps", 1200.0),
        row("elsewhere", 1290.0),
    ];
    shown.sort_by_key(|(call, _, _)| away.iter().position(|(one, _, _)| one == call));
    assert_eq!((value, shown), (2490.0, away.to_vec()));
    assert_eq!(
        seconds("previous.waiting_seconds"),
        (4200.0, vec![row("sunday", 4200.0)])
    );
    let text = home.text(&["--explain", "waiting_seconds"]);
    assert!(
        text.ends_with("\n43 min 30 s (2610.25 s) in 5 calls, each with its first question\n"),
        "{text}"
    );
}

#[test]
fn rows_behind_a_figure() {
    let home = Home::filled();
    insta::assert_snapshot!(home.text(&["--explain", "human_seconds"]));
    insta::assert_snapshot!(home.text(&["--explain", "seconds_saved", "--top", "2"]));
    // Some rows fewer do not change the sum, and a figure of nothing is one, too.
    assert!(
        home.text(&["--explain", "asked", "--top", "1"])
            .ends_with("\n10 questions\n")
    );
    assert!(
        home.text(&["--explain", "sessions"])
            .ends_with("\n5 sessions, each with its first question\n")
    );
    assert!(
        home.text(&["--explain", "auto_decided_by.away"])
            .ends_with("\n\n0 questions\n")
    );
    let last_week = home.text(&["--last-week", "--explain", "asked"]);
    assert!(last_week.starts_with("asked in 2026-W46, ") && last_week.ends_with("\n2 questions\n"));
    let csv = home.text(&["--explain", "dismissed", "--csv"]);
    assert!(csv.starts_with("\"put_at\",\"project\","), "{csv}");
    assert_eq!(csv.lines().count(), 3);
}

#[test]
fn figures_that_are_not_there() {
    let home = Home::filled();
    for (name, help) in [
        ("nonsense", "auto_decided_by.preferences"),
        ("nonsense", "longest_wait"),
        ("previous.nonsense", "previous.TOTAL"),
        ("quarantined", "`plantune quarantine list`"),
        ("standing_preferences", "`plantune prefs list --standing`"),
        ("groups", "--explain asked --project KEY"),
        ("groups.review.asked", "--explain asked --project KEY"),
        ("trend.2026-W47.waiting_seconds", "report --by"),
        ("session_kinds.headless.away_seconds", "report --by"),
        ("commit-now.waiting_seconds", "report --by"),
    ] {
        let (code, errors) = home.failure(&["--explain", name]);
        assert_eq!(code, 2, "{name}");
        assert!(errors.contains(name) && errors.contains(help), "{errors}");
    }
    assert_eq!(home.failure(&["--explain", "asked", "--markdown"]).0, 2);
    let (code, errors) = home.failure(&["--explain", "asked", "--by", "skill"]);
    assert_eq!(code, 2);
    assert!(errors.contains("--explain asked --project KEY"), "{errors}");
    let (code, errors) = Home::new().failure(&["--explain", "asked"]);
    assert_eq!(code, 2);
    assert!(errors.contains("plantune import"), "{errors}");
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
