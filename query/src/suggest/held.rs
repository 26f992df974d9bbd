//! Askings that must be asked: each is judged by itself, by what the chosen answer did. They are evidence of
//! nothing, and close no habit.

use plantune_domain::gate::ProposedAnswer;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;

use super::refusals::Refusals;
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS};
use crate::families::Habit;

/// The askings of a habit that must be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// How many of the answers looked at.
    pub askings: usize,
    /// How many were looked at.
    pub of: usize,
    /// Why the latest of them must be asked.
    pub reason: String,
}

impl std::fmt::Display for Held {
    /// `9 of 24 held (phrase: user data); the other 15 could be answered`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            askings,
            of,
            reason,
        } = self;
        if askings == of {
            return write!(f, "all {of} are always asked ({reason})");
        }
        let rest = of - askings;
        write!(
            f,
            "{askings} of {of} are always asked ({reason}); the other {rest} could be answered"
        )
    }
}

/// `habit` without the askings that must be asked, as far as enough are left; what they were is noted in it.
pub(crate) fn without_held(habit: Habit, refusals: &Refusals, registry: &Registry) -> Habit {
    let key = &habit.evidence;
    if !could_be_a_habit(key) {
        return habit;
    }
    let refusal = |answer: &HumanAnswer| {
        // Words are read anew; what a rule or another program said holds.
        let logged = answer.one_way.as_deref();
        let is_rule = |reason: &&str| {
            ["registry", "gstack"]
                .iter()
                .any(|by| reason.starts_with(by))
        };
        if let Some(reason) = logged.filter(is_rule) {
            return Some(reason.to_owned());
        }
        let [label] = answer.labels.as_slice() else {
            return None;
        };
        let proposed = ProposedAnswer {
            key: named(key),
            text: &answer.question,
            header: answer.header.as_deref(),
            options: &answer.options,
            label: Some(label),
            description: description(answer, label),
            preview: "",
        };
        let refusal = refusals.of(&proposed, registry)?;
        refusal.door_reason().map(str::to_owned)
    };
    let verdicts: Vec<Option<String>> = key.answers.iter().map(refusal).collect();
    let Some(reason) = verdicts.iter().rev().flatten().next().cloned() else {
        return habit;
    };
    let askings = verdicts.iter().flatten().count();
    let held = Held {
        askings,
        of: verdicts.len(),
        reason,
    };
    let mut evidence = habit.evidence.clone();
    if evidence.answers.len() - askings >= LEAST_ANSWERS {
        let mut verdicts = verdicts.iter();
        evidence
            .answers
            .retain(|_| verdicts.next().is_some_and(Option::is_none));
    }
    Habit {
        evidence,
        held: Some(held),
        ..habit
    }
}

/// True when one label was chosen in at least half of the answers, or what was recommended: of anything else
/// nothing is proposed, whatever is held.
fn could_be_a_habit(key: &KeyEvidence) -> bool {
    let times = |one: &HumanAnswer| {
        let same = |other: &&HumanAnswer| match (one.labels.as_slice(), other.labels.as_slice()) {
            ([one], [other]) => same_label(one, other),
            _ => false,
        };
        key.answers.iter().filter(same).count()
    };
    let followed = key.answers.iter().filter(|one| {
        let recommended = one.recommended.as_deref();
        recommended.is_some_and(|label| one.labels.iter().any(|chosen| same_label(chosen, label)))
    });
    let half = key.answers.len().div_ceil(2);
    followed.count() >= half || key.answers.iter().map(times).max() >= Some(half)
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
