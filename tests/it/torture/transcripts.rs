//! Made-up transcripts of Claude Code that grow: sessions that go on, and new ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use serde_json::{Value, json};

use super::chance::Chance;

/// How many calls a session makes.
const CALLS: u64 = 40;

/// A folder of transcripts.
pub(crate) struct Transcripts {
    chance: Chance,
    folder: PathBuf,
    calls: u64,
    /// What the sessions have yet to write.
    later: BTreeMap<u64, Vec<Value>>,
}

impl Transcripts {
    pub(crate) fn new(chance: Chance, folder: PathBuf) -> Self {
        Self {
            chance,
            folder,
            calls: 0,
            later: BTreeMap::new(),
        }
    }

    /// Lets `calls` more calls be made; the results of the last ones come with the next.
    pub(crate) fn go_on(&mut self, calls: u64) {
        let mut lines = std::mem::take(&mut self.later);
        for _ in 0..calls {
            let (number, session) = (self.calls, self.calls / CALLS);
            self.calls += 1;
            let [asked, result] = self.call(number, session);
            lines.entry(session).or_default().push(asked);
            if self.chance.percent(4) {
                // The session ends here, as far as this call is concerned.
            } else if self.chance.percent(10) {
                self.later.entry(session).or_default().push(result);
            } else {
                lines.entry(session).or_default().push(result);
            }
        }
        for (session, lines) in lines {
            append(&self.file(session), &lines);
            if session > 0 && self.chance.percent(2) {
                self.resume(session);
            }
        }
    }

    /// Repeats a session's calls in a file of its own under another id, as resuming it does. The
    /// file comes behind that of the session.
    fn resume(&self, session: u64) {
        let file = self.file(session);
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace(&session_id(session), &format!("resumed-{session}"));
        fs::write(file.with_extension("resumed.jsonl"), text).unwrap();
    }

    fn file(&self, session: u64) -> PathBuf {
        let project = format!("-home-dev-project-{}", session % 4);
        self.folder
            .join(project)
            .join(format!("{session:06}.jsonl"))
    }

    fn call(&mut self, number: u64, session: u64) -> [Value; 2] {
        let topic = number % 19;
        let text = format!("What about part {number} of topic {topic}?");
        let label = |label: &str| json!({"label": label, "description": "Because it is so."});
        let mut questions = vec![
            json!({"question": text, "header": "Topic", "multiSelect": false,
            "options": [label("Go on (Recommended)"), label("Leave it")]}),
        ];
        let mut answers =
            json!({&text: if topic == 3 { "Leave it" } else { "Go on (Recommended)" }});
        if self.chance.percent(25) {
            let text = format!("And part {number} in detail?");
            questions.push(
                json!({"question": text, "header": "Detail", "multiSelect": false,
                "options": [label("Yes"), label("No")]}),
            );
            answers[&text] = json!("something else");
        }
        let id = format!("toolu_{:016x}", number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let at = start()
            + TimeDelta::hours(7 * session as i64)
            + TimeDelta::minutes((number % CALLS) as i64);
        let asked = json!({"role": "assistant", "content": [{"type": "tool_use", "id": id,
            "name": "AskUserQuestion", "input": {"questions": questions}}]});
        let mut result = json!({"type": "tool_result", "tool_use_id": id});
        let returned = if self.chance.percent(90) {
            result["content"] = json!("Your questions have been answered.");
            json!({"questions": questions, "answers": answers, "annotations": {}})
        } else {
            result["content"] = json!("The user doesn't want to proceed with this tool use.");
            result["is_error"] = json!(true);
            json!("User rejected tool use")
        };
        let message = json!({"role": "user", "content": [result]});
        let later = at + TimeDelta::seconds(5 + self.chance.below(40) as i64);
        [
            line("assistant", session, at, &json!({"message": asked})),
            line(
                "user",
                session,
                later,
                &json!({"message": message, "toolUseResult": returned}),
            ),
        ]
    }
}

fn line(kind: &str, session: u64, at: DateTime<Utc>, more: &Value) -> Value {
    let mut line = json!({"type": kind, "uuid": "u", "timestamp": timestamp(at),
        "sessionId": session_id(session), "cwd": format!("/nowhere/project-{}", session % 4),
        "version": "2.1.197", "entrypoint": "cli", "gitBranch": "main", "isSidechain": false});
    let more = more.as_object().unwrap().clone();
    line.as_object_mut().unwrap().extend(more);
    line
}

fn session_id(session: u64) -> String {
    format!("00000000-0000-4000-8000-{session:012}")
}

fn append(file: &Path, lines: &[Value]) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .unwrap();
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    file.write_all(text.concat().as_bytes()).unwrap();
}

fn start() -> DateTime<Utc> {
    "2026-08-01T06:00:00Z".parse().unwrap()
}
