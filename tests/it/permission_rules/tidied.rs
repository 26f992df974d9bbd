//! The person's own rules that could go, taken out and put back.

use serde_json::{Value, json};

use super::written::{Log, local};
use crate::world::{World, folded};

/// Settings with rules of each kind that could go, and one that stays.
fn settings(token: &str) -> String {
    let allow = json!([
        "Bash(npm run *)",
        "Bash(npm run test)",
        "Bash(git status)",
        "Bash(git status)",
        "Bash(/nowhere/run.sh)",
        "Bash(done)",
        format!("Bash(curl -H 'Authorization: Bearer {token}' https://api.example)"),
    ]);
    let settings = json!({"permissions": {"allow": allow, "deny": ["Bash(rm *)"]}});
    format!("{settings:#}\n")
}

fn allowed(world: &World, file: &std::path::Path) -> Vec<String> {
    let settings: Value = serde_json::from_str(&world.text(file)).unwrap();
    let rules = settings["permissions"]["allow"].as_array().unwrap();
    let rules = rules.iter().filter_map(Value::as_str);
    rules.map(str::to_owned).collect()
}

#[test]
fn what_changes_nothing_goes_by_yes_and_the_rest_is_asked_about() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let world = Log::new().allowed("Bash", "npm test", 1).written();
    world.put(world.user(), settings(&token));
    world.put(
        local(&world),
        "{\"permissions\": {\"allow\": [\"Bash(npm run lint)\", \"Bash(make)\"]}}\n",
    );
    let found = world.json(&["suggest", "--tidy", "--json"]);
    let reasons: Vec<(&str, &str)> = found["tidy"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["reason"].as_str().unwrap(),
                one["rule"].as_str().unwrap(),
            )
        })
        .collect();
    let masked = "Bash(curl -H 'Authorization: Bearer MASKED' https://api.example)";
    assert_eq!(
        reasons,
        [
            ("doubled", "Bash(git status)"),
            ("covered", "Bash(npm run test)"),
            ("covered", "Bash(npm run lint)"),
            ("gone", "Bash(/nowhere/run.sh)"),
            ("secret", masked),
            ("once", "Bash(done)"),
        ]
    );
    let before = world.text(world.user());
    let shown = world.stdout_of(&["suggest", "--tidy"]);
    assert!(
        !shown.contains(&token) && shown.contains("/nowhere"),
        "{shown}"
    );
    assert_eq!(
        world.text(world.user()),
        before,
        "nothing changes without --apply"
    );

    let said = world.stdout_of(&["suggest", "--tidy", "--apply", "--yes"]);
    assert!(
        folded(&said).contains("would ask again: secret (1), once (1)"),
        "{said}"
    );
    assert_eq!(allowed(&world, local(&world).as_ref()), ["Bash(make)"]);
    assert_eq!(allowed(&world, world.user().as_ref()).len(), 4, "{said}");
    assert_eq!(world.last_change()["reason"], "tidy rules");

    world.stdout_of(&["suggest", "--tidy", "--apply", "--yes", "--only", "secret"]);
    assert!(!world.text(world.user()).contains(&token));
    let logged = world.last_change().to_string();
    assert!(
        logged.contains("MASKED") && !logged.contains(&token),
        "{logged}"
    );
    let wrong = world.run(&["suggest", "--tidy", "--apply", "--yes", "--only", "x"]);
    assert_eq!(wrong.code, 1, "{}", wrong.stderr);
}

#[test]
fn undo_puts_back_what_was_taken_out() {
    let world = Log::new().allowed("Bash", "npm test", 1).written();
    world.put(world.user(), settings("-"));
    world.stdout_of(&["suggest", "--tidy", "--apply", "--yes"]);
    assert!(!allowed(&world, world.user().as_ref()).contains(&"Bash(npm run test)".to_owned()));
    world.stdout_of(&["undo", "Bash(npm run test)", "--yes"]);
    assert!(allowed(&world, world.user().as_ref()).contains(&"Bash(npm run test)".to_owned()));
    assert_eq!(world.last_change()["reason"], "undo rule");
    let again = world.run(&["undo", "Bash(npm run test)", "--yes"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
    // A rule that is taken out by hand meanwhile comes back all the same, and the others stay as they are.
    world.put(
        world.user(),
        "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}\n",
    );
    world.stdout_of(&["undo", "Bash(/nowhere/run.sh)", "--yes"]);
    assert_eq!(
        allowed(&world, world.user().as_ref()),
        ["Bash(ls)", "Bash(/nowhere/run.sh)"]
    );
}

#[test]
fn settings_of_a_team_keep_their_rules() {
    let world = Log::new().allowed("Bash", "npm test", 1).written();
    let shared = world.project().join(".claude/settings.json");
    world.put(&shared, settings("-"));
    let found = world.json(&["suggest", "--tidy", "--json"]);
    assert_eq!(found["tidy"], json!([]));
    let shown = world.stdout_of(&["suggest", "--tidy"]);
    assert!(shown.contains("are tidy"), "{shown}");
}
