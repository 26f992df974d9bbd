//! Kills, and a full disk, at each call of the system by which `suggest --apply` and `undo` change files.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::written::{Log, local};
use crate::walked::walk;
use crate::world::World;

/// What is known of the rule: whether it is in the settings, whether `prefs list` knows it, and the reasons of the
/// changes that the log has of it.
fn state(world: &World) -> (bool, bool, Vec<String>) {
    // The next command finishes what was left, or takes it back.
    let listed = world.stdout_of(&["prefs", "list"]);
    let settings = fs::read_to_string(local(world)).unwrap_or_default();
    // A line that is there twice counts once: ingest knows it by its id.
    let mut seen = BTreeSet::new();
    let mut events = world.events();
    events.retain(|event| seen.insert(event["id"].to_string()));
    let of_rule = events.iter().filter(|one| one["answer"][0] == RULE);
    let reasons = of_rule.filter_map(|one| one["reason"].as_str().map(str::to_owned));
    (
        settings.contains(RULE),
        listed.contains(RULE),
        reasons.collect(),
    )
}

const RULE: &str = "Bash(npm test)";

#[test]
#[ignore = "takes long: make test-long"]
fn a_rule_is_in_the_settings_and_on_record_or_in_neither() {
    let apply: &[&str] = &["suggest", "--apply", "--yes", "--only", RULE];
    let undo: &[&str] = &["undo", RULE, "--yes"];
    let mut disturbed = 0;
    for (words, was_there) in [(apply, false), (undo, true)] {
        let start = || {
            let world = Log::new().allowed("Bash", "npm test", 12).written();
            world.put(
                local(&world),
                "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}\n",
            );
            world.stdout_of(if was_there { apply } else { &["ingest"] });
            (world, words.iter().copied().map(str::to_owned).collect())
        };
        disturbed += walk("permission_rules::killed", start, |world, run| {
            let (is_there, is_listed, reasons) = state(world);
            let where_ = format!("{words:?} {run}");
            assert_eq!(is_there, is_listed, "{where_}");
            let expected: &[&str] = match (was_there, is_there) {
                (false, false) => &[],
                (_, true) => &["suggest rule"],
                (true, false) => &["suggest rule", "undo rule"],
            };
            assert_eq!(reasons, expected, "{where_}");
            assert!(is_settings(world), "{where_}");
            assert!(run.is_disturbed || is_there != was_there, "{where_}");
        });
    }
    assert!(disturbed == 0 || disturbed > 60, "{disturbed}");
}

/// True if the settings are whole, and the person's own rule is in them.
fn is_settings(world: &World) -> bool {
    let text = world.text(local(world));
    let settings = serde_json::from_str::<Value>(&text);
    settings.is_ok_and(|settings| settings["permissions"]["allow"][0] == "Bash(ls)")
}
