//! The one writer of preferences: says what changes, asks, holds the lock, logs each change, replaces the files.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plantune_domain::atomic_file::Staged;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text};
use plantune_domain::gate::check_preference;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::{Preference, PreferenceFile, try_hold};
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::session_kind;
use plantune_domain::{atomic_file, clock, hash, preferences, spool};
use plantune_query::questions::Decision;
use plantune_reports::text;
use serde_json::{Map, Value, json};

use super::evidence_now;
use crate::failure::conflict;
use crate::failure::{Failure, not_written};
use crate::preferences::renamed::renamed;
use crate::preferences::scope::PreferenceScope;
use crate::session::Session;
use crate::terminal::consent::{Confirmation, diff};
use crate::terminal::sanitized;
use crate::{platform, terminal};

/// The words for a change that could not be made.
const UNCHANGED: &str = "no preference was changed";

/// A file before and after.
struct FileEdit {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: String,
}

/// Changes that are not made yet.
pub(crate) struct PlannedChanges<'a> {
    session: &'a Session,
    changes: &'a [Change],
    edits: Vec<FileEdit>,
}

/// [`apply`] for `change` alone, which `command` makes; true when it was made.
///
/// # Errors
/// The errors of [`apply`].
pub(crate) fn apply_one(
    session: &Session,
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
    apply(session, std::slice::from_ref(change), &confirmation)
}

/// Makes `changes` after the person has read what changes and confirmed it; false when they said no.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference and where the person cannot be asked; usage (exit
/// code 2) for one that a rule has taken the name from; conflict
/// (exit code 3) for a file that is not understood or changes meanwhile. Nothing is written then.
pub(crate) fn apply(
    session: &Session,
    changes: &[Change],
    confirmation: &Confirmation<'_>,
) -> Result<bool, Failure> {
    // Where nobody is asked, a command that runs at the same time is waited for.
    let lock = match confirmation.yes && session.agent_session.is_none() {
        true => Some(hold(session, UNCHANGED)?),
        false => None,
    };
    let proposed = plan(session, changes)?;
    if !confirmation.is_given(session, &proposed.diff())? {
        return Ok(false);
    }
    match lock {
        Some(_lock) => proposed.write(true)?,
        None => proposed.make()?,
    }
    confirmation.say_done(session)?;
    Ok(true)
}

/// Works out what `changes` change, and shows nothing yet.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference; conflict (exit code 3) for a file that is not
/// understood.
pub(crate) fn plan<'a>(
    session: &'a Session,
    changes: &'a [Change],
) -> Result<PlannedChanges<'a>, Failure> {
    // The person may think about it for long.
    session.close_store();
    for change in changes {
        refuse_ignored(change, session.registry()?)?;
    }
    let edits = edits(session, changes)?;
    Ok(PlannedChanges {
        session,
        changes,
        edits,
    })
}

