//! Lines as long as the hook writes them, many of them: DuckDB works on 2048 rows at a time, however long
//! they are, so few rows may be in one row group.
#![allow(missing_docs, clippy::unwrap_used)]

#[allow(unreachable_pub, reason = "shared by several tests")]
mod home;

use std::fs::File;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use plantune_domain::config::Retention;
use plantune_ingest::{Progress, Step};

use home::Home;

const QUESTIONS: u32 = 1300;

/// Letters in no order, which do not compress, from `seed`.
fn letters(mut seed: u64, count: usize) -> String {
    let mut letter = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + ((seed >> 33) % 26) as u8)
    };
    (0..count).map(|_| letter()).collect()
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
fn long_lines_are_ingested_merged_and_sealed() {
    let home = Home::new();
    log(&home, "2026-09-01", "asked", ",\"ask_reason\":\"disabled\"");
    log(&home, "2026-09-02", "answered", ",\"answer\":[\"Yes\"]");
    let mut writer = home.writer("UTC");
    let summary = writer.ingest(&Progress::default()).unwrap();
    assert_eq!(summary.events, u64::from(2 * QUESTIONS));
    let now = "2026-11-20T10:00:00Z".parse().unwrap();
    let collected = writer
        .gc(&Retention::default(), now, &Progress::default())
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
