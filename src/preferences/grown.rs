//! What preferences were given for, kept up with what the person agreed to since: an asking with something new that
//! they answered as the preference would is familiar from then on. It takes no command.
//!
//! Only in a run of the person's own, never in an agent's session, and only from answers that they gave themselves.

use chrono::{DateTime, NaiveDateTime};
use plantune_domain::gate::check_preference;
use plantune_domain::keys::typed;
use plantune_domain::preferences::Preference;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;
use plantune_query::answered::{Answered, GrownPreference};
use plantune_query::standing::answered_as_new_since;
use plantune_reports::standing::StandingPreference;
use plantune_reports::text::one_line;
use serde_json::json;

use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::files::Found;
use crate::preferences::writer::plan;
use crate::preferences::{called, files};
use crate::terminal;
use crate::workspace::Workspace;

/// How much of a question is shown, in characters.
const SHOWN: usize = 120;

/// How many of the questions that it answers now are kept with the record of a change.
const RECORDED: usize = 8;

/// Has the preferences answer what was agreed to since they were set, and says so; `standing` is how they stand. A
/// failure is reported on standard error and stops nothing.
pub(crate) fn update(workspace: &Workspace, standing: &[StandingPreference]) {
    if workspace.agent_session.is_some() {
        return;
    }
    let done = changes(workspace, standing).and_then(|grown| {
        let changes: Vec<Change> = grown.iter().map(|(change, _)| change.clone()).collect();
        if !changes.is_empty() {
            plan(workspace, &changes)?.make()?;
        }
        Ok(grown)
    });
    match done {
        Ok(grown) => grown
            .iter()
            .for_each(|(_, sentence)| terminal::say(sentence)),
        Err(failure) => {
            let message = failure.message();
            terminal::say(&format!(
                "plantune: preferences were left as they are: {message}\n"
            ));
        }
    }
}

/// The changes to make, each with what there is to say about it.
fn changes(
    workspace: &Workspace,
    standing: &[StandingPreference],
) -> Result<Vec<(Change, String)>, Failure> {
    let registry = workspace.registry()?;
    let found = files::all(workspace);
    let mut growing: Vec<(&Found, &str, &Preference, NaiveDateTime)> = Vec::new();
    for file in found.iter().filter(|file| file.problem.is_none()) {
        for (key, preference) in &file.preferences {
            let is_stopped = file
                .standing(key, standing)
                .is_some_and(|one| one.standing.state == State::Stopped);
            if let Some(since) = since(preference)
                && !is_stopped
                && may_grow(key, preference, registry)
            {
                growing.push((file, key, preference, since));
            }
        }
    }
    let Some(first) = growing.iter().map(|(.., since)| *since).min() else {
        return Ok(Vec::new());
    };
    // The store as the verb has opened it: a verb that opened none found nothing new.
    let Some(store) = workspace.open_store() else {
        return Ok(Vec::new());
    };
    if workspace.read(answered_as_new_since(&store, first))? == 0 {
        return Ok(Vec::new());
    }
    let answered = workspace.read(Answered::read(&store, registry))?;
    let changes = growing
        .into_iter()
        .filter_map(|(file, key, preference, since)| {
            let seen = answered.to(key, file.project.as_deref());
            let grown = seen.grown(key, preference, since, registry)?;
            Some(change(file, key, grown))
        });
    Ok(changes.collect())
}

/// When `preference` was set (UTC); `None` where its file does not say, so that nothing is known to have come since.
fn since(preference: &Preference) -> Option<NaiveDateTime> {
    let at = DateTime::parse_from_rfc3339(preference.set_at.as_deref()?).ok()?;
    Some(at.naive_utc())
}

/// True for one that answers or points out an answer, and may.
fn may_grow(key: &str, preference: &Preference, registry: &Registry) -> bool {
    let policy = preference.preference;
    (policy.answers() || policy.assists())
        && preference.unknown_value().is_none()
        && check_preference(key, preference, registry).is_ok()
}

fn change(file: &Found, key: &str, grown: GrownPreference) -> (Change, String) {
    let name = called::name(key, &grown.preference);
    let texts: Vec<&str> = grown
        .texts
        .iter()
        .rev()
        .take(RECORDED)
        .map(String::as_str)
        .collect();
    let asked = texts
        .first()
        .map_or_else(String::new, |text| one_line(text, SHOWN));
    let more = match grown.texts.len() {
        0 | 1 => String::new(),
        many => format!(" and {} more", many - 1),
    };
    let sentence = format!(
        "plantune: {} is answered in more cases, as you answered so yourself: \"{asked}\"{more}\n",
        one_line(typed(key, &name), SHOWN)
    );
    let change = Change {
        scope: file.preference_scope(),
        key: key.to_owned(),
        evidence: Some(json!({"agreed_to": texts})),
        preference: Some(grown.preference),
        reason: "agreed to",
        undone: None,
    };
    (change, sentence)
}
