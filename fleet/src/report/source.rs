//! What a report is computed from, and how often its reading begins again.

use crate::failure::Failure;
use crate::lake::Lake;

/// What a report is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The newest projection that may be read; the events where there is none.
    Projection,
    /// All events.
    Events,
}

impl Source {
    /// `fresh` is true for a report on all events.
    pub(crate) fn of(fresh: bool) -> Self {
        match fresh {
            true => Self::Events,
            false => Self::Projection,
        }
    }
}

/// How often reading begins again when a compaction removes files meanwhile.
pub(super) const MOST_ATTEMPTS: usize = 20;

/// Why reading was given up after so many times.
pub(super) fn too_fast(lake: &Lake) -> Failure {
    let words = format!(
        "{}: files are merged faster than they can be read",
        lake.address
    );
    Failure::failed(words).hint("try again when no compaction runs")
}
