//! What decisions without the person spared them: each the median of their own seconds for its question.

use crate::seconds::to_milliseconds;
use crate::store::{Error, Store};

impl Store {
    /// The spared seconds of the period before, and of the period, to the millisecond. Each decision
    /// counts the median of the person's own seconds for its key, over their latest answers in its
    /// project, else in every project, else over all their answers, else 0.
    ///
    /// # Errors
    /// DuckDB's.
    pub(super) fn seconds_saved(&self) -> Result<[f64; 2], Error> {
        let mut saved = [0.0; 2];
        let sql = include_str!("../../sql/report/saved.sql");
        for (is_current, mut seconds, unknown) in self.rows::<(bool, f64, f64)>(sql, [])? {
            if unknown > 0.0 {
                let sql = include_str!("../../sql/report/median_seconds.sql");
                let (median,) = self.row::<(Option<f64>,)>(sql, [])?;
                seconds += unknown * median.unwrap_or_default();
            }
            let [before, now] = &mut saved;
            *(if is_current { now } else { before }) = to_milliseconds(seconds);
        }
        Ok(saved)
    }
}
