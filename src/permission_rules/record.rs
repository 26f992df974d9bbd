//! Changes of permission rules as events.

use std::borrow::Cow;
use std::path::Path;

use plantune_domain::event::Event;
use plantune_domain::project::project_key;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::preferences::event;
use crate::workspace::Workspace;

/// What stands in `preference` of an event about a permission rule.
const PREFERENCE: &str = "permission-rule";

/// One rule that was written or taken out.
pub(crate) struct RuleChange<'a> {
    /// The rule.
    pub(crate) rule: &'a str,
    /// The project's folder; `None` for the person's own settings.
    pub(crate) root: Option<&'a Path>,
    /// The settings file.
    pub(crate) file: &'a Path,
    /// `suggest rule` or `undo rule`.
    pub(crate) reason: &'static str,
    /// What it rests on.
    pub(crate) evidence: Option<Value>,
}

/// Logs `changes`; `yes` when `--yes` stood in for the person's answer. They are about no question, so that
/// nothing that reads the answers to one comes across them.
///
/// # Errors
/// Those of the file system; the settings are changed by then.
pub(crate) fn log<'a>(
    workspace: &Workspace,
    changes: &[RuleChange<'a>],
    yes: bool,
) -> Result<(), Failure> {
    let files: Vec<_> = changes
        .iter()
        .map(|one| one.file.to_string_lossy())
        .collect();
    let event = |(change, file): (&RuleChange<'a>, &Cow<'_, str>)| {
        let mut evidence = change.evidence.clone().unwrap_or_else(|| json!({}));
        if let Some(evidence) = evidence.as_object_mut() {
            evidence.insert("file".to_owned(), file.as_ref().into());
        }
        Event {
            project: change.root.map(project_key).unwrap_or_default().into(),
            preference: Some(PREFERENCE.into()),
            preference_scope: Some(change.root.map_or("global", |_| "project").into()),
            answer: Some(vec![change.rule.into()]),
            detail: Some(event::detail(Some(&evidence), yes)),
            ..event::event(workspace, change.reason, &[file, change.rule])
        }
    };
    let events: Vec<Event<'_>> = changes.iter().zip(&files).map(event).collect();
    let kept = "the settings were changed; only the record of it is missing";
    event::log(workspace, &events, kept)
}
