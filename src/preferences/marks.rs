//! What the hook has to know of how the preferences stand: a mark beside the count of each that is stopped.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plantune_domain::atomic_file;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::preferences::{Level, Preference, Scope};
use plantune_domain::spot_check::{self, agreed, count_file, stopped_mark};
use plantune_domain::state::{Cause, ON_AFTER, State};
use plantune_query::standing::Standing;
use plantune_reports::standing::StandingPreference;

use crate::preferences::files::{self, Found};
use crate::preferences::scope::PreferenceScope;
use crate::terminal;
use crate::workspace::Workspace;

/// How `preference`, which stands under `key` in `scope`, stands by what the hook keeps: without the store, and so
/// without days, labels and what it answered.
pub(crate) fn standing(
    paths: &Paths,
    scope: &PreferenceScope,
    key: &str,
    preference: &Preference,
) -> Standing {
    let project = scope.project().unwrap_or_default();
    let set_at = preference.set_at.as_deref();
    let count = count_file(paths, scope.kind(), project, key, set_at);
    let is_trial = preference.level() == Level::Trial;
    let agreed = agreed(&count);
    let state = spot_check::state(&count, is_trial);
    Standing {
        state,
        reason: match (state, is_trial, agreed) {
            (State::On, true, _) => Cause::TrialAgreed,
            (State::Stopped, true, ..ON_AFTER) => Cause::TrialDisagreed,
            (State::Stopped, _, _) => Cause::TwoDisagreed,
            (State::OnTrial | State::On, _, _) => Cause::Set,
        },
        agreed: agreed.into(),
        ..Standing::default()
    }
}

/// Marks those of `rows` that are stopped, so that the hook asks, and removes the marks
/// of the others and what was counted for preferences that are no more.
///
/// Done after every verb that reviewed the preferences or brought the store up to date. A preference that
/// is set or cleared needs no more, as its marks are named by when it was set. A failure is
/// reported on standard error and stops nothing.
pub(crate) fn update(workspace: &Workspace, rows: &[StandingPreference]) {
    write(workspace, &files::all(workspace), rows).unwrap_or_else(|error| {
        let folder = terminal::path(&workspace.paths.checks());
        terminal::say(&format!("plantune: {folder}: {error}\n"));
    });
}

fn write(workspace: &Workspace, found: &[Found], rows: &[StandingPreference]) -> io::Result<()> {
    for row in rows {
        let scope = match row.project {
            Some(_) => Scope::Project,
            None => Scope::Global,
        };
        let project = row.project.as_deref().unwrap_or_default();
        let set_at = row.set_at.as_deref();
        let count = count_file(&workspace.paths, scope, project, &row.question_key, set_at);
        let mark = stopped_mark(&count);
        match (row.standing.state == State::Stopped, mark.exists()) {
            (true, false) => {
                create_private_dir(&workspace.paths.checks())?;
                atomic_file::replace(&mark, b"", 0o600)?;
            }
            (false, true) => fs::remove_file(&mark)?,
            _ => {}
        }
    }
    if found.iter().all(|file| file.problem.is_none()) {
        forget(&workspace.paths.checks(), &counted(workspace, found));
    }
    Ok(())
}

/// The counts of every preference there is.
fn counted(workspace: &Workspace, found: &[Found]) -> BTreeSet<PathBuf> {
    let counts = found.iter().flat_map(|file| {
        file.preferences.iter().map(move |(key, preference)| {
            let project = file.project.as_deref().unwrap_or_default();
            let set_at = preference.set_at.as_deref();
            count_file(&workspace.paths, file.scope, project, key, set_at)
        })
    });
    counts.collect()
}

/// Removes what is in the folder of counts and is of none of `counts`.
fn forget(folder: &Path, counts: &BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if !counts.contains(&path.with_extension("")) {
            // What stays behind is removed the next time.
            let _ = fs::remove_file(path);
        }
    }
}
