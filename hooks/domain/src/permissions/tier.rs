//! How far a call of a tool reaches.

/// How far a call of a tool reaches, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// It only shows: lists, prints, tests, linters, builds in the project.
    ReadOnly = 1,
    /// It changes the project: edits, formatters, local commits, installs from a lock file.
    Project = 2,
    /// It leaves the project or cannot be taken back, or nothing certain is known about it.
    Beyond = 3,
}

impl Tier {
    /// The number in events: 1, 2 or 3.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The tier of that number; what is none reaches furthest.
    pub fn from_number(number: u32) -> Self {
        match number {
            1 => Self::ReadOnly,
            2 => Self::Project,
            _ => Self::Beyond,
        }
    }
}
