//! Preferences on trial: how often the built hook asks, and what stops one or turns it on.

use crate::common::{Home, after, ask, given_for, json_of, question};
use serde_json::{Value, json};

const TRIAL_TEXT: &str = "<plantune:k> Next step?";
const TRIAL_LABELS: &[&str] = &["More questions", "Next area"];

fn next_trial() -> Value {
    question("k", "Next step?", TRIAL_LABELS)
}

fn on_trial(set_at: &str) -> Value {
    let entry = json!({
        "preference": "never-ask", "answer": "Next area", "level": "trial", "set_at": set_at,
    });
    given_for(&next_trial(), entry)
}

fn home_with_trial() -> Home {
    let home = Home::new();
    home.prefer(
        None,
        &json!({"k": on_trial("2026-11-20T09:00:00.000Z"), "other": on_trial("x")}),
    );
    home
}

/// The result of the call `id`, answered with `answer`.
fn answered_trial(home: &Home, id: &str, answer: &str) -> Value {
    answered_with(home, id, &json!({"answers": {TRIAL_TEXT: answer}}))
}

fn answered_with(home: &Home, id: &str, response: &Value) -> Value {
    let call = ask(id, home.path(), &[next_trial()]);
    json_of(&home.call(&after(call, response.clone())))
}

/// Asks until a call is one that the person is asked; its id, and how many were answered before.
fn until_asked(home: &Home, from: usize) -> (String, usize) {
    for number in from.. {
        let id = format!("toolu_{number}");
        if home.call(&ask(&id, home.path(), &[next_trial()])).is_empty() {
            return (id, number - from);
        }
        assert!(number < from + 60, "never asked");
    }
    unreachable!()
}

#[test]
fn checks_are_drawn_as_often_as_the_rule_says_and_carry_the_level() {
    let home = home_with_trial();
    let asked = (0..60).filter(|number| {
        let id = format!("toolu_{number}");
        let is_asked = home.call(&ask(&id, home.path(), &[next_trial()])).is_empty();
        if is_asked {
            // Dismissed: neither agreement nor disagreement.
            answered_with(&home, &id, &json!({"answers": {}}));
        }
        is_asked
    });
    let asked = asked.count();
    assert!((15..=30).contains(&asked), "{asked} of 60");
    for event in home.question_events() {
        match event["kind"].as_str().unwrap() {
            "asked" => assert_eq!(event["ask_reason"], "spot_check", "{event}"),
            "auto_decided" => assert_eq!(event["level"], "trial", "{event}"),
            kind => assert_eq!(kind, "dismissed"),
        }
    }
    let said = home.call(&ask("toolu_0", home.path(), &[next_trial()]));
    assert!(
        said.is_empty() || said.contains("(trial, global)"),
        "{said}"
    );
}

#[test]
fn a_standing_preference_says_so_and_is_not_asked_without_spot_checks() {
    let home = Home::new();
    let mut standing = on_trial("x");
    standing["level"] = json!("standing");
    home.prefer(None, &json!({"k": standing}));
    for number in 0..40 {
        let said = home.call(&ask(&format!("toolu_{number}"), home.path(), &[next_trial()]));
        assert!(said.contains("(automatic, global)."), "{said}");
    }
    assert!(
        home.question_events()
            .iter()
            .all(|event| event["level"] == "standing")
    );
}

#[test]
fn agreeing_checks_make_it_rarer_until_it_is_on() {
    let home = home_with_trial();
    let (mut from, mut waits, mut said) = (0, Vec::new(), Vec::new());
    for _ in 0..8 {
        let (id, wait) = until_asked(&home, from);
        from += wait + 1;
        waits.push(wait);
        said.push(answered_trial(&home, &id, "Next area"));
        // The hook is registered twice: the check counts once.
        assert_eq!(answered_trial(&home, &id, "Next area"), Value::Null);
    }
    assert!(
        waits[..3].iter().sum::<usize>() < waits[5..].iter().sum::<usize>(),
        "{waits:?}"
    );
    for (number, said) in (1..).zip(&said) {
        assert_eq!(
            said["systemMessage"].is_string(),
            number == 8,
            "{number}: {said}"
        );
    }
    let is_on = said[7]["systemMessage"].as_str().unwrap();
    assert!(is_on.contains("8 checks of 8 agreed"), "{is_on}");
    assert!(is_on.contains("plantune prefs clear k --global"), "{is_on}");

    // It is like any other that is on: checked as often, and one disagreement does not stop it.
    home.configure("spot_check = 0.5\n");
    let (id, wait) = until_asked(&home, from);
    assert_eq!(answered_trial(&home, &id, "More questions"), Value::Null);
    home.configure("spot_check = 0\n");
    for number in 0..20 {
        let id = format!("toolu_{}", from + wait + 1 + number);
        let said = home.call(&ask(&id, home.path(), &[next_trial()]));
        assert!(said.contains("(automatic, global)."), "{said}");
    }
    let last = home.question_events().pop().unwrap();
    assert_eq!(last["level"], "standing");
}

#[test]
fn one_disagreement_stops_it_at_once() {
    for response in [
        json!({"answers": {TRIAL_TEXT: "More questions"}}),
        json!({"answers": {TRIAL_TEXT: "something typed"}}),
        json!({"answers": {TRIAL_TEXT: "Next area"}, "annotations": {TRIAL_TEXT: {"notes": "but slowly"}}}),
    ] {
        let home = home_with_trial();
        let (id, wait) = until_asked(&home, 0);
        let said = answered_with(&home, &id, &response);
        let said = said["systemMessage"].as_str().unwrap();
        assert!(said.contains("is stopped"), "{said}");
        assert!(said.contains("plantune prefs clear k --global"), "{said}");
        for number in 0..20 {
            let id = format!("toolu_{}", wait + 1 + number);
            assert_eq!(
                home.call(&ask(&id, home.path(), &[next_trial()])),
                "",
                "{response}"
            );
        }
        let asked = home.question_events().pop().unwrap();
        assert_eq!(asked["ask_reason"], "spot_check");
        // Set again, it is on trial again.
        home.prefer(None, &json!({"k": on_trial("2026-11-21T09:00:00.000Z")}));
        let answers = (100..110).filter(|number| {
            let id = format!("toolu_{number}");
            !home.call(&ask(&id, home.path(), &[next_trial()])).is_empty()
        });
        assert!(answers.count() > 3);
    }
}

#[test]
fn other_preferences_of_the_call_are_not_affected() {
    let home = home_with_trial();
    let two = [next_trial(), question("other", "Next step?", TRIAL_LABELS)];
    let asked = (0..).find(|number| {
        let id = format!("toolu_{number}");
        home.call(&ask(&id, home.path(), &two)).is_empty()
    });
    let mut call = ask(&format!("toolu_{}", asked.unwrap()), home.path(), &two);
    call["hook_event_name"] = json!("PostToolUse");
    let other = "<plantune:other> Next step?";
    call["tool_response"] = json!({"answers": {TRIAL_TEXT: "Next area", other: "More questions"}});
    let said = home.call(&call);
    assert!(said.contains("prefs clear other --global"), "{said}");
    assert!(!said.contains("prefs clear k "), "{said}");
    let (_, wait) = until_asked(&home, 500);
    assert!(wait < 60);
}

#[test]
fn nobody_is_asked_where_nobody_can_answer() {
    let home = home_with_trial().with("PLANTUNE_HEADLESS", "1");
    for number in 0..30 {
        let said = home.call(&ask(&format!("toolu_{number}"), home.path(), &[next_trial()]));
        assert!(!said.is_empty());
    }
}
