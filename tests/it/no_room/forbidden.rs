//! Folders that cannot be written, and a limit on the length of files.

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::full::*;
use super::*;
use crate::shared::skipped;
use crate::world::{PLANTUNE, unwrapped};

/// Verbs that only read show what is in the store, and say what is not, and `why`.
fn assert_reads(home: &Home, why: &str) {
    for words in [&["report", "--json"][..], &["log"], &["suggest"]] {
        let ran = home.plantune(words);
        assert_eq!(ran.code, 0, "{words:?} {ran:?}");
        let said = "the latest entries are missing, because the store ";
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
    plantune: can't write HOME/plantune.duckdb: its file system is read-only
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: mount it for writing (`findmnt -T HOME` shows it), or set PLANTUNE_HOME to a folder elsewhere and run `plantune install`
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
    plantune: can't write HOME/plantune.duckdb: permission denied
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: check who owns it (`ls -ld HOME`), or run `plantune doctor`
    ");
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("permission denied"), "{ran:?}");
    assert_reads(&home, "is not yours to write");
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
        "4 events read, 1 line that is no event (kept; see `plantune doctor --quarantine`)\n"
    );
    // The fourth says that one was lost.
    let lost = "plantune: 1 event could not be logged, today 11:00: only a part could be written\n";
    assert_eq!(ran.stderr, lost);
    assert_eq!(home.auto_decided(), BTreeSet::from([1, 3]));
}

// The modes of what plantune makes and finds.

fn modes(home: &Home) -> Vec<(PathBuf, u32)> {
    let all = home.everything().into_iter();
    all.map(|(path, (mode, _))| (path, mode)).collect()
}

/// Every verb that writes.
fn use_everything(home: &Home, from: &Path) {
    home.prefer();
    assert!(home.decides(1));
    append_as_found(&home.folder.join(TODAY), b"{torn\n");
    for words in [
        &["ingest"][..],
        &["import", "claude-code", from.to_str().unwrap()],
        &["report"],
        &["suggest"],
        &["doctor", "--quarantine"],
        &["ingest", "--rebuild"],
        &["prefs", "clear", "layout", "--global", "--yes"],
    ] {
        let ran = home.plantune(words);
        assert_eq!(ran.code, 0, "{words:?} {ran:?}");
    }
    home.plantune(&["doctor"]);
}

/// Appends to a file that is there.
fn append_as_found(path: &Path, bytes: &[u8]) {
    let mut file = File::options().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn what_plantune_makes_is_private_whatever_the_umask() {
    let from = tempfile::tempdir().unwrap();
    transcripts(from.path(), 3);
    for umask in ["000", "022", "077"] {
        let folder = tempfile::tempdir().unwrap();
        let mut home = Home::at(&folder.path().join("home"));
        fs::set_permissions(&home.folder, fs::Permissions::from_mode(0o700)).unwrap();
        let with_umask = format!("umask {umask}; exec \"$@\"");
        home.before = ["sh", "-c", &with_umask, "sh"].map(str::to_owned).into();
        use_everything(&home, from.path());
        let found = modes(&home);
        assert!(found.len() > 6, "{found:?}");
        for (path, mode) in found {
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "umask {umask}: {}", path.display());
        }
    }
}

