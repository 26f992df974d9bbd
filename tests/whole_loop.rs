//! End to end in an empty home: install, a session, the report, a habit, its preference, and the
//! same question answered by the hook.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value
)]

mod common;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

struct Home {
    folder: tempfile::TempDir,
    now: DateTime<Utc>,
    calls: u32,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
            now: "2026-10-20T09:00:00Z".parse().unwrap(),
            calls: 0,
        };
        let git = home.shop().join(".git");
        fs::create_dir_all(&git).unwrap();
        let write = |name: &str, text: &str| {
            fs::File::create(git.join(name))
                .unwrap()
                .write_all(text.as_bytes())
                .unwrap();
        };
        write("HEAD", "ref: refs/heads/main\n");
        write(
            "config",
            "[remote \"origin\"]\n\turl = git@example.org:dev/shop.git\n",
        );
        home
    }

    fn shop(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn command(&self, program: &std::path::Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PLANTUNE_HOME", self.folder.path().join("plantune"))
            .env("PLANTUNE_NOW", self.now.to_rfc3339())
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.shop());
        command
    }

    fn plantune(&self, words: &[&str]) -> Output {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_plantune"));
        self.command(&program)
            .args(words)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn stdout_of(&self, words: &[&str]) -> String {
        let output = self.plantune(words);
        assert!(
            output.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.stdout_of(words)).unwrap()
    }

    /// Runs the command that install registered for `event`, as Claude Code would.
    fn hook(&mut self, event: &str, mut call: Value) -> Value {
        let settings =
            fs::read_to_string(self.folder.path().join(".claude/settings.json")).unwrap();
        let settings: Value = serde_json::from_str(&settings).unwrap();
        let program = settings["hooks"][event][0]["hooks"][0]["command"]
            .as_str()
            .unwrap();
        call["hook_event_name"] = json!(event);
        call["cwd"] = json!(self.shop().join("src"));
        let output = common::call_hook(&mut self.command(program.as_ref()), &call);
        assert!(output.status.success());
        if output.stdout.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&output.stdout).unwrap()
        }
    }

    /// One question and what came back; `None` for a person who pressed Esc. The decision is
    /// returned, and what it answered is given back like Claude Code does.
    fn ask(&mut self, session: &str, question: Value, answer: Option<&str>) -> Value {
        self.calls += 1;
        let call = json!({
            "session_id": session, "tool_name": "AskUserQuestion",
            "tool_use_id": format!("toolu_{}", self.calls),
            "tool_input": {"questions": [question]},
        });
        let decision = self.hook("PreToolUse", call.clone());
        self.now += TimeDelta::seconds(20);
        let text = question_text(&call);
        let given = decision["hookSpecificOutput"]["updatedInput"]["answers"][&text].as_str();
        if let Some(answer) = given.or(answer) {
            let mut back = call.clone();
            back["tool_response"] =
                json!({"questions": call["tool_input"]["questions"], "answers": {text: answer}});
            let printed = self.hook("PostToolUse", back);
            // What plantune answered is said to be no consent.
            let note = &printed["hookSpecificOutput"]["classifierContext"];
            assert_eq!(note.is_string(), given.is_some());
        }
        decision
    }
}

