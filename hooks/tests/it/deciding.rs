//! When the built hook answers, and when it asks and why.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use plantune_domain::keys::key_of;
use plantune_domain::project::project_key;
use serde_json::{Value, json};

use crate::common::{
    Home, OPTIONS, after, ask, ask as call, create_one, decide, given_for, given_for_each, json_of,
    never_ask, pinned, question, scenario, scenario_of, with_text,
};

#[test]
fn every_ask_reason_is_logged() {
    let home = Home::new();
    let create = create_one();
    let two = with_text("Create one?", &["A (Recommended)", "B (recommended)"]);
    let tables = with_text(
        "What about the old tables?",
        &["Drop the database", "Keep them"],
    );
    home.prefer(
        None,
        &json!({
            "never": never_ask(&create),
            "two": never_ask(&two),
            "always": {"preference": "always-ask"},
            "pinned": pinned(&create, "skip (recommended)"),
            "gone": pinned(&create, "Archive"),
            "only": given_for(&create, json!({"preference": "ask-only-for-one-way"})),
            "part-split-2": never_ask(&create),
            "drop": pinned(&tables, "Drop the database"),
        }),
    );
    let one =
        |key: &str, text: &str, options: &[&str]| decide(&home, &[question(key, text, options)]);
    let asked = |key: &str, text: &str, options: &[&str]| {
        let (decision, reasons) = one(key, text, options);
        assert_eq!(decision, Value::Null, "{key}: {text}");
        reasons.join(",")
    };
    assert_eq!(asked("unknown", "Create one?", OPTIONS), "no_preference");
    // Without a preference, too, it says what none could answer.
    for (text, options, reason) in [
        (
            "Delete the old tables?",
            &["Yes (Recommended)", "No"],
            "one_way",
        ),
        ("Delete the old tables?", &["Yes", "No"], "one_way"),
        (
            "How shall it go on?",
            &["Push to main (Recommended)", "Wait"],
            "one_way",
        ),
        (
            "More questions about deleting accounts, or move to the next area?",
            &["More questions", "Next area"],
            "no_preference",
        ),
        (
            "Delete the old tables?",
            &["Show them (Recommended)", "Delete them"],
            "no_preference",
        ),
    ] {
        assert_eq!(
            asked("unknown", text, options),
            reason,
            "{text} {options:?}"
        );
    }
    assert_eq!(asked("always", "Create one?", OPTIONS), "always_ask");
    assert_eq!(
        asked(
            "never",
            "Delete the old tables?",
            &["Yes (Recommended)", "No"]
        ),
        "one_way"
    );
    assert_eq!(
        asked(
            "only",
            "Force push the branch?",
            &["Yes (Recommended)", "No"]
        ),
        "one_way"
    );
    assert_eq!(
        asked(
            "drop",
            "What about the old tables?",
            &["Drop the database", "Keep them"]
        ),
        "one_way"
    );
    assert_eq!(
        asked("never", "Create one?", &["Create it", "Skip"]),
        "ambiguous"
    );
    assert_eq!(
        asked(
            "two",
            "Create one?",
            &["A (Recommended)", "B (recommended)"]
        ),
        "ambiguous"
    );
    assert_eq!(asked("gone", "Create one?", OPTIONS), "ambiguous");
    assert_eq!(asked("part-split-2", "Create one?", OPTIONS), "split");
    let label = |decision: &Value| {
        decision["hookSpecificOutput"]["updatedInput"]["answers"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .clone()
    };
    assert_eq!(
        label(&one("never", "Create one?", OPTIONS).0),
        "Create it (Recommended)"
    );
    assert_eq!(
        label(&one("only", "Create one?", OPTIONS).0),
        "Create it (Recommended)"
    );
    assert_eq!(label(&one("pinned", "Create one?", OPTIONS).0), "Skip");
}

#[test]
fn call_is_decided_completely_or_not_at_all() {
    let home = Home::new();
    let (a, b, c) = (
        question("a", "A?", OPTIONS),
        question("b", "B?", OPTIONS),
        question("c", "C?", OPTIONS),
    );
    home.never_ask(&[a.clone(), b.clone()]);
    let (decision, reasons) = decide(&home, &[a.clone(), c]);
    assert_eq!(
        (decision, reasons),
        (
            Value::Null,
            vec!["partial_call".into(), "no_preference".into()]
        )
    );
    let (decision, _) = decide(&home, &[a.clone(), b]);
    assert_eq!(
        decision["hookSpecificOutput"]["updatedInput"]["answers"]
            .as_object()
            .unwrap()
            .len(),
        2
    );
    // Answers are keyed by text: the same text twice cannot be answered.
    let (decision, reasons) = decide(&home, &[a.clone(), a]);
    assert_eq!((decision, reasons.len()), (Value::Null, 2));
}

#[test]
fn preferences_that_disagree_are_not_obeyed() {
    let home = Home::new();
    let project = project_key(home.path());
    let asked = [create_one()];
    let skip = json!({"k": pinned(&asked[0], "Skip")});
    home.prefer(None, &skip);
    home.prefer(Some(&project), &json!({"k": never_ask(&asked[0])}));
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["ambiguous".into()])
    );
    home.prefer(Some(&project), &skip);
    assert_ne!(decide(&home, &asked).0, Value::Null);
    home.prefer(Some(&project), &json!({"k": {"preference": "always-ask"}}));
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["always_ask".into()])
    );
}

