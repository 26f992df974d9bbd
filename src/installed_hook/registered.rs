//! Whether anything calls a hook of plantune's here.

use std::path::{Path, PathBuf};

use crate::agents;
use crate::claude_settings::editor;
use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::plugins::{self, Plugin};
use crate::claude_settings::scope::SettingsScope;
use crate::installed_hook::InstalledHook;
use crate::installed_hook::release::{CURRENT, Release};
use crate::programs::is_executable;
use crate::workspace::Workspace;

/// What calls a hook of plantune's in this folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Registered {
    Nowhere,
    /// It is this plantune's, or a plugin or a shared file leaves open which one.
    Well,
    /// Settings name one that is not there, or of another release.
    Badly(String),
}

/// What calls a hook here. Settings that cannot be read name none.
pub(crate) fn registered(workspace: &Workspace) -> Registered {
    let files = SettingsScope::ALL.map(|scope| SettingsFile::open(workspace, scope));
    let mut programs: Vec<String> = files
        .iter()
        .flatten()
        .filter_map(|file| editor::inspect(file.text()).ok())
        .flat_map(|found| found.registrations)
        .map(|entry| entry.program)
        .chain(agents::found().flat_map(|found| found.programs(workspace)))
        .collect();
    programs.dedup();
    let plugins = plugins::ours_in(files.iter().flatten());
    if programs.is_empty() && plugins.is_empty() {
        return Registered::Nowhere;
    }
    // A plugin without a hook of its own starts the copy where there is one.
    let starts_it = plugins.iter().any(Plugin::starts_the_copy);
    let copy = InstalledHook::of(&workspace.paths).path();
    let copy = (starts_it && copy.exists()).then_some(copy);
    let mut paths = programs.into_iter().map(PathBuf::from).chain(copy);
    let bad = paths.find_map(|path| path.is_absolute().then(|| fault(&path)).flatten());
    bad.map_or(Registered::Well, Registered::Badly)
}

/// What is wrong with the hook at `path`, if anything.
fn fault(path: &Path) -> Option<String> {
    if !is_executable(path) {
        return Some("the hook that is registered is gone".to_owned());
    }
    let release = Release::of(path);
    (release != Release::Stated(CURRENT.to_owned()))
        .then(|| format!("the hook that is registered is {release}"))
}
