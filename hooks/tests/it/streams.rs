//! What the caller's streams may be: slow, full, closed, or of a length that is forbidden.

use std::io::{Read as _, Write as _};
use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::{HOOK, Home, after, alone, ask, create_one, stop};
use serde_json::{Value, json};

fn home() -> Home {
    let home = Home::new();
    home.never_ask(&[create_one()]);
    home
}

fn call(home: &Home) -> Value {
    ask("toolu_1", home.path(), &[create_one()])
}

/// Starts the hook by `script`, which a shell runs with its path as `$0`.
fn start(home: &Home, script: &str) -> Child {
    alone("/bin/sh")
        .args(["-c", script, HOOK])
        .env("PLANTUNE_HOME", home.plantune())
        .spawn()
        .unwrap()
}

fn send(home: &Home, hook: &mut Child) {
    let text = call(home).to_string();
    hook.stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
}

fn assert_silent(hook: Child) {
    let output = hook.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
}

fn kinds(home: &Home) -> Vec<(Value, Value)> {
    let events = home.question_events();
    let kind = |event: &Value| (event["kind"].clone(), event["reason"].clone());
    events.iter().map(kind).collect()
}

#[test]
fn unprinted_answers_are_withdrawn() {
    let closed_reader = "sleep 0.2; exec \"$0\"";
    for script in ["exec \"$0\" > /dev/full", "exec \"$0\" >&-", closed_reader] {
        let home = home();
        let mut hook = start(&home, script);
        if script == closed_reader {
            drop(hook.stdout.take());
        }
        send(&home, &mut hook);
        assert_silent(hook);
        let asked = (json!("asked"), json!("not_printed"));
        let decided = (json!("auto_decided"), Value::Null);
        assert_eq!(kinds(&home), [decided, asked], "{script}");
        assert_eq!(home.question_events()[1]["ask_reason"], "ambiguous");
        // What the person answers is theirs, and nothing was answered for them.
        let text = "<plantune:k> Create one?";
        let response = json!({"answers": {text: "Create it (Recommended)"}});
        assert_eq!(home.call(&after(call(&home), response)), "");
        let last = home.question_events().pop().unwrap();
        assert_eq!(
            (&last["kind"], &last["was_auto_decided"]),
            (&json!("answered"), &json!(false))
        );
        assert_eq!(home.call(&stop()), "", "{script}");
    }
}

#[test]
fn printed_answers_stay() {
    let home = home();
    let mut hook = start(&home, "exec \"$0\"");
    send(&home, &mut hook);
    let mut printed = String::new();
    hook.stdout
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    assert!(printed.contains("\"allow\"") && hook.wait().unwrap().success());
    assert_eq!(kinds(&home), [(json!("auto_decided"), Value::Null)]);
}

#[test]
fn files_that_may_not_grow_end_in_silence() {
    let home = home();
    let mut hook = start(&home, "ulimit -f 0; exec \"$0\"");
    send(&home, &mut hook);
    assert_silent(hook);
}

#[test]
fn closed_streams_do_no_harm() {
    let home = home();
    assert_silent(start(&home, "exec \"$0\" <&- >&- 2>&-"));
    let mut hook = start(&home, "exec \"$0\" >&- 2>&-");
    send(&home, &mut hook);
    assert_silent(hook);
    assert_eq!(kinds(&home).len(), 2, "every line of the log is an event");
}

#[test]
fn input_that_is_not_wanted_is_read_to_its_end() {
    let home = home();
    let mut hook = start(&home, "PLANTUNE_HOME=relative exec \"$0\"");
    // More than a pipe holds.
    let input = vec![b' '; 1024 * 1024];
    hook.stdin.take().unwrap().write_all(&input).unwrap();
    assert_silent(hook);
}

#[test]
fn input_without_end_is_not_waited_for() {
    let home = home();
    let start_of_wait = Instant::now();
    // Both wait at the same time.
    let hooks = [false, true].map(|sent| {
        let mut hook = start(&home, "exec \"$0\"");
        let mut stdin = hook.stdin.take().unwrap();
        if sent {
            stdin.write_all(call(&home).to_string().as_bytes()).unwrap();
        }
        (hook, stdin)
    });
    for (hook, stdin) in hooks {
        assert_silent(hook);
        let waited = start_of_wait.elapsed();
        assert!(waited >= Duration::from_secs(2), "{waited:?}");
        drop(stdin);
    }
    let errors = home.events();
    assert!(
        errors.iter().all(|event| event["kind"] == "hook_error"),
        "{errors:?}"
    );
    assert_eq!(errors.len(), 2);
    let error = errors[0]["error"].as_str().unwrap();
    assert!(error.starts_with("standard input: "), "{error}");
}

#[test]
fn clock_before_1970_is_logged() {
    let home = home().with("PLANTUNE_NOW", "1969-12-31T23:59:58Z");
    assert!(home.call(&call(&home)).contains("\"allow\""));
    assert_eq!(home.events()[0]["ts"], "1969-12-31T23:59:58.000Z");
    assert!(home.paths().events().join("1969-12-31.jsonl").exists());
}