fn question_text(call: &Value) -> String {
    call["tool_input"]["questions"][0]["question"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// What was changed, in turn.
const TOPICS: [&str; 5] = ["Billing", "Search", "Login", "Themes", "Charts"];

fn tests_question(topic: &str) -> Value {
    json!({
        "question": format!("<plantune:test-scope> {topic} is changed. Which tests should run?"),
        "header": "Tests", "multiSelect": false,
        "options": [{"label": "Affected tests (Recommended)", "description": ""},
                    {"label": "Full suite", "description": ""}],
    })
}

fn one_way_question() -> Value {
    json!({
        "question": "<plantune:drop-tables> Delete the old tables before migrating?",
        "header": "Tables", "multiSelect": false,
        "options": [{"label": "Delete them (Recommended)", "description": ""},
                    {"label": "Keep them", "description": ""}],
    })
}

fn evidence(home: &Home) -> Value {
    let found = home.json(&["suggest", "--json"]);
    let all = found["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .chain(found["rejected"].as_array().unwrap());
    let mine = all.filter(|entry| entry["question_key"] == "test-scope");
    mine.map(|entry| entry["evidence"]["answers"].clone())
        .next()
        .unwrap_or(Value::Null)
}

#[test]
fn from_install_to_an_answered_question() {
    let mut home = Home::new();
    let hook = common::hook();
    home.stdout_of(&["install", "--yes", "--hook-path", hook.to_str().unwrap()]);

    // Four weeks: a habit, one question that is always answered the same way but cannot be taken
    // back, and a dismissal a week.
    for day in 0..24 {
        let session = format!("session-{day}");
        home.hook(
            "SessionStart",
            json!({"session_id": session, "source": "startup"}),
        );
        assert_eq!(
            home.ask(
                &session,
                tests_question(TOPICS[day % TOPICS.len()]),
                Some("Full suite")
            ),
            Value::Null
        );
        assert_eq!(
            home.ask(
                &session,
                one_way_question(),
                Some("Delete them (Recommended)")
            ),
            Value::Null
        );
        if day % 7 == 0 {
            home.ask(
                &session,
                json!({"question": format!("Is {day} fine?"), "options": []}),
                None,
            );
        }
        home.hook(
            "SessionEnd",
            json!({"session_id": session, "reason": "other"}),
        );
        home.now += TimeDelta::hours(24) - TimeDelta::seconds(60);
    }

    let report = home.json(&["report", "--json", "--since", "2026-10-01"]);
    let totals = &report["totals"];
    assert_eq!(
        [
            &totals["questions"],
            &totals["asked"],
            &totals["answered"],
            &totals["dismissed"]
        ],
        [&json!(52), &json!(52), &json!(48), &json!(4)]
    );
    assert_eq!(
        (&totals["auto_decided"], &totals["failed"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        (&totals["sessions"], &totals["calls"]),
        (&json!(24), &json!(52))
    );
    assert_eq!(totals["human_seconds"], json!(48.0 * 20.0));
    let habit = report["questions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["question_key"] == "test-scope")
        .unwrap();
    assert_eq!(
        (&habit["median_seconds"], &habit["top_answer"]),
        (&json!(20.0), &json!("Full suite"))
    );
    assert_eq!(
        (&habit["agreement"], &habit["project"]),
        (&json!(0.0), &json!("example.org/dev/shop"))
    );

    let proposed = home.json(&["suggest", "--json"]);
    let proposed: Vec<(&str, &str)> = proposed["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["question_key"].as_str().unwrap(),
                entry["answer"].as_str().unwrap_or("follow"),
            )
        })
        .collect();
    assert_eq!(
        proposed,
        [("test-scope", "Full suite")],
        "the habit, and nothing that cannot be taken back"
    );
    assert_eq!(evidence(&home), json!(24));

    home.stdout_of(&["suggest", "--apply", "--yes"]);
    let decision = home.ask("session-later", tests_question("Rate limits"), None);
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    assert_eq!(
        output["updatedInput"]["questions"][0],
        tests_question("Rate limits")
    );
    assert_eq!(
        output["updatedInput"]["answers"],
        json!({"<plantune:test-scope> Rate limits is changed. Which tests should run?": "Full suite"})
    );
    // Nothing else varied, so that nothing else may.
    for other in ["All of it", "Billing, and so", "Production"] {
        let question = tests_question(other);
        let decision = home.ask("session-later", question, None);
        assert_eq!(decision, Value::Null, "{other}");
    }
    // The one-way question is asked as before, in the same session.
    assert_eq!(
        home.ask("session-later", one_way_question(), Some("Keep them")),
        Value::Null
    );

    let report = home.json(&["report", "--json", "--since", "2026-10-01"]);
    assert_eq!(report["totals"]["auto_decided"], json!(1));
    assert_eq!(report["totals"]["answered"], json!(49));
    assert_eq!(report["totals"]["seconds_saved"], json!(20.0));
    // What the preference answered proves nothing.
    assert!([json!(24), Value::Null].contains(&evidence(&home)));
    let listed = home.json(&["prefs", "list", "--json"]);
    assert!(listed.to_string().contains("test-scope"), "{listed}");

    home.stdout_of(&["prefs", "clear", "test-scope", "--yes"]);
    assert_eq!(
        home.ask(
            "session-later",
            tests_question("Billing"),
            Some("Full suite")
        ),
        Value::Null
    );
    assert_eq!(evidence(&home), json!(25), "asked again, and counted again");
    home.stdout_of(&["uninstall", "--yes"]);
}
