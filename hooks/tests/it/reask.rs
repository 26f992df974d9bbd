//! `reask = "once_per_session"`, through the built hook.

use std::fs;

use crate::common::{Home, json_of, pinned, with_text as question};
use serde_json::{Value, json};

const ON: &str = "reask = \"once_per_session\"\n";
const SESSION_OPTIONS: &[&str] = &["Grid", "List"];

struct SessionWorld {
    home: Home,
    calls: std::cell::Cell<u32>,
}

impl SessionWorld {
    fn new(config: &str, registry: &str) -> Self {
        Self::at(Home::new(), config, registry)
    }

    fn at(home: Home, config: &str, registry: &str) -> Self {
        home.configure(config);
        fs::write(home.paths().registry_file(), registry).unwrap();
        Self {
            home,
            calls: std::cell::Cell::new(0),
        }
    }

    fn event(&self, session: &str, name: &str, questions: &[Value], answers: &Value) -> Value {
        let id = format!("toolu_{}", self.calls.get());
        json!({
            "session_id": session, "cwd": self.home.path(), "hook_event_name": name,
            "tool_name": "AskUserQuestion", "tool_use_id": id,
            "tool_input": {"questions": questions},
            "tool_response": {"questions": questions, "answers": answers}
        })
    }

    /// Puts the questions: what the hook decided (null: it asks).
    fn put(&self, session: &str, questions: &[Value]) -> Value {
        self.calls.set(self.calls.get() + 1);
        let printed = self
            .home
            .call(&self.event(session, "PreToolUse", questions, &Value::Null));
        json_of(&printed)
    }

    /// Puts the questions, which must be asked, and answers them.
    fn answer(&self, session: &str, questions: &[Value], session_labels: &[&str]) {
        assert_eq!(self.put(session, questions), Value::Null);
        assert_eq!(self.come_back(session, questions, session_labels), "");
    }

    /// What the hook prints about the answers.
    fn come_back(&self, session: &str, questions: &[Value], session_labels: &[&str]) -> String {
        let texts = questions
            .iter()
            .map(|question| question["question"].as_str().unwrap());
        let answers: serde_json::Map<String, Value> = texts
            .zip(session_labels)
            .map(|(text, label)| (text.to_owned(), json!(label)))
            .collect();
        let event = self.event(session, "PostToolUse", questions, &answers.into());
        self.home.call(&event)
    }

    fn last(&self) -> Value {
        self.home.events().pop().unwrap()
    }
}

fn session_layout() -> Vec<Value> {
    vec![question("<plantune:session_layout> Which session_layout?", SESSION_OPTIONS)]
}

fn session_labels(decision: &Value) -> Vec<&str> {
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    let answers = answers.as_object().into_iter().flatten();
    answers.map(|(_, label)| label.as_str().unwrap()).collect()
}

