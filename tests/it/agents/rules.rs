//! Permission rules in another agent's own file.

use std::fs;

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
