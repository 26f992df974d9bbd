//! The one writer of preferences: says what changes, asks, replaces the files, logs each change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plantune_domain::atomic_file::Staged;
use plantune_domain::gate::check_preference;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::PreferenceFile;
use plantune_domain::registry::Registry;
use plantune_domain::{atomic_file, preferences};
use plantune_reports::text;

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::preferences::change::Change;
use crate::preferences::renamed::renamed;
use crate::preferences::scope::PreferenceScope;
use crate::preferences::{change_lock, event};
use crate::terminal;
use crate::terminal::consent::Confirmation;
use crate::terminal::diff::diff;
use crate::terminal::sanitized;
use crate::workspace::Workspace;
use crate::workspace::user_files::conflict;

/// What a change that could not be made left as it was.
const UNCHANGED: &str = "no preference was changed";

/// A file before and after.
struct Edit {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: String,
}

/// Changes that are not made yet.
pub(crate) struct Proposed<'a> {
    workspace: &'a Workspace,
    changes: &'a [Change],
    edits: Vec<Edit>,
}

/// [`apply`] for `change` alone, which `command` makes; true when it was made.
///
/// # Errors
/// Those of [`apply`].
pub(crate) fn apply_one(
    workspace: &Workspace,
    change: &Change,
    (sentence, question): (&str, &str),
    yes: bool,
    command: &str,
) -> Result<bool, Failure> {
    let confirmation = Confirmation {
        sentence,
        question,
        yes,
        command: &sanitized(command),
    };
    apply(workspace, std::slice::from_ref(change), &confirmation)
}

/// Makes `changes` after the person has read what changes and confirmed it; false when they said no.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference and where the person cannot be asked; usage (exit
/// code 2) for one that a rule has taken the name from; conflict
/// (exit code 3) for a file that is not understood or changes meanwhile. Nothing is written then.
pub(crate) fn apply(
    workspace: &Workspace,
    changes: &[Change],
    confirmation: &Confirmation<'_>,
) -> Result<bool, Failure> {
    // Where nobody is asked, a command that runs at the same time is waited for.
    let lock = match confirmation.yes && workspace.agent_session.is_none() {
        true => Some(change_lock::hold(workspace, UNCHANGED)?),
        false => None,
    };
    let proposed = plan(workspace, changes)?;
    if !confirmation.is_given(workspace, &proposed.diff())? {
        return Ok(false);
    }
    match lock {
        Some(_lock) => proposed.write(true)?,
        None => proposed.make()?,
    }
    confirmation.say_done(workspace)?;
    Ok(true)
}

/// Works out what `changes` change, and shows nothing yet.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference; conflict (exit code 3) for a file that is not
/// understood.
pub(crate) fn plan<'a>(
    workspace: &'a Workspace,
    changes: &'a [Change],
) -> Result<Proposed<'a>, Failure> {
    // The person may think about it for long.
    workspace.close_store();
    for change in changes {
        refuse_ignored(change, workspace.registry()?)?;
    }
    let edits = edits(workspace, changes)?;
    Ok(Proposed {
        workspace,
        changes,
        edits,
    })
}

impl Proposed<'_> {
    /// The unified diffs of the files, sanitized for a terminal.
    pub(crate) fn diff(&self) -> String {
        self.edits.iter().map(Edit::diff).collect()
    }

    /// Makes the changes, which the person was shown and has confirmed.
    ///
    /// # Errors
    /// Conflict (exit code 3) for a file that changed meanwhile; nothing is written then.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        let _lock = change_lock::hold(self.workspace, UNCHANGED)?;
        self.write(false)
    }

    /// Writes the files; the lock is held. `yes` when `--yes` stood in for the person's answer.
    fn write(&self, yes: bool) -> Result<(), Failure> {
        self.workspace.found(|findings| findings.is_outdated = true);
        // First what needs space or permission, so that nothing is changed without them; a change is
        // logged before it takes effect.
        let staged = self
            .edits
            .iter()
            .map(Edit::stage)
            .collect::<Result<Vec<_>, _>>()?;
        let changes = self.changes.iter();
        let events: Vec<_> = changes
            .map(|change| event::of(change, yes, self.workspace))
            .collect();
        event::log(self.workspace, &events, UNCHANGED)?;
        for (edit, staged) in self.edits.iter().zip(staged) {
            staged.put_in_place().map_err(|error| {
                let path = terminal::path(&edit.path);
                Failure::failed(format!("{path}: {error}"))
                    .hint("the log says that it was changed: run the same command again")
            })?;
        }
        Ok(())
    }
}

/// The hook would ignore it; the person should not believe that it holds.
fn refuse_ignored(change: &Change, registry: &Registry) -> Result<(), Failure> {
    let Some(preference) = &change.preference else {
        return Ok(());
    };
    if let Err(refusal) = check_preference(&change.key, preference, registry) {
        return Err(Failure::refused(format!(
            "{} is always asked: {}",
            change.key,
            sanitized(&refusal.to_string())
        ))
        .hint("a question whose answer cannot be taken back is never answered for you"));
    }
    match renamed(&change.key, preference, registry).filter(|renamed| renamed.wholly) {
        Some(renamed) => Err(Failure::usage(format!(
            "{} would not be obeyed: {}",
            change.key,
            renamed.reason()
        ))
        .hint(renamed.set_again(preference, &change.scope))),
        None => Ok(()),
    }
}

/// The files that `changes` touch, one edit a file.
fn edits(workspace: &Workspace, changes: &[Change]) -> Result<Vec<Edit>, Failure> {
    let mut scopes: BTreeMap<&PreferenceScope, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        scopes.entry(&change.scope).or_default().push(change);
    }
    scopes
        .into_iter()
        .map(|(scope, changes)| {
            let path = scope.file(&workspace.paths);
            let before = read(&path)?;
            let file = PreferenceFile::load(&path).map_err(|error| conflict(&error))?;
            let mut file = file.unwrap_or_else(|| PreferenceFile::empty(scope.project()));
            for change in changes {
                change.apply_to(&mut file);
            }
            let after = text::json(&file)?;
            Ok(Edit {
                path,
                before,
                after,
            })
        })
        .collect()
}

impl Edit {
    /// The unified diff, sanitized for a terminal.
    fn diff(&self) -> String {
        let before = self.before.as_deref().map(String::from_utf8_lossy);
        diff(
            &terminal::path(&self.path),
            before.as_deref(),
            &self.after,
            false,
        )
    }

    fn stage(&self) -> Result<Staged, Failure> {
        if read(&self.path)? != self.before {
            return Err(conflict(&format!(
                "{}: changed while you were asked",
                self.path.display()
            )));
        }
        if let Some(folder) = self.path.parent() {
            create_private_dir(folder)
                .map_err(|error| not_written(&self.path, &error, UNCHANGED))?;
        }
        atomic_file::stage(&self.path, self.after.as_bytes(), 0o600)
            .map_err(|error| not_written(&self.path, &error, UNCHANGED))
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    preferences::read(path).map_err(|error| conflict(&error))
}
