//! A home with a repository, the command line and the hook in it, and one question that is asked every hour.
#![allow(dead_code, reason = "shared by several test files")]

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::common;

pub(crate) const PROJECT: &str = "example.org/dev/shop";

pub(crate) struct Home {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) now: DateTime<Utc>,
    pub(crate) calls: u32,
}

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
            now: "2026-10-20T09:00:00Z".parse().unwrap(),
            calls: 0,
        };
        let git = home.shop().join(".git");
        fs::create_dir_all(&git).unwrap();
        let write = |name: &str, text: &str| {
            let mut file = fs::File::create(git.join(name)).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        write("HEAD", "ref: refs/heads/main\n");
        write(
            "config",
            "[remote \"origin\"]\n\turl = git@example.org:dev/shop.git\n",
        );
        home
    }

    pub(crate) fn shop(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("plantune")
    }

    pub(crate) fn command(&self, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PLANTUNE_HOME", self.data())
            .env("PLANTUNE_NOW", self.now.to_rfc3339())
            .env("TZ", "Europe/Berlin")
            .env("USER", "ann")
            .env("COLUMNS", "80")
            .current_dir(self.shop());
        command
    }

    pub(crate) fn plantune(&self, words: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_plantune").into());
        command.args(words).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        ran(&self.plantune(words).output().unwrap())
    }

    pub(crate) fn stdout_of(&self, words: &[&str]) -> String {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
        ran.stdout
    }

    pub(crate) fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.stdout_of(words)).unwrap()
    }

    /// How many preferences are marked for the hook to ask about.
    pub(crate) fn marks(&self) -> usize {
        let entries = fs::read_dir(self.data().join("checks")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        names
            .filter(|name| name.to_string_lossy().ends_with(".withdrawn"))
            .count()
    }

    /// The one preference in the report.
    pub(crate) fn standing(&self) -> Value {
        self.json(&["report", "--json"])["standing_preferences"][0].clone()
    }

    pub(crate) fn hook(&self, event: &str, mut call: Value, environment: &[(&str, &str)]) -> Value {
        call["hook_event_name"] = json!(event);
        call["cwd"] = json!(self.shop());
        let mut hook = self.command(common::hook());
        let output = common::call_hook(hook.envs(environment.iter().copied()), &call);
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }

    /// One call, an hour after the one before. True when the person was asked, who said `answer`.
    pub(crate) fn ask(&mut self, answer: &str) -> bool {
        self.ask_where(answer, &[])
    }

    pub(crate) fn ask_where(&mut self, answer: &str, environment: &[(&str, &str)]) -> bool {
        let (asked, said) = self.one_call(answer, environment);
        // That an answer is no consent is said of those that nobody was asked for.
        let context = &said["hookSpecificOutput"]["classifierContext"];
        assert_eq!(context.is_null(), asked, "{said}");
        assert_eq!(said.is_null(), asked, "{said}");
        asked
    }

    /// Whether the person was asked, and what the hook said when the answer came.
    fn one_call(&mut self, answer: &str, environment: &[(&str, &str)]) -> (bool, Value) {
        self.calls += 1;
        self.now += TimeDelta::hours(1);
        let call = json!({
            "session_id": format!("s{}", self.calls / 4), "tool_name": "AskUserQuestion",
            "tool_use_id": format!("toolu_{}", self.calls),
            "tool_input": {"questions": [{
                "question": "<plantune:layout> Which layout?", "header": "Layout",
                "multiSelect": false,
                "options": [{"label": "Grid (Recommended)", "description": ""},
                            {"label": "List", "description": ""}],
            }]},
        });
        let decision = self.hook("PreToolUse", call.clone(), environment);
        let given = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        let (asked, answers) = match given {
            Value::Null => (true, json!({"<plantune:layout> Which layout?": answer})),
            given => (false, given.clone()),
        };
        self.now += TimeDelta::seconds(20);
        let mut back = call.clone();
        back["tool_response"] =
            json!({"questions": call["tool_input"]["questions"], "answers": answers});
        (asked, self.hook("PostToolUse", back, environment))
    }

    /// Calls until the person is asked, who says `answer`.
    pub(crate) fn until_asked(&mut self, answer: &str) {
        assert!((0..40).any(|_| self.ask(answer)), "never none of forty");
    }

    /// The same; what the hook said when the answer came.
    pub(crate) fn until_checked(&mut self, answer: &str) -> Value {
        let mut calls = (0..60).map(|_| self.one_call(answer, &[]));
        calls.find(|(asked, _)| *asked).unwrap().1
    }

    pub(crate) fn events(&self) -> Vec<Value> {
        let mut segments: Vec<PathBuf> = fs::read_dir(self.data().join("events"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        segments.sort();
        segments
            .iter()
            .flat_map(|segment| {
                let text = fs::read_to_string(segment).unwrap();
                let events = text.lines().map(|line| serde_json::from_str(line).unwrap());
                events.collect::<Vec<Value>>()
            })
            .collect()
    }

    pub(crate) fn last_change(&self) -> Value {
        let is_change = |event: &Value| event["kind"] == "preference_changed";
        self.events().into_iter().rfind(is_change).unwrap()
    }

    pub(crate) fn evidence(&self) -> Value {
        let found = self.json(&["suggest", "--json"]);
        let lists = [&found["suggestions"], &found["rejected"]];
        let mut all = lists.into_iter().flat_map(|list| list.as_array().unwrap());
        all.find(|one| one["question_key"] == "layout").unwrap()["evidence"].clone()
    }
}

/// Long lines are wrapped, so white space does not count.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn ran(output: &std::process::Output) -> Ran {
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}
