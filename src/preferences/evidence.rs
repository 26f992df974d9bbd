//! What the log says about a question when its preference is changed, for the record of the change.

use plantune_query::families::Grouping;
use plantune_query::questions::names;
use plantune_reports::standing::StandingPreference;
use serde_json::{Value, json};

use crate::preferences::scope::PreferenceScope;
use crate::preferences::standing::review;
use crate::workspace::Workspace;

/// What is known now about the question `key` in `scope`, for the record of a change:
/// `answered` (the person's answers by name and how often), and for a preference that stands there
/// `auto_decided`, `spot_checks` and `spot_checks_agreed`. `None` when the store cannot be read.
pub(crate) fn now(workspace: &Workspace, key: &str, scope: &PreferenceScope) -> Option<Value> {
    // A change must not fail because the store is in use: then what it holds is good enough.
    let store = workspace
        .store()
        .or_else(|_| workspace.stale_store())
        .ok()??;
    let grouping = Grouping::read(&store, workspace.registry().ok()?).ok()?;
    let names = names(&store, &grouping, key, scope.project()).ok()?;
    let answers = store.answers_by_name(&names.logged, scope.project()).ok()?;
    let answered: serde_json::Map<String, Value> = answers
        .into_iter()
        .map(|(name, times)| (name, times.into()))
        .collect();
    let mut evidence = json!({ "answered": answered });
    let rows = review(workspace).ok()?;
    let mine = |row: &&StandingPreference| row.is_of(key, scope.project());
    if let (Some(row), Some(evidence)) = (rows.iter().find(mine), evidence.as_object_mut()) {
        let counts = [
            ("auto_decided", row.standing.decided),
            ("spot_checks", row.standing.spot_checks),
            ("spot_checks_agreed", row.standing.agreed),
        ];
        evidence.extend(counts.map(|(name, count)| (name.to_owned(), count.into())));
    }
    Some(evidence)
}
