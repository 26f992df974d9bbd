//! Away and back: the person says for how long, sees what was answered, changes it, and the agent is
//! told. With the built programs in an empty home.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod common;
mod person;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use person::run_on_terminal;
use serde_json::{Value, json};

struct Home {
    folder: tempfile::TempDir,
    now: DateTime<Utc>,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
            now: "2026-11-20T09:00:00Z".parse().unwrap(),
        };
        fs::create_dir_all(home.shop()).unwrap();
        home
    }

    fn shop(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn away_file(&self) -> PathBuf {
        self.folder.path().join(".config/plantune/away.json")
    }

    fn later(&mut self, minutes: i64) {
        self.now += TimeDelta::minutes(minutes);
    }

    fn command(&self, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PLANTUNE_NOW", self.now.to_rfc3339())
            .env("TZ", "UTC")
            .env("COLUMNS", "100")
            .current_dir(self.shop())
            .stdin(Stdio::null());
        command
    }

    fn plantune(&self, words: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_plantune").into());
        command.args(words);
        command
    }

    /// Exit code, and what was printed.
    fn run(&self, words: &[&str]) -> (i32, String) {
        let output = self.plantune(words).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.code().unwrap(),
            String::from_utf8(text).unwrap(),
        )
    }

    fn done(&self, words: &[&str]) -> String {
        let (code, text) = self.run(words);
        assert_eq!(code, 0, "{words:?}: {text}");
        text
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.done(words)).unwrap()
    }

    fn hook(&self, event: &str, mut call: Value) -> Value {
        call["hook_event_name"] = json!(event);
        call["session_id"] = json!("s");
        call["cwd"] = json!(self.shop());
        let output = common::call_hook(&mut self.command(common::hook()), &call);
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }

    /// Asks `question`; what was answered for the person, null when they are asked.
    fn ask(&self, id: &str, text: &str, labels: &[&str]) -> Value {
        let options: Vec<Value> = labels
            .iter()
            .map(|label| json!({"label": label, "description": ""}))
            .collect();
        let question =
            json!({"question": text, "header": "H", "options": options, "multiSelect": false});
        let input = json!({"questions": [question]});
        let call = |input: &Value| json!({"tool_name": "AskUserQuestion", "tool_use_id": id, "tool_input": input});
        let printed = self.hook("PreToolUse", call(&input));
        let input = &printed["hookSpecificOutput"]["updatedInput"];
        if !input.is_null() {
            // The client gives back what the hook answered.
            let mut call = call(input);
            call["tool_response"] = json!({"questions": [question], "answers": input["answers"]});
            self.hook("PostToolUse", call);
        }
        input["answers"][text].clone()
    }

    fn ask_layout(&self, id: &str) -> Value {
        self.ask(id, "Which layout?", &["Grid (Recommended)", "List"])
    }

    fn prompted(&self) -> Value {
        let printed = self.hook("UserPromptSubmit", json!({"prompt": "go on"}));
        printed["hookSpecificOutput"]["additionalContext"].clone()
    }
}

