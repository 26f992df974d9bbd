//! The captured scenarios give the events that the screens show; what was expected was read against these.

use std::fs;
use std::path::Path;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::Captured;
use crate::world::{World, programs};

/// All prompts.
const LOG: &[&str] = &["log", "--prompts", "--json", "--limit", "1000"];

#[test]
fn codex() {
    replay("codex", include_str!("../../fixtures/agents/codex.jsonl"));
}

#[test]
fn copilot() {
    replay(
        "copilot",
        include_str!("../../fixtures/agents/copilot.jsonl"),
    );
}

#[test]
fn gemini() {
    replay("gemini", include_str!("../../fixtures/agents/gemini.jsonl"));
}

#[test]
fn opencode() {
    replay(
        "opencode",
        include_str!("../../fixtures/agents/opencode.jsonl"),
    );
}

#[test]
fn qwen() {
    replay("qwen", include_str!("../../fixtures/agents/qwen.jsonl"));
}

fn replay(agent: &'static str, captured: &str) {
    let captured = Captured::read(agent, captured);
    let world = World::at("work");
    let printed = captured.call_hook(&world);
    // Without a preference the hook has nothing to say.
    assert!(
        printed.values().flatten().all(|one| *one == json!(null)),
        "{printed:?}"
    );
    check(&captured.logged(&world), &format!("{agent}-hook.txt"));
    // What hooks cannot see, the history adds, and nothing else.
    captured.import(&world);
    check(&captured.logged(&world), &format!("{agent}-both.txt"));
    let again = captured.import(&world);
    assert!(again.starts_with("0 events are new"), "{again}");
    // The history alone says the same of questions.
    let alone = World::at("work");
    captured.import(&alone);
    let without = |text: String, word: &str| {
        let lines = text.lines().filter(|line| !line.trim().starts_with(word));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let both = without(
        captured.logged(&world).replace(" not_awaited", ""),
        "prompt",
    );
    let asked_or_decided = |lines: Vec<String>| {
        // A question that a hook answered was not asked, as far as the history knows.
        let lines = lines
            .into_iter()
            .filter(|line| !line.trim().starts_with("asked"));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(
        asked_or_decided(without(captured.logged(&alone), "prompt")),
        asked_or_decided(both)
    );
}

fn check(found: &str, name: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/agents");
    let path = Path::new(folder).join(name);
    if std::env::var_os("PLANTUNE_WRITE_EXPECTED").is_some() {
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} is not what was logged:\n{found}");
}

/// Whoever looks at what was logged sees how prompts were decided, also without an import: the history that the hook
/// named is read on.
#[test]
fn decisions_are_read_where_the_hook_says() {
    for (agent, captured, expected) in [
        (
            "codex",
            include_str!("../../fixtures/agents/codex.jsonl"),
            &["always", "null", "null", "once", "once", "once"][..],
        ),
        (
            "copilot",
            include_str!("../../fixtures/agents/copilot.jsonl"),
            &[
                "always", "null", "null", "once", "once", "once", "once", "once", "once",
            ],
        ),
        (
            "gemini",
            include_str!("../../fixtures/agents/gemini.jsonl"),
            &["null", "once", "once"],
        ),
        (
            "qwen",
            include_str!("../../fixtures/agents/qwen.jsonl"),
            &["always", "null", "once"],
        ),
    ] {
        let world = World::at("work").on("2026-11-22T10:00:00Z");
        let mut captured = Captured::read(agent, captured);
        let names = captured.put_lines(&world, &world.path("histories"));
        for (scenario, path) in captured.scenarios.iter_mut().zip(names) {
            for call in &mut scenario.calls {
                call["transcript_path"] = json!(path);
            }
        }
        captured.call_hook(&world);
        let log = world.json(LOG);
        let prompts = log["prompts"].as_array().unwrap().iter();
        let decided = prompts.filter(|prompt| prompt["outcome"] != "open");
        let mut grants: Vec<&str> = decided
            .map(|prompt| prompt["grant"].as_str().unwrap_or("null"))
            .collect();
        grants.sort_unstable();
        assert_eq!(grants, expected, "{agent}: {log}");
        // What was read is not read again, and an import finds nothing more of it.
        assert_eq!(world.json(LOG), log);
        let again = captured.import(&world);
        let log = world.json(LOG);
        let prompts = log["prompts"].as_array().unwrap().iter();
        let decided = prompts.filter(|prompt| prompt["outcome"] != "open").count();
        assert_eq!(decided, expected.len(), "{agent}: {again}");
    }
}

/// Copilot CLI does not say where its history is; the hook knows.
#[test]
fn decisions_are_read_where_copilot_keeps_them() {
    let text = include_str!("../../fixtures/agents/copilot.jsonl");
    let is_it = |line: &&str| line.contains("\"scenario\":\"approve-once\"");
    let captured = Captured::read("copilot", text.lines().find(is_it).unwrap());
    for (variable, folder) in [(None, "home/.copilot"), (Some("COPILOT_HOME"), "elsewhere")] {
        let world = World::at("work").on("2026-11-28T10:30:00Z");
        let scenario = &captured.scenarios[0];
        let session = scenario.calls[0]["session_id"].as_str().unwrap();
        let lines = scenario.history.iter();
        let lines: String = lines.map(|line| format!("{line}\n")).collect();
        let folder = world.path(folder);
        let file = folder
            .join("session-state")
            .join(session)
            .join("events.jsonl");
        world.put(file, lines);
        for call in &scenario.calls {
            let at = scenario.asked_at(call).unwrap_or(world.now);
            let mut hook = world.start(programs::hook(), &["copilot"]);
            hook.env("PLANTUNE_NOW", at.to_rfc3339());
            if let Some(variable) = variable {
                hook.env(variable, &folder);
            }
            let event = call["hook_event_name"].as_str().unwrap();
            world.call(&mut hook, event, call.clone());
        }
        let prompt = &world.json(LOG)["prompts"][0];
        assert_eq!(prompt["outcome"], "granted", "{prompt}");
    }
}

/// Where a program decides about Codex's prompts, nothing was decided by a person.
#[test]
fn what_a_program_reviewed_is_nobodys_decision() {
    let text = include_str!("../../fixtures/agents/codex.jsonl");
    let is_approved = |line: &&str| line.contains("\"scenario\":\"approve-");
    let lines: Vec<&str> = text.lines().filter(is_approved).collect();
    for (reviewer, decided) in [("user", 5), ("a reviewer", 0)] {
        let mut captured = Captured::read("codex", &lines.join("\n"));
        for scenario in &mut captured.scenarios {
            let turn = json!({"timestamp": "2026-11-21T23:00:00Z", "type": "turn_context",
                "payload": {"approvals_reviewer": reviewer}});
            scenario.history.insert(1, turn);
        }
        let world = World::at("work").on("2026-11-22T10:00:00Z");
        captured.call_hook(&world);
        captured.import(&world);
        let log = world.json(LOG);
        let prompts = log["prompts"].as_array().unwrap().iter();
        let found = prompts.filter(|prompt| prompt["outcome"] != "open").count();
        assert_eq!(found, decided, "{reviewer}: {log}");
    }
}

/// OpenCode says at once how a prompt was decided.
#[test]
fn decided_prompts_of_opencode_are_counted() {
    let captured = Captured::read(
        "opencode",
        include_str!("../../fixtures/agents/opencode.jsonl"),
    );
    let world = World::at("work");
    captured.call_hook(&world);
    let log = world.json(LOG);
    let mut outcomes: Vec<String> = Vec::new();
    for prompt in log["prompts"].as_array().unwrap() {
        assert_eq!(prompt["agent"], "opencode", "{prompt}");
        outcomes.push(format!("{} {}", prompt["outcome"], prompt["grant"]));
    }
    outcomes.sort();
    let once = "\"granted\" \"once\"";
    let refused = "\"refused\" null";
    let session = "\"granted\" \"session\"";
    assert_eq!(outcomes, [once, once, session, refused, refused]);
}

// Permission rules in another agent's own file.

/// A command that was always allowed in OpenCode becomes a rule in its own file, on the evidence of its own prompts alone, and comes
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
    let says = "From now on, OpenCode runs npm test in ";
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
    let says = "From now on, Gemini CLI runs npm test in any project without asking you.";
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
    assert!(done.text().contains("it was not changed"), "{done:?}");
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
