//! What preferences answer to the questions of a call: one label each, or why there is none.

use super::{ProposedAnswer, Refusal, check_hard};
use crate::binding::MOST_LABELS;
use crate::commitment::{Commitment, commitment};
use crate::decision::{Ask, AskReason, By, Choice};
use crate::doors::find_plain;
use crate::keys::is_split;
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::recommended::{is_option, same_label, strip_mark};
use crate::registry::Registry;
use crate::text::look_alike;

/// Decides every question of a call. Either all are answered, or none: then the error holds the
/// reason for each.
///
/// `standing` are the preferences found for each question, those of the project and those that
/// hold everywhere.
///
/// # Errors
/// Why each question is asked.
pub fn decide(
    questions: &[Question],
    standing: &[Vec<(Scope, Preference)>],
    registry: &Registry,
) -> Result<Vec<Choice>, Vec<Ask>> {
    let verdicts: Vec<Result<Choice, Ask>> = questions
        .iter()
        .zip(standing)
        .map(|(question, standing)| {
            let choice = answer(question, standing, registry)?;
            // Answers are keyed by question text, so two questions of one text cannot be distinguished.
            if question.is_alone_in(questions) {
                Ok(choice)
            } else {
                Err(Ask::because(AskReason::Ambiguous, "same_text_twice"))
            }
        })
        .collect();
    let refused = verdicts
        .iter()
        .enumerate()
        .find_map(|(index, verdict)| Some((index, verdict.as_ref().err()?.reason.as_str())));
    let Some((index, name)) = refused else {
        let choices: Vec<Choice> = verdicts.into_iter().flatten().collect();
        let labels: Vec<&str> = choices.iter().map(Choice::label).collect();
        return match one_way_together(questions, &labels) {
            // A call without questions is none to answer.
            _ if choices.is_empty() => Err(Vec::new()),
            Some(reason) => Err(vec![
                Ask::because(AskReason::OneWay, reason);
                questions.len()
            ]),
            None => Ok(choices),
        };
    };
    let partial = Ask::because(
        AskReason::PartialCall,
        format!("question {} is asked: {name}", index + 1),
    );
    Err(verdicts
        .into_iter()
        .map(|verdict| verdict.err().unwrap_or_else(|| partial.clone()))
        .collect())
}

/// Why the questions of a call are one-way when they are read together with the answers to them (empty
/// for one that has none), as the person would: one may name what another acts on. Where no answer refers to
/// its question, each says by itself what it does.
pub fn one_way_together(questions: &[Question], labels: &[&str]) -> Option<String> {
    let refers = |(question, label): (&Question, &&str)| {
        commitment(&question.text, label) == Commitment::RefersToQuestion
    };
    if questions.len() < 2 || !questions.iter().zip(labels).any(refers) {
        return None;
    }
    let mut texts: Vec<&str> = Vec::with_capacity(2 * questions.len());
    for (question, label) in questions.iter().zip(labels) {
        texts.extend([question.text.as_str(), label]);
    }
    find_plain(&texts)
}

