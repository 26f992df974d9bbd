//! Goes through history call by call: what is known before it, what would have been answered.

mod known;
mod would;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::config::Suggest;
use plantune_domain::family;
use plantune_domain::registry::Registry;
use plantune_domain::state::State;

use self::known::{Known, KnownPerson};
use self::would::{OnTrial, Would};
use super::asking::{Asking, group_key_of};
use super::score::{Backtest, KeyScore, Score};
use super::trial::Trial;
use crate::binding::Fillers;
use crate::families::{EVERYWHERE, GroupKey};
use crate::suggest::candidate::Candidate;
use crate::suggest::held::without_held;
use crate::suggest::level::Level;
use crate::suggest::policy::Verdict;
use crate::suggest::refusals::Refusals;

/// The check of a trial, by the group and the key of its proposal, and how the answer stands to it.
type Check = (GroupKey, String, Verdict);

/// A replay under way: takes the askings in the order of time.
pub struct Replay<'a> {
    settings: &'a Suggest,
    registry: &'a Registry,
    since: Option<NaiveDate>,
    groups: BTreeMap<GroupKey, Known>,
    /// The projects that have a group of the name.
    projects: BTreeMap<String, BTreeSet<String>>,
    call: Vec<Asking>,
    /// Answers that are known only once they were given: when, and in which order they came in.
    waiting: BTreeMap<(NaiveDateTime, u64), (Asking, Option<Check>)>,
    /// The groups about which something was learned since their habits were found.
    stale: BTreeSet<GroupKey>,
    /// The groups of projects that have had a habit.
    with_habits: BTreeSet<GroupKey>,
    person: Option<KnownPerson>,
    taken: u64,
    /// How many answers are known.
    learned: u64,
    refusals: Refusals,
    fillers: Fillers,
}

impl<'a> Replay<'a> {
    /// Nothing is known yet; what was asked before the day `since` counts as evidence only.
    pub fn new(settings: &'a Suggest, registry: &'a Registry, since: Option<NaiveDate>) -> Self {
        Self {
            settings,
            registry,
            since,
            groups: BTreeMap::new(),
            projects: BTreeMap::new(),
            call: Vec::new(),
            waiting: BTreeMap::new(),
            stale: BTreeSet::new(),
            with_habits: BTreeSet::new(),
            person: None,
            taken: 0,
            learned: 0,
            refusals: Refusals::default(),
            fillers: Fillers::default(),
        }
    }

    /// Takes the next asking; those of one call follow one another.
    pub fn take(&mut self, mut asking: Asking) {
        asking.take_rule(self.registry);
        let same_call =
            |before: &Asking| before.call == asking.call && before.answer.at == asking.answer.at;
        if !self.call.last().is_some_and(same_call) {
            self.decide();
        }
        self.call.push(asking);
    }

    /// The scores, when all askings were taken.
    pub fn finish(mut self) -> Backtest {
        self.decide();
        self.scores()
    }

    /// The scores of the calls that are decided: all but the last one taken.
    #[cfg(test)]
    pub(super) fn so_far(&self) -> Score {
        let mut total = Score::default();
        self.groups
            .values()
            .for_each(|known| total.add(&known.by_level.standing));
        total
    }

    fn scores(self) -> Backtest {
        let mut found = Backtest {
            since: self.since,
            ..Backtest::default()
        };
        for ((project, name), known) in self.groups {
            found.by_level.add(&known.by_level);
            let open = known.trials.values().filter(|trial| !trial.is_on());
            let mut runs = known.runs;
            runs.extend(open.map(|trial| trial.run));
            found.trials.extend(&runs);
            let Some(last) = known.last else { continue };
            let is_family = known.text_variants > 1 && name.starts_with(family::PREFIX);
            let (question_key, key_source) = match is_family {
                true => (name, "family".to_owned()),
                false => (last.answer.question_key.clone(), last.key_source),
            };
            found.by_key.push(KeyScore {
                project,
                question_key,
                key_source,
                name: String::new(),
                question: last.answer.question.clone(),
                options: last.answer.options.clone(),
                by_level: known.by_level,
                trials: runs,
            });
        }
        let questions = |key: &KeyScore| key.by_level.standing.questions;
        let counts = |key: &KeyScore| key.by_level.standing != Score::default();
        found.by_key.retain(counts);
        found.by_key.sort_by(|one, other| {
            (questions(other), &one.project, &one.question_key).cmp(&(
                questions(one),
                &other.project,
                &other.question_key,
            ))
        });
        found
    }

