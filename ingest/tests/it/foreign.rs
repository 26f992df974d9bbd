//! Bytes that are no events, and segments that are not what they were: the store holds every good event of
//! the log as it is, and every bad line.

use std::fs;
use std::fs::File;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use plantune_domain::config::Retention;
use plantune_domain::event::{Event, SCHEMA_VERSION};
use plantune_domain::spool;
use plantune_ingest::{Progress, RebuildReason, RetentionStep, Summary, is_current};

use crate::chance::Chance;
use crate::home::{Home, ingest, now};

const ZONE: &str = "UTC";

const TODAY: &str = "2026-11-20.jsonl";

/// One line, without its newline.
fn line(number: u32) -> String {
    worded(
        number,
        &format!("Question {number:03}, worded so that lines are not short?"),
    )
}

fn worded(number: u32, question: &str) -> String {
    let event = Event {
        v: SCHEMA_VERSION,
        id: format!("{number:032x}").into(),
        ts: format!("2026-11-20T09:{:02}:00.000Z", number % 60).into(),
        kind: "asked".into(),
        session_id: "s".into(),
        session_kind: "interactive".into(),
        project: "p".into(),
        cwd: "/p".into(),
        source: "hook".into(),
        tool_use_id: Some(format!("t{number:03}").into()),
        question_index: Some(0),
        question_count: Some(1),
        question_key: Some("k".into()),
        key_source: Some("marker".into()),
        question: Some(question.to_owned().into()),
        door: Some("two-way".into()),
        ..Event::default()
    };
    let mut line = event.to_line().unwrap();
    line.pop();
    String::from_utf8(line).unwrap()
}

fn lines(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let whole = |number| format!("{}\n", line(number));
    numbers.into_iter().map(whole).collect::<String>().into()
}

/// The numbers of the questions in the store.
fn events(home: &Home) -> Vec<u32> {
    let calls = home.texts("SELECT tool_use_id FROM questions ORDER BY tool_use_id");
    let number = |call: &String| call.trim_start_matches('t').parse().unwrap();
    calls.iter().map(number).collect()
}

/// Segment, offset, length and reason of what is in quarantine.
fn quarantine(home: &Home) -> Vec<(String, u64, u64, String)> {
    let store = home.store();
    let sql = "SELECT segment, \"offset\", length, reason FROM quarantine ORDER BY ALL";
    let mut statement = store.prepare(sql).unwrap();
    let columns = |row: &duckdb::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    let rows = statement.query_map([], columns).unwrap();
    rows.map(Result::unwrap).collect()
}

fn numbers(range: std::ops::RangeInclusive<u32>) -> Vec<u32> {
    range.collect()
}

