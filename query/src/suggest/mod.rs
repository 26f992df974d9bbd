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
pub(crate) mod held;
mod hindsight;
pub(crate) mod inputs;
pub(crate) mod judge;
pub(crate) mod judged;
mod kind;
pub(crate) mod level;
mod opening;
mod people;
pub(crate) mod policy;
pub(crate) mod pooling;
pub(crate) mod posterior;
pub(crate) mod proposal;
mod reason;
pub(crate) mod refusals;
mod spread;
pub(crate) mod suggestions;
pub(crate) mod summary;
#[cfg(test)]
mod tests;

pub use self::inputs::{InForce, Inputs};
pub use self::level::{Level, WrongAnswer};
pub use self::opening::Opening;
pub use self::people::Voices;
pub use self::reason::{Lacks, Reason};
pub use self::suggestions::{Asked, AskerSuggestion, Evidence, Rejected, Suggestion, Suggestions};
use crate::evidence::KeyEvidence;
use crate::families::Habits;
pub use crate::families::{EVERYWHERE, Held};

/// The suggestions that follow from `habits`, for all projects or for one. What is typical of the person is taken from
/// all projects either way. Why other habits are not proposed is worked out only where `shows_reasons`: that is most of
/// the work.
pub fn suggestions(
    habits: Habits,
    inputs: &Inputs<'_>,
    project: Option<&str>,
    shows_reasons: bool,
) -> Suggestions {
    evaluate::evaluate(habits, inputs, shows_reasons).of_project(project)
}

/// The suggestions that follow from `series`, the answers by the keys they were logged under. The
/// order of series and of their answers does not matter.
pub fn evaluate(series: Vec<KeyEvidence>, inputs: &Inputs<'_>) -> Suggestions {
    let across = inputs.settings.across_projects;
    evaluate::evaluate(Habits::of(series, inputs.registry, across), inputs, true)
}
