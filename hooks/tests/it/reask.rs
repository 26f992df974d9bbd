//! `reask = "once_per_session"`, through the built hook.

use std::fs;

use crate::common::{Home, json_of, pinned, with_text as question};
use serde_json::{Value, json};

const ON: &str = "reask = \"once_per_session\"\n";
const OPTIONS: &[&str] = &["Grid", "List"];

struct World {
    home: Home,
    calls: std::cell::Cell<u32>,
}

impl World {
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
    fn answer(&self, session: &str, questions: &[Value], labels: &[&str]) {
        assert_eq!(self.put(session, questions), Value::Null);
        assert_eq!(self.come_back(session, questions, labels), "");
    }

    /// What the hook prints about the answers.
    fn come_back(&self, session: &str, questions: &[Value], labels: &[&str]) -> String {
        let texts = questions
            .iter()
            .map(|question| question["question"].as_str().unwrap());
        let answers: serde_json::Map<String, Value> = texts
            .zip(labels)
            .map(|(text, label)| (text.to_owned(), json!(label)))
            .collect();
        let event = self.event(session, "PostToolUse", questions, &answers.into());
        self.home.call(&event)
    }

    fn last(&self) -> Value {
        self.home.events().pop().unwrap()
    }
}

fn layout() -> Vec<Value> {
    vec![question("<plantune:layout> Which layout?", OPTIONS)]
}

fn labels(decision: &Value) -> Vec<&str> {
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    let answers = answers.as_object().into_iter().flatten();
    answers.map(|(_, label)| label.as_str().unwrap()).collect()
}

#[test]
fn answer_is_repeated_within_the_session() {
    let world = World::new(ON, "");
    world.answer("s", &layout(), &["List"]);
    let decision = world.put("s", &layout());
    assert_eq!(labels(&decision), ["List"]);
    let message = decision["systemMessage"].as_str().unwrap();
    assert!(
        message.contains("as you did earlier in this session")
            && message.contains("plantune prefs set layout always-ask"),
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
    let printed = world.come_back("s", &layout(), &["List"]);
    assert!(printed.contains("It is no consent"), "{printed}");
    assert_eq!(world.last()["was_auto_decided"], true);
    // The same options in another order and with a mark.
    let moved = [question(
        "<plantune:layout> Which layout?",
        &["List (Recommended)", "Grid"],
    )];
    assert_eq!(labels(&world.put("s", &moved)), ["List (Recommended)"]);
    // Another session, another text, other options, another key.
    for (session, asked) in [
        ("t", question("<plantune:layout> Which layout?", OPTIONS)),
        ("s", question("<plantune:layout> And here?", OPTIONS)),
        (
            "s",
            question("<plantune:layout> Which layout?", &["Grid", "List", "Tree"]),
        ),
        ("s", question("<plantune:other> Which layout?", OPTIONS)),
        ("s", question("Which layout?", OPTIONS)),
    ] {
        let decision = world.put(session, std::slice::from_ref(&asked));
        assert_eq!(decision, Value::Null, "{session}: {asked}");
    }
    world
        .home
        .call(&json!({"session_id": "s", "hook_event_name": "SessionEnd"}));
    assert_eq!(world.put("s", &layout()), Value::Null);
}

#[test]
fn call_is_answered_completely_or_asked() {
    let world = World::new(ON, "");
    let todos = question("<plantune:todos> Create one?", &["Create", "Skip"]);
    world
        .home
        .prefer(None, &json!({"todos": pinned(&todos, "Skip")}));
    let [layout] = <[Value; 1]>::try_from(layout()).unwrap();
    world.answer("s", &[layout.clone(), todos.clone()], &["Grid", "Skip"]);
    let both = world.put("s", &[layout.clone(), todos.clone()]);
    let mut answers = labels(&both);
    answers.sort_unstable();
    assert_eq!(answers, ["Grid", "Skip"]);
    let other = question("<plantune:other> Which?", OPTIONS);
    assert_eq!(world.put("s", &[layout.clone(), other]), Value::Null);
    // Answers are keyed by text: the same text twice cannot be distinguished.
    assert_eq!(world.put("s", &[layout.clone(), layout]), Value::Null);
}

#[test]
fn only_plain_answers_are_remembered() {
    let world = World::new(ON, "");
    let asked = layout();
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
    assert_eq!(labels(&again()), ["List"]);
}

#[test]
fn must_ask_questions_are_asked_again() {
    let world = World::new(ON, "[[question]]\nkey = \"gate\"\ndoor = \"one-way\"\n");
    world
        .home
        .prefer(None, &json!({"always": {"preference": "always-ask"}}));
    let yes_no = &["Yes", "No"];
    for text in [
        "<plantune:always> Which layout?",
        "<plantune:gate> Which layout?",
        "<plantune:a-split-1> Which layout?",
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
    let mut several = layout();
    several[0]["multiSelect"] = json!(true);
    world.answer("s", &several, &["Grid"]);
    assert_eq!(world.put("s", &several), Value::Null);
}

#[test]
fn unmarked_question_matches_by_its_text() {
    let world = World::new(ON, "");
    let rename = |name: &str| [question(&format!("Rename `{name}`?"), &["Yes", "No"])];
    world.answer("s", &rename("a"), &["Yes"]);
    assert_eq!(labels(&world.put("s", &rename("a"))), ["Yes"]);
    // The same fingerprint, and another question.
    assert_eq!(world.put("s", &rename("b")), Value::Null);
}

#[test]
fn rule_overrides_reask_for_its_key() {
    let rule = |word: &str| format!("[[question]]\nkey = \"layout\"\nreask = \"{word}\"\n");
    let world = World::new("", &rule("once_per_session"));
    world.answer("s", &layout(), &["Grid"]);
    assert_eq!(labels(&world.put("s", &layout())), ["Grid"]);
    let other = [question("<plantune:other> Which?", OPTIONS)];
    world.answer("s", &other, &["Grid"]);
    assert_eq!(world.put("s", &other), Value::Null);

    let world = World::new(ON, &rule("off"));
    world.answer("s", &layout(), &["Grid"]);
    assert_eq!(world.put("s", &layout()), Value::Null);
}

#[test]
fn off_by_default_and_nothing_is_written() {
    for world in [
        World::new("", ""),
        World::at(Home::new().with("CI", "1"), ON, ""),
        World::at(Home::new().with("PLANTUNE_DISABLE", "1"), ON, ""),
    ] {
        world.answer("s", &layout(), &["Grid"]);
        assert_eq!(world.put("s", &layout()), Value::Null);
        assert!(!world.home.paths().sessions().exists());
    }
}

#[test]
fn remembered_answers_are_bounded() {
    let world = World::new(ON, "");
    let asked = |number: u32| [question(&format!("<plantune:k-{number}> Which?"), OPTIONS)];
    for number in 0..200 {
        world.answer("s", &asked(number), &["Grid"]);
    }
    let folder = fs::read_dir(world.home.paths().sessions()).unwrap();
    let folder = folder.map(|entry| entry.unwrap().path()).next().unwrap();
    let kept = fs::read_dir(&folder).unwrap().count();
    assert!((200..=257).contains(&kept), "{kept}");
    assert_eq!(labels(&world.put("s", &asked(0))), ["Grid"]);
    assert_eq!(world.put("s", &asked(199)), Value::Null);
    // Half a label is none.
    for entry in fs::read_dir(&folder).unwrap() {
        fs::write(entry.unwrap().path(), "Grid").unwrap();
    }
    assert_eq!(world.put("s", &asked(0)), Value::Null);
}