#[test]
#[ignore = "takes long: make test-long"]
fn what_is_there_keeps_its_mode_and_doctor_tells() {
    let from = tempfile::tempdir().unwrap();
    transcripts(from.path(), 3);
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(&folder.path().join("home"));
    use_everything(&home, from.path());
    let set_modes = |folder: u32, file: u32| {
        for (path, _) in modes(&home).into_iter().chain([(home.folder.clone(), 0)]) {
            let mode = if path.is_dir() { folder } else { file };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    for (of_folders, of_files) in [(0o755, 0o644), (0o700, 0o600), (0o750, 0o600)] {
        set_modes(of_folders, of_files);
        let before = modes(&home);
        use_everything(&home, from.path());
        let after = modes(&home);
        for (path, mode) in before {
            // The hook's marks and counts come and go.
            let is_count = path
                .parent()
                .is_some_and(|folder| folder.ends_with("checks"));
            if path.ends_with("plantune.duckdb") {
                // Computed again, it is a new file.
                assert!(after.contains(&(path, 0o600)));
            } else if path.exists() && !is_count {
                assert!(after.contains(&(path.clone(), mode)), "{}", path.display());
            }
        }
        let mode = fs::metadata(&home.folder).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, of_folders);
    }
    set_modes(0o755, 0o644);
    let findings = || -> Vec<Value> {
        let doctor = home.plantune(&["doctor", "--json"]);
        let doctor: Value = serde_json::from_str(&doctor.stdout).unwrap();
        let checks = doctor["checks"].as_array().unwrap().iter();
        let of_folder = checks.filter(|check| check["name"] == "folders");
        of_folder.cloned().collect()
    };
    let found = findings();
    let [finding] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(finding["status"], "warning");
    let message = finding["message"].as_str().unwrap();
    assert!(
        message.contains("others on this machine can use "),
        "{finding}"
    );
    assert!(message.ends_with("such as HOME (mode 0755)"), "{finding}");
    let remedy = finding["remedy"].as_str().unwrap();
    assert_eq!(
        remedy,
        "run `plantune doctor --fix`, or `chmod -R go= HOME`"
    );
    let mut chmod = Command::new("chmod");
    let chmod = chmod.args(["-R", "go="]).arg(&home.folder);
    assert!(chmod.status().unwrap().success());
    assert_eq!(findings()[0]["status"], "ok");
}

// A full disk under preferences and proposals.

#[test]
fn preferences_without_room() {
    let Some(small) = Small::only_inside("no_room::forbidden::preferences_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let before = home.everything();
    small.leave(0);
    let words = [
        "prefs",
        "set",
        "tests",
        "never-ask",
        "--global",
        "--force",
        "--yes",
    ];
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: can't write HOME/preferences.json: no space is left on its file system
      hint: no preference was changed
      hint: make room (`df -h HOME` shows how much is left), then try again
    ");
    assert_eq!(home.everything(), before);
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(home.everything(), before);
    small.make_room();
    assert_eq!(home.plantune(&words).code, 0);
    assert!(
        home.plantune(&["prefs", "list"])
            .stdout
            .contains("tests: on,")
    );
}

#[test]
fn a_proposal_without_room() {
    let Some(small) = Small::only_inside("no_room::forbidden::a_proposal_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    append(&home.folder.join("events/2026-11-19.jsonl"), &habit());
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let words = ["suggest", "--apply", "--only", "habit", "--yes"];
    let before = home.everything();
    small.leave(0);
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("no space is left on its file system"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("no preference was changed"), "{ran:?}");
    let mut after = home.everything();
    // Folders for what was not written take no room.
    after.retain(|path, _| !path.starts_with(home.folder.join("projects")) || path.is_file());
    assert_eq!(after, before);
    small.make_room();
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("with \"Grid\""), "{ran:?}");
}

/// Only the log is on the full disk: what cannot be put on record does not happen.
#[test]
fn a_preference_that_cannot_be_put_on_record() {
    let Some(small) =
        Small::only_inside("no_room::forbidden::a_preference_that_cannot_be_put_on_record")
    else {
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let home = Home::at(&small.0.join("home"));
    let set = |words: &[&str]| {
        let mut command = home.command(PLANTUNE, words);
        command
            .env_remove("PLANTUNE_HOME")
            .env("XDG_DATA_HOME", &home.folder)
            .env("XDG_CONFIG_HOME", elsewhere.path());
        home.run(&mut command)
    };
    let words = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--global",
        "--force",
        "--yes",
    ];
    small.leave(0);
    let ran = set(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("no preference was changed"), "{ran:?}");
    let config = elsewhere.path().join("plantune");
    assert_eq!(fs::read_dir(&config).unwrap().count(), 0);
    small.make_room();
    assert_eq!(set(&words).code, 0);
    assert!(config.join("preferences.json").is_file());
}
