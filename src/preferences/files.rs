//! Every file of preferences, read as far as it can be.

use std::collections::BTreeMap;
use std::path::PathBuf;

use plantune_domain::gate::check_preference;
use plantune_domain::preferences::{Preference, PreferenceFile, Scope};
use plantune_domain::private_file;
use plantune_domain::registry::Registry;
use plantune_reports::standing::StandingPreference;
use plantune_reports::text::one_line;

use crate::failure::Failure;
use crate::preferences::renamed::renamed;
use crate::preferences::scope::PreferenceScope;
use crate::workspace::Workspace;
use crate::workspace::names::project_files;
use crate::workspace::user_files::conflict;

/// How much of a value is shown, in characters.
const SHOWN: usize = 60;

/// One file of preferences that is there.
pub(crate) struct Found {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Where it holds.
    pub(crate) scope: Scope,
    /// The project that it names; unknown in a file that does not say.
    pub(crate) project: Option<String>,
    /// What it holds, also when the hook ignores it.
    pub(crate) preferences: BTreeMap<String, Preference>,
    /// Why the hook ignores all of it.
    pub(crate) problem: Option<String>,
}

/// The files of `scopes` that are there.
pub(crate) fn of(workspace: &Workspace, scopes: &[PreferenceScope]) -> Vec<Found> {
    let found = |scope: &PreferenceScope| {
        let project = scope.project().map(str::to_owned);
        read(
            workspace,
            scope.file(&workspace.paths),
            scope.kind(),
            project,
        )
    };
    scopes.iter().filter_map(found).collect()
}

/// All files: those of the projects, in the order of their projects, and the global one.
pub(crate) fn all(workspace: &Workspace) -> Vec<Found> {
    let files = project_files(&workspace.paths);
    let mut found: Vec<Found> = files
        .filter_map(|path| read(workspace, path, Scope::Project, None))
        .collect();
    for file in &mut found {
        // The hook goes by the path: a file that names another project holds for nobody.
        let misplaced = file
            .project
            .as_deref()
            .is_none_or(|project| workspace.paths.project_preferences(project) != file.path);
        if misplaced && file.problem.is_none() {
            file.problem = Some(format!(
                "{}: does not lie where the preferences of the project it names are looked for",
                file.path.display()
            ));
        }
    }
    found.sort_by(|one, other| (&one.project, &one.path).cmp(&(&other.project, &other.path)));
    found.extend(of(workspace, &[PreferenceScope::Global]));
    found
}

/// The preference for `key` in `scope`, whether the hook obeys it or not.
///
/// # Errors
/// Conflict (exit code 3) for a file that is not understood.
pub(crate) fn preference(
    workspace: &Workspace,
    scope: &PreferenceScope,
    key: &str,
) -> Result<Option<Preference>, Failure> {
    let file = workspace.preference_file(&scope.file(&workspace.paths));
    let file = file.as_ref().as_ref().map_err(|error| conflict(error))?;
    Ok(file
        .as_ref()
        .and_then(|file| file.preferences.get(key).cloned()))
}

fn read(
    workspace: &Workspace,
    path: PathBuf,
    scope: Scope,
    project: Option<String>,
) -> Option<Found> {
    let (file, problem) = match &*workspace.preference_file(&path) {
        Ok(file) => (Some(file.clone()?), None),
        // What others may write is still worth seeing.
        Err(problem) => (
            private_file::read(&path, u64::MAX)
                .and_then(|bytes| serde_json::from_slice::<PreferenceFile>(&bytes).ok()),
            Some(problem.clone()),
        ),
    };
    let named = file.as_ref().and_then(|file| file.project.clone());
    Some(Found {
        path,
        scope,
        // What a global file says of a project says nothing: the hook goes by the path.
        project: match scope {
            Scope::Project => project.or(named),
            Scope::Global => None,
        },
        preferences: file.map(|file| file.preferences).unwrap_or_default(),
        problem,
    })
}

impl Found {
    /// Why the hook does not obey `preference` of this file, if it does not.
    pub(crate) fn inert_reason(
        &self,
        key: &str,
        preference: &Preference,
        registry: &Registry,
    ) -> Option<String> {
        self.problem
            .clone()
            .or_else(|| Self::ignored(key, preference, registry))
            .or_else(|| {
                let renamed = renamed(key, preference, registry)?;
                renamed.wholly.then(|| renamed.reason())
            })
    }

    /// Why a preference is not obeyed, or not for some of its questions, and what to do; the file itself is.
    pub(crate) fn remark(
        &self,
        key: &str,
        preference: &Preference,
        registry: &Registry,
    ) -> Option<String> {
        let renamed = renamed(key, preference, registry).map(|renamed| {
            let remedy = renamed.remedy(key, preference, &self.preference_scope());
            format!("{}; {remedy}", renamed.reason())
        });
        Self::ignored(key, preference, registry).or(renamed)
    }

    /// Why it is not obeyed, for what it says itself.
    fn ignored(key: &str, preference: &Preference, registry: &Registry) -> Option<String> {
        let refusal = check_preference(key, preference, registry).err();
        let refusal = refusal.map(|refusal| refusal.to_string());
        refusal
            .or_else(|| unknown(preference))
            .or_else(|| unbound(preference))
    }

    /// How its preference for `key` stands, among `all`.
    pub(crate) fn standing<'s>(
        &self,
        key: &str,
        all: &'s [StandingPreference],
    ) -> Option<&'s StandingPreference> {
        let is_scope = |one: &StandingPreference| one.scope == self.scope.as_str();
        let project = self.project.as_deref();
        all.iter()
            .find(|one| is_scope(one) && one.is_of(key, project))
    }

    /// The scope it holds in, as far as the file says.
    pub(crate) fn preference_scope(&self) -> PreferenceScope {
        self.project
            .clone()
            .map_or(PreferenceScope::Global, PreferenceScope::Project)
    }
}

/// Why a preference that does not say what it was given for is not obeyed.
fn unbound(preference: &Preference) -> Option<String> {
    let policy = preference.preference;
    let is_for_some = policy.answers() || policy.assists();
    (is_for_some && !preference.is_bound()).then(|| {
        "it does not say what it was given for; set it again, or answer it so three times"
            .to_owned()
    })
}

/// Why a preference is not read, for a value that no plantune writes there. What always asks is asked either way.
fn unknown(preference: &Preference) -> Option<String> {
    let (field, value) = preference.unknown_value()?;
    let policy = preference.preference;
    (policy.answers() || policy.assists()).then(|| {
        let value = one_line(value, SHOWN);
        format!("its `{field}` is \"{value}\", which plantune does not know; set it again")
    })
}
