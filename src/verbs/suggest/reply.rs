//! What the person replies to a proposal.

use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::verbs::suggest::proposal::Proposal;
use crate::workspace::Workspace;

/// The person's reply to one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Set it.
    Yes,
    /// Not now; it is proposed again.
    No,
    /// Stop asking; this one and the rest are proposed again.
    Later,
    /// Never propose it again: the question is always asked.
    Never,
}

impl Reply {
    /// What `proposal` changes by this reply.
    pub(super) fn changes(
        self,
        proposal: &Proposal<'_>,
        workspace: &Workspace,
    ) -> Result<Vec<Change>, Failure> {
        match self {
            Self::Yes => proposal.changes(workspace),
            Self::Never => proposal.never(workspace),
            Self::No | Self::Later => Ok(Vec::new()),
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "y" | "yes" => Some(Self::Yes),
            "n" | "no" | "" => Some(Self::No),
            "l" | "later" => Some(Self::Later),
            "never" => Some(Self::Never),
            _ => None,
        }
    }
}
