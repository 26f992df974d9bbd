//! Askings that must be asked: each is judged by itself, by what the chosen answer did. They are evidence of
//! nothing, and close no habit.

use plantune_domain::gate::ProposedAnswer;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;

use super::refusals::Refusals;
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS};
use crate::families::{Habit, Held};

/// `habit` without the askings that must be asked, as far as enough are left; what they were is noted in it.
///
/// One in which another answer of the habit could have been given stays: the person wanted something else, and to
/// leave that out would make the other answer look unanimous.
pub(crate) fn without_held(habit: Habit, refusals: &Refusals, registry: &Registry) -> Habit {
    let key = &habit.evidence;
    if !could_be_a_habit(key) {
        return habit;
    }
    let refusal = |answer: &HumanAnswer, label: &str| {
        let refusal = refusals.of(&proposed(answer, named(key), Some(label)), registry)?;
        refusal.door_reason().map(str::to_owned)
    };
    let of_chosen = |answer: &HumanAnswer| {
        // Words are judged again; what a rule or another program said holds.
        let logged = answer.one_way.as_deref();
        if let Some(reason) = logged.filter(|reason| is_by_rule(reason)) {
            return Some(reason.to_owned());
        }
        refusals.of_chosen(answer, named(key), || refusal(answer, answer.chosen()?))
    };
    let verdicts: Vec<Option<String>> = key.answers.iter().map(of_chosen).collect();
    let Some(reason) = verdicts.iter().rev().flatten().next().cloned() else {
        return habit;
    };
    let judged = || key.answers.iter().zip(&verdicts);
    let mut open: Vec<&str> = Vec::new();
    for (answer, _) in judged().filter(|(_, verdict)| verdict.is_none()) {
        let new = answer
            .chosen()
            .filter(|label| !open.iter().any(|one| same_label(one, label)));
        open.extend(new);
    }
    let could_be_answered = |answer: &HumanAnswer| {
        let others = open.iter().copied().chain(answer.recommended.as_deref());
        let is_chosen = |label: &str| answer.chosen().is_some_and(|one| same_label(one, label));
        let is_offered = |label: &str| answer.options.iter().any(|one| same_label(one, label));
        others
            .filter(|label| !is_chosen(label) && is_offered(label))
            .any(|label| refusal(answer, label).is_none())
    };
    let left: Vec<HumanAnswer> = judged()
        .filter(|(answer, verdict)| verdict.is_none() || could_be_answered(answer))
        .map(|(answer, _)| answer.clone())
        .collect();
    let held = Held {
        askings: verdicts.iter().flatten().count(),
        of: verdicts.len(),
        reason,
    };
    let answers = match left.len() >= LEAST_ANSWERS {
        true => left,
        false => key.answers.clone(),
    };
    Habit {
        evidence: KeyEvidence {
            answers,
            ..habit.evidence
        },
        held: Some(held),
        ..habit
    }
}

/// `label` as an answer to `answer`'s question, which is called `key`.
pub(super) fn proposed<'a>(
    answer: &'a HumanAnswer,
    key: &'a str,
    label: Option<&'a str>,
) -> ProposedAnswer<'a> {
    ProposedAnswer {
        key,
        text: &answer.question,
        header: answer.header.as_deref(),
        options: &answer.options,
        label,
        description: label.map_or("", |label| description(answer, label)),
        preview: "",
    }
}

/// True when a rule or another program held the asking, by the `reason` that was logged.
pub(super) fn is_by_rule(reason: &str) -> bool {
    ["registry", "gstack"]
        .iter()
        .any(|by| reason.starts_with(by))
}

/// True when one label was chosen in at least half of the answers, or what was recommended: of anything else
/// nothing is proposed, whatever is held.
fn could_be_a_habit(key: &KeyEvidence) -> bool {
    let mut times: Vec<(&str, usize)> = Vec::new();
    for label in key.answers.iter().filter_map(|one| one.chosen()) {
        let is_same = |one: &str| one == label || same_label(one, label);
        match times.iter_mut().find(|(one, _)| is_same(one)) {
            Some((_, times)) => *times += 1,
            None => times.push((label, 1)),
        }
    }
    let most = times.iter().map(|(_, times)| *times).max();
    let followed = key.answers.iter().filter(|one| {
        let recommended = one.recommended.as_deref();
        recommended.is_some_and(|label| one.labels.iter().any(|chosen| same_label(chosen, label)))
    });
    let half = key.answers.len().div_ceil(2);
    followed.count() >= half || most >= Some(half)
}

/// The name that an asker or a rule gives the question; a fingerprint says nothing.
fn named(key: &KeyEvidence) -> &str {
    match key.key_source.as_str() {
        "fingerprint" | "family" => "",
        _ => &key.question_key,
    }
}

/// How the option `label` of `answer` was described; empty where it was not, or it is not known.
fn description<'a>(answer: &'a HumanAnswer, label: &str) -> &'a str {
    let descriptions = answer.descriptions.as_deref().unwrap_or_default();
    let place = answer
        .options
        .iter()
        .position(|other| same_label(label, other));
    place
        .and_then(|place| descriptions.get(place))
        .map_or("", String::as_str)
}
