//! Segments that are compressed and dropped: the store can always be filled from what is kept.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

#[path = "support/dump.rs"]
mod dump;
#[path = "support/spool.rs"]
mod spool;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use chrono::{DateTime, Utc};
use dump::{COMPUTED, dump};
use flate2::read::MultiGzDecoder;
use plantune_domain::config::Retention;
use plantune_domain::paths::Paths;
use plantune_ingest::{Collected, Progress, Step, Summary, Why, Writer, dropped, plan};
use spool::{age, append, day, names, question, questions};
use tempfile::TempDir;

const OLD: &str = "2026-10-01";

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

fn paths(home: &Path) -> Paths {
    Paths::below(home.to_owned())
}

fn writer(home: &Path) -> Writer {
    Writer::open(&paths(home), "UTC").unwrap()
}

fn ingest(home: &Path) -> Summary {
    writer(home).ingest(now(), &Progress::default()).unwrap()
}

fn gc(home: &Path, retention: &Retention) -> Vec<Collected> {
    let mut writer = writer(home);
    writer.ingest(now(), &Progress::default()).unwrap();
    writer.gc(retention, now()).unwrap()
}

/// Compresses everything that may be, and returns how many segments that were.
fn compress(home: &Path) -> usize {
    let collected = gc(home, &Retention::default());
    let done = collected
        .iter()
        .filter(|one| one.planned.step == Step::Compress);
    done.inspect(|one| assert!(*one.freed.as_ref().unwrap() > 0))
        .count()
}

fn computed(home: &Path) -> BTreeMap<String, Vec<String>> {
    dump(&paths(home).store(), &COMPUTED)
}

/// What a store holds that is filled from the spool as it is now.
fn filled_anew(home: &Path) -> BTreeMap<String, Vec<String>> {
    let other = tempfile::tempdir().unwrap();
    fs::create_dir(other.path().join("events")).unwrap();
    for name in names(home) {
        fs::copy(
            home.join("events").join(&name),
            other.path().join("events").join(&name),
        )
        .unwrap();
    }
    ingest(other.path());
    computed(other.path())
}

fn unzipped(home: &Path, name: &str) -> Vec<u8> {
    let file = File::open(home.join("events").join(name)).unwrap();
    let mut content = Vec::new();
    MultiGzDecoder::new(file).read_to_end(&mut content).unwrap();
    content
}

/// A home with two old days, one of them with bad lines, an import, and yesterday.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    day(home.path(), OLD, 40);
    append(
        home.path(),
        "2026-10-02.jsonl",
        b"\xef\xbb\xbf{\"v\":2}\r\nnothing\n",
    );
    day(home.path(), "2026-10-02", 30);
    let import = "import-claude-code-2026-10-03.jsonl";
    append(home.path(), import, questions("2025-03-01", 20).as_bytes());
    age(home.path(), import, "2026-10-03T12:00:00Z");
    day(home.path(), "2026-11-19", 10);
    home
}