impl PlannedChanges<'_> {
    /// The unified diffs of the files, sanitized for a terminal.
    pub(crate) fn diff(&self) -> String {
        self.edits.iter().map(FileEdit::diff).collect()
    }

    /// Makes the changes, which the person was shown and has confirmed.
    ///
    /// # Errors
    /// Conflict (exit code 3) for a file that changed meanwhile; nothing is written then.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        let _lock = hold(self.session, UNCHANGED)?;
        self.write(false)
    }

    /// Writes the files; the lock is held. `yes` when `--yes` stood in for the person's answer.
    fn write(&self, yes: bool) -> Result<(), Failure> {
        // First what needs space or permission, so that nothing is changed without them; a change is
        // logged before it takes effect.
        let staged = self
            .edits
            .iter()
            .map(FileEdit::stage)
            .collect::<Result<Vec<_>, _>>()?;
        let changes = self.changes.iter();
        let events: Vec<_> = changes
            .map(|change| of(change, yes, self.session))
            .collect();
        log(self.session, &events, UNCHANGED)?;
        for (edit, staged) in self.edits.iter().zip(staged) {
            staged.put_in_place().map_err(|error| {
                let path = terminal::path(&edit.path);
                Failure::failed(format!("{path}: {error}"))
                    .hint("the log already has this change: run the same command again")
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
        .hint("plantune never answers a question whose answer can't be undone"));
    }
    match renamed(&change.key, preference, registry).filter(|renamed| renamed.wholly) {
        Some(renamed) => Err(Failure::usage(format!(
            "a preference for {} would do nothing: {}",
            change.key,
            renamed.reason()
        ))
        .hint(renamed.set_again(preference, &change.scope))),
        None => Ok(()),
    }
}

/// The files that `changes` touch, one edit a file.
fn edits(session: &Session, changes: &[Change]) -> Result<Vec<FileEdit>, Failure> {
    let mut scopes: BTreeMap<&PreferenceScope, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        scopes.entry(&change.scope).or_default().push(change);
    }
    scopes
        .into_iter()
        .map(|(scope, changes)| {
            let path = scope.file(&session.paths);
            let before = read(&path)?;
            let file = PreferenceFile::load(&path).map_err(|error| conflict(&error))?;
            let mut file = file.unwrap_or_else(|| PreferenceFile::empty(scope.project()));
            for change in changes {
                change.apply_to(&mut file);
            }
            let after = text::json(&file)?;
            Ok(FileEdit {
                path,
                before,
                after,
            })
        })
        .collect()
}

impl FileEdit {
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

// One change of a preference, with what is recorded of it.

/// One change to make.
#[derive(Clone)]
pub(crate) struct Change {
    /// Where.
    pub(crate) scope: PreferenceScope,
    /// The question.
    pub(crate) key: String,
    /// The preference to stand there; `None` takes it away.
    pub(crate) preference: Option<Preference>,
    /// Why: `suggest`, `suggest never`, `prefs set`, `prefs agents`, `prefs clear`, `agreed to`,
    /// `fleet adopt` or `undo`.
    pub(crate) reason: &'static str,
    /// The evidence about the question at this time.
    pub(crate) evidence: Option<Value>,
    /// The answer that is taken back, for `undo`.
    pub(crate) undone: Option<Decision>,
}

impl Change {
    /// `preference` for `key` in `scope`, or none, with what is known about the question now.
    pub(crate) fn new(
        session: &Session,
        scope: PreferenceScope,
        key: &str,
        preference: Option<Preference>,
        reason: &'static str,
    ) -> Self {
        Self {
            evidence: evidence_now(session, key, &scope),
            scope,
            key: key.to_owned(),
            preference,
            reason,
            undone: None,
        }
    }

