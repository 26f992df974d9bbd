//! The whole hook, in this process: any bytes on its standard input, any files in its home.
//!
//! Input: sections divided by the byte 1E. The first is the call; the others, where they are not
//! empty, stand in for the files of a home that has something to decide: the global preferences,
//! those of the project `/fuzz/shop`, `registry.toml`, `config.toml`.
//!
//! Holds for all of them: no panic; printed is nothing, or words that decide nothing, or one decision
//! that Claude Code honours, with every question answered by one of its own labels; every line of the spool is an event; the same
//! call again gives the same events; an answer of ours that comes back is never taken for the person's.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a check is there to panic"
)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use plantune_domain::event::{Event, MAX_LINE_BYTES, SCHEMA_VERSION};
use plantune_domain::json::lenient_json;
use plantune_domain::paths::Paths;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::sanitize::is_dangerous;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::wire::{SentQuestion, sent_questions};
use plantune_hooks::{CallEnvironment, handle};
use serde_json::{Value, json};

const NOW: &str = "2026-11-20T10:00:00.000Z";
const SEPARATOR: u8 = 0x1e;
const PROJECT: &str = "/fuzz/shop";

const GLOBAL: &str = r#"{
  "version": 1,
  "preferences": {
    "commit": {
      "preference": "never-ask",
      "answer": "Yes"
    },
    "format": {
      "preference": "never-ask"
    },
    "layout": {
      "preference": "ask-only-for-one-way"
    },
    "todos": {
      "preference": "always-ask"
    }
  }
}
"#;
const OF_PROJECT: &str = r#"{"version":1,"preferences":{"tests":{"preference":"never-ask","answer":"All"},
"format":{"preference":"never-ask"},"a-split-1":{"preference":"never-ask"}}}"#;
const REGISTRY: &str = "[[question]]\nkey = \"layout\"\noptions = [\"Grid\", \"List\"]\n\
[[question]]\nkey = \"tests\"\ntext = \"which tests*\"\n\
[[question]]\nkey = \"gate\"\nheader = \"Gate\"\ndoor = \"one-way\"\n";

/// Checks the call and the files in `data`; `scratch` is an empty folder, or one used here before.
pub(crate) fn check(data: &[u8], scratch: &Path) {
    let mut sections = data.split(|byte| *byte == SEPARATOR);
    let call = sections.next().unwrap_or_default();
    let home = Home::at(scratch);
    home.furnish(sections);
    let (printed, events) = home.handle(call);
    let sent = lenient_json(&String::from_utf8_lossy(call)).unwrap_or_default();
    let questions = sent_questions(&sent["tool_input"]);
    assert!(
        events.len() <= questions.len() + 4,
        "events that nothing asked for"
    );
    let printed: Option<Value> = printed.map(|text| serde_json::from_str(&text).unwrap());
    let is_decision =
        |printed: &Value| printed["hookSpecificOutput"]["permissionDecision"] != json!(null);
    let decision = printed.as_ref().filter(|printed| is_decision(printed));
    let decided = events
        .iter()
        .filter(|event| event["kind"] == "auto_decided");
    assert_eq!(
        decided.count(),
        if decision.is_some() {
            questions.len()
        } else {
            0
        },
        "what is printed is on record, and nothing else"
    );
    let (again, same) = home.handle(call);
    let again = again.map(|text| serde_json::from_str::<Value>(&text).unwrap());
    assert_eq!(printed, again);
    assert_eq!(
        ids(&events),
        ids(&same),
        "a hook registered twice logs twice"
    );
    if let (Some(printed), None) = (&printed, decision) {
        check_words(printed, &sent);
    }
    if let Some(decision) = decision {
        check_decision(decision, &sent, &questions, &home);
        home.answer_comes_back(&sent, decision);
        let _ = fs::remove_dir_all(home.paths.sessions());
    }
}

fn ids(events: &[Value]) -> BTreeSet<&str> {
    events
        .iter()
        .map(|event| event["id"].as_str().unwrap())
        .collect()
}

/// Output that decides nothing: context for the model on an event that takes some.
fn check_words(printed: &Value, sent: &Value) {
    let output = &printed["hookSpecificOutput"];
    let event = sent["hook_event_name"].as_str().unwrap();
    assert!(["PostToolUse", "PostToolUseFailure", "SessionStart"].contains(&event));
    assert_eq!(output["hookEventName"], event);
    assert!(
        output["additionalContext"]
            .as_str()
            .is_some_and(|text| text.len() < 16_384)
    );
    assert_eq!(output.as_object().unwrap().len(), 2);
    assert_eq!(printed.as_object().unwrap().len(), 1);
}