#[test]
fn answer_is_repeated_within_the_session() {
    let world = SessionWorld::new(ON, "");
    world.answer("s", &session_layout(), &["List"]);
    let decision = world.put("s", &session_layout());
    assert_eq!(session_labels(&decision), ["List"]);
    let message = decision["systemMessage"].as_str().unwrap();
    assert!(
        message.contains("as you did earlier in this session")
            && message.contains("plantune prefs set session_layout always-ask"),
        "{message}"
    );
    let context = decision["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(context.contains("earlier in this session") && context.contains("no permission"));
    let event = world.last();
    assert_eq!(event["kind"], "auto_decided");
    assert_eq!(
        (&event["preference"], &event["preference_scope"]),
        (&json!("reask"), &json!("session"))
    );
    assert_eq!(event["mechanism"], "allow");
    // What comes back of it is no answer of the person's, and is not remembered as one.
    let printed = world.come_back("s", &session_layout(), &["List"]);
    assert!(printed.contains("It is no consent"), "{printed}");
    assert_eq!(world.last()["was_auto_decided"], true);
    // The same options in another order and with a mark.
    let moved = [question(
        "<plantune:session_layout> Which session_layout?",
        &["List (Recommended)", "Grid"],
    )];
    assert_eq!(session_labels(&world.put("s", &moved)), ["List (Recommended)"]);
    // Another session, another text, other options, another key.
    for (session, asked) in [
        ("t", question("<plantune:session_layout> Which session_layout?", SESSION_OPTIONS)),
        ("s", question("<plantune:session_layout> And here?", SESSION_OPTIONS)),
        (
            "s",
            question("<plantune:session_layout> Which session_layout?", &["Grid", "List", "Tree"]),
        ),
        ("s", question("<plantune:other> Which session_layout?", SESSION_OPTIONS)),
        ("s", question("Which session_layout?", SESSION_OPTIONS)),
    ] {
        let decision = world.put(session, std::slice::from_ref(&asked));
        assert_eq!(decision, Value::Null, "{session}: {asked}");
    }
    world
        .home
        .call(&json!({"session_id": "s", "hook_event_name": "SessionEnd"}));
    assert_eq!(world.put("s", &session_layout()), Value::Null);
}

#[test]
fn call_is_answered_completely_or_asked() {
    let world = SessionWorld::new(ON, "");
    let todos = question("<plantune:todos> Create one?", &["Create", "Skip"]);
    world
        .home
        .prefer(None, &json!({"todos": pinned(&todos, "Skip")}));
    let [session_layout] = <[Value; 1]>::try_from(session_layout()).unwrap();
    world.answer("s", &[session_layout.clone(), todos.clone()], &["Grid", "Skip"]);
    let both = world.put("s", &[session_layout.clone(), todos.clone()]);
    let mut answers = session_labels(&both);
    answers.sort_unstable();
    assert_eq!(answers, ["Grid", "Skip"]);
    let other = question("<plantune:other> Which?", SESSION_OPTIONS);
    assert_eq!(world.put("s", &[session_layout.clone(), other]), Value::Null);
    // Answers are keyed by text: the same text twice cannot be distinguished.
    assert_eq!(world.put("s", &[session_layout.clone(), session_layout]), Value::Null);
}

#[test]
fn only_plain_answers_are_remembered() {
    let world = SessionWorld::new(ON, "");
    let asked = session_layout();
    let again = || world.put("s", &asked);
    // Typed, dismissed, failed, never come back.
    world.answer("s", &asked, &["a tree, please"]);
    assert_eq!(again(), Value::Null);
    let text = asked[0]["question"].as_str().unwrap();
    for response in [
        json!({"questions": asked, "answers": {}, "afkTimeoutMs": 300_000}),
        json!({"questions": asked, "answers": {text: "List"}, "annotations": {text: {"notes": "or Grid?"}}}),
        json!([{"type": "text", "text": "[Tool result missing due to internal error]"}]),
    ] {
        let mut event = world.event("s", "PostToolUse", &asked, &Value::Null);
        event["tool_response"] = response;
        assert!(!world.home.call(&event).contains("permissionDecision"));
        assert_eq!(again(), Value::Null, "{}", event["tool_response"]);
    }
    // A note removes a plain answer given before.
    world.answer("s", &asked, &["List"]);
    assert_eq!(session_labels(&again()), ["List"]);
}

#[test]
fn must_ask_questions_are_asked_again() {
    let world = SessionWorld::new(ON, "[[question]]\nkey = \"gate\"\ndoor = \"one-way\"\n");
    world
        .home
        .prefer(None, &json!({"always": {"preference": "always-ask"}}));
    let yes_no = &["Yes", "No"];
    for text in [
        "<plantune:always> Which session_layout?",
        "<plantune:gate> Which session_layout?",
        "<plantune:a-split-1> Which session_layout?",
        "<plantune:tables> Delete the old tables?",
    ] {
        let asked = [question(text, yes_no)];
        world.answer("s", &asked, &["Yes"]);
        assert_eq!(world.put("s", &asked), Value::Null, "{text}");
    }
    // The option that was chosen makes it one-way.
    let asked = [question(
        "<plantune:old> What about the old tables?",
        &["Drop them", "Keep"],
    )];
    world.answer("s", &asked, &["Drop them"]);
    assert_eq!(world.put("s", &asked), Value::Null);
    let mut several = session_layout();
    several[0]["multiSelect"] = json!(true);
    world.answer("s", &several, &["Grid"]);
    assert_eq!(world.put("s", &several), Value::Null);
}

#[test]
fn unmarked_question_matches_by_its_text() {
    let world = SessionWorld::new(ON, "");
    let rename = |name: &str| [question(&format!("Rename `{name}`?"), &["Yes", "No"])];
    world.answer("s", &rename("a"), &["Yes"]);
    assert_eq!(session_labels(&world.put("s", &rename("a"))), ["Yes"]);
    // The same fingerprint, and another question.
    assert_eq!(world.put("s", &rename("b")), Value::Null);
}

#[test]
fn rule_overrides_reask_for_its_key() {
    let rule = |word: &str| format!("[[question]]\nkey = \"session_layout\"\nreask = \"{word}\"\n");
    let world = SessionWorld::new("", &rule("once_per_session"));
    world.answer("s", &session_layout(), &["Grid"]);
    assert_eq!(session_labels(&world.put("s", &session_layout())), ["Grid"]);
    let other = [question("<plantune:other> Which?", SESSION_OPTIONS)];
    world.answer("s", &other, &["Grid"]);
    assert_eq!(world.put("s", &other), Value::Null);

    let world = SessionWorld::new(ON, &rule("off"));
    world.answer("s", &session_layout(), &["Grid"]);
    assert_eq!(world.put("s", &session_layout()), Value::Null);
}

#[test]
fn off_by_default_and_nothing_is_written() {
    for world in [
        SessionWorld::new("", ""),
        SessionWorld::at(Home::new().with("CI", "1"), ON, ""),
        SessionWorld::at(Home::new().with("PLANTUNE_DISABLE", "1"), ON, ""),
    ] {
        world.answer("s", &session_layout(), &["Grid"]);
        assert_eq!(world.put("s", &session_layout()), Value::Null);
        assert!(!world.home.paths().sessions().exists());
    }
}

#[test]
fn remembered_answers_are_bounded() {
    let world = SessionWorld::new(ON, "");
    let asked = |number: u32| [question(&format!("<plantune:k-{number}> Which?"), SESSION_OPTIONS)];
    for number in 0..200 {
        world.answer("s", &asked(number), &["Grid"]);
    }
    let folder = fs::read_dir(world.home.paths().sessions()).unwrap();
    let folder = folder.map(|entry| entry.unwrap().path()).next().unwrap();
    let kept = fs::read_dir(&folder).unwrap().count();
    assert!((200..=257).contains(&kept), "{kept}");
    assert_eq!(session_labels(&world.put("s", &asked(0))), ["Grid"]);
    assert_eq!(world.put("s", &asked(199)), Value::Null);
    // Half a label is none.
    for entry in fs::read_dir(&folder).unwrap() {
        fs::write(entry.unwrap().path(), "Grid").unwrap();
    }
    assert_eq!(world.put("s", &asked(0)), Value::Null);
}
