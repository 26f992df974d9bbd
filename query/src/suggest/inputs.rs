//! What decides, besides the evidence, what is proposed.

use chrono::{DateTime, Utc};
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;

use super::level::Level;

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
    /// To have it answered, and it was stopped: more evidence may have it answered again.
    Stopped,
    /// To have it answered on trial.
    Trial,
    /// To have it answered.
    Standing,
    /// To be asked: nothing is proposed, nor for everywhere.
    Decided,
}

impl InForce {
    /// What a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nothing | Self::Decided => "asked",
            Self::Assist => Level::Assist.word(),
            Self::Stopped => "stopped",
            Self::Trial => Level::Trial.word(),
            Self::Standing => Level::Standing.word(),
        }
    }

    /// True when a proposal of `level` would be news.
    pub(super) fn leaves(self, level: Level) -> bool {
        match self {
            Self::Nothing => true,
            Self::Assist => level > Level::Assist,
            Self::Stopped | Self::Trial => level > Level::Trial,
            Self::Standing | Self::Decided => false,
        }
    }
}
