//! What a killed run, a full disk or another program may leave: the next run gives the tables of an
//! undisturbed one, and leaves nothing beside the store.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use duckdb::AccessMode;
use plantune_domain::event::Kind;
use plantune_ingest::{Error, Reason, Writer, is_current};

use crate::home::{Dump, Home, TestEvent, assert_same, ingest, put};

const ZONE: &str = "Europe/Berlin";

/// Some hundred questions in sessions, a few bad lines; all of it is in the store.
fn filled() -> (Home, Dump) {
    let home = Home::new();
    let asked = |call: u32| {
        let time = format!("2026-11-19T{:02}:{:02}:00Z", call / 60, call % 60);
        let session = format!("session-{}", call / 9);
        let of = |kind| TestEvent::new(kind, call, &time).in_session(&session);
        if call.is_multiple_of(4) {
            vec![of(Kind::Asked)]
        } else {
            vec![of(Kind::Asked), of(Kind::Answered)]
        }
    };
    let events: Vec<_> = (0..600).flat_map(asked).collect();
    home.log("2026-11-19.jsonl", &events);
    home.append("2026-11-19.jsonl", b"bad\n{\"v\":2}\n");
    home.ingest(ZONE);
    let dump = home.dump();
    (home, dump)
}

/// The next run repairs the store, for `reason` if any is named.
fn assert_repaired(home: &Home, expected: &Dump, reason: Option<&Reason>, what: &str) {
    let mut writer = Writer::open(&home.paths(), ZONE).unwrap();
    match (writer.reason(), reason) {
        (Some(Reason::Damaged(words)), Some(Reason::Damaged(_))) => {
            assert!(!words.is_empty(), "{what}");
        }
        (found, expected) => assert_eq!(found, expected, "{what}"),
    }
    ingest(&mut writer);
    drop(writer);
    assert_same(&home.dump(), expected);
    assert_eq!(home.files(), ["plantune.duckdb"], "{what}");
    assert_eq!(home.ingest(ZONE).events, 0, "{what}");
}

fn beside(home: &Home, suffix: &str) -> PathBuf {
    let store = home.paths().store();
    store.with_extension(format!("duckdb.{suffix}"))
}

