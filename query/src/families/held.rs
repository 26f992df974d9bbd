//! How much of a habit must be asked.

/// The askings of a habit that must be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// How many of the answers looked at.
    pub askings: usize,
    /// How many were looked at.
    pub of: usize,
    /// Why the latest of them must be asked.
    pub reason: String,
}

impl std::fmt::Display for Held {
    /// `9 of 24 held (phrase: user data); the other 15 could be answered`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            askings,
            of,
            reason,
        } = self;
        if askings == of {
            return write!(f, "all {of} are always asked ({reason})");
        }
        let rest = of - askings;
        write!(
            f,
            "{askings} of {of} are always asked ({reason}); the other {rest} could be answered"
        )
    }
}
