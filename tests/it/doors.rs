//! A rule of registry.toml with patterns and `door = "one-way"`: hook, `suggest`, the backtest and
//! `prefs` agree on every question that it matches, whatever the question is called.

use std::fs;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::event::{Event, Kind, question_event_id};
use plantune_domain::keys::key_of;
use plantune_domain::{clock, hash, spool};
use serde_json::{Value, json};

use crate::world::{PROJECT, World, call_of, folded, question};

/// The first rule names the unmarked question; the second one matches both questions.
const REGISTRY: &str = r#"
[[question]]
key = "closing"
text = "sort the *"
[[question]]
key = "ledger"
text = "*ledger*"
door = "one-way"
category = "money"
"#;

/// A marked question, and one without a marker; the word lists find nothing one-way in either.
const QUESTIONS: [(&str, &str); 2] = [
    ("layout", "How shall the ledger look?"),
    ("", "Sort the ledger of May?"),
];

fn options() -> Vec<String> {
    ["Grid (Recommended)", "List"].map(str::to_owned).to_vec()
}

/// Thirty days on which the person gave both questions the same answer.
fn world() -> World {
    let world = World::new();
    for (marker, text) in QUESTIONS {
        let unmarked = marker.is_empty();
        let key = match unmarked {
            true => key_of(text, &options()).0,
            false => marker.to_owned(),
        };
        for day in 0..30 {
            let start: DateTime<Utc> = "2026-10-15T09:00:00Z".parse().unwrap();
            let asked = start + TimeDelta::days(day);
            let call = format!("toolu_{key}_{day}");
            for (kind, at) in [
                (Kind::Asked, asked),
                (Kind::Answered, asked + TimeDelta::seconds(20)),
            ] {
                let mut event = Event {
                    v: 1,
                    id: question_event_id(kind, &call, 0).into(),
                    ts: clock::timestamp(at).into(),
                    kind: kind.as_str().into(),
                    session_id: format!("s{day}").into(),
                    session_kind: "interactive".into(),
                    project: PROJECT.into(),
                    cwd: "/w".into(),
                    source: "hook".into(),
                    tool_name: Some("AskUserQuestion".into()),
                    tool_use_id: Some(call.clone().into()),
                    question_index: Some(0),
                    question_count: Some(1),
                    question_key: Some(key.clone().into()),
                    key_source: Some(if unmarked { "text" } else { "marker" }.into()),
                    question: Some(text.into()),
                    options: Some(options().into_iter().map(Into::into).collect()),
                    recommended: Some("Grid".into()),
                    multi_select: Some(false),
                    door: Some("two-way".into()),
                    ..Event::default()
                };
                match kind {
                    Kind::Asked => event.ask_reason = Some("no_preference".into()),
                    _ => event.answer = Some(vec!["Grid (Recommended)".into()]),
                }
                spool::append(&world.paths(), at, &event.to_line().unwrap()).unwrap();
            }
        }
    }
    world
}

fn add_registry(world: &World) {
    world.put("data/registry.toml", REGISTRY);
}

