//! OpenCode's plugin as `install` writes it, with a program in OpenCode's place (`plugin.mjs`): whatever becomes of the
//! hook, a question is asked as without it.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::skipped::skipped;
use crate::world::World;
use crate::world::programs;

const QUESTION: &str = "Which layout shall the page have?";

/// What the hook prints that answers it.
const ANSWERS: &str = r#"{"answers":[["List"]],"context":"for the model","message":"for you"}"#;

/// A world with OpenCode, and the plugin that calls `hook`, a shell script; nothing without Node.js.
fn world(test: &str, hook: &str) -> Option<World> {
    let mut node = Command::new("node");
    let node = node.arg("--version").stdout(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) {
        skipped(&format!("agents::plugin::{test}"), "Node.js is missing");
        return None;
    }
    let world = World::at("work");
    std::fs::create_dir_all(world.path("home/.config/opencode")).unwrap();
    world.done(&["install", "--agent", "opencode", "--yes"]);
    let script = format!("#!/bin/sh\ncat >>\"$HOME/calls\"; echo >>\"$HOME/calls\"\n{hook}\n");
    world.put_program(world.data().join("bin/plantune-hook"), &script);
    Some(world)
}

/// What the plugin does when a question is asked and answered; `status` is that of its reply.
fn played(world: &World, status: u32) -> Vec<Value> {
    let questions = json!([{"question": QUESTION, "header": "Layout", "options": [
        {"label": "Grid", "description": ""}, {"label": "List", "description": ""}]}]);
    let call = json!({"messageID": "msg_1", "callID": "call_1"});
    let events = [
        json!(["question.asked", {"id": "que_1", "sessionID": "s", "questions": questions, "tool": call}]),
        json!(["tool.execute.after", {
            "input": {"tool": "question", "sessionID": "s", "callID": "call_1"},
            "output": {"output": "as answered", "metadata": {"answers": [["Grid"]]}}}]),
    ];
    let plugin = world.path("home/.config/opencode/plugin/plantune.js");
    // Node.js takes it for a module by its name alone.
    let module = plugin.with_extension("mjs");
    std::fs::copy(&plugin, &module).unwrap();
    let driver = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/agents/plugin.mjs");
    let mut node = Command::new("node");
    node.args([driver, module.to_str().unwrap(), &status.to_string()])
        .env("HOME", world.path("home"))
        .current_dir(world.project());
    let input: String = events.map(|event| format!("{event}\n")).concat();
    let output = programs::call_with(&mut node, &input);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The events that the hook was called for.
fn calls(world: &World) -> Vec<String> {
    let text = world.text(world.path("home/calls"));
    let calls = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    calls
        .map(|call| call["hook_event_name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_the_hook_answers_is_replied_once() {
    let Some(world) = world(
        "what_the_hook_answers_is_replied_once",
        &format!("echo '{ANSWERS}'"),
    ) else {
        return;
    };
    let played = played(&world, 200);
    assert_eq!(played[0], json!(["replied", "que_1", [["List"]]]));
    assert_eq!(played[1], json!(["shown", "for you"]));
    let result = played.last().unwrap()[1].as_str().unwrap();
    assert!(result.starts_with("as answered\nfor the model"), "{result}");
    assert_eq!(calls(&world), ["question.asked", "question.replied"]);
}

#[test]
fn a_reply_that_is_refused_is_withdrawn() {
    let Some(world) = world(
        "a_reply_that_is_refused_is_withdrawn",
        &format!("echo '{ANSWERS}'"),
    ) else {
        return;
    };
    let after = played(&world, 404);
    assert_eq!(after.iter().filter(|one| one[0] == "replied").count(), 1);
    let withdrawn = ["question.asked", "question.unanswered", "question.replied"];
    assert_eq!(calls(&world), withdrawn);
    // Of a version that takes no replies so.
    std::fs::remove_file(world.path("home/calls")).unwrap();
    assert!(played(&world, 0).iter().all(|one| one[0] != "replied"));
    assert_eq!(calls(&world), withdrawn);
}

#[test]
fn a_hook_that_fails_answers_nothing() {
    let hooks = [
        // Labels that are not offered, too many of them, and what is no answer.
        r#"echo '{"answers":[["Table"]]}'"#,
        r#"echo '{"answers":[["List"],["List"]]}'"#,
        r#"echo '{"answers":[["Grid","List"]]}'"#,
        r#"echo '{"answers":"List"}'"#,
        "echo garbage",
        "echo null",
        "exit 3",
        "kill -9 $$",
    ];
    for hook in hooks {
        let Some(world) = world("a_hook_that_fails_answers_nothing", hook) else {
            return;
        };
        assert_eq!(
            played(&world, 200),
            [json!(["result", "as answered"])],
            "{hook}"
        );
    }
}

#[test]
fn a_hook_that_is_slow_or_gone_answers_nothing() {
    let slow = format!(
        "case $(tail -n 2 \"$HOME/calls\") in *question.asked*) sleep 3;; esac; echo '{ANSWERS}'"
    );
    let Some(world) = world("a_hook_that_is_slow_or_gone_answers_nothing", &slow) else {
        return;
    };
    let after = played(&world, 200);
    assert!(after.iter().all(|one| one[0] != "replied"), "{after:?}");
    assert_eq!(
        calls(&world),
        ["question.asked", "question.unanswered", "question.replied"]
    );
    std::fs::remove_file(world.data().join("bin/plantune-hook")).unwrap();
    assert_eq!(played(&world, 200), [json!(["result", "as answered"])]);
}
