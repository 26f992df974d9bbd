//! The history that a replay reads: the questions that the person was asked, and the known facts about each group of
//! them at a moment.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::OnceLock;

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::family;
use plantune_domain::registry::Registry;
use serde::Deserialize;

use super::score::{Trial, TrialRun};
use crate::evidence::{HumanAnswer, KeyEvidence, MOST_ANSWERS};
use crate::families::{
    GroupKey, Habit, MOST_OF_A_SET, alone, family_habits, group_key, keys_of, prepare,
};
use crate::suggest::candidate::{Candidate, Person, median_seconds};
use crate::suggest::level::ByLevel;
use crate::{Error, Store};

/// One question that the person was asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Asking {
    /// The project.
    pub project: String,
    /// How its key was found.
    pub key_source: String,
    /// The call it belongs to.
    pub call: String,
    /// The question and the person's answer; without labels when they did not answer.
    #[serde(skip)]
    pub answer: HumanAnswer,
    /// The time of the answer (UTC); `None` if the question was declined, failed or left.
    pub answered_at: Option<NaiveDateTime>,
}

impl Asking {
    /// Calls an unmarked question by the key that a rule of `registry` gives it now.
    pub(super) fn take_rule(&mut self, registry: &Registry) {
        let answer = &mut self.answer;
        let header = answer.header.as_deref();
        if self.key_source == "fingerprint"
            && let Some(key) = registry.key_of(&answer.question, header, &answer.options)
        {
            key.clone_into(&mut answer.question_key);
            "registry".clone_into(&mut self.key_source);
        }
    }
}

pub(super) fn group_key_of(asking: &Asking) -> GroupKey {
    group_key(
        &asking.project,
        &asking.answer.question_key,
        &asking.key_source,
        &asking.answer.options,
    )
}

/// About how many questions are read at once.
const AT_ONCE: u64 = 50_000;

/// Calls `take` with every question that the person was asked, in the order of time. They are read some
/// days at a time, so that the memory they take does not grow with the log.
///
/// # Errors
/// The errors of DuckDB.
pub fn askings(
    store: &Store,
    project: Option<&str>,
    mut take: impl FnMut(Asking),
) -> Result<(), Error> {
    let sql = include_str!("../../sql/backtest/askings.sql");
    for (first, last) in spans(store)? {
        let rows = store.pairs::<Asking, HumanAnswer>(sql, params![project, first, last])?;
        for (asking, answer) in rows {
            take(Asking {
                answer: answer.meant(),
                ..asking
            });
        }
    }
    Ok(())
}

/// Every day that has a question, in spans of about [`AT_ONCE`] questions: their first and last days, in
/// order.
///
/// # Errors
/// The errors of DuckDB.
fn spans(store: &Store) -> Result<Vec<(NaiveDate, NaiveDate)>, Error> {
    let sql = include_str!("../../sql/backtest/days.sql");
    let mut spans: Vec<(NaiveDate, NaiveDate)> = Vec::new();
    let mut in_span = AT_ONCE;
    for (day, questions) in store.rows::<(NaiveDate, u64)>(sql, [])? {
        match spans.last_mut() {
            Some((_, last)) if in_span + questions <= AT_ONCE => *last = day,
            _ => {
                spans.push((day, day));
                in_span = 0;
            }
        }
        in_span += questions;
    }
    Ok(spans)
}

/// How many answers in a hundred habits, at least, it takes for all of a person's habits together to say something
/// else. With fewer habits than that they are looked at after each answer.
const ANSWERS_IN_A_HUNDRED: u64 = 2;

/// A summary of all habits of a person at one moment of the replay.
pub(super) struct PersonHistory {
    pub(super) person: Person,
    median_seconds: OnceLock<Option<f64>>,
    habits: u64,
    /// How many answers were known.
    learned: u64,
}

impl PersonHistory {
    /// The summary of `candidates` at the moment `now`, when `learned` answers are known.
    pub(super) fn of<'a>(
        candidates: impl Iterator<Item = &'a Candidate> + Clone,
        now: NaiveDateTime,
        learned: u64,
    ) -> Self {
        Self {
            habits: candidates.clone().count() as u64,
            person: Person::of(candidates, now),
            median_seconds: OnceLock::new(),
            learned,
        }
    }

    /// True while they are as good as the same, when so many answers are `learned`: to look at all habits after each
    /// answer would take longer for every habit more.
    pub(super) fn holds(&self, learned: u64) -> bool {
        (learned - self.learned) * 100 <= self.habits * ANSWERS_IN_A_HUNDRED
    }

    /// The person's median answering time over `candidates`, in seconds.
    pub(super) fn median_seconds<'a>(
        &self,
        candidates: impl Iterator<Item = &'a Candidate>,
    ) -> Option<f64> {
        *(self.median_seconds).get_or_init(|| median_seconds(candidates))
    }
}

