//! How much a command may change.

/// What a command may change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing: it only shows.
    ReadOnly,
    /// Only what can be made again or is under version control here: builds, tests, formatters, linters,
    /// dependencies of this project, new commits.
    Local,
    /// Anything else, and why.
    Effect(String),
}

impl Class {
    pub(super) fn effect(reason: impl Into<String>) -> Self {
        Self::Effect(reason.into())
    }
}
