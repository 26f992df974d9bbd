//! One change of a preference, with what is recorded of it.

use plantune_domain::preferences::{Preference, PreferenceFile};
use plantune_query::decisions::Decision;
use serde_json::Value;

use crate::preferences::evidence;
use crate::preferences::scope::PreferenceScope;
use crate::workspace::Workspace;

/// One change to make.
#[derive(Clone)]
pub(crate) struct Change {
    /// Where.
    pub(crate) scope: PreferenceScope,
    /// The question.
    pub(crate) key: String,
    /// What is to stand there; `None` takes it away.
    pub(crate) preference: Option<Preference>,
    /// Why: `suggest`, `suggest never`, `prefs set`, `prefs agents`, `prefs clear`, `agreed to`,
    /// `fleet adopt` or `undo`.
    pub(crate) reason: &'static str,
    /// What is known about the question at this time.
    pub(crate) evidence: Option<Value>,
    /// The answer that is taken back, for `undo`.
    pub(crate) undone: Option<Decision>,
}

impl Change {
    /// `preference` for `key` in `scope`, or none, with what is known about the question now.
    pub(crate) fn new(
        workspace: &Workspace,
        scope: PreferenceScope,
        key: &str,
        preference: Option<Preference>,
        reason: &'static str,
    ) -> Self {
        Self {
            evidence: evidence::now(workspace, key, &scope),
            scope,
            key: key.to_owned(),
            preference,
            reason,
            undone: None,
        }
    }

    /// Makes the change in `file`, as it was read.
    pub(super) fn apply_to(&self, file: &mut PreferenceFile) {
        match &self.preference {
            Some(preference) => file.set(&self.key, preference.clone()),
            None => {
                file.preferences.remove(&self.key);
            }
        }
    }
}
