//! A projection's tables, and where they lie.

/// Below which projections lie.
pub(crate) const FOLDER: &str = "projections/v1";

/// A projection's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Questions,
    Prompts,
    Barred,
}

impl Table {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Questions, Self::Prompts, Self::Barred];

    /// What it is called, by engines and in the lake.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Questions => "questions",
            Self::Prompts => "prompts",
            Self::Barred => "barred",
        }
    }
}
