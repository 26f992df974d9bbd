//! Segments that are sealed and dropped: nothing is lost that was not to be dropped.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use duckdb::Connection;
use plantune_domain::config::Retention;
use plantune_ingest::{
    Collected, KeepReason, Progress, RetentionStep, Summary, Writer, check_sealed, compare, plan,
};

use crate::home::{Dump, Home, ingest, now};
use crate::segments::{age, day, names, others, question, questions};

#[test]
#[ignore = "takes long: make test-long"]
fn every_state_that_a_killed_run_leaves_is_finished() {
    let reference = home();
    reference.ingest(ZONE);
    let expected = reference.dump();
    let name = format!("{OLD}.jsonl");
    for state in ["written", "renamed", "handed over", "half removed"] {
        let home = home();
        home.ingest(ZONE);
        let at = |name: &str| home.segment(name);
        let before = tempfile::tempdir().unwrap();
        for name in names(home.path()) {
            fs::copy(at(&name), before.path().join(&name)).unwrap();
        }
        let store = fs::read(home.paths().store()).unwrap();
        seal(&home);
        let put_back = |name: &str| {
            fs::copy(before.path().join(name), at(name)).unwrap();
            age(home.path(), name, &format!("{OLD}T23:00:00Z"));
        };
        if state == "half removed" {
            put_back(&name);
        } else {
            for entry in fs::read_dir(before.path()).unwrap() {
                put_back(&entry.unwrap().file_name().into_string().unwrap());
            }
        }
        if state == "written" || state == "renamed" {
            fs::write(home.paths().store(), store).unwrap();
        }
        if state == "written" {
            fs::rename(at(SEALED), at(&format!("{SEALED}.tmp"))).unwrap();
        }
        home.ingest(ZONE);
        assert_eq!(home.dump(), expected, "{state}");
        seal(&home);
        assert_eq!(home.dump(), expected, "{state}");
        assert_eq!(names(home.path()), [SEALED, "2026-11-19.jsonl"]);
        assert_eq!(
            check_sealed(&at(SEALED)).unwrap(),
            2 * (40 + 30 + 20 + 20) + 4
        );
        assert_eq!(computed(&home), expected, "{state}");
    }
}

