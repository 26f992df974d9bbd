//! What the person changes. Every change holds the lock, so that there is one at a time, and leaves an event in the log
//! that says what, who, and what was known then. A change of preferences is also said in a sentence, shown as a diff and
//! confirmed: everything that the command line writes into preferences.json goes through here.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use plantune_domain::atomic_file;
use plantune_domain::atomic_file::Staged;
use plantune_domain::event::{ChangeReason, Event, Kind, SCHEMA_VERSION};
use plantune_domain::gate::check_preference;
use plantune_domain::json::Text;
use plantune_domain::paths::create_private_dir;
use plantune_domain::preferences::{Level, Policy, Preference, PreferenceFile, read, try_hold};
use plantune_domain::question::texts;
use plantune_domain::registry::Registry;
use plantune_domain::sanitize::shell_word;
use plantune_domain::secrets::masked_path;
use plantune_domain::session_kind::session_kind;
use plantune_domain::{clock, hash, spool};
use plantune_query::questions::LoggedDecision;
use plantune_reports::standing::{covers_any, title_of};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::{json, one_line};
use serde_json::{Map, Value, json as json_value};

use crate::environment::{terminal_name, user};
use crate::failure::{Failure, conflict, not_written};
use crate::preferences::{FoundFile, PreferenceScope, name, name_by_rule, word};
use crate::projects::ShortNames;
use crate::session::Session;
use crate::standing::evidence_now;
use crate::terminal::consent::{Confirmation, diff};
use crate::terminal::sanitized;
use crate::{preferences, projects, terminal};

// Of every change: the lock and the record.

/// How often another command is waited for, and for how long each time.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other changes away until it is dropped. `kept` says what was not changed.
///
/// # Errors
/// When another command holds it for longer than five seconds, or the folder cannot be made or opened.
pub(crate) fn hold(session: &Session, kept: &str) -> Result<File, Failure> {
    let folder = session.paths.config();
    for _ in 0..TRIES {
        let held = try_hold(folder).map_err(|error| not_written(folder, &error, kept))?;
        if let Some(lock) = held {
            return Ok(lock);
        }
        thread::sleep(PAUSE);
    }
    Err(
        Failure::failed("another plantune command is changing preferences or rules")
            .hint(format!("{kept}; let it finish, then run this again")),
    )
}

/// An event about a change for `reason`, which `about` tells from others of this moment, with what every one says.
pub(crate) fn event(session: &Session, reason: ChangeReason, about: &[&str]) -> Event<'static> {
    let ts = clock::timestamp(session.now);
    let (kind, reason) = (Kind::PreferenceChanged.as_str(), reason.as_str());
    let id = [&[kind, &ts, reason], about].concat();
    let cwd = std::env::current_dir().unwrap_or_default();
    Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&id).into(),
        ts: ts.into(),
        kind: kind.into(),
        session_kind: session_kind(|name| std::env::var_os(name)).as_str().into(),
        cwd: masked_path(&cwd.to_string_lossy()).into_owned().into(),
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
    let by = json_value!({
        "user": set("USER").or_else(|| set("LOGNAME")), "uid": user(),
        "terminal": terminal_name(), "yes": yes,
    });
    detail.insert("by".to_owned(), by);
    Value::Object(detail).to_string().into()
}

/// `events` as the lines of a segment.
///
/// # Errors
/// The errors of the serialiser; none is known.
pub(crate) fn lines(events: &[Event<'_>]) -> Result<String, Failure> {
    let mut lines = Vec::new();
    for event in events {
        lines.extend(event.to_line()?);
    }
    Ok(String::from_utf8_lossy(&lines).into_owned())
}

/// Appends `events` to the log; `kept` says what holds when that fails.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn log(session: &Session, events: &[Event<'_>], kept: &str) -> Result<(), Failure> {
    let lines = lines(events)?;
    spool::append(&session.paths, session.now, lines.as_bytes())
        .map_err(|failed| not_written(&session.paths.events(), &failed.error, kept))
}

// Of a change of preferences.

/// One change to make.
#[derive(Clone)]
pub(crate) struct Change {
    /// Where.
    pub(crate) scope: PreferenceScope,
    /// The question.
    pub(crate) key: String,
    /// The preference to stand there; `None` takes it away.
    pub(crate) preference: Option<Preference>,
    /// Why.
    pub(crate) reason: ChangeReason,
    /// The evidence about the question at this time.
    pub(crate) evidence: Option<Value>,
    /// The answer that is taken back, for [`ChangeReason::Undo`].
    pub(crate) undone: Option<LoggedDecision>,
}

