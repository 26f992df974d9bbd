//! Habits: which answers belong to one question, and what the person agreed to by them. The key says what is one question:
//! it comes from a marker, a rule of the registry, specific options, or what is asked ([`plantune_domain::keys`]). A rule
//! also counts for questions that were logged under another key before it was written.

mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::NaiveDateTime;
use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
use plantune_domain::keys::{KeySource, is_made_up};
use plantune_domain::preferences::Preference;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::is_program;
use serde::{Deserialize, Serialize};

pub use self::names::{QuestionNames, is_called};
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS, MOST_ANSWERS, evidence, first_day};
use crate::store::json;
use crate::{Store, StoreError};

/// The habits in a person's answers.
#[derive(Default)]
pub struct Habits {
    /// The habits of each project.
    pub(crate) own: Vec<KeyEvidence>,
    /// The habits across projects, of questions that are asked in several.
    pub(crate) everywhere: Vec<KeyEvidence>,
}

impl Habits {
    /// The habits in the answers of the store; also across projects if wanted.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn read(store: &Store, registry: &Registry, across: bool) -> Result<Self, StoreError> {
        Ok(Self::of(evidence(store, registry)?, registry, across))
    }

    /// The habits in `series`, the answers by the keys they were logged under.
    pub(crate) fn of(series: Vec<KeyEvidence>, registry: &Registry, across: bool) -> Self {
        let own = renamed(series, registry);
        let found = |series: Vec<KeyEvidence>| series.into_iter().filter_map(habit).collect();
        Self {
            everywhere: match across {
                true => found(pooled(&own)),
                false => Vec::new(),
            },
            own: found(own),
        }
    }

    /// The names of questions by these habits and the rules of `registry`.
    pub fn grouping<'r>(&self, registry: &'r Registry) -> QuestionGrouping<'r> {
        let logged_as = self.own.iter().chain(&self.everywhere).flat_map(logged_as);
        QuestionGrouping {
            logged_as: logged_as.collect(),
            names: self.names(),
            registry,
        }
    }

    /// What questions are called by these habits.
    pub(crate) fn names(&self) -> QuestionNames {
        QuestionNames::of_series(&self.own, &self.everywhere)
    }

    /// The answers to the question `key` in `project`, or in any, in the order of time. A question that was answered less
    /// than three times in a project has none.
    pub fn answers_to(&self, key: &str, project: Option<&str>) -> KeyEvidence {
        let is_meant = |one: &&KeyEvidence| {
            one.question_key == key && project.is_none_or(|project| project == one.project)
        };
        let mut found = KeyEvidence::default();
        for habit in self.own.iter().filter(is_meant) {
            found.answers.extend(habit.answers.iter().cloned());
        }
        found
            .answers
            .sort_by(|one, other| HumanAnswer::in_time(one, other));
        found
    }
}

/// `series` as a habit: the answers that count; `None` for too few.
pub(crate) fn habit(mut series: KeyEvidence) -> Option<KeyEvidence> {
    prepare(&mut series);
    if series.recent_askings == 0 {
        // Its parts were each too small to be counted in the store.
        series.recent_askings = recent(&series.answers);
    }
    (series.answers.len() >= LEAST_ANSWERS).then_some(series)
}

/// Keeps the answers of a series that count: those of one host, in the order of time.
fn prepare(series: &mut KeyEvidence) {
    series
        .answers
        .sort_by(|one, other| HumanAnswer::in_time(one, other));
    keep_one_host(&mut series.answers);
    let earlier = series.answers.len().saturating_sub(MOST_ANSWERS);
    series.answers.drain(..earlier);
}

/// Keeps the answers at one host, as answers at one say nothing about another: the host that the person answered at last,
/// or, where they have not answered often enough themselves, the program. Answers that were taken back count for every host.
fn keep_one_host(answers: &mut Vec<Arc<HumanAnswer>>) {
    let hosts = || answers.iter().rev().filter_map(|one| one.tool.as_deref());
    let persons = hosts().filter(|host| !is_program(host)).count();
    let of_program = persons < LEAST_ANSWERS && hosts().any(is_program);
    let host = hosts().find(|host| is_program(host) == of_program);
    let host = host.map(str::to_owned);
    answers.retain(|answer| answer.tool.is_none() || answer.tool == host);
}

