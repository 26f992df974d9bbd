//! Reports that rest on a projection say what those on all events say, and say what they rest on; what is to be
//! forgotten is in none, and what is not as it was written is not used.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may panic, its helpers too, and its files are its own"
)]

mod home;

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Instant;

use home::random::{Random, random_log, random_prompts};
use home::{Fleet, Machine, answered};
use serde_json::Value;

/// A lake of five machines, of calls of which anything may have become.
fn lake(seed: u64) -> (Fleet, Vec<Machine>) {
    let fleet = Fleet::new();
    let mut random = Random(seed);
    let mut machines = Vec::new();
    for number in 0..5 {
        let machine = fleet.member(&format!("m{number}"), &["--level", "keys-and-labels"]);
        let mut events = random_log(&mut random, 60);
        events.extend(random_prompts(&mut random, 30));
        for event in &mut events {
            match random.below(30) {
                0 => event.door = Some("one-way".into()),
                1 => event.multi_select = Some(true),
                2..6 => event.assisted = Some(true),
                _ => {}
            }
        }
        // What all answer alike, once plainly, once of a key that one machine calls one-way.
        for (key, door) in [("plan-layout", "two-way"), ("plan-delete", "one-way")] {
            for day in 10..13 {
                let call = format!("{number} {key} {day}");
                let mut alike = answered(&call, &format!("2026-11-{day}T10:00:00Z"), 20, "Yes");
                for event in &mut alike {
                    event.question_key = Some(key.into());
                    event.door = Some(if number == 3 { door } else { "two-way" }.into());
                }
                events.extend(alike);
            }
        }
        machine.log(&events);
        machine.text(&["push"]);
        machine.configure("k = 2\naway_after_minutes = 1");
        machines.push(machine);
    }
    (fleet, machines)
}

fn json(machine: &Machine, words: &[&str]) -> Value {
    serde_json::from_str(&machine.text(words)).unwrap()
}

/// What a report says of what it rests on, taken out of it.
fn rests_on(report: &mut Value) -> (Option<u64>, Option<String>) {
    let lake = report["lake"].as_object_mut().unwrap();
    let at = lake.remove("computed_at");
    let since = lake.remove("files_since");
    assert_eq!(at.is_some(), since.is_some());
    let why = lake.remove("not_used");
    (
        since.map(|since| since.as_u64().unwrap()),
        why.map(|why| why.as_str().unwrap().to_owned()),
    )
}

/// The manifests of the lake.
fn manifests(fleet: &Fleet) -> Vec<PathBuf> {
    let folder = fleet.lake().join("projections/v1");
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    found.sort();
    found
}

