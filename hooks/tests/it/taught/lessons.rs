//! What is taught: a label, a note, `always ask`.

use plantune_domain::project::project_key;
use serde_json::{Value, json};

use super::dialog::{LABELS, TEXT, home, messages, next, preferences, result, teach, typed};
use crate::common::bound::{described, previewed};
use crate::common::{Home, ask, scenario_of, with_text};

#[test]
fn a_typed_label_is_the_answer_and_stands_on_trial() {
    let home = home();
    home.call(&ask("toolu_1", home.path(), &[next()]));
    let (user, model) = teach(&home, "always: Next area");
    let project = project_key(home.path());
    assert!(
        user.contains(
            "\"Next step?\" is answered \"Next area\" from now on; one in three is still asked"
        ),
        "{user}"
    );
    assert!(
        user.contains(&format!("plantune undo k --project {project}")),
        "{user}"
    );
    assert!(model.contains("means the option \"Next area\""), "{model}");
    assert!(model.contains("no permission for anything else"), "{model}");

    let entry = &preferences(&home)["k"];
    for (name, value) in [
        ("preference", json!("never-ask")),
        ("answer", json!("Next area")),
        ("level", json!("trial")),
        ("question", json!("Next step?")),
        ("options", json!(LABELS)),
        ("tool", json!("AskUserQuestion")),
        ("set_by", json!("dialog")),
    ] {
        assert_eq!(entry[name], value, "{name}");
    }
    assert_eq!(entry["binding"].as_array().unwrap().len(), 1);
    let events = home.events();
    let (answered, changed) = (&events[1], &events[2]);
    assert_eq!(answered["kind"], "answered");
    assert_eq!(answered["answer"], json!(["Next area"]));
    assert_eq!(answered["free_text"], "always: Next area");
    assert_eq!(answered["followed_recommendation"], false);
    assert_eq!(changed["kind"], "preference_changed");
    assert_eq!(
        (&changed["source"], &changed["reason"]),
        (&json!("dialog"), &json!("dialog"))
    );
    assert_eq!(changed["question_key"], "k");
    assert_eq!(changed["answer"], json!(["Next area"]));
    assert_eq!(changed["level"], "trial");
    assert!(
        changed["detail"]
            .as_str()
            .unwrap()
            .contains("always: Next area")
    );

    // From then on it answers, but for its checks, and what was not seen is asked.
    let answers = (2..32).filter(|number| {
        let said = home.call(&ask(&format!("toolu_{number}"), home.path(), &[next()]));
        said.contains("\"permissionDecision\":\"allow\"") && said.contains("(trial, ")
    });
    assert!((10..28).contains(&answers.count()));
    let other = described(&next(), &["stay", "push to production"]);
    assert_eq!(home.call(&ask("toolu_99", home.path(), &[other])), "");
}

#[test]
fn a_hook_registered_twice_teaches_once() {
    let home = home();
    let (first, model) = teach(&home, "always: Next area");
    assert!(!first.is_empty());
    let again = teach(&home, "always: Next area");
    assert_eq!(again, (String::new(), model));
    let changes = home.events();
    let changes = changes
        .iter()
        .filter(|event| event["kind"] == "preference_changed");
    assert_eq!(changes.count(), 1);
}

#[test]
fn a_note_beside_a_label_teaches() {
    let home = home();
    let shown = previewed(&next(), &["+--+", "a\nb"]);
    let response = json!({
        "answers": {TEXT: "Next area"}, "annotations": {TEXT: {"notes": "always", "preview": "a\nb"}},
    });
    let (user, _) = messages(&home, &result(&home, "toolu_1", &shown, &response));
    assert!(user.contains("one in three"), "{user}");
    let events = home.events();
    assert_eq!(events[0]["answer"], json!(["Next area"]));
    assert_eq!(events[0]["notes"], "always");
    let entry = &preferences(&home)["k"];
    assert_eq!(entry["level"], "trial");
    assert_ne!(entry["binding"][0]["previews"], json!([]));
}

