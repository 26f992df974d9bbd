//! The one writer of preferences: shows the exact change, asks, replaces the files, logs each change.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plantune_hooks::atomic_file::{self, Staged};
use plantune_hooks::event::{Event, Kind as EventKind, SCHEMA_VERSION, Text};
use plantune_hooks::paths::create_private_dir;
use plantune_hooks::preferences::{Preference, PreferenceFile};
use plantune_hooks::registry::Registry;
use plantune_hooks::session_kind::session_kind;
use plantune_hooks::{clock, hash, spool};
use plantune_reports::inert;
use similar::TextDiff;

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::obstacle::Obstacle;
use crate::place::Place;
use crate::terminal::{self, harmless};
use crate::user_files::conflict;

/// Lines around a change.
const CONTEXT_LINES: usize = 3;

/// One change to make.
pub(crate) struct Change {
    /// Where.
    pub(crate) place: Place,
    /// The question.
    pub(crate) key: String,
    /// What is to stand there; `None` takes it away.
    pub(crate) preference: Option<Preference>,
    /// Why: `suggest`, `prefs set` or `prefs clear`.
    pub(crate) reason: &'static str,
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

/// Makes `changes` after the person has seen and confirmed them; false when they said no.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference and where the person cannot be asked; conflict
/// (exit code 3) for a file that is not understood or changes meanwhile. Nothing is written then.
pub(crate) fn apply(
    context: &Context,
    registry: &Registry,
    changes: &[Change],
    asking: &Asking<'_>,
) -> Result<bool, Failure> {
    for change in changes {
        refuse_unsafe(change, registry)?;
    }
    let edits = edits(context, changes)?;
    for edit in &edits {
        terminal::print(&edit.diff())?;
    }
    if !terminal::confirm(context, asking.question, asking.yes, asking.command)? {
        terminal::print("nothing was changed\n")?;
        return Ok(false);
    }
    // First what needs room or leave, so that nothing is changed when there is none; a change is on
    // record before it holds.
    let staged = edits
        .iter()
        .map(Edit::stage)
        .collect::<Result<Vec<_>, _>>()?;
    log(context, changes)?;
    for (edit, staged) in edits.iter().zip(staged) {
        staged.put_in_place().map_err(|error| {
            let path = harmless(&edit.path.display().to_string());
            Failure::failed(format!("{path}: {error}"))
                .hint("the log says that it was changed: run the same command again")
        })?;
    }
    Ok(true)
}

/// The hook would ignore it; the person should not believe that it holds.
fn refuse_unsafe(change: &Change, registry: &Registry) -> Result<(), Failure> {
    let preference = change.preference.as_ref();
    match preference.and_then(|preference| preference.inert_reason(&change.key, registry)) {
        Some(reason) => Err(Failure::new(
            Kind::Refused,
            format!("{} is always asked: {}", change.key, harmless(&reason)),
        )
        .hint("a question whose answer cannot be taken back is never answered for you")),
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
    const KEPT: &str = "no preference was changed";
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
fn log(context: &Context, changes: &[Change]) -> Result<(), Failure> {
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    let ts = clock::timestamp(context.now);
    let mut lines = Vec::new();
    for change in changes {
        let detail = change
            .preference
            .as_ref()
            .and_then(|preference| preference.evidence.as_ref())
            .map(ToString::to_string);
        let mut event = event(change, &ts, &cwd);
        event.detail = detail.as_deref().map(Text::from);
        lines.extend(event.to_line().map_err(Failure::failed)?);
    }
    spool::append(&context.paths, context.now, &lines)
        .map_err(|error| unwritten(&context.paths.events(), &error))
}

fn event<'a>(change: &'a Change, ts: &'a str, cwd: &'a str) -> Event<'a> {
    let project = change.place.project().unwrap_or_default();
    let scope = change.place.scope().name();
    let kind = EventKind::PreferenceChanged.name();
    let preference = change.preference.as_ref();
    let texts =
        |texts: &'a Vec<String>| texts.iter().map(|text| Text::from(text.as_str())).collect();
    Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&[kind, ts, scope, project, &change.key]).into(),
        ts: ts.into(),
        kind: kind.into(),
        session_kind: session_kind(|name| std::env::var_os(name)).into(),
        project: project.into(),
        cwd: cwd.into(),
        source: "cli".into(),
        question_key: Some(change.key.as_str().into()),
        key_source: preference.and_then(|entry| entry.key_source.as_deref().map(Text::from)),
        question: preference.and_then(|entry| entry.question.as_deref().map(Text::from)),
        header: preference.and_then(|entry| entry.header.as_deref().map(Text::from)),
        options: preference.and_then(|entry| entry.options.as_ref().map(texts)),
        answer: preference.and_then(|entry| entry.answer.as_deref().map(|one| vec![one.into()])),
        preference: preference.map(|entry| entry.preference.name().into()),
        preference_scope: Some(scope.into()),
        reason: Some(change.reason.into()),
        ..Event::default()
    }
}
