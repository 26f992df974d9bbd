//! A sealed month that is gone or damaged comes back from the store.

use std::fs;

use plantune_ingest::{Error, LostMonth, Progress, RebuildReason, Writer, check_sealed, compare};

use crate::home::{Home, assert_same};
use crate::order::events;
use crate::retention::{computed, home, query, retention, seal};
use crate::segments::{age, day, names, others, question};

const ZONE: &str = "UTC";
const SEALED: &str = "2026-10.parquet";

/// A prompt for permission and its answer, with every field.
const PROMPT: &str = r#"{"v":1,"id":"0123456789abcdef0123456789abcdef","ts":"2026-10-05T10:00:00.000Z","kind":"permission_asked","session_id":"s1","session_kind":"interactive","project":"p","cwd":"/w","permission_mode":"default","entrypoint":"cli","source":"hook","tool_name":"Bash","skill":"review","subject":"Bash(npm test)","reach":"project","input":"npm test","input_digest":"d1","suggestions":["Bash(npm test *)"],"transcript":"/t"}
{"v":1,"id":"1123456789abcdef0123456789abcdef","ts":"2026-10-05T10:00:09.500Z","kind":"permission_granted","session_id":"s1","session_kind":"interactive","project":"p","cwd":"/w","agent_id":"a","agent":"codex","source":"import:codex","tool_name":"Bash","tool_use_id":"toolu_9","mcp_server":"m","subject":"Bash(npm test)","asked_id":"0123456789abcdef0123456789abcdef","called_at":"2026-10-05T10:00:00.125Z","grant":"once","waited_seconds":9.5,"ambiguous":false,"reason":"r","free_text":"yes, do","calls":2}
"#;

/// A home whose past month is sealed, with events of every kind.
fn sealed() -> Home {
    let home = home();
    let lines: Vec<u8> = events(300).concat();
    let lines = String::from_utf8(lines)
        .unwrap()
        .replace("\"2026-11-", "\"2026-10-");
    home.append("2026-10-20.jsonl", lines.as_bytes());
    home.append("2026-10-20.jsonl", PROMPT.as_bytes());
    age(home.path(), "2026-10-20.jsonl", "2026-10-20T23:00:00Z");
    home.ingest(ZONE);
    seal(&home);
    assert_eq!(names(home.path()), [SEALED, "2026-11-19.jsonl"]);
    home
}

/// The months that only the store holds.
fn lost(home: &Home) -> Vec<LostMonth> {
    home.writer(ZONE).lost_months().unwrap()
}

fn restore(home: &Home) -> plantune_ingest::Restored {
    let mut writer: Writer = home.writer(ZONE);
    let lost = writer.lost_months().unwrap();
    writer
        .restore_month(&lost[0], &Progress::default())
        .unwrap()
}

#[test]
fn a_month_that_is_lost_stays_in_the_store_and_comes_back_from_it() {
    for is_damaged in [false, true] {
        let home = sealed();
        let path = home.segment(SEALED);
        let whole = fs::read(&path).unwrap();
        let before = home.dump();
        assert_eq!(lost(&home), []);
        if is_damaged {
            let mut bytes = whole.clone();
            bytes[whole.len() / 2] ^= 1;
            fs::write(&path, bytes).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        // What is new is loaded beside it, and nothing is computed again.
        home.append("2026-11-20.jsonl", question("2026-11-20", 1).as_bytes());
        let summary = home.ingest(ZONE);
        assert_eq!((summary.events, summary.computed), (2, None));
        assert_eq!(home.ingest(ZONE).events, 0);
        let found = lost(&home);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].segment, SEALED);
        assert_eq!(found[0].damage.is_some(), is_damaged, "{found:?}");
        assert!(found[0].events > 700, "{found:?}");
        let with_new = home.dump();
        assert_eq!(with_new["questions"].len(), before["questions"].len() + 1);

        let restored = restore(&home);
        assert_eq!(check_sealed(&path).unwrap(), restored.events);
        assert_eq!(restored.damaged.is_some(), is_damaged);
        let aside = home.segment("2026-10.parquet.damaged");
        assert_eq!(aside.exists(), is_damaged);
        assert_eq!(lost(&home), []);
        assert_eq!(home.ingest(ZONE).computed, None);
        assert_same(&home.dump(), &with_new);
        assert_eq!(compare(&home.paths()).unwrap(), Some(vec![]));
        assert_same(&computed(&home), &with_new);
        // A copy from a backup that turns up is taken for what it is.
        fs::write(&path, &whole).unwrap();
        let summary = home.ingest(ZONE);
        let changed = RebuildReason::LogChanged(SEALED.to_owned());
        assert_eq!(summary.computed, Some(changed));
        assert_same(&home.dump(), &with_new);
    }
}

