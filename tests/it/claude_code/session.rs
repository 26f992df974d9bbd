//! What concerns a session as a whole: its kind, which hooks are called, a hook that is gone, and
//! the transcript it leaves.

use serde_json::{Value, json};

use super::claude_code;
use super::client;
use super::home::{Home, answers, ask, kinds, question};
use super::server::Turn;
use crate::world::unwrapped;

const REFUSAL: &str = "The user doesn't want to proceed with this tool use. The tool use was \
    rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_kind_of_the_session_follows_its_surroundings() {
    let client = claude_code();
    let home = Home::installed(client);
    for (set, kind) in [
        (None, "interactive"),
        (Some(("CI", "true")), "headless"),
        (Some(("CI", "")), "interactive"),
        (Some(("OPENCLAW_SESSION", "s-1")), "spawned"),
    ] {
        let mut client = home.claude();
        client.envs(set);
        client::run(client, vec![Turn::says("hello")], |request| {
            panic!("{request}")
        });
        let events = home.events();
        assert_eq!(events[events.len() - 2]["session_kind"], kind, "{set:?}");
        assert_eq!(
            kinds(&events[events.len() - 2..]),
            ["session_started", "session_ended"]
        );
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_hook_is_called_for_what_is_registered_and_ends_well_each_time() {
    let client = claude_code();
    let home = Home::installed(client);
    let text = "Which colour?";
    let script = vec![
        // Tools that are no questions do not start the hook.
        Turn::call(
            "toolu_g",
            "Bash",
            json!({"command": "true", "description": "nothing"}),
        ),
        ask("toolu_h", &[question(text, &["Red", "Blue"])]),
        Turn::says("thank you"),
    ];
    let session = home.session(script, |request| answers(request, json!({text: "Red"})));
    let settings = std::fs::read_to_string(home.path(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    for event in session.hook_events() {
        assert!(!settings["hooks"][&event].is_null(), "{event} is called");
    }
    for event in ["SessionStart", "PreToolUse", "PostToolUse", "Stop"] {
        let printed = session.hook_printed(event);
        assert_eq!(printed, [""], "{event}: once, and without an opinion");
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_hook_that_is_gone_stops_nobody() {
    let client = claude_code();
    let home = Home::installed(client);
    let ask = |id, text| ask(id, &[question(text, &["Red", "Blue"])]);
    let script = vec![
        ask("toolu_i", "First?"),
        ask("toolu_j", "Second?"),
        Turn::says("thank you"),
    ];
    let session = home.session(script, |request| {
        let text = request["input"]["questions"][0]["question"]
            .as_str()
            .unwrap();
        if text == "First?" {
            std::fs::remove_file(home.hook()).unwrap();
        }
        answers(request, json!({text: "Blue"}))
    });
    assert_eq!(session.result(), "thank you");
    assert_eq!(session.asked.len(), 2);
    for id in ["toolu_i", "toolu_j"] {
        assert!(session.result_of(id).contains("\"Blue\""));
    }
    assert_eq!(
        kinds(&home.events()),
        ["session_started", "asked: no_preference"]
    );
    let doctor = home.plantune(&["doctor"]);
    let found = unwrapped(&String::from_utf8(doctor.stdout).unwrap());
    assert!(found.contains("where there is no program"), "{found}");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_transcript_says_what_the_hook_said() {
    let client = claude_code();
    let home = Home::installed(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    let script = vec![
        ask("toolu_k", &[colour]),
        ask("toolu_l", &[question("Which size?", &["S", "L"])]),
        ask("toolu_m", &[question("Which shape?", &["Round", "Square"])]),
        Turn::says("thank you"),
    ];
    home.session(
        script,
        |request| match request["input"]["questions"][0]["question"].as_str() {
            Some("Which size?") => answers(request, json!({"Which size?": "L"})),
            // As the terminal words it; what a host of its own says instead cannot be said from an
            // error in a transcript of 2.1.197.
            _ => json!({"behavior": "deny", "message": REFUSAL}),
        },
    );
    let totals = |home: &Home| -> Value {
        let report = home.done(&["report", "--json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let names = [
            "questions",
            "asked",
            "answered",
            "auto_decided",
            "failed",
            "sessions",
            "calls",
        ];
        let totals = names.map(|name| (name.to_owned(), report["totals"][name].clone()));
        Value::Object(totals.into_iter().collect())
    };
    let before = totals(&home);
    let wanted = json!({
        "questions": 3, "asked": 2, "answered": 1, "auto_decided": 1, "failed": 0,
        "sessions": 1, "calls": 3,
    });
    assert_eq!(before, wanted);
    home.done(&["import", "claude-code"]);
    assert_eq!(
        totals(&home),
        wanted,
        "an import of the same session adds nothing"
    );
}