#[test]
fn what_is_not_closed_and_read_stays() {
    let home = Home::new();
    for (name, text) in [
        ("2026-10-01.jsonl", question("2026-10-01", 1) + "{\"torn"),
        ("2026-10-04.jsonl", String::new()),
        ("2026-10-05.jsonl", question("2026-10-05", 1) + "nothing\n"),
        ("2026-10-06.jsonl.bak", question("2026-10-06", 1)),
        ("2026-11-03.jsonl", question("2026-11-03", 1)),
        ("2026-11-10.jsonl", question("2026-11-10", 1)),
        ("2026-11-19.jsonl", question("2026-11-19", 1)),
        ("2026-11-20.jsonl", question("2026-11-20", 1)),
        ("2027-01-01.jsonl", question("2027-01-01", 1)),
        ("notes.jsonl", question("2026-10-05", 1)),
    ] {
        home.append(name, text.as_bytes());
        age(home.path(), name, "2026-10-06T00:00:00Z");
    }
    // Of an old day, and written to today.
    home.append("2026-10-02.jsonl", question("2026-10-02", 1).as_bytes());
    age(home.path(), "2026-10-02.jsonl", "2026-11-20T09:00:00Z");
    let elsewhere = home.path().join("elsewhere");
    fs::write(&elsewhere, question("2026-10-03", 1)).unwrap();
    symlink(&elsewhere, home.segment("2026-10-03.jsonl")).unwrap();
    fs::create_dir(home.segment("2026-10-07.jsonl")).unwrap();
    home.ingest(ZONE);
    // Came after that, and the next run reads it; the plan alone does not.
    home.append("2026-10-08.jsonl", question("2026-10-08", 1).as_bytes());
    age(home.path(), "2026-10-08.jsonl", "2026-10-08T00:00:00Z");
    let everything = retention(Some(14), Some(18));
    let planned = plan(&home.paths(), &everything, now()).unwrap();
    let found: Vec<(&str, &RetentionStep)> = planned
        .iter()
        .map(|planned| (planned.file_name.as_str(), &planned.step))
        .collect();
    let keep = RetentionStep::Keep;
    let bytes = question("2026-10-08", 1).len() as u64;
    assert_eq!(
        found,
        [
            ("2026-10-01.jsonl", &keep(KeepReason::Torn)),
            ("2026-10-02.jsonl", &keep(KeepReason::DayIsOpen)),
            ("2026-10-03.jsonl", &keep(KeepReason::Link)),
            ("2026-10-04.jsonl", &keep(KeepReason::Empty)),
            (
                "2026-10-05.jsonl",
                &keep(KeepReason::Quarantined { lines: 1 })
            ),
            ("2026-10-06.jsonl.bak", &keep(KeepReason::Unknown)),
            ("2026-10-07.jsonl", &keep(KeepReason::Unknown)),
            ("2026-10-08.jsonl", &keep(KeepReason::NotRead { bytes })),
            ("2026-11-03.jsonl", &keep(KeepReason::MonthIsOpen)),
            ("2026-11-10.jsonl", &keep(KeepReason::Young { days: 10 })),
            ("2026-11-19.jsonl", &keep(KeepReason::DayIsOpen)),
            ("2026-11-20.jsonl", &keep(KeepReason::DayIsOpen)),
            ("2027-01-01.jsonl", &keep(KeepReason::DayIsOpen)),
            ("notes.jsonl", &keep(KeepReason::Unknown)),
        ]
    );
    let before = names(home.path());
    // Replaced by another file since it was read.
    let replaced = home.segment("2026-11-10.jsonl");
    fs::write(replaced, questions("2026-11-11", 3)).unwrap();
    age(home.path(), "2026-11-10.jsonl", "2026-10-06T00:00:00Z");
    let planned = plan(&home.paths(), &everything, now()).unwrap();
    assert_eq!(planned[9].step, RetentionStep::Keep(KeepReason::Replaced));
    let collected = collect(&mut home.writer(ZONE), &everything);
    assert!(
        collected
            .iter()
            .all(|one| matches!(one.planned.step, RetentionStep::Keep(_)))
    );
    assert_eq!(names(home.path()), before);
    let linked = fs::read_to_string(&elsewhere).unwrap();
    assert_eq!(linked, question("2026-10-03", 1));
}