    /// Decides the call at hand by what was answered before it, and then knows it.
    fn decide(&mut self) {
        let call = std::mem::take(&mut self.call);
        let Some(at) = call.first().map(|first| first.answer.at) else {
            return;
        };
        self.learn(at);
        let would: Vec<Would> = call.iter().map(|asking| self.would(asking)).collect();
        let unique = |asking: &Asking| {
            let text = &asking.answer.question;
            call.iter()
                .filter(|other| other.answer.question == *text)
                .count()
                == 1
        };
        // A call is answered as a whole, or not at all.
        let is_unique = call.iter().all(unique);
        let stands = is_unique && would.iter().all(|would| would.standing.is_some());
        let answers =
            |would: &Would| would.standing.is_some() || !matches!(would.trial, OnTrial::Nothing);
        let is_tried = is_unique && would.iter().all(answers);
        let mut pairs = call.iter().zip(&would);
        let is_check = is_tried && pairs.any(|(asking, would)| self.is_check(asking, would));
        for (asking, would) in call.into_iter().zip(would) {
            let (mut check, mut tried) = (None, None);
            if let OnTrial::Answers(group, key, verdict) = would.trial
                && is_tried
            {
                let is_wrong = !is_check && verdict != Verdict::Agree;
                if let Some(trial) = self.trial(&group, &key) {
                    trial.asked(is_wrong && asking.answered_at.is_some());
                }
                match is_check {
                    true => check = Some((group, key, verdict)),
                    false => tried = Some(verdict),
                }
            }
            let standing = would.standing.filter(|_| stands);
            self.score(&asking, [would.assist, tried, standing], check.is_some());
            if let Some(answered_at) = asking.answered_at {
                self.taken += 1;
                let taken = (answered_at, self.taken);
                self.waiting.insert(taken, (asking, check));
            }
        }
    }

    /// Applies what was answered before the moment `at`.
    fn learn(&mut self, at: NaiveDateTime) {
        let later = self.waiting.split_off(&(at, 0));
        for (asking, check) in std::mem::replace(&mut self.waiting, later).into_values() {
            if let Some((group, key, verdict)) = check {
                self.checked(&group, &key, verdict);
            }
            self.know(asking);
        }
        for group in std::mem::take(&mut self.stale) {
            let known = self.groups.entry(group.clone()).or_default();
            let held = |habit| without_held(habit, &self.refusals, self.registry);
            let candidate = |habit| Candidate::of(held(habit), self.settings);
            known.find_habits(&group, candidate);
            if known.candidates().next().is_some() && group.0 != EVERYWHERE {
                self.with_habits.insert(group);
            }
        }
    }

    /// What a check of the trial of `key` says.
    fn checked(&mut self, group: &GroupKey, key: &str, verdict: Verdict) {
        let Some(known) = self.groups.get_mut(group) else {
            return;
        };
        if let Some(trial) = known.trials.get_mut(key)
            && trial.checked(verdict)
        {
            known.runs.push(trial.run);
            if trial.run.state == State::Stopped {
                known.trials.remove(key);
            }
        }
    }

    fn know(&mut self, asking: Asking) {
        self.learned += 1;
        let (project, name) = group_key_of(&asking);
        let projects = self.projects.entry(name.clone()).or_default();
        projects.insert(project.clone());
        if self.settings.across_projects {
            let everywhere = (EVERYWHERE.to_owned(), name.clone());
            let answer = asking.answer.clone().of_project(&project.as_str().into());
            let known = self.groups.entry(everywhere.clone()).or_default();
            known.know(EVERYWHERE, &asking.key_source, answer);
            if projects.len() > 1 {
                self.stale.insert(everywhere);
            }
        }
        let group = (project, name);
        self.stale.insert(group.clone());
        let known = self.groups.entry(group).or_default();
        known.know(&asking.project, &asking.key_source, asking.answer);
    }

    fn trial(&mut self, group: &GroupKey, key: &str) -> Option<&mut Trial> {
        self.groups.get_mut(group)?.trials.get_mut(key)
    }

    /// True when the question is asked to see whether its trial is right.
    fn is_check(&mut self, asking: &Asking, would: &Would) -> bool {
        let OnTrial::Answers(group, key, _) = &would.trial else {
            return false;
        };
        let trial = self.trial(group, key);
        trial.is_some_and(|trial| trial.is_check(&asking.call, key))
    }

    /// True for what was asked from the first day that counts on.
    fn counts(&self, asking: &Asking) -> bool {
        self.since.is_none_or(|since| asking.answer.day >= since)
    }

    /// Scores what the levels would do, the least first.
    fn score(&mut self, asking: &Asking, would: [Option<Verdict>; 3], is_check: bool) {
        let counts = self.counts(asking);
        let known = self.groups.entry(group_key_of(asking)).or_default();
        let worded = |last: &Asking| last.answer.question_key == asking.answer.question_key;
        if !known.last.as_ref().is_some_and(worded) {
            known.text_variants += 1;
        }
        known.last = Some(asking.clone());
        if !counts {
            return;
        }
        for (&level, verdict) in Level::ALL.iter().zip(would) {
            known.by_level.of(level).count(asking, verdict, level);
        }
        known.by_level.checks += u64::from(is_check && asking.answered_at.is_some());
    }
}