#[test]
fn a_store_filled_from_compressed_segments_is_the_same() {
    let home = home();
    ingest(home.path());
    let before = computed(home.path());
    let content = fs::read(home.path().join("events/2026-10-02.jsonl")).unwrap();
    assert_eq!(compress(home.path()), 3);
    assert_eq!(
        names(home.path()),
        [
            "2026-10-01.jsonl.gz",
            "2026-10-02.jsonl.gz",
            "2026-11-19.jsonl",
            "import-claude-code-2026-10-03.jsonl.gz",
        ]
    );
    assert_eq!(unzipped(home.path(), "2026-10-02.jsonl.gz"), content);
    let metadata = fs::metadata(home.path().join("events/2026-10-02.jsonl.gz")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let written = DateTime::<Utc>::from(metadata.modified().unwrap());
    assert_eq!(written.to_rfc3339(), "2026-10-02T23:00:00+00:00");
    // Nothing is read again, and nothing is left to do.
    assert_eq!(ingest(home.path()), Summary::default());
    assert_eq!(compress(home.path()), 0);
    assert_eq!(computed(home.path()), before);
    assert_eq!(filled_anew(home.path()), before);
    assert_eq!(before["quarantine"].len(), 2);
}

#[test]
fn a_run_over_compressed_segments_goes_on_where_it_was_ended() {
    let home = home();
    day(home.path(), "2026-09-01", 4000);
    ingest(home.path());
    let before = computed(home.path());
    compress(home.path());
    fs::remove_file(paths(home.path()).store()).unwrap();
    let mut runs = 0;
    let mut last = None;
    // Transactions of a piece each; whatever was committed is not read again.
    loop {
        let mut writer = writer(home.path()).with_transaction_bytes(1);
        let done = writer.ingest(now(), &Progress::default()).unwrap();
        runs += 1;
        if done == Summary::default() {
            break;
        }
        last = Some(done.duplicates);
    }
    assert_eq!((runs, last), (2, Some(0)));
    assert_eq!(computed(home.path()), before);
}

#[test]
fn every_state_that_a_killed_run_leaves_is_mended() {
    let reference = home();
    ingest(reference.path());
    let expected = computed(reference.path());
    let name = format!("{OLD}.jsonl");
    let (plain, zipped) = (format!("events/{name}"), format!("events/{name}.gz"));
    for state in ["unfinished", "handed over", "named", "removed"] {
        let home = home();
        ingest(home.path());
        let at = |name: &str| home.path().join(name);
        let content = fs::read(at(&plain)).unwrap();
        match state {
            "unfinished" => append(home.path(), &format!("{name}.gz.tmp"), b"\x1f\x8bhalf"),
            _ => {
                compress(home.path());
                if state != "removed" {
                    append(home.path(), &name, &content);
                    age(home.path(), &name, &format!("{OLD}T23:00:00Z"));
                }
                if state == "handed over" {
                    let temporary = at(&format!("events/{name}.gz.tmp"));
                    fs::rename(at(&zipped), temporary).unwrap();
                }
            }
        }
        assert_eq!(ingest(home.path()), Summary::default(), "{state}");
        compress(home.path());
        assert_eq!(names(home.path()), {
            let mut names = names(home.path());
            names.retain(|name| !name.ends_with(".tmp"));
            names
        });
        assert!(!at(&plain).exists() && at(&zipped).exists(), "{state}");
        assert!(!at(&format!("{zipped}.2.gz")).exists());
        assert_eq!(unzipped(home.path(), &format!("{name}.gz")), content);
        assert_eq!(computed(home.path()), expected, "{state}");
        assert_eq!(filled_anew(home.path()), expected, "{state}");
    }
}

#[test]
fn a_day_that_comes_back_keeps_both_files() {
    let home = home();
    compress(home.path());
    let name = format!("{OLD}.jsonl");
    let first = unzipped(home.path(), &format!("{name}.gz"));
    // A hook with a wrong clock.
    append(home.path(), &name, question(OLD, 100).as_bytes());
    assert_eq!(ingest(home.path()).events, 2);
    age(home.path(), &name, "2026-10-20T00:00:00Z");
    let before = computed(home.path());
    assert_eq!(compress(home.path()), 1);
    assert_eq!(unzipped(home.path(), &format!("{name}.gz")), first);
    assert_eq!(
        unzipped(home.path(), &format!("{name}.2.gz")),
        question(OLD, 100).into_bytes()
    );
    assert_eq!(ingest(home.path()), Summary::default());
    assert_eq!(filled_anew(home.path()), before);
}

#[test]
fn what_is_not_closed_and_read_stays() {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("2026-10-01.jsonl", question("2026-10-01", 1) + "{\"torn"),
        ("2026-11-19.jsonl", question("2026-11-19", 1)),
        ("2026-11-20.jsonl", question("2026-11-20", 1)),
        ("2027-01-01.jsonl", question("2027-01-01", 1)),
        ("2026-11-10.jsonl", question("2026-11-10", 1)),
        ("2026-10-04.jsonl", String::new()),
        ("notes.jsonl", question("2026-10-05", 1)),
        ("2026-10-06.jsonl.bak", question("2026-10-06", 1)),
    ] {
        append(home.path(), name, text.as_bytes());
        age(home.path(), name, "2026-10-06T00:00:00Z");
    }
    // Of an old day, and written to today.
    append(
        home.path(),
        "2026-10-02.jsonl",
        question("2026-10-02", 1).as_bytes(),
    );
    age(home.path(), "2026-10-02.jsonl", "2026-11-20T09:00:00Z");
    let elsewhere = home.path().join("elsewhere");
    fs::write(&elsewhere, question("2026-10-03", 1)).unwrap();
    symlink(&elsewhere, home.path().join("events/2026-10-03.jsonl")).unwrap();
    fs::create_dir(home.path().join("events/2026-10-07.jsonl")).unwrap();
    ingest(home.path());
    // Came after that, and the next run reads it; the plan alone does not.
    append(
        home.path(),
        "2026-10-08.jsonl",
        question("2026-10-08", 1).as_bytes(),
    );
    age(home.path(), "2026-10-08.jsonl", "2026-10-08T00:00:00Z");
    let everything = Retention {
        compress_after_days: Some(14),
        drop_after_days: Some(15),
    };
    let planned = plan(&paths(home.path()), &everything, now()).unwrap();
    let found: Vec<(&str, &Step)> = planned
        .iter()
        .map(|planned| (planned.file_name.as_str(), &planned.step))
        .collect();
    let keep = Step::Keep;
    let bytes = question("2026-10-08", 1).len() as u64;
    assert_eq!(
        found,
        [
            ("2026-10-01.jsonl", &keep(Why::Torn)),
            ("2026-10-02.jsonl", &keep(Why::DayIsOpen)),
            ("2026-10-03.jsonl", &keep(Why::Link)),
            ("2026-10-04.jsonl", &keep(Why::Empty)),
            ("2026-10-06.jsonl.bak", &keep(Why::Unknown)),
            ("2026-10-07.jsonl", &keep(Why::Unknown)),
            ("2026-10-08.jsonl", &keep(Why::NotRead { bytes })),
            ("2026-11-10.jsonl", &keep(Why::Young { days: 10 })),
            ("2026-11-19.jsonl", &keep(Why::DayIsOpen)),
            ("2026-11-20.jsonl", &keep(Why::DayIsOpen)),
            ("2027-01-01.jsonl", &keep(Why::DayIsOpen)),
            ("notes.jsonl", &keep(Why::Unknown)),
        ]
    );
    let before = names(home.path());
    // Replaced by another file since it was read.
    fs::write(
        home.path().join("events/2026-11-10.jsonl"),
        questions("2026-11-11", 3),
    )
    .unwrap();
    age(home.path(), "2026-11-10.jsonl", "2026-10-06T00:00:00Z");
    let planned = plan(&paths(home.path()), &everything, now()).unwrap();
    assert_eq!(planned[7].step, Step::Keep(Why::Replaced));
    let mut writer = writer(home.path());
    let collected = writer.gc(&everything, now()).unwrap();
    assert!(
        collected
            .iter()
            .all(|one| matches!(one.planned.step, Step::Keep(_)))
    );
    assert_eq!(names(home.path()), before);
    assert_eq!(
        fs::read_to_string(&elsewhere).unwrap(),
        question("2026-10-03", 1)
    );
}