#[test]
fn spot_check_logs_the_planned_answer() {
    let home = Home::new();
    home.configure("spot_check = 1\n");
    let questions = [question("a", "A?", OPTIONS), question("b", "B?", OPTIONS)];
    let only = json!({"preference": "ask-only-for-one-way", "answer": "skip"});
    let (global, mine) = (
        json!({"a": never_ask(&questions[0])}),
        json!({"b": given_for(&questions[1], only)}),
    );
    home.prefer(None, &global);
    home.prefer(Some(&project_key(home.path())), &mine);
    let (decision, reasons) = decide(&home, &questions);
    assert_eq!(
        (decision, reasons),
        (Value::Null, vec!["spot_check".to_owned(); 2])
    );
    let events: Vec<Value> = home
        .events()
        .iter()
        .map(|event| {
            json!([
                event["answer"],
                event["preference"],
                event["preference_scope"]
            ])
        })
        .collect();
    assert_eq!(
        events,
        [
            json!([["Create it (Recommended)"], "never-ask", "global"]),
            json!([["Skip"], "ask-only-for-one-way", "project"]),
        ]
    );
    // What could not have been answered is no spot check.
    assert_eq!(
        decide(&home, &[question("c", "C?", OPTIONS)]).1,
        ["no_preference"]
    );
}

/// After a denial a question may ask for the consent that was missing, whatever it says.
#[test]
fn after_a_denial_every_question_is_asked_until_the_next_prompt() {
    let home = Home::new();
    let question = question("a", "Shall I go on?", &["Go on (Recommended)", "Stop here"]);
    home.never_ask(std::slice::from_ref(&question));
    let asked = |id| home.call(&call(id, home.path(), std::slice::from_ref(&question)));
    assert_ne!(asked("toolu_1"), "");
    let calls = scenario_of("2.1.330", "permissions");
    let is_denial = |call: &&Value| call["hook_event_name"] == "PermissionDenied";
    let mut denied = calls.iter().find(is_denial).unwrap().clone();
    denied["session_id"] = json!("another");
    home.call(&denied);
    assert_ne!(asked("toolu_2"), "", "another session was denied");
    denied["session_id"] = json!("s");
    home.call(&denied);
    for id in ["toolu_3", "toolu_4"] {
        assert_eq!(asked(id), "");
        let events = home.events();
        assert_eq!(events.last().unwrap()["ask_reason"], "after_denial");
    }
    home.call(&json!({
        "hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": home.path(),
        "prompt": "go on",
    }));
    assert_ne!(asked("toolu_5"), "");
}

#[test]
fn hook_registered_twice_decides_once() {
    let home = Home::new();
    home.configure("spot_check = 0.3\n");
    let question = question("a", "A?", OPTIONS);
    home.prefer(None, &json!({"a": never_ask(&question)}));
    let mut asked = 0;
    for number in 0..30 {
        let call = call(
            &format!("toolu_{number}"),
            home.path(),
            std::slice::from_ref(&question),
        );
        let both = [home.call(&call), home.call(&call)];
        assert_eq!(both[0], both[1]);
        asked += u32::from(both[0].is_empty());
    }
    assert!((5..=15).contains(&asked), "{asked} of 30");
}