/// The store and its write-ahead log as a writer has them that was killed behind its commit.
fn kill_writer(home: &Home, sql: &str) -> (Vec<u8>, Vec<u8>) {
    let path = home.paths().store();
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    connection.execute_batch(sql).unwrap();
    let left = (
        fs::read(&path).unwrap(),
        fs::read(beside(home, "wal")).unwrap(),
    );
    connection.close().unwrap();
    left
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_write_ahead_log_left_behind() {
    let (home, expected) = filled();
    let (store, log) = kill_writer(
        &home,
        "DELETE FROM questions WHERE question_index = 0; UPDATE sessions SET ended_at = now(); DELETE FROM segments",
    );
    let mut flipped = log.clone();
    flipped[log.len() / 2] ^= 0xff;
    for (what, log) in [
        ("whole", &log[..]),
        ("cut by a byte", &log[..log.len() - 1]),
        ("cut in the middle", &log[..log.len() / 2]),
        ("flipped", &flipped),
        ("empty", b""),
        ("no log", &[7; 5000]),
    ] {
        put(&home.paths().store(), &store);
        put(&beside(&home, "wal"), log);
        assert_repaired(&home, &expected, Some(&Reason::Unfinished), what);
    }
    // Alone, without its store.
    fs::remove_file(home.paths().store()).unwrap();
    put(&beside(&home, "wal"), &log);
    assert_repaired(&home, &expected, Some(&Reason::Missing), "alone");
}

#[test]
fn a_store_half_computed() {
    let (home, expected) = filled();
    let store = fs::read(home.paths().store()).unwrap();
    let leave = || {
        put(&beside(&home, "new"), &store[..store.len() / 2]);
        put(&beside(&home, "new.wal"), &[7; 5000]);
        for folder in ["new.tmp", "tmp"] {
            fs::create_dir(beside(&home, folder)).unwrap();
            put(&beside(&home, folder).join("block"), b"x");
        }
    };
    leave();
    // A reader leaves it to a writer, unless one is at work.
    let is_current = || is_current(&home.store(), &home.paths(), ZONE).unwrap();
    assert!(!is_current());
    let lock = fs::File::open(home.paths().events()).unwrap();
    lock.lock().unwrap();
    assert!(is_current());
    drop(lock);
    assert_repaired(&home, &expected, None, "beside a store");
    leave();
    fs::remove_file(home.paths().store()).unwrap();
    assert_repaired(&home, &expected, Some(&Reason::Missing), "alone");
}

#[test]
fn a_damaged_store() {
    let (home, expected) = filled();
    let store = fs::read(home.paths().store()).unwrap();
    let flipped = |range: std::ops::Range<usize>| {
        let mut bytes = store.clone();
        bytes[range].iter_mut().for_each(|byte| *byte ^= 0x5a);
        bytes
    };
    let sqlite = b"SQLite format 3\0".repeat(500);
    for (what, bytes) in [
        ("empty", vec![]),
        ("text", b"text\n".to_vec()),
        ("zeros", vec![0; store.len()]),
        ("another database", sqlite),
        ("a header's part", store[..100].to_vec()),
        ("headers alone", store[..12288].to_vec()),
        ("half", store[..store.len() / 2].to_vec()),
        ("short by a block", store[..store.len() - 262_144].to_vec()),
        ("first header", flipped(0..4096)),
        ("other headers", flipped(4096..12288)),
        ("everything behind the headers", flipped(12288..store.len())),
    ] {
        put(&home.paths().store(), &bytes);
        let damaged = Reason::Damaged(String::new());
        assert_repaired(&home, &expected, Some(&damaged), what);
    }
}

#[test]
fn a_log_that_changed() {
    let (home, _) = filled();
    let mut writer = home.writer(ZONE);
    home.put("2026-11-19.jsonl", b"bad\n");
    // It changed under an open writer, which says so, and before the next.
    let computed = ingest(&mut writer).computed;
    let changed = Reason::LogChanged("2026-11-19.jsonl".to_owned());
    assert_eq!(computed.as_ref(), Some(&changed));
    drop(writer);
    home.put("2026-11-19.jsonl", b"\n");
    let mut writer = home.writer(ZONE);
    assert_eq!(writer.reason(), Some(&changed));
    assert_eq!(writer.quarantined_lines().unwrap(), Some(1));
    ingest(&mut writer);
    assert_eq!(writer.quarantined_lines().unwrap(), Some(0));
}

#[test]
#[ignore = "takes long: make test-long"]
fn something_else_in_the_way() {
    let (home, expected) = filled();
    let path = home.paths().store();
    let store = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let damaged = Reason::Damaged(String::new());
    assert_repaired(&home, &expected, Some(&damaged), "a folder");
    for suffix in ["new", "new.wal"] {
        fs::create_dir(beside(&home, suffix)).unwrap();
        assert_repaired(&home, &expected, None, suffix);
    }
    fs::create_dir(beside(&home, "wal")).unwrap();
    assert_repaired(&home, &expected, Some(&Reason::Unfinished), "wal");
    put(&beside(&home, "tmp"), b"no folder");
    assert_repaired(&home, &expected, None, "tmp");
    // A link that leads nowhere, and one to another's file, which stays as it is.
    fs::remove_file(&path).unwrap();
    symlink("/nowhere/plantune.duckdb", &path).unwrap();
    assert_repaired(&home, &expected, Some(&Reason::Missing), "a link");
    let other = tempfile::tempdir().unwrap();
    let other = other.path().join("other");
    for suffix in ["new", "wal"] {
        put(&other, b"of somebody else");
        symlink(&other, beside(&home, suffix)).unwrap();
        let left = (suffix == "wal").then_some(Reason::Unfinished);
        assert_repaired(&home, &expected, left.as_ref(), suffix);
        assert_eq!(fs::read(&other).unwrap(), b"of somebody else");
    }
    // A store that lies elsewhere is gone on with.
    put(&other, &store);
    fs::remove_file(&path).unwrap();
    symlink(&other, &path).unwrap();
    assert_repaired(&home, &expected, None, "a store elsewhere");
}

#[test]
fn a_folder_with_files_in_the_way_is_not_removed() {
    let home = Home::new();
    let path = home.paths().store();
    fs::create_dir(&path).unwrap();
    put(&path.join("file"), b"of somebody else");
    let mut writer = home.writer(ZONE);
    let refused = writer.ingest(&plantune_ingest::Progress::default()).err();
    assert!(
        matches!(&refused, Some(Error::Folder { path, .. }) if *path == home.paths().store()),
        "{refused:?}"
    );
    assert!(Path::exists(&path.join("file")));
}

#[test]
fn two_writers_take_turns() {
    let (home, expected) = filled();
    let writer = home.writer(ZONE);
    let refused = Writer::open(&home.paths(), ZONE).err();
    assert!(matches!(refused, Some(Error::Held { .. })), "{refused:?}");
    drop(writer);
    assert_repaired(&home, &expected, None, "later");
}
