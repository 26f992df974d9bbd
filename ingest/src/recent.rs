//! The rollup of the latest answers of each series, brought up to date.

use std::collections::HashMap;

use ahash::RandomState;
use duckdb::Row;

use crate::latest::{Answer, Changed, Replaced};
use crate::project::Projector;

/// How many answers are looked at in one go, about: bounds the memory for them.
const ANSWERS_AT_ONCE: usize = 400_000;

type BySeries<T> = HashMap<u64, Vec<T>, RandomState>;

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
        // Nothing is written until all was looked at: a question may have gone from one series to another.
        let mut replaced = Replaced::default();
        for series in series.chunks(at_once) {
            let known = self.by_series(
                series,
                include_str!("../sql/rollup/known_recent_answers.sql"),
                |row| {
                    Ok(Answer {
                        number: row.get(1)?,
                        moment: (row.get(2)?, row.get(3)?),
                    })
                },
            )?;
            let mut incomplete = Vec::new();
            for series in series {
                let known = answers(&known, *series);
                match changed.latest(*series, known) {
                    Some(latest) => changed.replace(known, &latest, &mut replaced),
                    None => incomplete.push(*series),
                }
            }
            if !incomplete.is_empty() {
                let sql = include_str!("../sql/rollup/latest_answers.sql");
                let latest = self.by_series(&incomplete, sql, |row| row.get(1))?;
                for series in incomplete {
                    let latest = answers(&latest, series);
                    changed.replace(answers(&known, series), latest, &mut replaced);
                }
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
        Ok(())
    }

    /// What a query returns of `series`, by its first column, which is one of them.
    fn by_series<T>(
        &self,
        series: &[u64],
        sql: &str,
        read: impl Fn(&Row<'_>) -> duckdb::Result<T>,
    ) -> duckdb::Result<BySeries<T>> {
        self.feeds.keys(series.to_vec());
        let mut found = BySeries::<T>::default();
        for (series, value) in self.rows(sql, |row| Ok((row.get(0)?, read(row)?)))? {
            found.entry(series).or_default().push(value);
        }
        Ok(found)
    }
}

/// What was found of a series.
fn answers<T>(found: &BySeries<T>, series: u64) -> &[T] {
    found.get(&series).map_or(&[], Vec::as_slice)
}
