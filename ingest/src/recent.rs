//! The rollup of the latest answers of each series, brought up to date.

use std::collections::HashMap;

use ahash::RandomState;
use duckdb::Row;

use crate::latest::{Answer, Changed, Replaced};
use crate::project::Projector;

/// How many answers are looked at in one go, about: bounds the memory for them.
const ANSWERS_AT_ONCE: usize = 400_000;

impl Projector<'_> {
    /// Replaces what changed of the latest answers.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn recent_answers(&self, changed: &Changed) -> duckdb::Result<()> {
        let series = changed.series();
        if series.is_empty() {
            return Ok(());
        }
        self.feeds.keys(series.clone());
        let sql = include_str!("../sql/rollup/count_recent_answers.sql");
        let count: usize = self.store.query_row(sql, [], |row| row.get(0))?;
        // Most have few or none: each query reads the whole rollup, and there should be few of those.
        let at_once = series.len().div_ceil(count / ANSWERS_AT_ONCE + 1);
        for series in series.chunks(at_once) {
            let known = self.known_answers(series)?;
            let mut replaced = Replaced::default();
            let mut incomplete = Vec::new();
            for series in series {
                let known = known.get(series).map_or(&[][..], Vec::as_slice);
                match changed.latest(*series, known) {
                    Some(latest) => changed.replace(known, &latest, &mut replaced),
                    None => incomplete.push(*series),
                }
            }
            if !incomplete.is_empty() {
                let latest = self.latest_answers(&incomplete)?;
                for series in incomplete {
                    let known = known.get(&series).map_or(&[][..], Vec::as_slice);
                    let latest = latest.get(&series).map_or(&[][..], Vec::as_slice);
                    changed.replace(known, latest, &mut replaced);
                }
            }
            if !replaced.removed.is_empty() {
                self.feeds.numbers(replaced.removed);
                self.run(include_str!("../sql/rollup/forget_recent_answers.sql"))?;
            }
            if !replaced.added.is_empty() {
                self.feeds.numbers(replaced.added);
                self.run(include_str!("../sql/rollup/append_recent_answers.sql"))?;
            }
        }
        Ok(())
    }

    /// The rows of some series as they are.
    fn known_answers(
        &self,
        series: &[u64],
    ) -> duckdb::Result<HashMap<u64, Vec<Answer>, RandomState>> {
        self.feeds.keys(series.to_vec());
        let sql = include_str!("../sql/rollup/known_recent_answers.sql");
        self.by_series(sql, |row| {
            Ok(Answer {
                number: row.get(1)?,
                moment: (row.get(2)?, row.get(3)?),
            })
        })
    }

    /// The numbers of the latest answers of some series, as the facts have them.
    fn latest_answers(
        &self,
        series: &[u64],
    ) -> duckdb::Result<HashMap<u64, Vec<u32>, RandomState>> {
        self.feeds.keys(series.to_vec());
        let sql = include_str!("../sql/rollup/latest_answers.sql");
        self.by_series(sql, |row| row.get(1))
    }

    /// What a query returns, by its first column, a series.
    fn by_series<T>(
        &self,
        sql: &str,
        read: impl Fn(&Row<'_>) -> duckdb::Result<T>,
    ) -> duckdb::Result<HashMap<u64, Vec<T>, RandomState>> {
        let mut found: HashMap<u64, Vec<T>, RandomState> = HashMap::default();
        for (series, value) in self.rows(sql, |row| Ok((row.get(0)?, read(row)?)))? {
            found.entry(series).or_default().push(value);
        }
        Ok(found)
    }
}
