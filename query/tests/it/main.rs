//! All tests that ask a filled store or whole histories, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may panic, its helpers too, and says what it skips"
)]

mod evidence;
mod permissions;
mod report;
#[path = "../../../tests/shared/mod.rs"]
mod shared;

/// Stores that statements fill, and the week that most of them are about.
mod stores {
    use chrono::NaiveDate;
    use duckdb::{AccessMode, Connection};
    use plantune_query::Store;
    use plantune_query::report::{DayRange, Request};
    use tempfile::TempDir;

    /// The values of columns that a statement does not name.
    pub(crate) const DEFAULTS: &str = include_str!("../sql/defaults.sql");

    /// An empty store, to be filled, and its folder.
    pub(crate) fn empty() -> (TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plantune.duckdb");
        let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
        plantune_migrations::create(&connection).unwrap();
        (folder, connection)
    }

    /// The same, as a reader sees it.
    pub(crate) fn opened((folder, connection): (TempDir, Connection)) -> (TempDir, Store) {
        drop(connection);
        let store = Store::open(&folder.path().join("plantune.duckdb")).unwrap();
        (folder, store)
    }

    /// A store that `fill` fills, statements after statements.
    pub(crate) fn filled(fill: &[&str]) -> (TempDir, Store) {
        let (folder, connection) = empty();
        for statements in fill {
            connection.execute_batch(statements).unwrap();
        }
        opened((folder, connection))
    }

    pub(crate) fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    pub(crate) fn days(start: &str, end: &str) -> DayRange {
        DayRange {
            start: day(start),
            end: day(end),
        }
    }

    /// 2026-W47, seen from its Friday.
    pub(crate) fn week_47() -> Request<'static> {
        Request {
            period: days("2026-11-16", "2026-11-22"),
            previous: days("2026-11-09", "2026-11-15"),
            today: day("2026-11-20"),
            project: None,
            limit: None,
            prompts: false,
        }
    }
}
