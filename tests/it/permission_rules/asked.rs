//! A person at a terminal, who is asked.

use super::log::{LOCAL, Log, local};
use crate::world::folded;
use crate::world::person::run_with_person;

#[test]
fn the_person_is_asked_and_may_say_no() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    let ask = ["suggest", "--permissions", "--apply"];
    let say = |word| folded(&run_with_person(&mut world.command(&ask), &[word]).stdout);
    let no = say("n");
    assert!(
        no.contains("runs Bash(npm test) without asking") && no.contains("Not set"),
        "{no}"
    );
    assert!(!local(&world).exists());
    let yes = say("y");
    assert!(yes.contains("Done."), "{yes}");
    assert!(world.text(local(&world)).contains("Bash(npm test)"));
}

#[test]
fn each_rule_is_asked_about_and_taken_back_by_itself() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "npm run lint", 12)
        .written();
    world.put(local(&world), LOCAL);
    let output = run_with_person(
        &mut world.command(&["suggest", "--apply"]),
        &["d", "y", "y"],
    );
    assert_eq!(output.code, 0, "{output:?}");
    let said = folded(&output.stdout);
    assert!(
        said.contains("From now on Claude Code runs Bash(npm test) without asking you"),
        "{said}"
    );
    assert!(
        said.contains("+++ ") && said.contains("It also allows: "),
        "{said}"
    );
    assert_eq!(world.last_change()["reason"], "suggest rule");
    assert_ne!(world.text(local(&world)), LOCAL);
    // The last one first: its backup is the file that the other one left.
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    world.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(world.text(local(&world)), LOCAL);
}