/// How many of `answers` lie in the four weeks before the last of them, that day included.
fn recent(answers: &[Arc<HumanAnswer>]) -> u64 {
    let Some(last) = answers.last() else {
        return 0;
    };
    let from = first_day(last.day);
    answers.iter().filter(|answer| answer.day >= from).count() as u64
}

/// `series` with the answers to unmarked questions under the key that a rule of `registry` gives them
/// now: what was answered before the rule was written counts for it.
pub(crate) fn renamed(series: Vec<KeyEvidence>, registry: &Registry) -> Vec<KeyEvidence> {
    let mut found: BTreeMap<(String, String), KeyEvidence> = BTreeMap::new();
    for mut one in series {
        let project: Arc<str> = Arc::from(one.project.as_str());
        for answer in one.answers.iter_mut().map(Arc::make_mut) {
            answer.project = Arc::clone(&project);
            let header = answer.header.as_deref();
            answer.is_opened =
                registry.opens(&one.question_key, &answer.question, header, &answer.options);
        }
        let name = |of: &HumanAnswer| {
            let is_unmarked = is_made_up(&one.question_key);
            let named = || registry.key_of(&of.question, of.header.as_deref(), &of.options);
            is_unmarked.then(named).flatten()
        };
        let mut parts: BTreeMap<Option<&str>, Vec<Arc<HumanAnswer>>> = BTreeMap::new();
        for answer in std::mem::take(&mut one.answers) {
            parts.entry(name(&answer)).or_default().push(answer);
        }
        // If only a part of the answers is renamed, the askings are counted from the answers: for askings without one
        // it is not known which rule would name them.
        let is_whole = parts.len() == 1;
        for (name, answers) in parts {
            let key = name.unwrap_or(&one.question_key).to_owned();
            let into = found
                .entry((one.project.clone(), key.clone()))
                .or_insert_with(|| KeyEvidence {
                    project: one.project.clone(),
                    question_key: key,
                    known_since: one.known_since,
                    key_source: name
                        .map_or(&*one.key_source, |_| KeySource::Registry.as_str())
                        .to_owned(),
                    ..KeyEvidence::default()
                });
            into.recent_askings += if is_whole { one.recent_askings } else { 0 };
            into.answers.extend(answers);
        }
    }
    found.into_values().collect()
}

/// The project of a habit that is pooled over all of them; no project is called so.
pub const EVERYWHERE: &str = "*";

/// The `series` that stand in several projects, each as one of [`EVERYWHERE`].
fn pooled(series: &[KeyEvidence]) -> Vec<KeyEvidence> {
    let mut by_key: BTreeMap<&str, Vec<&KeyEvidence>> = BTreeMap::new();
    for one in series {
        by_key.entry(&one.question_key).or_default().push(one);
    }
    by_key.retain(|_, of_projects| of_projects.len() > 1);
    let one_of = |all: Vec<&KeyEvidence>| {
        let first = *all.first()?;
        let answers = all.iter().flat_map(|one| &one.answers);
        Some(KeyEvidence {
            project: EVERYWHERE.to_owned(),
            answers: answers.cloned().collect(),
            known_since: first.known_since,
            recent_askings: all.iter().map(|one| one.recent_askings).sum(),
            question_key: first.question_key.clone(),
            key_source: first.key_source.clone(),
        })
    };
    by_key.into_values().filter_map(one_of).collect()
}

/// The keys other than its own under which the answers of `habit` were logged.
fn logged_as(habit: &KeyEvidence) -> BTreeSet<LoggedAs> {
    let answers = habit.answers.iter();
    let others = answers.filter(|answer| answer.question_key != habit.question_key);
    let named = others.map(|answer| LoggedAs {
        project: (habit.project != EVERYWHERE).then(|| habit.project.clone()),
        logged_as: answer.question_key.clone(),
        name: habit.question_key.clone(),
    });
    named.collect()
}

