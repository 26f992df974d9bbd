//! Suggestions: which questions the person answers so alike that they need not be asked.
//!
//! [`suggestions`] reads the evidence from the store; [`evaluate`] is the pure part, from evidence
//! to proposals. Nothing here is applied by itself.

mod addition;
mod asker;
pub(crate) mod assess;
pub(crate) mod benefit;
pub(crate) mod candidate;
mod correlation;
mod evaluate;
mod hindsight;
pub(crate) mod judge;
mod judged;
mod kind;
pub(crate) mod level;
mod people;
pub(crate) mod policy;
pub(crate) mod pooling;
mod posterior;
pub(crate) mod proposal;
mod reason;
pub(crate) mod refusals;
mod spread;
mod suggestions;
mod summary;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;

pub use self::asker::AskerSuggestion;
pub(crate) use self::asker::asker_of;
pub(crate) use self::judged::judge_one;
pub use self::level::{Level, WrongAnswer};
pub use self::people::Voices;
pub use self::pooling::EVERYWHERE;
pub(crate) use self::pooling::pooled;
pub use self::reason::{Lacks, Reason};
pub use self::suggestions::{Asked, Evidence, Rejected, Suggestion, Suggestions};
pub(crate) use self::summary::asked;
use crate::evidence::KeyEvidence;
use crate::families::Habits;
use crate::{Error, Store};

/// What besides the evidence decides.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The doors the person gave to questions.
    pub registry: &'a Registry,
    /// What the person has decided about a question already: project, key.
    pub in_force: &'a dyn Fn(&str, &str) -> InForce,
    /// The moment of the run.
    pub now: DateTime<Utc>,
    /// For how many proposals it is computed what each level would have got right.
    pub hindsight: usize,
}

/// What the person has decided about a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InForce {
    /// Nothing.
    #[default]
    Nothing,
    /// To be shown the usual answer: a trial may still be proposed.
    Assist,
    /// To have it answered on trial.
    Trial,
    /// To have it answered on trial, which has held.
    HeldTrial,
    /// To have it answered.
    Standing,
    /// To be asked: nothing is proposed, nor for everywhere.
    Decided,
}

impl InForce {
    /// True when a proposal of `level` would be news.
    fn leaves(self, level: Level) -> bool {
        match self {
            Self::Nothing => true,
            Self::Assist => level > Level::Assist,
            Self::Trial | Self::HeldTrial => level > Level::Trial,
            Self::Standing | Self::Decided => false,
        }
    }
}

/// The suggestions for the store, or for one `project` of it. What is typical of the person is
/// taken from all projects either way.
///
/// # Errors
/// DuckDB's.
pub fn suggestions(
    store: &Store,
    inputs: &Inputs<'_>,
    project: Option<&str>,
) -> Result<Suggestions, Error> {
    let habits = Habits::read(store, inputs.registry, inputs.settings.across_projects)?;
    let found = evaluate::evaluate(habits, inputs, true);
    Ok(found.of_project(project))
}

/// The proposals that [`suggestions`] finds in `habits`, without what is rejected and without what each
/// level would have got right: to work that out takes most of the time.
pub fn only_proposals(habits: Habits, inputs: &Inputs<'_>, project: Option<&str>) -> Suggestions {
    evaluate::evaluate(habits, inputs, false).of_project(project)
}

/// The suggestions that follow from `series`, the answers by the keys they were logged under. The
/// order of series and of their answers does not matter.
pub fn evaluate(series: Vec<KeyEvidence>, inputs: &Inputs<'_>) -> Suggestions {
    let across = inputs.settings.across_projects;
    evaluate::evaluate(Habits::of(series, inputs.registry, across), inputs, true)
}
