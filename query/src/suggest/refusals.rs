//! Refusals of the gate: which askings of a habit must be asked, and which rule would open a habit that words alone keep
//! closed. A history asks the same again and again, and reading a text by the door rules is most of the work, so each is
//! read once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use plantune_domain::commitment::Act;
use plantune_domain::config::Suggest;
use plantune_domain::gate;
use plantune_domain::gate::{ProposedAnswer, Refusal};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;

use super::candidate::{Person, PolicyScore};
use super::policy::{AnswerPolicy, Verdict};
use crate::binding::{Fillers, TextCache, most_different, rule_patterns};
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS};
use crate::families::{Habit, Held};

/// The rules and settings of one run.
pub(crate) struct Rules<'a> {
    pub(crate) settings: &'a Suggest,
    pub(crate) registry: &'a Registry,
    pub(crate) person: &'a Person,
    /// The person's median answering time over all habits, for one without times of its own.
    pub(crate) median_seconds: &'a (dyn Fn() -> Option<f64> + Sync),
    /// The fillers of texts, judged so far.
    pub(crate) fillers: &'a Fillers,
    /// Whether anybody is shown why something is not proposed; otherwise the reason that is found soonest
    /// will do.
    pub(crate) shows_reasons: bool,
}

/// The verdicts of the gate so far, under one registry, by all that it reads.
#[derive(Debug, Default)]
pub(crate) struct Refusals(TextCache<Option<Refusal>>, Chosen);

/// By the number of an answer: the answer, the name of its question, and why that must be asked.
type Chosen = Mutex<HashMap<usize, (HumanAnswer, String, Option<String>)>>;

/// Of how many answers it is known why they must be asked; after more it begins again.
const MOST_CHOSEN: usize = 50_000;

impl Refusals {
    /// The refusal of what was chosen in `answer`, whose question is `named` so, worked out once.
    pub(crate) fn of_chosen(
        &self,
        answer: &HumanAnswer,
        named: &str,
        work_out: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let chosen = || self.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, name, reason)) = chosen().get(&answer.number())
            && known.is_copy_of(answer)
            && name == named
        {
            return reason.clone();
        }
        let reason = work_out();
        let mut chosen = chosen();
        if chosen.len() == MOST_CHOSEN {
            chosen.clear();
        }
        let entry = (answer.clone(), named.to_owned(), reason.clone());
        chosen.insert(answer.number(), entry);
        reason
    }

    /// Why `proposed` must be asked, by [`gate::check`]; `None` when it need not be.
    pub(crate) fn of(&self, proposed: &ProposedAnswer<'_>, registry: &Registry) -> Option<Refusal> {
        let refusal = || gate::check(proposed, registry).err();
        self.0.get(&all_of(proposed), refusal)
    }
}

/// All texts of `proposed`, each behind its length, so that no two of them are one text together.
fn all_of(proposed: &ProposedAnswer<'_>) -> String {
    let ProposedAnswer {
        key,
        text,
        header,
        options,
        label,
        description,
        preview,
    } = proposed;
    let mut all = String::with_capacity(256);
    let mut add = |text: Option<&str>| {
        if let Some(text) = text {
            all.push_str(&text.len().to_string());
        }
        all.push(':');
        all.push_str(text.unwrap_or_default());
    };
    for text in [
        Some(*key),
        Some(text),
        *header,
        *label,
        Some(description),
        Some(preview),
    ] {
        add(text);
    }
    options.iter().for_each(|option| add(Some(option)));
    all
}

// Each asking that must be asked is judged by itself, by what the chosen answer did. It is evidence of nothing, and
// closes no habit.

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
pub(crate) fn proposed<'a>(
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

/// How the option `label` of `answer` was described; empty if it was not, or it is not known.
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

/// So many answers, all alike, are enough to ask whether the words are wrong.
const LEAST: usize = 10;

/// Texts that take more patterns than this have too little in common for a rule.
const MOST_PATTERNS: usize = 3;

/// How many of the texts are shown.
const SHOWN_TEXTS: usize = 3;

