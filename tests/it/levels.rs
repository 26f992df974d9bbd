//! The steps before a standing preference, from the command line to the hook and back: a trial, and what is taught in
//! the dialog.

use std::fs;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::world::files::{SHOP, layout};
use crate::world::{World, call_of, folded, run};

const TRIAL: &[&str] = &[
    "prefs", "set", "layout", "--trial", "--answer", "Grid", "--yes",
];

/// With a preference on trial for the question, which was asked once before.
fn on_trial() -> World {
    let mut world = World::shop();
    assert!(world.ask("Grid (Recommended)"));
    let set = world.stdout_of(TRIAL);
    assert!(
        folded(&set).contains("plantune answers \"Which layout?\" in dev/shop with \"Grid\". At first it still asks you one time in three."),
        "{set}"
    );
    world
}

/// The preference, as `prefs list` has it.
fn preference(world: &World) -> Value {
    world.json(&["prefs", "list", "--json"])["preferences"][0].clone()
}

/// The reply to the question, whose call was shown as `shown`.
fn reply(world: &World, id: &str, shown: &Value, answer: &str) -> Value {
    let mut call = call_of(id, std::slice::from_ref(shown));
    call["tool_response"] = json!({"answers": {shown["question"].as_str().unwrap(): answer}});
    world.hook("PostToolUse", call)
}

#[test]
fn a_trial_is_stopped_by_one_disagreement_whatever_is_computed_afterwards() {
    let mut world = on_trial();
    assert_eq!(preference(&world)["level"], "trial");
    let listed = folded(&world.stdout_of(&["prefs", "list"]));
    assert!(listed.contains("layout: on trial, \"Grid\""), "{listed}");
    assert!(listed.contains("0 of 8 checks agreed so far"), "{listed}");
    assert_eq!(world.standing()["state"], "on_trial");
    assert_eq!(world.standing()["level"], "trial");

    let said = world.until_checked("List");
    let said = said["systemMessage"].as_str().unwrap();
    assert!(
        said.contains("You answered \"List\", so it is stopped"),
        "{said}"
    );
    // No report was run: the hook stops it itself.
    assert!((0..10).all(|_| world.ask("List")));
    let standing = world.standing();
    assert_eq!(standing["state"], "stopped");
    assert_eq!(standing["reason"], "trial_disagreed");
    world.stdout_of(&["ingest", "--rebuild"]);
    assert_eq!(world.standing()["state"], "stopped");
    let suggest = folded(&world.stdout_of(&["suggest"]));
    assert!(
        suggest.contains(
            "layout, stopped since 20 Oct 2026: a check of its trial disagreed: it would"
        ),
        "{suggest}"
    );
    let listed = folded(&world.stdout_of(&["prefs", "list"]));
    assert!(
        listed.contains("stopped: a check of its trial disagreed you are asked every time"),
        "{listed}"
    );
}

#[test]
fn a_trial_is_on_by_itself_after_eight_checks_that_agree() {
    let mut world = on_trial();
    for _ in 0..7 {
        assert_eq!(world.until_checked("Grid (Recommended)"), Value::Null);
    }
    let said = world.until_checked("Grid (Recommended)");
    let said = said["systemMessage"].as_str().unwrap();
    assert!(said.contains("It is automatic now"), "{said}");
    assert!(said.contains("plantune prefs clear layout"), "{said}");
    let standing = world.standing();
    assert_eq!(standing["state"], "on");
    assert_eq!(standing["reason"], "trial_agreed");
    assert_eq!(standing["agreed"], 8);
    assert_eq!(standing["remedy"], Value::Null);
    let listed = folded(&world.stdout_of(&["prefs", "list"]));
    assert!(listed.contains("layout: on, \"Grid\""), "{listed}");
    assert!(
        listed.contains("on: 8 checks of its trial agreed"),
        "{listed}"
    );
    // Nothing was written, and what it answers from now on says so.
    assert_eq!(preference(&world)["level"], "trial");
    assert!((0..20).any(|_| !world.ask("Grid (Recommended)")));
    let log = world.json(&["log", "--auto", "--json"]);
    let levels = log["decisions"].as_array().unwrap().iter();
    let levels: Vec<&str> = levels.filter_map(|one| one["level"].as_str()).collect();
    assert_eq!(levels.first(), Some(&"standing"), "{log}");
    assert!(levels.contains(&"trial"), "{log}");

    // One check that disagrees does not stop it, another one does.
    assert!(world.until_checked("List")["systemMessage"].is_string());
    assert_eq!(world.standing()["state"], "on_trial");
    assert!(world.until_checked("List")["systemMessage"].is_string());
    let standing = world.standing();
    assert_eq!(standing["state"], "stopped");
    assert_eq!(standing["reason"], "two_disagreed");
    assert!((0..5).all(|_| world.ask("Grid (Recommended)")));
    // Set again as it is, it starts again.
    let set = folded(&world.stdout_of(TRIAL));
    assert!(set.contains("still asks you one time in three"), "{set}");
    assert_eq!(world.standing()["state"], "on_trial");
    assert!((0..10).any(|_| !world.ask("Grid (Recommended)")));
}

