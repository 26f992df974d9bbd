//! Bytes that are no events, and segments that are not what they were: every good event arrives
//! once, every bad line is in quarantine once.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::event::{Event, SCHEMA_VERSION};
use plantune_domain::paths::Paths;
use plantune_domain::spool;
use plantune_ingest::{Progress, Retried, Summary, Writer};

const TODAY: &str = "2026-11-20.jsonl";

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

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

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn paths(&self) -> Paths {
        Paths::below(self.0.path().to_owned())
    }

    fn segment(&self, name: &str) -> PathBuf {
        fs::create_dir_all(self.paths().events()).unwrap();
        self.paths().events().join(name)
    }

    /// Overwrites the segment in place.
    fn put(&self, name: &str, bytes: &[u8]) {
        let mut file = File::create(self.segment(name)).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn append(&self, name: &str, bytes: &[u8]) {
        let mut options = File::options();
        let mut file = options
            .append(true)
            .create(true)
            .open(self.segment(name))
            .unwrap();
        file.write_all(bytes).unwrap();
    }

    fn writer(&self) -> Writer {
        Writer::open(&self.paths(), "UTC").unwrap()
    }

    fn ingest(&self) -> Summary {
        self.writer().ingest(now(), &Progress::default()).unwrap()
    }

    fn retry(&self) -> Retried {
        let mut writer = self.writer();
        writer
            .retry_quarantine(now(), &Progress::default())
            .unwrap()
    }

    fn store(&self) -> Connection {
        plantune_migrations::open(&self.paths().store(), AccessMode::ReadOnly).unwrap()
    }

    /// The last four digits of the ids in the log.
    fn events(&self) -> Vec<u32> {
        let store = self.store();
        let sql = "SELECT right(id::VARCHAR, 4) FROM events ORDER BY id";
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        rows.map(|id| u32::from_str_radix(&id.unwrap(), 16).unwrap())
            .collect()
    }

    /// Segment, offset, length and reason of what is in quarantine.
    fn quarantine(&self) -> Vec<(String, u64, u64, String)> {
        let store = self.store();
        let sql = "SELECT segment, \"offset\", length, reason FROM quarantine ORDER BY ALL";
        let mut statement = store.prepare(sql).unwrap();
        let columns =
            |row: &duckdb::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let rows = statement.query_map([], columns).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn run(&self, sql: &str) {
        let store =
            plantune_migrations::open(&self.paths().store(), AccessMode::ReadWrite).unwrap();
        store.execute_batch(sql).unwrap();
    }
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
    let done = home.ingest();
    assert_eq!(
        (done.events, done.quarantined),
        (u64::from(count) + 3, u64::from(count))
    );
    assert_eq!(home.events(), numbers(1..=count + 3));
    let found = home.quarantine();
    assert_eq!(found.len(), expected.len());
    for ((segment, offset, length, reason), expected) in found.iter().zip(&expected) {
        assert_eq!(
            (segment.as_str(), *offset, *length),
            (TODAY, expected.0, expected.1)
        );
        assert!(reason.starts_with(expected.2), "{reason} / {}", expected.2);
    }
    // Once, also when all of it is read anew, under another name, or cut up in another way.
    fs::copy(home.segment(TODAY), home.segment("2026-11-21.jsonl")).unwrap();
    home.run("DELETE FROM segments");
    let again = home.ingest();
    assert_eq!((again.events, again.quarantined), (0, 0));
    assert_eq!(home.quarantine(), found);
    let whole = "SELECT question FROM events WHERE contains(question, chr(27))";
    let kept: String = home.store().query_row(whole, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, "a \u{0} \u{1b}[31m \u{fffe} \u{10ffff}");
}

/// More than memory would hold if each were a statement of its own, and all of it twice.
#[test]
fn a_spool_of_bad_lines_is_kept_whole() {
    const LINES: u32 = 30_000;
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
    let summary = home.ingest();
    assert_eq!(summary.quarantined, u64::from(LINES));
    assert_eq!(summary.events, u64::from(1 + LINES / 10));
    assert_eq!(home.ingest().bytes, 0);
}

#[test]
fn a_torn_end_waits_and_is_one_bad_line_when_it_gets_no_other() {
    let home = Home::new();
    home.append(TODAY, &lines([1]));
    home.append(TODAY, &lines([2])[..60]);
    assert_eq!(home.ingest().events, 1);
    assert_eq!(home.ingest(), Summary::default());
    // The same writer goes on: whole.
    home.append(TODAY, &lines([2])[60..]);
    assert_eq!(home.ingest().events, 1);
    // Another one goes on, which begins with a newline.
    home.append(TODAY, &lines([3])[..60]);
    assert_eq!(home.ingest(), Summary::default());
    spool::append(&home.paths(), now(), &lines([4])).unwrap();
    let done = home.ingest();
    assert_eq!((done.events, done.quarantined), (1, 1));
    // One that does not know better.
    home.append(TODAY, &lines([5])[..60]);
    home.append(TODAY, &lines([6]));
    let done = home.ingest();
    assert_eq!((done.events, done.quarantined), (1, 1));
    assert_eq!(home.events(), [1, 2, 4, 6]);
    let offsets: Vec<_> = home.quarantine().iter().map(|row| (row.1, row.2)).collect();
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
    assert_eq!(home.ingest().events, 1);
    home.append(TODAY, &b"x".repeat(3_000_000));
    assert_eq!(home.ingest(), Summary::default());
    spool::append(&home.paths(), now(), &lines([2])).unwrap();
    let done = home.ingest();
    assert_eq!((done.events, done.quarantined), (1, 1));
    assert_eq!(home.quarantine()[0].2, 6_000_000);
}

/// What a segment may have become after it was read, and which events are in the log then.
#[test]
fn a_segment_that_is_not_what_it_was() {
    let read = lines(1..=40);
    let other = |number| worded(number, "Quite another question, of another length?");
    let first = String::from_utf8(lines([1])).unwrap();
    let cases: Vec<(&str, Vec<u8>, Vec<u32>)> = vec![
        ("grown", lines(1..=50), numbers(1..=50)),
        (
            "replaced, longer",
            lines(60..=120),
            [numbers(1..=40), numbers(60..=120)].concat(),
        ),
        (
            "replaced, shorter",
            lines(60..=70),
            [numbers(1..=40), numbers(60..=70)].concat(),
        ),
        (
            "as long",
            lines(61..=100),
            [numbers(1..=40), numbers(61..=100)].concat(),
        ),
        (
            "the same first line, longer",
            [first.as_bytes(), &lines(60..=160)].concat(),
            [numbers(1..=40), numbers(60..=160)].concat(),
        ),
        (
            "the same first line, as long",
            [first.as_bytes(), &lines(62..=100)].concat(),
            [numbers(1..=40), numbers(62..=100)].concat(),
        ),
        ("cut", lines(1..=9), numbers(1..=40)),
        (
            "cut, and grown again",
            [lines(1..=9), lines(60..=160)].concat(),
            { [numbers(1..=40), numbers(60..=160)].concat() },
        ),
        (
            "cut in a line, and mended",
            {
                [
                    &lines(1..=9)[..],
                    &lines([10])[..30],
                    b"\n",
                    &lines(60..=160),
                ]
                .concat()
            },
            [numbers(1..=40), numbers(60..=160)].concat(),
        ),
        (
            "one line taken out, and grown",
            { [lines(1..=4), lines(6..=60)].concat() },
            numbers(1..=60),
        ),
        (
            "one line put in",
            {
                [
                    &lines(1..=4)[..],
                    other(200).as_bytes(),
                    b"\n",
                    &lines(5..=40),
                ]
                .concat()
            },
            [numbers(1..=40), vec![200]].concat(),
        ),
        ("empty", Vec::new(), numbers(1..=40)),
        ("half a line", lines([1])[..20].to_vec(), numbers(1..=40)),
    ];
    for (number, (what, bytes, expected)) in cases.into_iter().enumerate() {
        let home = Home::new();
        home.put(TODAY, &read);
        assert_eq!(home.ingest().events, 40);
        if number % 2 == 0 {
            home.put("new", &bytes);
            fs::rename(home.segment("new"), home.segment(TODAY)).unwrap();
        } else {
            home.put(TODAY, &bytes);
        }
        home.ingest();
        assert_eq!(home.events(), expected, "{what}");
        let bad = usize::from(what == "cut in a line, and mended");
        assert_eq!(home.quarantine().len(), bad, "{what}");
        assert_eq!(home.ingest(), Summary::default(), "{what}");
        // And it goes on from there.
        home.append(TODAY, b"\n");
        home.append(TODAY, &lines([300]));
        home.ingest();
        assert_eq!(
            home.events(),
            [expected.clone(), vec![300]].concat(),
            "{what}"
        );
    }
}

#[test]
fn a_segment_emptied_between_two_runs_and_filled_again() {
    let home = Home::new();
    home.put(TODAY, &lines(1..=40));
    home.ingest();
    home.put(TODAY, b"");
    assert_eq!(home.ingest(), Summary::default());
    home.put(TODAY, &[lines([1]), lines(60..=160)].concat());
    home.ingest();
    assert_eq!(home.events(), [numbers(1..=40), numbers(60..=160)].concat());
    assert!(home.quarantine().is_empty());
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
        home.ingest();
        fs::rename(home.segment(one), home.segment("aside")).unwrap();
        fs::rename(home.segment(two), home.segment(one)).unwrap();
        fs::rename(home.segment("aside"), home.segment(two)).unwrap();
        home.append(one, &lines(100..=101));
        home.append(two, &lines(102..=103));
        home.ingest();
        let expected = [
            (0..shared).collect(),
            numbers(10..=30),
            numbers(40..=90),
            numbers(100..=103),
        ];
        assert_eq!(home.events(), expected.concat());
        assert_eq!(home.quarantine().len(), 1);
        assert_eq!(home.ingest(), Summary::default());
    }
}

