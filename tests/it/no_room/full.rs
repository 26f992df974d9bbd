//! A full disk under the hook, ingest and import.

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::*;
use crate::shared::skipped;
use crate::world::programs;

#[test]
fn a_full_disk_under_hook_and_store() {
    let Some(small) = Small::only_inside("no_room::full::a_full_disk_under_hook_and_store") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert!(home.decides(1));
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let before = home.dump();

    // Room for the marks of a few decisions; then the log's last page is used up, its last line torn.
    small.leave(3 * 4096);
    let mut decided: BTreeSet<u32> = (2..30).filter(|number| home.decides(*number)).collect();
    assert!(!decided.is_empty() && !decided.contains(&29), "{decided:?}");
    let spool = fs::read(home.folder.join(TODAY)).unwrap();
    assert_ne!(spool.last(), Some(&b'\n'));
    // The store has less left of its page than these take.
    let ran = home.plantune(&["ingest"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let counted = format!("{} events", home.counted());
    insta::assert_snapshot!(ran.stderr.replace(&counted, "SOME events"), @r"
    plantune: SOME events could not be logged, today 11:00: No space left on device (os error 28)
    plantune: can't write HOME/events: no space is left on its file system
      hint: the hook goes on counting what it can't log
      hint: make room (`df -h HOME/events` shows how much is left), then try again
    plantune: can't write HOME/plantune.duckdb: no space is left on its file system
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: make room (`df -h HOME` shows how much is left), then try again
    ");
    for words in [&["report"][..], &["suggest"]] {
        let ran = home.plantune(words);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (1, ""),
            "{words:?} {ran:?}"
        );
        assert!(ran.stderr.contains("no space is left"), "{ran:?}");
    }
    assert_eq!(home.dump(), before);

    small.make_room();
    assert!(home.decides(30));
    let ran = home.plantune(&["ingest"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("1 line that is no event"), "{ran:?}");
    // What was decided is on record, and what is on record was decided.
    decided.extend([1, 30]);
    assert_eq!(home.auto_decided(), decided);
    assert_eq!(home.dump(), home.dump_of_undisturbed());
}

#[test]
#[ignore = "takes long: make test-long"]
fn an_ingest_that_runs_out_of_room_anywhere() {
    let Some(small) = Small::only_inside("no_room::full::an_ingest_that_runs_out_of_room_anywhere")
    else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    let mut undisturbed = None;
    let mut failed = 0;
    for room in [0, 4, 400, 1200, 3200] {
        append(&home.folder.join("events/2026-11-19.jsonl"), &lines(0..100));
        assert_eq!(home.plantune(&["ingest"]).code, 0);
        append(&home.folder.join(TODAY), &lines(90..2500));
        let before = home.dump();
        small.leave(room * 1024);
        let ran = home.plantune(&["ingest"]);
        if ran.code != 0 {
            failed += 1;
            assert_eq!(ran.code, 1, "{ran:?}");
            assert!(
                ran.stderr.contains("no space is left on its file system"),
                "{ran:?}"
            );
            assert_eq!(home.dump(), before, "{room}");
        }
        small.make_room();
        assert_eq!(home.plantune(&["ingest"]).code, 0);
        let undisturbed = undisturbed.get_or_insert_with(|| home.dump_of_undisturbed());
        assert_eq!(home.dump(), *undisturbed, "{room}");
        fs::remove_dir_all(&home.folder).unwrap();
    }
    assert!((2..5).contains(&failed), "{failed}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_first_ingest_without_room() {
    let Some(small) = Small::only_inside("no_room::full::a_first_ingest_without_room") else {
        return;
    };
    let mut failed = 0;
    // In pages; the last is room enough.
    for room in [0, 1, 2, 3, 4, 8, 16, 64, 128, 192, 256, 320, 384, 448, 1024] {
        let home = Home::at(&small.0.join("home"));
        append(&home.folder.join(TODAY), &lines(0..600));
        small.leave(room * 4096);
        let ran = home.plantune(&["ingest"]);
        if ran.code != 0 {
            failed += 1;
            assert_eq!(ran.code, 1, "{room}: {ran:?}");
            assert!(ran.stderr.contains("no space is left"), "{room}: {ran:?}");
            // What was begun does not take the room there is.
            assert_eq!(home.files(), [""; 0], "{room}");
        }
        small.make_room();
        let ran = home.plantune(&["ingest"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{room}: {ran:?}");
        assert_eq!(home.files(), ["plantune.duckdb"], "{room}");
        assert_eq!(home.dump().len(), 600, "{room}");
        fs::remove_dir_all(&home.folder).unwrap();
    }
    assert!((8..15).contains(&failed), "{failed}");
}

/// A new store is written beside the old one, which stays until the new one is whole.
#[test]
fn a_rebuild_without_room() {
    let Some(small) = Small::only_inside("no_room::full::a_rebuild_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    append(&home.folder.join(TODAY), &lines(0..600));
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let before = home.everything();
    for room in [0, 4, 64, 256] {
        small.leave(room * 4096);
        let ran = home.plantune(&["ingest", "--rebuild"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{room}: {ran:?}");
        assert!(ran.stderr.contains("no space is left"), "{room}: {ran:?}");
        assert_eq!(home.everything(), before, "{room}");
        assert_eq!(home.plantune(&["report"]).code, 0, "{room}");
        small.make_room();
    }
    assert_eq!(home.plantune(&["ingest", "--rebuild"]).code, 0);
    assert_eq!(home.files(), ["plantune.duckdb"]);
}

#[test]
#[ignore = "takes long: make test-long"]
fn an_import_without_room() {
    let Some(small) = Small::only_inside("no_room::full::an_import_without_room") else {
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let from = elsewhere.path().join("transcripts");
    transcripts(&from, 1200);
    let words = ["import", "claude-code", from.to_str().unwrap()];
    let undisturbed = Home::at(&elsewhere.path().join("home"));
    assert_eq!(undisturbed.plantune(&words).code, 0);

    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let segment = home
        .folder
        .join("events/import-claude-code-2026-11-20.jsonl");
    let mut said = Vec::new();
    // Not for the first line, for some of them, and for them but not for what the store makes of them.
    let name = segment.file_name().unwrap();
    let imported = undisturbed.folder.join("events").join(name);
    let spool = fs::metadata(imported).unwrap().len() / 1024;
    for room in [0, spool / 2, spool + 100] {
        small.leave(room * 1024);
        let ran = home.plantune(&words);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{room}: {ran:?}");
        assert!(
            ran.stderr.contains("no space is left on its file system"),
            "{ran:?}"
        );
        assert!(ran.stderr.contains("nothing is lost"), "{ran:?}");
        let spool = fs::read(&segment).unwrap_or_default();
        assert!(spool.last().is_none_or(|last| *last == b'\n'), "{room}");
        said.push(ran.stderr);
        small.make_room();
    }
    insta::assert_snapshot!(said[0], @r"
    plantune: can't write HOME/events/import-claude-code-2026-11-20.jsonl: no space is left on its file system
      hint: nothing is lost; run the same command again to add the rest
      hint: make room (`df -h HOME/events` shows how much is left), then try again
    ");
    assert!(
        said.iter().any(|said| said.contains("plantune.duckdb")),
        "{said:?}"
    );
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    let of_import = |home: &Home| -> Vec<String> {
        let mut rows = home.dump();
        rows.retain(|row| !row.starts_with("preference_changes: "));
        rows
    };
    assert_eq!(of_import(&home), of_import(&undisturbed));
}

// A small file system in memory, in a namespace of its own.

/// Names the mounted folder to a test that runs in its namespace.
const MOUNTED: &str = "PLANTUNE_TEST_MOUNTED";

/// Mebibytes of the small file system.
pub(crate) const MEBIBYTES: u32 = 24;

/// A small file system in memory.
pub(crate) struct Small(pub(crate) PathBuf);

impl Small {
    /// The small file system, inside its namespace. Outside of it, `test` is run inside, and there
    /// is `None` for what called it here.
    pub(crate) fn only_inside(test: &str) -> Option<Self> {
        if let Some(folder) = std::env::var_os(MOUNTED) {
            let small = Self(folder.into());
            small.mount(&["-t", "tmpfs", "-o", &format!("size={MEBIBYTES}m"), "none"]);
            return Some(small);
        }
        programs::hook();
        let folder = tempfile::tempdir().unwrap();
        let Some(flag) = namespace(folder.path()) else {
            skipped(test, "no file system can be mounted here");
            return None;
        };
        let ran = Command::new("unshare")
            .arg(flag)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture", "--include-ignored"])
            .env(MOUNTED, folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}{errors}");
        assert!(said.contains("1 passed"), "{said}");
        None
    }

    pub(crate) fn mount(&self, words: &[&str]) {
        let done = Command::new("mount").args(words).arg(&self.0).status();
        assert!(done.unwrap().success());
    }

    /// Leaves `bytes` of room, in whole pages.
    pub(crate) fn leave(&self, bytes: u64) {
        let mut file = File::create(self.0.join("filler")).unwrap();
        let mut length = 0;
        for piece in [1 << 20, 1 << 12] {
            let zeros = vec![0; piece];
            loop {
                match file.write(&zeros) {
                    Ok(written) => length += written as u64,
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    failed => assert!(failed.is_ok(), "{failed:?}"),
                }
            }
        }
        file.set_len(length - bytes).unwrap();
    }

    pub(crate) fn make_room(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

/// The way to a namespace of our own in which something can be mounted at `folder`.
fn namespace(folder: &Path) -> Option<&'static str> {
    let mounts = |flag: &&str| {
        let mut probe = Command::new("unshare");
        probe
            .args([flag, "mount", "-t", "tmpfs", "none"])
            .arg(folder);
        let probe = probe.stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    ["-m", "-rm"].into_iter().find(mounts)
}