#[test]
fn unmarked_questions_are_known_by_their_options_or_else_by_what_they_ask() {
    let owned =
        |texts: &[&str]| -> Vec<String> { texts.iter().map(|&text| text.to_owned()).collect() };
    let key = |text: &str, options: &[&str]| key_of(text, &owned(options)).0;
    let entry = |options: &[&str], answer: &str, texts: &[&str]| {
        let seen: Vec<Value> = texts.iter().map(|text| with_text(text, options)).collect();
        given_for_each(&seen, json!({"preference": "never-ask", "answer": answer}))
    };
    let (areas, yes_no) = (["More questions", "Next area"], ["Yes", "No"]);
    let drafts = ["Format draft", "Leave draft alone"];
    let moods = ["Bright mood (Recommended)", "Dark mood"];
    let (linter, tabs) = ("search: run the linter now?", "Use tabs here, in `x`?");
    let mut always = entry(&moods, "Bright mood", &["Pick the mood?"]);
    always["preference"] = json!("always-ask");
    let home = Home::new();
    home.prefer(
        None,
        &json!({
            key("", &areas): entry(&areas, "Next area", &["Enough of login?"]),
            key("", &drafts): entry(&drafts, "Format draft", &["menu: shall I format the draft?"]),
            key("", &moods): always,
            key(linter, &yes_no): entry(&yes_no, "Yes", &[linter]),
            key(tabs, &yes_no): entry(&yes_no, "No", &[tabs]),
        }),
    );
    let one = |text: &str, options: &[&str]| {
        let (decision, reasons) = decide(&home, &[with_text(text, options)]);
        let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        match answers[text].as_str() {
            Some(label) => label.to_owned(),
            None => reasons.join(","),
        }
    };
    assert_eq!(one("Enough of login?", &areas), "Next area");
    let moved = ["next area (Recommended)", "More questions"];
    assert_eq!(one("Enough of search?", &moved), moved[0]);
    // What says nothing of the question takes any without a sign.
    assert_eq!(one("What about `x`?", &areas), "Next area");
    assert_eq!(one("What about the customers?", &areas), "ambiguous");
    let more = ["More questions", "Next area", "Stop"];
    assert_eq!(one("Enough of login?", &more), "no_preference");
    // General options belong to what is asked.
    assert_eq!(one(linter, &yes_no), "Yes");
    assert_eq!(one(tabs, &["No", "Yes"]), "No");
    assert_eq!(one("Use spaces here, in `x`?", &yes_no), "no_preference");
    assert_eq!(one("Keep the schema as it is?", &yes_no), "no_preference");
    assert_eq!(one("Overwrite the schema?", &yes_no), "one_way");
    // "Format draft" deletes nothing, and is given for other texts, but not where the question says that it does more.
    assert_eq!(one("charts: format the draft?", &drafts), drafts[0]);
    let deletes = "Delete the old tables: format the draft?";
    assert_eq!(one(deletes, &drafts), "one_way");
    assert_eq!(one("Which mood is it?", &moods), "always_ask");
    // A marked question has the key of its marker, whatever its options are.
    let (decision, _) = decide(&home, &[question("other", "Enough of login?", &areas)]);
    assert_eq!(decision, Value::Null);
    let events = home.events();
    let decided = events.iter().find(|event| event["kind"] == "auto_decided");
    let found = decided.map(|event| (&event["question_key"], &event["key_source"]));
    assert_eq!(found, Some((&json!(key("", &areas)), &json!("options"))));
}

// Where no single answer follows, the hook abstains and logs the reason.

/// The output for a call with these questions, and `ask_reason: reason` of each.
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
        assert_eq!(why, "ambiguous: options_differ", "{label}");
    }
}

#[test]
fn two_recommendations_are_none() {
    let two = question("k", "Which?", &["A (Recommended)", "B (推奨)"]);
    assert_eq!(asked(&never(&two), two), "ambiguous: options_differ");
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
            "ambiguous: options_differ",
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
        assert_eq!(why, "ambiguous: not_bound");
    }
    grid(&offering(&["Grid", "List"]));
    let gone = offering(&["List (Recommended)", "Table"]);
    assert_eq!(asked(&home, gone), "ambiguous: options_differ: Table");
    let twice = offering(&["Grid", "grid (Recommended)"]);
    assert_eq!(asked(&home, twice.clone()), "ambiguous: look_alike_options");
    // Labels that cannot be distinguished match nothing, not even themselves.
    grid(&twice);
    assert_eq!(asked(&home, twice), "ambiguous: look_alike_options");
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
            "ambiguous: options_differ",
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
    assert_eq!(asked(&home, later), "ambiguous: text_differs");
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
    for text in ["enabled = 3\n", "a_key_of_another_version = 3\n"] {
        fs::write(&config, text).unwrap();
        assert_eq!(
            asked(&home, offered()),
            "disabled: configuration_unreadable"
        );
    }
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

// Questions that a server asks: its names, its input, and the shapes in which it answers.

/// PreToolUse in Conductor's form: question and options at top level.
fn conductor(tool: &str, question: &str, options: &[&str]) -> Value {
    json!({
        "session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_use_id": "toolu_1", "tool_input": {"question": question, "options": options}
    })
}

