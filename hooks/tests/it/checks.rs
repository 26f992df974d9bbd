//! Checks with the hook alone, without any command: when a person changes their mind, the preference stops by itself;
//! and only what the hook asked as a check counts.

use plantune_domain::status_line;
use serde_json::{Value, json};

use crate::common::*;
use crate::deciding::{TRIAL_TEXT, answered_with, next_trial, on_trial};

/// Six questions a day.
const MONTH: u32 = 180;

/// A home with a preference for the question, on trial or not; `number` makes it draw other checks.
fn home(level: &str, number: u32) -> Home {
    let home = Home::new();
    // With the usual settings.
    home.configure("");
    let mut entry = on_trial(&format!("2026-11-{:02}T09:00:00.000Z", 1 + number));
    entry["level"] = json!(level);
    home.prefer(None, &json!({"k": entry}));
    home
}

/// One call; true if the hook answered it. A person who is asked says `answer`.
fn is_answered(home: &Home, id: &str, answer: &str) -> bool {
    home.an_hour_later();
    let said = home.call(&ask(id, home.path(), &[next_trial()]));
    if said.is_empty() {
        answered_with(home, id, &json!({"answers": {TRIAL_TEXT: answer}}));
    }
    !said.is_empty()
}

/// How many answers were wrong in a month in which the person answers otherwise than in the `before` calls earlier.
fn wrong_answers(level: &str, number: u32, before: u32) -> u32 {
    let home = home(level, number);
    let id = |call: u32| format!("toolu_{number}_{call}");
    let right = (0..before).filter(|call| is_answered(&home, &id(*call), "Next area"));
    let right = right.count() as u32;
    assert!(right * 2 >= before, "it answers: {right} of {before}");
    let calls = before..before + MONTH;
    let mut asked_in_a_row = 0;
    let mut wrong = 0;
    for call in calls {
        match is_answered(&home, &id(call), "More questions") {
            true => (wrong, asked_in_a_row) = (wrong + 1, 0),
            false => asked_in_a_row += 1,
        }
        if asked_in_a_row == 8 {
            assert_eq!(status_line::saved(&home.paths()).unwrap().stopped, 1);
            return wrong;
        }
    }
    panic!("not stopped after a month: {wrong} wrong answers");
}

#[test]
fn a_changed_mind_stops_it_without_any_command() {
    for (level, before, most) in [
        ("standing", 0, 12.0),
        ("standing", 25, 12.0),
        ("trial", 0, 5.0),
        ("trial", 12, 5.0),
    ] {
        let wrong: Vec<u32> = (0..8)
            .map(|number| wrong_answers(level, number, before))
            .collect();
        let mean = f64::from(wrong.iter().sum::<u32>()) / wrong.len() as f64;
        println!("{level} after {before} calls: {wrong:?}, on average {mean}");
        assert!(mean <= most, "{level} after {before} calls: {wrong:?}");
        assert!(mean > 0.0, "it answers at first");
    }
}

/// The level that the next answer names.
fn level(home: &Home) -> &'static str {
    for call in 0..40 {
        let call = ask(&format!("toolu_level_{call}"), home.path(), &[next_trial()]);
        let said = home.call(&call);
        for level in ["(trial, global)", "(automatic, global)"] {
            if said.contains(level) {
                return level;
            }
        }
    }
    panic!("it answers nothing");
}

/// Calls that are each answered like the preference would: the hook answers some, the others are checks. `between`
/// comes before each.
fn calls(home: &Home, between: impl Fn()) {
    for call in 0..70 {
        between();
        let id = format!("toolu_{call}");
        home.call(&ask(&id, home.path(), &[next_trial()]));
        answered_with(home, &id, &json!({"answers": {TRIAL_TEXT: "Next area"}}));
    }
}

#[test]
fn calls_in_a_row_make_no_trial_automatic() {
    let a_person = home("trial", 1);
    calls(&a_person, || a_person.an_hour_later());
    assert_eq!(level(&a_person), "(automatic, global)");
    let a_program = home("trial", 1);
    calls(&a_program, || ());
    assert_eq!(level(&a_program), "(trial, global)");
}

#[test]
fn only_a_call_that_was_asked_as_a_check_counts_and_only_once() {
    let answered = |id: &str| {
        let call = ask(id, "/w".as_ref(), &[next_trial()]);
        after(call, json!({"answers": {TRIAL_TEXT: "Next area"}}))
    };
    let with = |name: &str, value: Value| {
        let mut call = answered("toolu_asked");
        call[name] = value;
        call
    };
    let forged = [
        with("tool_use_id", Value::Null),
        with("tool_use_id", json!("toolu_never_asked")),
        with("tool_use_id", json!("toolu_answered")),
        with("session_id", json!("another")),
        with("agent_id", json!("a1")),
    ];
    for (number, call) in forged.iter().chain([&answered("toolu_asked")]).enumerate() {
        let home = home("trial", 2);
        // A check is asked, and another call is answered.
        let is_asked = |id: &str| home.call(&ask(id, home.path(), &[next_trial()])).is_empty();
        let ids = (0..9).map(|number| format!("toolu_{number}"));
        let (asked, rest): (Vec<String>, Vec<String>) = ids.partition(|id| is_asked(id));
        let named = |id: &str| match id {
            "toolu_asked" => json!(asked[0]),
            "toolu_answered" => json!(rest[0]),
            other => json!(other),
        };
        let mut call = call.clone();
        if let Some(id) = call["tool_use_id"].as_str() {
            call["tool_use_id"] = named(id);
        }
        for _ in 0..10 {
            home.an_hour_later();
            home.call(&call);
        }
        let paths = home.paths();
        let files = std::fs::read_dir(paths.checks()).unwrap();
        let sizes = files.filter_map(|file| {
            let path = file.unwrap().path();
            let is_checks = path.extension().is_some_and(|name| name == "checks");
            is_checks.then(|| std::fs::metadata(path).unwrap().len())
        });
        let records = sizes.sum::<u64>() / 16;
        assert_eq!(records, u64::from(number == forged.len()), "{call}");
    }
}