/// A decision that Claude Code honours, and that is for the person to have made.
fn check_decision(printed: &Value, sent: &Value, questions: &[SentQuestion], home: &Home) {
    let output = &printed["hookSpecificOutput"];
    assert_eq!(sent["hook_event_name"], "PreToolUse");
    assert_eq!(output["hookEventName"], "PreToolUse");
    let message = printed["systemMessage"].as_str().unwrap();
    let is_hidden = |c: char| is_dangerous(c) && c != '\n';
    assert!(
        !message.is_empty() && !message.contains(is_hidden),
        "{message:?}"
    );
    let registry = Registry::load(&home.paths.registry_file()).unwrap();
    for question in questions {
        let question = Question::identify(question.clone(), &registry);
        let reason = question.door_reason.as_deref().unwrap_or_default();
        assert!(
            !reason.starts_with("registry"),
            "answered: {}",
            question.text
        );
        assert!(!question.key.contains("-split-"));
    }
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    match output["permissionDecision"].as_str().unwrap() {
        "allow" => {
            assert_eq!(sent["tool_name"], "AskUserQuestion");
            let mut input = output["updatedInput"].clone();
            let answers = input.as_object_mut().unwrap().remove("answers").unwrap();
            assert_eq!(
                input, sent["tool_input"],
                "the input is not the one that was sent"
            );
            assert_eq!(answers.as_object().unwrap().len(), questions.len());
            for question in questions {
                let answer = answers[&question.text].as_str().unwrap();
                assert!(question.options.iter().any(|label| label == answer));
            }
        }
        "deny" => {
            assert!(sent["tool_name"].as_str().unwrap().starts_with("mcp__"));
            assert!(reason.starts_with("[plan-tune auto-decide] "));
            assert!(output.get("updatedInput").is_none());
        }
        other => panic!("{other} decides nothing"),
    }
}

struct Home {
    paths: Paths,
    spool: PathBuf,
    environment: CallEnvironment,
}

impl Home {
    fn at(folder: &Path) -> Self {
        let paths = Paths::below(folder.to_owned());
        Self {
            spool: paths.events().join("2026-11-20.jsonl"),
            environment: CallEnvironment {
                agent: &plantune_agents::claude_code::ClaudeCode,
                paths: paths.clone(),
                now: DateTime::parse_from_rfc3339(NOW).unwrap().to_utc(),
                session_kind: SessionKind::Interactive,
                entrypoint: Some("cli".to_owned()),
                project_root: None,
                disabled: false,
                by_plugin: false,
            },
            paths,
        }
    }

    /// Writes the files of the home, those of `sections` where there are some.
    fn furnish<'s>(&self, mut sections: impl Iterator<Item = &'s [u8]>) {
        let files = [
            (self.paths.global_preferences(), GLOBAL),
            (self.paths.project_preferences(PROJECT), OF_PROJECT),
            (self.paths.registry_file(), REGISTRY),
            (self.paths.config_file(), ""),
        ];
        for (path, usual) in files {
            let section = sections.next().filter(|section| !section.is_empty());
            put(&path, section.unwrap_or(usual.as_bytes()));
        }
    }

    /// The output for `call`, and the events it leaves.
    fn handle(&self, call: &[u8]) -> (Option<String>, Vec<Value>) {
        let printed = handle(call, &self.environment);
        let lines = fs::read(&self.spool).unwrap_or_default();
        let _ = fs::remove_file(&self.spool);
        assert!(lines.last().is_none_or(|last| *last == b'\n'));
        let events = lines.split_inclusive(|byte| *byte == b'\n').map(event);
        (printed, events.collect())
    }

    /// The tool runs with the answers it was given, and tells of them.
    fn answer_comes_back(&self, sent: &Value, printed: &Value) {
        let input = &printed["hookSpecificOutput"]["updatedInput"];
        if input.is_null() {
            return;
        }
        let mut call = sent.clone();
        call["hook_event_name"] = json!("PostToolUse");
        call["tool_response"] =
            json!({"questions": input["questions"], "answers": input["answers"]});
        call["tool_input"] = input.clone();
        let (printed, events) = self.handle(call.to_string().as_bytes());
        let is_answered = events.iter().any(|event| event["kind"] == "answered");
        let context = printed.map(|text| serde_json::from_str::<Value>(&text).unwrap());
        let classifier =
            context.map(|mut context| context["hookSpecificOutput"]["classifierContext"].take());
        // An answer that is not the person's is said to be none.
        assert_eq!(classifier.is_some_and(|text| text.is_string()), is_answered);
        for event in events.iter().filter(|event| event["kind"] == "answered") {
            assert_eq!(
                event["was_auto_decided"], true,
                "taken for the person's: {event}"
            );
        }
    }
}

/// One line of the spool, which must be an event of schema 1.
fn event(line: &[u8]) -> Value {
    assert!(line.len() <= MAX_LINE_BYTES + 1);
    let mut event: Event<'_> = serde_json::from_slice(line).unwrap();
    assert_eq!(event.v, SCHEMA_VERSION);
    assert_eq!(&*event.ts, NOW);
    assert!(event.id.len() == 32 && event.id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let value: Value = serde_json::from_slice(line).unwrap();
    if value.get("followed_recommendation") == Some(&Value::Null) {
        // Readers take null for absent; both mean that it is not known.
        event.followed_recommendation = Some(None);
    }
    assert!(
        event.to_line().unwrap() == line,
        "read and written again, it is another"
    );
    value
}

/// Writes a file, unless it holds just that since the last time.
fn put(path: &Path, content: &[u8]) {
    thread_local! {
        static WRITTEN: RefCell<BTreeMap<PathBuf, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    }
    WRITTEN.with_borrow_mut(|written| {
        if written.get(path).is_some_and(|known| known == content) {
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(path).unwrap().write_all(content).unwrap();
        written.insert(path.to_owned(), content.to_vec());
    });
}
