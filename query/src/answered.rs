//! The person's answers to one question: the askings that a preference for it covers, and those that joined its
//! agreement since it was set.

use std::collections::BTreeSet;

use chrono::NaiveDateTime;
use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
use plantune_domain::preferences::Preference;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;

use crate::evidence::{HumanAnswer, KeyEvidence, evidence};
use crate::habits::{habit, renamed};
use crate::{Error, Store};

/// A person's latest answers to one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyAnswers {
    /// How the key was found.
    pub key_source: String,
    /// The answers to the question itself, in the order of time.
    pub answers: Vec<HumanAnswer>,
}

/// A person's answers, by the question.
pub struct Answered(Vec<KeyEvidence>);

impl Answered {
    /// All that is in `store`, under the names that `registry` gives.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn read(store: &Store, registry: &Registry) -> Result<Self, Error> {
        Ok(Self(renamed(evidence(store, registry)?, registry)))
    }

    /// The answers to the question `key` in `project`, or in any; nothing of one that was answered less
    /// than three times.
    pub fn to(&self, key: &str, project: Option<&str>) -> KeyAnswers {
        let is_meant = |one: &&KeyEvidence| {
            one.question_key == key && project.is_none_or(|project| project == one.project)
        };
        let mut found = KeyAnswers::default();
        for series in self.0.iter().filter(is_meant).cloned().filter_map(habit) {
            found.key_source.clone_from(&series.key_source);
            found.answers.extend(series.answers);
        }
        found.answers.sort_by(HumanAnswer::in_time);
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
    /// What the person agreed to by answering `label`, or the recommended option; `None` for nothing that may be answered.
    pub fn agreement(&self, label: Option<&str>) -> Option<Agreement> {
        let answers = self.answers.iter();
        let agreed = answers.filter(|answer| is_answered(answer, label));
        Agreement::of(&agreed.filter_map(HumanAnswer::given).collect::<Vec<_>>())
    }

    /// The texts that `preference` answers, and those that it does not, the latest first; `most` of each.
    pub fn compared(&self, preference: &Preference, most: usize) -> (Vec<&str>, Vec<&str>) {
        let of = |covered: bool| -> Vec<&str> {
            let mut known = BTreeSet::new();
            let matching = self.answers.iter().rev();
            matching
                .filter(|one| preference.covers(&one.asking()).is_ok() == covered)
                .map(|one| one.question.as_str())
                .filter(|text| known.insert(*text))
                .take(most)
                .collect()
        };
        (of(true), of(false))
    }
}

/// True if `answer` is `label`, or the recommended option, and nothing else.
pub(crate) fn is_answered(answer: &HumanAnswer, label: Option<&str>) -> bool {
    let wanted = label.or(answer.recommended.as_deref());
    let both = answer.chosen().zip(wanted);
    both.is_some_and(|(chosen, wanted)| !answer.said_more && same_label(chosen, wanted))
}

// What was asked because it was new, and answered alike in two sessions, joins the agreement.

/// A preference that answers more than it did.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownPreference {
    /// The preference with what the person agreed to since.
    pub preference: Preference,
    /// The questions that it answers now and did not, the earliest first.
    pub texts: Vec<String>,
}

