//! What the person answered under a key, for looking at a preference and for saying what it is given for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use plantune_domain::binding::Shown;
use plantune_domain::family;
use plantune_domain::preferences::{Coverage, Preference};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;

use crate::binding::{Binding, Fillers, bind, openness};
use crate::evidence::{HumanAnswer, KeyEvidence, evidence};
use crate::families::habit::{GroupKey, groups, habits, renamed};
use crate::{Error, Store};

/// The latest answers of a person's to one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// How the key was found.
    pub key_source: String,
    /// Those to the question itself, in the order of time.
    pub answers: Vec<HumanAnswer>,
    /// Those to other questions with the same options, likewise.
    pub related: Vec<HumanAnswer>,
}

/// What a person answered, by what belongs together.
pub struct Answered(BTreeMap<GroupKey, Vec<KeyEvidence>>);

impl Answered {
    /// All that is in `store`, under the names that `registry` gives.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn read(store: &Store, registry: &Registry) -> Result<Self, Error> {
        Ok(Self(groups(renamed(evidence(store, registry)?, registry))))
    }

    /// The answers to the question `key` in `project`, or in any; nothing of one that was answered less
    /// than three times.
    pub fn to(&self, key: &str, project: Option<&str>) -> Seen {
        let mut seen = Seen::default();
        for (group, series) in &self.0 {
            let (of_project, name) = group;
            let is_of_project = project.is_none_or(|project| project == of_project);
            let is_related =
                key.starts_with(name) || series.iter().any(|one| one.question_key == key);
            if !is_of_project || !is_related {
                continue;
            }
            let habits = habits(group, series.clone());
            let habits: Vec<KeyEvidence> = habits.into_iter().map(|habit| habit.evidence).collect();
            let of_key = habits
                .iter()
                .chain(series)
                .find(|one| one.question_key == key);
            if let Some(found) = of_key {
                seen.key_source.clone_from(&found.key_source);
                seen.answers.extend(found.answers.iter().cloned());
            }
            let answers = series.iter().flat_map(|one| &one.answers);
            seen.related.extend(answers.cloned());
        }
        seen.answers.sort_by(HumanAnswer::in_time);
        seen.related.sort_by(HumanAnswer::in_time);
        seen.related.retain(|one| !seen.answers.contains(one));
        seen
    }
}

/// [`Answered::to`] of one question.
///
/// # Errors
/// DuckDB's.
pub fn seen(
    store: &Store,
    key: &str,
    project: Option<&str>,
    registry: &Registry,
) -> Result<Seen, Error> {
    Ok(Answered::read(store, registry)?.to(key, project))
}

impl Seen {
    /// The binding of a preference that answers `label`, or else what is recommended: to those askings
    /// that the person answered so, and that are not one-way. It covers what is `wanted`.
    pub fn binding(&self, label: Option<&str>, wanted: Coverage) -> Binding {
        let agreed: Vec<&HumanAnswer> = self
            .answers
            .iter()
            .filter(|answer| answer.one_way.is_none() && is_answered(answer, label))
            .collect();
        let others = self.answers.iter().filter(|one| !is_answered(one, label));
        let fillers = Fillers::default();
        let binding = bind(&agreed, openness(&self.key_source), &fillers, Some(wanted));
        binding.without_added_in(others)
    }

    /// The texts that `preference` answers, the latest first, and those that it does not, the most
    /// similar to its question first; `most` of each.
    pub fn compared(&self, preference: &Preference, most: usize) -> (Vec<&str>, Vec<&str>) {
        let all = || self.answers.iter().chain(&self.related);
        let of = |covered: bool| -> Vec<&str> {
            let mut known = BTreeSet::new();
            let matching = all()
                .rev()
                .filter(|one| preference.covers(&one.shown()).is_ok() == covered);
            matching
                .map(|one| one.question.as_str())
                .filter(|text| known.insert(*text))
                .collect()
        };
        let mut covered = of(true);
        covered.truncate(most);
        let mut others = of(false);
        let words = family::words(preference.question.as_deref().unwrap_or_default());
        others.sort_by_cached_key(|text| {
            let other = family::words(text);
            let common = other.iter().filter(|word| words.contains(word)).count();
            Reverse(200 * common / (words.len() + other.len()).max(1))
        });
        others.truncate(most);
        (covered, others)
    }
}

/// Whether `answer` is `label`, or else what was recommended, and nothing else.
pub(crate) fn is_answered(answer: &HumanAnswer, label: Option<&str>) -> bool {
    let wanted = label.or(answer.recommended.as_deref());
    let both = answer.chosen().zip(wanted);
    both.is_some_and(|(chosen, wanted)| !answer.said_more && same_label(chosen, wanted))
}

impl HumanAnswer {
    /// What the person read.
    pub fn shown(&self) -> Shown<'_> {
        Shown {
            tool: self.tool.as_deref(),
            text: &self.question,
            header: self.header.as_deref(),
            options: &self.options,
            multi_select: self.multi_select,
            descriptions: self.descriptions.as_deref(),
            previews: self.previews.as_deref(),
            unknown_field: None,
        }
    }
}
