//! A person at a terminal, who is asked.

use crate::person::keys::Seat;
use crate::person::run_with_person;

use crate::log::{LOCAL, Log, Settings as _, put, text};
use crate::shop::{folded, ran};

#[test]
fn the_person_is_asked_and_may_say_no() {
    let home = Log::new().allowed("Bash", "npm test", 12).written();
    let ask = ["suggest", "--permissions", "--apply"];
    let say = |word| folded(&ran(&run_with_person(&mut home.plantune(&ask), &[word])).stdout);
    let no = say("n");
    assert!(
        no.contains("1. Bash(npm test)") && no.contains("nothing was changed"),
        "{no}"
    );
    assert!(!home.local().exists());
    let yes = say("y");
    assert!(yes.contains("allowed: Bash(npm test)"), "{yes}");
    assert!(text(&home.local()).contains("Bash(npm test)"));
}

#[test]
fn a_rule_is_chosen_from_the_list() {
    let logged = || {
        let home = Log::new()
            .allowed("Bash", "npm test", 12)
            .allowed("Bash", "npm run lint", 12)
            .written();
        put(&home.local(), LOCAL);
        home
    };
    let home = logged();
    let mut command = home.plantune(&["suggest", "--apply"]);
    let mut seat = Seat::start(command.env("TERM", "xterm").env_remove("CI"), 80, 24);
    seat.wait("? help");
    seat.press("N", "\"never\" is for questions");
    seat.press("y", "1 rule would have spared ");
    seat.press("y", "2 rules would have spared ");
    seat.press("\r", "Write this?");
    assert_eq!(text(&home.local()), LOCAL);
    seat.press_last("y");
    let ended = seat.end();
    assert_eq!(ended.code, Some(0), "{}", ended.shown);
    assert!(ended.is_restored && ended.shown.contains("allowed: Bash(npm test), in"));
    let event = home.last_change();
    assert_eq!(event["reason"], "suggest rule");

    let by_lines = logged();
    let words = ["suggest", "--apply", "--one-by-one"];
    let output = run_with_person(&mut by_lines.plantune(&words), &["y", "y"]);
    assert!(output.status.success());
    assert_eq!(text(&home.local()), text(&by_lines.local()));
    assert_ne!(text(&home.local()), LOCAL);
    // One change of the list is taken back rule by rule, too.
    home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    home.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(text(&home.local()), LOCAL);
}
