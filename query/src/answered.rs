//! The person's answers to one question: the askings that a preference for it covers, and the words that became familiar since it was
//! set.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDateTime;
use plantune_domain::binding::{Difference, Form, Pattern, Shown};
use plantune_domain::familiar::{Familiar, has_invisible};
use plantune_domain::preferences::{Coverage, Preference};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::{family, gate};

use crate::binding::{Binding, Fillers, MOST_FORMS, bind, is_whole, openness};
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS, evidence};
use crate::families::{GroupKey, groups, habits, renamed};
use crate::suggest::refusals::proposed;
use crate::{Error, Store};

/// A person's latest answers to one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyAnswers {
    /// How the key was found.
    pub key_source: String,
    /// The answers to the question itself, in the order of time.
    pub answers: Vec<HumanAnswer>,
    /// The answers to other questions with the same options, in the order of time.
    pub related: Vec<HumanAnswer>,
}

/// A person's answers, grouped by what belongs together.
pub struct Answered(BTreeMap<GroupKey, Vec<KeyEvidence>>);

impl Answered {
    /// All that is in `store`, under the names that `registry` gives.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn read(store: &Store, registry: &Registry) -> Result<Self, Error> {
        Ok(Self(groups(renamed(evidence(store, registry)?, registry))))
    }

    /// The answers to the question `key` in `project`, or in any; nothing of one that was answered less
    /// than three times.
    pub fn to(&self, key: &str, project: Option<&str>) -> KeyAnswers {
        let mut found = KeyAnswers::default();
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
            if let Some(series) = of_key {
                found.key_source.clone_from(&series.key_source);
                found.answers.extend(series.answers.iter().cloned());
            }
            let answers = series.iter().flat_map(|one| &one.answers);
            found.related.extend(answers.cloned());
        }
        found.answers.sort_by(HumanAnswer::in_time);
        found.related.sort_by(HumanAnswer::in_time);
        found.related.retain(|one| !found.answers.contains(one));
        found
    }
}

/// [`Answered::to`] of one question.
///
/// # Errors
/// The errors of DuckDB.
pub fn key_answers(
    store: &Store,
    key: &str,
    project: Option<&str>,
    registry: &Registry,
) -> Result<KeyAnswers, Error> {
    Ok(Answered::read(store, registry)?.to(key, project))
}

impl KeyAnswers {
    /// The binding of a preference that answers `label`, or the recommended option: to those askings
    /// that the person answered that way, and that are not one-way. `wanted` is its coverage.
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

/// True if `answer` is `label`, or the recommended option, and nothing else.
pub(crate) fn is_answered(answer: &HumanAnswer, label: Option<&str>) -> bool {
    let wanted = label.or(answer.recommended.as_deref());
    let both = answer.chosen().zip(wanted);
    both.is_some_and(|(chosen, wanted)| !answer.said_more && same_label(chosen, wanted))
}

impl HumanAnswer {
    /// The question as the person read it.
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

// An asking that held something new, which the person was asked and answered as the preference would, is familiar to it
// from then on.

/// A preference that answers more than it did.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownPreference {
    /// The preference with what the person agreed to since.
    pub preference: Preference,
    /// The questions that it answers now and did not, the earliest first.
    pub texts: Vec<String>,
}

impl KeyAnswers {
    /// The `preference` for `key` with what the person has answered as it would since the moment `since` (UTC), and
    /// that held something new; `None` if there is no such asking.
    ///
    /// It leaves out what `suggest` would not propose: answers that can't be undone by their words, and texts
    /// with characters that cannot be seen. Options, host and whatever else is compared as a whole stay as they are.
    pub fn grown(
        &self,
        key: &str,
        preference: &Preference,
        since: NaiveDateTime,
        registry: &Registry,
    ) -> Option<GrownPreference> {
        let label = preference.answer.as_deref();
        let agreed = self.answers.iter().filter(|one| {
            one.at > since && is_answered(one, label) && may_be_answered(one, key, registry)
        });
        if !preference.is_bound() {
            return self.bound(preference, &agreed.collect::<Vec<_>>());
        }
        let first = GrownPreference {
            preference: preference.clone(),
            texts: Vec::new(),
        };
        let grown = agreed.fold(first, |grown, answer| {
            match with(&grown.preference, answer) {
                Some(preference) => GrownPreference {
                    preference,
                    texts: [grown.texts, vec![answer.question.clone()]].concat(),
                },
                None => grown,
            }
        });
        (!grown.texts.is_empty()).then_some(grown)
    }