fn json(world: &World, words: &[&str]) -> Value {
    let ran = world.run(words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn suggest_and_backtest_leave_out_what_a_one_way_rule_matches() {
    let world = world();
    let count = |document: &Value, list: &str| document[list].as_array().unwrap().len();
    let found = json(&world, &["suggest", "--json"]);
    assert_eq!(count(&found, "suggestions"), 2, "{found}");
    let tested = json(&world, &["suggest", "--backtest", "--json"]);
    assert_ne!(tested["auto_decided"], 0);

    add_registry(&world);
    let found = json(&world, &["suggest", "--json"]);
    assert_eq!(count(&found, "suggestions"), 0, "{found}");
    let mut rejected: Vec<(&str, &str)> = found["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap();
            (text("question_key"), text("reason"))
        })
        .collect();
    rejected.sort_unstable();
    assert_eq!(rejected, [("closing", "one_way"), ("layout", "one_way")]);
    let tested = json(&world, &["suggest", "--backtest", "--json"]);
    assert_eq!(tested["auto_decided"], 0, "{tested}");
}

#[test]
fn prefs_refuse_and_report_what_a_one_way_rule_matches() {
    let world = world();
    let set = |key: &str| world.run(&["prefs", "set", key, "never-ask", "--yes"]);
    assert_eq!(set("layout").code, 0);
    assert_eq!(world.run(&["prefs", "clear", "layout", "--yes"]).code, 0);

    add_registry(&world);
    for key in ["layout", "closing"] {
        let ran = set(key);
        assert_eq!(ran.code, 4, "{key}: {ran:?}");
        assert!(ran.stderr.contains("is always asked"), "{}", ran.stderr);
        assert_eq!(world.preference(key, false), None);
    }

    // Set before the rule was written, or by hand: with the question it was set for, or without.
    let text = QUESTIONS[0].1;
    for (question, reason) in [
        (json!(text), "registry.toml says it can't be undone"),
        (Value::Null, "it does not say what it was given for"),
    ] {
        let mut entry = json!({"preference": "never-ask"});
        if question.is_string() {
            entry["question"] = question;
        }
        let file = json!({"version": 1, "project": PROJECT, "preferences": {"layout": entry}});
        let path = world.paths().project_preferences(PROJECT);
        world.put(&path, file.to_string());
        let found = world.findings("preferences");
        let is_named = |(_, message, _): &(String, String, String)| {
            message.starts_with("layout (github.com/o/r): not obeyed") && message.contains(reason)
        };
        assert!(found.iter().any(is_named), "{found:?}");
    }
}

#[test]
fn the_hook_asks_what_a_one_way_rule_matches() {
    let world = world();
    add_registry(&world);
    let keys = ["layout", "closing"];
    let entries: serde_json::Map<String, Value> = keys
        .iter()
        .zip(QUESTIONS)
        .map(|(key, (_, text))| {
            let never = json!({"preference": "never-ask", "question": text, "options": options()});
            ((*key).to_owned(), never)
        })
        .collect();
    let file = json!({"version": 1, "preferences": entries});
    world.put(world.paths().global_preferences(), file.to_string());
    let before = world.events().len();
    for (marker, text) in QUESTIONS {
        let marker = match marker {
            "" => String::new(),
            id => format!("<plantune:{id}> "),
        };
        let options: Vec<Value> = options()
            .iter()
            .map(|label| json!({"label": label}))
            .collect();
        let call = json!({
            "tool_name": "AskUserQuestion", "tool_use_id": hash::hex(&["call", text]),
            "tool_input": {"questions": [{"question": format!("{marker}{text}"), "options": options}]}
        });
        assert!(world.hook("PreToolUse", call).is_null(), "{text}");
    }
    let reasons: Vec<Value> = world
        .events()
        .iter()
        .skip(before)
        .map(|event| event["ask_reason"].clone())
        .collect();
    assert_eq!(reasons, ["one_way", "one_way"]);
}

// Acts that can't be undone are never proposed.

const OPTIONS: [&str; 2] = ["Merge and go on", "Wait for me"];

/// The topics of the pieces of work, in turn.
const TOPICS: [&str; 6] = ["billing", "search", "login", "themes", "charts", "footers"];

fn merge_text(topic: &str) -> String {
    format!("The work on {topic} is done. How shall the branch go on?")
}

/// Asks `asked` in the session of the day, and lets the person choose `answer`; returns what the hook said.
fn ask(world: &mut World, asked: Value, answer: Option<&str>) -> Value {
    world.calls += 1;
    let text = asked["question"].as_str().unwrap().to_owned();
    let mut call = call_of(&format!("toolu_{}", world.calls), &[asked]);
    call["session_id"] = json!(format!("session-{}", world.now.date_naive()));
    let decision = world.hook("PreToolUse", call.clone());
    world.now += TimeDelta::seconds(20);
    if let Some(answer) = answer {
        call["tool_response"] =
            json!({"questions": call["tool_input"]["questions"], "answers": {text: answer}});
        world.hook("PostToolUse", call);
    }
    decision
}

/// Eighteen days on which the person chose the first of `labels` each time that `text` was asked.
fn answered(text: &dyn Fn(usize) -> String, labels: &[&str]) -> World {
    let mut world = World::new();
    for day in 0..18 {
        let asked = question(&text(day), "Next", labels);
        ask(&mut world, asked, labels.first().copied());
        world.now += TimeDelta::hours(24) - TimeDelta::seconds(20);
    }
    world
}

fn merges() -> World {
    answered(&|day| merge_text(TOPICS[day % TOPICS.len()]), &OPTIONS)
}

fn registry(world: &World) -> Option<String> {
    fs::read_to_string(world.paths().registry_file()).ok()
}

/// The output of `suggest` without a proposal, in one line.
fn closed(world: &World) -> String {
    folded(&world.stdout_of(&["suggest"]))
}

#[test]
fn a_registry_that_is_not_understood_is_left_alone() {
    let world = merges();
    world.put("data/registry.toml", "[[question]]\nkey = 1\n");
    let ran = world.run(&["suggest", "--apply", "--yes"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(registry(&world).unwrap(), "[[question]]\nkey = 1\n");
}

#[test]
fn acts_that_cannot_be_undone_are_never_proposed() {
    for labels in [
        ["Run `git push --force`", "Wait for me"],
        ["Force push and go on", "Wait for me"],
        ["Drop the database", "Wait for me"],
        ["Pay $40 for it", "Wait for me"],
        OPTIONS,
    ] {
        let world = answered(&|_| merge_text("login"), &labels);
        let closed = closed(&world);
        assert!(closed.contains("always asked ("), "{closed}");
        let ran = world.run(&["suggest", "--apply", "--yes", "--answer", labels[0]]);
        assert!(!ran.stdout.contains("From now on"), "{labels:?}: {ran:?}");
        assert_eq!(registry(&world), None);
    }
    // The same history is proposed if the label does nothing outward.
    let world = answered(
        &|_| merge_text("login"),
        &["Write a summary", "Wait for me"],
    );
    let words = ["suggest", "--apply", "--yes", "--answer", "Write a summary"];
    let ran = world.run(&words);
    assert!(ran.stdout.contains("From now on"), "{ran:?}");
}
