//! The plugin in the repository: valid, installable in one command, logging, and found by doctor.

use std::process::Command;

use serde_json::{Value, json};

use super::claude_code;
use super::home::{Home, answers, ask, kinds, question};
use super::server::Turn;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

fn claude(home: &Home, words: &[&str]) -> String {
    let mut command: Command = home.claude();
    let output = command.args(words).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{words:?}: {text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

fn with_plugin(client: std::path::PathBuf) -> Home {
    let home = Home::new(client);
    claude(&home, &["plugin", "marketplace", "add", REPOSITORY]);
    claude(&home, &["plugin", "install", "plantune@plantune"]);
    home
}

/// The statuses and messages of doctor's check `registration`.
fn registration(home: &Home) -> Vec<(String, String, String)> {
    let output = home.plantune(&["doctor", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let checks = found["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["name"] == "registration")
        .map(|check| {
            (
                text(&check["status"]),
                text(&check["message"]),
                text(&check["remedy"]),
            )
        })
        .collect()
}

#[test]
fn the_manifests_are_valid() {
    let Some(client) = claude_code() else { return };
    let home = Home::new(client);
    let plugin = format!("{REPOSITORY}/plugin");
    for folder in [REPOSITORY, &plugin] {
        let said = claude(&home, &["plugin", "validate", "--strict", folder]);
        assert!(said.contains("Validation passed"), "{said}");
    }
}

#[test]
fn the_plugin_logs_and_answers() {
    let Some(client) = claude_code() else { return };
    let home = with_plugin(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    let script = vec![
        ask("toolu_n", &[colour]),
        ask("toolu_o", &[question("Which size?", &["S", "L"])]),
        Turn::says("thank you"),
    ];
    let session = home.session(script, |request| {
        answers(request, json!({"Which size?": "L"}))
    });
    assert_eq!(session.asked.len(), 1);
    assert!(session.result_of("toolu_n").contains("\"Blue\""));
    let wanted = [
        "session_started",
        "auto_decided: allow",
        "answered",
        "asked: no_preference",
        "answered",
        "session_ended",
    ];
    assert_eq!(kinds(&home.events()), wanted);
    // The skill is there for the person.
    let start = session.stream.iter().find(|line| line["subtype"] == "init");
    let skills = start.unwrap()["slash_commands"].to_string();
    assert!(skills.contains("\"plantune:plantune\""), "{skills}");
}

#[test]
fn without_the_hook_the_plugin_says_so_once_and_stops_nobody() {
    let Some(client) = claude_code() else { return };
    let home = with_plugin(client);
    std::fs::remove_file(home.hook()).unwrap();
    let text = "Which size?";
    let script = vec![
        ask("toolu_p", &[question(text, &["S", "L"])]),
        Turn::says("thank you"),
    ];
    let session = home.session(script, |request| answers(request, json!({text: "L"})));
    assert_eq!(session.result(), "thank you");
    let start = session.hook_printed("SessionStart");
    assert!(
        start[0].contains("plantune-hook is not installed"),
        "{start:?}"
    );
    assert_eq!(session.hook_printed("PreToolUse"), [""]);
}

#[test]
fn doctor_finds_the_plugin_and_what_is_registered_twice() {
    let Some(client) = claude_code() else { return };
    let home = with_plugin(client);
    let alone = registration(&home);
    assert_eq!(alone.len(), 1, "{alone:?}");
    assert_eq!(alone[0].0, "ok");
    assert!(alone[0].1.contains("plantune@plantune"), "{alone:?}");

    let said = home.install(&[]);
    assert!(said.contains("plugin"), "{said}");
    let both = registration(&home);
    assert_eq!(both.len(), 1, "{both:?}");
    assert_eq!(both[0].0, "warning");
    assert!(both[0].1.contains("runs twice"), "{both:?}");
    assert!(
        both[0]
            .2
            .contains("claude plugin disable plantune@plantune"),
        "{both:?}"
    );

    claude(&home, &["plugin", "disable", "plantune@plantune"]);
    let settings = registration(&home);
    assert_eq!(settings[0].0, "ok");
    assert!(settings[0].1.contains("settings.json"), "{settings:?}");
}
