//! Days and ISO weeks.

use super::rows::Week;
use crate::period::{Days, TREND_WEEKS, after, week_name};

/// One entry for each week of `days`, those without a row in `found` with zeros.
pub(super) fn fill(days: Days, found: &[Week]) -> Vec<Week> {
    let weeks = (0..TREND_WEEKS).map(|number| week_name(after(days.start, 7 * number)));
    weeks
        .map(|week| {
            let known = found.iter().find(|row| row.week == week).cloned();
            known.unwrap_or(Week {
                week,
                ..Week::default()
            })
        })
        .collect()
}
