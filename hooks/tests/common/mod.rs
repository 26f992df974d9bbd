//! A home of its own for the built hook, with a fixed clock.
#![allow(
    unreachable_pub,
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "shared by several test files"
)]

pub mod bound;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use plantune_domain::keys::take_marker;
use plantune_domain::paths::Paths;
use serde_json::{Value, json};

/// The hook calls of a captured scenario, in order.
pub fn scenario(name: &str) -> Vec<Value> {
    scenario_of("2.1.197", name)
}

/// The hook calls of a scenario captured from this version of Claude Code, in order.
pub fn scenario_of(version: &str, name: &str) -> Vec<Value> {
    let folder = format!("tests/fixtures/claude-code-{version}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A marked question of the native tool.
pub fn question(key: &str, text: &str, options: &[&str]) -> Value {
    with_text(&format!("<plantune:{key}> {text}"), options)
}

/// A question of the native tool, with this text.
pub fn with_text(text: &str, options: &[&str]) -> Value {
    let options: Vec<Value> = options
        .iter()
        .map(|label| json!({"label": label, "description": ""}))
        .collect();
    json!({"question": text, "header": "Header", "options": options, "multiSelect": false})
}

/// `preference` as it was given for `question`: with its text, its labels, and whether several may be
/// chosen.
pub fn given_for(question: &Value, mut preference: Value) -> Value {
    let labels = question["options"].as_array().unwrap().iter();
    let labels = labels.map(|option| option.get("label").unwrap_or(option).clone());
    preference["options"] = labels.collect();
    preference["question"] = json!(take_marker(question["question"].as_str().unwrap()).1);
    if question["multiSelect"] == true {
        preference["multi_select"] = json!(true);
    }
    preference
}

/// A preference to answer `question` as it recommends.
pub fn never_ask(question: &Value) -> Value {
    given_for(question, json!({"preference": "never-ask"}))
}

/// A preference to answer `question` with `label`.
pub fn pinned(question: &Value, label: &str) -> Value {
    given_for(
        question,
        json!({"preference": "never-ask", "answer": label}),
    )
}

/// PreToolUse of the native tool, in session `s`.
pub fn ask(id: &str, cwd: &Path, questions: &[Value]) -> Value {
    json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion", "tool_input": {"questions": questions}, "tool_use_id": id
    })
}

/// Two options, the first of them recommended.
pub const OPTIONS: &[&str] = &["Create it (Recommended)", "Skip"];

/// The decision (null for none) and why each question was asked.
pub fn decide(home: &Home, questions: &[Value]) -> (Value, Vec<String>) {
    let before = home.events().len();
    let printed = home.call(&ask(&format!("toolu_{before}"), home.path(), questions));
    let decision = if printed.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&printed).unwrap()
    };
    let reasons = home.events().split_off(before);
    (
        decision,
        reasons
            .iter()
            .filter_map(|event| Some(event["ask_reason"].as_str()?.to_owned()))
            .collect(),
    )
}

/// The question of most tests.
pub fn create_one() -> Value {
    question("k", "Create one?", OPTIONS)
}

pub struct Home {
    folder: tempfile::TempDir,
    second: std::cell::Cell<u32>,
    environment: Vec<(&'static str, String)>,
}

impl Home {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            second: std::cell::Cell::new(0),
            environment: Vec::new(),
        }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn plantune(&self) -> PathBuf {
        self.path().join("plantune")
    }

    pub fn paths(&self) -> Paths {
        Paths::below(self.plantune())
    }

    /// Runs the hook on `input` a second after the call before; it must exit 0 and say nothing on
    /// standard error. Returns what it printed.
    pub fn run(&self, input: &[u8]) -> String {
        let second = self.second.get();
        self.second.set(second + 1);
        let mut hook = Command::new(env!("CARGO_BIN_EXE_plantune-hook"))
            .env_clear()
            .env("PLANTUNE_HOME", self.plantune())
            .env(
                "PLANTUNE_NOW",
                format!("2026-11-20T10:{:02}:{:02}Z", second / 60, second % 60),
            )
            .envs(
                self.environment
                    .iter()
                    .map(|(name, value)| (*name, value.as_str())),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        hook.stdin.take().unwrap().write_all(input).unwrap();
        let output = hook.wait_with_output().unwrap();
        assert!(output.status.success(), "{:?}", output.status);
        assert!(
            output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn call(&self, call: &Value) -> String {
        self.run(call.to_string().as_bytes())
    }

    /// What the hook logged, in order.
    pub fn events(&self) -> Vec<Value> {
        let mut segments: Vec<PathBuf> = match fs::read_dir(self.paths().events()) {
            Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => return Vec::new(),
        };
        segments.sort();
        let lines = segments.iter().flat_map(|segment| {
            let text = fs::read_to_string(segment).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        });
        lines
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect()
    }

    /// The events about questions.
    pub fn question_events(&self) -> Vec<Value> {
        let mut events = self.events();
        events.retain(|event| event["tool_use_id"].is_string());
        events
    }

    pub fn configure(&self, text: &str) {
        fs::create_dir_all(self.plantune()).unwrap();
        let path = self.paths().config_file();
        plantune_domain::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
    }

    /// Makes the global preferences those to answer each of `questions`, which have markers, as it
    /// recommends.
    pub fn never_ask(&self, questions: &[Value]) {
        let key = |question: &Value| take_marker(question["question"].as_str().unwrap()).0;
        let entries = questions
            .iter()
            .map(|question| (key(question).unwrap(), never_ask(question)));
        self.prefer(None, &entries.collect());
    }

    /// Makes these the preferences of `project`, or the global ones. Unless there are settings, no
    /// call is asked as a spot check.
    pub fn prefer(&self, project: Option<&str>, preferences: &Value) {
        if !self.paths().config_file().exists() {
            self.configure("spot_check = 0\n");
        }
        let path = match project {
            Some(project) => self.paths().project_preferences(project),
            None => self.paths().global_preferences(),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = json!({"version": 1, "preferences": preferences});
        plantune_domain::atomic_file::replace(&path, file.to_string().as_bytes(), 0o600).unwrap();
    }
}
