//! What the person changed, as events: what, who, and what was known then.

use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text};
use plantune_domain::session_kind::session_kind;
use plantune_domain::{clock, hash, spool};
use plantune_query::decisions::Decision;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::platform;
use crate::preferences::change::Change;
use crate::workspace::Workspace;

/// An event about a change that `reason` names and `about` tells from others of this moment, with what every one says.
pub(crate) fn event(workspace: &Workspace, reason: &'static str, about: &[&str]) -> Event<'static> {
    let ts = clock::timestamp(workspace.now);
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
/// Those of the file system.
pub(crate) fn log(workspace: &Workspace, events: &[Event<'_>], kept: &str) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for event in events {
        lines.extend(event.to_line()?);
    }
    spool::append(&workspace.paths, workspace.now, &lines)
        .map_err(|error| not_written(&workspace.paths.events(), &error, kept))
}

/// The event about `change` of a preference.
pub(super) fn of<'a>(change: &'a Change, yes: bool, workspace: &Workspace) -> Event<'a> {
    let scope = change.scope.kind().as_str();
    let preference = change.preference.as_ref();
    let project = change.scope.project().unwrap_or_default();
    let base = event(workspace, change.reason, &[scope, project, &change.key]);
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
