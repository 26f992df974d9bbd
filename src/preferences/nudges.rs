//! The habits that the hook may point out: what `report` and `suggest` propose, in a file a project.

use std::fs;
use std::io;

use plantune_domain::nudge::{day_mark, folder, habits_file, is_day_mark};
use plantune_domain::paths::create_private_dir;
use plantune_domain::{atomic_file, clock};

use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::findings::Proposed;

/// Leaves the habits of `proposed` for the hook, which opens no store. Where they are those of one project, the
/// others' are left as they are. A failure is reported on standard error and stops nothing.
pub(crate) fn update(workspace: &Workspace, proposed: &Proposed) {
    write(workspace, proposed).unwrap_or_else(|error| {
        let folder = terminal::path(&folder(&workspace.paths));
        terminal::say(&format!("plantune: {folder}: {error}\n"));
    });
}

fn write(workspace: &Workspace, proposed: &Proposed) -> io::Result<()> {
    let paths = &workspace.paths;
    let mut current = Vec::new();
    for (project, habits) in &proposed.habits {
        create_private_dir(&folder(paths))?;
        let file = habits_file(paths, project);
        let bytes = serde_json::to_vec(habits)?;
        if fs::read(&file).ok().as_ref() != Some(&bytes) {
            atomic_file::replace(&file, &bytes, 0o600)?;
        }
        current.push(file);
    }
    let now = clock::timestamp(workspace.now);
    current.push(day_mark(paths, now.split('T').next().unwrap_or_default()));
    let meant = proposed.project.as_deref();
    let meant = meant.map(|project| habits_file(paths, project));
    for entry in fs::read_dir(folder(paths)).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_habits = path.extension().is_some_and(|ending| ending == "json");
        let is_meant = is_habits && meant.as_ref().is_none_or(|file| *file == path);
        if !current.contains(&path) && (is_day_mark(&path) || is_meant) {
            // What stays behind is removed the next time.
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}
