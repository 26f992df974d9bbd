//! The plugin, as it lies in the repository and as it is given away: valid, installable in one command, logging,
//! never beside the settings' own hook, and found by doctor.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::claude_code;
use super::client::Session;
use super::home::{Home, answers, ask, kinds, question};
use super::server::Turn;
use crate::plugin::assembled;
use crate::world::programs;

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

/// A home with the plugin as it lies in the repository.
fn with_plugin(client: PathBuf) -> Home {
    let home = Home::new(client);
    claude(&home, &["plugin", "marketplace", "add", REPOSITORY]);
    claude(&home, &["plugin", "install", "plantune@plantune"]);
    home
}

/// A home without a hook of its own, with the plugin as it is given away, from a repository of its own.
fn with_assembled_plugin(client: PathBuf) -> Home {
    let home = Home::new(client);
    fs::remove_file(home.hook()).unwrap();
    let folder = home.path("market/plugin");
    fs::create_dir(home.path("market")).unwrap();
    assembled::assemble(&folder, &programs::hook());
    home.put(
        ".gitconfig",
        &format!(
            "[url \"file://{}/\"]\n\tinsteadOf = https://plantune.invalid/\n\
             [user]\n\tname = A\n\temail = a@example.org\n",
            home.path("market").display()
        ),
    );
    for words in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["commit", "-q", "-m", "A release"],
    ] {
        let mut git = home.command(Path::new("git"));
        assert!(
            git.current_dir(&folder)
                .args(words)
                .status()
                .unwrap()
                .success()
        );
    }
    claude(
        &home,
        &[
            "plugin",
            "marketplace",
            "add",
            "https://plantune.invalid/plugin/.git",
        ],
    );
    claude(&home, &["plugin", "install", "plantune@plantune"]);
    home
}

/// The program that the installed plugin's entries name.
fn plugin_hook(home: &Home) -> PathBuf {
    let version = env!("CARGO_PKG_VERSION");
    let folder = format!(".claude/plugins/cache/plantune/plantune/{version}");
    home.path(&folder).join("hooks/plantune-hook")
}

/// A session with a question that a preference answers, and one that the person answers.
fn session(home: &Home) -> Session {
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
    session
}

/// What a hook logs of that [`session`], each once.
const LOGGED: [&str; 6] = [
    "session_started",
    "auto_decided: allow",
    "answered",
    "asked: no_preference",
    "answered",
    "session_ended",
];

/// How many hooks printed something for `event`.
fn speakers(session: &Session, event: &str) -> usize {
    let printed = session.hook_printed(event);
    printed.iter().filter(|text| !text.is_empty()).count()
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
#[ignore = "needs the real client: make test-claude-code"]
fn the_manifests_are_valid() {
    let client = claude_code();
    let home = Home::new(client);
    let plugin = format!("{REPOSITORY}/plugin");
    for folder in [REPOSITORY, &plugin] {
        let said = claude(&home, &["plugin", "validate", "--strict", folder]);
        assert!(said.contains("Validation passed"), "{said}");
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_plugin_logs_and_answers() {
    let client = claude_code();
    let home = with_plugin(client);
    let session = session(&home);
    assert_eq!(kinds(&home.events()), LOGGED);
    // The skill is there for the person.
    let start = session.stream.iter().find(|line| line["subtype"] == "init");
    let skills = start.unwrap()["slash_commands"].to_string();
    assert!(skills.contains("\"plantune:plantune\""), "{skills}");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn without_the_hook_the_plugin_says_so_once_and_stops_nobody() {
    let client = claude_code();
    let home = with_plugin(client);
    fs::remove_file(home.hook()).unwrap();
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
#[ignore = "needs the real client: make test-claude-code"]
fn what_is_given_away_needs_nothing_installed() {
    let client = claude_code();
    let home = with_assembled_plugin(client);
    session(&home);
    assert_eq!(kinds(&home.events()), LOGGED);
    let beside = fs::read_dir(plugin_hook(&home).parent().unwrap()).unwrap();
    assert_eq!(beside.count(), 3);
    session(&home);
    assert_eq!(kinds(&home.events()).len(), 2 * LOGGED.len());
    let doctor = home.plantune(&["doctor", "--json"]);
    let found: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let checks = found["checks"].as_array().unwrap().iter();
    let ours: Vec<_> = checks
        .filter(|check| check["message"].to_string().contains("in the plugin"))
        .map(|check| (check["name"].as_str(), check["status"].as_str()))
        .collect();
    assert!(ours.contains(&(Some("hook_binary"), Some("ok"))), "{found}");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn beside_the_settings_the_plugin_keeps_silent() {
    let client = claude_code();
    let home = with_assembled_plugin(client);
    fs::copy(programs::hook(), home.hook()).unwrap();
    home.install(&["--statusline"]);
    let before = SystemTime::now() - Duration::from_secs(60);
    let settings = fs::File::open(home.path(".claude/settings.json")).unwrap();
    settings.set_modified(before).unwrap();
    let both = session(&home);
    assert_eq!(both.hook_printed("PreToolUse").len(), 4);
    assert_eq!(speakers(&both, "PreToolUse"), 1);
    assert_eq!(kinds(&home.events()), LOGGED);

    // Its program is gone: nobody but the plugin is left.
    fs::remove_file(home.hook()).unwrap();
    let script = vec![
        ask("toolu_p", &[question("Which place?", &["Here", "There"])]),
        Turn::says("thank you"),
    ];
    home.session(script, |request| {
        answers(request, json!({"Which place?": "Here"}))
    });
    let wanted = ["asked: no_preference", "answered"];
    assert_eq!(kinds(&home.events_of("toolu_p")), wanted);
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn no_call_is_lost_while_a_session_is_running_and_settings_change() {
    let client = claude_code();
    let home = with_assembled_plugin(client);
    fs::copy(programs::hook(), home.hook()).unwrap();
    let text = |at| format!("Which size is number {at}?");
    let call = |at| ask(&format!("toolu_{at}"), &[question(&text(at), &["S", "L"])]);
    let script = vec![call(0), call(1), call(2), Turn::says("thank you")];
    let mut asked = 0;
    home.session(script, |request| {
        if asked == 0 {
            home.install(&[]);
        }
        if asked == 1 {
            home.done(&["uninstall", "--yes"]);
        }
        asked += 1;
        answers(request, json!({text(asked - 1): "L"}))
    });
    for at in 0..3 {
        let events = home.events_of(&format!("toolu_{at}"));
        assert_eq!(kinds(&events), ["asked: no_preference", "answered"], "{at}");
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn doctor_finds_the_plugin_and_what_is_registered_twice() {
    let client = claude_code();
    let home = with_plugin(client);
    let alone = registration(&home);
    assert_eq!(alone.len(), 1, "{alone:?}");
    assert_eq!(alone[0].0, "ok");
    assert!(alone[0].1.contains("plantune@plantune"), "{alone:?}");

    let said = home.install(&[]);
    assert!(said.contains("plugin"), "{said}");
    let both = registration(&home);
    assert_eq!(both.len(), 1, "{both:?}");
    assert_eq!(both[0].0, "note");
    assert!(both[0].1.contains("that of the settings acts"), "{both:?}");
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
