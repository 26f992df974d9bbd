//! What only words keep closed: `suggest --apply` offers the person to say that the words are wrong.

use std::fs;
use std::process::Command;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::world::person::{run_on_terminal, run_with_person};
use crate::world::{World, call_of, folded, is_inert, question};

const OFFER: &str = "type two-way";
const APPLY: &[&str] = &["suggest", "--apply"];
const OPTIONS: [&str; 2] = ["Merge and go on", "Wait for me"];

/// What each piece of work was about, in turn.
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

/// Without colours and with whole lines.
fn plain(world: &World, words: &[&str]) -> Command {
    let mut command = world.command(words);
    command.env("NO_COLOR", "1").env("COLUMNS", "200");
    command
}

/// What `suggest` says without a proposal, in one line.
fn closed(world: &World) -> String {
    folded(&world.stdout_of(&["suggest"]))
}

#[test]
fn the_word_opens_a_habit_for_what_was_seen() {
    let mut world = merges();
    let before = closed(&world);
    assert!(before.contains("are always asked: \"merge\""), "{before}");

    let (shown, code) = run_on_terminal(&mut plain(&world, APPLY), &["two-way"]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(is_inert(&shown.replace('\r', "")), "{shown:?}");
    for words in [
        "plantune thinks this cannot be taken back, because of its words (\"merge\"",
        "\"Merge and go on\", all 18 times",
        OFFER,
        "+door = \"two-way\"",
        "undo: take the rule out of",
        "words no longer hold work-on-is-done-how;",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    insta::assert_snapshot!(registry(&world).unwrap(), @r#"
    [[question]]
    key = "work-on-is-done-how"
    text = "The work on * is done. How shall the branch go on?"
    options = ["Merge and go on", "Wait for me"]
    door = "two-way"
    "#);
    let events = world.events();
    let changes = events
        .iter()
        .filter(|one| one["kind"] == "preference_changed");
    let reasons: Vec<&Value> = changes.map(|one| &one["reason"]).collect();
    assert_eq!(reasons, ["suggest two-way"]);

    let (shown, _) = run_on_terminal(&mut plain(&world, APPLY), &["y"]);
    assert!(!shown.contains(OFFER), "{shown}");
    assert!(shown.contains("Done."), "{shown}");
    let mut is_answered = |question: Value| {
        // A check may be asked.
        let mut tries = (0..6).map(|_| ask(&mut world, question.clone(), None));
        tries.any(|said| said.to_string().contains("\"allow\""))
    };
    let seen = question(&merge_text("login"), "Next", &OPTIONS);
    assert!(is_answered(seen.clone()));
    // Nothing wider: other options, another text, the name in a marker, a hard sign beside the label.
    let three = ["Merge and go on", "Wait for me", "Delete it"];
    let other_options = question(&merge_text("login"), "Next", &three);
    let other_text = question("The site is live. Hand it to the client?", "Next", &OPTIONS);
    let marker = "<plantune:work-on-is-done-how> The site is live. Hand it to the client?";
    let marked = question(marker, "Next", &OPTIONS);
    let mut with_force = seen;
    with_force["options"][0]["description"] = json!("Runs `git push --force origin main`.");
    for wider in [other_options, other_text, with_force, marked] {
        assert!(!is_answered(wider.clone()), "{wider}");
    }
}

#[test]
fn it_comes_behind_the_proposals() {
    let mut world = World::new();
    for topic in TOPICS.iter().cycle().take(18) {
        let asked = question(&merge_text(topic), "Next", &OPTIONS);
        ask(&mut world, asked, Some(OPTIONS[0]));
        let asked = question("Which layout?", "Layout", &["Grid", "List"]);
        ask(&mut world, asked, Some("Grid"));
        world.now += TimeDelta::hours(24) - TimeDelta::seconds(40);
    }
    let (shown, _) = run_on_terminal(&mut plain(&world, APPLY), &["n", "no"]);
    assert!(shown.find("Which layout?") < shown.find(OFFER), "{shown}");
    assert!(shown.contains("Nothing was changed"), "{shown}");
    let (shown, _) = run_on_terminal(&mut plain(&world, APPLY), &["q", "two-way"]);
    assert!(!shown.contains(OFFER), "{shown}");
    let only = &["suggest", "--apply", "--only", "none"];
    let (shown, _) = run_on_terminal(&mut plain(&world, only), &["n", "two-way"]);
    assert!(!shown.contains(OFFER), "{shown}");
    assert_eq!(registry(&world), None);

    let (shown, _) = run_on_terminal(&mut plain(&world, APPLY), &["n", "two-way"]);
    assert!(shown.contains("words no longer hold"), "{shown}");
    assert!(registry(&world).unwrap().contains("two-way"));
}

#[test]
fn anything_else_leaves_it() {
    let world = merges();
    for word in ["y", "yes", "Two-way", "two way", ""] {
        let (shown, _) = run_on_terminal(&mut plain(&world, APPLY), &[word]);
        assert!(shown.contains(OFFER), "{word}: {shown}");
        assert!(shown.contains("Nothing was changed"), "{word}: {shown}");
    }
    assert_eq!((registry(&world), world.events().len()), (None, 36));
    // Nobody else is asked, and nothing stands in for the word.
    let piped = run_with_person(&mut world.command(APPLY), &["two-way"]);
    assert!(!piped.text().contains(OFFER));
    let in_session = &mut world.command(APPLY);
    let (shown, _) = run_on_terminal(in_session.env("CLAUDECODE", "1"), &["two-way"]);
    assert!(!shown.contains(OFFER), "{shown}");
    for words in [
        &["suggest", "--apply", "--yes"][..],
        &["suggest", "--apply", "--permissions"],
        &["suggest"],
    ] {
        let (shown, _) = run_on_terminal(&mut world.command(words), &["two-way"]);
        assert!(!shown.contains(OFFER), "{words:?}: {shown}");
    }
    assert_eq!(registry(&world), None);
}

#[test]
fn a_registry_that_is_not_understood_is_left_alone() {
    let world = merges();
    world.put("data/registry.toml", "[[question]]\nkey = 1\n");
    let (shown, code) = run_on_terminal(&mut plain(&world, APPLY), &["two-way"]);
    assert_eq!(code, Some(3), "{shown}");
    assert_eq!(registry(&world).unwrap(), "[[question]]\nkey = 1\n");
}

#[test]
fn hard_signs_are_never_offered() {
    for labels in [
        ["Run `git push --force`", "Wait for me"],
        ["Force push and go on", "Wait for me"],
        ["Drop the database", "Wait for me"],
        ["Pay $40 for it", "Wait for me"],
    ] {
        let world = answered(&|_| merge_text("login"), &labels);
        let closed = closed(&world);
        assert!(closed.contains("all 18 are always asked"), "{closed}");
        let (shown, _) = run_on_terminal(&mut plain(&world, APPLY), &["two-way"]);
        assert!(!shown.contains(OFFER), "{labels:?}: {shown}");
        assert_eq!(registry(&world), None);
    }
}
