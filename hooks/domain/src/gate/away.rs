//! What may be answered while the person is away: only what leaves things as they are, and what the person has
//! answered so before.

use super::choose::{has_look_alikes, usual_answer};
use super::{ProposedAnswer, Refusal, check_hard};
use crate::commitment::{Commitment, commitment, leaves_things};
use crate::decision::{Ask, AskReason, By, Choice};
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::registry::Registry;

/// The recommended label as the answer to `question`, whose preferences `standing` do not answer it;
/// `scope` is where the person is away.
///
/// # Errors
/// Why it is asked, and waits: it may do something that the person never agreed to, several may be chosen, nothing or
/// more than one thing is recommended, or the person has said something else about it.
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
    if question.door_reason.is_some() {
        return Err(AskReason::OneWay.into());
    }
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
    check_unasked(question, label, standing, registry)?;
    Ok(Choice {
        label: label.to_owned(),
        by: By::Away(scope),
    })
}

/// Whether `label` may be the answer to `question` without the person.
///
/// # Errors
/// Why it must be asked.
fn check_unasked(
    question: &Question,
    label: &str,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<(), Ask> {
    let proposed = ProposedAnswer::to(question, label);
    check_hard(&proposed, registry).map_err(|refusal| match refusal {
        Refusal::Split => AskReason::Split.into(),
        refusal => Ask::because(
            AskReason::OneWay,
            refusal.door_reason().unwrap_or_default().to_owned(),
        ),
    })?;
    let usual = usual_answer(question, standing, registry);
    let is_usual = usual.is_some_and(|(usual, _)| usual == label);
    let leaves = commitment(proposed.text, label) == Commitment::LeavesThings
        && leaves_things(proposed.description)
        && proposed.preview.is_empty();
    match is_usual || leaves {
        true => Ok(()),
        false => Err(AskReason::OneWay.into()),
    }
}