#[test]
fn undoing_an_answer_ends_the_trial() {
    let mut world = on_trial();
    assert!((0..20).any(|_| !world.ask("Grid (Recommended)")));
    let undone = world.stdout_of(&["undo", "--yes"]);
    assert!(
        folded(&undone).contains("again in dev/shop. Its trial has ended."),
        "{undone}"
    );
    assert!((0..10).all(|_| world.ask("Grid (Recommended)")));
}

#[test]
fn what_is_taught_in_the_dialog_is_on_record_and_taken_back_by_its_command() {
    let mut world = World::shop();
    assert!(world.ask("Grid (Recommended)"));
    let said = reply(&world, "toolu_9", &layout(), "always: List");
    let said = said["systemMessage"].as_str().unwrap();
    let command = said.split_once("plantune ").unwrap().1;
    assert_eq!(command, format!("undo layout --project {SHOP}"));
    let listed = preference(&world);
    let fields = [
        &listed["level"],
        &listed["answer"],
        &listed["set_by"],
        &listed["inert"],
    ];
    assert_eq!(
        fields,
        [
            &json!("trial"),
            &json!("List"),
            &json!("dialog"),
            &Value::Null
        ]
    );
    let explained = world.json(&["log", "layout", "--json"]);
    let change = &explained["explanations"][0]["changes"][0];
    assert_eq!(
        (&change["reason"], &change["answer"]),
        (&json!("dialog"), &json!(["List"]))
    );
    assert_eq!(world.last_change()["source"], "dialog");
    // The answer counts as the label.
    let answers = &explained["explanations"][0]["answers"];
    assert!(
        answers
            .as_array()
            .unwrap()
            .contains(&json!({"answer": "List", "times": 1})),
        "{answers}"
    );
    let mut words: Vec<&str> = command.split(' ').collect();
    words.push("--yes");
    world.stdout_of(&words);
    assert_eq!(preference(&world), Value::Null);
}

#[test]
fn words_that_contradict_each_other_are_named() {
    let world = World::shop();
    for words in [
        &["prefs", "set", "layout", "always-ask", "--trial"][..],
        &["prefs", "set", "layout", "--trial", "--agents", "codex"],
    ] {
        let ran = world.run(&[words, &["--force", "--yes"]].concat());
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.stderr);
    }
}

// What verbs write for a person fits a terminal of 40 columns.

const VERBS: [&[&str]; 22] = [
    &["report", "--since", "2026-01-01"],
    &["suggest"],
    &["sql"],
    &["sql", "FROM questions LIMIT 3"],
    &["sql", "SELECT nope FROM questions"],
    &["suggest", "--backtest"],
    &["prefs", "list"],
    &["prefs", "list", "--standing"],
    &["prefs", "set", "nobody-asked", "never-ask", "--yes"],
    &["prefs", "clear", "nobody-asked", "--yes"],
    &["log"],
    &["log", "layout"],
    &["log", "no-such-question-was-ever-asked"],
    &["undo", "--yes"],
    &["report", "layout"],
    &["doctor", "--quarantine"],
    &["gc", "--dry-run"],
    &["ingest"],
    &["doctor"],
    &["import", "claude-code", "/no/such/folder/of/transcripts"],
    &["report", "--week", "2026-W99"],
    &["--help"],
];

