//! Rules for askers that many people use, and what gstack knew before plantune came.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(home.path("shop")).unwrap();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PLANTUNE_NOW", "2026-11-20T09:00:00Z")
            .env("TZ", "UTC")
            .env("COLUMNS", "100")
            .current_dir(self.path("shop"))
            .stdin(Stdio::null());
        command
    }

    fn plantune(&self, words: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_plantune").into());
        command.args(words).output().unwrap()
    }

    fn done(&self, words: &[&str]) -> String {
        let output = self.plantune(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.done(words)).unwrap()
    }

    /// The key and the door under which the hook logs a question.
    fn asked(&self, id: &str, text: &str, labels: &[&str]) -> (Value, Value) {
        let options: Vec<Value> = labels
            .iter()
            .map(|label| json!({"label": label, "description": ""}))
            .collect();
        let question =
            json!({"question": text, "header": "H", "options": options, "multiSelect": false});
        let call = json!({
            "session_id": "s", "cwd": self.path("shop"), "hook_event_name": "PreToolUse",
            "tool_name": "AskUserQuestion", "tool_use_id": id,
            "tool_input": {"questions": [question]},
        });
        let output = common::call_hook(&mut self.command(common::hook()), &call);
        assert!(output.status.success() && output.stdout.is_empty());
        let log = self.path(".local/share/plantune/events/2026-11-20.jsonl");
        let log = fs::read_to_string(log).unwrap();
        let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        (last["question_key"].clone(), last["door"].clone())
    }
}

fn row(home: &Home, key: &str) -> Value {
    let known = home.json(&["questions", "known", "--json"]);
    let mut rows = known["known"].as_array().unwrap().iter();
    rows.find(|row| row["question_key"] == key).unwrap().clone()
}

#[test]
fn rules_are_taken_over_one_by_one_after_asking() {
    let home = Home::new();
    let area = ["More questions", "Next area"];
    let (before, _) = home.asked("toolu_1", "More about tiles, or go on?", &area);
    assert!(before.as_str().unwrap().starts_with("fp-"));
    let known = row(&home, "gsd-next-area");
    assert_eq!(known["options"], json!(area));
    assert_eq!(
        (&known["kind"], &known["state"]),
        (&json!("go_on"), &json!("new"))
    );
    assert!(known["source"].as_str().unwrap().contains("get-shit-done"));
    assert_eq!(known["license"], "MIT");
    assert!(known["answer"].is_null());

    let take = ["questions", "known", "--register", "gsd-next-area"];
    assert_eq!(
        home.plantune(&take).status.code(),
        Some(4),
        "nobody is asked"
    );
    let yes = [&take[..], &["--yes"]].concat();
    let mut of_agent = home.command(env!("CARGO_BIN_EXE_plantune").into());
    let refused = of_agent.args(&yes).env("CLAUDECODE", "1").status().unwrap();
    assert_eq!(refused.code(), Some(4));
    let added = home.done(&yes);
    assert!(
        added.contains("+options = [\"More questions\", \"Next area\"]"),
        "{added}"
    );
    let (after, door) = home.asked("toolu_2", "More about walls, or go on?", &area);
    assert_eq!((after, door), (json!("gsd-next-area"), json!("two-way")));
    assert_eq!(row(&home, "gsd-next-area")["state"], "taken over");
    assert_eq!(
        row(&home, "gsd-next-area")["asked"],
        2,
        "what was asked before counts"
    );
    assert!(home.done(&yes).contains("already"));
    // One of gstack's, known by its marker, and one-way.
    let (_, door) = home.asked(
        "toolu_3",
        "<gstack-qid:cso-finding-fix> Fix it?",
        &["Yes", "No"],
    );
    assert_eq!(door, "two-way");
    home.done(&[
        "questions",
        "known",
        "--register",
        "cso-finding-fix",
        "--yes",
    ]);
    let (_, door) = home.asked(
        "toolu_4",
        "<gstack-qid:cso-finding-fix> Fix it?",
        &["Yes", "No"],
    );
    assert_eq!(door, "one-way");
    let registry = home.path(".config/plantune/registry.toml");
    let text = fs::read_to_string(&registry).unwrap();
    assert_eq!(text.matches("[[question]]").count(), 2);
    // The person's own rule for a key stays.
    fs::write(&registry, text.replace("go_on", "architecture")).unwrap();
    assert_eq!(row(&home, "gsd-next-area")["state"], "another rule");
    assert_eq!(home.plantune(&yes).status.code(), Some(1));
    let list = home.done(&["questions", "known", "--asker", "gsd"]);
    assert!(
        list.contains("gsd-next-area: two-way, go_on, asked 2×, another rule"),
        "{list}"
    );
    assert!(!list.contains("cso-finding-fix"), "{list}");
}

#[test]
fn gstacks_log_is_imported_and_no_evidence() {
    let home = Home::new();
    let folder = home.path(".gstack/projects/dev-shop");
    fs::create_dir_all(&folder).unwrap();
    let line = |day: u32, choice: &str, source: &str| {
        json!({
            "ts": format!("2026-10-{day:02}T10:00:00.000Z"), "skill": "ship", "source": source,
            "question_id": "ship-todos-create", "question_summary": "No TODOS.md: create one?",
            "category": "approval", "door_type": "two-way", "options_count": 2,
            "user_choice": choice, "recommended": "accept", "session_id": format!("s{day}"),
        })
    };
    let mut lines: Vec<String> = (1..=20)
        .map(|day| line(day, "accept", "hook").to_string())
        .collect();
    lines.push(line(21, "__unknown__", "hook").to_string());
    lines.push(line(22, "accept", "auto-decided").to_string());
    lines.push("{\"torn".to_owned());
    fs::write(folder.join("question-log.jsonl"), lines.join("\n")).unwrap();
    let preferences = json!({"ship-todos-create": "never-ask", "../x": "never-ask"});
    fs::write(
        folder.join("question-preferences.json"),
        preferences.to_string(),
    )
    .unwrap();
    let text = home.done(&["import", "gstack"]);
    for words in [
        "22 questions in 1 logs",
        "20  answered\n",
        "1  answered by gstack",
        "1  with an unknown answer",
        "1  lines could not be read",
        "43 events are new, 0 were known; none of them is evidence",
        "  ship-todos-create: never-ask (gstack/dev-shop)\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("../x"), "{text}");
    assert!(
        home.done(&["import", "gstack"])
            .contains("0 events are new, 43 were known")
    );
    let report = home.json(&["report", "--since", "2026-10-01", "--json"]);
    let totals = &report["totals"];
    let count = |name: &str| totals[name].as_u64().unwrap();
    assert_eq!(
        (count("questions"), count("answered"), count("dismissed")),
        (22, 20, 1)
    );
    let suggested = home.json(&["suggest", "--json"]);
    assert_eq!(suggested["suggestions"], json!([]));
    assert_eq!(suggested["rejected"], json!([]), "none of it is evidence");
    assert_eq!(
        home.json(&["prefs", "list", "--all", "--json"])["preferences"],
        json!([])
    );
    let mut of_agent = home.command(env!("CARGO_BIN_EXE_plantune").into());
    let refused = of_agent
        .args(["import", "gstack"])
        .env("CLAUDECODE", "1")
        .status()
        .unwrap();
    assert_eq!(refused.code(), Some(4));
}
