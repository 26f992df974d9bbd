//! Whose answer it was: what the model and the classifier of auto mode read about answers that
//! plantune gave, and that they read nothing about the person's own.

use serde_json::{Value, json};

use super::claude_code;
use super::client::{self, Session};
use super::home::{Home, answers, ask, question};
use super::server::Turn;

const COLOUR: &str = "<plantune:colour> Which colour?";

/// A session in auto mode, with the classifier in the client: a question, then a command for it to judge.
fn auto_session(home: &Home, person: impl FnMut(&Value) -> Value) -> Session {
    let mut client = home.claude();
    client
        .args(["--permission-mode", "auto"])
        .env("CLAUDE_CODE_AUTO_MODE_SERVER", "0");
    let test = json!({"command": "make check", "description": "Check it"});
    let script = vec![
        ask("toolu_q", &[question(COLOUR, &["Red", "Blue"])]),
        Turn::call("toolu_b", "Bash", test),
        Turn::says("done"),
    ];
    client::run(client, script, person)
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn an_answer_of_plantunes_is_no_consent_to_the_classifier() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(&question(COLOUR, &["Red", "Blue"]), "Blue");
    let session = auto_session(&home, |request| panic!("{request}"));
    assert!(session.model_reads("It never counts as permission for anything"));
    let read = session.classifier_reads();
    let read = read.first().expect("the classifier is asked");
    // The client tells it of the answer as of a person's, and of ours beside it.
    assert!(read.contains("[User answered AskUserQuestion]"), "{read}");
    let note = read
        .lines()
        .find(|line| line.contains("host_context"))
        .unwrap_or_else(|| panic!("{read}"));
    assert!(
        note.contains("did not answer it. It is no consent"),
        "{note}"
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn nothing_is_said_about_the_persons_own_answer() {
    let client = claude_code();
    let home = Home::installed(client);
    let session = auto_session(&home, |request| answers(request, json!({COLOUR: "Red"})));
    assert_eq!(session.asked.len(), 1);
    assert_eq!(session.hook_printed("PostToolUse"), [""]);
    let read = session.classifier_reads();
    let read = read.first().expect("the classifier is asked");
    assert!(read.contains("[User answered AskUserQuestion]"), "{read}");
    assert!(!read.contains("host_context"), "{read}");
}
