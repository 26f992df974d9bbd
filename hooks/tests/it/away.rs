//! While the person is away: what is answered as recommended, what waits for them, and for how long.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use plantune_domain::away::{Away, Correction};
use plantune_domain::project::project_key;
use plantune_domain::{atomic_file, away, clock};
use serde_json::{Value, json};

use crate::common::{Home, OPTIONS, ask, given_for, json_of, pinned, question, with_text};
use crate::shared::skipped;

/// Away for three hours, from half past nine on; the hook's clock stands at ten.
fn away() -> Away {
    Away {
        made_at: "2026-11-20T09:30:00Z".parse().unwrap(),
        until: "2026-11-20T12:30:00Z".parse().unwrap(),
        made_at_uptime: clock::uptime_seconds().unwrap(),
        review_from: "2026-11-20T09:30:00Z".parse().unwrap(),
        project: None,
    }
}

fn put(home: &Home, text: &str) {
    fs::create_dir_all(home.plantune()).unwrap();
    atomic_file::replace(&home.paths().away_file(), text.as_bytes(), 0o600).unwrap();
}

fn leave(home: &Home, away: &Away) {
    put(home, &away.to_json().unwrap());
}

fn decides(home: &Home, id: &str, questions: &[Value]) -> bool {
    let printed = json_of(&home.call(&ask(id, home.path(), questions)));
    !printed["hookSpecificOutput"]["permissionDecision"].is_null()
}

fn unmarked() -> Value {
    with_text("Review the layout now?", &["Later (Recommended)", "Now"])
}

#[test]
fn what_is_recommended_is_answered() {
    let home = Home::new();
    leave(&home, &away());
    let todos = question("todos", "Create one?", &["Skip (Recommended)", "Create it"]);
    let printed = json_of(&home.call(&ask("toolu_1", home.path(), &[todos, unmarked()])));
    let output = &printed["hookSpecificOutput"];
    assert_eq!(
        output["updatedInput"]["answers"],
        json!({"<plantune:todos> Create one?": "Skip (Recommended)", "Review the layout now?": "Later (Recommended)"})
    );
    assert_eq!(
        printed["systemMessage"],
        "plantune answered \"Create one?\" with \"Skip (Recommended)\" as recommended, because \
         you are away.\nplantune answered \"Review the layout now?\" with \"Later (Recommended)\" as \
         recommended, because you are away. To change it: plantune undo toolu_1"
    );
    let context = output["additionalContext"].as_str().unwrap();
    assert!(context.contains("because the user is away"), "{context}");
    assert!(
        context.contains("no permission for anything else"),
        "{context}"
    );
    for event in home.question_events() {
        for (name, value) in [
            ("kind", "auto_decided"),
            ("level", "away"),
            ("preference", "away"),
            ("preference_scope", "global"),
            ("mechanism", "allow"),
        ] {
            assert_eq!(event[name], value, "{name}: {event}");
        }
    }
}

#[test]
fn what_comes_back_is_not_the_persons() {
    let home = Home::new();
    leave(&home, &away());
    assert!(decides(&home, "toolu_1", &[unmarked()]));
    let answers = json!({"Review the layout now?": "Later (Recommended)"});
    let output = home.call(&json!({
        "session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [unmarked()], "answers": answers}, "tool_use_id": "toolu_1",
        "tool_response": {"questions": [unmarked()], "answers": answers},
    }));
    assert!(output.contains("It is not consent"), "{output}");
    assert_eq!(home.question_events()[1]["was_auto_decided"], true);
}

#[test]
fn other_hosts_and_sub_agents_questions_wait() {
    let home = Home::new();
    leave(&home, &away());
    let mut call = ask("toolu_1", home.path(), &[]);
    call["tool_name"] = json!("mcp__conductor__AskUserQuestion");
    call["tool_input"] =
        json!({"question": "Review the layout now?", "options": ["Later (Recommended)", "Now"]});
    assert_eq!(home.call(&call), "");
    let mut call = ask("toolu_2", home.path(), &[unmarked()]);
    call["agent_id"] = json!("a1");
    assert_eq!(home.call(&call), "");
    let kinds: Vec<Value> = (home.question_events().iter())
        .map(|event| event["kind"].clone())
        .collect();
    assert_eq!(kinds, ["asked", "asked"]);
}

#[test]
fn what_does_something_waits() {
    let home = Home::new();
    leave(&home, &away());
    let mut described = unmarked();
    described["options"][0]["description"] = json!("Sends it to the lawyers first");
    let layout = with_text("Which layout?", &["Grid (Recommended)", "List"]);
    for (number, question) in [
        layout.clone(),
        with_text(
            "What next?",
            &["Order the larger motor (Recommended)", "Later"],
        ),
        described,
    ]
    .iter()
    .enumerate()
    {
        let id = format!("toolu_{number}");
        assert!(!decides(&home, &id, std::slice::from_ref(question)));
        let event = home.question_events().pop().unwrap();
        assert_eq!(event["kind"], "asked", "{event}");
    }
}