#[test]
fn what_is_dropped_is_listed_and_gone_from_the_store() {
    let home = home();
    home.append("2026-10-04.jsonl", b"nothing\n");
    age(home.path(), "2026-10-04.jsonl", "2026-10-04T12:00:00Z");
    day(home.path(), "2026-08-31", 3);
    seal(&home);
    assert_eq!(
        names(home.path()),
        [
            "2026-08.parquet",
            "2026-10-04.jsonl",
            SEALED,
            "2026-11-19.jsonl"
        ]
    );
    let collected = gc(&home, &retention(None, Some(21)));
    let steps: Vec<_> = collected
        .iter()
        .map(|one| one.planned.step.clone())
        .collect();
    assert_eq!(
        steps,
        [
            RetentionStep::Drop,
            RetentionStep::Keep(KeepReason::Quarantined { lines: 1 }),
            RetentionStep::Keep(KeepReason::Young { days: 20 }),
            RetentionStep::Keep(KeepReason::DayIsOpen),
        ]
    );
    gc(&home, &retention(None, Some(20)));
    assert_eq!(names(home.path()), ["2026-10-04.jsonl", "2026-11-19.jsonl"]);
    let left = home.dump();
    assert_eq!((left["questions"].len(), left["quarantine"].len()), (10, 1));
    assert_eq!(left, computed(&home));
    assert_eq!(home.ingest(ZONE), Summary::default());
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_damaged_file_is_named_and_left_alone() {
    let damaged = "2026-09.parquet";
    let home = home();
    day(home.path(), "2026-09-01", 400);
    seal(&home);
    let whole = computed(&home);
    let path = home.segment(damaged);
    let good = fs::read(&path).unwrap();
    let mut flipped = good.clone();
    for byte in &mut flipped[good.len() / 10..good.len() / 10 * 6] {
        *byte ^= 0xff;
    }
    let half = good[..good.len() / 2].to_vec();
    for bad in [
        Vec::new(),
        b"neither, and longer than a header".to_vec(),
        half,
        flipped,
    ] {
        fs::write(&path, &bad).unwrap();
        age(home.path(), damaged, "2026-09-01T23:00:00Z");
        let _ = fs::remove_file(home.paths().store());
        home.ingest(ZONE);
        // Its neighbours are read.
        assert!(home.dump()["questions"].len() >= 120);
        let found = home.writer(ZONE).damaged().unwrap();
        assert_eq!(found.len(), 1, "{damaged} {}", bad.len());
        assert_eq!(found[0].0, damaged);
        // It is not tried again, not sealed over and not dropped.
        assert_eq!(home.ingest(ZONE), Summary::default());
        day(home.path(), "2026-09-02", 1);
        home.ingest(ZONE);
        let everything = retention(Some(2), Some(70));
        let collected = gc(&home, &everything);
        let step = |name: &str| {
            let found = collected.iter().find(|one| one.planned.file_name == name);
            found.unwrap().planned.step.clone()
        };
        let kept = if bad.is_empty() {
            KeepReason::Empty
        } else {
            KeepReason::Damaged
        };
        assert_eq!(step(damaged), RetentionStep::Keep(kept));
        assert_eq!(fs::read(&path).unwrap(), bad);
        assert_eq!(step("2026-09-02.jsonl"), RetentionStep::Drop);
        day(home.path(), "2026-09-30", 1);
        let planned = gc(&home, &retention(Some(2), None));
        let late = planned
            .iter()
            .find(|one| one.planned.file_name == "2026-09-30.jsonl");
        assert_eq!(
            late.unwrap().planned.step,
            RetentionStep::Keep(KeepReason::MonthIsDamaged)
        );
        fs::remove_file(home.segment("2026-09-30.jsonl")).unwrap();
        // Once a whole file is in its place, what was missing is read.
        fs::write(&path, &good).unwrap();
        let _ = fs::remove_file(home.segment("2026-09-02.jsonl"));
        home.ingest(ZONE);
        assert!(home.writer(ZONE).damaged().unwrap().is_empty());
        assert_eq!(computed(&home), whole);
    }
}

/// Hooks with a wrong clock append to an old day as fast as they can while it is sealed over and over: no
/// line goes.
#[test]
fn nothing_that_a_hook_appends_meanwhile_is_lost() {
    let home = Home::new();
    let name = format!("{OLD}.jsonl");
    let segment = home.path().join("events").join(&name);
    let appending = std::thread::spawn({
        let segment = segment.clone();
        move || {
            for number in 0..1500 {
                let lines = question(OLD, number);
                plantune_domain::spool::append_to(&segment, lines.as_bytes()).unwrap();
            }
        }
    });
    let mut writer = home.writer(ZONE);
    let mut sealed = 0;
    let mut ended = false;
    while !ended {
        ended = appending.is_finished();
        if segment.exists() {
            age(home.path(), &name, "2026-10-01T23:00:00Z");
        }
        writer.ingest(&Progress::default()).unwrap();
        let collected = collect(&mut writer, &Retention::default());
        sealed += collected
            .iter()
            .filter(|one| one.planned.step == RetentionStep::Seal && one.freed.is_ok())
            .count();
    }
    appending.join().unwrap();
    drop(writer);
    assert!(sealed > 0);
    assert_eq!(computed(&home)["questions"].len(), 1500);
    home.ingest(ZONE);
    assert_eq!(home.dump()["questions"].len(), 1500);
    assert_eq!(query(&home, "SELECT count(*) FROM whole_log"), 3000);
}

// Months that are sealed.

#[test]
fn a_store_from_sealed_segments_is_the_same() {
    let home = home();
    home.ingest(ZONE);
    let before = home.dump();
    assert_eq!(seal(&home), 4);
    assert_eq!(names(home.path()), [SEALED, "2026-11-19.jsonl"]);
    let sealed = home.segment(SEALED);
    let metadata = fs::metadata(&sealed).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let events = 2 * (40 + 30 + 20 + 20) + 4;
    assert_eq!(check_sealed(&sealed).unwrap(), events);
    // Nothing is read again, and nothing is left to do.
    assert_eq!(home.ingest(ZONE), Summary::default());
    assert_eq!(seal(&home), 0);
    assert_eq!(home.dump(), before);
    assert_eq!(compare(&home.paths()).unwrap(), Some(vec![]));
    assert_eq!(computed(&home), before);
    // Readable by others: fields of later versions, too.
    let plain = Connection::open_in_memory().unwrap();
    let count = |sql: &str| -> u64 {
        let sql = sql.replace("SEALED", sealed.to_str().unwrap());
        plain.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count("SELECT count(DISTINCT id) FROM 'SEALED'"), events);
    let later = "SELECT count(*) FROM 'SEALED' WHERE extra = '{\"later\":[1]}'";
    assert_eq!(count(later), 4);
}

#[test]
fn the_view_has_each_event_once() {
    let home = home();
    home.ingest(ZONE);
    let all = 2 * (40 + 30 + 20 + 20 + 10) + 4;
    let count = || query(&home, "SELECT count(*) FROM whole_log");
    assert_eq!(count(), all);
    seal(&home);
    assert_eq!(count(), all);
    let answers = "SELECT count(*) FROM whole_log WHERE answer = ['B'] AND question_index = 0";
    assert!(query(&home, answers) > 0);
    // A hot segment that came later, with lines that are no events.
    home.append(
        "2026-11-20.jsonl",
        b"nothing\n{\"v\":2}\n{\"v\":1,\"id\":\"7\"}\n",
    );
    home.append("2026-11-20.jsonl", question("2026-11-20", 1).as_bytes());
    assert_eq!(count(), all + 2);
    gc(&home, &retention(None, Some(2)));
    let left = home.segment("2026-11-20.jsonl");
    assert_eq!(count(), 2 * 10 + 2);
    fs::remove_file(left).unwrap();
    fs::remove_file(home.segment("2026-11-19.jsonl")).unwrap();
    home.ingest(ZONE);
    assert_eq!(count(), 0);
    home.append("2026-11-20.jsonl", question("2026-11-20", 1).as_bytes());
    home.ingest(ZONE);
    assert_eq!(count(), 2);
}

#[test]
fn late_events_of_a_sealed_month_are_added_to_it() {
    let home = home();
    seal(&home);
    let sealed = home.segment(SEALED);
    let before = check_sealed(&sealed).unwrap();
    // A hook with a wrong clock; two of the events are there already.
    let name = format!("{OLD}.jsonl");
    home.append(&name, question(OLD, 100).as_bytes());
    home.append(&name, question(OLD, 1).as_bytes());
    assert_eq!(home.ingest(ZONE).events, 4);
    age(home.path(), &name, "2026-10-20T00:00:00Z");
    let expected = computed(&home);
    assert_eq!(seal(&home), 1);
    assert_eq!(names(home.path()), [SEALED, "2026-11-19.jsonl"]);
    assert_eq!(check_sealed(&sealed).unwrap(), before + 2);
    assert_eq!(home.ingest(ZONE), Summary::default());
    assert_eq!(home.dump(), expected);
    assert_eq!(computed(&home), expected);
}

#[test]
fn a_month_is_sealed_when_its_last_day_is_old_enough() {
    let home = home();
    home.ingest(ZONE);
    let steps = |now: &str, seal: u32| {
        let planned = plan(
            &home.paths(),
            &retention(Some(seal), None),
            now.parse().unwrap(),
        );
        planned.unwrap()[0].step.clone()
    };
    assert_eq!(
        steps("2026-10-14T00:00:00Z", 14),
        RetentionStep::Keep(KeepReason::Young { days: 13 })
    );
    assert_eq!(
        steps("2026-11-13T23:00:00Z", 14),
        RetentionStep::Keep(KeepReason::MonthIsOpen)
    );
    assert_eq!(steps("2026-11-14T00:00:00Z", 14), RetentionStep::Seal);
    assert_eq!(
        steps("2026-11-01T12:00:00Z", 0),
        RetentionStep::Keep(KeepReason::MonthIsOpen)
    );
    assert_eq!(steps("2026-11-02T00:00:00Z", 0), RetentionStep::Seal);
    let never = plan(&home.paths(), &retention(None, None), now()).unwrap();
    assert_eq!(
        never[0].step,
        RetentionStep::Keep(KeepReason::Young { days: 50 })
    );
}

// A log of some months, and what is done to it.

pub(crate) const OLD: &str = "2026-10-01";
pub(crate) const ZONE: &str = "UTC";
pub(crate) const SEALED: &str = "2026-10.parquet";

pub(crate) fn collect(writer: &mut Writer, retention: &Retention) -> Vec<Collected> {
    writer.gc(retention, now(), &Progress::default()).unwrap()
}

pub(crate) fn gc(home: &Home, retention: &Retention) -> Vec<Collected> {
    let mut writer = home.writer(ZONE);
    ingest(&mut writer);
    collect(&mut writer, retention)
}

/// Seals everything that may be, and returns how many segments that were.
pub(crate) fn seal(home: &Home) -> usize {
    let collected = gc(home, &Retention::default());
    let done = collected
        .iter()
        .filter(|one| one.planned.step == RetentionStep::Seal);
    done.inspect(|one| assert!(one.freed.is_ok(), "{one:?}"))
        .count()
}

pub(crate) fn retention(seal_after_days: Option<u32>, drop_after_days: Option<u32>) -> Retention {
    Retention {
        seal_after_days,
        drop_after_days,
    }
}

/// The content of a store that is computed from the log as it is now.
pub(crate) fn computed(home: &Home) -> Dump {
    let other = home.without_store();
    other.ingest(ZONE);
    other.dump()
}

pub(crate) fn query(home: &Home, sql: &str) -> u64 {
    let store = home.store();
    plantune_ingest::define_whole_log(&store, &home.paths().events()).unwrap();
    store.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A home with three old days, an import that holds the first of them again, and
/// yesterday.
pub(crate) fn home() -> Home {
    let home = Home::new();
    day(home.path(), OLD, 40);
    day(home.path(), "2026-10-02", 30);
    home.append("2026-10-02.jsonl", others("2026-10-02").as_bytes());
    age(home.path(), "2026-10-02.jsonl", "2026-10-02T23:00:00Z");
    day(home.path(), "2026-10-31", 20);
    let import = "import-claude-code-2026-10-03.jsonl";
    // As transcripts have them: a second later.
    let imported = questions(OLD, 20)
        .replace("\"hook\"", "\"import:claude-code\"")
        .replace(":00.000Z", ":01.000Z");
    home.append(import, imported.as_bytes());
    home.append(import, questions("2025-03-01", 20).as_bytes());
    age(home.path(), import, "2026-10-03T12:00:00Z");
    day(home.path(), "2026-11-19", 10);
    home
}
