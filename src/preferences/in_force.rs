//! Which questions the person has decided about already.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::preferences::scope::PreferenceScope;
use crate::workspace::Workspace;
use crate::workspace::user_files::conflict;

/// The keys with a preference, whatever it says; a file is read when it is first asked for.
pub(crate) struct InForce<'a> {
    workspace: &'a Workspace,
    unreadable: RefCell<BTreeSet<PreferenceScope>>,
}

impl<'a> InForce<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            unreadable: RefCell::default(),
        }
    }

    /// True when a preference for `key` stands in `project` or everywhere. A file that cannot be
    /// read counts as one that decides everything; [`InForce::check`] reports it.
    pub(crate) fn holds(&self, project: &str, key: &str) -> bool {
        [
            PreferenceScope::Project(project.to_owned()),
            PreferenceScope::Global,
        ]
        .into_iter()
        .any(|scope| {
            let path = scope.file(&self.workspace.paths);
            match &*self.workspace.preference_file(&path) {
                Ok(Some(file)) => file.preferences.contains_key(key),
                Ok(None) => false,
                Err(_) => {
                    self.unreadable.borrow_mut().insert(scope);
                    true
                }
            }
        })
    }

    /// Reports the first file that could not be read.
    ///
    /// # Errors
    /// Conflict (exit code 3).
    pub(crate) fn check(self) -> Result<(), Failure> {
        let Some(scope) = self.unreadable.into_inner().pop_first() else {
            return Ok(());
        };
        let path = scope.file(&self.workspace.paths);
        match &*self.workspace.preference_file(&path) {
            Err(error) => Err(conflict(error)),
            Ok(_) => Ok(()),
        }
    }
}
