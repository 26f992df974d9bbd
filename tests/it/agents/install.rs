//! Registering the hook with the other agents, and taking it out.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::shared::skipped;
use crate::world::{World, programs};

/// Hooks of somebody else's, in their own layout.
const FOREIGN: &str = "{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"notify\"}]}\n\t\t]\n\t}\n}\n";

#[test]
fn an_agent_that_is_there_gets_the_hook_and_loses_it_byte_for_byte() {
    let world = World::at("work");
    world.put(world.path("home/.codex/hooks.json"), FOREIGN);
    let ran = world.run(&["install", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("type /hooks"), "{ran:?}");
    let text = world.text(world.path("home/.codex/hooks.json"));
    let hooks: Value = serde_json::from_str(&text).unwrap();
    let ours = &hooks["hooks"]["PreToolUse"][1];
    assert_eq!(
        hooks["hooks"]["PreToolUse"][0]["matcher"], "Bash",
        "appended"
    );
    assert_eq!(ours["matcher"], "^request_user_input(_async)?$");
    let command = format!("{} codex", world.data().join("bin/plantune-hook").display());
    let entry = json!([{"type": "command", "command": command, "timeout": 5}]);
    assert_eq!(ours["hooks"], entry);
    let again = world.done(&["install", "--yes"]);
    assert!(again.contains("already installed for Codex"), "{again}");
    // Also what the settings name is brought up to date.
    let copy = world.data().join("bin/plantune-hook");
    std::fs::remove_file(&copy).unwrap();
    let again = world.done(&["install", "--agent", "codex", "--yes"]);
    assert!(again.contains("already installed for Codex"), "{again}");
    assert!(copy.is_file(), "{again}");
    let done = world.done(&["uninstall", "--yes"]);
    assert_eq!(
        world.text(world.path("home/.codex/hooks.json")),
        FOREIGN,
        "{done}"
    );
}

#[test]
fn a_rollback_and_a_removal_leave_no_file_where_there_was_none() {
    let world = World::at("work");
    std::fs::create_dir_all(world.path("home/.codex")).unwrap();
    let ran = world.run(&["install", "--agent", "codex", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!world.user().exists(), "Claude Code was not named");
    world.done(&["install", "--agent", "codex", "--rollback", "--yes"]);
    assert!(!world.path("home/.codex/hooks.json").exists());
    world.done(&["install", "--agent", "codex", "--yes"]);
    world.done(&["uninstall", "--yes"]);
    assert!(!world.path("home/.codex/hooks.json").exists());
}

#[test]
fn the_copy_stays_while_another_agent_calls_it() {
    let world = World::at("work");
    world.put(world.path("home/.codex/hooks.json"), FOREIGN);
    world.done(&["install", "--agent", "codex", "--yes"]);
    let copy = world.data().join("bin/plantune-hook");
    let done = world.done(&["uninstall", "--scope", "project", "--yes"]);
    let hooks = world.path("home/.codex/hooks.json");
    let (copied, hooks) = (copy.display(), hooks.display());
    let kept = format!("kept {copied}, because {hooks} still calls it");
    assert!(done.contains(&kept) && copy.is_file(), "{done}");
    world.done(&["uninstall", "--yes"]);
    assert!(!copy.exists());
}

#[test]
fn what_cannot_be_edited_is_left_as_it_is() {
    let world = World::at("work");
    world.put(
        world.path("home/.codex/hooks.json"),
        "{\"hooks\": // mine\n}",
    );
    let ran = world.run(&["install", "--agent", "codex", "--yes"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let text = world.text(world.path("home/.codex/hooks.json"));
    assert_eq!(text, "{\"hooks\": // mine\n}");
    let ran = world.run(&["install", "--agent", "nobody"]);
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[test]
fn the_doctor_has_a_line_an_agent() {
    let world = World::at("work");
    let line = |world: &World| {
        let report: Value = serde_json::from_str(&world.run(&["doctor", "--json"]).stdout).unwrap();
        let checks = report["checks"].as_array().unwrap().clone();
        let of_agents = checks.into_iter().find(|check| check["name"] == "agents");
        of_agents.map(|check| (check["status"].clone(), check["message"].to_string()))
    };
    assert_eq!(line(&world), None);
    std::fs::create_dir_all(world.path("home/.codex")).unwrap();
    assert_eq!(line(&world).unwrap().0, "note");
    world.done(&["install", "--agent", "codex", "--yes"]);
    let (status, message) = line(&world).unwrap();
    assert_eq!(status, "warning", "{message}");
    let file = world.path("home/.codex/hooks.json");
    let state = format!(
        "[hooks.state.\"{}:pre_tool_use:0:0\"]\ntrusted_hash = \"x\"\n",
        file.display()
    );
    world.put(world.path("home/.codex/config.toml"), state);
    assert_eq!(line(&world).unwrap().0, "ok");
}

#[test]
fn every_agent_that_is_there_is_registered_in_its_own_form() {
    let world = World::at("work");
    let before = "{\"model\": \"x\"}\n";
    for agent in ["gemini", "qwen"] {
        world.put(world.path(&format!("home/.{agent}/settings.json")), before);
    }
    let ran = world.run(&["install", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let hooks = |agent: &str| -> Value {
        let text = world.text(world.path(&format!("home/.{agent}/settings.json")));
        serde_json::from_str::<Value>(&text).unwrap()["hooks"].clone()
    };
    let command = |agent: &str| {
        let hook = world.data().join("bin/plantune-hook");
        format!("{} {agent}", hook.display())
    };
    assert_eq!(
        hooks("gemini")["BeforeTool"],
        json!([{"matcher": "ask_user", "hooks": [
            {"name": "plantune", "type": "command", "command": command("gemini"), "timeout": 5000}]}])
    );
    assert_eq!(
        hooks("qwen")["PostToolUse"],
        json!([{"matcher": "^ask_user_question$", "hooks": [
            {"type": "command", "command": command("qwen"), "timeout": 5000}]}])
    );
    assert_eq!(
        hooks("qwen")["PermissionRequest"][0]["matcher"],
        json!(null)
    );
    world.done(&["uninstall", "--yes"]);
    for agent in ["gemini", "qwen"] {
        assert_eq!(
            world.text(world.path(&format!("home/.{agent}/settings.json"))),
            before
        );
    }
}

#[test]
fn a_null_beside_the_entries_keeps_none_of_them_in_the_file() {
    let world = World::at("work");
    let before = "{\"hooks\": {\"PreToolUse\": null, \"Stop\": {}}, \"model\": \"x\"}\n";
    let files = ["gemini", "qwen"].map(|agent| world.path(&format!("home/.{agent}/settings.json")));
    for file in &files {
        world.put(file, before);
    }
    world.done(&["install", "--yes"]);
    for file in &files {
        assert!(world.text(file).contains("plantune-hook"));
    }
    world.done(&["uninstall", "--yes"]);
    for file in &files {
        assert_eq!(world.text(file), before);
    }
    // The person puts it there later, and takes the place of an event that plantune has an entry for.
    let person = |text: &str| {
        let mut settings: Value = serde_json::from_str(text).unwrap();
        settings["hooks"]["SessionStart"] = Value::Null;
        settings.to_string()
    };
    world.done(&["install", "--yes"]);
    for file in &files {
        world.put(file, person(&world.text(file)));
    }
    world.done(&["uninstall", "--yes"]);
    for file in &files {
        let rest: Value = serde_json::from_str(&world.text(file)).unwrap();
        let before: Value = serde_json::from_str(&person(before)).unwrap();
        assert_eq!(rest, before);
    }
}

/// It takes a hook that fails for a refusal, so the entry hides a failure, also of a hook that is not there.
#[test]
fn copilot_gets_a_file_of_its_own_and_entries_that_never_fail() {
    let world = World::at("work");
    let folder = world.path("home/.copilot");
    world.put(folder.join("config.json"), "{}\n");
    let before = world.everything(&folder, &[]);
    world.done(&["install", "--agent", "copilot", "--yes"]);
    let file = folder.join("hooks/plantune.json");
    let hooks: Value = serde_json::from_str(&world.text(&file)).unwrap();
    let hook = world.data().join("bin/plantune-hook");
    let command = format!("{} copilot || true", hook.display());
    assert_eq!(
        hooks["hooks"]["PreToolUse"],
        json!([{"matcher": "ask_user", "hooks": [
            {"type": "command", "command": command, "timeout": 5}]}])
    );
    assert_eq!(
        hooks["hooks"]["Notification"][0]["matcher"],
        "permission_prompt"
    );
    assert_eq!(world.finding("agents").0, "ok");
    let again = world.done(&["install", "--agent", "copilot", "--yes"]);
    assert!(
        again.contains("already installed for Copilot CLI"),
        "{again}"
    );
    let fails = || {
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).stdin(Stdio::null());
        !shell.stderr(Stdio::null()).status().unwrap().success()
    };
    assert!(!fails());
    std::fs::remove_file(&hook).unwrap();
    assert!(!fails());
    // An entry of an earlier release, which could fail, is brought up to date.
    world.put(&file, world.text(&file).replace(" || true", ""));
    assert_eq!(world.finding("agents").0, "failed");
    world.done(&["install", "--agent", "copilot", "--yes"]);
    assert!(world.text(&file).contains(" || true"));
    let guard = world.done(&["install", "--guard", "--agent", "copilot", "--yes"]);
    assert!(
        guard.contains("has no rules that refuse commands"),
        "{guard}"
    );
    world.done(&["uninstall", "--yes"]);
    assert_eq!(world.everything(&folder, &[]), before);
}

#[test]
fn opencode_gets_a_plugin_and_loses_it() {
    let world = World::at("work");
    let folder = world.path("home/.config/opencode");
    world.put(folder.join("opencode.json"), "{}\n");
    let plugin = folder.join("plugin/plantune.js");
    world.put(folder.join("plugin/other.js"), "// mine\n");
    let before = world.everything(&folder, &[]);
    world.done(&["install", "--agent", "opencode", "--yes"]);
    let text = world.text(&plugin);
    let command = format!(
        "const HOOK = \"{}\"",
        world.data().join("bin/plantune-hook").display()
    );
    assert!(text.lines().any(|line| line == command), "{text}");
    assert!(text.lines().count() <= 150);
    assert_eq!(world.finding("agents").0, "ok");
    let again = world.done(&["install", "--agent", "opencode", "--yes"]);
    assert!(again.contains("already installed for OpenCode"), "{again}");
    world.done(&["install", "--agent", "opencode", "--rollback", "--yes"]);
    assert_eq!(world.everything(&folder, &[]), before);
    // Of another release: brought up to date, and gone with the rest.
    world.put(&plugin, text.replace("1000", "999"));
    assert_eq!(world.finding("agents").0, "warning");
    world.done(&["install", "--agent", "opencode", "--yes"]);
    assert_eq!(world.text(&plugin), text);
    world.done(&["uninstall", "--yes"]);
    assert_eq!(world.everything(&folder, &[]), before);
    // Somebody else's is left alone.
    world.put(&plugin, "export const Other = async () => ({})\n");
    let ran = world.run(&["install", "--agent", "opencode", "--yes"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("not plantune's plugin"), "{ran:?}");
    world.done(&["uninstall", "--yes"]);
    assert_eq!(
        world.text(&plugin),
        "export const Other = async () => ({})\n"
    );
}

#[test]
fn each_agent_is_guarded_by_its_own_rules_and_loses_them_byte_for_byte() {
    let world = World::at("work");
    let opencode = "{\"permission\": {\"bash\": \"ask\"}}\n";
    let qwen = "{\"permissions\": {\"deny\": [\"Bash(*plantune undo*)\"]}}\n";
    world.put(world.path("home/.config/opencode/opencode.json"), opencode);
    world.put(world.path("home/.qwen/settings.json"), qwen);
    for folder in [".codex", ".gemini"] {
        std::fs::create_dir_all(world.path("home").join(folder)).unwrap();
    }
    world.done(&["install", "--guard", "--yes"]);
    let text = |file: &str| world.text(world.path("home").join(file));
    let read = |file: &str| -> Value { serde_json::from_str(&text(file)).unwrap() };
    let bash = &read(".config/opencode/opencode.json")["permission"]["bash"];
    assert_eq!(
        (&bash["*"], &bash["*plantune* prefs* set *"]),
        (&json!("ask"), &json!("deny"))
    );
    let denied = read(".qwen/settings.json")["permissions"]["deny"].to_string();
    assert!(denied.contains("Bash(*plantune* prefs* set *)"), "{denied}");
    assert_eq!(
        denied.matches("Bash(*plantune undo*)").count(),
        1,
        "{denied}"
    );
    let rules = text(".codex/rules/plantune.rules");
    let rule = "prefix_rule(pattern=[\"plantune\", \"prefs\", [\"set\", \"clear\"]], decision=\"forbidden\")";
    assert!(rules.contains(rule), "{rules}");
    let policies: toml::Table =
        toml::from_str(&text(".gemini/policies/plantune-guard.toml")).unwrap();
    let pattern = policies["rule"][0]["argsPattern"].as_str().unwrap();
    let pattern = regex::Regex::new(pattern).unwrap();
    for (command, is_denied) in [
        ("plantune prefs set a never-ask --answer 'x' --force", true),
        ("env \"A=b\" /usr/bin/plantune undo a", true),
        ("npx plantune@latest suggest --apply --yes", true),
        ("plantune report", false),
        ("npm test", false),
    ] {
        let call = json!({"command": command}).to_string();
        assert_eq!(pattern.is_match(&call), is_denied, "{command}");
    }
    let again = world.done(&["install", "--guard", "--yes"]);
    assert_eq!(again.matches("already guarded").count(), 4, "{again}");
    // What is registered again keeps the record of the rules.
    let hook = world.path("plantune-hook");
    world.put(&hook, "#!/bin/sh\n");
    let moved = ["install", "--agent", "qwen", "--yes", "--hook-path"];
    let _ = world.run(&[&moved[..], &[hook.to_str().unwrap()]].concat());
    world.done(&["uninstall", "--yes"]);
    assert_eq!(text(".config/opencode/opencode.json"), opencode);
    assert_eq!(
        read(".qwen/settings.json"),
        serde_json::from_str::<Value>(qwen).unwrap()
    );
    for file in [
        ".codex/rules/plantune.rules",
        ".gemini/policies/plantune-guard.toml",
    ] {
        assert!(!world.path("home").join(file).exists(), "{file}");
    }
}

/// A file of the same name that is somebody else's is no place for rules.
#[test]
fn a_guard_leaves_other_peoples_files_alone() {
    let world = World::at("work");
    let file = world.path("home/.codex/rules/plantune.rules");
    world.put(&file, "# mine\n");
    let ran = world.run(&["install", "--guard", "--agent", "codex", "--yes"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(world.text(&file), "# mine\n");
    world.done(&["uninstall", "--yes"]);
    assert_eq!(world.text(&file), "# mine\n");
}

// OpenCode's plugin as `install` writes it, with a program in OpenCode's place (`plugin.mjs`): whatever becomes of the
// hook, a question is asked as without it.

const QUESTION: &str = "Which layout shall the page have?";

/// The output of the hook that answers it.
const ANSWERS: &str = r#"{"answers":[["List"]],"context":"for the model","message":"for you"}"#;

/// A world with OpenCode, and the plugin that calls `hook`, a shell script; nothing without Node.js.
fn world(test: &str, hook: &str) -> Option<World> {
    let mut node = Command::new("node");
    let node = node.arg("--version").stdout(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) {
        skipped(&format!("agents::install::{test}"), "Node.js is missing");
        return None;
    }
    let world = World::at("work");
    std::fs::create_dir_all(world.path("home/.config/opencode")).unwrap();
    world.done(&["install", "--agent", "opencode", "--yes"]);
    let script = format!("#!/bin/sh\ncat >>\"$HOME/calls\"; echo >>\"$HOME/calls\"\n{hook}\n");
    world.put_program(world.data().join("bin/plantune-hook"), &script);
    Some(world)
}

/// The plugin's requests when a question is asked and answered; `status` is that of its reply.
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