#[test]
fn always_ask_is_written_and_chooses_nothing() {
    let home = home();
    let (user, model) = teach(&home, "Always ask");
    assert!(user.contains("is always asked from now on"), "{user}");
    assert!(model.contains("not answered yet"), "{model}");
    assert_eq!(preferences(&home)["k"]["preference"], "always-ask");
    assert_eq!(home.events()[0]["answer"], json!([]));
    home.call(&ask("toolu_2", home.path(), &[next()]));
    assert_eq!(
        home.question_events().pop().unwrap()["ask_reason"],
        "always_ask"
    );
    // And the reverse, as the last word counts.
    let (user, _) = messages(
        &home,
        &result(&home, "toolu_3", &next(), &typed("always: Next area")),
    );
    assert!(user.contains("one in three"), "{user}");
    let (user, model) = messages(
        &home,
        &result(&home, "toolu_4", &next(), &typed("always ask: Next area")),
    );
    assert!(user.contains("is always asked"), "{user}");
    assert!(model.contains("\"Next area\""), "{model}");
    assert_eq!(preferences(&home)["k"]["preference"], "always-ask");
}

#[test]
fn captured_dialogs_teach() {
    for (name, teaches) in [
        ("q3-other-always", true),
        ("q6-always-additional-context", true),
        ("q3-preview-with-note", true),
        ("q5-sdk-note-always", true),
        ("q5-sdk-response-freeform", true),
        ("q5-sdk-nodecision-changed", false),
    ] {
        let home = home();
        let calls = scenario_of("2.1.330", name);
        let printed: Vec<String> = calls.iter().map(|call| home.call(call)).collect();
        let said = printed.concat();
        assert_eq!(said.contains("one in three"), teaches, "{name}: {said}");
        let answered = home.question_events();
        let answered = answered
            .iter()
            .find(|event| event["kind"] == "answered")
            .unwrap();
        assert_eq!(answered["answer"].as_array().unwrap().len(), 1, "{name}");
        let changed = home
            .events()
            .into_iter()
            .filter(|event| event["source"] == "dialog");
        assert_eq!(changed.count(), usize::from(teaches), "{name}");
    }
}

#[test]
fn labels_are_taken_to_the_letter() {
    let home = home();
    for text in [
        "always: next area",
        "always: Next",
        "always: Next area, and more",
    ] {
        let (user, model) = teach(&home, text);
        assert!(user.contains("nothing was set"), "{user}");
        assert_eq!(model, "");
    }
    for text in ["always", "Next area always", "please: Next area"] {
        assert_eq!(teach(&home, text), Default::default(), "{text}");
    }
    let mut several = next();
    several["multiSelect"] = json!(true);
    let call = result(&home, "toolu_1", &several, &typed("always: Next area"));
    assert!(messages(&home, &call).0.contains("nothing was set"));
    assert_eq!(preferences(&home), Value::Null);
    assert!(
        home.events()
            .iter()
            .all(|event| event["answer"] == json!([]))
    );
}

#[test]
fn words_of_the_configuration_replace_the_built_in_ones() {
    let home = Home::new();
    home.configure("[teach]\nalways = [\"altijd\"]\n");
    assert_eq!(teach(&home, "always: Next area"), Default::default());
    assert!(teach(&home, "altijd: Next area").0.contains("one in three"));
}

#[test]
fn unmarked_questions_are_taught_by_their_fingerprint() {
    let home = home();
    let plain = with_text("Next \u{1b}[31mstep?", LABELS);
    let text = plain["question"].as_str().unwrap();
    let response = json!({"answers": {text: "always: Next area"}});
    let (user, _) = messages(&home, &result(&home, "toolu_1", &plain, &response));
    assert!(
        user.contains("plantune undo 'Next step?'") && !user.contains('\u{1b}'),
        "{user}"
    );
    let answers = (2..32).filter(|number| {
        let call = ask(
            &format!("toolu_{number}"),
            home.path(),
            std::slice::from_ref(&plain),
        );
        !home.call(&call).is_empty()
    });
    assert!(answers.count() > 5);
}
