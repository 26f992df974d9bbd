//! A person at a terminal, who is asked.

use super::log::{LOCAL, Log, local};
use crate::world::folded;
use crate::world::person::keys::Seat;
use crate::world::person::run_with_person;

#[test]
fn the_person_is_asked_and_may_say_no() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    let ask = ["suggest", "--permissions", "--apply"];
    let say = |word| folded(&run_with_person(&mut world.command(&ask), &[word]).stdout);
    let no = say("n");
    assert!(
        no.contains("1. Bash(npm test)") && no.contains("nothing was changed"),
        "{no}"
    );
    assert!(!local(&world).exists());
    let yes = say("y");
    assert!(yes.contains("allowed: Bash(npm test)"), "{yes}");
    assert!(world.text(local(&world)).contains("Bash(npm test)"));
}

#[test]
fn a_rule_is_chosen_from_the_list() {
    let logged = || {
        let world = Log::new()
            .allowed("Bash", "npm test", 12)
            .allowed("Bash", "npm run lint", 12)
            .written();
        world.put(local(&world), LOCAL);
        world
    };
    let world = logged();
    let mut command = world.command(&["suggest", "--apply"]);
    let mut seat = Seat::start(command.env("TERM", "xterm").env_remove("CI"), 80, 24);
    seat.wait("? help");
    seat.press("N", "\"never\" is for questions");
    seat.press("y", "1 rule would have spared ");
    seat.press("y", "2 rules would have spared ");
    seat.press("\r", "Write this?");
    assert_eq!(world.text(local(&world)), LOCAL);
    seat.press_last("y");
    let ended = seat.end();
    assert_eq!(ended.code, Some(0), "{}", ended.shown);
    assert!(ended.is_restored && ended.shown.contains("allowed: Bash(npm test), in"));
    let event = world.last_change();
    assert_eq!(event["reason"], "suggest rule");

    let by_lines = logged();
    let words = ["suggest", "--apply", "--one-by-one"];
    let output = run_with_person(&mut by_lines.command(&words), &["y", "y"]);
    assert_eq!(output.code, 0);
    assert_eq!(world.text(local(&world)), by_lines.text(local(&by_lines)));
    assert_ne!(world.text(local(&world)), LOCAL);
    // One change of the list is taken back rule by rule, too.
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    world.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(world.text(local(&world)), LOCAL);
}
