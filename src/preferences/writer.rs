//! The one writer of preferences: shows the exact change, asks, replaces the files, logs each change.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plantune_domain::atomic_file::{self, Staged};
use plantune_domain::gate::check_preference;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::{Preference, PreferenceFile};
use plantune_domain::registry::Registry;
use plantune_domain::spool;
use plantune_query::decisions::Decision;
use plantune_reports::inert;
use serde_json::Value;
use similar::TextDiff;

use crate::failure::write_failure::Obstacle;
use crate::failure::{Failure, Kind};
use crate::preferences::actor::By;
use crate::preferences::change_lock;
use crate::preferences::event;
use crate::preferences::renamed::renamed;
use crate::preferences::scope::Place;
use crate::terminal::{self, harmless};
use crate::workspace::context::Context;
use crate::workspace::user_files::conflict;

/// Lines around a change.
const CONTEXT_LINES: usize = 3;

/// What a change that could not be made left as it was.
const KEPT: &str = "no preference was changed";

/// One change to make.
pub(crate) struct Change {
    /// Where.
    pub(crate) place: Place,
    /// The question.
    pub(crate) key: String,
    /// What is to stand there; `None` takes it away.
    pub(crate) preference: Option<Preference>,
    /// Why: `suggest`, `suggest never`, `prefs set`, `prefs renew`, `prefs clear` or `undo`.
    pub(crate) reason: &'static str,
    /// What is known about the question at this time.
    pub(crate) evidence: Option<Value>,
    /// The answer that is taken back, for `undo`.
    pub(crate) undone: Option<Decision>,
}

/// How the person is asked.
pub(crate) struct Asking<'a> {
    /// The question, without `[y/N]`.
    pub(crate) question: &'a str,
    /// True when `--yes` answers it.
    pub(crate) yes: bool,
    /// What the person can run instead, where nobody can be asked.
    pub(crate) command: &'a str,
}

/// A file before and after.
struct Edit {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: String,
}

/// Changes that were shown, and are not made yet.
pub(crate) struct Proposed<'a> {
    context: &'a Context,
    changes: &'a [Change],
    edits: Vec<Edit>,
}

/// Makes `changes` after the person has seen and confirmed them; false when they said no.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference and where the person cannot be asked; usage (exit
/// code 2) for one that a rule has taken the name from; conflict
/// (exit code 3) for a file that is not understood or changes meanwhile. Nothing is written then.
pub(crate) fn apply(
    context: &Context,
    registry: &Registry,
    changes: &[Change],
    asking: &Asking<'_>,
) -> Result<bool, Failure> {
    // Where nobody is asked, a command that runs at the same time is waited for, not fallen out with.
    let lock = match asking.yes && !context.agent_session {
        true => Some(change_lock::hold(context, KEPT)?),
        false => None,
    };
    let proposed = propose(context, registry, changes)?;
    if !terminal::confirm(context, asking.question, asking.yes, asking.command)? {
        terminal::print("nothing was changed\n")?;
        return Ok(false);
    }
    match lock {
        Some(_lock) => proposed.write(true)?,
        None => proposed.make()?,
    }
    Ok(true)
}

/// Shows what `changes` change, to the character.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference; conflict (exit code 3) for a file that is not
/// understood.
pub(crate) fn propose<'a>(
    context: &'a Context,
    registry: &Registry,
    changes: &'a [Change],
) -> Result<Proposed<'a>, Failure> {
    for change in changes {
        refuse_idle(change, registry)?;
    }
    let edits = edits(context, changes)?;
    for edit in &edits {
        terminal::print(&edit.diff())?;
    }
    Ok(Proposed {
        context,
        changes,
        edits,
    })
}

impl Proposed<'_> {
    /// Makes the changes, which the person was asked about and has confirmed.
    ///
    /// # Errors
    /// Conflict (exit code 3) for a file that changed meanwhile; nothing is written then.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        let _lock = change_lock::hold(self.context, KEPT)?;
        self.write(false)
    }

    /// Writes the files; the lock is held. `yes` when `--yes` stood in for the person's answer.
    fn write(&self, yes: bool) -> Result<(), Failure> {
        // First what needs room or leave, so that nothing is changed when there is none; a change is
        // on record before it holds.
        let staged = self
            .edits
            .iter()
            .map(Edit::stage)
            .collect::<Result<Vec<_>, _>>()?;
        log(self.context, self.changes, &By::this_process(yes))?;
        for (edit, staged) in self.edits.iter().zip(staged) {
            staged.put_in_place().map_err(|error| {
                let path = harmless(&edit.path.display().to_string());
                Failure::failed(format!("{path}: {error}"))
                    .hint("the log says that it was changed: run the same command again")
            })?;
        }
        Ok(())
    }
}

