//! A log of some months, and what is done to it.

use plantune_domain::config::Retention;
use plantune_ingest::{Collected, Progress, Step, Writer};

use crate::home::{Dump, Home, ingest, now};
use crate::segments::{age, day, others, questions};

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
        .filter(|one| one.planned.step == Step::Seal);
    done.inspect(|one| assert!(one.freed.is_ok(), "{one:?}"))
        .count()
}

pub(crate) fn retention(seal_after_days: Option<u32>, drop_after_days: Option<u32>) -> Retention {
    Retention {
        seal_after_days,
        drop_after_days,
    }
}

/// What a store holds that is computed from the log as it is now.
pub(crate) fn computed(home: &Home) -> Dump {
    let other = home.without_store();
    other.ingest(ZONE);
    other.dump()
}

pub(crate) fn query(home: &Home, sql: &str) -> u64 {
    home.store().query_row(sql, [], |row| row.get(0)).unwrap()
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
