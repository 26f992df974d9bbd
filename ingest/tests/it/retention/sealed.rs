//! Months that are sealed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::segments::{age, day, names, question};
use duckdb::Connection;
use plantune_ingest::{Step, Summary, Why, check_sealed, compare, plan};

use super::months::*;
use crate::home::now;

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
fn a_sealed_month_of_an_earlier_version_lacks_new_fields() {
    let home = home();
    day(home.path(), "2026-09-01", 10);
    home.ingest(ZONE);
    seal(&home);
    let questions = query(&home, "SELECT count(*) FROM questions");
    let events = query(
        &home,
        "SELECT count(*) FROM events WHERE descriptions IS NULL",
    );
    let mut months: Vec<PathBuf> = fs::read_dir(home.path().join("events"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "parquet"))
        .collect();
    months.sort();
    assert!(months.len() > 1, "one with the fields, one without");
    let (whole, earlier) = (&months[1], home.path().join("earlier"));
    let sql = "SET VARIABLE digest = (SELECT max(decode(value)) FROM parquet_kv_metadata('WHOLE'));
        COPY (SELECT * EXCLUDE (descriptions, previews) FROM 'WHOLE') TO 'EARLIER'
        (FORMAT parquet, KV_METADATA {plantune_digest: getvariable('digest')})"
        .replace("WHOLE", whole.to_str().unwrap())
        .replace("EARLIER", earlier.to_str().unwrap());
    Connection::open_in_memory()
        .unwrap()
        .execute_batch(&sql)
        .unwrap();
    fs::rename(&earlier, whole).unwrap();
    fs::remove_file(home.paths().store()).unwrap();
    home.ingest(ZONE);
    assert_eq!(query(&home, "SELECT count(*) FROM questions"), questions);
    assert_eq!(
        query(
            &home,
            "SELECT count(*) FROM events WHERE descriptions IS NULL"
        ),
        events
    );
}

#[test]
fn the_view_has_each_event_once() {
    let home = home();
    home.ingest(ZONE);
    let all = 2 * (40 + 30 + 20 + 20 + 10) + 4;
    let count = || query(&home, "SELECT count(*) FROM events");
    assert_eq!(count(), all);
    seal(&home);
    assert_eq!(count(), all);
    let answers = "SELECT count(*) FROM events WHERE answer = ['B'] AND question_index = 0";
    assert!(query(&home, answers) > 0);
    // A hot segment that came later, with lines that are no events.
    home.append(
        "2026-11-20.jsonl",
        b"nothing\n{\"v\":2}\n{\"v\":1,\"id\":\"7\"}\n",
    );
    home.append("2026-11-20.jsonl", question("2026-11-20", 1).as_bytes());
    assert_eq!(count(), all + 2);
    // It is made by every run that finds a new segment.
    gc(&home, &retention(None, Some(2)));
    let left = home.segment("2026-11-20.jsonl");
    assert_eq!(count(), 2 * 10 + 2);
    fs::remove_file(left).unwrap();
    fs::remove_file(home.segment("2026-11-19.jsonl")).unwrap();
    home.ingest(ZONE);
    let views = "SELECT count(*) FROM duckdb_views() WHERE view_name = 'events'";
    assert_eq!(query(&home, views), 0);
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
        Step::Keep(Why::Young { days: 13 })
    );
    assert_eq!(
        steps("2026-11-13T23:00:00Z", 14),
        Step::Keep(Why::MonthIsOpen)
    );
    assert_eq!(steps("2026-11-14T00:00:00Z", 14), Step::Seal);
    assert_eq!(
        steps("2026-11-01T12:00:00Z", 0),
        Step::Keep(Why::MonthIsOpen)
    );
    assert_eq!(steps("2026-11-02T00:00:00Z", 0), Step::Seal);
    let never = plan(&home.paths(), &retention(None, None), now()).unwrap();
    assert_eq!(never[0].step, Step::Keep(Why::Young { days: 50 }));
}
