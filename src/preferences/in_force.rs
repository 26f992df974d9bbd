//! Which questions the person has decided about already.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::failure::Failure;
use crate::preferences::scope::PreferenceScope;
use crate::workspace::user_files::conflict;
use crate::workspace::{LoadedPreferences, Workspace};

/// The keys with a preference, whatever it says; a file is read when it is first asked for.
pub(crate) struct InForce<'a> {
    workspace: &'a Workspace,
    /// By scope: where a project's file lies is hashed from its name, and every habit asks.
    files: RefCell<BTreeMap<PreferenceScope, Rc<LoadedPreferences>>>,
    unreadable: RefCell<BTreeSet<PreferenceScope>>,
}

impl<'a> InForce<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            files: RefCell::default(),
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
        .any(|scope| match &*self.file(&scope) {
            Ok(Some(file)) => file.preferences.contains_key(key),
            Ok(None) => false,
            Err(_) => {
                self.unreadable.borrow_mut().insert(scope);
                true
            }
        })
    }

    fn file(&self, scope: &PreferenceScope) -> Rc<LoadedPreferences> {
        if let Some(file) = self.files.borrow().get(scope) {
            return Rc::clone(file);
        }
        let file = self
            .workspace
            .preference_file(&scope.file(&self.workspace.paths));
        let mut files = self.files.borrow_mut();
        files.insert(scope.clone(), Rc::clone(&file));
        file
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