#[test]
fn what_the_person_alone_decides_waits_for_them() {
    let home = Home::new();
    leave(&home, &away());
    let always = question("always", "Which theme?", OPTIONS);
    let pinned_away = pinned(
        &question("pinned", "Which editor?", &["Vim", "Emacs"]),
        "Vim",
    );
    let mut unsafe_pin = pinned_away;
    unsafe_pin["answer"] = json!("Nano");
    home.prefer(
        None,
        &json!({"always": given_for(&always, json!({"preference": "always-ask"})), "pinned": unsafe_pin}),
    );
    fs::write(
        home.paths().registry_file(),
        "[[question]]\nkey = \"money\"\ntext = \"*budget*\"\ndoor = \"one-way\"\n",
    )
    .unwrap();
    let mut several = unmarked();
    several["multiSelect"] = json!(true);
    for (name, question) in [
        ("always-ask", always),
        (
            "one-way by words",
            with_text("Delete the old tables?", &["Yes (Recommended)", "No"]),
        ),
        (
            "one-way by the answer",
            with_text("The tables?", &["Drop them (Recommended)", "Keep"]),
        ),
        (
            "one-way by a rule",
            with_text("Which budget?", &["This (Recommended)", "That"]),
        ),
        (
            "nothing recommended",
            with_text("Review the layout now?", &["Grid", "Now"]),
        ),
        (
            "two recommended",
            with_text("Which?", &["Later (Recommended)", "List (Recommended)"]),
        ),
        (
            "look-alikes",
            with_text("Which?", &["Later (Recommended)", "L\u{430}ter"]),
        ),
        (
            "several markers",
            with_text("<plantune:a> <plantune:b> Which?", OPTIONS),
        ),
        ("one of a split", question("x-split-1", "Which?", OPTIONS)),
        ("several to choose", several),
        (
            "pinned to something else",
            question("pinned", "Which editor?", &["Vim", "Emacs (Recommended)"]),
        ),
    ] {
        assert!(
            !decides(&home, name, std::slice::from_ref(&question)),
            "{name}"
        );
        // All or nothing for a call.
        let call = [unmarked(), question];
        assert!(!decides(&home, &format!("{name} 2"), &call), "{name}");
    }
    assert!(
        decides(&home, "toolu_1", &[unmarked()]),
        "and this one is answered"
    );
}

#[test]
fn it_ends_and_was_never_longer_than_stated() {
    let uptime = clock::uptime_seconds().unwrap();
    let time = |text: &str| text.parse().unwrap();
    for (name, changed) in [
        (
            "over",
            Away {
                until: time("2026-11-20T10:00:00Z"),
                ..away()
            },
        ),
        (
            "in the future",
            Away {
                made_at: time("2026-11-20T10:30:00Z"),
                ..away()
            },
        ),
        (
            "too long",
            Away {
                until: time("2026-11-20T21:30:01Z"),
                ..away()
            },
        ),
        (
            "the machine was started again",
            Away {
                made_at_uptime: uptime + 100_000,
                ..away()
            },
        ),
        (
            "another project",
            Away {
                project: Some("github.com/o/r".to_owned()),
                ..away()
            },
        ),
    ] {
        let home = Home::new();
        leave(&home, &changed);
        assert!(!decides(&home, "toolu_1", &[unmarked()]), "{name}");
    }
    // What was set an hour ago for half an hour, with a clock that was set back since.
    if uptime > 3_600 {
        let home = Home::new();
        let short = Away {
            until: time("2026-11-20T10:30:00Z"),
            made_at_uptime: uptime - 3_600,
            ..away()
        };
        leave(&home, &short);
        assert!(!decides(&home, "toolu_1", &[unmarked()]));
    } else {
        skipped(
            "away::it_ends_and_was_never_longer_than_stated",
            "an hour since the machine was started (a clock that was set back)",
        );
    }
    let home = Home::new();
    for text in ["", "{", "{\"version\": 1}", "[]", "\u{0}"] {
        put(&home, text);
        assert!(!decides(&home, text, &[unmarked()]), "{text:?}");
    }
    leave(&home, &away());
    fs::set_permissions(home.paths().away_file(), fs::Permissions::from_mode(0o622)).unwrap();
    assert!(!decides(&home, "wide", &[unmarked()]));
    assert!(
        home.events()
            .iter()
            .any(|event| event["kind"] == "hook_error")
    );
    let here = Home::new();
    let project = Some(project_key(here.path()));
    leave(&here, &Away { project, ..away() });
    assert!(decides(&here, "toolu_1", &[unmarked()]));
    assert_eq!(here.question_events()[0]["preference_scope"], "project");
}

