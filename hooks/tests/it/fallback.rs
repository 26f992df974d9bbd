//! What answers where no preference does: the person's own earlier answer, and their reviewer.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Home, json_of, pinned, with_text};

// `reask = "once_per_session"`, through the built hook.

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
    fn answer(&self, session: &str, questions: &[Value], labels: &[&str]) {
        assert_eq!(self.put(session, questions), Value::Null);
        assert_eq!(self.come_back(session, questions, labels), "");
    }

    /// The hook's output about the answers.
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

fn layout_question() -> Vec<Value> {
    vec![with_text(
        "<plantune:layout> Which layout?",
        SESSION_OPTIONS,
    )]
}

fn answered_labels(decision: &Value) -> Vec<&str> {
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    let answers = answers.as_object().into_iter().flatten();
    answers.map(|(_, label)| label.as_str().unwrap()).collect()
}

#[test]
fn answer_is_repeated_within_the_session() {
    let world = SessionWorld::new(ON, "");
    world.answer("s", &layout_question(), &["List"]);
    let decision = world.put("s", &layout_question());
    assert_eq!(answered_labels(&decision), ["List"]);
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
    let printed = world.come_back("s", &layout_question(), &["List"]);
    assert!(printed.contains("It is not consent"), "{printed}");
    assert_eq!(world.last()["was_auto_decided"], true);
    // The same options in another order and with a mark.
    let moved = [with_text(
        "<plantune:layout> Which layout?",
        &["List (Recommended)", "Grid"],
    )];
    assert_eq!(
        answered_labels(&world.put("s", &moved)),
        ["List (Recommended)"]
    );
    // Another session, another text, other options, another key.
    for (session, asked) in [
        (
            "t",
            with_text("<plantune:layout> Which layout?", SESSION_OPTIONS),
        ),
        (
            "s",
            with_text("<plantune:layout> And here?", SESSION_OPTIONS),
        ),
        (
            "s",
            with_text("<plantune:layout> Which layout?", &["Grid", "List", "Tree"]),
        ),
        (
            "s",
            with_text("<plantune:other> Which layout?", SESSION_OPTIONS),
        ),
        ("s", with_text("Which layout?", SESSION_OPTIONS)),
    ] {
        let decision = world.put(session, std::slice::from_ref(&asked));
        assert_eq!(decision, Value::Null, "{session}: {asked}");
    }
    world
        .home
        .call(&json!({"session_id": "s", "hook_event_name": "SessionEnd"}));
    assert_eq!(world.put("s", &layout_question()), Value::Null);
}

#[test]
fn call_is_answered_completely_or_asked() {
    let world = SessionWorld::new(ON, "");
    let todos = with_text("<plantune:todos> Create one?", &["Create", "Skip"]);
    world
        .home
        .prefer(None, &json!({"todos": pinned(&todos, "Skip")}));
    let [layout] = <[Value; 1]>::try_from(layout_question()).unwrap();
    world.answer("s", &[layout.clone(), todos.clone()], &["Grid", "Skip"]);
    let both = world.put("s", &[layout.clone(), todos.clone()]);
    let mut answers = answered_labels(&both);
    answers.sort_unstable();
    assert_eq!(answers, ["Grid", "Skip"]);
    let other = with_text("<plantune:other> Which?", SESSION_OPTIONS);
    assert_eq!(world.put("s", &[layout.clone(), other]), Value::Null);
    // Answers are keyed by text: the same text twice cannot be distinguished.
    assert_eq!(world.put("s", &[layout.clone(), layout]), Value::Null);
}

#[test]
fn only_plain_answers_are_remembered() {
    let world = SessionWorld::new(ON, "");
    let asked = layout_question();
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
    assert_eq!(answered_labels(&again()), ["List"]);
}

