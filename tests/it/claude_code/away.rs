//! Away and back with the real client: what is answered, what waits, and how the model learns that the
//! person changed an answer.

use serde_json::json;

use super::claude_code;
use super::client;
use super::home::{Home, answers, ask, assert_fields, kinds, question};
use super::server::Turn;

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn recommendations_are_taken_and_a_changed_answer_is_told_in_the_next_turn() {
    let client = claude_code();
    let home = Home::installed(client);
    home.done(&["away", "3h", "--yes"]);
    let tables = "Drop the old tables?";
    let script = vec![
        ask(
            "toolu_a",
            &[question(
                "Review the layout?",
                &["Later (Recommended)", "Now"],
            )],
        ),
        ask("toolu_b", &[question(tables, &["Yes (Recommended)", "No"])]),
        Turn::says("done"),
    ];
    let session = home.session(script, |request| answers(request, json!({tables: "No"})));
    assert_eq!(session.asked.len(), 1, "what cannot be taken back waits");
    assert!(
        session
            .result_of("toolu_a")
            .contains("\"Later (Recommended)\"")
    );
    assert!(session.model_reads("as recommended, because the user is away"));
    let events = home.events_of("toolu_a");
    assert_eq!(kinds(&events), ["auto_decided: allow", "answered"]);
    assert_fields(&events[0], json!({"level": "away"}));
    assert_fields(&events[1], json!({"was_auto_decided": true}));

    let list = home.done(&["away", "off"]);
    assert!(
        list.contains("plantune undo toolu_a --answer LABEL"),
        "{list}"
    );
    home.done(&["undo", "toolu_a", "--yes", "--answer", "Now"]);
    // The same session, taken up again.
    let id = events[0]["session_id"].as_str().unwrap();
    let mut client = home.claude();
    client.args(["--resume", id]);
    let session = client::run(client, vec![Turn::says("I see")], |request| {
        panic!("{request}")
    });
    assert!(
        session.model_reads(
            "has changed the answer to \"Review the layout?\" from \"Later\" to \"Now\""
        )
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_running_session_is_told_at_its_next_prompt() {
    let client = claude_code();
    let home = Home::installed(client);
    home.done(&["away", "3h", "--yes"]);
    let script = vec![
        ask(
            "toolu_a",
            &[question(
                "Review the layout?",
                &["Later (Recommended)", "Now"],
            )],
        ),
        Turn::says("done"),
        Turn::says("I see"),
    ];
    let mut has_changed = false;
    let session = client::run_prompts(
        home.claude(),
        script,
        |request| panic!("{request}"),
        || {
            let first = !has_changed;
            if first {
                home.done(&["undo", "toolu_a", "--yes", "--answer", "Now"]);
                has_changed = true;
            }
            first.then_some("go on")
        },
    );
    let printed = session.hook_printed("UserPromptSubmit");
    assert_eq!(printed.len(), 2);
    assert_eq!(printed[0], "", "nothing to say at first");
    assert!(
        printed[1].contains("has changed the answer"),
        "{}",
        printed[1]
    );
    assert!(
        session.model_reads(
            "has changed the answer to \"Review the layout?\" from \"Later\" to \"Now\""
        )
    );
}