/// How questions are called today.
#[derive(Clone, Debug)]
pub struct QuestionGrouping<'r> {
    logged_as: Vec<LoggedAs>,
    names: QuestionNames,
    registry: &'r Registry,
}

/// A key under which answers were logged to a question that has another key today.
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
pub(crate) struct LoggedQuestion {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// The text.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
}

impl<'r> QuestionGrouping<'r> {
    /// The grouping of the current store.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn read(store: &Store, registry: &'r Registry) -> Result<Self, StoreError> {
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
        self.registry.keys().next().is_none()
    }

    /// The key that a rule gives an unmarked question today; `None` for any other.
    pub(crate) fn key(&self, logged: &LoggedQuestion) -> Option<&'r str> {
        let header = logged.header.as_deref();
        let named = || {
            self.registry
                .key_of(&logged.question, header, &logged.options)
        };
        is_made_up(&logged.question_key).then(named).flatten()
    }

    /// The name of the question `logged`.
    pub(crate) fn called(&self, logged: &LoggedQuestion) -> String {
        let key = self.key(logged).unwrap_or(&logged.question_key);
        self.names.of(key, &logged.question)
    }
}

// What the person agreed to by the answers to a question, and what a preference for it covers.

impl KeyEvidence {
    /// What the person agreed to by answering `label`, or the recommended option; `None` for nothing that may be answered.
    pub fn agreement(&self, label: Option<&str>) -> Option<Agreement> {
        let answers = self.answers.iter();
        let agreed = answers.filter(|answer| is_answered(answer, label));
        Agreement::of(&agreed.filter_map(|one| one.given()).collect::<Vec<_>>())
    }

    /// The texts that `preference` answers, and those that it does not, the latest first; at most `most` of each.
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

/// A preference that answers more than it did.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownPreference {
    /// The preference with what the person agreed to since.
    pub preference: Preference,
    /// The questions that it answers now and did not, the earliest first.
    pub texts: Vec<String>,
}

