//! What decisions without the person spared them: each the median of their own seconds for its question.

use crate::families::Grouping;
use crate::seconds::to_milliseconds;
use crate::store::{Error, Store};

impl Store {
    /// The spared seconds of the period before, and of the period, to the millisecond. Each decision
    /// counts the median of the person's own seconds for its question as `grouping` has it, over their
    /// latest answers in its project, else in every project, else 0. Reads what `set_renamed` sets.
    ///
    /// # Errors
    /// DuckDB's.
    pub(super) fn seconds_saved(&self, grouping: &Grouping<'_>) -> Result<[f64; 2], Error> {
        let logged_as = serde_json::to_string(grouping.logged_as()).unwrap_or_default();
        let sql = "SET VARIABLE logged_as = $1::VARCHAR";
        self.connection.execute(sql, [logged_as])?;
        let mut saved = [0.0; 2];
        let sql = include_str!("../../sql/report/saved.sql");
        for (is_current, seconds) in self.rows::<(bool, f64)>(sql, [])? {
            let [before, now] = &mut saved;
            *(if is_current { now } else { before }) = to_milliseconds(seconds);
        }
        Ok(saved)
    }
}