/// The answers that were logged under one key: as they came, and those that count.
#[derive(Debug)]
struct KeySeries {
    answers: Vec<HumanAnswer>,
    prepared: KeyEvidence,
}

/// A habit as it was found, and its candidate.
#[derive(Debug)]
struct FoundHabit {
    habit: Habit,
    candidate: Candidate,
}

impl FoundHabit {
    fn is_of(&self, habit: &Habit) -> bool {
        self.habit.evidence.question_key == habit.evidence.question_key
    }
}

/// The known history of the questions of one group, and their score.
#[derive(Debug, Default)]
pub(super) struct GroupHistory {
    /// The answers so far by the key they were logged under.
    series: BTreeMap<String, KeySeries>,
    /// The latest answers as they came, twice as many as families are looked for in: of many texts with the same
    /// options these alone make families.
    latest: VecDeque<HumanAnswer>,
    /// How many of the [`MOST_OF_A_SET`] latest answers were logged under each key.
    looked_at: BTreeMap<String, usize>,
    /// The time of the last answer that no longer belongs to the latest ones.
    earlier: NaiveDateTime,
    /// The hosts that asked.
    hosts: BTreeSet<Option<String>>,
    /// The keys about which something was learned since the habits were found.
    stale: BTreeSet<String>,
    /// The families in them, or in those of all projects.
    families: Vec<FoundHabit>,
    /// The habits of single texts, by their keys.
    texts: BTreeMap<String, FoundHabit>,
    /// The keys that were none of the latest any more when something was learned.
    left: BTreeSet<String>,
    /// The trials under way, by their key.
    pub(super) trials: BTreeMap<String, Trial>,
    pub(super) by_level: ByLevel,
    pub(super) runs: Vec<TrialRun>,
    pub(super) last: Option<Asking>,
    pub(super) text_variants: usize,
}

impl GroupHistory {
    /// Knows one answer more.
    pub(super) fn know(&mut self, project: &str, key_source: &str, answer: HumanAnswer) {
        let key = answer.question_key.clone();
        self.stale.insert(key.clone());
        self.come(&answer);
        if !self.hosts.contains(&answer.tool) {
            self.hosts.insert(answer.tool.clone());
        }
        let series = self.series.entry(key).or_insert_with(|| KeySeries {
            answers: Vec::new(),
            prepared: KeyEvidence {
                project: project.to_owned(),
                question_key: answer.question_key.clone(),
                key_source: key_source.to_owned(),
                // The rate of asking changes what is saved, not whether anything is.
                recent_askings: 1,
                ..KeyEvidence::default()
            },
        });
        series.answers.push(answer);
        if series.answers.len() > 2 * MOST_ANSWERS {
            series.answers.sort_by(HumanAnswer::in_time);
            let earlier = series.answers.len() - MOST_ANSWERS;
            series.answers.drain(..earlier);
        }
    }

    /// Finds the habits of `group` again, as far as what was learned may have changed them: in families, and of single
    /// texts. `candidate` judges one.
    pub(super) fn find_habits(&mut self, group: &GroupKey, candidate: impl Fn(Habit) -> Candidate) {
        let found = |known: Option<FoundHabit>, habit: Habit| match known {
            Some(known) if known.habit == habit => known,
            _ => FoundHabit {
                candidate: candidate(habit.clone()),
                habit,
            },
        };
        let stale = std::mem::take(&mut self.stale);
        for key in &stale {
            if let Some(series) = self.series.get_mut(key) {
                series.prepared.answers.clone_from(&series.answers);
                prepare(&mut series.prepared);
            }
        }
        let families = family_habits(group, self.latest_answers(&stale), None);
        let in_families = keys_of(&families);
        let mut before = std::mem::take(&mut self.families);
        for habit in families {
            let known = before.iter().position(|one| one.is_of(&habit));
            let known = known.map(|at| before.swap_remove(at));
            self.families.push(found(known, habit));
        }
        let looked_at = self.looked_at.keys().filter(|key| !stale.contains(*key));
        let mut others: Vec<String> = Vec::new();
        if !self.texts.is_empty() {
            let is_other = |key: &&String| {
                let known = self.texts.get(*key);
                known.is_some_and(|one| one.habit.within_family != in_families.contains(*key))
            };
            others.extend(looked_at.filter(is_other).cloned());
        }
        for key in stale.iter().chain(&others) {
            let is_within = in_families.contains(key);
            let known = self.texts.remove(key);
            let series = self.series.get(key).map(|one| one.prepared.clone());
            if let Some(habit) = series.and_then(|series| alone(series, is_within)) {
                self.texts.insert(key.clone(), found(known, habit));
            }
        }
        // Of no family is what is no longer among the latest.
        for key in std::mem::take(&mut self.left) {
            if !self.looked_at.contains_key(&key)
                && !stale.contains(&key)
                && let Some(mut known) = self.texts.remove(&key)
            {
                known.habit.within_family = false;
                known.candidate = known.candidate.without_family();
                self.texts.insert(key, known);
            }
        }
        // Learned, but not among the latest: looked at this once.
        let others = stale.into_iter();
        let others = others.filter(|key| !self.looked_at.contains_key(key));
        self.left.extend(others);
    }

