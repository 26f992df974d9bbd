//! Where no single answer follows, the hook abstains and logs the reason.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::common::{Home, ask, json_of, never_ask, pinned, question, with_text};
use plantune_domain::project::project_key;
use serde_json::{Value, json};

/// What is printed for a call with these questions, and `ask_reason: reason` of each.
fn put(home: &Home, questions: &[Value]) -> (String, Vec<String>) {
    let before = home.question_events().len();
    let printed = home.call(&ask(&format!("toolu_{before}"), home.path(), questions));
    let why = |event: &Value| match event["reason"].as_str() {
        Some(reason) => format!("{}: {reason}", event["ask_reason"].as_str().unwrap()),
        None => event["ask_reason"].as_str().unwrap_or_default().to_owned(),
    };
    let events = home.question_events();
    (printed, events[before..].iter().map(why).collect())
}

/// Why the one question of a call is asked; it must be.
fn asked(home: &Home, question: Value) -> String {
    let (printed, mut why) = put(home, &[question]);
    assert_eq!((printed.as_str(), why.len()), ("", 1), "{why:?}");
    why.remove(0)
}

/// A home that answers `question`, which has a marker, as it recommends.
fn never(question: &Value) -> Home {
    let home = Home::new();
    home.never_ask(std::slice::from_ref(question));
    home
}

#[test]
fn localised_marks_are_recommendations() {
    let home = never(&question("k", "Which layout?", &["Grid", "List"]));
    for mark in [
        "(推奨)",
        "（推荐）",
        "(권장)",
        "(Empfohlen)",
        "(Recommandé)",
        "(Recomendado)",
        "(recomanat)",
        "(Recommended)",
        "(recommended)",
    ] {
        let label = format!("Grid {mark}");
        let (printed, _) = put(&home, &[question("k", "Which layout?", &["List", &label])]);
        let decision = json_of(&printed);
        let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        assert_eq!(answers["<plantune:k> Which layout?"], json!(label));
    }
}

#[test]
fn look_alike_marks_are_ignored() {
    for end in [
        "(ECIES)",
        "(current plan)",
        "(标准)",
        "(not recommended)",
        "(nicht empfohlen)",
        "（不推荐）",
        "(Recommended by nobody)",
        "(Rec\u{43e}mmended)",
        "(Recommended)\u{200b}",
        "Recommended",
    ] {
        let label = format!("Grid {end}");
        let offered = question("k", "Which layout?", &["List", &label]);
        let why = asked(&never(&offered), offered);
        assert_eq!(why, "ambiguous: none_recommended", "{label}");
    }
}

#[test]
fn two_recommendations_are_none() {
    let two = question("k", "Which?", &["A (Recommended)", "B (推奨)"]);
    assert_eq!(asked(&never(&two), two), "ambiguous: several_recommended");
    for (text, first) in [
        (
            "Which? Recommendation: A. On second thought, recommendation: B.",
            "A",
        ),
        ("I have no recommendation: A or B?", "A"),
        ("Recommendation: A is a bad idea", "A"),
        ("Recommendation: B", "A (Recommended)"),
    ] {
        let two = question("k", text, &[first, "B"]);
        assert_eq!(
            asked(&never(&two), two),
            "ambiguous: none_recommended",
            "{text}"
        );
    }
}

#[test]
fn pinned_label_must_be_offered_once() {
    let home = Home::new();
    let grid = |given: &Value| home.prefer(None, &json!({"k": pinned(given, "Grid")}));
    let offering = |labels: &[&str]| question("k", "Which layout?", labels);
    // A file in which the answer is none of the options.
    for labels in [["List (Recommended)", "Table"], ["Grid view", "List"]] {
        grid(&offering(&labels));
        let why = asked(&home, offering(&labels));
        assert_eq!(why, "ambiguous: pinned_not_offered");
    }
    grid(&offering(&["Grid", "List"]));
    let gone = offering(&["List (Recommended)", "Table"]);
    assert_eq!(asked(&home, gone), "ambiguous: options_differ");
    let twice = offering(&["Grid", "grid (Recommended)"]);
    assert_eq!(asked(&home, twice.clone()), "ambiguous: options_differ");
    // Labels that cannot be distinguished match nothing, not even themselves.
    grid(&twice);
    assert_eq!(asked(&home, twice), "ambiguous: options_differ");
}

