//! An asking with something new is asked once; answered as the preference would, it is familiar from the next command of
//! the person's own on, without a word of theirs.

use std::fs;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::world::layout::SHOP;
use crate::world::{World, call_of, folded, run};

const TEXT: &str = "<plantune:lint> The linter reports warnings. How should they be handled?";
/// What is said on standard error.
const GROWN: &str =
    "plantune: lint is answered in more cases, as you answered so yourself: \"The linter";

const SET: &[&str] = &[
    "prefs",
    "set",
    "lint",
    "--answer",
    "Fix them in place",
    "--yes",
];

/// A question whose first option is described so.
fn described(description: &str) -> Value {
    json!({
        "question": TEXT,
        "header": "Linter",
        "multiSelect": false,
        "options": [
            {"label": "Fix them in place", "description": description},
            {"label": "Skip", "description": "Leaves them alone"},
        ],
    })
}

impl World {
    /// One call with `asked`, an hour after the one before; true when the person was asked, who said `answer`.
    fn lint(&mut self, asked: &Value, answer: &str) -> bool {
        self.calls += 1;
        self.now += TimeDelta::hours(1);
        let id = format!("toolu_{}", self.calls);
        let mut call = call_of(&id, std::slice::from_ref(asked));
        call["session_id"] = json!(id);
        let decision = self.hook("PreToolUse", call.clone());
        let is_asked = decision.is_null();
        if is_asked {
            call["tool_response"] =
                json!({"answers": {asked["question"].as_str().unwrap(): answer}});
            self.hook("PostToolUse", call);
        }
        is_asked
    }

    /// What the log says about the latest call, by a command that says on standard error what became familiar where it
    /// `grows`.
    fn explained(&self, grows: bool) -> String {
        let ran = self.run(&["log", &format!("toolu_{}", self.calls)]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(ran.stderr.starts_with(GROWN), grows, "{}", ran.stderr);
        folded(&ran.stdout)
    }
}

/// With a preference for the question with its description "Edits the source files".
fn with_preference() -> World {
    let mut world = World::shop();
    world.put("data/config.toml", "spot_check = 0\n");
    for _ in 0..3 {
        assert!(world.lint(&described("Edits the source files"), "Fix them in place"));
    }
    world.now += TimeDelta::minutes(1);
    world.stdout_of(SET);
    assert!(!world.lint(&described("Edits the source files"), ""));
    world
}

#[test]
fn what_was_answered_alike_needs_no_command() {
    let mut world = with_preference();
    let new = described("Edits the source files and polishes their comments");
    assert!(world.lint(&new, "Fix them in place"));
    // The command that says why is the one that makes it familiar.
    let explained = world.explained(true);
    let why = "asked because \"polishes\" is new in what \"Fix them in place\" does; answer it the same way and it counts";
    assert!(explained.contains(why), "{explained}");
    assert!(!world.lint(&new, ""));
    let log = folded(&world.stdout_of(&["log"]));
    assert!(
        log.contains("asked because \"polishes\" is new in what the answer does; you answered"),
        "{log}"
    );
    let change = world.last_change();
    assert_eq!(change["reason"], "agreed to");
    assert_eq!(change["question_key"], "lint");
    let detail: Value = serde_json::from_str(change["detail"].as_str().unwrap()).unwrap();
    let text = TEXT.split_once(' ').unwrap().1;
    assert_eq!(detail["agreed_to"], json!([text]));
    // What else stands there is as it was.
    assert_eq!(world.standing()["state"], "on");
    assert_eq!(world.standing()["decided"], 2);
    let report = folded(&world.stdout_of(&["report"]));
    assert!(
        report.contains(
            "lint was asked all the same: \"polishes\" is new in what \"Fix them in place\" does."
        ),
        "{report}"
    );
    assert!(world.lint(
        &described("Edits the source files and polishes the website"),
        "Skip"
    ));
}

#[test]
fn nothing_becomes_familiar_by_what_is_no_agreement_of_the_persons() {
    let new = described("Edits the source files and polishes their comments");
    let file = |world: &World| fs::read(world.paths().project_preferences(SHOP)).unwrap();
    // Answered otherwise.
    let mut world = with_preference();
    let before = file(&world);
    assert!(world.lint(&new, "Skip"));
    // An act that could not be taken back, whoever chose it.
    let publishes = described("Edits the source files and publishes the package");
    assert!(world.lint(&publishes, "Fix them in place"));
    world.stdout_of(&["report"]);
    assert_eq!(file(&world), before);
    assert!(world.lint(&publishes, "Fix them in place"));
    let explained = world.explained(false);
    assert!(
        explained.contains("\"publishes\" is new in what"),
        "{explained}"
    );

    // In an agent's session nothing is written, and what was agreed to is not forgotten.
    let mut world = with_preference();
    assert!(world.lint(&new, "Fix them in place"));
    let before = file(&world);
    let ran = run(world.command(&["report"]).env("CLAUDECODE", "1"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(file(&world), before);
    assert!(world.lint(&new, "Fix them in place"));
    let ran = world.run(&["report"]);
    assert!(ran.stderr.starts_with(GROWN), "{}", ran.stderr);
    assert!(!world.lint(&new, ""));
}

#[test]
fn one_that_does_not_say_what_it_was_given_for_is_given_for_what_was_answered_so() {
    let mut world = World::shop();
    world.put("data/config.toml", "spot_check = 0\n");
    let set_at = world.now.to_rfc3339();
    let text = format!(
        r#"{{"version":1,"project":"{SHOP}","preferences":{{
            "lint":{{"preference":"never-ask","answer":"Fix them in place","set_at":"{set_at}"}}}}}}"#
    );
    world.put(world.paths().project_preferences(SHOP), &text);
    let listed = folded(&world.stdout_of(&["prefs", "list"]));
    assert!(
        listed.contains("set it again, or answer it so three times"),
        "{listed}"
    );
    let seen = described("Edits the source files");
    for grows in [false, false, true] {
        assert!(world.lint(&seen, "Fix them in place"));
        world.explained(grows);
    }
    assert!(!world.lint(&seen, ""));
    assert!(world.lint(&described("Edits the source files and mails them"), "Skip"));
}
