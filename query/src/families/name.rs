//! What a question is called: the same in every verb, on the page, and in what the hook says.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use plantune_domain::family;

use super::grouping::Habits;
use super::template::common;
use super::text::template_text;
use crate::evidence::{HumanAnswer, KeyEvidence};

/// What the questions of a store are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionNames {
    by_key: BTreeMap<String, String>,
}

impl QuestionNames {
    /// The names by `habits`. A question has one name, in whatever project it is asked.
    pub fn of_habits(habits: &Habits) -> Self {
        let mut series: BTreeMap<&str, Vec<&KeyEvidence>> = BTreeMap::new();
        for habit in habits.own.iter().filter(|habit| !habit.within_family) {
            let evidence = &habit.evidence;
            series
                .entry(&evidence.question_key)
                .or_default()
                .push(evidence);
        }
        for evidence in habits.everywhere.iter().map(|habit| &habit.evidence) {
            if let Entry::Vacant(vacant) = series.entry(&evidence.question_key) {
                vacant.insert(vec![evidence]);
            }
        }
        let named = series.into_iter().filter_map(|(key, series)| {
            let name = name(&series)?;
            Some((key.to_owned(), name))
        });
        Self {
            by_key: named.collect(),
        }
    }

    /// The name of the question `key`, whose text is `text` where nothing else is known.
    pub fn of(&self, key: &str, text: &str) -> String {
        let name = self.by_key.get(key);
        name.map_or_else(|| text.to_owned(), Clone::clone)
    }
}

/// The text that all of `series` have in common, with `…` for what varies; of what has nothing in common, the options
/// of a family, and the text that came most often of any other.
fn name(series: &[&KeyEvidence]) -> Option<String> {
    let answers: Vec<&HumanAnswer> = series.iter().flat_map(|one| &one.answers).collect();
    let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer.undone.is_none()) {
        *texts.entry(&answer.question).or_default() += 1;
    }
    let is_family = series.iter().any(|one| one.template.is_some());
    if texts.len() > 1 || is_family {
        let words = texts
            .keys()
            .map(|text| family::words(family::asking_part(text)));
        let shared = common(&words.collect::<Vec<_>>());
        if !shared.is_empty() || is_family {
            let options = answers.last().map_or(&[][..], |answer| &answer.options);
            let shown = texts
                .into_iter()
                .map(|(text, times)| (template_text(&shared, text, options), times));
            return most_frequent(shown);
        }
    }
    most_frequent(
        texts
            .into_iter()
            .map(|(text, times)| (text.to_owned(), times)),
    )
}

/// The most frequent of `texts`; of equally frequent ones the first by name.
fn most_frequent(texts: impl Iterator<Item = (String, usize)>) -> Option<String> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (text, times) in texts {
        *found.entry(text).or_default() += times;
    }
    let most = found.into_iter().rev().max_by_key(|(_, times)| *times);
    most.map(|(text, _)| text)
}

/// True where a person who says `word` means the question of this `name`: the name as it is shown, also cut with `…` at
/// its end; signs and case do not matter.
pub fn is_called(name: &str, word: &str) -> bool {
    let words = family::words(word);
    if !words.is_empty() && family::words(name) == words {
        return true;
    }
    let start = word.trim().strip_suffix('…').map(str::to_lowercase);
    start.is_some_and(|start| !start.is_empty() && name.to_lowercase().starts_with(&start))
}

#[cfg(test)]
mod tests {
    use plantune_domain::keys::{is_made_up, typed};
    use plantune_domain::registry::Registry;

    use super::*;
    use crate::evidence::tests::answer;

    fn series(project: &str, key: &str, source: &str, texts: &[&str]) -> KeyEvidence {
        let texts = texts.iter().zip(1..);
        KeyEvidence {
            project: project.to_owned(),
            question_key: key.to_owned(),
            key_source: source.to_owned(),
            answers: texts
                .map(|(text, minute)| {
                    let mut answer = answer(&["Add an entry", "Leave it"], &["Add an entry"]);
                    answer.question = (*text).to_owned();
                    answer.question_key = key.to_owned();
                    answer.at += chrono::TimeDelta::minutes(minute);
                    answer
                })
                .collect(),
            ..KeyEvidence::default()
        }
    }

    fn names(series: Vec<KeyEvidence>) -> QuestionNames {
        QuestionNames::of_habits(&Habits::of(series, &Registry::default(), true))
    }

    #[test]
    fn what_varies_is_left_out_in_every_project_alike() {
        let mail = "Add an entry for mail to the changelog?";
        let names = names(vec![
            series("a", "entry", "marker", &[mail; 3]),
            series(
                "b",
                "entry",
                "marker",
                &[
                    "Add an entry for the cart to the changelog?",
                    "Add an entry for log-in to the changelog?",
                    "Add an entry for log-in to the changelog?",
                ],
            ),
            series(
                "a",
                "next",
                "marker",
                &["What next?", "And now?", "And now?"],
            ),
        ]);
        let entry = "Add an entry for … to the changelog?";
        assert_eq!(names.of("entry", mail), entry);
        // Nothing in common, and what is not known.
        assert_eq!(names.of("next", "What next?"), "And now?");
        assert_eq!(names.of("other", "Which?"), "Which?");
    }

    #[test]
    fn a_family_has_one_name_whatever_was_asked_last() {
        let texts = |order: [&str; 3]| {
            let text = |area: &&str| format!("{area}: shall I review the new tests?");
            let texts = order.iter().map(text).enumerate();
            let one = |(number, text): (usize, String)| {
                series("a", &format!("fp-{number}"), "fingerprint", &[&text])
            };
            names(texts.map(one).collect())
        };
        let found = texts(["webhooks", "upload", "emails"]);
        assert_eq!(found, texts(["emails", "webhooks", "upload"]));
        let name = "…: shall I review the new tests?";
        assert!(found.by_key.values().all(|one| one == name), "{found:?}");
        assert!(found.by_key.keys().all(|key| is_made_up(key)));
    }

    #[test]
    fn a_name_is_accepted_as_it_is_shown() {
        let name = "…: shall I review the new tests?";
        for word in [
            name,
            "shall I review the new tests",
            "…: shall I rev…",
            "… Shall i review  the new tests …",
        ] {
            assert!(is_called(name, word), "{word}");
        }
        for other in ["", "…", "shall I review", "shall I review the tests?"] {
            assert!(!is_called(name, other), "{other}");
        }
        assert_eq!(typed("fam-1", name), name);
        assert_eq!(typed("entry", name), "entry");
    }
}