#[test]
fn preferences_must_agree() {
    let home = Home::new();
    let project = project_key(home.path());
    let offered = || question("k", "Which?", &["A (Recommended)", "B"]);
    let [a, b] = ["A", "B"].map(|label| pinned(&offered(), label));
    home.prefer(None, &json!({"k": b}));
    home.prefer(Some(&project), &json!({"k": never_ask(&offered())}));
    assert_eq!(asked(&home, offered()), "ambiguous: preferences_disagree");
    // Twice in one file, too.
    home.prefer(Some(&project), &json!({}));
    let path = home.paths().global_preferences();
    let twice = format!(r#"{{"version":1,"preferences":{{"k":{a},"k":{b}}}}}"#);
    fs::write(&path, twice).unwrap();
    assert_eq!(asked(&home, offered()), "ambiguous: preferences_disagree");
    home.prefer(None, &json!({"k": a}));
    home.prefer(Some(&project), &json!({"k": {"preference": "always-ask"}}));
    assert_eq!(asked(&home, offered()), "always_ask");
}

#[test]
fn options_of_a_split_question_are_asked() {
    let home = Home::new();
    let part = question("part-split-2", "Which?", &["A", "B"]);
    home.prefer(None, &json!({"part-split-2": pinned(&part, "A")}));
    for key in ["part-split-2", "part-split-3"] {
        assert_eq!(asked(&home, question(key, "Which?", &["A", "B"])), "split");
    }
}

#[test]
fn one_asked_question_asks_the_whole_call() {
    let home = Home::new();
    let clear = question("a", "First?", &["A (Recommended)", "B"]);
    let unclear = question("b", "Second?", &["A", "B"]);
    home.never_ask(&[clear.clone(), unclear.clone()]);
    let unknown = question("c", "Third?", &["A (Recommended)", "B"]);
    let (printed, why) = put(&home, &[clear.clone(), unclear, unknown]);
    assert_eq!(printed, "");
    assert_eq!(
        why,
        [
            "partial_call: question 2 is asked: ambiguous",
            "ambiguous: none_recommended",
            "no_preference"
        ]
    );
    let (printed, why) = put(&home, &[clear.clone(), clear]);
    assert_eq!(
        (printed.as_str(), why),
        ("", vec!["ambiguous: same_text_twice".to_owned(); 2])
    );
}

#[test]
fn several_markers_are_asked() {
    let named = |text: &str| with_text(text, &["A (Recommended)", "B"]);
    let home = never(&named("<plantune:k> Which?"));
    let twice = named("<plantune:k> <gstack-qid:other> Which?");
    assert_eq!(asked(&home, twice), "ambiguous: several_markers");
    let (printed, _) = put(&home, &[named("<plantune:k> <gstack-qid:k>Which?")]);
    assert!(printed.contains("\"allow\""), "{printed}");
    // Behind the text it counts as well, and further on it is part of it.
    let behind = named("<plantune:k> Which? <gstack-qid:other>");
    assert_eq!(asked(&home, behind), "ambiguous: several_markers");
    let later = named("<plantune:k> Which <gstack-qid:k> one?");
    assert_eq!(asked(&home, later), "ambiguous: text_differs: <");
}

#[test]
fn one_way_answer_is_logged_with_its_reason() {
    let home = Home::new();
    let tables = question(
        "k",
        "What about the old tables?",
        &["Keep them", "Drop the database"],
    );
    let plain = question(
        "l",
        "Delete the old database?",
        &["Yes (Recommended)", "No"],
    );
    home.prefer(
        None,
        &json!({"k": pinned(&tables, "Drop the database"), "l": never_ask(&plain)}),
    );
    let why = asked(&home, tables);
    assert!(
        why.starts_with("one_way: ") && why.contains("drop"),
        "{why}"
    );
    // The event's own door has the reason here.
    assert_eq!(asked(&home, plain), "one_way");
    let event = home.question_events().pop().unwrap();
    assert!(
        event["door_reason"].as_str().unwrap().contains("delete"),
        "{event}"
    );
}

#[test]
fn unreadable_files_are_logged_with_a_reason() {
    let offered = || question("k", "Which?", &["A (Recommended)", "B"]);
    let home = never(&offered());
    let registry = home.paths().registry_file();
    fs::write(&registry, "[[question]\n").unwrap();
    assert_eq!(asked(&home, offered()), "ambiguous: registry_unreadable");
    fs::remove_file(registry).unwrap();
    let config = home.paths().config_file();
    fs::write(&config, "enabled = 3\n").unwrap();
    assert_eq!(
        asked(&home, offered()),
        "disabled: configuration_unreadable"
    );
    fs::write(&config, "enabled = false\n").unwrap();
    assert_eq!(asked(&home, offered()), "disabled: configuration");
    fs::remove_file(config).unwrap();
    let preferences = home.paths().global_preferences();
    fs::set_permissions(&preferences, fs::Permissions::from_mode(0o620)).unwrap();
    assert_eq!(asked(&home, offered()), "ambiguous: preferences_unreadable");
    fs::set_permissions(&preferences, fs::Permissions::from_mode(0o600)).unwrap();
    let home = home.with("PLANTUNE_DISABLE", "1");
    assert_eq!(asked(&home, offered()), "disabled: environment");
    let home = never(&offered());
    let mut answered = ask("toolu_9", home.path(), &[offered()]);
    answered["tool_input"]["answers"] = json!({});
    assert_eq!(home.call(&answered), "");
    assert_eq!(home.question_events()[0]["reason"], "answers_in_input");
}