/// The parts of a rule that opens a habit.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The patterns that its texts have between them, with `*` for what varied.
    pub patterns: Vec<String>,
    /// Its labels, as last sent.
    pub options: Vec<String>,
    /// Those of its texts that differ most.
    pub texts: Vec<String>,
    askings: Vec<HumanAnswer>,
}

impl Opening {
    /// The rule that opens `key`, of which every asking is held: `None` unless `best` is one label, chosen each time, words
    /// alone hold it, and a rule can name it. A marker names more than what was seen, so it is left as it is.
    pub(super) fn of(key: &KeyEvidence, best: &PolicyScore, rules: &Rules<'_>) -> Option<Self> {
        let is_unmarked = matches!(key.key_source.as_str(), "fingerprint" | "family");
        let is_alike = matches!(best.policy, AnswerPolicy::Pin(_))
            && best.verdicts.iter().all(|one| *one == Verdict::Agree);
        let by_words = |one: &HumanAnswer| is_held_by_words(one, rules.registry);
        if !is_unmarked
            || !is_alike
            || key.answers.len() < LEAST
            || !key.answers.iter().all(by_words)
        {
            return None;
        }
        let texts: Vec<&str> = key.answers.iter().map(|one| &*one.question).collect();
        let patterns = rule_patterns(&texts, rules.fillers);
        (patterns.len() <= MOST_PATTERNS).then(|| Self {
            patterns,
            options: key
                .answers
                .last()
                .map_or_else(Vec::new, |one| one.options.clone()),
            texts: most_different(&texts, SHOWN_TEXTS),
            askings: key.answers.clone(),
        })
    }

    /// True when under `registry` every asking is called `key`, and none of them is held.
    pub fn is_opened_by(&self, registry: &Registry, key: &str) -> bool {
        self.askings.iter().all(|one| {
            name(one, registry) == Some(key)
                && gate::check(&proposed(one, key, one.chosen()), registry).is_ok()
        })
    }

    /// True when a rule of `registry` names one of its askings.
    pub fn is_named_by(&self, registry: &Registry) -> bool {
        self.askings.iter().any(|one| name(one, registry).is_some())
    }
}

fn name<'r>(answer: &HumanAnswer, registry: &'r Registry) -> Option<&'r str> {
    registry.key_of(&answer.question, answer.header.as_deref(), &answer.options)
}

/// True when words hold the answer, and neither a rule nor anything that no rule opens.
fn is_held_by_words(answer: &HumanAnswer, registry: &Registry) -> bool {
    let proposed = proposed(answer, "", answer.chosen());
    let Some(label) = proposed.label else {
        return false;
    };
    let header = proposed.header.unwrap_or_default();
    let act = Act::of(
        "",
        proposed.text,
        header,
        Some(label),
        proposed.description,
        "",
    );
    !answer.one_way.as_deref().is_some_and(is_by_rule)
        && matches!(gate::check(&proposed, registry), Err(Refusal::Words(_)))
        && act.hard_reason().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_counts() {
        let proposed = |key, text, header, label| ProposedAnswer {
            key,
            text,
            header,
            options: &[],
            label,
            description: "",
            preview: "",
        };
        let refusals = Refusals::default();
        let registry = Registry::default();
        for (proposed, is_refused) in [
            (proposed("x", "Old tables?", None, None), false),
            (proposed("x", "Old tables?", Some(""), None), false),
            (proposed("x", "Old tables?", None, Some("Keep them")), false),
            (proposed("x", "Old tables?", None, Some("Drop them")), true),
            (proposed("x", "Old tables?", Some("Drop them"), None), true),
            (proposed("drop", "Old tables?", None, None), true),
        ] {
            for _ in 0..2 {
                let found = refusals.of(&proposed, &registry);
                assert_eq!(found, gate::check(&proposed, &registry).err());
                assert_eq!(found.is_some(), is_refused, "{proposed:?}");
            }
        }
        assert_eq!(refusals.0.entries().len(), 6);
    }
}