#[test]
fn away_and_back() {
    let mut home = Home::new();
    assert_eq!(home.ask_layout("toolu_0"), Value::Null);
    home.later(1);
    home.done(&["away", "3h", "--yes"]);
    home.later(10);
    assert_eq!(home.ask_layout("toolu_1"), "Grid (Recommended)");
    let waits = home.ask(
        "toolu_2",
        "Drop the old tables?",
        &["Yes (Recommended)", "No"],
    );
    assert_eq!(waits, Value::Null, "it cannot be taken back");
    for words in [&["report"][..], &["prefs", "list"], &["doctor"]] {
        let text = common::unwrapped(&home.run(words).1);
        assert!(
            text.contains("away until 2026-11-20 12:01"),
            "{words:?}: {text}"
        );
    }
    let until = "2026-11-20T12:01:00.000Z";
    assert_eq!(home.json(&["report", "--json"])["away_until"], until);
    assert_eq!(home.json(&["prefs", "list", "--json"])["away_until"], until);
    let log = home.done(&["log"]);
    assert!(log.contains("answered while you were away: \"Grid (Recommended)\", as recommended"));
    let logged = &home.json(&["log", "--auto", "--json"])["decisions"][0];
    assert_eq!(
        (&logged["level"], &logged["undone"]),
        (&json!("away"), &json!(false))
    );

    let back = home.done(&["back"]);
    let wanted = "While you were away 1 question was answered as recommended. None of it counts as your answer.\n\
        2026-11-20 09:11  Which layout?\n    \"Grid (Recommended)\" (not \"List\")\n    \
        to change it: plantune undo toolu_1 --answer LABEL\n    in ";
    assert!(back.starts_with(wanted), "{back}");
    assert!(!home.away_file().exists());
    assert_eq!(home.ask_layout("toolu_3"), Value::Null, "they are back");
    assert!(home.done(&["back"]).starts_with("you are not away"));
    assert_eq!(home.json(&["report", "--json"])["away_until"], Value::Null);
}

#[test]
fn the_agent_is_told_of_a_changed_answer() {
    let mut home = Home::new();
    home.done(&["away", "3h", "--yes"]);
    home.ask_layout("toolu_1");
    home.later(5);
    home.ask_layout("toolu_2");
    home.done(&["back"]);
    assert_eq!(home.prompted(), Value::Null);
    for (words, why) in [
        (
            ["undo", "toolu_1", "--yes", "--answer", "Table"],
            "was not offered",
        ),
        (
            ["undo", "toolu_1", "--yes", "--answer", "Grid"],
            "is what was answered",
        ),
    ] {
        let (code, text) = home.run(&words);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(why), "{text}");
    }
    let (code, _) = home.run(&["undo", "toolu_1"]);
    assert_eq!(code, 4, "nobody is there to be asked");
    home.later(1);
    let text = home.done(&["undo", "toolu_1", "--yes", "--answer", "List"]);
    assert!(
        text.ends_with("the agent is told in its next turn\n"),
        "{text}"
    );
    let message = home.prompted();
    let words = "The user has changed the answer to \"Which layout?\" from \"Grid\" to \"List\".";
    assert!(message.as_str().unwrap().contains(words), "{message}");
    assert_eq!(home.prompted(), Value::Null, "once");
    let log = home.done(&["log"]);
    assert!(log.contains("you changed it to \"List\""), "{log}");
    // The last one that was not taken back; its session is over meanwhile.
    home.later(1);
    home.hook("SessionEnd", json!({"reason": "other"}));
    home.later(1);
    let text = home.done(&["undo", "--yes"]);
    assert!(
        text.ends_with("the session is over: the project's next one is told\n"),
        "{text}"
    );
    let started = home.hook("SessionStart", json!({"source": "startup"}));
    let context = started["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(
        context.contains("has taken back the answer \"Grid\""),
        "{context}"
    );
    assert_eq!(
        home.run(&["undo", "toolu_2", "--yes"]).0,
        1,
        "taken back already"
    );
}

#[test]
fn nothing_of_it_is_evidence() {
    let mut home = Home::new();
    // As often, on as many days and in as many sessions as a habit needs.
    for day in 0..30 {
        home.done(&["away", "1h", "--yes"]);
        home.ask_layout(&format!("toolu_{day}"));
        home.done(&["back"]);
        home.later(24 * 60);
    }
    home.done(&["undo", "toolu_3", "--yes", "--answer", "List"]);
    let suggested = home.json(&["suggest", "--json"]);
    assert_eq!(suggested["suggestions"], json!([]));
    assert_eq!(
        suggested["rejected"],
        json!([]),
        "no answer of theirs is known"
    );
    let backtest = home.json(&["suggest", "--backtest", "--json"]);
    assert_eq!(backtest["questions"], 0);
    let report = home.json(&["report", "--since", "2026-11-01", "--json"]);
    let totals = &report["totals"];
    assert_eq!(totals["auto_decided_by"]["away"], 30);
    assert_eq!(totals["auto_decided_by"]["preferences"], 0);
    assert_eq!(totals["answered"], 0);
    assert_eq!(totals["seconds_saved"], 0.0);
    assert_eq!(report["standing_preferences"], json!([]));
    // Computed again from the log alone it is the same.
    home.done(&["ingest", "--rebuild"]);
    assert_eq!(
        home.json(&["report", "--since", "2026-11-01", "--json"]),
        report
    );
}

