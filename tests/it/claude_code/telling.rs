//! What the person and the model learn beside the answer itself: at the end of a turn, at the
//! start of a session, and when a question failed.

use serde_json::Value;

use super::claude_code;
use super::client;
use super::home::{Home, ask, nobody, question};
use super::mcp;
use super::server::Turn;

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_turn_ends_with_a_line_about_what_was_answered() {
    let client = claude_code();
    let home = Home::installed(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    let script = vec![ask("toolu_q", &[colour]), Turn::says("blue it is")];
    let session = home.session(script, nobody);
    let printed = session.hook_printed("Stop");
    let said: Value = serde_json::from_str(&printed[0]).unwrap();
    let said = said["systemMessage"].as_str().unwrap();
    assert!(
        said.starts_with("plantune answered a question for you"),
        "{said}"
    );
    assert!(said.contains("Blue"), "{said}");
    assert_eq!(session.requests.len(), 2, "and the turn ends there");
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_model_gets_the_standing_preferences_when_they_are_announced() {
    let client = claude_code();
    let home = Home::installed(client);
    let colour = question("<plantune:colour> Which colour?", &["Red", "Blue"]);
    home.prefer(&colour, "Blue");
    home.put(".config/plantune/config.toml", "announce = true\n");
    let session = home.session(vec![Turn::says("I need not ask")], nobody);
    assert!(session.model_reads("You need not ask these"));
    assert!(session.model_reads("\"colour\": \"Blue\""));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_failed_question_gives_the_model_the_directive_of_the_session_kind() {
    let client = claude_code();
    let home = Home::installed(client);
    for (set, words) in [
        (None, "retry the call once"),
        (Some(("CI", "1")), "BLOCKED — AskUserQuestion unavailable"),
        (
            Some(("OPENCLAW_SESSION", "s")),
            "Choose the recommended option yourself",
        ),
    ] {
        for way in ["error", "lost"] {
            let mut client = mcp::claude(&home);
            client.envs(set);
            let script = vec![mcp::ask("toolu_r", "Which?", way), Turn::says("enough")];
            let session = client::run(client, script, mcp::allowed);
            assert!(session.model_reads(words), "{set:?}, {way}");
        }
        let mut client = mcp::claude(&home);
        client.envs(set);
        let script = vec![
            mcp::ask("toolu_s", "Which?", "answer"),
            Turn::says("enough"),
        ];
        let session = client::run(client, script, mcp::allowed);
        assert!(!session.model_reads("AskUserQuestion failed"), "{set:?}");
    }
    let failed = home
        .events()
        .iter()
        .filter(|event| event["kind"] == "failed")
        .count();
    assert_eq!(failed, 6, "each of them is on record");
}