/// The files of the one projection's `table`.
fn files(fleet: &Fleet, table: &str) -> Vec<PathBuf> {
    let folder = manifests(fleet)[0].with_extension("").join(table);
    let entries = fs::read_dir(folder).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

const ALL: [&str; 4] = ["report", "--since", "2000-01-01", "--json"];

#[test]
fn a_report_says_the_same_of_a_projection_as_of_all_events() {
    let (fleet, machines) = lake(1);
    let reader = &machines[0];
    let periods: [&[&str]; 5] = [
        &ALL,
        &["report", "--json"],
        &[
            "report",
            "--since",
            "2026-11-05",
            "--until",
            "2026-11-12",
            "--json",
        ],
        &["report", "--week", "2026-W46", "--json"],
        &["adopt", "--since", "2026-10-01", "--json"],
    ];
    let before = periods.map(|words| json(reader, words));
    assert!(before[0]["totals"]["questions"].as_u64() > Some(50));
    assert!(!before[0]["permissions"].is_null());
    let starters = before[4]["starters"].as_array().unwrap();
    let starters: Vec<&Value> = starters.iter().map(|one| &one["question_key"]).collect();
    assert_eq!(starters, ["plan-layout"]);
    let said = reader.text(&["prepare"]);
    assert!(
        said.starts_with("computed ") && said.contains(" in 1"),
        "{said}"
    );
    assert!(files(&fleet, "questions").len() > 2, "a file a week");
    for (words, expected) in periods.iter().zip(&before) {
        let fresh = json(reader, &[*words, &["--fresh"]].concat());
        assert_eq!(fresh, *expected);
        let mut found = json(reader, words);
        if words[0] == "report" {
            assert_eq!(rests_on(&mut found), (Some(0), None));
        }
        assert_eq!(found, *expected, "{words:?}");
    }
    let said = reader.text(&["report", "--since", "2026-01-01"]);
    assert!(
        said.contains("computed 2026-11-22 12:00 (UTC) from"),
        "{said}"
    );
    let page = reader.text(&["report", "--html", "-"]);
    assert!(page.contains("no file has come since"), "{page}");
}

#[test]
fn what_came_since_is_counted_and_merged_files_are_not_new() {
    let (fleet, mut machines) = lake(3);
    machines[0].now = "2026-11-22T11:00:00Z".to_owned();
    let reader = &machines[0];
    let before = json(reader, &ALL);
    reader.text(&["prepare"]);
    // A compaction changes names, and nothing else.
    machines[1].text(&["compact"]);
    let mut found = json(reader, &ALL);
    assert_eq!(rests_on(&mut found), (Some(0), None));
    assert_eq!(found, before);
    let late = |machine: &Machine, call: &str| {
        machine.log(&answered(call, "2026-11-19T10:00:00Z", 20, "Yes"));
        machine.text(&["push"]);
    };
    late(&machines[2], "late");
    late(&machines[3], "later");
    for merged in [false, true] {
        if merged {
            machines[1].text(&["compact"]);
        }
        let mut found = json(reader, &ALL);
        assert_eq!(rests_on(&mut found), (Some(2), None), "{merged}");
        assert_eq!(found, before);
        let said = reader.text(&["report", "--since", "2026-01-01"]);
        let words = "2 files have come since (--fresh reads all events)";
        assert!(said.replace("\n  ", " ").contains(words), "{said}");
        let said = reader.text(&["status"]);
        assert!(
            said.contains("projection of 2026-11-22 11:00") && said.contains("2 files have come"),
            "{said}"
        );
    }
    let fresh = json(reader, &[&ALL[..], &["--fresh"]].concat());
    assert_ne!(fresh["totals"], before["totals"]);
    // Twelve o'clock.
    machines[1].text(&["prepare"]);
    let mut found = json(reader, &ALL);
    assert_eq!(rests_on(&mut found), (Some(0), None));
    assert_eq!(found, fresh);
    assert_eq!(manifests(&fleet).len(), 2);
}

#[test]
fn what_is_forgotten_is_in_no_report_and_that_is_said() {
    let (fleet, machines) = lake(4);
    let reader = &machines[0];
    reader.text(&["prepare"]);
    machines[2].text(&["forget", "--everything", "--yes"]);
    let mut found = json(reader, &ALL);
    let (since, why) = rests_on(&mut found);
    assert_eq!(since, None);
    assert!(
        why.unwrap()
            .contains("what is to be forgotten has changed since")
    );
    assert_eq!(found["lake"]["publishers"], 4);
    assert_eq!(found, json(reader, &[&ALL[..], &["--fresh"]].concat()));
    let said = reader.text(&["status"]);
    assert!(
        said.contains("is not used: what is to be forgotten"),
        "{said}"
    );
    reader.text(&["prepare"]);
    let mut again = json(reader, &ALL);
    assert_eq!(rests_on(&mut again), (Some(0), None));
    assert_eq!(again, found);
    // The one that held what was forgotten is gone; a compaction removes such, too.
    assert_eq!(manifests(&fleet).len(), 1);
    machines[1].text(&["forget", "--everything", "--yes"]);
    reader.text(&["compact"]);
    let left = fs::read_dir(fleet.lake().join("projections/v1")).unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn what_is_not_as_it_was_written_is_not_used() {
    let (fleet, machines) = lake(5);
    let reader = &machines[0];
    let before = json(reader, &ALL);
    reader.text(&["prepare"]);
    let manifest = manifests(&fleet).remove(0);
    let file = files(&fleet, "questions").remove(1);
    let (text, content) = (
        fs::read_to_string(&manifest).unwrap(),
        fs::read(&file).unwrap(),
    );
    let check = |expected: &str| {
        let mut found = json(reader, &ALL);
        let (since, why) = rests_on(&mut found);
        let why = why.unwrap_or_default();
        assert!(
            since.is_none() && why.contains(expected),
            "{expected}: {since:?} {why}"
        );
        assert_eq!(found, before, "{expected}");
        fs::write(&manifest, &text).unwrap();
        fs::write(&file, &content).unwrap();
    };
    let changed = |from: &str, to: &str| {
        let other = text.replacen(from, to, 1);
        assert_ne!(other, text);
        fs::write(&manifest, other).unwrap();
    };
    // Bytes in the middle, the end, the whole of a file.
    let mut pages = content.clone();
    let middle = pages.len() / 3;
    pages[4..middle].fill(0xa5);
    fs::write(&file, pages).unwrap();
    check("damaged: ");
    let mut end = content.clone();
    let place = end.len() - 40;
    end[place..].fill(0xa5);
    fs::write(&file, end).unwrap();
    check("damaged: ");
    fs::remove_file(&file).unwrap();
    check("is not as it was written");
    // A file that another took the place of, with as many bytes.
    let rows = "\"rows\":";
    let place = text.find("questions/week").unwrap();
    let (head, tail) = text.split_at(place);
    fs::write(
        &manifest,
        format!("{head}{}", tail.replacen(rows, "\"rows\":1", 1)),
    )
    .unwrap();
    check("rows of");
    changed("\"key_check\":\"", "\"key_check\":\"0");
    check("another key");
    changed("\"queries\":\"", "\"queries\":\"0");
    check("another version");
    changed("\"plantune_projection\":1", "\"plantune_projection\":2");
    check("another version");
    changed("questions/week", "questions/../week");
    check("is not as it was written");
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    check("damaged: ");
    // Events that it rests on, removed by hand: a report on events says that they are missing.
    fs::remove_file(&fleet.files()[0]).unwrap();
    let mut found = json(reader, &ALL);
    let (since, why) = rests_on(&mut found);
    assert!(since.is_none() && why.unwrap().contains("are gone"));
    assert_ne!(found, before);
}

#[test]
fn killed_at_any_moment_and_beside_each_other_reports_stay_right() {
    let (fleet, machines) = lake(7);
    let (reader, one, other, third) = (&machines[0], &machines[1], &machines[2], &machines[3]);
    let expected = json(reader, &ALL);
    let start = |machine: &Machine, words: &[&str]| {
        let mut command = machine.command(words);
        command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let began = Instant::now();
    one.text(&["prepare"]);
    let whole = began.elapsed();
    for path in manifests(&fleet) {
        fs::remove_dir_all(path.with_extension("")).unwrap();
        fs::remove_file(path).unwrap();
    }
    // Killed after each tenth of the time that a whole run takes; in the last rounds it may be done before.
    let mut kills = 0;
    for tenth in 1..=12 {
        let mut child = start(one, &["prepare"]);
        sleep(whole * tenth / 10);
        child.kill().unwrap();
        kills += u32::from(child.wait().unwrap().code().is_none());
        let mut found = json(reader, &ALL);
        let (_, why) = rests_on(&mut found);
        assert_eq!((found, why), (expected.clone(), None), "{tenth}");
    }
    // Two at once, beside a compaction and readers.
    let mut running = vec![
        start(one, &["prepare"]),
        start(other, &["prepare"]),
        start(third, &["compact"]),
    ];
    while running
        .iter_mut()
        .any(|child| child.try_wait().unwrap().is_none())
    {
        let mut found = json(reader, &ALL);
        let (since, why) = rests_on(&mut found);
        assert_eq!((since.unwrap_or(0), why), (0, None));
        // A report on events counts files that are merged.
        let (mut found, mut expected) = (found, expected.clone());
        for report in [&mut found, &mut expected] {
            report["lake"]["files"] = Value::Null;
            report["lake"]["rows"] = Value::Null;
        }
        assert_eq!(found, expected);
    }
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", home::text(&output.stderr));
    }
    let found = json(reader, &ALL);
    assert_eq!(found["totals"], expected["totals"]);
    assert_eq!(found["lake"]["files_since"], 0);
    assert!(manifests(&fleet).len() <= 2 + 2);
    println!("{kills} of 12 runs were killed, each within {whole:?}");
    assert!(kills > 5);
}

#[test]
fn the_newest_two_stay_and_leftovers_go_after_a_day() {
    let (fleet, machines) = lake(6);
    let mut reader = machines.into_iter().next().unwrap();
    let folder = fleet.lake().join("projections/v1");
    reader.text(&["prepare"]);
    let first = manifests(&fleet).remove(0);
    // What a killed run left, long ago by the machine's clock of later.
    let left = folder.join("00000000000000aa/questions");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("week-2026-11-16.parquet"), "half").unwrap();
    fs::write(left.join("week-2026-11-16.parquet#1"), "half").unwrap();
    let theirs = folder.join("notes");
    fs::create_dir_all(&theirs).unwrap();
    reader.now = "2026-11-22T13:00:00Z".to_owned();
    assert!(!reader.text(&["prepare"]).contains("removed"));
    assert!(left.exists() && manifests(&fleet).len() == 2);
    reader.now = "2099-01-01T13:00:00Z".to_owned();
    let said = reader.text(&["prepare"]);
    assert!(said.contains("removed 1 old projection"), "{said}");
    assert!(!left.exists() && !folder.join("00000000000000aa").exists() && theirs.exists());
    assert!(manifests(&fleet).len() == 2 && !first.exists());
    assert!(!first.with_extension("").exists());
}