    /// `answer` is the latest from now on.
    fn come(&mut self, answer: &HumanAnswer) {
        let key = answer.question_key.clone();
        *self.looked_at.entry(key).or_default() += 1;
        if let Some(at) = self.latest.len().checked_sub(MOST_OF_A_SET)
            && let Some(left) = self.latest.get(at)
            && let Entry::Occupied(mut times) = self.looked_at.entry(left.question_key.clone())
        {
            *times.get_mut() -= 1;
            if *times.get() == 0 {
                self.left.insert(times.remove_entry().0);
            }
        }
        self.latest.push_back(answer.clone());
        if self.latest.len() > 2 * MOST_OF_A_SET
            && let Some(earlier) = self.latest.pop_front()
        {
            self.earlier = self.earlier.max(earlier.at);
        }
    }

    /// The answers that families are looked for in: those to the questions of the latest, and to what was learned
    /// about (`stale`).
    fn latest_answers(&self, stale: &BTreeSet<String>) -> Vec<HumanAnswer> {
        let all = self.latest.len();
        let mut latest: Vec<&HumanAnswer> = self.latest.iter().collect();
        let (before, own) = latest.split_at_mut(all.saturating_sub(MOST_OF_A_SET));
        let first = own.iter().map(|one| one.at).min();
        let is_later = before.iter().any(|one| Some(one.at) >= first);
        if is_later {
            let is_looked_at = |one: &&HumanAnswer| {
                let key = &one.question_key;
                self.looked_at.contains_key(key) || stale.contains(key)
            };
            latest.retain(is_looked_at);
            latest.sort_by(|one, other| HumanAnswer::in_time(one, other));
        }
        let from = latest.len().saturating_sub(MOST_OF_A_SET);
        let latest = latest.get(from..).unwrap_or_default();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for answer in latest {
            *times.entry(&answer.question_key).or_default() += 1;
        }
        // No earlier one is among them: not for its time, for its host, or in the place of one of too many.
        let is_all = self.hosts.len() == 1
            && times.values().all(|times| *times <= MOST_ANSWERS)
            && match latest.iter().min_by_key(|one| one.at) {
                Some(first) if latest.len() == MOST_OF_A_SET => first.at > self.earlier,
                _ => self.earlier == NaiveDateTime::default(),
            };
        if is_all {
            return latest.iter().copied().cloned().collect();
        }
        let others = stale
            .iter()
            .filter(|key| !self.looked_at.contains_key(*key));
        let series = self.looked_at.keys().chain(others);
        let series = series.filter_map(|key| self.series.get(key));
        series
            .flat_map(|one| one.prepared.answers.iter().cloned())
            .collect()
    }

    /// The habits in them, or in those of all projects.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> + Clone {
        let all = self.families.iter().chain(self.texts.values());
        all.map(|one| &one.candidate)
    }

    /// The habit of the same question as `candidate`.
    pub(super) fn same_habit(&self, candidate: &Candidate) -> Option<&Candidate> {
        let families = self.families.iter();
        let family = families.clone().find(|one| one.is_of(&candidate.habit));
        let of_text = || self.texts.get(&candidate.habit.evidence.question_key);
        let found = family.or_else(of_text)?;
        Some(&found.candidate).filter(|other| candidate.is_same_habit(other))
    }

    /// Those that a preference for would be looked at for a question with this `text` and `key`.
    pub(super) fn fitting(&self, text: &str, key: &str) -> impl Iterator<Item = &Candidate> {
        let families = self.families.iter();
        let families = families.filter(move |one| {
            let template = one.habit.evidence.template.as_deref();
            template.is_some_and(|template| family::fits(template, text))
        });
        let all = families.chain(self.texts.get(key));
        all.map(|one| &one.candidate)
    }
}