impl KeyAnswers {
    /// `preference` with what the person has answered as it would since the moment `since` (UTC), and that was new; `None`
    /// if there is no such asking ([`Agreement::grown`]).
    pub fn grown(&self, preference: &Preference, since: NaiveDateTime) -> Option<GrownPreference> {
        let agreement = preference.agreement()?;
        let label = preference.answer.as_deref();
        let later = || self.answers.iter().filter(|one| one.at > since);
        let agreed = later()
            .filter(|one| is_answered(one, label))
            .filter_map(HumanAnswer::given);
        let against = later()
            .filter(|one| !is_answered(one, label))
            .map(|one| one.asking());
        let (agreed, against): (Vec<Given<'_>>, Vec<Asking<'_>>) =
            (agreed.collect(), against.collect());
        let (agreement, texts) = agreement.grown(&agreed, &against, label.is_none())?;
        Some(GrownPreference {
            preference: Preference {
                agreement: Some(agreement),
                ..preference.clone()
            },
            texts,
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use plantune_domain::preferences::Policy;

    use super::*;
    use crate::evidence::tests::{answer, at};

    /// Answers, a day apart: session, question and label.
    fn answers(given: &[(&str, &str, &str)]) -> KeyAnswers {
        let one = |(day, (session, question, label)): (i64, &(&str, &str, &str))| {
            let mut answer = answer(&["Yes", "No"], &[label]);
            answer.question = (*question).to_owned();
            answer.session_id = (*session).to_owned();
            answer.at += TimeDelta::days(day);
            answer.day = answer.at.date();
            answer
        };
        KeyAnswers {
            answers: (0..).zip(given).map(one).collect(),
            ..KeyAnswers::default()
        }
    }

    const FILES: &str = "Format the files in the cart?";

    fn agreed() -> KeyAnswers {
        answers(&[
            ("one", FILES, "Yes"),
            ("two", FILES, "Yes"),
            ("three", "Format the files in the menu?", "No"),
        ])
    }

    fn preference() -> Preference {
        Preference {
            answer: Some("Yes".to_owned()),
            agreement: agreed().agreement(Some("Yes")),
            ..Preference::of(Policy::NeverAsk)
        }
    }

    #[test]
    fn what_was_answered_so_is_agreed_to() {
        let mut answers = agreed();
        let texts = |answers: &KeyAnswers, label| {
            let agreement = answers.agreement(label)?;
            let texts = agreement.texts.into_iter().map(|known| known.text);
            Some(texts.collect::<Vec<_>>())
        };
        assert_eq!(texts(&answers, Some("yes")), Some(vec![FILES.to_owned()]));
        assert_eq!(texts(&answers, Some("Perhaps")), None);
        assert_eq!(texts(&answers, None), None, "nothing is recommended");
        answers.answers[0].recommended = Some("Yes".to_owned());
        assert_eq!(texts(&answers, None), Some(vec![FILES.to_owned()]));
        for answer in &mut answers.answers {
            answer.one_way = Some("registry: files".to_owned());
        }
        assert_eq!(texts(&answers, Some("Yes")), None, "a rule held them");
    }

    #[test]
    fn what_two_sessions_answer_alike_joins() {
        const PAGES: &str = "Format the files of the pages?";
        const CUSTOMERS: &str = "Format the files of our customers?";
        let since = at("2026-10-31 10:00");
        let grown = |given: &[(&str, &str, &str)]| answers(given).grown(&preference(), since);
        let alike = [("four", PAGES, "Yes"), ("five", PAGES, "Yes")];
        let found = grown(&alike).unwrap();
        assert_eq!(found.texts, [PAGES]);
        let asking = answers(&alike);
        let asking = asking.answers[0].asking();
        assert!(preference().covers(&asking).is_err());
        assert_eq!(found.preference.covers(&asking), Ok(0));
        for nothing_new in [
            &[("four", FILES, "Yes"), ("five", FILES, "Yes")][..],
            &[("four", PAGES, "Yes"), ("four", PAGES, "Yes")],
            &[("four", PAGES, "No"), ("five", PAGES, "No")],
            &[("four", CUSTOMERS, "Yes"), ("five", CUSTOMERS, "Yes")],
            &[
                ("four", PAGES, "Yes"),
                ("five", PAGES, "Yes"),
                ("six", PAGES, "No"),
            ],
        ] {
            assert_eq!(grown(nothing_new), None, "{nothing_new:?}");
        }
        let mut held = answers(&alike);
        held.answers[0].one_way = Some("registry: files".to_owned());
        assert_eq!(held.grown(&preference(), since), None);
        // Before the preference was set it says nothing.
        let later = at("2026-11-20 10:00");
        assert_eq!(answers(&alike).grown(&preference(), later), None);
    }
}
