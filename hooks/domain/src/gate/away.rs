//! What may be answered while the person is away: what the question itself recommends.

use super::choose::has_look_alikes;
use super::weak_domains::touched;
use super::{ProposedAnswer, check_in_english, check_key};
use crate::decision::{Ask, AskReason, By, Choice};
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::registry::Registry;

/// The recommended label as the answer to `question`, whose preferences `standing` do not answer it;
/// `scope` is where the person is away.
///
/// # Errors
/// Why it is asked, and waits: it cannot be taken back, or is of a domain that the door rules are weak in, several
/// may be chosen, nothing or more than one
/// thing is recommended, or the person has said something else about it.
pub fn answer_away(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
    scope: Scope,
) -> Result<Choice, Ask> {
    let ambiguous = |because: &'static str| Ask::because(AskReason::Ambiguous, because);
    if question.has_several_ids {
        return Err(ambiguous("several_markers"));
    }
    let always_asks =
        |entry: &Preference| entry.preference == Policy::AlwaysAsk && entry.fits(&question.text);
    if standing.iter().any(|(_, entry)| always_asks(entry)) {
        return Err(AskReason::AlwaysAsk.into());
    }
    let one_way = |reason: Option<&str>| {
        reason.map_or(AskReason::OneWay.into(), |reason| {
            Ask::because(AskReason::OneWay, reason.to_owned())
        })
    };
    if question.door_reason.is_some() {
        return Err(AskReason::OneWay.into());
    }
    check_key(&question.key, registry).map_err(|refusal| match refusal {
        super::Refusal::Split => AskReason::Split.into(),
        refusal => one_way(refusal.door_reason()),
    })?;
    if has_look_alikes(&question.sent.options) {
        return Err(ambiguous("look_alike_options"));
    }
    if question.sent.multi_select == Some(true) {
        return Err(ambiguous("multi_select"));
    }
    // What was given for this very question, and does not answer it, is the person's word all the same.
    let shown = question.shown();
    let given = |entry: &Preference| entry.preference.answers() && entry.covers(&shown).is_ok();
    if standing.iter().any(|(_, entry)| given(entry)) {
        return Err(ambiguous("preferences_disagree"));
    }
    let label = question.recommended_or_why().map_err(ambiguous)?;
    let proposed = ProposedAnswer::to(question, label);
    check_in_english(&proposed, registry).map_err(|refusal| one_way(refusal.door_reason()))?;
    let read = [
        proposed.text,
        proposed.header.unwrap_or_default(),
        label,
        proposed.description,
        proposed.preview,
    ];
    if let Some(word) = touched(&read) {
        return Err(one_way(Some(&format!("while you are away: {word}"))));
    }
    Ok(Choice {
        label: label.to_owned(),
        by: By::Away(scope),
    })
}
