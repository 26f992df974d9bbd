//! Permission rules in another agent's own file.

use std::fs;
use std::path::Path;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::Captured;
use crate::world::World;

/// What was always allowed in OpenCode becomes a rule in its own file, on the evidence of its own prompts alone, and comes
/// out again to the byte.
#[test]
fn a_rule_of_opencode_is_written_and_taken_out() {
    let mut world = World::shop();
    let captured = Captured::read("opencode", "");
    let file = world.project().join("opencode.json");
    let settings = "{\n  \"permission\": {\n    \"bash\": \"ask\"\n  }\n}\n";
    world.put(&file, settings);
    fs::create_dir_all(world.path("home/.config/opencode")).unwrap();
    allow(&mut world, &captured, "npm test");
    let suggested = world.run(&["suggest", "--permissions"]);
    assert!(
        suggested.text().contains("npm test (OpenCode)"),
        "{suggested:?}"
    );
    let found = world.json(&["suggest", "--permissions", "--json"]);
    let rule = &found["permissions"][0];
    assert_eq!(
        (&rule["rule"], &rule["agent"]),
        (&json!("npm test"), &json!("opencode")),
        "{found}"
    );
    let apply = ["suggest", "--apply", "--only", "npm test", "--yes"];
    assert_eq!(world.run_in_session(&apply).code, 4);
    let applied = world.done(&apply);
    let says = "From now on OpenCode runs npm test without asking anybody who works on";
    assert!(applied.replace('\n', " ").contains(says), "{applied}");
    let written = fs::read_to_string(&file).unwrap();
    let as_json: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(
        as_json,
        json!({"permission": {"bash": {"*": "ask", "npm test": "allow"}}}),
        "{written}"
    );
    assert!(world.done(&["prefs", "list"]).contains("npm test"));
    let suggested = world.run(&["suggest", "--permissions"]);
    assert!(
        !suggested.text().contains("npm test (OpenCode)"),
        "{suggested:?}"
    );
    let undone = world.done(&["undo", "npm test", "--yes"]);
    assert!(
        undone.contains("OpenCode asks again before npm test"),
        "{undone}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), settings);

    // What came meanwhile stays.
    world.done(&apply);
    let changed =
        fs::read_to_string(&file)
            .unwrap()
            .replacen("{\n", "{\n  \"theme\": \"light\",\n", 1);
    world.put(&file, &changed);
    world.done(&["uninstall", "--yes"]);
    let left: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let without = json!({"theme": "light", "permission": {"bash": {"*": "ask"}}});
    assert_eq!(left, without);
}

/// Where another file says what is asked, a rule in this one could end that: it is said, and the file left alone.
#[test]
fn a_file_of_opencode_that_says_nothing_of_commands_is_left_alone() {
    for (settings, is_said) in [
        ("{}", true),
        ("{\"permission\": \"ask\"}", true),
        ("{\"permission\": {\"bash\": \"deny\"}}", true),
        ("// mine\n{}", true),
        // A rule of the person's asks, whatever was allowed.
        (
            "{\"permission\": {\"bash\": {\"*\": \"ask\", \"npm *\": \"ask\"}}}",
            false,
        ),
        (
            "{\"permission\": {\"bash\": {\"*\": \"ask\", \"npm t??t\": \"deny\"}}}",
            false,
        ),
        (
            "{\"permission\": {\"bash\": {\"npm test\": \"allow\"}}}",
            false,
        ),
    ] {
        let mut world = World::shop();
        let captured = Captured::read("opencode", "");
        let file = world.project().join("opencode.json");
        world.put(&file, settings);
        fs::create_dir_all(world.path("home/.config/opencode")).unwrap();
        allow(&mut world, &captured, "npm test");
        let suggested = world.run(&["suggest", "--permissions"]);
        let text = suggested.text().replace('\n', " ");
        assert!(!text.contains("npm test (OpenCode)"), "{settings}: {text}");
        assert_eq!(
            text.contains("opencode.json"),
            is_said,
            "{settings}: {text}"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), settings);
    }
}

/// Thirty prompts about `command` on as many days, all allowed.
fn allow(world: &mut World, captured: &Captured, command: &str) {
    for number in 0..30 {
        let mut call = json!({"session_id": format!("s{number}"), "request_id": format!("per_{number}"),
            "tool_name": "bash", "tool_input": {"command": command}});
        call["hook_event_name"] = json!("permission.asked");
        captured.call(world, &call);
        call["hook_event_name"] = json!("permission.replied");
        call["reply"] = json!("once");
        call["waited_seconds"] = json!(60);
        captured.call(world, &call);
        world.later(24 * 60);
    }
}

