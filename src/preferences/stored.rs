//! A preference as it is shown.

use chrono::DateTime;
use plantune_domain::preferences::{AssistMode, Preference};
use plantune_domain::state::{Cause, State};
use plantune_reports::inert::one_line;
use plantune_reports::level::policy_in_words;
use plantune_reports::standing::{StandingPreference, Stored, since_in_words, state_in_words};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::when;

use crate::failure::Failure;
use crate::preferences::called;
use crate::preferences::files::Found;
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
    let mut remarks = Vec::new();
    let does = standing.map_or(policy_in_words(preference), |one| {
        state_in_words(one.standing.state)
    });
    if let Some(StandingPreference {
        standing, remedy, ..
    }) = standing
    {
        // What is on because it was set says so by when that was.
        if (standing.state, standing.reason) != (State::On, Cause::Set) {
            remarks.push(since_in_words(standing));
        }
        let remedy = remedy.as_ref();
        remarks.extend(
            remedy.map(|remedy| format!("you are asked every time; to take it back: `{remedy}`")),
        );
    }
    let reason = file.remark(key, preference, registry);
    let reason = reason.map(|reason| one_line(&reason, 2 * SHOWN));
    remarks.extend(reason.map(|reason| format!("not obeyed: {reason}")));
    Ok(Stored {
        question_key: key.to_owned(),
        name: called::name(key, preference),
        preference: policy.as_str(),
        level: answers.then_some(preference.level().as_str()),
        assist: assists.then_some(preference.assist.unwrap_or(AssistMode::Note).as_str()),
        answer: preference.answer.clone(),
        scope: file.scope.as_str(),
        project: file.project.clone(),
        question: preference.question.clone(),
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
        Some(format!(" {}", when::day(day, today)))
    });
    let by = preference.set_by.as_deref();
    let by = by.map(|by| format!(" by {}", one_line(by, SHOWN)));
    let words: String = [day, by].into_iter().flatten().collect();
    Ok(match words.is_empty() {
        true => words,
        false => format!(" (set{words})"),
    })
}