    /// Makes the change in `file`, as it was read.
    pub(super) fn apply_to(&self, file: &mut PreferenceFile) {
        match &self.preference {
            Some(preference) => file.set(&self.key, preference.clone()),
            None => {
                file.preferences.remove(&self.key);
            }
        }
    }
}

// The lock under which preferences and rules are changed, for the command line, which waits for it.

/// How often another command is waited for, and for how long each time.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other changes away until it is dropped. `kept` says what was not changed.
///
/// # Errors
/// When another command holds it for longer than five seconds, or the folder cannot be made or opened.
pub(crate) fn hold(session: &Session, kept: &str) -> Result<File, Failure> {
    let folder = session.paths.config();
    let try_hold = || {
        let held = try_hold(folder);
        held.map_err(|error| not_written(folder, &error, kept))
    };
    wait_for(try_hold)?.ok_or_else(|| {
        Failure::failed("another plantune command is changing preferences or rules")
            .hint(format!("{kept}; let it finish, then run this again"))
    })
}

/// The result of `try_hold`, which is tried again for five seconds while it gets nothing.
///
/// # Errors
/// The errors of `try_hold`.
pub(crate) fn wait_for<T>(
    try_hold: impl Fn() -> Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    for _ in 0..TRIES {
        if let Some(held) = try_hold()? {
            return Ok(Some(held));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(None)
}

// What the person changed, as events: what, who, and what was known then.

/// An event about a change that `reason` names and `about` tells from others of this moment, with what every one says.
pub(crate) fn event(session: &Session, reason: &'static str, about: &[&str]) -> Event<'static> {
    let ts = clock::timestamp(session.now);
    let kind = Kind::PreferenceChanged.as_str();
    let id = [&[kind, &ts, reason], about].concat();
    let cwd = std::env::current_dir().unwrap_or_default();
    Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&id).into(),
        ts: ts.into(),
        kind: kind.into(),
        session_kind: session_kind(|name| std::env::var_os(name)).as_str().into(),
        cwd: cwd.to_string_lossy().into_owned().into(),
        source: "cli".into(),
        reason: Some(reason.into()),
        ..Event::default()
    }
}

/// The JSON text that an event about a change carries: the fields of `evidence`, and who changed it, as far as the
/// system knows; `yes` when `--yes` stood in for the person's answer.
pub(crate) fn detail(evidence: Option<&Value>, yes: bool) -> Text<'static> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut detail = match evidence {
        Some(Value::Object(evidence)) => evidence.clone(),
        _ => Map::new(),
    };
    let by = json!({
        "user": set("USER").or_else(|| set("LOGNAME")), "uid": platform::user(),
        "terminal": platform::terminal_name(), "yes": yes,
    });
    detail.insert("by".to_owned(), by);
    Value::Object(detail).to_string().into()
}

/// Appends `events` to the log; `kept` says what holds when that fails.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn log(session: &Session, events: &[Event<'_>], kept: &str) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for event in events {
        lines.extend(event.to_line()?);
    }
    spool::append(&session.paths, session.now, &lines)
        .map_err(|error| not_written(&session.paths.events(), &error, kept))
}

/// The event about `change` of a preference.
pub(super) fn of<'a>(change: &'a Change, yes: bool, session: &Session) -> Event<'a> {
    let scope = change.scope.kind().as_str();
    let preference = change.preference.as_ref();
    let project = change.scope.project().unwrap_or_default();
    let base = event(session, change.reason, &[scope, project, &change.key]);
    let event = Event {
        project: project.into(),
        question_key: Some(change.key.as_str().into()),
        key_source: preference.and_then(|one| text(&one.key_source)),
        question: preference.and_then(|one| text(&one.question)),
        header: preference.and_then(|one| text(&one.header)),
        options: preference.and_then(|one| one.options.as_deref().map(texts)),
        answer: preference.and_then(|one| one.answer.as_deref().map(|one| vec![one.into()])),
        preference: preference.map(|entry| entry.preference.as_str().into()),
        preference_scope: Some(scope.into()),
        detail: Some(detail(change.evidence.as_ref(), yes)),
        ..base
    };
    match &change.undone {
        Some(undone) => taking_back(undone, event),
        None => event,
    }
}

/// `event` with the answer that it takes back: so it counts against the habit in the project it happened in, wherever
/// the preference held.
pub(crate) fn taking_back<'a>(undone: &'a Decision, event: Event<'a>) -> Event<'a> {
    Event {
        project: undone.project.as_str().into(),
        tool_use_id: text(&undone.tool_use_id),
        question_index: Some(undone.question_index),
        key_source: Some(undone.key_source.as_str().into()),
        question: Some(undone.question.as_str().into()),
        header: text(&undone.header),
        options: Some(texts(&undone.options)),
        recommended: text(&undone.recommended),
        multi_select: undone.multi_select,
        answer: Some(texts(&undone.preferred)),
        ..event
    }
}

/// `text` for an event.
pub(crate) fn text(text: &Option<String>) -> Option<Text<'_>> {
    text.as_deref().map(Text::from)
}

/// `texts` for an event.
pub(crate) fn texts(texts: &[String]) -> Vec<Text<'_>> {
    texts.iter().map(|text| text.as_str().into()).collect()
}