/// The hook would ignore it; the person should not believe that it holds.
fn refuse_idle(change: &Change, registry: &Registry) -> Result<(), Failure> {
    let Some(preference) = &change.preference else {
        return Ok(());
    };
    if let Err(refusal) = check_preference(&change.key, preference, registry) {
        return Err(Failure::new(
            Kind::Refused,
            format!(
                "{} is always asked: {}",
                change.key,
                harmless(&refusal.to_string())
            ),
        )
        .hint("a question whose answer cannot be taken back is never answered for you"));
    }
    match renamed(&change.key, preference, registry).filter(|renamed| renamed.wholly) {
        Some(renamed) => Err(Failure::new(
            Kind::Usage,
            format!("{} would not be obeyed: {}", change.key, renamed.reason()),
        )
        .hint(renamed.set_anew(preference, &change.place))),
        None => Ok(()),
    }
}

/// The files that `changes` touch, one edit a file.
fn edits(context: &Context, changes: &[Change]) -> Result<Vec<Edit>, Failure> {
    let mut places: BTreeMap<&Place, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        places.entry(&change.place).or_default().push(change);
    }
    places
        .into_iter()
        .map(|(place, changes)| {
            let path = place.file(&context.paths);
            let before = read(&path)?;
            let file = PreferenceFile::load(&path).map_err(|error| conflict(&error))?;
            let mut file = file.unwrap_or_else(|| PreferenceFile::empty(place.project()));
            for change in changes {
                change.edit(&mut file);
            }
            let after = inert::json(&file).map_err(Failure::failed)?;
            Ok(Edit {
                path,
                before,
                after,
            })
        })
        .collect()
}

impl Change {
    fn edit(&self, file: &mut PreferenceFile) {
        let known = file.preferences.remove(&self.key);
        if let Some(preference) = &self.preference {
            let mut preference = preference.clone();
            // What a newer version wrote beside it stays.
            preference.other = known.map(|known| known.other).unwrap_or_default();
            file.preferences.insert(self.key.clone(), preference);
        }
    }
}

impl Edit {
    /// The unified diff, harmless on a terminal.
    fn diff(&self) -> String {
        let before = self.before.as_deref().unwrap_or_default();
        let before = harmless(&String::from_utf8_lossy(before));
        let after = harmless(&self.after);
        let name = harmless(&self.path.display().to_string());
        let old = if self.before.is_some() {
            name.as_str()
        } else {
            "/dev/null"
        };
        TextDiff::from_lines(&before, &after)
            .unified_diff()
            .context_radius(CONTEXT_LINES)
            .header(old, &name)
            .to_string()
    }

    fn stage(&self) -> Result<Staged, Failure> {
        if read(&self.path)? != self.before {
            return Err(conflict(&format!(
                "{}: changed while you were asked",
                self.path.display()
            )));
        }
        if let Some(folder) = self.path.parent() {
            create_private_dir(folder).map_err(|error| self.failure(&error))?;
        }
        atomic_file::stage(&self.path, self.after.as_bytes(), 0o600)
            .map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &io::Error) -> Failure {
        unwritten(&self.path, error)
    }
}

/// That `path` cannot be written, and that everything is as it was.
fn unwritten(path: &Path, error: &io::Error) -> Failure {
    match Obstacle::of(error) {
        Some(obstacle) => obstacle.failure(path, KEPT),
        None => {
            let path = harmless(&path.display().to_string());
            Failure::failed(format!("{path}: {error}")).hint(KEPT)
        }
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(conflict(&format!("{}: {error}", path.display()))),
    }
}

/// Logs each change as an event of its own.
fn log(context: &Context, changes: &[Change], by: &By) -> Result<(), Failure> {
    let lines = event::lines(context, changes, by)?;
    spool::append(&context.paths, context.now, &lines)
        .map_err(|error| unwritten(&context.paths.events(), &error))
}
