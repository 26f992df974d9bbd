//! The plugin, as it lies in the repository and as it is given away: valid, installable in one command, logging,
//! never beside the settings' own hook, and found by doctor.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::claude_code;
use super::client::Session;
use super::home::{Home, Turn, answers, ask, assert_fields, kinds, nobody, question};
use crate::plugin;
use crate::shared::skipped;
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
    plugin::assemble(&folder, &programs::hook());
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

/// The events that a hook logs of that [`session`], each once.
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
    assert!(ours.contains(&(Some("hook"), Some("ok"))), "{found}");
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
    assert!(
        both[0].1.contains("the one in the settings acts"),
        "{both:?}"
    );
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

// plantune as a package manager installed it (tests/npm/), in the home of `PLANTUNE_INSTALLED_HOME`.

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_installed_hook_answers() {
    let Some(folder) = std::env::var_os("PLANTUNE_INSTALLED_HOME") else {
        let why = "PLANTUNE_INSTALLED_HOME names no home; `make test-npm` does";
        return skipped("claude_code::plugin::the_installed_hook_answers", why);
    };
    let client = claude_code();
    let home = Home::of_somebody(PathBuf::from(folder), client);
    let asked = question(
        "<plantune:installed-area> Which area is next?",
        &["Search", "Sorting"],
    );
    home.prefer(&asked, "Sorting");
    // A call has an id of its own each time, for this home has sessions before it.
    let id = format!("toolu_installed_{}", std::process::id());
    let script = vec![ask(&id, &[asked]), Turn::says("done")];
    let session = home.session(script, nobody);
    assert!(session.result_of(&id).contains("Sorting"));
    let events = home.events_of(&id);
    assert_eq!(kinds(&events), ["auto_decided: allow", "answered"]);
}

// Questions of an MCP server: answered, failed, lost, crashed; and answered by a preference.

const TOOL: &str = "mcp__asker__AskUserQuestion";

/// A call that the server meets in the way `then` says.
pub(crate) fn ask_by_server(id: &str, question: &str, then: &str) -> Turn {
    let input = json!({"question": question, "options": ["Red", "Blue"], "metadata": then});
    Turn::call(id, TOOL, input)
}

/// The client with the server.
pub(crate) fn with_asker(home: &Home) -> Command {
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/claude_code/asker.js");
    let config = json!({"mcpServers": {"asker": {"command": "node", "args": [server]}}});
    home.put("servers.json", &config.to_string());
    let mut client = home.claude();
    client
        .arg("--mcp-config")
        .arg(home.path("servers.json"))
        .arg("--strict-mcp-config");
    client
}

fn session_with_asker(
    home: &Home,
    script: Vec<Turn>,
    person: impl FnMut(&Value) -> Value,
) -> Session {
    super::client::run(with_asker(home), script, person)
}

/// The person lets the tool run.
pub(crate) fn allowed(request: &Value) -> Value {
    assert_eq!(request["tool_name"], TOOL);
    json!({"behavior": "allow", "updatedInput": request["input"]})
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn an_answer_is_logged_and_every_failure_by_its_kind() {
    let client = claude_code();
    let home = Home::installed(client);
    let ways = ["answer", "error", "protocol-error", "lost", "crash"];
    let id = |way: &str| format!("toolu_{way}");
    let mut script: Vec<_> = ways
        .iter()
        .map(|way| ask_by_server(&id(way), "Which?", way))
        .collect();
    script.push(Turn::says("enough"));
    let session = session_with_asker(&home, script, allowed);
    assert_eq!(session.result(), "enough", "the session goes on after each");
    assert_eq!(session.asked.len(), ways.len());

    for way in ways {
        let events = home.events_of(&id(way));
        assert_eq!(events.len(), 2, "{way}: {events:?}");
        assert_eq!(kinds(&events[..1]), ["asked: no_preference"]);
        assert_fields(
            &events[0],
            json!({"tool_name": TOOL, "question": "Which?", "options": ["Red", "Blue"]}),
        );
        assert_eq!(events[1]["question_key"], events[0]["question_key"]);
    }
    let outcome = |way: &str| home.events_of(&id(way)).remove(1);
    assert_fields(
        &outcome("answer"),
        json!({"kind": "answered", "answer": ["Red"], "was_auto_decided": false}),
    );
    assert_fields(
        &outcome("error"),
        json!({"kind": "failed", "error": "no screen", "error_kind": "tool_error"}),
    );
    // The client of 2.1.197 says `MCP error -32603: exploded` here, that of 2.1.329 `exploded`.
    let failed = outcome("protocol-error");
    assert_fields(&failed, json!({"kind": "failed"}));
    assert!(
        failed["error"].as_str().unwrap().ends_with("exploded"),
        "{failed}"
    );
    assert_fields(
        &outcome("lost"),
        json!({"kind": "failed", "error_kind": "missing_result"}),
    );
    assert_fields(
        &outcome("crash"),
        json!({"kind": "failed", "error_kind": "connection_closed"}),
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_preference_answers_in_a_denial_that_the_model_reads() {
    let client = claude_code();
    let home = Home::installed(client);
    let which = json!({"question": "<plantune:colour> Which?", "options": ["Red", "Blue"]});
    home.prefer(&which, "Red");
    let script = vec![
        ask_by_server("toolu_x", "<plantune:colour> Which?", "crash"),
        Turn::says("red it is"),
    ];
    let session = session_with_asker(&home, script, nobody);
    let said = session.result_of("toolu_x");
    assert!(
        said.contains("[plan-tune auto-decide] colour → Red"),
        "{said}"
    );
    assert!(
        said.contains("is no permission for anything else"),
        "{said}"
    );
    assert_eq!(
        kinds(&home.events_of("toolu_x")),
        ["auto_decided: deny"],
        "the server was never called"
    );
    // Nor does the transcript make it a failure.
    home.done(&["import", "claude-code"]);
    let report: Value = serde_json::from_str(&home.done(&["report", "--json"])).unwrap();
    assert_eq!(
        [
            &report["totals"]["auto_decided"],
            &report["totals"]["failed"]
        ],
        [&json!(1), &json!(0)],
        "{}",
        report["totals"]
    );
}