#[test]
fn must_ask_questions_are_asked_again() {
    let world = SessionWorld::new(ON, "[[question]]\nkey = \"gate\"\ndoor = \"one-way\"\n");
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
        let asked = [with_text(text, yes_no)];
        world.answer("s", &asked, &["Yes"]);
        assert_eq!(world.put("s", &asked), Value::Null, "{text}");
    }
    // The option that was chosen makes it one-way.
    let asked = [with_text(
        "<plantune:old> What about the old tables?",
        &["Drop them", "Keep"],
    )];
    world.answer("s", &asked, &["Drop them"]);
    assert_eq!(world.put("s", &asked), Value::Null);
    let mut several = layout_question();
    several[0]["multiSelect"] = json!(true);
    world.answer("s", &several, &["Grid"]);
    assert_eq!(world.put("s", &several), Value::Null);
}

#[test]
fn unmarked_question_matches_by_its_text() {
    let world = SessionWorld::new(ON, "");
    let rename = |name: &str| [with_text(&format!("Rename `{name}`?"), &["Yes", "No"])];
    world.answer("s", &rename("a"), &["Yes"]);
    assert_eq!(answered_labels(&world.put("s", &rename("a"))), ["Yes"]);
    // The same key, and another question.
    assert_eq!(world.put("s", &rename("b")), Value::Null);
}

#[test]
fn rule_overrides_reask_for_its_key() {
    let rule = |word: &str| format!("[[question]]\nkey = \"layout\"\nreask = \"{word}\"\n");
    let world = SessionWorld::new("", &rule("once_per_session"));
    world.answer("s", &layout_question(), &["Grid"]);
    assert_eq!(
        answered_labels(&world.put("s", &layout_question())),
        ["Grid"]
    );
    let other = [with_text("<plantune:other> Which?", SESSION_OPTIONS)];
    world.answer("s", &other, &["Grid"]);
    assert_eq!(world.put("s", &other), Value::Null);

    let world = SessionWorld::new(ON, &rule("off"));
    world.answer("s", &layout_question(), &["Grid"]);
    assert_eq!(world.put("s", &layout_question()), Value::Null);
}

#[test]
fn off_by_default_and_nothing_is_written() {
    for world in [
        SessionWorld::new("", ""),
        SessionWorld::at(Home::new().with("CI", "1"), ON, ""),
        SessionWorld::at(Home::new().with("PLANTUNE_DISABLE", "1"), ON, ""),
    ] {
        world.answer("s", &layout_question(), &["Grid"]);
        assert_eq!(world.put("s", &layout_question()), Value::Null);
        assert!(!world.home.paths().sessions().exists());
    }
}

#[test]
fn remembered_answers_are_bounded() {
    let world = SessionWorld::new(ON, "");
    let asked = |number: u32| {
        [with_text(
            &format!("<plantune:k-{number}> Which?"),
            SESSION_OPTIONS,
        )]
    };
    for number in 0..200 {
        world.answer("s", &asked(number), &["Grid"]);
    }
    let folder = fs::read_dir(world.home.paths().sessions()).unwrap();
    let folder = folder.map(|entry| entry.unwrap().path()).next().unwrap();
    let kept = fs::read_dir(&folder).unwrap().count();
    assert!((200..=257).contains(&kept), "{kept}");
    assert_eq!(answered_labels(&world.put("s", &asked(0))), ["Grid"]);
    assert_eq!(world.put("s", &asked(199)), Value::Null);
    // Half a label is none.
    for entry in fs::read_dir(&folder).unwrap() {
        fs::write(entry.unwrap().path(), "Grid").unwrap();
    }
    assert_eq!(world.put("s", &asked(0)), Value::Null);
}

// A reviewer, through the built hook: programs that answer, turn down, abstain, lie, hang, flood.

const OPTIONS: &[&str] = &["Grid (Recommended)", "List"];

struct World {
    home: Home,
    calls: std::cell::Cell<u32>,
}

impl World {
    /// A home whose reviewer is the shell script `body`; `more` is added to `config.toml`.
    fn new(body: &str, more: &str) -> Self {
        Self::at(Home::new(), body, more)
    }

    fn at(home: Home, body: &str, more: &str) -> Self {
        fs::create_dir_all(home.plantune()).unwrap();
        let world = Self {
            home,
            calls: std::cell::Cell::new(0),
        };
        let (script, folder) = (world.script(), world.home.path().display());
        fs::write(
            &script,
            format!("#!/bin/sh\ncd '{folder}'\necho x >> runs\n{body}\n"),
        )
        .unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(
            world.home.paths().config_file(),
            format!(
                "reviewer = [{:?}, \"a b\"]\n{more}",
                script.to_str().unwrap()
            ),
        )
        .unwrap();
        world
    }

