//! A preference as it is shown.

use chrono::DateTime;
use plantune_domain::keys::typed;
use plantune_domain::preferences::{AssistMode, Preference};
use plantune_domain::state::{Cause, State};
use plantune_reports::amount;
use plantune_reports::standing::{
    StandingPreference, Stored, policy_in_words, since_in_words, state_in_words,
};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::one_line;

use crate::failure::Failure;
use crate::preferences::files::Found;
use crate::preferences::{called, marks};
use crate::workspace::Workspace;

/// How much of a text from a preferences file is shown.
const SHOWN: usize = 400;

/// `preference` of `file` as it is shown; `standing` is how one that answers stands, where that could be read.
///
/// # Errors
/// Conflict for a registry.toml or a time zone that cannot be read.
pub(crate) fn stored(
    file: &Found,
    key: &str,
    preference: &Preference,
    standing: Option<&StandingPreference>,
    workspace: &Workspace,
) -> Result<Stored, Failure> {
    let registry = workspace.registry()?;
    let policy = preference.preference;
    let (answers, assists) = (policy.answers(), policy.assists());
    let answer = match answers || assists {
        true => format!(", {}", answer_in_words(preference.answer.as_deref())),
        false => String::new(),
    };
    let name = called::name(key, preference);
    let mut remarks = Vec::new();
    let scope = file.preference_scope();
    let kept = || marks::standing(&workspace.paths, &scope, key, preference);
    let of_store = standing.map(|one| one.standing.clone());
    let stands = answers.then(|| of_store.unwrap_or_else(kept));
    if let Some(stands) = &stands {
        // What is on because it was set says so by when that was.
        if (stands.state, stands.reason) != (State::On, Cause::Set) {
            remarks.push(since_in_words(stands));
        }
        if stands.state == State::Stopped {
            let clear = scope.prefs("clear", typed(key, &name));
            remarks.push(format!(
                "you are asked every time; to take it back: `{clear}`"
            ));
        }
    }
    let does = stands
        .as_ref()
        .map_or(policy_in_words(preference), |stands| {
            state_in_words(stands.state)
        });
    let reason = file.remark(key, preference, registry);
    let reason = reason.map(|reason| one_line(&reason, 2 * SHOWN));
    remarks.extend(reason.map(|reason| format!("not obeyed: {reason}")));
    Ok(Stored {
        question_key: key.to_owned(),
        name,
        preference: policy.as_str(),
        level: answers.then_some(preference.level().as_str()),
        assist: assists.then_some(preference.assist.unwrap_or(AssistMode::Note).as_str()),
        answer: preference.answer.clone(),
        scope: file.scope.as_str(),
        project: file.project.clone(),
        question: preference.question.clone(),
        state: stands
            .filter(|_| standing.is_none())
            .map(|stands| stands.state),
        set_at: preference.set_at.clone(),
        set_by: preference.set_by.clone(),
        evidence: preference.evidence.clone(),
        inert: file.inert_reason(key, preference, registry),
        does: format!("{does}{answer}"),
        set: set(preference, workspace)?,
        remarks,
    })
}

/// When it was set and what set it, as far as its file says so.
fn set(preference: &Preference, workspace: &Workspace) -> Result<String, Failure> {
    let (zone, today) = (workspace.zone()?, workspace.today()?);
    let day = preference.set_at.as_deref().and_then(|at| {
        let at = DateTime::parse_from_rfc3339(at).ok()?;
        let day = at.with_timezone(&zone).date_naive();
        Some(format!(" {}", amount::day(day, today)))
    });
    let by = preference.set_by.as_deref();
    let by = by.map(|by| format!(" by {}", one_line(by, SHOWN)));
    let words: String = [day, by].into_iter().flatten().collect();
    Ok(match words.is_empty() {
        true => words,
        false => format!(" (set{words})"),
    })
}