#[test]
fn what_is_dropped_is_in_the_store_and_on_the_list() {
    let home = home();
    ingest(home.path());
    let before = computed(home.path());
    let drop = Retention {
        compress_after_days: Some(30),
        drop_after_days: Some(40),
    };
    // Compressed first, and dropped as such; of the one with bad lines nothing is lost.
    compress(home.path());
    let collected = gc(home.path(), &drop);
    let steps: Vec<_> = collected
        .iter()
        .map(|one| one.planned.step.clone())
        .collect();
    assert_eq!(
        steps,
        [
            Step::Drop,
            Step::Keep(Why::Quarantined { lines: 2 }),
            Step::Keep(Why::DayIsOpen),
            Step::Drop,
        ]
    );
    assert_eq!(
        names(home.path()),
        ["2026-10-02.jsonl.gz", "2026-11-19.jsonl"]
    );
    assert_eq!(computed(home.path()), before);
    let listed = dropped(&paths(home.path())).unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|one| (one.segment.as_str(), one.events))
        .collect();
    assert_eq!(
        listed,
        [
            ("2026-10-01.jsonl.gz", 80),
            ("import-claude-code-2026-10-03.jsonl.gz", 40),
        ]
    );
    assert_eq!(ingest(home.path()), Summary::default());
    let list = home.path().join("dropped.jsonl");
    assert_eq!(
        fs::metadata(list).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

/// What was cut off is in the store alone: a new store would lack that too.
#[test]
fn what_was_cut_off_is_counted_among_what_was_dropped() {
    let home = tempfile::tempdir().unwrap();
    day(home.path(), OLD, 40);
    ingest(home.path());
    let name = format!("{OLD}.jsonl");
    let path = home.path().join("events").join(&name);
    let whole = fs::read_to_string(&path).unwrap();
    let left: String = whole
        .lines()
        .take(30)
        .flat_map(|line| [line, "\n"])
        .collect();
    fs::remove_file(&path).unwrap();
    append(home.path(), &name, left.as_bytes());
    age(home.path(), &name, &format!("{OLD}T23:00:00Z"));
    let drop = Retention {
        drop_after_days: Some(40),
        ..Retention::default()
    };
    let collected = gc(home.path(), &drop);
    assert_eq!(collected[0].planned.step, Step::Drop);
    let listed = dropped(&paths(home.path())).unwrap();
    assert_eq!((listed.len(), listed[0].events), (1, 80));
}

#[test]
fn a_damaged_file_does_not_keep_its_neighbours_out() {
    let home = home();
    day(home.path(), "2026-09-01", 400);
    ingest(home.path());
    let whole = computed(home.path());
    compress(home.path());
    let path = home.path().join("events/2026-09-01.jsonl.gz");
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0xff;
    let mut checksum = good.clone();
    checksum[good.len() - 6] ^= 0xff;
    let half = &good[..good.len() / 2];
    for bad in [
        &b""[..],
        b"no gzip at all, and longer than a header",
        &good[..9],
        half,
        &flipped,
        &checksum,
    ] {
        fs::write(&path, bad).unwrap();
        age(home.path(), "2026-09-01.jsonl.gz", "2026-09-01T23:00:00Z");
        fs::remove_file(paths(home.path()).store()).unwrap();
        let done = ingest(home.path());
        let neighbours = 2 * (40 + 30 + 20 + 10);
        assert!(done.events >= neighbours, "{done:?}");
        if bad == half {
            assert!(done.events > neighbours && done.events < neighbours + 800);
        }
        let damaged = writer(home.path()).damaged().unwrap();
        assert_eq!(damaged.len(), 1);
        assert_eq!(damaged[0].0, "2026-09-01.jsonl.gz");
        // It is not tried again, not taken for read, and not dropped.
        assert_eq!(ingest(home.path()), Summary::default());
        let drop = Retention {
            compress_after_days: None,
            drop_after_days: Some(2),
        };
        let planned = plan(&paths(home.path()), &drop, now()).unwrap();
        assert!(
            matches!(
                planned[0].step,
                Step::Keep(Why::Damaged | Why::NotRead { .. })
            ),
            "{planned:?}"
        );
        // Once a whole file is in its place, what was missing is read.
        fs::write(&path, &good).unwrap();
        ingest(home.path());
        assert!(writer(home.path()).damaged().unwrap().is_empty());
        let mended = computed(home.path());
        if bad == flipped {
            // Lines before the damage is noticed may have been read differently.
            assert!(mended["events"].len() >= whole["events"].len());
            continue;
        }
        for relation in COMPUTED
            .iter()
            .filter(|relation| **relation != "quarantine")
        {
            assert!(mended[*relation] == whole[*relation], "{relation}");
        }
    }
}

#[test]
fn files_of_other_tools_are_read() {
    let home = home();
    ingest(home.path());
    let before = computed(home.path());
    compress(home.path());
    let zipped = home.path().join(format!("events/{OLD}.jsonl.gz"));
    // Unpacked by hand: known by the checkpoint of the compressed one.
    fs::write(
        home.path().join(format!("events/{OLD}.jsonl")),
        unzipped(home.path(), &format!("{OLD}.jsonl.gz")),
    )
    .unwrap();
    fs::remove_file(&zipped).unwrap();
    assert_eq!(ingest(home.path()), Summary::default());
    // Packed by hand, with something added, and without a newline at the end.
    let plain = home.path().join(format!("events/{OLD}.jsonl"));
    let mut packed = Vec::new();
    for part in [
        fs::read(&plain).unwrap(),
        (question(OLD, 200) + "{\"torn").into_bytes(),
    ] {
        let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
        encoder.write_all(&part).unwrap();
        encoder.finish().unwrap();
    }
    fs::write(&zipped, packed).unwrap();
    fs::remove_file(plain).unwrap();
    let done = ingest(home.path());
    assert_eq!((done.events, done.duplicates), (2, 0));
    assert_eq!(ingest(home.path()), Summary::default());
    assert_eq!(
        computed(home.path())["events"].len(),
        before["events"].len() + 2
    );
    let drop = Retention {
        compress_after_days: None,
        drop_after_days: Some(2),
    };
    age(
        home.path(),
        &format!("{OLD}.jsonl.gz"),
        "2026-10-02T00:00:00Z",
    );
    let planned = plan(&paths(home.path()), &drop, now()).unwrap();
    assert_eq!(planned[0].step, Step::Keep(Why::Torn));
}

/// Hooks with a wrong clock append to an old day as fast as they can while it is compressed over
/// and over: no line goes.
#[test]
fn nothing_that_a_hook_appends_meanwhile_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let name = format!("{OLD}.jsonl");
    let segment = home.path().join("events").join(&name);
    let appending = std::thread::spawn({
        let segment = segment.clone();
        move || {
            for number in 0..1500 {
                plantune_domain::spool::append_to(&segment, question(OLD, number).as_bytes())
                    .unwrap();
            }
        }
    });
    let mut writer = writer(home.path());
    let mut compressed = 0;
    let mut ended = false;
    while !ended {
        ended = appending.is_finished();
        if segment.exists() {
            age(home.path(), &name, "2026-10-01T23:00:00Z");
        }
        writer.ingest(now(), &Progress::default()).unwrap();
        let collected = writer.gc(&Retention::default(), now()).unwrap();
        compressed += collected
            .iter()
            .filter(|one| one.planned.step == Step::Compress && one.freed.is_ok())
            .count();
    }
    appending.join().unwrap();
    drop(writer);
    assert!(compressed > 0);
    let events = |dump: BTreeMap<String, Vec<String>>| dump["events"].len();
    assert_eq!(events(filled_anew(home.path())), 3000);
    ingest(home.path());
    assert_eq!(events(computed(home.path())), 3000);
}
