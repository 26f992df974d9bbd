//! A history that holds a night: hook calls of three days with a dialog that stood open until the morning, and what
//! reports, estimates and the settings make of it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod common;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

struct Home {
    folder: tempfile::TempDir,
    calls: u32,
}

/// Friday, 20 November 2026; its week is 2026-W47.
const NOW: &str = "2026-11-20T12:00:00Z";

impl Home {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            calls: 0,
        }
    }

    fn command(&self, program: &Path, now: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PLANTUNE_HOME", self.folder.path().join("plantune"))
            .env("PLANTUNE_NOW", now)
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.folder.path());
        command
    }

    fn plantune(&self, words: &[&str]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_plantune"));
        let mut command = self.command(program, NOW);
        command.args(words).stdin(Stdio::null()).output().unwrap()
    }

    fn text(&self, words: &[&str]) -> String {
        let output = self.plantune(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.as_ref()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.text(&[words, &["--json"]].concat())).unwrap()
    }

    /// The exit code and the errors of what does not work.
    fn failure(&self, words: &[&str]) -> (i32, String) {
        let output = self.plantune(words);
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), errors)
    }

    fn configure(&self, text: &str) {
        let folder = self.folder.path().join("plantune");
        plantune_domain::paths::create_private_dir(&folder).unwrap();
        let file = folder.join("config.toml");
        plantune_domain::atomic_file::replace(&file, text.as_bytes(), 0o600).unwrap();
    }

    /// A call with these headers in `session`, asked at `at` and answered `seconds` later, as the client tells the
    /// hook of it. What the hook printed before the question.
    fn ask(&mut self, session: &str, headers: &[&str], at: &str, seconds: i64) -> String {
        self.calls += 1;
        let question = |header: &&str| {
            json!({
                "question": format!("What about {header}?"), "header": header, "multiSelect": false,
                "options": [{"label": "Keep", "description": ""}, {"label": "Change", "description": ""}],
            })
        };
        let questions: Vec<Value> = headers.iter().map(question).collect();
        let mut call = json!({
            "hook_event_name": "PreToolUse", "session_id": session, "cwd": self.folder.path(),
            "tool_name": "AskUserQuestion", "tool_use_id": format!("toolu_{}", self.calls),
            "tool_input": {"questions": questions},
        });
        let hook = common::hook();
        let printed = common::call_hook(&mut self.command(&hook, at), &call);
        assert!(printed.status.success());
        let at: DateTime<Utc> = at.parse().unwrap();
        let answered = (at + TimeDelta::seconds(seconds)).to_rfc3339();
        let answers = questions.iter().map(|one| {
            let text = one["question"].as_str().unwrap();
            (text.to_owned(), json!("Keep"))
        });
        call["hook_event_name"] = json!("PostToolUse");
        call["tool_response"] =
            json!({"questions": questions, "answers": answers.collect::<serde_json::Map<_, _>>()});
        let after = common::call_hook(&mut self.command(&hook, &answered), &call);
        assert!(after.status.success());
        String::from_utf8(printed.stdout).unwrap()
    }

    /// Three days, and a night of ten hours and a half.
    fn with_a_night() -> Self {
        let mut home = Self::new();
        home.ask("monday", &["Scope"], "2026-11-16T09:00:00Z", 30);
        home.ask(
            "monday",
            &["Scope", "Tests", "Style", "Names"],
            "2026-11-16T09:05:00Z",
            60,
        );
        home.ask("tuesday", &["Scope"], "2026-11-17T21:00:00Z", 37_800);
        // Another session waits through a part of that night on its own.
        home.ask("evening", &["Tests"], "2026-11-17T22:00:00Z", 1200);
        home.ask("wednesday", &["Scope"], "2026-11-18T09:00:00Z", 50);
        home
    }
}

#[test]
fn a_night_is_said_apart() {
    let home = Home::with_a_night();
    let report = home.json(&["report"]);
    let totals = &report["totals"];
    assert_eq!(totals["answered"], 8);
    assert_eq!(totals["human_seconds"], 140.0);
    assert_eq!(totals["away_answers"], 2);
    assert_eq!(totals["away_seconds"], 39_000.0);
    assert_eq!(totals["waiting_seconds"], 39_140.0);
    assert_eq!(totals["waiting_away_seconds"], 39_000.0);
    assert_eq!(report["away_after_seconds"], 600.0);
    assert_eq!(report["answering_times"]["away_answers"], 2);
    // Of 30, 15 and 50 seconds; the night is none of them.
    let mut scope = report["questions"].as_array().unwrap().iter();
    let scope = scope.find(|one| one["header"] == "Scope").unwrap();
    assert_eq!(
        (&scope["answered"], &scope["median_seconds"]),
        (&json!(4), &json!(30.0))
    );
    let text = home.text(&["report", "--by", "weekday"]);
    insta::assert_snapshot!(text);
}

