//! `plantune install --guard`: an agent that may do everything else may not decide for its user.

use serde_json::{Value, json};

use super::claude_code;
use super::home::{Home, Turn, question};

/// The result of each command as the model got it.
fn stdout_of(home: &Home, calls: &[(&str, Value)]) -> Vec<String> {
    let id = |number: usize| format!("toolu_{number}");
    let mut script: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(number, (tool, input))| Turn::call(&id(number), tool, input.clone()))
        .collect();
    script.push(Turn::says("done"));
    // The person allows whatever they are asked for.
    let session = home.session(
        script,
        |request| json!({"behavior": "allow", "updatedInput": request["input"]}),
    );
    (0..calls.len())
        .map(|number| session.result_of(&id(number)))
        .collect()
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn an_agent_cannot_write_preferences_or_take_the_guard_away() {
    let client = claude_code();
    let home = Home::new(client);
    home.program("plantune", "#!/bin/sh\necho \"ran $*\"\n");
    let preferences = ".config/plantune/preferences.json";
    home.put(preferences, "{\"version\": 1, \"preferences\": {}}\n");
    home.install(&["--guard"]);
    let absolute = home.path(preferences);
    let absolute = absolute.display();
    let bash = |command: &str| ("Bash", json!({"command": command, "description": "try"}));
    let bin = home.path(".local/bin/plantune");
    let mut forbidden = vec![
        bash("plantune prefs set colour never-ask --yes"),
        bash("plantune prefs clear colour"),
        bash("plantune prefs set --agents codex colour"),
        bash("env -u CLAUDECODE plantune prefs set colour never-ask --yes"),
        bash("CLAUDECODE= plantune suggest --only colour --apply --yes"),
        bash("plantune suggest --apply"),
        bash("plantune undo"),
        bash("plantune-hook < call.json"),
        bash("echo '{}' | ~/.local/bin/plantune-hook"),
        bash("plantune away 3h --yes"),
        bash("CLAUDECODE= plantune away 12h --yes"),
        bash("plantune away off"),
        bash("plantune uninstall --yes"),
        bash(&format!("cd /tmp && {} undo", bin.display())),
        bash("plantune --quiet prefs set colour never-ask --yes"),
        bash("plantune prefs --quiet set colour never-ask --yes"),
        bash("plantune fleet adopt colour --yes"),
        bash("env -u CLAUDECODE plantune-fleet --quiet adopt colour --yes"),
        bash("npx plantune@latest prefs set colour never-ask"),
        bash("npx -y plantune --quiet undo"),
        bash("npx plantune@latest undo"),
        bash("/usr/local/bin/plantune --color never away 3h --yes"),
        bash("plantune --quiet suggest --only colour --apply"),
        bash("plantune import claude-code ~/made-up"),
        bash("plantune --quiet import claude-code"),
        bash("plantune install --rollback"),
        bash("plantune install --scope user --rollback"),
        bash("sh -c 'plantune prefs set colour never-ask'"),
        bash("echo '{}' > ~/.config/plantune/preferences.json"),
        bash(&format!("sed -i s/1/2/ {absolute}")),
        (
            "Write",
            json!({"file_path": home.path(".config/plantune/config.toml"), "content": "x"}),
        ),
    ];
    // The client edits only what it has read.
    forbidden.push(("Read", json!({"file_path": absolute.to_string()})));
    let edit = json!({"file_path": absolute.to_string(), "old_string": "{}", "new_string": "{ }"});
    forbidden.push(("Edit", edit));
    let said = stdout_of(&home, &forbidden);
    for ((tool, input), said) in forbidden.iter().zip(&said) {
        let denied = said.contains("has been denied") || said.contains("denied by your permission");
        assert_eq!(denied, *tool != "Read", "{input}: {said}");
    }
    let text = std::fs::read_to_string(home.path(preferences)).unwrap();
    assert_eq!(text, "{\"version\": 1, \"preferences\": {}}\n");
    assert!(!home.path(".config/plantune/config.toml").exists());
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_only_looks_stays_allowed() {
    let client = claude_code();
    let home = Home::new(client);
    home.program("plantune", "#!/bin/sh\necho \"ran $*\"\n");
    home.install(&["--guard"]);
    let words = [
        "report",
        "suggest",
        "prefs list",
        "doctor",
        "--quiet prefs list",
        "log --json",
    ];
    let calls: Vec<_> = words
        .iter()
        .map(|words| {
            let command = format!("plantune {words}");
            ("Bash", json!({"command": command, "description": "look"}))
        })
        .collect();
    let said = stdout_of(&home, &calls);
    for (words, said) in words.iter().zip(said) {
        assert_eq!(said, format!("ran {words}"));
    }
}

/// Without the guard, too: plantune itself refuses in a command of the client's shell tool, which sets the variables that
/// show it, and where they are taken away it sees who started it.
#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_shell_tool_gets_a_refusal() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(
        &question("<plantune:colour> Which colour?", &["Red", "Blue"]),
        "Blue",
    );
    let preferences = home.path(".config/plantune/preferences.json");
    let before = std::fs::read(&preferences).unwrap();
    let plantune = env!("CARGO_BIN_EXE_plantune");
    let bare = "env -i HOME=\"$HOME\" PLANTUNE_ALLOW_UNATTENDED=1";
    let decisions = [
        "prefs set colour never-ask --force --yes",
        "undo colour --yes",
        "away 3h --yes",
    ];
    let bash = |command: String| ("Bash", json!({"command": command, "description": "try"}));
    let mut calls = vec![bash("env".to_owned())];
    for words in decisions {
        calls.push(bash(format!("{plantune} {words}; echo exit $?")));
        calls.push(bash(format!("{bare} {plantune} {words}; echo exit $?")));
    }
    let said = stdout_of(&home, &calls);
    for name in [
        "CLAUDECODE=1",
        "CLAUDE_CODE_ENTRYPOINT=",
        "CLAUDE_CODE_SESSION_ID=",
    ] {
        assert!(said[0].contains(name), "{name}: {}", said[0]);
    }
    for said in &said[1..] {
        assert!(
            said.contains("exit 4") && said.contains("this is an agent's session"),
            "{said}"
        );
    }
    assert_eq!(std::fs::read(&preferences).unwrap(), before);
}