const TEXT: &str = "<plantune:todos> No TODOS.md found. Create one?";

#[test]
fn any_mcp_server_is_recognised() {
    for (tool, is_ours) in [
        ("mcp__conductor__AskUserQuestion", true),
        ("mcp__plugin_forms_2-x__AskUserQuestion", true),
        ("mcp__a__b__AskUserQuestion", true),
        ("AskUserQuestion", true),
        ("mcp____AskUserQuestion", false),
        ("mcp__conductor__askUserQuestion", false),
        ("mcp__conductor__AskUserQuestions", false),
        ("xmcp__conductor__AskUserQuestion", false),
    ] {
        let home = Home::new();
        home.call(&conductor(tool, TEXT, &["Create it", "Skip"]));
        assert_eq!(home.question_events().len(), usize::from(is_ours), "{tool}");
    }
}

#[test]
fn conductor_questions_are_decided() {
    let home = Home::new();
    let tool = "mcp__conductor__AskUserQuestion";
    let call = conductor(tool, TEXT, &["Create it (Recommended)", "Skip"]);
    assert_eq!(home.call(&call), "");
    let asked = home.question_events().remove(0);
    assert_eq!(asked["question"], "No TODOS.md found. Create one?");
    assert_eq!(asked["options"], json!(["Create it (Recommended)", "Skip"]));
    assert_eq!(
        (&asked["recommended"], &asked["header"]),
        (&json!("Create it"), &Value::Null)
    );

    let skip = pinned(&call["tool_input"], "Skip");
    home.prefer(None, &json!({"todos": skip}));
    let mut call = call;
    call["tool_use_id"] = json!("toolu_2");
    let decision = json_of(&home.call(&call));
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("[plan-tune auto-decide] todos → Skip\n"),
        "{reason}"
    );
    assert!(
        decision["systemMessage"]
            .as_str()
            .unwrap()
            .contains("plantune undo toolu_2")
    );
    let decided = home.question_events().pop().unwrap();
    assert_eq!(
        (&decided["kind"], &decided["mechanism"]),
        (&json!("auto_decided"), &json!("deny"))
    );
}

/// The answers in every shape that servers give.
#[test]
fn answers_come_by_position_in_blocks_and_in_json() {
    let blocks = |text: &str| json!([{"type": "text", "text": text}]);
    let one = [
        blocks("User responses:\n1. Skip"),
        json!("User responses:\n1. Skip"),
        blocks("Skip"),
        blocks("skip (Recommended)"),
        json!({"content": [{"type": "text", "text": "User responses:\n1. Skip"}]}),
        blocks("{\"answers\": {\"No TODOS.md found.  Create one?\": \"Skip\"}}"),
        blocks("{\"answers\": [\"Skip\"]}"),
        blocks("[\"Skip\"]"),
        blocks("{\"answers\": [{\"option_label\": \"Skip\"}]}"),
        blocks("{\"questions\": [{\"user_answer\": \"Skip\"}]}"),
        blocks(" {\"choice\": \"Skip\"}\n"),
        json!("[{\"type\":\"text\",\"text\":\"User responses:\\n1. Skip\"}]"),
        json!("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"answers\\\":[\\\"Skip\\\"]}\"}]}"),
        json!([{"type": "text", "text": "Here is what they said:"},
            {"type": "text", "text": "{\"answers\": [\"Skip\"]}"}]),
        json!({"content": [], "structuredContent": {"answers": ["Skip"]}}),
    ];
    for response in one {
        let home = Home::new();
        let call = conductor(
            "mcp__conductor__AskUserQuestion",
            TEXT,
            &["Create it", "Skip"],
        );
        assert_eq!(home.call(&after(call, response.clone())), "", "{response}");
        let event = home.question_events().pop().unwrap();
        assert_eq!(event["kind"], "answered", "{response}");
        assert_eq!(event["answer"], json!(["Skip"]), "{response}");
        assert_eq!(event["free_text"], Value::Null, "{response}");
    }
}