#[test]
fn the_bound_is_configured() {
    let home = Home::with_a_night();
    home.configure("[report]\naway_after_minutes = 30\n");
    let totals = home.json(&["report"])["totals"].clone();
    assert_eq!(
        (&totals["human_seconds"], &totals["away_answers"]),
        (&json!(1340.0), &json!(1))
    );
    let settings = home.json(&["config", "show"]);
    let mut setting = settings["settings"].as_array().unwrap().iter();
    let setting = setting
        .find(|one| one["key"] == "report.away_after_minutes")
        .unwrap();
    assert_eq!(
        (&setting["value"], &setting["line"]),
        (&json!(30), &json!(2))
    );
    for (wrong, said) in [
        ("[report]\naway_after_minutes = 0\n", "1 to 1440 minutes"),
        ("[report]\naway_after_minutes = 1441\n", "1 to 1440 minutes"),
        (
            "[report]\naway_after_minutes = \"ten\"\n",
            "away_after_minutes",
        ),
        ("[report]\naway_minutes = 3\n", "away_after_minutes"),
    ] {
        home.configure(wrong);
        for words in [&["report"][..], &["suggest"], &["config", "show"]] {
            let (code, errors) = home.failure(words);
            assert_eq!(code, 3, "{words:?} {errors}");
            assert!(
                errors.contains("config.toml") && errors.contains(said),
                "{errors}"
            );
        }
        let doctor = home.plantune(&["doctor"]);
        assert!(
            String::from_utf8_lossy(&doctor.stdout).contains("config.toml"),
            "{wrong}"
        );
    }
}

#[test]
fn the_hook_answers_whatever_the_table_says() {
    let mut home = Home::with_a_night();
    let key = home.json(&["report"])["questions"][0]["question_key"].clone();
    let set = [
        "prefs",
        "set",
        key.as_str().unwrap(),
        "never-ask",
        "--answer",
        "Keep",
        "--global",
        "--yes",
    ];
    assert!(home.plantune(&set).status.success());
    for table in [
        "away_after_minutes = 30",
        "away_after_minutes = \"soon\"",
        "unknown = [1]",
    ] {
        home.configure(&format!("spot_check = 0\n\n[report]\n{table}\n"));
        let printed = home.ask("again", &["Scope"], "2026-11-19T09:00:00Z", 0);
        assert!(printed.contains("Keep"), "{table}: {printed}");
    }
}

#[test]
fn groups_in_every_format() {
    let home = Home::with_a_night();
    let report = home.json(&["report", "--by", "header"]);
    assert_eq!(report["by"], "header");
    let groups = report["groups"].as_array().unwrap();
    let names: Vec<_> = groups
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Scope", "Tests", "Names", "Style"]);
    let sum = |field: &str| -> f64 { groups.iter().map(|one| one[field].as_f64().unwrap()).sum() };
    for field in [
        "questions",
        "answered",
        "human_seconds",
        "away_seconds",
        "waiting_seconds",
    ] {
        assert_eq!(
            Some(sum(field)),
            report["totals"][field].as_f64(),
            "{field}"
        );
    }
    let csv = home.text(&["report", "--by", "header", "--csv", "--top", "1"]);
    assert_eq!(csv.lines().count(), 5);
    assert!(
        csv.contains("\"Scope\",4,4,4,0,0,0,0,0,95,30,1,37800,37895,37800\r\n"),
        "{csv}"
    );
    let markdown = home.text(&["report", "--by", "header", "--markdown", "--top", "2"]);
    assert!(markdown.contains("## By header (2 of 4)") && !markdown.contains("usual answer"));
    let page = home.text(&["report", "--by", "header", "--html", "-"]);
    assert!(page.contains("data-json=\"/groups/3/waiting_seconds\""));
    let skills = home.text(&["report", "--by", "skill"]);
    assert!(skills.contains("(no skill)"), "{skills}");
    let empty = Home::new();
    assert!(
        empty
            .text(&["report", "--by", "skill", "--csv"])
            .starts_with("\"name\"")
    );
    assert_eq!(
        empty.json(&["report", "--by", "skill"])["groups"],
        json!([])
    );
}

#[test]
fn groups_that_make_no_sense_are_refused() {
    let home = Home::new();
    for (words, said) in [
        (
            &["--by", "project", "--project", "shop"][..],
            "leave --project out",
        ),
        (&["--by", "skill", "--prompts"], "cannot be used with"),
        (&["--by", "month"], "weekday"),
        (&["--by"], "session-kind"),
    ] {
        let (code, errors) = home.failure(&[&["report"], words].concat());
        assert_eq!(code, 2, "{words:?}");
        assert!(errors.contains(said), "{words:?}: {errors}");
    }
}
