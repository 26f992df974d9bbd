//! Computes the projections and rollups anew from the log.

use std::collections::HashSet;

use ahash::RandomState;
use chrono_tz::Tz;
use duckdb::{Connection, params};

use crate::feeds::Feeds;
use crate::project::Projector;
use crate::seen::Seen;
use crate::told::{Saying, Told};

/// How long an event of the spool is about, in bytes.
const EVENT_BYTES: u64 = 1000;

/// About how many events are in `bytes` of the spool.
pub(crate) fn events_in(bytes: u64) -> u64 {
    (bytes / EVENT_BYTES).max(1)
}

/// Empties the projections and computes them anew from the whole log, about `events` of it at a time.
///
/// # Errors
/// DuckDB's; the caller's transaction is to be rolled back then.
pub(crate) fn rebuild(
    store: &Connection,
    feeds: &Feeds,
    zone: Tz,
    events: u64,
) -> duckdb::Result<()> {
    store.execute_batch(include_str!("../sql/project/clear.sql"))?;
    let names = RandomState::new();
    let projector = Projector {
        store,
        feeds,
        zone,
        names: &names,
    };
    let count = store.query_row(include_str!("../sql/count_ids.sql"), [], |row| row.get(0))?;
    let mut seen = Seen::new(count);
    let mut statement = store.prepare(include_str!("../sql/batches.sql"))?;
    let groups = statement.query_map([events], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (first, last) in groups.collect::<duckdb::Result<Vec<(u32, u32)>>>()? {
        let mut doubtful = HashSet::default();
        let told = told(store, (first, last), &names, |question| {
            if seen.insert(question) {
                doubtful.insert(question);
            }
        })?;
        projector.project(told, &doubtful)?;
    }
    Ok(())
}

/// What the events of the batches say; `met` is told of each question, when it is first met.
fn told(
    store: &Connection,
    (first, last): (u32, u32),
    names: &RandomState,
    mut met: impl FnMut(u128),
) -> duckdb::Result<Told> {
    let mut told = Told::default();
    let mut statement = store.prepare(include_str!("../sql/project/sayings.sql"))?;
    let mut rows = statement.query(params![first, last])?;
    while let Some(row) = rows.next()? {
        let texts: [String; 4] = [row.get(0)?, row.get(5)?, row.get(6)?, row.get(7)?];
        let (tool_use_id, question_key, answer_name): (
            Option<String>,
            Option<String>,
            Option<String>,
        ) = (row.get(8)?, row.get(11)?, row.get(15)?);
        let [kind, session_id, session_kind, project] = &texts;
        let saying = Saying {
            kind,
            micros: row.get(1)?,
            context: row.get(2)?,
            wording: row.get(3)?,
            detail: row.get(4)?,
            session_id,
            session_kind,
            project,
            tool_use_id: tool_use_id.as_deref(),
            question_index: row.get(9)?,
            question_count: row.get(10)?,
            question_key: question_key.as_deref(),
            is_one_way: row.get(12)?,
            was_auto_decided: row.get(13)?,
            followed: row.get(14)?,
            answer_name: answer_name.as_deref(),
        };
        let question = saying.question();
        let is_first = told.add(&saying, question, names);
        if let Some(question) = question.filter(|_| is_first) {
            met(question);
        }
    }
    Ok(told)
}