#[test]
fn only_the_person_goes_away() {
    let home = Home::new();
    let (code, text) = home.run(&["away", "3h"]);
    assert_eq!(code, 4, "{text}");
    for words in [&["away", "3h", "--yes"][..], &["back"]] {
        let output = home
            .plantune(words)
            .env("CLAUDECODE", "1")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4), "{words:?}");
    }
    assert!(!home.away_file().exists());
    for words in ["13h", "12h1m", "3", "forever", "0m"] {
        assert_eq!(home.run(&["away", words, "--yes"]).0, 2, "{words}");
    }
    assert_eq!(home.ask_layout("toolu_1"), Value::Null);
    let (shown, code) = run_on_terminal(&mut home.plantune(&["away", "12h"]), &["n"]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("Are you away? [y/N]"), "{shown}");
    assert!(!home.away_file().exists());
    let (_, code) = run_on_terminal(&mut home.plantune(&["away", "12h"]), &["y"]);
    assert_eq!(code, Some(0));
    assert_eq!(home.ask_layout("toolu_2"), "Grid (Recommended)");
}

#[test]
fn after_the_end_the_first_command_shows_the_list() {
    let mut home = Home::new();
    home.done(&["away", "1h", "--yes"]);
    home.ask_layout("toolu_1");
    home.later(30);
    // Longer than first said: what was answered before is still to be reviewed.
    home.done(&["away", "1h", "--yes", "--project", "."]);
    home.ask_layout("toolu_2");
    home.later(60);
    assert_eq!(home.ask_layout("toolu_3"), Value::Null, "the time is over");
    // A script does not see it in the person's place, and neither does an agent.
    assert!(!home.done(&["log"]).contains("While you were away"));
    let mut of_agent = home.plantune(&["log"]);
    let (shown, _) = run_on_terminal(of_agent.env("CLAUDECODE", "1"), &[]);
    assert!(!shown.contains("While you were away"), "{shown}");
    let (shown, _) = run_on_terminal(&mut home.plantune(&["log"]), &[]);
    assert!(
        shown.contains("While you were away 2 questions were answered"),
        "{shown}"
    );
    assert!(
        shown.contains("plantune undo toolu_1 --answer LABEL"),
        "{shown}"
    );
    let (shown, _) = run_on_terminal(&mut home.plantune(&["log"]), &[]);
    assert!(!shown.contains("While you were away 2"), "once: {shown}");
    assert!(!home.away_file().exists());
}

#[test]
fn a_preference_that_is_undone_is_told_as_well() {
    let mut home = Home::new();
    home.ask_layout("toolu_0");
    home.later(1);
    let key = home.json(&["log", "--json"])["decisions"][0]["question_key"].clone();
    let configuration = home.folder.path().join(".config/plantune");
    fs::create_dir_all(&configuration).unwrap();
    fs::write(configuration.join("config.toml"), "spot_check = 0\n").unwrap();
    let key = key.as_str().unwrap();
    home.done(&[
        "prefs",
        "set",
        key,
        "never-ask",
        "--answer",
        "List",
        "--yes",
    ]);
    assert_eq!(home.ask_layout("toolu_1"), "List");
    home.later(1);
    home.done(&["undo", "toolu_1", "--yes", "--answer", "Grid"]);
    let message = home.prompted();
    assert!(
        message
            .as_str()
            .unwrap()
            .contains("from \"List\" to \"Grid\""),
        "{message}"
    );
    assert_eq!(home.ask_layout("toolu_2"), Value::Null);
}
