//! `plantune demo`, as `make demo` plays it.

use crate::world::{World, folded, programs, run};

#[test]
fn the_whole_loop_is_shown_and_nothing_is_left_behind() {
    let world = World::at("home").without_plantune_home();
    let home = world.path("home");
    let shown = run(world
        .command(&["demo"])
        .env_remove("PLANTUNE_NOW")
        .env("TMPDIR", &home)
        // Also where there is no terminal, and an agent runs it: nothing of the user's is changed.
        .env_remove("PLANTUNE_ALLOW_UNATTENDED")
        .env("CLAUDECODE", "1")
        .env("PLANTUNE_HOOK", programs::hook()))
    .done();
    let in_order = [
        "$ plantune import claude-code",
        "answered by you",
        "$ plantune report",
        "Last 7 days",
        "agents stopped you",
        "$ plantune suggest",
        "2 questions could be answered for you",
        "Full suite",
        "7 permission rules would spare you",
        "$ plantune suggest --apply --only test-scope",
        "is answered \"Full suite\" in sample/billing-api",
        "permissionDecision allow",
        "Which tests should run?\":\"Full suite\"",
        "To be asked again: plantune undo toolu_",
        "plantune install",
    ];
    let folded = folded(&shown);
    let mut rest = folded.as_str();
    for text in in_order {
        let (_, after) = rest
            .split_once(text)
            .unwrap_or_else(|| panic!("{text:?} is missing in\n{shown}"));
        rest = after;
    }
    let proposals = shown.split("$ plantune suggest").nth(1).unwrap();
    assert!(
        !proposals.contains("delete-merged-branch"),
        "what cannot be taken back is not proposed"
    );
    // The diff shows the file to the character, and names it, however long both are.
    let too_wide = |line: &&str| line.chars().count() > 80 && !line.starts_with('+');
    assert_eq!(shown.lines().find(too_wide), None);
    assert!(world.names(&home).is_empty(), "nothing is left behind");
}
