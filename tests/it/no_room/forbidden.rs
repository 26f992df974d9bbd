//! Folders that cannot be written, and a limit on the length of files.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;

use super::home::*;
use super::small::*;
use crate::skipped::skipped;
use crate::world::unwrapped;

/// Verbs that only read show what is in the store, and say what is not, and `why`.
fn assert_reads(home: &Home, why: &str) {
    for words in [&["report", "--json"][..], &["log"], &["suggest"]] {
        let ran = home.plantune(words);
        assert_eq!(ran.code, 0, "{words:?} {ran:?}");
        let said = "what was logged since the last time is left out: the store ";
        assert!(ran.stderr.contains(&format!("{said}{why}")), "{ran:?}");
    }
    let report: Value = serde_json::from_str(&home.plantune(&["report", "--json"]).stdout).unwrap();
    assert_eq!(report["totals"]["questions"], 1);
}

#[test]
fn a_read_only_folder() {
    let Some(small) = Small::only_inside("no_room::forbidden::a_read_only_folder") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert!(home.decides(1));
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    append(&home.folder.join(TODAY), &lines(0..10));
    let before = home.everything();
    small.mount(&["-o", "remount,ro"]);
    assert!(!home.decides(2));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/plantune.duckdb cannot be written: its file system is read-only
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: mount it for writing (`findmnt -T HOME` shows it), or set PLANTUNE_HOME to a folder elsewhere
    ");
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("read-only"), "{ran:?}");
    assert_reads(&home, "is on a read-only file system");
    let doctor = unwrapped(&home.plantune(&["doctor"]).stdout);
    for said in [
        "the hook cannot log to HOME/events: Read-only",
        "nothing can be written to HOME/plantune.duckdb: Read-only",
        "mount it for writing (`findmnt -T HOME/events` shows it)",
    ] {
        assert!(doctor.contains(said), "{said}: {doctor}");
    }
    assert_eq!(home.everything(), before);
    small.mount(&["-o", "remount,rw"]);
    assert!(home.decides(3));
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 3]));
    assert_eq!(home.dump(), home.dump_of_undisturbed());
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_folder_that_one_may_not_write() {
    let folder = tempfile::tempdir().unwrap();
    let Some(home) = Home::without_powers(&folder.path().join("home")) else {
        let test = "no_room::forbidden::a_folder_that_one_may_not_write";
        return skipped(
            test,
            "no permission is ever denied here, and `setpriv` does not help",
        );
    };
    home.prefer();
    assert!(home.decides(1));
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    append(&home.folder.join(TODAY), &lines(0..10));
    let set_modes = |folder: u32, file: u32| {
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(&home.folder.join("events"), 0o700);
        for (path, _) in home.everything() {
            if path.is_file() {
                mode(&path, file);
            }
        }
        mode(&home.folder.join("events"), folder);
        mode(&home.folder, folder);
    };
    set_modes(0o500, 0o400);
    let before = home.everything();
    assert!(!home.decides(2));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/plantune.duckdb cannot be written: permission denied
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: see whose it is (`ls -ld HOME`; `plantune doctor` says more), and try again as that user
    ");
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("permission denied"), "{ran:?}");
    assert_reads(&home, "may not be written by you");
    // Which the failure refers to.
    let doctor = unwrapped(&home.plantune(&["doctor"]).stdout);
    for said in [
        "nothing can be made or changed in HOME: Permission denied",
        "run `chmod 700 HOME`",
        "nothing can be written to HOME/plantune.duckdb: Permission denied",
        "run `chmod 600 HOME/plantune.duckdb`",
    ] {
        assert!(doctor.contains(said), "{said}: {doctor}");
    }
    assert_eq!(home.everything(), before);
    // Its names can be listed, and that is all: nothing new would be a lie.
    set_modes(0o700, 0o600);
    fs::set_permissions(
        home.folder.join("events"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("HOME/events/"), "{ran:?}");
    // Not even looked into.
    fs::set_permissions(
        home.folder.join("events"),
        fs::Permissions::from_mode(0o000),
    )
    .unwrap();
    assert!(!home.decides(3));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("HOME/events"), "{ran:?}");
    set_modes(0o700, 0o600);
    assert!(home.decides(4));
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 4]));
    assert_eq!(home.dump(), home.dump_of_undisturbed());
}

/// A limit on the length of files instead of a small file system: can be had anywhere.
#[test]
fn a_line_cut_by_a_limit_keeps_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::at(&folder.path().join("home"));
    home.prefer();
    assert!(home.decides(1));
    let spool = home.folder.join(TODAY);
    let length = fs::metadata(&spool).unwrap().len();
    // Ignored, the signal becomes an error.
    let limited = format!("trap '' XFSZ; exec prlimit --fsize={} \"$@\"", length + 100);
    home.before = ["sh", "-c", &limited, "sh"].map(str::to_owned).into();
    if home.plantune(&["--version"]).code != 0 {
        return skipped(
            "no_room::forbidden::a_line_cut_by_a_limit_keeps_to_itself",
            "there is no `prlimit`",
        );
    }
    assert!(!home.decides(2));
    assert_eq!(fs::metadata(&spool).unwrap().len(), length + 100);
    home.before.clear();
    assert!(home.decides(3));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(
        ran.stdout,
        "3 events read, 1 line that is no event (kept; see `plantune doctor --quarantine`)\n"
    );
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 3]));
}
