//! What was typed before a question was on screen answers nothing; typed afterwards, it does.

use crate::world::World;
use crate::world::person::{run_on_terminal, run_with_typed_ahead};

/// The words of a command that asks, and whether it has done what it asks about.
type Asking = (&'static [&'static str], fn(&World) -> bool);

const ASKING: &[Asking] = &[
    (&["suggest", "many", "--apply"], is_set),
    (&["prefs", "set", "many", "always-ask"], is_set),
    (&["prefs", "clear", "few"], |world| {
        world.preference("few", false).is_none()
    }),
    (&["undo", "few"], |world| {
        world.preference("few", false).is_none()
    }),
    (&["away", "1h"], |world| {
        world.data().join("away.json").exists()
    }),
    (&["install"], |world| world.user().exists()),
    (&["install", "--agent", "codex"], |world| {
        world.path("home/.codex/hooks.json").exists()
    }),
    (&["uninstall", "--purge"], |world| {
        !world.data().join("plantune.duckdb").exists()
    }),
];

fn is_set(world: &World) -> bool {
    world.preference("many", false).is_some()
}

#[test]
fn nothing_is_confirmed_by_what_was_typed_before_the_question() {
    for (words, is_done) in ASKING {
        let world = World::with_habits();
        std::fs::create_dir_all(world.path("home/.codex")).unwrap();
        world.done(&["prefs", "set", "few", "always-ask", "--force", "--yes"]);
        let (shown, code) = run_with_typed_ahead(&mut world.command(words), "y\nyes\ny", &[]);
        assert!(shown.contains("y/"), "nothing was asked: {words:?} {shown}");
        assert!(!is_done(&world), "{words:?} {shown}");
        assert_eq!(code, Some(0), "{words:?} {shown}");
        // The same word does it once it answers the question.
        let (shown, _) = run_with_typed_ahead(&mut world.command(words), "n\n", &["y"]);
        assert!(is_done(&world), "{words:?} {shown}");
    }
}

#[test]
fn each_of_several_questions_is_answered_by_its_own_word() {
    let world = World::with_habits();
    let apply = ["suggest", "--apply"];
    // As if pasted: the second word was typed while the first question stood.
    run_on_terminal(&mut world.command(&apply), &["n\ny"]);
    assert_eq!(world.events().len(), 0);
    run_on_terminal(&mut world.command(&apply), &["n", "y"]);
    assert_eq!(world.events().len(), 1);
}