#[test]
fn foreign_bytes_of_every_kind() {
    let good = |number| line(number).into_bytes();
    let positional =
        br#"[1,"000000000000000000000000000000aa","2026-11-20T10:00:00.000Z","asked"]"#;
    let bad: Vec<(Vec<u8>, &str)> = vec![
        (good(90)[..40].to_vec(), "torn line"),
        (vec![0; 600], "not JSON"),
        (b"\xff\xfe\xff".to_vec(), "not UTF-8"),
        ([&good(91)[..], b"\xc3"].concat(), "not UTF-8"),
        ([&good(92)[..], &[0; 10]].concat(), "not JSON"),
        (b"x".repeat(10 * 1024 * 1024), "line of 10485760 bytes"),
        (positional.to_vec(), "not an event: JSON, but no object"),
        (b"17".to_vec(), "not an event: JSON, but no object"),
        (br#""text""#.to_vec(), "not an event: JSON, but no object"),
        (b"{}".to_vec(), "not an event: no v"),
        (
            line(93).replace("\"v\":1", "\"v\":2").into(),
            "schema version 2",
        ),
        (
            line(93).replace("\"v\":1", "\"v\":\"1\"").into(),
            "not an event: invalid type",
        ),
        (
            line(93).replace("\"id\"", "\"di\"").into(),
            "not an event: no id",
        ),
        (
            line(93).replace("\"ts\"", "\"st\"").into(),
            "not an event: no ts",
        ),
        (line(93).replace("T09:", "T9:").into(), "not an event: ts"),
        (
            line(93).replace("\"cwd\":\"/p\"", "\"cwd\":7").into(),
            "not an event: invalid type",
        ),
        (
            line(93).replace("\"cwd\":\"/p\"", "\"cwd\":[[]]").into(),
            "not an event: invalid type",
        ),
        (
            line(93).replace("\"k\"", "null,\"kind\":\"x\"").into(),
            "not an event: duplicate field",
        ),
        (line(93).replace("two-way", "\\ud800").into(), "not JSON"),
        (b"[".repeat(300_000), "torn line"),
        (b"<html>".to_vec(), "not JSON"),
    ];
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    let mut expected = Vec::new();
    for (number, (line, reason)) in (1u32..).zip(&bad) {
        bytes.extend(good(number));
        bytes.extend(if number % 2 == 0 {
            &b"\n"[..]
        } else {
            b"\r\n\r\n"
        });
        expected.push((bytes.len() as u64, line.len() as u64, *reason));
        bytes.extend(line);
        bytes.push(b'\n');
    }
    let count = bad.len() as u32;
    let deep = format!(",\"new\":{}{}", "[".repeat(9000), "]".repeat(9000));
    bytes.extend(
        line(count + 1)
            .replace(",\"door\"", &(deep + ",\"door\""))
            .bytes(),
    );
    bytes.extend(b"\r\n");
    bytes.extend(worded(count + 2, "a \u{0} \u{1b}[31m \u{fffe} \u{10ffff}").bytes());
    bytes.extend(b"\n\xef\xbb\xbf");
    bytes.extend(lines([count + 3]));

    let home = Home::new();
    home.put(TODAY, &bytes);
    let done = home.ingest(ZONE);
    assert_eq!(
        (done.events, done.quarantined),
        (u64::from(count) + 3, u64::from(count))
    );
    assert_eq!(events(&home), numbers(1..=count + 3));
    let found = quarantine(&home);
    assert_eq!(found.len(), expected.len());
    for ((segment, offset, length, reason), expected) in found.iter().zip(&expected) {
        assert_eq!(
            (segment.as_str(), *offset, *length),
            (TODAY, expected.0, expected.1)
        );
        assert!(reason.starts_with(expected.2), "{reason} / {}", expected.2);
    }
    let kept = "SELECT max(octet_length(bytes))::VARCHAR FROM quarantine";
    assert_eq!(home.texts(kept), ["65536"]);
    // Once, also when all of it is read again.
    home.tamper("DELETE FROM segments");
    let again = home.ingest(ZONE);
    assert_eq!(
        (again.events, again.quarantined),
        (done.events, done.quarantined)
    );
    assert_eq!(quarantine(&home), found);
    home.assert_computed(ZONE);
    let text = "SELECT question FROM questions WHERE contains(question, chr(27))";
    assert_eq!(home.texts(text), ["a \u{0} \u{1b}[31m \u{fffe} \u{10ffff}"]);
}

#[test]
#[ignore = "takes long: make test-long"]
fn thousands_of_bad_lines_and_segments() {
    const LINES: u32 = 10_000;
    let home = Home::new();
    let bad = |number: u32| format!("{{\"v\":1,\"bad\":{number}}}\n");
    let mut bytes: Vec<u8> = (0..LINES)
        .flat_map(|number| bad(number).into_bytes())
        .collect();
    bytes.extend(lines([1]));
    home.put("a.jsonl", &bytes);
    home.put("a-copied.jsonl", &bytes);
    for number in 0..LINES / 10 {
        home.put(&format!("b{number}.jsonl"), &lines([2 + number]));
    }
    let summary = home.ingest(ZONE);
    assert_eq!(summary.quarantined, u64::from(2 * LINES));
    assert_eq!(summary.events, u64::from(2 + LINES / 10));
    assert_eq!(events(&home).len(), 1 + LINES as usize / 10);
    assert_eq!(home.ingest(ZONE), Summary::default());
}

/// The other tables are written in parts.
#[test]
#[ignore = "takes long: make test-long"]
fn more_bad_lines_than_are_held_at_once() {
    let home = Home::new();
    let bad = [&[b'x'; 60_000][..], b"\n"].concat();
    for number in 0..600 {
        home.append(TODAY, &[&bad[..], &lines([number])].concat());
    }
    let done = home.ingest(ZONE);
    assert_eq!((done.events, done.quarantined), (600, 600));
    assert_eq!(events(&home), numbers(0..=599));
    home.assert_computed(ZONE);
}

#[test]
fn a_torn_end_waits_and_is_one_bad_line_when_it_gets_no_other() {
    let home = Home::new();
    home.append(TODAY, &lines([1]));
    home.append(TODAY, &lines([2])[..60]);
    assert_eq!(home.ingest(ZONE).events, 1);
    assert_eq!(home.ingest(ZONE), Summary::default());
    // The same writer goes on: whole.
    home.append(TODAY, &lines([2])[60..]);
    assert_eq!(home.ingest(ZONE).events, 1);
    // Another one goes on, which begins with a newline.
    home.append(TODAY, &lines([3])[..60]);
    assert_eq!(home.ingest(ZONE), Summary::default());
    spool::append(&home.paths(), now(), &lines([4])).unwrap();
    let done = home.ingest(ZONE);
    assert_eq!((done.events, done.quarantined), (1, 1));
    // One that does not know better.
    home.append(TODAY, &lines([5])[..60]);
    home.append(TODAY, &lines([6]));
    let done = home.ingest(ZONE);
    assert_eq!((done.events, done.quarantined), (1, 1));
    assert_eq!(events(&home), [1, 2, 4, 6]);
    let offsets: Vec<_> = quarantine(&home).iter().map(|row| (row.1, row.2)).collect();
    let at = |before: &[u32]| lines(before.iter().copied()).len() as u64;
    assert_eq!(
        offsets,
        [(at(&[1, 2]), 60), (at(&[1, 2]) + 61 + at(&[4]), 60)]
    );
}

#[test]
fn a_long_line_without_an_end_waits() {
    let home = Home::new();
    home.append(TODAY, &lines([1]));
    home.append(TODAY, &b"x".repeat(3_000_000));
    assert_eq!(home.ingest(ZONE).events, 1);
    home.append(TODAY, &b"x".repeat(3_000_000));
    assert_eq!(home.ingest(ZONE), Summary::default());
    spool::append(&home.paths(), now(), &lines([2])).unwrap();
    let done = home.ingest(ZONE);
    assert_eq!((done.events, done.quarantined), (1, 1));
    assert_eq!(quarantine(&home)[0].2, 6_000_000);
}

/// The states that a segment may be in after it was read, and which events are in it then.
#[test]
#[ignore = "takes long: make test-long"]
fn a_segment_that_is_not_what_it_was() {
    let first = lines([1]);
    let cases: Vec<(&str, Vec<u8>, Vec<u32>)> = vec![
        ("grown", lines(1..=50), numbers(1..=50)),
        ("replaced, longer", lines(60..=120), numbers(60..=120)),
        ("replaced, shorter", lines(60..=70), numbers(60..=70)),
        ("as long", lines(61..=100), numbers(61..=100)),
        (
            "the same first line, longer",
            [&first[..], &lines(60..=160)].concat(),
            [vec![1], numbers(60..=160)].concat(),
        ),
        (
            "the same first line, as long",
            [&first[..], &lines(62..=100)].concat(),
            [vec![1], numbers(62..=100)].concat(),
        ),
        ("cut", lines(1..=9), numbers(1..=9)),
        (
            "cut, and grown again",
            [lines(1..=9), lines(60..=160)].concat(),
            [numbers(1..=9), numbers(60..=160)].concat(),
        ),
        (
            "cut in a line, and repaired",
            [
                &lines(1..=9)[..],
                &lines([10])[..30],
                b"\n",
                &lines(60..=160),
            ]
            .concat(),
            [numbers(1..=9), numbers(60..=160)].concat(),
        ),
        (
            "a line taken out, and grown",
            [lines(1..=4), lines(6..=60)].concat(),
            [numbers(1..=4), numbers(6..=60)].concat(),
        ),
        (
            "a line put in",
            [lines(1..=4), lines([200]), lines(5..=40)].concat(),
            [numbers(1..=40), vec![200]].concat(),
        ),
        ("empty", Vec::new(), vec![]),
        ("half a line", first[..20].to_vec(), vec![]),
    ];
    for (number, (what, bytes, expected)) in cases.into_iter().enumerate() {
        let home = Home::new();
        home.put(TODAY, &lines(1..=40));
        assert_eq!(home.ingest(ZONE).events, 40);
        if number % 2 == 0 {
            home.put("new", &bytes);
            fs::rename(home.segment("new"), home.segment(TODAY)).unwrap();
        } else {
            home.put(TODAY, &bytes);
        }
        let changed = (what != "grown").then(|| RebuildReason::LogChanged(TODAY.to_owned()));
        assert_eq!(home.writer(ZONE).reason(), changed.as_ref(), "{what}");
        home.ingest(ZONE);
        assert_eq!(events(&home), expected, "{what}");
        let bad = usize::from(what == "cut in a line, and repaired");
        assert_eq!(quarantine(&home).len(), bad, "{what}");
        assert_eq!(home.ingest(ZONE), Summary::default(), "{what}");
        // And it goes on from there.
        home.append(TODAY, b"\n");
        home.append(TODAY, &lines([300]));
        assert_eq!(home.writer(ZONE).reason(), None, "{what}");
        home.ingest(ZONE);
        let expected = [expected, vec![300]].concat();
        assert_eq!(events(&home), expected, "{what}");
        home.assert_computed(ZONE);
    }
}

#[test]
fn two_segments_swapped() {
    // Different first lines, and the same: a copy that went its own way.
    for shared in [0, 1] {
        let home = Home::new();
        let (one, two) = (TODAY, "2026-11-21.jsonl");
        home.put(
            one,
            &[lines(0..shared), lines(10..=30), b"{bad\n".to_vec()].concat(),
        );
        home.put(two, &[lines(0..shared), lines(40..=90)].concat());
        home.ingest(ZONE);
        fs::rename(home.segment(one), home.segment("aside")).unwrap();
        fs::rename(home.segment(two), home.segment(one)).unwrap();
        fs::rename(home.segment("aside"), home.segment(two)).unwrap();
        home.append(one, &lines(100..=101));
        home.append(two, &lines(102..=103));
        home.ingest(ZONE);
        let expected = [
            (0..shared).collect(),
            numbers(10..=30),
            numbers(40..=90),
            numbers(100..=103),
        ];
        assert_eq!(events(&home), expected.concat());
        assert_eq!(quarantine(&home).len(), 1);
        assert_eq!(home.ingest(ZONE), Summary::default());
        home.assert_computed(ZONE);
    }
}

#[test]
fn what_a_deleted_segment_held_is_gone() {
    let home = Home::new();
    home.put("2026-11-19.jsonl", &lines(1..=3));
    home.put(TODAY, &[lines(3..=5), b"bad\n".to_vec()].concat());
    home.ingest(ZONE);
    fs::remove_file(home.segment(TODAY)).unwrap();
    let gone = RebuildReason::LogChanged(TODAY.to_owned());
    assert_eq!(home.writer(ZONE).reason(), Some(&gone));
    home.ingest(ZONE);
    assert_eq!(events(&home), [1, 2, 3]);
    assert!(quarantine(&home).is_empty());
    fs::remove_dir_all(home.paths().events()).unwrap();
    home.ingest(ZONE);
    assert_eq!(events(&home), [0; 0]);
}

#[test]
fn a_store_that_is_discarded_is_computed_again() {
    let home = Home::new();
    home.put(TODAY, &[lines(1..=3), b"bad\n".to_vec()].concat());
    home.ingest(ZONE);
    home.tamper("DELETE FROM questions; DELETE FROM quarantine");
    let mut writer = home.writer(ZONE);
    writer.discard();
    assert_eq!(writer.reason(), Some(&RebuildReason::Asked));
    let summary = ingest(&mut writer);
    assert_eq!((summary.events, summary.quarantined), (3, 1));
    drop(writer);
    assert_eq!(quarantine(&home).len(), 1);
    home.assert_computed(ZONE);
}

#[test]
fn a_store_is_current_until_something_is_logged() {
    let home = Home::new();
    home.put(TODAY, &lines([1]));
    home.ingest(ZONE);
    let is_current = |zone| is_current(&home.store(), &home.paths(), zone).unwrap();
    assert!(is_current(ZONE) && !is_current("Europe/Berlin"));
    home.append(TODAY, &lines([2]));
    assert!(!is_current(ZONE));
    home.ingest(ZONE);
    assert!(is_current(ZONE));
    // One that is only half logged is new, too.
    home.append(TODAY, b"{");
    assert!(!is_current(ZONE));
    home.ingest(ZONE);
    assert!(is_current(ZONE));
    fs::remove_file(home.segment(TODAY)).unwrap();
    assert!(!is_current(ZONE));
}

#[test]
fn files_of_other_tools_are_not_read() {
    let home = Home::new();
    home.put(TODAY, &lines([1]));
    for name in [
        "2026-11-20.jsonl~",
        ".2026-11-20.jsonl.swp",
        "2026-11-20.jsonl.bak",
        "2026-11-20.json",
        "notes.txt",
        "export.parquet",
    ] {
        home.put(name, &lines([2]));
    }
    fs::create_dir(home.segment("2026-11-18.jsonl")).unwrap();
    std::os::unix::fs::symlink("nowhere", home.segment("2026-11-17.jsonl")).unwrap();
    assert_eq!(home.ingest(ZONE).events, 1);
    assert_eq!(home.ingest(ZONE), Summary::default());
}

#[test]
fn a_segment_of_noise() {
    let home = Home::new();
    home.put(TODAY, &lines([1, 2]));
    let mut noise = Vec::new();
    for number in 0u32..20_000 {
        noise.extend((number.wrapping_mul(2_654_435_761)).to_le_bytes());
    }
    home.put("noise.jsonl", &noise);
    let bad = noise
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    // The last one has no end.
    let bad = bad.count() as u64 - 1;
    let done = home.ingest(ZONE);
    assert_eq!((done.events, done.quarantined), (2, bad));
    assert_eq!(home.ingest(ZONE), Summary::default());
    home.assert_computed(ZONE);
}

// Lines as long as the hook writes them, many of them: DuckDB works on 2048 rows at a time, however long
// they are, so few rows may be in one row group.

/// Enough events that DuckDB runs out of memory if all are in one row group.
const QUESTIONS: u32 = 1000;

/// Letters in no order, which do not compress, from `seed`.
fn letters(seed: u64, count: usize) -> String {
    let mut random = Chance::new(seed);
    let mut text = String::with_capacity(count + 5);
    while text.len() < count {
        // Five of them from a number.
        let mut number = random.below(1 << 25);
        for _ in 0..5 {
            text.push(char::from(b'a' + (number % 26) as u8));
            number /= 26;
        }
    }
    text
}

/// A day of questions, all asked or all answered.
fn log(home: &Home, day: &str, kind: &str, more: &str) {
    let name = format!("{day}.jsonl");
    let mut lines = String::new();
    for number in 0..QUESTIONS {
        let text = letters(number.into(), 50_000);
        lines += &format!(
            "{{\"v\":1,\"id\":\"{:032x}\",\"ts\":\"{day}T10:00:00.{:03}Z\",\"kind\":\"{kind}\",\"session_id\":\"s\",\"session_kind\":\"interactive\",\"project\":\"p\",\"cwd\":\"/w\",\"source\":\"hook\",\"tool_use_id\":\"t{number}\",\"question_index\":0,\"question_key\":\"k\",\"question\":\"{text}\"{more}}}\n",
            u64::from(number) << 8 | kind.len() as u64,
            number % 1000,
        );
    }
    home.put(&name, lines.as_bytes());
    let day: DateTime<Utc> = format!("{day}T12:00:00Z").parse().unwrap();
    let file = File::open(home.segment(&name)).unwrap();
    let since = Duration::from_millis(day.timestamp_millis().cast_unsigned());
    file.set_modified(SystemTime::UNIX_EPOCH + since).unwrap();
}

#[test]
#[ignore = "takes long: make test-long"]
fn long_lines_are_ingested_merged_and_sealed() {
    let home = Home::new();
    log(&home, "2026-09-01", "asked", ",\"ask_reason\":\"disabled\"");
    log(&home, "2026-09-02", "answered", ",\"answer\":[\"Yes\"]");
    let mut writer = home.writer("UTC");
    let summary = writer.ingest(&Progress::default()).unwrap();
    assert_eq!(summary.events, u64::from(2 * QUESTIONS));
    let collected = writer
        .gc(&Retention::default(), now(), &Progress::default())
        .unwrap();
    assert_eq!(collected.len(), 2);
    for one in collected {
        assert!(
            one.planned.step == RetentionStep::Seal && one.freed.is_ok(),
            "{one:?}"
        );
    }
    drop(writer);
    assert_eq!(
        home.texts("SELECT concat(outcome, ' ', count(*)) FROM questions GROUP BY outcome"),
        [format!("answered {QUESTIONS}")]
    );
    // Computed from the sealed segment.
    assert_eq!(home.differences(), []);
}