impl Change {
    /// `preference` for `key` in `scope`, or none, with what is known about the question now.
    pub(crate) fn new(
        session: &Session,
        scope: PreferenceScope,
        key: &str,
        preference: Option<Preference>,
        reason: ChangeReason,
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
}

// What a change means, in a sentence.

/// How much of a question, an asker or a project is shown, in columns.
const SHOWN: usize = 120;

/// Describes the effect of `change`, and the command that undoes it. `asker` is who asks the question, if known;
/// `before` is what stood there.
pub(crate) fn from_now_on(
    change: &Change,
    before: Option<&Preference>,
    asker: Option<&str>,
    session: &Session,
) -> String {
    let question = question(change, before, asker);
    let place = place(&change.scope, session);
    let Some(preference) = &change.preference else {
        return format!("From now on, you are asked {question} again {place}.");
    };
    let answered = match &preference.answer {
        Some(label) => format!("with {}", answer_in_words(Some(label))),
        None => "as recommended".to_owned(),
    };
    let does = match (preference.preference, preference.level()) {
        (Policy::AlwaysAsk, _) => {
            format!("you are always asked {question} {place}, and plantune stops proposing it.")
        }
        (_, Level::Trial) => format!(
            "plantune answers {question} {place} {answered}. At first it still asks you one time in three."
        ),
        (_, Level::Standing) => {
            format!("plantune answers {question} {place} {answered}, and sometimes asks to check.")
        }
    };
    let undo = undo(&change.key, preference, &change.scope, session);
    format!("From now on, {does}\nTo undo: {undo}")
}

/// A scope in a sentence: `in o/r`, `everywhere`.
pub(crate) fn place(scope: &PreferenceScope, session: &Session) -> String {
    match scope {
        PreferenceScope::Project(project) => {
            let names = ShortNames::for_sentence(session);
            format!("in {}", one_line(names.of(project), SHOWN))
        }
        PreferenceScope::Global => "everywhere".to_owned(),
    }
}

/// The question in words, and nothing wider: `"Which layout?"`, `"Which layout?" of /review`, `any question with
/// "Yes", "No"`.
fn question(change: &Change, before: Option<&Preference>, asker: Option<&str>) -> String {
    let preference = change.preference.as_ref();
    let answered = preference.filter(|one| one.preference.answers());
    let title = answered.and_then(title_of);
    if let (true, Some((any, _))) = (answered.is_some_and(covers_any), &title) {
        return one_line(any, SHOWN);
    }
    let text = preference
        .or(before)
        .filter(|one| one.question.is_some())
        .map(|one| name(&change.key, one));
    let of = asker.map_or_else(String::new, |asker| {
        format!(" of {}", one_line(asker, SHOWN))
    });
    match (title, text) {
        (Some((text, 0)), _) | (None, Some(text)) => format!("\"{}\"{of}", one_line(&text, SHOWN)),
        (Some((text, more)), _) => format!("\"{}\" and {more} more{of}", one_line(&text, SHOWN)),
        (None, None) => format!("the question {}{of}", one_line(&change.key, SHOWN)),
    }
}

/// The command that takes back the `preference` for `key` in `scope`, in backquotes.
pub(crate) fn undo(
    key: &str,
    preference: &Preference,
    scope: &PreferenceScope,
    session: &Session,
) -> String {
    let word = word(key, preference, scope, session);
    let is_other =
        |file: &FoundFile| file.preference_scope() != *scope && file.preferences.contains_key(key);
    if *scope == PreferenceScope::Global && preferences::all(session).iter().any(is_other) {
        // `undo` takes the nearest one.
        return format!("`{}`", scope.prefs("clear", &word));
    }
    let here = projects::resolve(".", session).ok();
    let elsewhere = match scope {
        PreferenceScope::Project(project) if here.as_ref() != Some(project) => {
            let names = ShortNames::for_sentence(session);
            format!(" --project {}", shell_word(names.of(project)))
        }
        _ => String::new(),
    };
    format!("`plantune undo {}{elsewhere}`", shell_word(&word))
}

// Making changes.

/// The words for a change that could not be made.
const UNCHANGED: &str = "no preference was changed";

/// Makes `changes` after the person has read what changes and confirmed it; false when they said no.
///
/// # Errors
/// The errors of [`make`].
pub(crate) fn apply(
    session: &Session,
    changes: &[Change],
    confirmation: &Confirmation<'_>,
) -> Result<bool, Failure> {
    let is_given = |diff: &str| confirmation.is_given(session, diff);
    let is_made = make(session, changes, confirmation.yes, is_given)?;
    if is_made {
        confirmation.say_done(session)?;
    }
    Ok(is_made)
}

/// Makes `changes` if `confirm` says so, which gets the unified diffs of the files, sanitized for a terminal; `yes` when
/// `--yes` stands in for the person's answer. True when they are made.
///
/// # Errors
/// Refused (exit code 4) for an unsafe preference and where the person cannot be asked; usage (exit
/// code 2) for one that a rule has taken the name from; conflict
/// (exit code 3) for a file that is not understood or changes meanwhile. Nothing is written then.
pub(crate) fn make(
    session: &Session,
    changes: &[Change],
    yes: bool,
    confirm: impl FnOnce(&str) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    // Where nobody is asked, a command that runs at the same time is waited for.
    let lock = match yes && session.agent_session.is_none() {
        true => Some(hold(session, UNCHANGED)?),
        false => None,
    };
    // The person may think about it for long.
    session.close_store();
    for change in changes {
        refuse_ignored(change, session.registry()?)?;
    }
    let edits = edits(session, changes)?;
    let diffs: String = edits.iter().map(FileEdit::diff).collect();
    if !confirm(&diffs)? {
        return Ok(false);
    }
    let _lock = match lock {
        Some(lock) => lock,
        None => hold(session, UNCHANGED)?,
    };
    // First what needs space or permission, so that nothing is changed without them; a change is
    // logged before it takes effect.
    let staged = edits.iter().map(FileEdit::stage);
    let staged = staged.collect::<Result<Vec<_>, _>>()?;
    let events = changes.iter().map(|change| event_of(change, yes, session));
    log(session, &events.collect::<Vec<_>>(), UNCHANGED)?;
    for (edit, staged) in edits.iter().zip(staged) {
        staged.put_in_place().map_err(|error| {
            let path = terminal::path(&edit.path);
            Failure::failed(format!("{path}: {error}"))
                .hint("the log already has this change: run the same command again")
        })?;
    }
    Ok(true)
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
    match name_by_rule(&change.key, preference, registry).filter(|renamed| renamed.wholly) {
        Some(renamed) => Err(Failure::usage(format!(
            "a preference for {} would do nothing: {}",
            change.key,
            renamed.reason()
        ))
        .hint(renamed.set_again(preference, &change.scope))),
        None => Ok(()),
    }
}

/// A file before and after.
struct FileEdit {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: String,
}

/// The files that `changes` touch, one edit a file.
fn edits(session: &Session, changes: &[Change]) -> Result<Vec<FileEdit>, Failure> {
    let mut scopes: BTreeMap<&PreferenceScope, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        scopes.entry(&change.scope).or_default().push(change);
    }
    let edit = |(scope, changes): (&PreferenceScope, Vec<&Change>)| {
        let path = scope.file(&session.paths);
        let before = bytes(&path)?;
        let file = PreferenceFile::load(&path).map_err(|error| conflict(&error))?;
        let mut file = file.unwrap_or_else(|| PreferenceFile::empty(scope.project()));
        for Change {
            key, preference, ..
        } in changes
        {
            match preference {
                Some(preference) => file.set(key, preference.clone()),
                None => drop(file.preferences.remove(key)),
            }
        }
        Ok(FileEdit {
            path,
            before,
            after: json(&file)?,
        })
    };
    scopes.into_iter().map(edit).collect()
}

fn bytes(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    read(path).map_err(|error| conflict(&error))
}

impl FileEdit {
    /// The unified diff, sanitized for a terminal.
    fn diff(&self) -> String {
        let before = self.before.as_deref().map(String::from_utf8_lossy);
        let name = terminal::path(&self.path);
        diff(&name, before.as_deref(), &self.after, false)
    }

    fn stage(&self) -> Result<Staged, Failure> {
        let path = &self.path;
        if bytes(path)? != self.before {
            let fact = format!("{}: changed while you were asked", path.display());
            return Err(conflict(&fact));
        }
        let made = path.parent().map_or(Ok(()), create_private_dir);
        made.and_then(|()| atomic_file::stage(path, self.after.as_bytes(), 0o600))
            .map_err(|error| not_written(path, &error, UNCHANGED))
    }
}

/// The event about `change` of a preference.
fn event_of<'a>(change: &'a Change, yes: bool, session: &Session) -> Event<'a> {
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
pub(crate) fn taking_back<'a>(undone: &'a LoggedDecision, event: Event<'a>) -> Event<'a> {
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
