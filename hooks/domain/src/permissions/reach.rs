//! How far a call of a tool reaches.

use serde::{Deserialize, Serialize};

/// How far a call of a tool reaches, at most. In events and JSON it is the name in lower case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// It reads: lists, prints, searches, tests, lints, builds in the project.
    Reads,
    /// It changes the project: edits, formatters, local commits, installs from a lock file.
    Project,
    /// A program, script or tool that plantune does not know.
    Unknown,
    /// It leaves the project, destroys, runs what others wrote, or was not understood.
    #[default]
    #[serde(other)]
    Beyond,
}

impl Reach {
    /// All of them, the shortest first.
    pub const ALL: [Self; 4] = [Self::Reads, Self::Project, Self::Unknown, Self::Beyond];

    /// The name in events: `reads`, `project`, `unknown` or `beyond`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Project => "project",
            Self::Unknown => "unknown",
            Self::Beyond => "beyond",
        }
    }
}
