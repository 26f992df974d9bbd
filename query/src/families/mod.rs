//! Families: which series of answers are one habit, though their questions never read the same twice.
//!
//! Marked and registered questions are habits of their own. Unmarked ones are put together by their
//! normalised option set first. A specific set ("More questions", "Next area") carries itself; a
//! general one (yes or no, approve or change, a word a label) needs the texts to agree on a template,
//! which is mined from them. A family of one text variant remains a fingerprint.

pub(crate) mod habit;
mod template;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plantune_domain::family;
use plantune_domain::registry::Registry;
use serde::{Deserialize, Serialize};

pub use self::habit::door_words;
pub(crate) use self::habit::{
    GroupKey, Habit, MOST_OF_A_SET, alone, family_habits, group_key, groups, habits, keys_of,
    prepare, renamed,
};
use self::template::common;
pub use self::template::{is_specific, template_text};
use crate::evidence::{HumanAnswer, KeyEvidence, evidence};
use crate::store::json;
use crate::{Error, Store};

// What is one question to a person is the same for every verb. A question that was logged with a marker or by a rule of the registry is what that names. An
// unmarked one is what a rule names it now, else one of the family whose options and template it has,
// else itself. The families are those that suggestions rest on.

/// The habits in a person's answers.
pub struct Habits {
    /// The habits of each project.
    pub(crate) own: Vec<Habit>,
    /// The habits across projects, of questions that are asked in several.
    pub(crate) everywhere: Vec<Habit>,
}

impl Habits {
    /// The habits in the answers of the store; also across projects if wanted.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn read(store: &Store, registry: &Registry, across: bool) -> Result<Self, Error> {
        Ok(Self::of(evidence(store, registry)?, registry, across))
    }

    /// The habits in `series`, the answers by the keys they were logged under.
    pub(crate) fn of(series: Vec<KeyEvidence>, registry: &Registry, across: bool) -> Self {
        let groups = groups(renamed(series, registry));
        let found = |groups: BTreeMap<GroupKey, Vec<KeyEvidence>>| {
            let groups = groups.into_iter();
            groups
                .flat_map(|(group, series)| habits(&group, series))
                .collect()
        };
        Self {
            everywhere: match across {
                true => found(pooled(&groups)),
                false => Vec::new(),
            },
            own: found(groups),
        }
    }

    /// The names of questions by these habits and the rules of `registry`.
    pub fn grouping<'r>(&self, registry: &'r Registry) -> Grouping<'r> {
        let mut families: BTreeMap<GroupKey, Vec<(String, Vec<String>)>> = BTreeMap::new();
        for evidence in self.own.iter().map(|habit| &habit.evidence) {
            if let (Some(template), Some(last)) = (&evidence.template, evidence.answers.last()) {
                let key = &evidence.question_key;
                let group = group_key(&evidence.project, key, "family", &last.options);
                let named = (key.clone(), template.clone());
                families.entry(group).or_default().push(named);
            }
        }
        let logged_as = self.own.iter().chain(&self.everywhere).flat_map(logged_as);
        Grouping {
            families,
            logged_as: logged_as.collect(),
            names: QuestionNames::of_habits(self),
            registry,
        }
    }
}

/// The keys other than its own under which the answers of `habit` were logged.
fn logged_as(habit: &Habit) -> BTreeSet<LoggedAs> {
    let evidence = &habit.evidence;
    let answers = evidence.answers.iter();
    let others = answers.filter(|answer| answer.question_key != evidence.question_key);
    let named = others.map(|answer| LoggedAs {
        project: (evidence.project != EVERYWHERE).then(|| evidence.project.clone()),
        logged_as: answer.question_key.clone(),
        name: evidence.question_key.clone(),
    });
    named.collect()
}

/// Which questions are one and the same, and how that one is called.
#[derive(Clone, Debug)]
pub struct Grouping<'r> {
    /// The families of each group: key and template.
    families: BTreeMap<GroupKey, Vec<(String, Vec<String>)>>,
    logged_as: Vec<LoggedAs>,
    names: QuestionNames,
    registry: &'r Registry,
}

/// A key under which answers to a question were logged that is called otherwise today.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct LoggedAs {
    /// The project; `None` for all.
    project: Option<String>,
    /// The key.
    logged_as: String,
    /// Its name today.
    name: String,
}

/// A question as it was logged.
#[derive(Clone, Debug, Deserialize)]
pub struct Logged {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// The text.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
}

/// The name of a question if it differs from the one that it was logged under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The key.
    pub question_key: String,
    /// How the key was found: `registry` or `family`.
    pub key_source: &'static str,
    /// Of a family: the words that all its texts hold, in their order.
    pub template: Option<Vec<String>>,
}

/// The family that a question belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// The family's key.
    pub question_key: String,
    /// The words that all its texts hold, in their order.
    pub template: Vec<String>,
    /// Its name: the text with `…` for the part that varies.
    pub template_text: String,
}

