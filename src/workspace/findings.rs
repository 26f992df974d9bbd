//! What a run found out on its way that the hook, the status line and shells are left: they open no store.

use std::collections::BTreeMap;

use plantune_domain::nudge::Habit;
use plantune_reports::standing::StandingPreference;

/// What a run found out; `None` for what it was not asked.
#[derive(Default)]
pub(crate) struct Findings {
    /// How every preference stands.
    pub(crate) standing: Option<Vec<StandingPreference>>,
    /// What is proposed.
    pub(crate) proposed: Option<Proposed>,
    /// The seconds that were saved in the last seven days, in all projects.
    pub(crate) seconds_saved: Option<f64>,
    /// True when the run changed a preference: what was proposed before is no longer so.
    pub(crate) is_outdated: bool,
}

/// What is proposed, as far as others need it.
pub(crate) struct Proposed {
    /// The project that was asked about; `None` for all.
    pub(crate) project: Option<String>,
    /// The habits that would be answered, by project.
    pub(crate) habits: BTreeMap<String, Vec<Habit>>,
    /// How many proposals wait.
    pub(crate) waiting: u64,
}
