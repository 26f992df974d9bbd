//! The steps before a standing preference, from the command line to the hook and back: assistance, a trial, and
//! what is taught in the dialog.

use serde_json::{Value, json};

use crate::world::layout::{SHOP, layout};
use crate::world::{World, call_of, folded};

const TRIAL: &[&str] = &[
    "prefs", "set", "layout", "--trial", "--answer", "Grid", "--yes",
];

/// With a preference on trial for the question, which was asked once before.
fn on_trial() -> World {
    let mut world = World::shop();
    assert!(world.ask("Grid (Recommended)"));
    let set = world.stdout_of(TRIAL);
    assert!(
        folded(&set).contains("is answered \"Grid\" in dev/shop; one in three is still asked"),
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
        said.contains("is stopped, because you answered \"List\""),
        "{said}"
    );
    // No report was run: the hook has marked it itself.
    assert_eq!(world.marks(), 1);
    assert!((0..10).all(|_| world.ask("List")));
    let standing = world.standing();
    assert_eq!(standing["state"], "stopped");
    assert_eq!(standing["reason"], "trial_disagreed");
    assert_eq!(world.marks(), 1);
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
    let log = folded(&world.stdout_of(&["log", "--auto"]));
    assert!(log.contains("(automatic, project)"), "{log}");
    assert!(log.contains("(trial, project)"), "{log}");

    // One check that disagrees does not stop it, another one does.
    assert_eq!(world.until_checked("List"), Value::Null);
    assert_eq!(world.standing()["state"], "on");
    assert_eq!(world.until_checked("List"), Value::Null);
    let standing = world.standing();
    assert_eq!(standing["state"], "stopped");
    assert_eq!(standing["reason"], "two_disagreed");
    assert!((0..5).all(|_| world.ask("Grid (Recommended)")));
    // Set again as it is, it starts again.
    let set = folded(&world.stdout_of(TRIAL));
    assert!(set.contains("one in three is still asked"), "{set}");
    assert_eq!(world.standing()["state"], "on_trial");
    assert!((0..10).any(|_| !world.ask("Grid (Recommended)")));
}

#[test]
fn undoing_an_answer_ends_the_trial() {
    let mut world = on_trial();
    assert!((0..20).any(|_| !world.ask("Grid (Recommended)")));
    let undone = world.stdout_of(&["undo", "--yes"]);
    assert!(
        folded(&undone).contains("is asked again in dev/shop. Its trial has ended."),
        "{undone}"
    );
    assert!((0..10).all(|_| world.ask("Grid (Recommended)")));
}

#[test]
fn the_usual_answer_is_pointed_out_and_the_log_has_the_question_as_asked() {
    let mut world = World::shop();
    for answer in ["List", "List", "Grid (Recommended)"] {
        assert!(world.ask(answer));
    }
    let set = world.stdout_of(&[
        "prefs", "set", "layout", "--assist", "first", "--answer", "List", "--yes",
    ]);
    assert!(
        folded(&set).contains("with your usual answer, \"List\", first"),
        "{set}"
    );
    assert!(set.contains("It holds for this text only."), "{set}");
    let shown = world.hook("PreToolUse", call_of("toolu_x", &[layout()]));
    let shown = &shown["hookSpecificOutput"]["updatedInput"]["questions"][0];
    let first = json!({"label": "List", "description": "You chose this 2 of 3 times."});
    assert_eq!(shown["options"][0], first);
    assert_eq!(reply(&world, "toolu_x", shown, "List"), Value::Null);

    let decision = &world.json(&["log", "--json", "--limit", "1"])["decisions"][0];
    assert_eq!(decision["assisted"], true);
    assert_eq!(decision["options"], json!(["Grid (Recommended)", "List"]));
    assert_eq!(decision["preferred"], json!(["List"]));
    for words in [&["log", "--limit", "1"][..], &["log", "layout"]] {
        let text = folded(&world.stdout_of(words));
        assert!(
            text.contains("asked with your usual answer pointed out (\"List\")"),
            "{text}"
        );
    }
    let explained = folded(&world.stdout_of(&["log", "layout"]));
    assert!(explained.contains("hint, \"List\""), "{explained}");
    let show = folded(&world.stdout_of(&["prefs", "show", "layout"]));
    assert!(
        show.contains("layout: hint") && show.contains("It holds for this text only."),
        "{show}"
    );
    assert_eq!(
        world.json(&["prefs", "show", "layout", "--json"])["assist"],
        "first"
    );
    assert_eq!(preference(&world)["assist"], "first");
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
        &["prefs", "set", "layout", "never-ask", "--assist", "note"],
        &["prefs", "set", "layout", "--trial", "--assist", "note"],
        &["prefs", "set", "layout", "--assist", "second"],
    ] {
        let ran = world.run(&[words, &["--force", "--yes"]].concat());
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.stderr);
    }
    let drop = [
        "--question",
        "What about the old tables?",
        "--option",
        "Drop them",
        "--option",
        "Keep them",
    ];
    let assist = [
        "prefs",
        "set",
        "d",
        "--assist",
        "note",
        "--answer",
        "Drop them",
        "--force",
        "--yes",
    ];
    assert_eq!(world.run(&[&assist[..], &drop].concat()).code, 4);
}