#[test]
fn a_checkpoint_of_an_early_version_holds() {
    let home = Home::new();
    home.put(TODAY, &lines(1..=40));
    home.ingest();
    let heads = |home: &Home| -> String {
        let sql = "SELECT head FROM segments";
        home.store().query_row(sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(heads(&home).len(), 65);
    home.run("UPDATE segments SET head = head[:32]");
    home.append(TODAY, &lines([41]));
    let done = home.ingest();
    assert_eq!((done.events, done.duplicates), (1, 0));
    assert_eq!(heads(&home).len(), 65);
}

/// What an older plantune would have left of lines that this one can read.
const REFUSED: &str = "INSERT INTO quarantine VALUES
    ('q1', 'gone.jsonl', 7, 'schema version 1 (this plantune knows 0)', 'LINE1'::BLOB, 0, '2026-11-19'),
    ('q2', 'gone.jsonl', 9, 'schema version 1 (this plantune knows 0)', 'LINE2'::BLOB, 0, '2026-11-19'),
    ('q3', 'gone.jsonl', 9, 'not an event: invalid type', '{\"v\":3,\"options\":1}'::BLOB, 19, '2026-11-19');";

fn refused(home: &Home) {
    let sql = REFUSED
        .replace("LINE1", &line(1))
        .replace("LINE2", &line(2));
    home.run(&sql);
    home.run("UPDATE quarantine SET length = octet_length(bytes)");
}

#[test]
fn what_can_be_read_now_comes_in_once() {
    let home = Home::new();
    home.append(TODAY, &lines([2, 3]));
    home.append(TODAY, b"torn {\n");
    home.ingest();
    refused(&home);
    let retried = home.retry();
    assert_eq!((retried.lines, retried.events, retried.known), (2, 1, 1));
    assert_eq!(
        retried.staying,
        [
            ("not JSON: expected ident".to_owned(), 1),
            ("schema version 3 (this plantune knows 1)".to_owned(), 1)
        ]
    );
    assert_eq!(home.events(), [1, 2, 3]);
    let left = home.quarantine();
    assert_eq!(left.len(), 2);
    assert!(left[1].3.starts_with("schema version 3"), "{left:?}");
    // Again: nothing. And a store made anew from the spool has them all.
    let again = home.retry();
    assert_eq!((again.lines, again.events, again.known), (0, 0, 0));
    assert_eq!(again.staying, retried.staying);
    fs::remove_file(home.paths().store()).unwrap();
    home.ingest();
    assert_eq!(home.events(), [1, 2, 3]);
}

#[test]
fn a_retry_that_is_killed_is_done_again() {
    // Before it read the spool, with half a line; and before it took the lines out.
    for ingested in [false, true] {
        let home = Home::new();
        home.ingest();
        refused(&home);
        let segment = "quarantine-retry-2026-11-20.jsonl";
        home.append(segment, &lines([1]));
        home.append(segment, &lines([2])[..50]);
        if ingested {
            home.ingest();
        }
        let retried = home.retry();
        assert_eq!((retried.lines, retried.events, retried.known), (2, 1, 1));
        assert_eq!(home.events(), [1, 2]);
        assert_eq!(home.quarantine().len(), 1);
        assert_eq!(fs::read(home.segment(segment)).unwrap(), lines([1, 2]));
    }
}

#[test]
fn a_line_kept_in_part_is_read_from_its_segment() {
    let pad = format!("\"pad\":\"{}\",\"door\"", "x".repeat(100_000));
    let newer = line(1)
        .replace("\"door\"", &pad)
        .replace("\"v\":1", "\"v\":2");
    let home = Home::new();
    home.append(TODAY, &lines([50]));
    home.append(TODAY, format!("\u{feff}{newer}\r\n").as_bytes());
    home.append(TODAY, &b"y".repeat(2_000_000));
    home.append(TODAY, b"\n");
    home.append(TODAY, &lines(51..=70));
    assert_eq!(home.ingest().quarantined, 2);
    let staying = |retried: &Retried| -> Vec<String> {
        let reasons = retried.staying.iter();
        reasons.map(|(reason, _)| reason.clone()).collect()
    };
    let too_long = "line of 2000000 bytes is longer than an event can be (1048576)";
    let too_new = "schema version 2 (this plantune knows 1)";
    assert_eq!(staying(&home.retry()), [too_long, too_new]);
    // As if this version were the newer one.
    let text = fs::read_to_string(home.segment(TODAY)).unwrap();
    home.put("away", text.replace("\"v\":2", "\"v\":1").as_bytes());
    home.run("UPDATE quarantine SET bytes = encode(replace(decode(bytes), '\"v\":2', '\"v\":1'))");
    fs::remove_file(home.segment(TODAY)).unwrap();
    let gone =
        "only its first 65536 bytes are kept, and 2026-11-20.jsonl does not hold it any more";
    assert_eq!(staying(&home.retry()), [too_long, gone]);
    assert_eq!(home.events(), numbers(50..=70));
    fs::rename(home.segment("away"), home.segment(TODAY)).unwrap();
    let retried = home.retry();
    assert_eq!((retried.lines, retried.events), (1, 1));
    assert_eq!(home.events(), [vec![1], numbers(50..=70)].concat());
    assert_eq!(staying(&retried), [too_long]);
}

#[test]
fn a_foreign_file_among_the_segments_harms_nothing() {
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
    let done = home.ingest();
    assert_eq!((done.events, done.quarantined), (2, bad));
    assert_eq!(home.ingest(), Summary::default());
    assert!(Path::exists(&home.segment("noise.jsonl")));
}
