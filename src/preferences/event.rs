//! Changes of preferences as events: what changed, who changed it, and what was known then.

use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, Text};
use plantune_domain::session_kind::session_kind;
use plantune_domain::{clock, hash};
use plantune_query::decisions::Decision;

use crate::failure::Failure;
use crate::preferences::actor::Actor;
use crate::preferences::change::Change;
use crate::workspace::Workspace;

/// The lines of the spool that record `changes`, one each.
///
/// # Errors
/// Those of the serialiser; none is known.
pub(crate) fn lines(
    workspace: &Workspace,
    changes: &[Change],
    actor: &Actor,
) -> Result<Vec<u8>, Failure> {
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    let ts = clock::timestamp(workspace.now);
    let mut lines = Vec::new();
    for change in changes {
        let detail = actor.detail(change.evidence.as_ref());
        let mut event = event(change, &ts, &cwd);
        event.detail = Some(detail.as_str().into());
        lines.extend(event.to_line()?);
    }
    Ok(lines)
}

fn event<'a>(change: &'a Change, ts: &'a str, cwd: &'a str) -> Event<'a> {
    let scope = change.scope.kind().as_str();
    let kind = Kind::PreferenceChanged.as_str();
    let preference = change.preference.as_ref();
    let texts =
        |texts: &'a Vec<String>| texts.iter().map(|text| Text::from(text.as_str())).collect();
    let project = change.scope.project().unwrap_or_default();
    let mut event = Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&[kind, ts, scope, project, &change.key]).into(),
        ts: ts.into(),
        kind: kind.into(),
        session_kind: session_kind(|name| std::env::var_os(name)).as_str().into(),
        project: project.into(),
        cwd: cwd.into(),
        source: "cli".into(),
        question_key: Some(change.key.as_str().into()),
        key_source: preference.and_then(|entry| entry.key_source.as_deref().map(Text::from)),
        question: preference.and_then(|entry| entry.question.as_deref().map(Text::from)),
        header: preference.and_then(|entry| entry.header.as_deref().map(Text::from)),
        options: preference.and_then(|entry| entry.options.as_ref().map(texts)),
        answer: preference.and_then(|entry| entry.answer.as_deref().map(|one| vec![one.into()])),
        preference: preference.map(|entry| entry.preference.as_str().into()),
        preference_scope: Some(scope.into()),
        reason: Some(change.reason.into()),
        ..Event::default()
    };
    if let Some(undone) = &change.undone {
        add_undone(undone, &mut event);
    }
    event
}

/// What an undo takes back, into the event about it: so it counts against the habit in the project
/// it happened in, wherever the preference held.
fn add_undone<'a>(undone: &'a Decision, event: &mut Event<'a>) {
    let texts = |texts: &'a [String]| texts.iter().map(|text| text.as_str().into()).collect();
    event.project = undone.project.as_str().into();
    event.tool_use_id = undone.tool_use_id.as_deref().map(Text::from);
    event.question_index = Some(undone.question_index);
    event.key_source = Some(undone.key_source.as_str().into());
    event.question = Some(undone.question.as_str().into());
    event.header = undone.header.as_deref().map(Text::from);
    event.options = Some(texts(&undone.options));
    event.recommended = undone.recommended.as_deref().map(Text::from);
    event.multi_select = undone.multi_select;
    event.answer = Some(texts(&undone.preferred));
}
