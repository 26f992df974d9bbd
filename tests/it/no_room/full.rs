//! A full disk under the hook, ingest and import.

use std::collections::BTreeSet;
use std::fs;

use super::home::*;
use super::small::*;

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
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/plantune.duckdb cannot be written: no space is left on its file system
      hint: nothing is lost: what is not in the store yet stays in the log, and is loaded the next time
      hint: make room (`df -h HOME` shows how much there is), and try again
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
    plantune: HOME/events/import-claude-code-2026-11-20.jsonl cannot be written: no space is left on its file system
      hint: nothing is lost: run the same command again to add what is missing
      hint: make room (`df -h HOME/events` shows how much there is), and try again
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
