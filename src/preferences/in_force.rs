//! Which questions the person has decided about already.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use plantune_domain::family;
use plantune_domain::preferences::{Policy, Preference};
use plantune_domain::state::State;
use plantune_query::suggest::{EVERYWHERE, InForce as Decided};
use plantune_reports::standing::StandingPreference;

use crate::failure::Failure;
use crate::preferences::scope::PreferenceScope;
use crate::preferences::standing;
use crate::workspace::user_files::conflict;
use crate::workspace::{LoadedPreferences, Workspace};

/// What the preference files say of a key; a file is read when it is first asked for.
pub(crate) struct InForce<'a> {
    workspace: &'a Workspace,
    unreadable: RefCell<BTreeSet<PreferenceScope>>,
    /// How the preferences stand, once it was asked.
    reviewed: OnceCell<Vec<StandingPreference>>,
}

impl<'a> InForce<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            unreadable: RefCell::default(),
            reviewed: OnceCell::new(),
        }
    }

    /// What the person has decided about `key` in `project`, there or everywhere; of [`EVERYWHERE`], what
    /// they have decided for all projects. A file that cannot be read counts as one that decides
    /// everything; [`InForce::check`] reports it.
    pub(crate) fn of(&self, project: &str, key: &str) -> Decided {
        let here = (project != EVERYWHERE).then(|| PreferenceScope::Project(project.to_owned()));
        let scopes = here.into_iter().chain([PreferenceScope::Global]);
        scopes
            .map(|scope| match &*self.file(&scope) {
                Ok(Some(file)) => {
                    let found = file.preferences.get_key_value(key);
                    let found = found.or_else(|| wider(&file.preferences, key));
                    found.map_or(Decided::Nothing, |(key, one)| {
                        self.decided(&scope, key, one)
                    })
                }
                Ok(None) => Decided::Nothing,
                Err(_) => {
                    self.unreadable.borrow_mut().insert(scope);
                    Decided::Decided
                }
            })
            .max()
            .unwrap_or_default()
    }

    fn decided(&self, scope: &PreferenceScope, key: &str, preference: &Preference) -> Decided {
        match preference.preference {
            Policy::Assist => Decided::Assist,
            Policy::AlwaysAsk => Decided::Decided,
            Policy::NeverAsk | Policy::AskOnlyForOneWay => match self.state(scope, key) {
                Some(State::OnTrial) => Decided::Trial,
                Some(State::Stopped) => Decided::Stopped,
                // One that is not obeyed is decided about all the same.
                Some(State::On) | None => Decided::Standing,
            },
        }
    }

    /// How the preference for `key` stands that the hook answers by.
    fn state(&self, scope: &PreferenceScope, key: &str) -> Option<State> {
        let reviewed = self
            .reviewed
            .get_or_init(|| standing::review(self.workspace).unwrap_or_default());
        let mut of_key = reviewed
            .iter()
            .filter(|one| one.is_of(key, scope.project()));
        of_key.next().map(|one| one.standing.state)
    }

    fn file(&self, scope: &PreferenceScope) -> Rc<LoadedPreferences> {
        let path = scope.file(&self.workspace.paths);
        self.workspace.preference_file(&path)
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

/// The preference that also holds where an option is added to its own, and the question is the family `key` then.
fn wider<'p>(
    preferences: &'p BTreeMap<String, Preference>,
    key: &str,
) -> Option<(&'p String, &'p Preference)> {
    preferences.iter().find(|(_, one)| {
        let is_family = one.key_source.as_deref() == Some("family");
        let options = one.options.as_deref().filter(|_| is_family);
        let with = |added: &String| {
            let set = [options.unwrap_or_default(), std::slice::from_ref(added)].concat();
            family::is_named(key, &family::set_key(&set))
        };
        options.is_some() && one.added.iter().any(with)
    })
}