impl KeyEvidence {
    /// `preference` extended by the askings since the moment `since` (UTC) that were new to it and that the person answered
    /// as it would have; `None` if there are none ([`Agreement::grown`]).
    pub fn grown(&self, preference: &Preference, since: NaiveDateTime) -> Option<GrownPreference> {
        let agreement = preference.agreement()?;
        let label = preference.answer.as_deref();
        let later = || self.answers.iter().filter(|one| one.at > since);
        let agreed = later()
            .filter(|one| is_answered(one, label))
            .filter_map(|one| one.given());
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
    use plantune_domain::keys::key_of;

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
                    answer.at += TimeDelta::minutes(minute);
                    Arc::new(answer)
                })
                .collect(),
            ..KeyEvidence::default()
        }
    }

    fn names(series: Vec<KeyEvidence>) -> QuestionNames {
        Habits::of(series, &Registry::default(), true).names()
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
    fn a_specific_set_is_one_question_whatever_the_texts() {
        let (key, source) = key_of("", &["Add an entry", "Leave it alone"].map(str::to_owned));
        let texts = [
            "Anything for the cart?",
            "What about mail?",
            "Search: and here?",
        ];
        let one = series("a", &key, source.as_str(), &texts);
        let found = Habits::of(vec![one.clone()], &Registry::default(), false);
        assert_eq!(found.own.len(), 1);
        assert_eq!(found.own[0].answers.len(), 3);
        let name = found.names().of(&key, texts[0]);
        assert_eq!(name, "any question with \"Add an entry\", \"Leave it\"");
        // A rule takes what it names, and leaves the rest.
        let rule = "[[question]]\nkey = \"mail\"\ntext = \"*mail*\"";
        let registry = Registry::parse(rule).unwrap();
        let found = renamed(vec![one], &registry);
        let keys: Vec<(&str, usize)> = found
            .iter()
            .map(|one| (one.question_key.as_str(), one.answers.len()))
            .collect();
        assert_eq!(keys, [("mail", 1), (key.as_str(), 2)]);
    }

    #[test]
    fn projects_stay_apart_and_are_pooled() {
        let texts = ["Add it to the changelog?"; 2];
        let all = ["a", "b"].map(|project| series(project, "entry", "marker", &texts));
        let found = Habits::of(all.to_vec(), &Registry::default(), true);
        assert_eq!(found.own, []);
        assert_eq!(found.everywhere.len(), 1);
        assert_eq!(found.everywhere[0].answers.len(), 4);
        assert_eq!(&*found.everywhere[0].answers[0].project, "a");
    }

    #[test]
    fn what_a_program_was_answered_says_nothing_of_the_person() {
        let at_host = |host: &str, texts: &[&str]| {
            let mut one = series("p", "k", "marker", texts);
            for answer in one.answers.iter_mut().map(Arc::make_mut) {
                answer.tool = Some(host.to_owned());
            }
            one
        };
        let kept = |hosts: &[(&str, usize)]| {
            let mut merged = at_host("", &[]);
            for (host, count) in hosts {
                let mut answers = at_host(host, &vec!["On?"; *count]).answers;
                let later = TimeDelta::days(merged.answers.len() as i64);
                answers
                    .iter_mut()
                    .for_each(|answer| Arc::make_mut(answer).at += later);
                merged.answers.extend(answers);
            }
            let habit = habit(merged).unwrap();
            let first = habit.answers[0].tool.clone().unwrap();
            (first, habit.answers.len())
        };
        let dialog = "AskUserQuestion";
        let of = |host: &str, count| (host.to_owned(), count);
        assert_eq!(kept(&[(dialog, 3), ("sdk-ts", 30)]), of(dialog, 3));
        assert_eq!(kept(&[("sdk-ts", 9), (dialog, 4)]), of(dialog, 4));
        assert_eq!(kept(&[(dialog, 2), ("sdk-ts", 5)]), of("sdk-ts", 5));
        assert_eq!(kept(&[("sdk-ts", 5), (dialog, 2)]), of("sdk-ts", 5));
    }
}

#[cfg(test)]
mod agreed_tests {
    use chrono::TimeDelta;
    use plantune_domain::preferences::Policy;

    use super::*;
    use crate::evidence::tests::{answer, at};

    /// Answers, a day apart: session, question and label.
    fn answers(given: &[(&str, &str, &str)]) -> KeyEvidence {
        let one = |(day, (session, question, label)): (i64, &(&str, &str, &str))| {
            let mut answer = answer(&["Yes", "No"], &[label]);
            answer.question = (*question).to_owned();
            answer.session_id = (*session).to_owned();
            answer.at += TimeDelta::days(day);
            answer.day = answer.at.date();
            Arc::new(answer)
        };
        KeyEvidence {
            answers: (0..).zip(given).map(one).collect(),
            ..KeyEvidence::default()
        }
    }

    const FILES: &str = "Format the files in the cart?";

    fn agreed() -> KeyEvidence {
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
        let texts = |answers: &KeyEvidence, label| {
            let agreement = answers.agreement(label)?;
            let texts = agreement.texts.into_iter().map(|known| known.text);
            Some(texts.collect::<Vec<_>>())
        };
        assert_eq!(texts(&answers, Some("yes")), Some(vec![FILES.to_owned()]));
        assert_eq!(texts(&answers, Some("Perhaps")), None);
        assert_eq!(texts(&answers, None), None, "nothing is recommended");
        Arc::make_mut(&mut answers.answers[0]).recommended = Some("Yes".to_owned());
        assert_eq!(texts(&answers, None), Some(vec![FILES.to_owned()]));
        for answer in answers.answers.iter_mut().map(Arc::make_mut) {
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
        Arc::make_mut(&mut held.answers[0]).one_way = Some("registry: files".to_owned());
        assert_eq!(held.grown(&preference(), since), None);
        // Before the preference was set it says nothing.
        let later = at("2026-11-20 10:00");
        assert_eq!(answers(&alike).grown(&preference(), later), None);
    }
}