/// The answer that the preferences `standing` give to one question.
///
/// # Errors
/// Why it is asked.
pub fn answer(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<Choice, Ask> {
    let (label, (scope, preference)) = label(question, standing, registry, Policy::answers)?;
    Ok(Choice {
        label: label.to_owned(),
        by: By::Preference {
            policy: preference.preference,
            scope: *scope,
            set_at: preference.set_at.clone(),
            level: preference.level(),
            name: preference.name().map(str::to_owned),
        },
    })
}

/// The label that the preferences of `standing` show as the person's usual answer to one question that is
/// asked, and the preference that does: under the conditions under which one that answers would answer.
pub fn usual_answer<'q, 'p>(
    question: &'q Question,
    standing: &'p [(Scope, Preference)],
    registry: &Registry,
) -> Option<(&'q str, &'p (Scope, Preference))> {
    label(question, standing, registry, Policy::assists).ok()
}

/// The label that those preferences of `standing` that do what is `wanted` give to one question.
///
/// # Errors
/// Why there is none.
fn label<'q, 'p>(
    question: &'q Question,
    standing: &'p [(Scope, Preference)],
    registry: &Registry,
    wanted: fn(Policy) -> bool,
) -> Result<(&'q str, &'p (Scope, Preference)), Ask> {
    if is_split(&question.key) {
        return Err(AskReason::Split.into());
    }
    if standing.is_empty() {
        return Err(question.unanswered_reason().into());
    }
    if question.has_several_ids {
        return Err(Ask::because(AskReason::Ambiguous, "several_markers"));
    }
    let always_asks =
        |entry: &Preference| entry.preference == Policy::AlwaysAsk && entry.fits(&question.text);
    if standing.iter().any(|(_, entry)| always_asks(entry)) {
        return Err(AskReason::AlwaysAsk.into());
    }
    let ambiguous = |because: &'static str| Ask::because(AskReason::Ambiguous, because);
    if has_look_alikes(&question.sent.options) {
        return Err(ambiguous("look_alike_options"));
    }
    let shown = question.shown();
    let mut choice: Option<(&str, &(Scope, Preference))> = None;
    let mut difference: Option<String> = None;
    for standing in standing {
        let entry = &standing.1;
        if !wanted(entry.preference) {
            // What does something else, or always asks another family of the same options.
            continue;
        }
        // What was given for something else says nothing here.
        if let Err(differs) = entry.compare(&shown) {
            difference.get_or_insert_with(|| differs.to_string());
            continue;
        }
        let label = answer_of(question, entry).map_err(ambiguous)?;
        if choice.is_some_and(|(chosen, _)| chosen != label) {
            return Err(ambiguous("preferences_disagree"));
        }
        choice.get_or_insert((label, standing));
    }
    let Some((label, preference)) = choice else {
        // The event holds the door's reason.
        let reason = question.unanswered_reason();
        let difference = difference.filter(|_| reason == AskReason::NoPreference);
        return Err(difference.map_or(reason.into(), |one| Ask::because(AskReason::Ambiguous, one)));
    };
    let one_way = |refusal: Refusal| match refusal.door_reason() {
        Some(reason) if question.door_reason.as_deref() != Some(reason) => {
            Ask::because(AskReason::OneWay, reason.to_owned())
        }
        _ => AskReason::OneWay.into(),
    };
    // What the person agreed to is familiar, whatever its words; signs and rules hold all the same.
    check_hard(&ProposedAnswer::to(question, label), registry).map_err(one_way)?;
    Ok((label, preference))
}

/// True when a reader could take one label for another: they look the same and are not, or there are too many to tell.
pub(super) fn has_look_alikes(labels: &[String]) -> bool {
    let is_too_many = labels.len() > MOST_LABELS;
    is_too_many
        || labels.iter().enumerate().any(|(index, label)| {
            let mut others = labels.iter().skip(index + 1);
            others.any(|other| {
                !same_label(label, other) && look_alike(strip_mark(label).0, strip_mark(other).0)
            })
        })
}

/// The one label that `entry`, which covers the question, answers with. A pinned label that is not
/// offered gives none: the person meant that label and nothing else.
///
/// # Errors
/// Why it gives none.
fn answer_of<'q>(question: &'q Question, entry: &Preference) -> Result<&'q str, &'static str> {
    let options = &question.sent.options;
    match &entry.answer {
        None => question.recommended_or_why(),
        Some(pinned) => {
            // The options are those of the preference, each once.
            // Where its numbers varied, the option that the label is one of.
            let seen = entry.options.iter().flatten();
            let seen = seen.into_iter().find(|seen| is_option(seen, pinned));
            let seen = seen.map_or(pinned.as_str(), String::as_str);
            let mut offered = options.iter().filter(|label| is_option(seen, label));
            offered
                .next()
                .map(String::as_str)
                .ok_or("pinned_not_offered")
        }
    }
}
