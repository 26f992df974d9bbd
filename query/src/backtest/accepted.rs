//! Which proposals a replay takes for accepted.

use std::collections::BTreeMap;

use crate::suggest::level::Level;
use crate::suggest::suggestions::Suggestion;

/// Proposals that were chosen, by project and key, each with the level that it is proposed at.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chosen(BTreeMap<(String, String), Level>);

impl Chosen {
    /// Nothing but `proposals`.
    pub fn of<'s>(proposals: impl Iterator<Item = &'s Suggestion>) -> Self {
        let named = proposals.map(|one| {
            let asked = &one.asked;
            (
                (asked.project.clone(), asked.question_key.clone()),
                one.level,
            )
        });
        Self(named.collect())
    }

    /// The level that the proposal for `key` in `project` was chosen at, if it was.
    pub(super) fn level(&self, project: &str, key: &str) -> Option<Level> {
        self.0.get(&(project.to_owned(), key.to_owned())).copied()
    }
}