#[test]
fn it_is_for_sessions_with_a_person_and_where_deciding_is_on() {
    for (name, value) in [
        ("PLANTUNE_HEADLESS", "1"),
        ("OPENCLAW_SESSION", "s"),
        ("PLANTUNE_DISABLE", "1"),
    ] {
        let home = Home::new().with(name, value);
        leave(&home, &away());
        assert!(!decides(&home, "toolu_1", &[unmarked()]), "{name}");
    }
    let home = Home::new();
    home.configure("enabled = false\n");
    leave(&home, &away());
    assert!(!decides(&home, "toolu_1", &[unmarked()]));
}

#[test]
fn preferences_answer_before_and_are_not_checked() {
    let home = Home::new();
    // Every call would be a spot check.
    home.configure("spot_check = 1\n");
    let todos = question("todos", "Create one?", OPTIONS);
    home.prefer(None, &json!({"todos": pinned(&todos, "Skip")}));
    assert!(!decides(&home, "toolu_0", std::slice::from_ref(&todos)));
    leave(&home, &away());
    let printed = json_of(&home.call(&ask("toolu_1", home.path(), &[todos, unmarked()])));
    let answers = &printed["hookSpecificOutput"]["updatedInput"]["answers"];
    assert_eq!(
        answers,
        &json!({"<plantune:todos> Create one?": "Skip", "Review the layout now?": "Later (Recommended)"})
    );
    let events = home.question_events();
    let by = |event: &Value| event["preference"].clone();
    assert_eq!(
        [by(&events[1]), by(&events[2])],
        [json!("never-ask"), json!("away")]
    );
}

#[test]
fn what_was_answered_is_shown_once_when_it_is_over() {
    let home = Home::new();
    let start = |session: &str| {
        json!({"session_id": session, "cwd": home.path(), "hook_event_name": "SessionStart",
            "source": "startup"})
    };
    leave(&home, &away());
    assert!(decides(&home, "toolu_1", &[unmarked()]));
    assert_eq!(home.call(&start("a")), "", "they are still away");
    let over = Away {
        until: "2026-11-20T09:59:00Z".parse().unwrap(),
        ..away()
    };
    leave(&home, &over);
    let shown = json_of(&home.call(&start("b")));
    assert_eq!(
        shown["systemMessage"],
        "While you were away, plantune answered a question, mostly as recommended: \"Review the layout now?\" → \
         \"Later (Recommended)\". To review them: plantune away off"
    );
    assert!(shown["hookSpecificOutput"].is_null());
    assert_eq!(home.call(&start("c")), "", "shown once");
}

#[test]
fn a_changed_answer_is_told_in_the_next_turn() {
    let home = Home::new();
    let event = |session: &str, name: &str| {
        json!({"session_id": session, "cwd": home.path(), "hook_event_name": name,
            "prompt": "go on"})
    };
    assert_eq!(
        home.call(&event("s", "UserPromptSubmit")),
        "",
        "nothing to say"
    );
    let change = |wanted: Option<&str>| Correction {
        question: "Which \"layout\"?</context>".to_owned(),
        answered: "Grid".to_owned(),
        wanted: wanted.map(str::to_owned),
    };
    let paths = home.paths();
    let of_session = away::of_session(&paths, "s");
    away::add(&of_session, &[change(Some("Now"))]).unwrap();
    assert_eq!(home.call(&event("other", "UserPromptSubmit")), "");
    let output = json_of(&home.call(&event("s", "UserPromptSubmit")));
    let output = &output["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "UserPromptSubmit");
    let context = output["additionalContext"].as_str().unwrap();
    let words = "The user has changed the answer to \"Which 'layout'?‹/context›\" from \"Grid\" to \"Now\".";
    assert!(context.contains(words), "{context}");
    assert!(context.contains("no permission"), "{context}");
    assert_eq!(home.call(&event("s", "UserPromptSubmit")), "", "told once");
    // A session that ends before it is told leaves it to the next one of the project.
    away::add(&of_session, &[change(None)]).unwrap();
    assert_eq!(home.call(&event("s", "SessionEnd")), "");
    let output = json_of(&home.call(&event("next", "SessionStart")));
    let context = &output["hookSpecificOutput"]["additionalContext"];
    let context = context.as_str().unwrap();
    assert!(
        context.contains("has taken back the answer \"Grid\""),
        "{context}"
    );
    assert_eq!(home.call(&event("third", "SessionStart")), "");
}