#[test]
fn nothing_computes_the_store_again_that_is_the_only_copy_unless_asked() {
    let home = sealed();
    fs::remove_file(home.segment(SEALED)).unwrap();
    let before = home.dump();
    let refused = |zone: &str| {
        let error = home.writer(zone).ingest(&Progress::default()).unwrap_err();
        assert!(
            matches!(&error, Error::OnlyCopy { months, .. } if months == &[SEALED]),
            "{error}"
        );
    };
    // Another time zone; a segment that is gone, too; a run that was killed.
    refused("America/New_York");
    assert_same(&home.dump(), &before);
    let hot = home.segment("2026-11-19.jsonl");
    let lines = fs::read(&hot).unwrap();
    fs::remove_file(&hot).unwrap();
    refused(ZONE);
    fs::write(&hot, lines).unwrap();
    age(home.path(), "2026-11-19.jsonl", "2026-11-19T23:00:00Z");
    assert_same(&home.dump(), &before);
    // Nor does a drop of old events.
    let mut writer = home.writer(ZONE);
    let collected = writer
        .gc(
            &retention(None, Some(0)),
            crate::home::now() + chrono::TimeDelta::days(9),
            &Progress::default(),
        )
        .unwrap();
    assert!(
        collected.iter().all(|one| matches!(&one.freed, Ok(0))),
        "{collected:?}"
    );
    drop(writer);
    assert_same(&home.dump(), &before);
    // Once it is back, all of that goes on.
    restore(&home);
    assert!(home.ingest("America/New_York").computed.is_some());

    // Whoever asks gets it.
    fs::remove_file(home.segment(SEALED)).unwrap();
    let mut writer = home.writer("America/New_York");
    writer.discard();
    writer.ingest(&Progress::default()).unwrap();
    drop(writer);
    assert_eq!(home.dump()["questions"].len(), 10);
}

/// A disk that loses a bit leaves the time of the file as it was.
#[test]
fn a_bit_that_nobody_wrote_is_found_before_the_store_is_computed_again() {
    let home = sealed();
    let before = home.dump();
    let path = home.segment(SEALED);
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 8;
    fs::write(&path, bytes).unwrap();
    fs::File::open(&path)
        .unwrap()
        .set_modified(written)
        .unwrap();
    assert_eq!(home.ingest(ZONE).computed, None);
    let error = home
        .writer("Asia/Tokyo")
        .ingest(&Progress::default())
        .unwrap_err();
    assert!(matches!(error, Error::OnlyCopy { .. }), "{error}");
    assert!(lost(&home)[0].damage.is_some());
    restore(&home);
    assert_same(&computed(&home), &before);
}

#[test]
fn the_store_of_a_run_that_was_killed_gives_the_month_back() {
    let home = sealed();
    let before = home.dump();
    fs::remove_file(home.segment(SEALED)).unwrap();
    fs::write(home.paths().store().with_added_extension("wal"), b"").unwrap();
    let error = home.writer(ZONE).ingest(&Progress::default()).unwrap_err();
    assert!(matches!(error, Error::OnlyCopy { .. }), "{error}");
    restore(&home);
    let summary = home.ingest(ZONE);
    assert_eq!(summary.computed, Some(RebuildReason::Unfinished));
    assert_same(&home.dump(), &before);
}

#[test]
fn events_of_other_months_in_a_lost_file_come_back_too_and_others_not_twice() {
    let home = home();
    day(home.path(), "2026-09-03", 5);
    home.append("2026-09-03.jsonl", others("2026-09-03").as_bytes());
    age(home.path(), "2026-09-03.jsonl", "2026-09-03T23:00:00Z");
    home.ingest(ZONE);
    seal(&home);
    // The ids of a session's events are not in the store, and no row comes from an unknown kind.
    let sql =
        "SELECT count(*) FROM whole_log WHERE kind NOT IN ('not_known_yet', 'session_started')";
    let events = query(&home, sql);
    let before = home.dump();
    // `home` has questions of March 2025 in an import of October.
    for name in ["2026-09.parquet", SEALED] {
        fs::remove_file(home.segment(name)).unwrap();
    }
    assert_eq!(lost(&home).len(), 2);
    restore(&home);
    assert_eq!(lost(&home).len(), 1);
    restore(&home);
    assert_same(&computed(&home), &before);
    assert_eq!(query(&home, sql), events);
}