    /// `preference`, which had no binding, bound to exactly the texts that were `agreed` to.
    fn bound(&self, preference: &Preference, agreed: &[&HumanAnswer]) -> Option<GrownPreference> {
        if agreed.len() < LEAST_ANSWERS {
            return None;
        }
        let openness = openness(&self.key_source);
        let fillers = Fillers::default();
        let binding = bind(agreed, openness, &fillers, Some(Coverage::Texts));
        let text = |form: &Form| form.text.to_string();
        (!binding.is_empty()).then(|| GrownPreference {
            texts: binding.forms.iter().map(text).collect(),
            preference: Preference {
                question: Some(binding.question),
                options: Some(binding.options),
                tool: binding.tool,
                multi_select: binding.multi_select,
                coverage: binding.coverage,
                binding: binding.forms,
                familiar: binding.familiar,
                ..preference.clone()
            },
        })
    }
}

/// True if the answered question may be answered for the person, by the rules of `suggest`.
fn may_be_answered(answer: &HumanAnswer, key: &str, registry: &Registry) -> bool {
    let Some(agreed) = answer.agreed().next() else {
        return false;
    };
    let proposed = proposed(answer, key, Some(agreed.label));
    let is_seen = [agreed.question, agreed.header, agreed.description];
    answer.one_way.is_none()
        && is_whole(answer)
        && !is_seen.into_iter().any(has_invisible)
        && gate::check(&proposed, registry).is_ok()
}

/// `preference` as it answers `answer`'s question, too; `None` if it does already, or where more than words differs.
fn with(preference: &Preference, answer: &HumanAnswer) -> Option<Preference> {
    let shown = answer.shown();
    match preference.covers(&shown).err()? {
        Difference::Text
        | Difference::Header
        | Difference::NewWord
        | Difference::Kind
        | Difference::NewAct
        | Difference::Preview => {}
        Difference::NotBound
        | Difference::Tool
        | Difference::Options
        | Difference::MultiSelect
        | Difference::Field => return None,
    }
    let (text, options) = (
        preference.question.as_deref()?,
        preference.options.as_deref()?,
    );
    let known = preference.familiar.clone().unwrap_or_else(|| {
        let label = answer.chosen().unwrap_or_default();
        Familiar::of_forms(text, &preference.binding, options, label)
    });
    let mut grown = Preference {
        familiar: Some(known.and(Familiar::of_seen(answer.seen()))),
        ..preference.clone()
    };
    let is_by_text = grown.coverage != Some(Coverage::Options);
    if is_by_text && grown.covers(&shown).is_err() {
        if grown.binding.is_empty() {
            grown.binding.push(Form::of_text(text));
        }
        if grown.binding.len() < MOST_FORMS {
            let header = answer.header.as_deref().unwrap_or_default();
            let form = Form {
                header: Some(Pattern::exactly(header)),
                ..Form::of_text(&answer.question)
            };
            grown.binding.insert(0, form);
        }
    }
    grown.covers(&shown).is_ok().then_some(grown)
}

#[cfg(test)]
mod tests {
    use plantune_domain::preferences::Policy;

    use super::*;
    use crate::evidence::GivenAnswer;
    use crate::evidence::tests::{answer, at};

    const EDITS: &str = "Edits the source files";

    /// "Fix them in place" with a description of its own, on a day of November.
    fn fixed(day: u32, description: &str) -> HumanAnswer {
        HumanAnswer::from(GivenAnswer {
            question: "The linter reports warnings. How should they be handled?".to_owned(),
            descriptions: Some(vec![description.to_owned(), "Leaves them alone".to_owned()]),
            at: at(&format!("2026-11-{day:02} 10:00")),
            ..GivenAnswer::clone(&answer(
                &["Fix them in place", "Skip"],
                &["Fix them in place"],
            ))
        })
    }