#[test]
fn several_questions_are_matched_by_position() {
    let call = json!({
        "session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse",
        "tool_name": "mcp__conductor__AskUserQuestion", "tool_use_id": "toolu_1",
        "tool_input": {"questions": [
            {"question": "First?", "options": ["A", "B"]},
            {"question": "Second?", "options": ["C, or D", "E"], "multiSelect": true}]}
    });
    let blocks = |texts: &[&str]| -> Value {
        texts
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect()
    };
    for (response, second) in [
        (
            blocks(&["User responses:\n1. B\n2. C, or D, E"]),
            json!(["C, or D", "E"]),
        ),
        (blocks(&["User responses:", "1. B", "2. E"]), json!(["E"])),
        (blocks(&["B", "E"]), json!(["E"])),
        (
            blocks(&["[\"B\", [\"C, or D\", \"E\"]]"]),
            json!(["C, or D", "E"]),
        ),
        (
            blocks(&["{\"answers\": {\"Second?\": \"E\", \"First?\": \"B\"}}"]),
            json!(["E"]),
        ),
    ] {
        let home = Home::new();
        home.call(&after(call.clone(), response.clone()));
        let events = home.question_events();
        assert_eq!(events.len(), 2, "{response}");
        assert_eq!(events[0]["answer"], json!(["B"]), "{response}");
        assert_eq!(events[1]["answer"], second, "{response}");
    }
    // Positions that do not fit name nothing.
    let home = Home::new();
    home.call(&after(call, blocks(&["B", "E", "and more"])));
    assert!(
        home.question_events()
            .iter()
            .all(|event| event["kind"] == "dismissed")
    );
}

#[test]
fn captured_server_call_is_answered() {
    let home = Home::new();
    let calls = scenario("mcp-answered");
    let pre = calls
        .iter()
        .find(|call| call["hook_event_name"] == "PreToolUse")
        .unwrap();
    let never = never_ask(&pre["tool_input"]["questions"][0]);
    home.prefer(None, &json!({"ship-todos-create": never}));
    let decision = json_of(&home.call(pre));
    assert_eq!(decision["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(decision["hookSpecificOutput"].get("updatedInput"), None);
}

// Preferences on trial: how often the built hook asks, and what stops one or turns it on.

pub(crate) const TRIAL_TEXT: &str = "<plantune:k> Next step?";
const TRIAL_LABELS: &[&str] = &["More questions", "Next area"];

pub(crate) fn next_trial() -> Value {
    question("k", "Next step?", TRIAL_LABELS)
}

pub(crate) fn on_trial(set_at: &str) -> Value {
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

pub(crate) fn answered_with(home: &Home, id: &str, response: &Value) -> Value {
    let call = ask(id, home.path(), &[next_trial()]);
    json_of(&home.call(&after(call, response.clone())))
}

/// Asks until a call is one that the person is asked; its id, and how many were answered before.
fn until_asked(home: &Home, from: usize) -> (String, usize) {
    for number in from.. {
        let id = format!("toolu_{number}");
        if home
            .call(&ask(&id, home.path(), &[next_trial()]))
            .is_empty()
        {
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
        let is_asked = home
            .call(&ask(&id, home.path(), &[next_trial()]))
            .is_empty();
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
        let said = home.call(&ask(
            &format!("toolu_{number}"),
            home.path(),
            &[next_trial()],
        ));
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
        home.an_hour_later();
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
    assert!(is_on.contains("8 of 8 checks agreed"), "{is_on}");
    assert!(is_on.contains("plantune prefs clear k --global"), "{is_on}");

    // It is like any other that is on: checked as often, and one disagreement puts it back on trial.
    home.configure("spot_check = 0.5\n");
    let (id, wait) = until_asked(&home, from);
    from += wait + 1;
    home.configure("spot_check = 0\n");
    let said = home.call(&ask("toolu_on", home.path(), &[next_trial()]));
    assert!(said.contains("(automatic, global)."), "{said}");
    let said = answered_trial(&home, &id, "More questions");
    let said = said["systemMessage"].as_str().unwrap();
    assert!(said.contains("so it is on trial again"), "{said}");
    assert!(said.contains("plantune prefs clear k --global"), "{said}");
    let (id, wait) = until_asked(&home, from);
    assert!(wait < 5, "{wait}");
    let last = home.events_of("auto_decided").pop().unwrap();
    assert_eq!(last["level"], "trial");
    // Another one stops it.
    let said = answered_trial(&home, &id, "More questions");
    let said = said["systemMessage"].as_str().unwrap();
    assert!(said.contains("was on trial again"), "{said}");
    let stopped = (100..120).all(|number| {
        let call = ask(&format!("toolu_{number}"), home.path(), &[next_trial()]);
        home.call(&call).is_empty()
    });
    assert!(stopped);
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
            !home
                .call(&ask(&id, home.path(), &[next_trial()]))
                .is_empty()
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
        let said = home.call(&ask(
            &format!("toolu_{number}"),
            home.path(),
            &[next_trial()],
        ));
        assert!(!said.is_empty());
    }
}
