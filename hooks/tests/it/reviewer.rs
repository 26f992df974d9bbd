//! A reviewer, through the built hook: programs that answer, turn down, abstain, lie, hang, flood.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::common::{Home, json_of, with_text as question};
use serde_json::{Value, json};

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
    question("<plantune:layout> Which layout?", OPTIONS)
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
            .contains("as your reviewer says")
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
    let world = World::new(body, "reviewer_seconds = 1\n");
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
        assert_eq!(world.put(&[question(text, options)]), Value::Null, "{text}");
        // Nor anything beside it.
        let beside = [question(text, options), question("Fine?", options)];
        assert_eq!(world.put(&beside), Value::Null, "{text}");
    }
    assert_eq!((world.runs(), world.events("hook_error").len()), (0, 0));
    // The label it names makes it one-way.
    let world = World::new(
        &writing(r#"{"decision":"answer","answers":["Drop them"]}"#),
        "",
    );
    let old = question("What about the old tables?", &["Drop them", "Keep them"]);
    assert_eq!(world.put(&[old]), Value::Null);
    let error = world.events("hook_error")[0]["error"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(error.contains("cannot be undone"), "{error}");
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
    let decision = world.put(&[layout(), question("And here?", OPTIONS)]);
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
    let world = World::new(&writing(""), "reviewer_per_session = 0\n");
    assert_eq!((world.put(&[layout()]), world.runs()), (Value::Null, 0));
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
