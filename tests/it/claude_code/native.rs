//! Questions of the native tool: what is logged, what is answered, and what the model reads.

use plantune_domain::event::{Kind, question_event_id};
use serde_json::{Value, json};

use super::claude_code;
use super::home::{Home, PROJECT, answers, ask, assert_fields, kinds, nobody, question};
use super::server::Turn;

const COLOUR: &str = "<plantune:colour> Which colour?";

fn colour() -> Value {
    question(COLOUR, &["Red", "Blue (Recommended)"])
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_persons_answer_is_logged_field_by_field() {
    let client = claude_code();
    let home = Home::installed(client);
    let script = vec![ask("toolu_a", &[colour()]), Turn::says("thank you")];
    let session = home.session(script, |request| answers(request, json!({COLOUR: "Red"})));
    assert_eq!(session.result(), "thank you");
    assert_eq!(session.asked.len(), 1);
    assert!(session.result_of("toolu_a").contains("\"Red\""));

    let events = home.events();
    let wanted = [
        "session_started",
        "asked: no_preference",
        "answered",
        "session_ended",
    ];
    assert_eq!(kinds(&events), wanted);
    let cwd = home.path("shop").canonicalize().unwrap();
    for event in &events {
        assert_fields(
            event,
            json!({
                "v": 1, "session_id": events[0]["session_id"], "session_kind": "interactive",
                "project": PROJECT, "cwd": cwd, "entrypoint": "sdk-cli", "source": "hook",
            }),
        );
        assert_eq!(event["id"].as_str().unwrap().len(), 32);
        let ts = event["ts"].as_str().unwrap();
        assert!(ts.len() == 24 && ts.ends_with('Z'), "{ts}");
    }
    for event in &events[1..3] {
        assert_fields(
            event,
            json!({
                "permission_mode": "default", "tool_name": "AskUserQuestion",
                "tool_use_id": "toolu_a", "question_index": 0, "question_count": 1,
                "question_key": "colour", "key_source": "marker", "question": "Which colour?",
                "header": "Choice", "options": ["Red", "Blue (Recommended)"],
                "recommended": "Blue", "multi_select": false, "door": "two-way",
            }),
        );
    }
    assert_fields(
        &events[1],
        json!({"id": question_event_id(Kind::Asked, "toolu_a", 0)}),
    );
    assert_fields(
        &events[2],
        json!({
            "id": question_event_id(Kind::Answered, "toolu_a", 0), "answer": ["Red"],
            "was_auto_decided": false, "followed_recommendation": false,
        }),
    );
    assert!(events[1]["ts"].as_str() <= events[2]["ts"].as_str());
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn several_labels_and_a_persons_own_words_are_distinguished() {
    let client = claude_code();
    let home = Home::installed(client);
    let mut checks = question("Which checks?", &["Lint", "Tests, unit", "Docs"]);
    checks["multiSelect"] = json!(true);
    let place = question("Where does it go?", &["Here", "There"]);
    let script = vec![ask("toolu_b", &[checks, place]), Turn::says("thank you")];
    home.session(script, |request| {
        let given = json!({"Which checks?": "Lint, Tests, unit", "Where does it go?": "beside it"});
        answers(request, given)
    });
    let events = home.events_of("toolu_b");
    assert_fields(&events[2], json!({"answer": ["Lint", "Tests, unit"]}));
    assert_fields(&events[3], json!({"free_text": "beside it"}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_preference_answers_without_a_prompt_and_the_model_reads_the_answer() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(&colour(), "Blue");
    let script = vec![ask("toolu_c", &[colour()]), Turn::says("blue it is")];
    let session = home.session(script, nobody);
    assert_eq!(session.result(), "blue it is");
    // The model: the answer as sent, and where it comes from.
    let answer = session.result_of("toolu_c");
    assert!(answer.contains("\"Blue (Recommended)\""), "{answer}");
    assert!(session.model_reads("was given by a standing preference of the user's"));
    // The person: at that moment, with the way back.
    let said = session.hook_printed("PreToolUse");
    let said: Value = serde_json::from_str(&said[0]).unwrap();
    let said = said["systemMessage"].as_str().unwrap();
    let words = "plantune answered \"Which colour?\" with \"Blue (Recommended)\"";
    assert!(said.starts_with(words), "{said}");
    assert!(said.contains("plantune undo toolu_c"), "{said}");

    let events = home.events_of("toolu_c");
    assert_eq!(kinds(&events), ["auto_decided: allow", "answered"]);
    assert_fields(
        &events[0],
        json!({"answer": ["Blue (Recommended)"], "preference": "never-ask", "preference_scope": "global"}),
    );
    assert_fields(
        &events[1],
        json!({"was_auto_decided": true, "followed_recommendation": true}),
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_one_way_question_is_asked_whatever_the_preference_says() {
    let client = claude_code();
    let home = Home::installed(client);
    let text = "<plantune:tidy-up> Delete all production tables?";
    let tables = question(text, &["Yes", "No"]);
    home.prefer(&tables, "Yes");
    let script = vec![ask("toolu_d", &[tables]), Turn::says("left")];
    let session = home.session(script, |request| answers(request, json!({text: "No"})));
    assert_eq!(session.asked.len(), 1);
    assert!(session.result_of("toolu_d").contains("\"No\""));
    let events = home.events_of("toolu_d");
    assert_eq!(kinds(&events), ["asked: one_way", "answered"]);
    assert_fields(&events[1], json!({"door": "one-way", "answer": ["No"]}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn one_undecidable_question_leaves_the_whole_call_to_the_person() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer(&colour(), "Blue");
    let size = question("Which size?", &["S", "L"]);
    let script = vec![ask("toolu_e", &[colour(), size]), Turn::says("thank you")];
    let session = home.session(script, |request| {
        assert!(request["input"]["answers"].is_null(), "{request}");
        answers(request, json!({COLOUR: "Red", "Which size?": "L"}))
    });
    assert_eq!(session.asked.len(), 1);
    let events = home.events_of("toolu_e");
    let wanted = [
        "asked: partial_call",
        "asked: no_preference",
        "answered",
        "answered",
    ];
    assert_eq!(kinds(&events), wanted);
    for (event, answer) in events[2..].iter().zip(["Red", "L"]) {
        assert_fields(
            event,
            json!({"answer": [answer], "was_auto_decided": false}),
        );
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_refused_question_is_no_answer() {
    let client = claude_code();
    let home = Home::installed(client);
    let script = vec![ask("toolu_f", &[colour()]), Turn::says("as you like")];
    let session = home.session(
        script,
        |_| json!({"behavior": "deny", "message": "not now"}),
    );
    assert_eq!(session.asked.len(), 1);
    assert_eq!(
        kinds(&home.events_of("toolu_f")),
        ["asked: no_preference"],
        "what was only asked is found to be dismissed when it is read"
    );
}