/// Gemini CLI's rules hold in every project: one for what was allowed in several stands in a file of plantune's own.
#[test]
fn a_rule_of_gemini_is_written_and_taken_out() {
    let mut world = World::shop();
    let file = world.path("home/.gemini/policies/plantune.toml");
    fs::create_dir_all(world.path("home/.gemini")).unwrap();
    fs::create_dir_all(world.path("other")).unwrap();
    let folders = [world.project(), world.path("other")];
    for number in 0..30 {
        allow_in_gemini(&mut world, number, "npm test", &folders[number % 2]);
        // In one project alone.
        allow_in_gemini(&mut world, number, "cargo test", &folders[0]);
    }
    let suggested = world.run(&["suggest", "--permissions"]);
    assert!(
        suggested.text().contains("npm test (Gemini CLI)"),
        "{suggested:?}"
    );
    assert!(!suggested.text().contains("cargo test"), "{suggested:?}");
    let apply = ["suggest", "--apply", "--only", "npm test", "--yes"];
    let applied = world.done(&apply).replace('\n', " ");
    let says = "From now on Gemini CLI runs npm test without asking in any project.";
    assert!(applied.contains(says), "{applied}");
    let rules: toml::Table = toml::from_str(&world.text(&file)).unwrap();
    let rule = &rules["rule"][0];
    assert_eq!(rule["toolName"].as_str(), Some("run_shell_command"));
    assert_eq!(rule["decision"].as_str(), Some("allow"));
    let pattern = rule["argsPattern"].as_str().unwrap();
    assert_eq!(pattern, "\"command\":\"npm test\"(?!.*\"dir_path\":\")");
    // As the real client was seen to take it (`real/mod.rs`).
    let text = "# plantune allows: npm test\n[[rule]]\ntoolName = \"run_shell_command\"\n\
        argsPattern = \"\\\"command\\\":\\\"npm test\\\"(?!.*\\\"dir_path\\\":\\\")\"\ndecision = \"allow\"\npriority = 0\n\
        modes = [\"default\", \"autoEdit\", \"yolo\"]\n\n";
    assert_eq!(world.text(&file), text);
    assert!(world.done(&["prefs", "list"]).contains("npm test"));
    let suggested = world.run(&["suggest", "--permissions"]);
    assert!(!suggested.text().contains("Gemini"), "{suggested:?}");
    let undone = world.done(&["undo", "npm test", "--yes"]);
    assert!(undone.contains("Gemini CLI asks again"), "{undone}");
    assert!(!file.exists(), "{undone}");
    // What is not as it was written is left alone.
    world.done(&apply);
    let changed = world.text(&file).replace("priority = 0", "priority = 9");
    world.put(&file, &changed);
    assert_eq!(world.run(&["undo", "npm test", "--yes"]).code, 3);
    let done = world.run(&["uninstall", "--yes"]);
    assert!(done.text().contains("it was left as it is"), "{done:?}");
    assert_eq!(world.text(&file), changed);
    world.put(&file, changed.replace("priority = 9", "priority = 0"));
    world.done(&["uninstall", "--yes"]);
    assert!(!file.exists());
}

/// A prompt of Gemini CLI's in `folder`, with the history of its session, in which it was allowed.
fn allow_in_gemini(world: &mut World, number: usize, command: &str, folder: &Path) {
    let session = format!("s{number}-{}", command.len());
    let path = world.path("histories").join(format!("{session}.jsonl"));
    let at = |seconds: i64| (world.now + TimeDelta::seconds(seconds)).to_rfc3339();
    let (called, ended) = (at(-1), at(20));
    let call = json!({"id": "c", "name": "run_shell_command", "args": {"command": command},
        "status": "success", "timestamp": ended});
    let lines = [
        json!({"sessionId": session, "projectHash": "unknown"}),
        json!({"id": "m", "timestamp": called, "type": "gemini", "toolCalls": [call]}),
    ];
    world.put(&path, lines.map(|line| format!("{line}\n")).concat());
    let prompt = json!({"hook_event_name": "Notification", "notification_type": "ToolPermission",
        "session_id": session, "cwd": folder, "transcript_path": path,
        "details": {"type": "exec", "title": "Confirm", "command": command, "rootCommand": "x"}});
    Captured::read("gemini", "").call(world, &prompt);
    world.later(12 * 60);
}
