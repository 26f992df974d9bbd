//! Kills, and a full disk, at each call of the system by which `suggest --apply` and `undo` change files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::written::{Log, local};
use crate::shared::skipped;
use crate::world::World;

const STRACE: &str = "/usr/bin/strace";

/// The calls that change files, as strace names them; one that the machine does not have is passed over.
const CALLS: [&str; 15] = [
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "link",
    "linkat",
    "fchmod",
    "ftruncate",
];

/// What happens at a call.
#[derive(Clone, Copy)]
enum Fault {
    Kill,
    NoRoom,
}

/// Runs plantune with `words`, with `fault` at the `call` of that number; true if it came so far.
fn disturbed(world: &World, words: &[&str], fault: Fault, call: &str, number: usize) -> bool {
    let trace = world.path("trace");
    let what = match fault {
        Fault::Kill => "signal=KILL",
        Fault::NoRoom => "error=ENOSPC",
    };
    let file = trace.to_string_lossy().into_owned();
    let (traced, injected) = (
        format!("trace=?{call}"),
        format!("inject=?{call}:{what}:when={number}"),
    );
    let strace = ["-f", "-qq", "-o", &file, "-e", &traced, "-e", &injected];
    let all = [&strace[..], &[env!("CARGO_BIN_EXE_plantune")], words].concat();
    let ran = world.start(STRACE, &all).output().unwrap();
    let trace = fs::read_to_string(&trace).unwrap_or_default();
    match fault {
        Fault::Kill => trace.contains("+++ killed by SIGKILL"),
        Fault::NoRoom => {
            assert_ne!(ran.status.code(), Some(101), "{ran:?}");
            trace.contains("(INJECTED)")
        }
    }
}

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
    if !Path::new(STRACE).is_file() {
        return skipped("permission_rules::killed", "there is no strace");
    }
    let apply: &[&str] = &["suggest", "--apply", "--yes", "--only", RULE];
    let undo: &[&str] = &["undo", RULE, "--yes"];
    let mut disturbances = 0;
    for (words, was_there) in [(apply, false), (undo, true)] {
        for (fault, call) in [Fault::Kill, Fault::NoRoom]
            .into_iter()
            .flat_map(|fault| CALLS.map(|call| (fault, call)))
        {
            for number in 1.. {
                let world = Log::new().allowed("Bash", "npm test", 12).written();
                world.put(
                    local(&world),
                    "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}\n",
                );
                world.stdout_of(if was_there { apply } else { &["ingest"] });
                let was_disturbed = disturbed(&world, words, fault, call, number);
                let where_ = format!("{words:?}, {call} {number}");
                let (is_there, is_listed, reasons) = state(&world);
                assert_eq!(is_there, is_listed, "{where_}");
                let expected: &[&str] = match (was_there, is_there) {
                    (false, false) => &[],
                    (_, true) => &["suggest rule"],
                    (true, false) => &["suggest rule", "undo rule"],
                };
                assert_eq!(reasons, expected, "{where_}");
                assert!(is_settings(&world), "{where_}");
                if !was_disturbed {
                    assert_ne!(is_there, was_there, "{where_} was the last");
                    break;
                }
                disturbances += 1;
            }
        }
    }
    assert!(disturbances > 60, "{disturbances}");
}

/// True if the settings are whole, and the person's own rule is in them.
fn is_settings(world: &World) -> bool {
    let text = world.text(local(world));
    let settings = serde_json::from_str::<Value>(&text);
    settings.is_ok_and(|settings| settings["permissions"]["allow"][0] == "Bash(ls)")
}
