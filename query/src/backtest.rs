//! The backtest: what the proposals would have done, had the person accepted each at once.
//!
//! History is gone through in the order of time. Before each call only what was answered before it
//! is known, and from that the same code as `suggest` says which preferences would be in force.

pub(crate) mod asking;
mod interval;
pub(crate) mod replay;
pub(crate) mod score;
#[cfg(test)]
mod tests;
mod trial;

use chrono::NaiveDate;
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;

pub use self::asking::{Asking, askings};
pub use self::interval::Interval;
pub use self::replay::Replay;
pub use self::score::{Backtest, ByLevel, KeyScore, Score};
pub use self::trial::TrialRun;
use crate::families::{Grouping, Logged};
use crate::{Error, Store};

/// Replays the history in the store, or that of one `project`; what counts begins on the day
/// `since`. Preferences that stand today do not matter.
///
/// # Errors
/// DuckDB's.
pub fn backtest(
    store: &Store,
    settings: &Suggest,
    registry: &Registry,
    project: Option<&str>,
    since: Option<NaiveDate>,
) -> Result<Backtest, Error> {
    let mut replay = Replay::new(settings, registry, since);
    askings(store, project, |asking| replay.take(asking))?;
    let mut found = replay.finish();
    let grouping = Grouping::read(store, registry)?;
    for key in &mut found.by_key {
        key.name = grouping.called(&Logged {
            project: key.project.clone(),
            question_key: key.question_key.clone(),
            key_source: key.key_source.clone(),
            question: key.question.clone(),
            header: None,
            options: key.options.clone(),
        });
    }
    Ok(found)
}
