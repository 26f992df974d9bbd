//! What goes when, and what stays whatever happens.

use std::fs;
use std::os::unix::fs::symlink;

use crate::segments::{age, day, names, question, questions};
use plantune_domain::config::Retention;
use plantune_ingest::{Progress, Step, Summary, Why, check_sealed, plan};

use super::months::*;
use crate::home::{Home, now};

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
            fs::create_dir(home.path().join("plantune.duckdb.seal.tmp")).unwrap();
            fs::write(home.path().join("plantune.duckdb.seal.tmp/x"), "x").unwrap();
        }
        home.ingest(ZONE);
        assert_eq!(home.dump(), expected, "{state}");
        seal(&home);
        assert_eq!(home.dump(), expected, "{state}");
        assert_eq!(names(home.path()), [SEALED, "2026-11-19.jsonl"]);
        assert!(!home.path().join("plantune.duckdb.seal.tmp").exists());
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
            ("2026-10-05.jsonl", &keep(Why::Quarantined { lines: 1 })),
            ("2026-10-06.jsonl.bak", &keep(Why::Unknown)),
            ("2026-10-07.jsonl", &keep(Why::Unknown)),
            ("2026-10-08.jsonl", &keep(Why::NotRead { bytes })),
            ("2026-11-03.jsonl", &keep(Why::MonthIsOpen)),
            ("2026-11-10.jsonl", &keep(Why::Young { days: 10 })),
            ("2026-11-19.jsonl", &keep(Why::DayIsOpen)),
            ("2026-11-20.jsonl", &keep(Why::DayIsOpen)),
            ("2027-01-01.jsonl", &keep(Why::DayIsOpen)),
            ("notes.jsonl", &keep(Why::Unknown)),
        ]
    );
    let before = names(home.path());
    // Replaced by another file since it was read.
    let replaced = home.segment("2026-11-10.jsonl");
    fs::write(replaced, questions("2026-11-11", 3)).unwrap();
    age(home.path(), "2026-11-10.jsonl", "2026-10-06T00:00:00Z");
    let planned = plan(&home.paths(), &everything, now()).unwrap();
    assert_eq!(planned[9].step, Step::Keep(Why::Replaced));
    let collected = collect(&mut home.writer(ZONE), &everything);
    assert!(
        collected
            .iter()
            .all(|one| matches!(one.planned.step, Step::Keep(_)))
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
            Step::Drop,
            Step::Keep(Why::Quarantined { lines: 1 }),
            Step::Keep(Why::Young { days: 20 }),
            Step::Keep(Why::DayIsOpen),
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
            Why::Empty
        } else {
            Why::Damaged
        };
        assert_eq!(step(damaged), Step::Keep(kept));
        assert_eq!(fs::read(&path).unwrap(), bad);
        assert_eq!(step("2026-09-02.jsonl"), Step::Drop);
        day(home.path(), "2026-09-30", 1);
        let planned = gc(&home, &retention(Some(2), None));
        let late = planned
            .iter()
            .find(|one| one.planned.file_name == "2026-09-30.jsonl");
        assert_eq!(late.unwrap().planned.step, Step::Keep(Why::MonthIsDamaged));
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
            .filter(|one| one.planned.step == Step::Seal && one.freed.is_ok())
            .count();
    }
    appending.join().unwrap();
    drop(writer);
    assert!(sealed > 0);
    assert_eq!(computed(&home)["questions"].len(), 1500);
    home.ingest(ZONE);
    assert_eq!(home.dump()["questions"].len(), 1500);
    assert_eq!(query(&home, "SELECT count(*) FROM events"), 3000);
}