    fn preference(coverage: Coverage) -> Preference {
        let first = fixed(1, EDITS);
        Preference {
            answer: Some("Fix them in place".to_owned()),
            question: Some(first.question.clone()),
            options: Some(first.options.clone()),
            coverage: Some(coverage),
            familiar: Some(Familiar::of(first.agreed())),
            ..Preference::of(Policy::NeverAsk)
        }
    }

    fn grown(preference: &Preference, answers: Vec<HumanAnswer>) -> Option<GrownPreference> {
        let seen = KeyAnswers {
            key_source: "marker".to_owned(),
            answers,
            related: Vec::new(),
        };
        let since = at("2026-11-03 10:00");
        seen.grown("lint", preference, since, &Registry::default())
    }

    #[test]
    fn what_was_answered_alike_since_is_familiar() {
        let text = "The checker grumbles about warnings. How should they be handled?";
        for coverage in [Coverage::Texts, Coverage::Options] {
            let before = preference(coverage);
            let described = fixed(4, "Edits the source files and polishes their comments");
            let asked = HumanAnswer::from(GivenAnswer {
                question: text.to_owned(),
                ..GivenAnswer::clone(&fixed(5, EDITS))
            });
            for new in [&described, &asked] {
                assert!(before.covers(&new.shown()).is_err());
            }
            let grown = grown(&before, vec![described.clone(), asked.clone()]).unwrap();
            assert_eq!(grown.texts.len(), 2, "{coverage}");
            let after = &grown.preference;
            for new in [&fixed(1, EDITS), &described, &asked] {
                assert_eq!(after.covers(&new.shown()), Ok(()), "{coverage}");
            }
            let other = fixed(6, "Edits the source files and publishes them");
            assert!(after.covers(&other.shown()).is_err());
            assert_eq!(
                (&after.set_at, after.coverage),
                (&before.set_at, before.coverage)
            );
        }
    }

    #[test]
    fn nothing_else_is() {
        let new = || fixed(4, "Edits the source files and polishes their comments");
        let earlier = HumanAnswer::from(GivenAnswer {
            at: at("2026-11-02 10:00"),
            ..GivenAnswer::clone(&new())
        });
        let otherwise = HumanAnswer::from(GivenAnswer {
            labels: vec!["Skip".to_owned()],
            ..GivenAnswer::clone(&new())
        });
        let with_a_note = HumanAnswer::from(GivenAnswer {
            said_more: true,
            ..GivenAnswer::clone(&new())
        });
        let one_way = HumanAnswer::from(GivenAnswer {
            one_way: Some("sign: money".to_owned()),
            ..GivenAnswer::clone(&new())
        });
        let of_other_options = HumanAnswer::from(GivenAnswer {
            options: ["Fix them in place", "Skip", "Stop"]
                .map(str::to_owned)
                .to_vec(),
            ..GivenAnswer::clone(&new())
        });
        for answer in [
            earlier,
            otherwise,
            with_a_note,
            one_way,
            of_other_options,
            fixed(4, EDITS),
            fixed(4, "Edits the source files and deletes the database"),
            fixed(4, "Edits the source files and their \u{202e}comments"),
        ] {
            let grown = grown(&preference(Coverage::Options), vec![answer.clone()]);
            assert_eq!(grown, None, "{answer:?}");
        }
    }

    #[test]
    fn one_that_does_not_say_what_it_was_given_for_is_given_for_the_texts_answered_so() {
        let unbound = Preference {
            answer: Some("Fix them in place".to_owned()),
            ..Preference::of(Policy::NeverAsk)
        };
        let answers = |days: std::ops::Range<u32>| days.map(|day| fixed(day, EDITS)).collect();
        assert_eq!(grown(&unbound, answers(2..6)), None);
        let grown = grown(&unbound, answers(4..7)).unwrap();
        assert_eq!(grown.texts, [fixed(4, EDITS).question.clone()]);
        let after = grown.preference;
        assert_eq!(after.coverage, Some(Coverage::Texts));
        assert_eq!(after.covers(&fixed(8, EDITS).shown()), Ok(()));
        assert!(after.covers(&fixed(8, "Publishes it").shown()).is_err());
    }
}