    fn script(&self) -> PathBuf {
        self.home.path().join("review")
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.home.path().join("runs")).map_or(0, |runs| runs.lines().count())
    }

    fn put(&self, questions: &[Value]) -> Value {
        self.put_to("AskUserQuestion", &json!({"questions": questions}))
    }

    fn put_to(&self, tool: &str, input: &Value) -> Value {
        self.calls.set(self.calls.get() + 1);
        json_of(&self.home.call(&json!({
            "session_id": "s", "cwd": self.home.path(), "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_use_id": format!("toolu_{}", self.calls.get()),
            "tool_input": input
        })))
    }

    fn events(&self, kind: &str) -> Vec<Value> {
        self.home.events_of(kind)
    }
}

fn layout() -> Value {
    with_text("<plantune:layout> Which layout?", OPTIONS)
}

fn writing(what: &str) -> String {
    format!("cat > input\nprintf %s '{what}'")
}

#[test]
fn reviewers_answer_is_logged_as_its_own() {
    let world = World::new(&writing(r#"{"decision":"answer","answers":["grid"]}"#), "");
    let decision = world.put(&[layout()]);
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    assert_eq!(
        output["updatedInput"]["answers"]["<plantune:layout> Which layout?"],
        "Grid (Recommended)"
    );
    assert!(
        decision["systemMessage"]
            .as_str()
            .unwrap()
            .contains("as your reviewer said")
    );
    assert!(
        output["additionalContext"]
            .as_str()
            .unwrap()
            .contains("by a reviewer that the user")
    );
    let decided = world.events("auto_decided");
    assert_eq!(decided[0]["mechanism"], "reviewer");
    assert_eq!(decided[0]["preference"], "reviewer");
    assert_eq!(decided[0]["answer"], json!(["Grid (Recommended)"]));

    // What it reads: the `asked` event of each question, and the input as sent.
    let read = fs::read_to_string(world.home.path().join("input")).unwrap();
    let read: Value = serde_json::from_str(&read).unwrap();
    assert_eq!(read["version"], 1);
    assert_eq!(read["tool_input"]["questions"][0], layout());
    let asked = &read["questions"][0];
    assert_eq!(
        (&asked["kind"], &asked["question_key"], &asked["ask_reason"]),
        (&json!("asked"), &json!("layout"), &json!("no_preference"))
    );
    assert_eq!(asked["session_id"], "s");
    assert_eq!(world.events("asked").len(), 0);
}

#[test]
fn reviewer_answers_mcp_by_deny() {
    let world = World::new(&writing(r#"{"decision":"answer","answers":["B"]}"#), "");
    let decision = world.put_to(
        "mcp__conductor__AskUserQuestion",
        &json!({"question": "Which?", "options": ["A", "B"]}),
    );
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("[plan-tune auto-decide] ") && reason.contains("→ B"),
        "{reason}"
    );
    assert_eq!(world.events("auto_decided")[0]["mechanism"], "reviewer");
}

#[test]
fn reviewer_can_deny_with_feedback() {
    let output = r#"{"decision":"deny","feedback":"Read\n CONTRIBUTING first\u001b[31m"}"#;
    let world = World::new(&writing(output), "");
    let decision = world.put(&[layout()]);
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    assert_eq!(output["updatedInput"], Value::Null);
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("[plan-tune auto-decide] ")
            && reason.contains("\"Read CONTRIBUTING first\""),
        "{reason}"
    );
    let event = &world.events("auto_decided")[0];
    assert_eq!(
        (&event["mechanism"], &event["reason"]),
        (&json!("reviewer"), &json!("denied"))
    );
    assert_eq!(event["answer"], json!([]));
}

#[test]
fn abstention_asks_without_an_error() {
    for output in [
        writing(r#"{"decision":"abstain"}"#),
        "true".to_owned(),
        "exec 0<&-; echo".to_owned(),
    ] {
        let world = World::new(&output, "");
        assert_eq!(world.put(&[layout()]), Value::Null, "{output}");
        assert_eq!(world.events("asked")[0]["ask_reason"], "no_preference");
        assert_eq!(
            (world.events("hook_error").len(), world.runs()),
            (0, 1),
            "{output}"
        );
    }
}

#[test]
fn invalid_reviews_ask_and_are_logged() {
    for output in [
        writing(r#"{"decision":"answer","answers":["Tree"]}"#),
        writing(r#"{"decision":"answer","answers":[]}"#),
        writing(r#"{"decision":"answer","answers":["Grid","Grid"]}"#),
        writing(r#"{"decision":"answer","answers":[7]}"#),
        writing(r#"{"decision":"answer"}"#),
        writing(r#"{"decision":"deny"}"#),
        writing(r#"{"decision":"allow"}"#),
        writing("yes"),
        writing(r#"{"decision":"abstain"} more"#),
        format!(
            "{}; exit 3",
            writing(r#"{"decision":"answer","answers":["Grid"]}"#)
        ),
        "yes".to_owned(),
    ] {
        let world = World::new(&output, "");
        assert_eq!(world.put(&[layout()]), Value::Null, "{output}");
        assert_eq!(world.events("asked").len(), 1, "{output}");
        let errors = world.events("hook_error");
        assert_eq!(errors.len(), 1, "{output}");
        assert!(
            errors[0]["error"]
                .as_str()
                .unwrap()
                .starts_with("reviewer: "),
            "{output}"
        );
    }
}

#[test]
fn missing_program_asks() {
    let world = World::new("", "");
    fs::remove_file(world.script()).unwrap();
    assert_eq!(world.put(&[layout()]), Value::Null);
    let error = world.events("hook_error")[0]["error"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(error.contains("No such file"), "{error}");
    // Named by a path from where the session happens to be, it would be the repository's.
    fs::write(
        world.home.paths().config_file(),
        "reviewer = [\"./review\"]\n",
    )
    .unwrap();
    assert_eq!(world.put(&[layout()]), Value::Null);
    assert_eq!(world.events("asked")[1]["ask_reason"], "disabled");
}

#[test]
fn hanging_reviewer_is_killed_with_its_group() {
    // Each takes a second, all at the same time.
    std::thread::scope(|scope| {
        for body in [
            // The child holds the output open, and outlives its parent.
            "(sleep 60; echo alive > alive) & echo $! > child; sleep 60",
            "(sleep 60; echo alive > alive) & echo $! > child",
            "exec 1>&-; (sleep 60; echo alive > alive) & echo $! > child; sleep 60",
        ] {
            scope.spawn(move || assert_killed_with_its_group(body));
        }
    });
}

fn assert_killed_with_its_group(body: &str) {
    let world = World::new(body, "");
    let started = Instant::now();
    assert_eq!(world.put(&[layout()]), Value::Null, "{body}");
    // Far from the minute it would have slept; no measure of speed.
    assert!(started.elapsed() < Duration::from_secs(30), "{body}");
    let errors = world.events("hook_error");
    assert_eq!(errors[0]["error"], "reviewer: took too long", "{body}");
    let child = fs::read_to_string(world.home.path().join("child")).unwrap();
    let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim()));
    let is_gone = || state().map_or(true, |state| state.contains(") Z "));
    // The signal was sent; on a busy machine it arrives a little later.
    while !is_gone() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(is_gone(), "{body}: {:?}", state());
}

#[test]
fn must_ask_questions_are_not_reviewed() {
    let world = World::new(&writing(r#"{"decision":"answer","answers":["Yes"]}"#), "");
    fs::write(
        world.home.paths().registry_file(),
        "[[question]]\nkey = \"gate\"\ndoor = \"one-way\"\n",
    )
    .unwrap();
    world
        .home
        .prefer(None, &json!({"always": {"preference": "always-ask"}}));
    let options = &["Yes", "No"];
    for text in [
        "<plantune:always> Which layout?",
        "<plantune:gate> Which layout?",
        "<plantune:a-split-1> Which layout?",
        "Delete the old tables?",
    ] {
        assert_eq!(
            world.put(&[with_text(text, options)]),
            Value::Null,
            "{text}"
        );
        // Nor anything beside it.
        let beside = [with_text(text, options), with_text("Fine?", options)];
        assert_eq!(world.put(&beside), Value::Null, "{text}");
    }
    assert_eq!((world.runs(), world.events("hook_error").len()), (0, 0));
    // The label it names makes it one-way.
    let world = World::new(
        &writing(r#"{"decision":"answer","answers":["Drop them"]}"#),
        "",
    );
    let old = with_text("What about the old tables?", &["Drop them", "Keep them"]);
    assert_eq!(world.put(&[old]), Value::Null);
    let error = world.events("hook_error")[0]["error"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(error.contains("can't be undone"), "{error}");
}

#[test]
fn preference_and_reviewer_answer_one_call() {
    let world = World::new(
        &writing(r#"{"decision":"answer","answers":["List","List"]}"#),
        "",
    );
    world.home.never_ask(&[layout()]);
    assert_ne!(world.put(&[layout()]), Value::Null);
    assert_eq!(world.runs(), 0);
    let decision = world.put(&[layout(), with_text("And here?", OPTIONS)]);
    let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
    assert_eq!(
        answers["<plantune:layout> Which layout?"],
        "Grid (Recommended)"
    );
    assert_eq!(answers["And here?"], "List");
    let mechanisms: Vec<Value> = world.events("auto_decided").split_off(1);
    assert_eq!(
        (&mechanisms[0]["mechanism"], &mechanisms[1]["mechanism"]),
        (&json!("allow"), &json!("reviewer"))
    );
}

#[test]
fn reviews_per_session_are_limited() {
    let world = World::new(&writing(r#"{"decision":"deny","feedback":"no"}"#), "");
    for number in 0..13 {
        let decision = world.put(&[layout()]);
        assert_eq!(decision.is_null(), number >= 10, "{number}");
        if number == 5 {
            // Ending and resuming a session does not start again.
            world
                .home
                .call(&json!({"session_id": "s", "hook_event_name": "SessionEnd"}));
            world
                .home
                .call(&json!({"session_id": "s", "hook_event_name": "SessionStart"}));
        }
    }
    assert_eq!((world.runs(), world.events("asked").len()), (10, 3));
}

#[test]
fn reviewer_runs_for_questions_only_and_not_below_itself() {
    let answer = writing(r#"{"decision":"answer","answers":["Grid"]}"#);
    let below = World::at(Home::new().with("PLANTUNE_REVIEWING", "1"), &answer, "");
    assert_eq!((below.put(&[layout()]), below.runs()), (Value::Null, 0));
    let disabled = World::at(Home::new().with("PLANTUNE_DISABLE", "1"), &answer, "");
    assert_eq!(
        (disabled.put(&[layout()]), disabled.runs()),
        (Value::Null, 0)
    );

    let world = World::new(
        "env > environment; printf '%s\\n' \"$@\" > words; cat > /dev/null",
        "",
    );
    assert_eq!(world.put(&[layout()]), Value::Null);
    let environment = fs::read_to_string(world.home.path().join("environment")).unwrap();
    assert!(
        environment.contains("PLANTUNE_REVIEWING=1"),
        "{environment}"
    );
    // One argument, without a shell in between.
    assert_eq!(
        fs::read_to_string(world.home.path().join("words")).unwrap(),
        "a b\n"
    );
    for event in [
        "Stop",
        "SessionStart",
        "PostToolUse",
        "PostToolUseFailure",
        "SessionEnd",
    ] {
        for active in [true, false] {
            let printed = world.home.call(&json!({
                "session_id": "s", "hook_event_name": event, "stop_hook_active": active,
                "tool_name": "AskUserQuestion", "tool_input": {"questions": [layout()]}
            }));
            // Stop has an output form of its own, and nothing of ours blocks.
            assert!(
                !printed.contains("permissionDecision") && !printed.contains("\"block\""),
                "{event}: {printed}"
            );
        }
    }
    assert_eq!(world.runs(), 1);
}