impl<'r> Grouping<'r> {
    /// The grouping of the current store.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn read(store: &Store, registry: &'r Registry) -> Result<Self, Error> {
        Ok(Habits::read(store, registry, false)?.grouping(registry))
    }

    /// The grouping without any answer: the names by the rules of `registry`.
    pub fn by_rules(registry: &'r Registry) -> Self {
        Habits::of(Vec::new(), registry, false).grouping(registry)
    }

    /// The keys under which the answers of habits were logged, if they differ from the habits' own.
    pub(crate) fn logged_as(&self) -> &[LoggedAs] {
        &self.logged_as
    }

    /// The names of questions.
    pub fn names(&self) -> &QuestionNames {
        &self.names
    }

    /// True if every question has the key that it was logged under.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty() && self.registry.keys().next().is_none()
    }

    /// The current name of an unmarked question; `None` for any other, and if it belongs to no habit.
    pub fn name(&self, logged: &Logged) -> Option<Name> {
        let Logged {
            project,
            question_key: key,
            key_source: source,
            question: text,
            header,
            options,
        } = logged;
        if !matches!(source.as_str(), "fingerprint" | "family") {
            return None;
        }
        if let Some(key) = self.registry.key_of(text, header.as_deref(), options) {
            return Some(Name {
                question_key: key.to_owned(),
                key_source: "registry",
                template: None,
            });
        }
        let group = group_key(project, key, source, options);
        let mut families = self.families.get(&group)?.iter();
        let (key, template) = families.find(|(_, template)| family::fits(template, text))?;
        Some(Name {
            question_key: key.clone(),
            key_source: "family",
            template: Some(template.clone()),
        })
    }

    /// The name of the question `logged`.
    pub fn called(&self, logged: &Logged) -> String {
        let name = self.name(logged);
        let key = name.map_or_else(|| logged.question_key.clone(), |name| name.question_key);
        self.names.of(&key, &logged.question)
    }

    /// The family that a question belongs to, if it belongs to one.
    pub fn family(&self, logged: &Logged) -> Option<Family> {
        let name = self.name(logged)?;
        let template = name.template?;
        Some(Family {
            template_text: self.names.of(&name.question_key, &logged.question),
            question_key: name.question_key,
            template,
        })
    }
}

/// The names of the questions of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionNames {
    by_key: BTreeMap<String, String>,
}

impl QuestionNames {
    /// The names by `habits`. A question has the same name in every project.
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

/// True if a person who says `word` means the question of this `name`: the name as it is shown, also cut with `…` at
/// its end; signs and case do not matter.
pub fn is_called(name: &str, word: &str) -> bool {
    let words = family::words(word);
    if !words.is_empty() && family::words(name) == words {
        return true;
    }
    let start = word.trim().strip_suffix('…').map(str::to_lowercase);
    start.is_some_and(|start| !start.is_empty() && name.to_lowercase().starts_with(&start))
}

/// The project of a habit that is pooled over all of them; no project is called so.
pub const EVERYWHERE: &str = "*";

/// The groups that stand in several projects, each as one of [`EVERYWHERE`].
pub(crate) fn pooled(
    groups: &BTreeMap<GroupKey, Vec<KeyEvidence>>,
) -> BTreeMap<GroupKey, Vec<KeyEvidence>> {
    let mut by_name: BTreeMap<&str, Vec<&Vec<KeyEvidence>>> = BTreeMap::new();
    for ((_, name), series) in groups {
        by_name.entry(name).or_default().push(series);
    }
    by_name.retain(|_, of_projects| of_projects.len() > 1);
    by_name
        .into_iter()
        .map(|(name, of_projects)| {
            let group = (EVERYWHERE.to_owned(), name.to_owned());
            (group, merged(of_projects.into_iter().flatten()))
        })
        .collect()
}

/// `series` of several projects as those of [`EVERYWHERE`], one a key.
fn merged<'a>(series: impl Iterator<Item = &'a KeyEvidence>) -> Vec<KeyEvidence> {
    let mut by_key: BTreeMap<&str, Vec<&'a KeyEvidence>> = BTreeMap::new();
    for one in series {
        by_key.entry(&one.question_key).or_default().push(one);
    }
    let one_of = |all: Vec<&'a KeyEvidence>| {
        let first = *all.first()?;
        let of_project = |one: &&'a KeyEvidence| {
            let project: Arc<str> = Arc::from(one.project.as_str());
            let answers = one.answers.iter();
            answers.map(move |answer| (Arc::clone(&project), answer))
        };
        let answers = all.iter().flat_map(of_project);
        let pooled = answers.map(|(project, answer)| answer.clone().of_project(&project));
        Some(KeyEvidence {
            project: EVERYWHERE.to_owned(),
            answers: pooled.collect(),
            known_since: first.known_since,
            recent_askings: all.iter().map(|one| one.recent_askings).sum(),
            question_key: first.question_key.clone(),
            key_source: first.key_source.clone(),
            template: first.template.clone(),
        })
    };
    by_key.into_values().filter_map(one_of).collect()
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
