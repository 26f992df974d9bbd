//! A throw-away home in which the built programs run, as a person and their agent run them. Nothing here knows more
//! of plantune than its command line, its hook's calls and its log.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chrono::{DateTime, TimeDelta, Timelike as _, Utc};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::asking::Asking;
use crate::chance::Chance;
use crate::templates::without_mark;

/// What became of an asking, and the id of its call in the log.
pub(super) struct Reply {
    pub(super) call: String,
    /// The label that the hook answered with; `None` where it asked.
    pub(super) answer: Option<String>,
}

/// What the hook logged of a call when it decided.
#[derive(Clone, Default)]
pub(super) struct Logged {
    pub(super) key: String,
    pub(super) ask_reason: String,
    pub(super) reason: String,
    pub(super) level: String,
}

pub(super) struct Home {
    folder: TempDir,
    /// Part of each call's id, by which the hook draws which askings it checks.
    number: usize,
    calls: Cell<usize>,
    /// Why each question was not proposed at the end of the last week, by its key.
    pub(super) rejected: BTreeMap<String, String>,
    /// Proposals that could not be set with their label typed, and what was said.
    pub(super) unset: Vec<String>,
}

impl Home {
    pub(super) fn new(chance: &mut Chance) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("transcripts")).unwrap();
        Self {
            folder,
            number: chance.below(1 << 30),
            calls: Cell::new(0),
            rejected: BTreeMap::new(),
            unset: Vec::new(),
        }
    }

    /// The folder of a project, which is no repository.
    pub(super) fn project(&self, name: &str) -> PathBuf {
        let project = self.folder.path().join("home").join(name);
        fs::create_dir_all(&project).unwrap();
        project
    }

    /// Sends `asking` to the hook, lets the person answer what it does not answer, and writes the transcript.
    pub(super) fn ask(&self, at: DateTime<Utc>, project: &Path, asking: &Asking) -> Reply {
        let call = self.next_call();
        let input = json!({"questions": [asking.question]});
        let mut sent = json!({"hook_event_name": "PreToolUse", "session_id": session(at, project), "cwd": project,
            "tool_name": "AskUserQuestion", "tool_use_id": call, "tool_input": input});
        let decided = self.hook(at, &sent);
        let decided = &decided["hookSpecificOutput"];
        let text = asking.question["question"].as_str().unwrap();
        let answer = decided["updatedInput"]["answers"][text].as_str();
        if answer.is_some() {
            assert_eq!(decided["permissionDecision"], "allow", "{decided}");
            sent["tool_input"] = decided["updatedInput"].clone();
        }
        let chosen = answer.unwrap_or(&asking.wanted);
        sent["hook_event_name"] = json!("PostToolUse");
        sent["tool_response"] = result(asking, chosen);
        self.hook(later(at), &sent);
        self.write(at, project, &call, asking, chosen);
        Reply {
            call,
            answer: answer.map(str::to_owned),
        }
    }

    /// Writes `asking` to its session's transcript, answered by the person without a hook.
    pub(super) fn answer(&self, at: DateTime<Utc>, project: &Path, asking: &Asking) {
        let call = self.next_call();
        self.write(at, project, &call, asking, &asking.wanted);
    }

    fn next_call(&self) -> String {
        self.calls.set(self.calls.get() + 1);
        format!("toolu_{}_{}", self.number, self.calls.get())
    }

    fn write(&self, at: DateTime<Utc>, project: &Path, call: &str, asking: &Asking, chosen: &str) {
        let session = session(at, project);
        let line = |at: DateTime<Utc>, kind: &str, content: Value| {
            json!({"isSidechain": false, "userType": "external", "entrypoint": "cli", "cwd": project,
                "sessionId": session, "version": "2.1.330", "gitBranch": "main", "type": kind,
                "uuid": format!("{call}-{kind}"), "timestamp": at.to_rfc3339(),
                "message": {"role": kind, "content": [content]}})
        };
        let asked = json!({"type": "tool_use", "id": call, "name": "AskUserQuestion",
            "input": {"questions": [asking.question]}});
        let asked = line(at, "assistant", asked);
        let text = format!(
            "Your questions have been answered: {}=\"{chosen}\". You can now continue with these answers in mind.",
            asking.question["question"]
        );
        let back = json!({"type": "tool_result", "tool_use_id": call, "content": text});
        let mut back = line(later(at), "user", back);
        back["toolUseResult"] = result(asking, chosen);
        let path = self.folder.path().join("transcripts");
        let path = path.join(format!("{session}.jsonl"));
        let file = OpenOptions::new().create(true).append(true).open(path);
        write!(file.unwrap(), "{asked}\n{back}\n").unwrap();
    }

    /// What a person does at the end of a week: import the transcripts, and set all that is proposed.
    pub(super) fn end_week(&mut self, now: DateTime<Utc>) {
        let transcripts = self.folder.path().join("transcripts");
        self.run(
            now,
            &["import", "claude-code", transcripts.to_str().unwrap()],
        )
        .unwrap();
        let found = self
            .run(now, &["suggest", "--questions", "--json"])
            .unwrap();
        let found: Value = serde_json::from_str(&found).unwrap();
        let all = found["suggestions"].as_array().unwrap();
        let rejected = found["rejected"].as_array().unwrap().iter();
        let word = |one: &Value, field: &str| one[field].as_str().unwrap_or_default().to_owned();
        let rejected = rejected.map(|one| (word(one, "question_key"), word(one, "reason")));
        self.rejected = rejected.collect();
        let mut is_any_left = false;
        for one in all {
            if one["consent"] != "type" {
                is_any_left = true;
                continue;
            }
            let words = ["question_key", "answer", "project"].map(|field| one[field].as_str());
            let [Some(key), Some(answer), project] = words else {
                self.unset.push(format!("no answer to type: {one}"));
                continue;
            };
            let mut command = vec!["suggest", key, "--apply", "--yes", "--answer", answer];
            command.extend(project.iter().flat_map(|project| ["--project", project]));
            if let Err(error) = self.run(now, &command) {
                self.unset.push(error);
            }
        }
        if is_any_left {
            self.run(now, &["suggest", "--questions", "--apply", "--yes"])
                .unwrap();
        }
    }

    /// What the hook logged of each call that it decided about.
    pub(super) fn logged(&self) -> BTreeMap<String, Logged> {
        let mut found = BTreeMap::new();
        let events = self.folder.path().join("data/events");
        let paths: BTreeSet<PathBuf> = fs::read_dir(events)
            .unwrap()
            .map(|one| one.unwrap().path())
            .collect();
        for path in paths
            .iter()
            .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"))
        {
            for line in fs::read_to_string(path).unwrap().lines() {
                let event: Value = serde_json::from_str(line).unwrap();
                let is_decision = event["kind"] == "asked" || event["kind"] == "auto_decided";
                if event["source"] != "hook" || !is_decision {
                    continue;
                }
                let word = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
                let logged = Logged {
                    key: word("question_key"),
                    ask_reason: word("ask_reason"),
                    reason: word("reason"),
                    level: word("level"),
                };
                found.insert(word("tool_use_id"), logged);
            }
        }
        found
    }

    /// The program called `name`, or the one that `variable` names, with nothing else of the environment.
    fn program(&self, variable: &str, name: &str, now: DateTime<Utc>) -> Command {
        let beside = env::current_exe().unwrap().with_file_name(name);
        let program = env::var_os(variable).unwrap_or_else(|| OsString::from(beside));
        let mut command = Command::new(program);
        let home = self.project("");
        command
            .env_clear()
            .env("HOME", &home)
            .env("PLANTUNE_HOME", self.folder.path().join("data"))
            .env("PLANTUNE_NOW", now.to_rfc3339())
            // The bench may itself be run by an agent, whose session is not the person's.
            .env("PLANTUNE_ALLOW_UNATTENDED", "1")
            .env("PLANTUNE_ANCESTORS_UNTIL", std::process::id().to_string())
            .env("TZ", "UTC")
            .current_dir(home)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The output of plantune; an error is what it said.
    fn run(&self, now: DateTime<Utc>, words: &[&str]) -> Result<String, String> {
        let mut command = self.program("PLANTUNE", "plantune", now);
        let ran = command.args(words).stdin(Stdio::null()).output().unwrap();
        match ran.status.success() {
            true => Ok(String::from_utf8(ran.stdout).unwrap()),
            false => Err(format!(
                "{words:?}: {}",
                String::from_utf8_lossy(&ran.stderr)
            )),
        }
    }

    /// The hook's output on `call`; null if there is none.
    fn hook(&self, now: DateTime<Utc>, call: &Value) -> Value {
        let mut command = self.program("PLANTUNE_HOOK", "plantune-hook", now);
        command.env("CLAUDE_CODE_ENTRYPOINT", "cli");
        let mut running = command.stdin(Stdio::piped()).spawn().unwrap();
        let input = call.to_string();
        running
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let ran = running.wait_with_output().unwrap();
        assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
        match ran.stdout.is_empty() {
            true => Value::Null,
            false => serde_json::from_slice(&ran.stdout).unwrap(),
        }
    }

    /// Panics where the programs ignore the clock that they are given, as released ones do: weeks would be a second.
    pub(super) fn check_clock(&self, now: DateTime<Utc>) {
        let day = now.format("data/events/%Y-%m-%d.jsonl").to_string();
        let message = "the programs ignore PLANTUNE_NOW: build them with debug assertions";
        assert!(self.folder.path().join(day).exists(), "{message}");
    }
}

/// Whether the hook's `answer` is what the person wanted.
pub(super) fn is_wanted(answer: &str, asking: &Asking) -> bool {
    without_mark(answer) == without_mark(&asking.wanted)
}

/// The morning and the afternoon of a day are a session each.
fn session(at: DateTime<Utc>, project: &Path) -> String {
    let name = project.file_name().unwrap().to_string_lossy();
    format!("{name}-{}-{}", at.date_naive(), u8::from(at.hour() >= 13))
}

/// When an answer came.
fn later(at: DateTime<Utc>) -> DateTime<Utc> {
    at + TimeDelta::seconds(8 + i64::from(at.minute()))
}

/// The question tool's result.
fn result(asking: &Asking, chosen: &str) -> Value {
    let text = asking.question["question"].as_str().unwrap();
    json!({"questions": [asking.question], "answers": {text: chosen}, "annotations": {}})
}
