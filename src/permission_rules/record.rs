//! Changes of permission rules as events.

use std::path::Path;

use plantune_domain::event::{Event, Kind, SCHEMA_VERSION};
use plantune_domain::project::project_key;
use plantune_domain::session_kind::session_kind;
use plantune_domain::{clock, hash, spool};
use serde_json::Value;

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::preferences::actor::Actor;
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
pub(crate) fn log(
    workspace: &Workspace,
    changes: &[RuleChange<'_>],
    yes: bool,
) -> Result<(), Failure> {
    let actor = Actor::of_this_process(yes);
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    let ts = clock::timestamp(workspace.now);
    let kind = Kind::PreferenceChanged.as_str();
    let mut lines = Vec::new();
    for change in changes {
        let file = change.file.to_string_lossy();
        let mut evidence = change
            .evidence
            .clone()
            .unwrap_or_else(|| Value::Object(Default::default()));
        if let Some(evidence) = evidence.as_object_mut() {
            evidence.insert("file".to_owned(), file.as_ref().into());
        }
        let detail = actor.detail(Some(&evidence));
        let project = change.root.map(project_key).unwrap_or_default();
        let scope = change.root.map_or("global", |_| "project");
        let event = Event {
            v: SCHEMA_VERSION,
            id: hash::hex(&[kind, &ts, change.reason, &file, change.rule]).into(),
            ts: ts.as_str().into(),
            kind: kind.into(),
            session_kind: session_kind(|name| std::env::var_os(name)).as_str().into(),
            project: project.as_str().into(),
            cwd: cwd.as_ref().into(),
            source: "cli".into(),
            preference: Some(PREFERENCE.into()),
            preference_scope: Some(scope.into()),
            answer: Some(vec![change.rule.into()]),
            reason: Some(change.reason.into()),
            detail: Some(detail.as_str().into()),
            ..Event::default()
        };
        lines.extend(event.to_line()?);
    }
    spool::append(&workspace.paths, workspace.now, &lines).map_err(|error| {
        not_written(
            &workspace.paths.events(),
            &error,
            "the settings were changed; only the record of it is missing",
        )
    })
}
