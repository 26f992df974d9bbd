//! Lines as long as the hook writes them, many of them: DuckDB works on 2048 rows at a time, however long
//! they are, so few rows may be in one row group.

use std::fs::File;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use plantune_domain::config::Retention;
use plantune_ingest::{Progress, Step};

use crate::home::{Home, Random, now};

/// So many that with one row group for all of them DuckDB has not the memory to compute the store.
const QUESTIONS: u32 = 1000;

/// Letters in no order, which do not compress, from `seed`.
fn letters(seed: u64, count: usize) -> String {
    let mut random = Random(seed);
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
            one.planned.step == Step::Seal && one.freed.is_ok(),
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
