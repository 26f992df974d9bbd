//! Every file of preferences, read as far as it can be.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use plantune_domain::gate::check_preference;
use plantune_domain::preferences::{Preference, PreferenceFile, Scope};
use plantune_domain::registry::Registry;

use crate::preferences::renamed::renamed;
use crate::preferences::scope::Place;
use crate::workspace::context::Context;

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

/// The files of `places` that are there.
pub(crate) fn of(context: &Context, places: &[Place]) -> Vec<Found> {
    let found = |place: &Place| {
        let project = place.project().map(str::to_owned);
        read(place.file(&context.paths), place.scope(), project)
    };
    places.iter().filter_map(found).collect()
}

/// All files: those of the projects, in the order of their projects, and the global one.
pub(crate) fn all(context: &Context) -> Vec<Found> {
    let folders = fs::read_dir(context.paths.config().join("projects"));
    let files = folders
        .into_iter()
        .flatten()
        .flatten()
        .map(|folder| folder.path().join("preferences.json"));
    let mut found: Vec<Found> = files
        .filter_map(|path| read(path, Scope::Project, None))
        .collect();
    for file in &mut found {
        // The hook goes by the place: a file that names another project holds for nobody.
        let misplaced = file
            .project
            .as_deref()
            .is_none_or(|project| context.paths.project_preferences(project) != file.path);
        if misplaced && file.problem.is_none() {
            file.problem = Some(format!(
                "{}: does not lie where the preferences of the project it names are looked for",
                file.path.display()
            ));
        }
    }
    found.sort_by(|one, other| (&one.project, &one.path).cmp(&(&other.project, &other.path)));
    found.extend(of(context, &[Place::Global]));
    found
}

fn read(path: PathBuf, scope: Scope, project: Option<String>) -> Option<Found> {
    let (file, problem) = match PreferenceFile::load(&path) {
        Ok(file) => (Some(file?), None),
        // What others may write is still worth seeing.
        Err(problem) => (
            fs::read(&path)
                .ok()
                .and_then(|bytes| serde_json::from_slice::<PreferenceFile>(&bytes).ok()),
            Some(problem),
        ),
    };
    let named = file.as_ref().and_then(|file| file.project.clone());
    Some(Found {
        path,
        scope,
        // What a global file says of a project says nothing: the hook goes by the place.
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
            .or_else(|| {
                let refusal = check_preference(key, preference, registry).err()?;
                Some(refusal.to_string())
            })
            .or_else(|| {
                let renamed = renamed(key, preference, registry)?;
                renamed.wholly.then(|| renamed.reason())
            })
    }

    /// The place it holds in, as far as the file says.
    pub(crate) fn place(&self) -> Place {
        self.project.clone().map_or(Place::Global, Place::Project)
    }
}
