//! Where the settings of a scope lie, and where their backups go.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_domain::{hash, project};

use crate::claude_settings::scope::SettingsScope;
use crate::failure::{Failure, Kind};
use crate::workspace::Workspace;

/// Links that are followed before they count as a circle.
const MOST_LINKS: usize = 40;

/// The path at which Claude Code reads the settings of `scope`.
pub(super) fn of(scope: SettingsScope) -> Result<PathBuf, Failure> {
    match scope {
        SettingsScope::User => user(),
        SettingsScope::Project | SettingsScope::Local => in_project(scope, &project_root()?),
    }
}

/// The same for the project in the folder `root`.
pub(super) fn in_project(scope: SettingsScope, root: &Path) -> Result<PathBuf, Failure> {
    let user = user();
    let project = |name: &str| {
        let path = root.join(claude_code::FOLDER).join(name);
        // In the home folder the project's settings and the user's are one file.
        if user.as_ref().is_ok_and(|user| same(user, &path)) {
            return Err(
                Failure::new(Kind::Usage, "this folder's settings are your user settings")
                    .hint("use --scope user"),
            );
        }
        Ok(path)
    };
    match scope {
        SettingsScope::User => user,
        SettingsScope::Project => project("settings.json"),
        SettingsScope::Local => project("settings.local.json"),
    }
}

/// Whose settings the file at `path` is, which plantune changed before.
pub(super) fn scope_of(path: &Path) -> SettingsScope {
    let is_user = user().is_ok_and(|user| same(&user, path));
    match path.file_name().and_then(|name| name.to_str()) {
        _ if is_user => SettingsScope::User,
        Some("settings.local.json") => SettingsScope::Local,
        _ => SettingsScope::Project,
    }
}

/// Makes sure that `target`, the file behind `path`'s links, lies in the folder `root`: where links lead is
/// for the person to say in their own settings, and for nobody in a project.
///
/// # Errors
/// Refused (exit code 4) where it does not.
pub(super) fn check_inside(
    scope: SettingsScope,
    root: &Path,
    path: &Path,
    target: &Path,
) -> Result<(), Failure> {
    let real = |folder: &Path| {
        // The folder itself may not be there yet; then its parent says.
        let existing = folder.ancestors().find(|one| one.exists())?;
        fs::canonicalize(existing).ok()
    };
    let inside = match (fs::canonicalize(root), target.parent().and_then(real)) {
        (Ok(root), Some(folder)) => folder.starts_with(root),
        _ => false,
    };
    if scope == SettingsScope::User || inside {
        return Ok(());
    }
    let path = crate::terminal::sanitized(&path.display().to_string());
    Err(Failure::new(
        Kind::Refused,
        format!("{path}: a link leads out of the project"),
    )
    .hint("nothing was changed; --settings user writes your own settings instead"))
}

fn user() -> Result<PathBuf, Failure> {
    let variable = claude_code::CONFIG_DIR;
    let folder = claude_code::folder(|name| env::var_os(name)).ok_or_else(|| {
        Failure::failed(format!(
            "no place for your settings: neither HOME nor {variable} is set"
        ))
        .hint(format!("set {variable}, or use --scope local"))
    })?;
    Ok(std::path::absolute(folder)?.join("settings.json"))
}

/// The top of the git worktree around the current folder, else that folder.
fn project_root() -> Result<PathBuf, Failure> {
    let here = env::current_dir()
        .map_err(|error| Failure::failed(format!("the current folder is unknown: {error}")))?;
    Ok(project::worktree_root(&here).unwrap_or(here))
}

/// True when the two name one place, though its folder may not be there yet.
fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        let folder = path.parent()?;
        let above = fs::canonicalize(folder.parent()?).ok()?;
        Some(above.join(folder.file_name()?).join(path.file_name()?))
    };
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}

/// The file behind `path`'s symbolic links, which need not exist: a link to a file that is not
/// there yet is still the person's choice of where it shall be.
pub(super) fn behind_links(path: &Path) -> Result<PathBuf, Failure> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let link = match fs::read_link(&target) {
            Ok(link) => link,
            // Not a link, or not there.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::NotFound
                ) =>
            {
                return Ok(target);
            }
            Err(error) => {
                let fact = format!("{}: {error}", path.display());
                return Err(Failure::new(Kind::Conflict, fact));
            }
        };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    let fact = format!("{}: its symbolic links lead in a circle", path.display());
    Err(Failure::new(Kind::Conflict, fact))
}

/// The folder for backups of `path`: beside it, save in a project, where they would be committed
/// and could carry keys along; those go to plantune's own data.
pub(super) fn of_backups(workspace: &Workspace, scope: SettingsScope, path: &Path) -> PathBuf {
    match (scope, path.parent()) {
        (SettingsScope::User, Some(folder)) => folder.to_owned(),
        _ => {
            let project = hash::hex(&["settings", &path.to_string_lossy()]);
            workspace.paths.data().join("backups").join(project)
        }
    }
}