fn world() -> World {
    let world = World::with_habits();
    let preferences = r#"{"version":1,"preferences":{
        "layout":{"preference":"never-ask","answer":"Grid","set_at":"2026-11-01T10:00:00.000Z"},
        "delete-user-data":{"preference":"never-ask"}}}"#;
    world.put(world.paths().global_preferences(), preferences);
    world
}

#[test]
#[ignore = "takes long: make test-long"]
fn forty_columns() {
    let world = world();
    // The terminal itself breaks the lines of the verbs in `--help`.
    for words in VERBS.into_iter().filter(|words| *words != ["--help"]) {
        let mut command = world.command(words);
        let output = command.env("COLUMNS", "40").output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert!(!said.is_empty(), "{words:?}");
        for line in said.lines() {
            // A path is never broken, so that it can be copied.
            let is_path = line.trim_start().starts_with('/') && !line.trim().contains(' ');
            assert!(is_path || line.chars().count() <= 40, "{words:?}: {line}");
        }
    }
}

#[test]
fn documents_for_scripts_stay_as_they_are() {
    let world = world();
    for words in [
        &["report", "--json"][..],
        &["suggest", "--json"],
        &["log", "--json"],
        &["log", "layout", "--json"],
        &["prefs", "list", "--json"],
        &["doctor", "--quarantine", "--json"],
    ] {
        let mut command = world.command(words);
        let narrow = command.env("COLUMNS", "40").output().unwrap();
        let wide = world.run(words);
        assert_eq!(
            String::from_utf8(narrow.stdout).unwrap(),
            wide.stdout,
            "{words:?}"
        );
        let document: Value = serde_json::from_str(&wide.stdout).unwrap();
        assert_eq!(document["schema_version"], 1, "{words:?}");
    }
}

// An asking with something new is asked; answered as the preference would in two sessions, it joins with the next
// command of the person's own, without a word of theirs.

const TEXT: &str = "<plantune:lint> The linter reports warnings. How should they be handled?";
/// The message on standard error.
const GROWN: &str = "plantune: lint now also covers what you answered yourself: ";

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

    /// The log's explanation of the latest call, by a command that says on standard error what became familiar if it
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
    let explained = world.explained(false);
    let why = "asked because what \"Fix them in place\" does is described in new words; answer it the same way in two sessions, and plantune does";
    assert!(explained.contains(why), "{explained}");
    // After a second session, the next command says that it has joined.
    assert!(world.lint(&new, "Fix them in place"));
    world.explained(true);
    assert!(!world.lint(&new, ""));
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
            "You were still asked lint: what \"Fix them in place\" does is described in new words (2 times)."
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
        explained.contains("is described in new words"),
        "{explained}"
    );

    // In an agent's session nothing is written, and what was agreed to is not forgotten.
    let mut world = with_preference();
    assert!(world.lint(&new, "Fix them in place"));
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
fn one_that_does_not_say_what_it_was_given_for_asks() {
    let mut world = World::shop();
    world.put("data/config.toml", "spot_check = 0\n");
    let text = format!(
        r#"{{"version":1,"project":"{SHOP}","preferences":{{
            "lint":{{"preference":"never-ask","answer":"Fix them in place"}}}}}}"#
    );
    world.put(world.paths().project_preferences(SHOP), &text);
    let listed = folded(&world.stdout_of(&["prefs", "list"]));
    let why = "ignored: it does not say what it was given for; set it again";
    assert!(listed.contains(why), "{listed}");
    let seen = described("Edits the source files");
    assert!(world.lint(&seen, "Fix them in place"));
    assert!(world.lint(&seen, "Fix them in place"));
    world.now += TimeDelta::minutes(1);
    world.stdout_of(SET);
    assert!(!world.lint(&seen, ""));
}
