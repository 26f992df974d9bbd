//! plantune as a package manager installed it (tests/npm/), in the home of `PLANTUNE_INSTALLED_HOME`.

use std::path::PathBuf;

use super::claude_code;
use super::home::{Home, ask, kinds, nobody, question};
use super::server::Turn;
use crate::skipped::skipped;

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_installed_hook_answers() {
    let Some(folder) = std::env::var_os("PLANTUNE_INSTALLED_HOME") else {
        let why = "PLANTUNE_INSTALLED_HOME names no home; `make test-npm` does";
        return skipped("claude_code::installed::the_installed_hook_answers", why);
    };
    let client = claude_code();
    let home = Home::of_somebody(PathBuf::from(folder), client);
    let asked = question(
        "<plantune:installed-area> Which area is next?",
        &["Search", "Sorting"],
    );
    home.prefer(&asked, "Sorting");
    // A call has an id of its own each time, for this home has sessions before it.
    let id = format!("toolu_installed_{}", std::process::id());
    let script = vec![ask(&id, &[asked]), Turn::says("done")];
    let session = home.session(script, nobody);
    assert!(session.result_of(&id).contains("Sorting"));
    let events = home.events_of(&id);
    assert_eq!(kinds(&events), ["auto_decided: allow", "answered"]);
}
