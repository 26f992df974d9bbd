//! Preferences that do not say what they were given for: a person at a terminal is offered to bind them.

use std::fs;

use crate::world::person::{run_on_terminal, run_with_person};
use crate::world::{PROJECT, World, is_inert};

const OFFER: &str = "many does not say what it was given for, so it answers nothing";

/// A home with a preference of an early version, which names neither question nor options, beside one that
/// nothing was answered for.
fn unbound() -> World {
    let world = World::with_habits();
    let text = format!(
        r#"{{"version":1,"project":"{PROJECT}","preferences":{{
            "many":{{"preference":"never-ask","answer":"Grid"}},
            "never-seen":{{"preference":"never-ask","answer":"Grid"}}}}}}"#
    );
    world.put(world.paths().project_preferences(PROJECT), &text);
    world
}

fn is_bound(world: &World) -> bool {
    world.preference("many", false).unwrap().is_bound()
}

#[test]
fn a_person_is_offered_to_bind_it() {
    for verb in [&["prefs", "list"][..], &["doctor"], &["suggest", "--apply"]] {
        let world = unbound();
        let (shown, _) = run_on_terminal(&mut world.command(verb), &["n"]);
        assert!(shown.contains(OFFER), "{verb:?}: {shown}");
        assert!(shown.contains("Nothing was changed"), "{shown}");
        assert!(!is_bound(&world));

        let mut without_colour = world.command(verb);
        without_colour.env("NO_COLOR", "1");
        let (shown, _) = run_on_terminal(&mut without_colour, &["y"]);
        assert!(shown.contains("+ Which layout?"), "{shown}");
        assert!(shown.contains("Done."), "{shown}");
        assert!(is_inert(&shown.replace('\r', "")), "{shown:?}");
        let bound = world.preference("many", false).unwrap();
        assert_eq!(bound.question.as_deref(), Some("Which layout?"));
        assert_eq!(world.events()[0]["reason"], "prefs bind");

        let (shown, _) = run_on_terminal(&mut world.command(verb), &[]);
        assert!(!shown.contains("so it answers nothing"), "{shown}");
        assert!(!world.preference("never-seen", false).unwrap().is_bound());
    }
}

#[test]
fn nobody_else_is_offered_anything() {
    let world = unbound();
    let file = world.paths().project_preferences(PROJECT);
    let before = fs::read(&file).unwrap();
    for verb in [
        &["prefs", "list"][..],
        &["prefs", "list", "--json"],
        &["doctor"],
    ] {
        let piped = run_with_person(&mut world.command(verb), &["y"]);
        assert!(!piped.stdout.contains(OFFER));
        let mut in_session = world.command(verb);
        in_session.env("CLAUDECODE", "1");
        let (shown, _) = run_on_terminal(&mut in_session, &["y"]);
        assert!(!shown.contains(OFFER), "{verb:?}: {shown}");
    }
    assert_eq!(fs::read(&file).unwrap(), before);
}
