//! Extended questions, which hosts of Claude Code 2.1.330 switch on: a form with a title, questions with a helper
//! line, and questions that are answered by a text or a number.

use crate::common::bound::Bound;
use crate::common::{Home, ask, json_of, never_ask, pinned, question, scenario_of};
use serde_json::{Value, json};

fn tone() -> Value {
    let mut tone = question("tone", "Which tone?", &["Formal (Recommended)", "Casual"]);
    tone["kind"] = json!("choice");
    tone
}

fn free(kind: &str) -> Value {
    json!({"question": "<plantune:name> What is it called?", "header": "Title", "kind": kind, "options": [],
        "multiSelect": false, "placeholder": "a name"})
}

#[test]
fn a_form_of_choices_is_answered_as_it_was_sent() {
    let home = Home::new();
    home.prefer(None, &json!({"tone": never_ask(&tone())}));
    let printed = json_of(&home.call(&ask("toolu_1", home.path(), &[tone()])));
    let output = &printed["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    let input = &output["updatedInput"];
    assert_eq!(input["questions"], json!([tone()]));
    assert_eq!(
        input["answers"],
        json!({"<plantune:tone> Which tone?": "Formal (Recommended)"})
    );
}

#[test]
fn what_stands_beside_the_text_is_read_too() {
    let home = Home::new();
    // The answer refers to what is asked, so all that is asked counts.
    let notes = question("notes", "Add speaker notes?", &["Yes (Recommended)", "No"]);
    home.prefer(None, &json!({"notes": never_ask(&notes)}));
    let why = |title: &str, description: &str| {
        let before = home.events().len();
        let mut notes = notes.clone();
        notes["description"] = json!(description);
        let mut call = ask(&format!("toolu_{before}"), home.path(), &[notes]);
        call["tool_input"]["title"] = json!(title);
        let printed = home.call(&call);
        let event = home.events().remove(before);
        assert_eq!(printed.is_empty(), event["kind"] == "asked", "{printed}");
        let shown = [title, description, "Add speaker notes?"];
        let shown: Vec<&str> = shown
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect();
        assert_eq!(event["question"], shown.join("\n\n"));
        let of = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        [of("ask_reason"), of("reason")].join(" ").trim().to_owned()
    };
    assert_eq!(why(" ", ""), "");
    assert_eq!(
        why("Before I build your deck", ""),
        "ambiguous text_differs: before"
    );
    assert_eq!(
        why("", "There is a page for them"),
        "ambiguous text_differs"
    );
    assert!(why("Before I delete the old database", "").starts_with("one_way"));
}

#[test]
fn a_text_or_a_number_is_never_answered() {
    for kind in ["text", "number"] {
        let home = Home::new();
        home.prefer(
            None,
            &json!({"name": never_ask(&free(kind)), "tone": never_ask(&tone())}),
        );
        for questions in [vec![free(kind)], vec![tone(), free(kind)]] {
            let printed = home.call(&ask(
                &format!("{}", questions.len()),
                home.path(),
                &questions,
            ));
            assert_eq!(printed, "", "{kind}");
        }
        home.prefer(None, &json!({"name": pinned(&free(kind), "Shop news")}));
        assert_eq!(home.call(&ask("pinned", home.path(), &[free(kind)])), "");
    }
}

#[test]
fn captured_forms_are_only_logged() {
    for name in ["form-answered", "form-follow-up", "form-skipped"] {
        let home = Home::new();
        for call in scenario_of("2.1.330", name) {
            assert_eq!(home.call(&call), "", "{name}");
        }
        let asked = home.events_of("asked");
        let options = |event: &Value| event["options"].as_array().unwrap().len();
        assert_eq!(asked.iter().map(options).collect::<Vec<_>>(), [2, 0, 0]);
        assert!(home.events_of("hook_error").is_empty(), "{name}");
    }
}

#[test]
fn a_preference_for_a_titled_question_holds_under_that_title() {
    let mut titled = question(
        "tone",
        "Before I build your deck\n\nWhich tone?",
        &["Formal (Recommended)", "Casual"],
    );
    let bound = Bound::of("tone", &never_ask(&titled));
    bound.answers(std::slice::from_ref(&titled));
    titled["question"] = json!("<plantune:tone> Which tone?");
    titled["description"] = json!("Before I build your deck");
    bound.answers(std::slice::from_ref(&titled));
    titled["description"] = json!("Before I send your deck");
    bound.asks(&titled, "text_differs");
}
