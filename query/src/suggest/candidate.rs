//! A habit, and the score of every policy on it.

use chrono::NaiveDateTime;
use plantune_domain::config::Suggest;

use super::benefit::median;
use super::policy::{Answers, Policy, Verdict};
use super::posterior::{Agreement, Population, Tally, age_weight};
use super::spread::{Weighed, days_between, weigh};
use crate::evidence::KeyEvidence;
use crate::families::Habit;

/// Over how many of the latest answers a policy's coverage is taken, and the share of one-way ones.
pub(super) const WINDOW: usize = 20;

/// A policy that would have asked more than one time in this many is of no use.
const ABSTAINS_AT_MOST_ONE_IN: usize = 5;

/// How many counted answers make a key part of the population the prior is taken from: with fewer,
/// its most frequent answer agrees with itself by construction.
const LEAST_FOR_POPULATION: usize = 5;

/// How often one policy would have answered as the person did.
#[derive(Clone, Debug)]
pub(crate) struct PolicyScore {
    pub(crate) policy: Policy,
    pub(super) verdicts: Vec<Verdict>,
    /// With the weights at the moment that was asked for.
    pub(super) weighed: Weighed,
    /// It would have answered at least four fifths of the latest askings.
    pub(super) covers: bool,
}

/// A habit and the scores of the policies on it, weighed at the moment of its last answer.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) habit: Habit,
    /// When its last answer was asked for.
    pub(crate) newest: NaiveDateTime,
    scores: Vec<PolicyScore>,
    half_life_days: f64,
}

impl Candidate {
    /// The policies that could be, held against the answers of `habit`.
    pub(crate) fn of(habit: Habit, settings: &Suggest) -> Self {
        let key = &habit.evidence;
        let newest = key
            .answers
            .last()
            .map_or(NaiveDateTime::MIN, |answer| answer.at);
        let answers = Answers::of(&key.answers);
        let policies = answers.policies.iter();
        let scores = policies.map(|policy| score(&answers, policy, key, newest, settings));
        Self {
            scores: scores.collect(),
            newest,
            half_life_days: settings.half_life_days,
            habit,
        }
    }

    /// The policy that describes the answers best at the moment `reference`.
    ///
    /// One that would have answered often enough comes before one that would not, then the one with
    /// the higher expected agreement under a uniform prior, so that the choice depends on this habit
    /// alone. Where following and pinning a label score exactly alike (the recommendation never moved)
    /// the label wins: it is simpler and delegates less. It gives only an answer that the person has
    /// given, while following would also take a recommendation that they have never seen.
    pub(crate) fn best(&self, reference: NaiveDateTime) -> Option<PolicyScore> {
        let mut best = self.chosen(reference)?.clone();
        best.weighed.tally = best.weighed.tally.times(self.aged(reference));
        Some(best)
    }

    fn chosen(&self, reference: NaiveDateTime) -> Option<&PolicyScore> {
        let aged = self.aged(reference);
        let agreement = |score: &PolicyScore| {
            Agreement::UNIFORM
                .after(score.weighed.tally.times(aged))
                .mean()
        };
        let mut chosen = self.scores.first()?;
        for other in self.scores.iter().skip(1) {
            let better = other.covers.cmp(&chosen.covers);
            let better = better.then(agreement(other).total_cmp(&agreement(chosen)));
            if better.is_gt() || (better.is_eq() && chosen.policy == Policy::Follow) {
                chosen = other;
            }
        }
        Some(chosen)
    }

    /// Weights by age are powers: all of a habit's grow old by the same factor.
    fn aged(&self, reference: NaiveDateTime) -> f64 {
        age_weight(days_between(self.newest, reference), self.half_life_days)
    }

    /// What the habit adds to the population that priors are taken from.
    fn tally(&self, reference: NaiveDateTime) -> Tally {
        match self.chosen(reference) {
            Some(best)
                if !self.habit.within_family
                    && best.weighed.agreeing + best.weighed.disagreeing >= LEAST_FOR_POPULATION =>
            {
                best.weighed.tally.times(self.aged(reference))
            }
            _ => Tally::default(),
        }
    }
}

fn score(
    answers: &Answers,
    policy: &Policy,
    key: &KeyEvidence,
    reference: NaiveDateTime,
    settings: &Suggest,
) -> PolicyScore {
    let verdicts = answers.verdicts(policy);
    let abstained = window(&verdicts).filter(|verdict| **verdict == Verdict::Abstain);
    PolicyScore {
        policy: policy.clone(),
        weighed: weigh(&key.answers, &verdicts, reference, settings.half_life_days),
        covers: !too_many(abstained.count(), verdicts.len()),
        verdicts,
    }
}

/// The latest of `all`, over which coverage is taken.
pub(super) fn window<T>(all: &[T]) -> impl Iterator<Item = &T> {
    all.iter().rev().take(WINDOW)
}

/// True when `abstained` of the latest of `all` are more than a fifth.
fn too_many(abstained: usize, all: usize) -> bool {
    abstained * ABSTAINS_AT_MOST_ONE_IN > all.min(WINDOW)
}

/// What all of a person's habits say about one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Person {
    population: Population,
    /// The moment that ages are counted from: the newest answer of all, so that weeks away from the
    /// keyboard make nothing older, and never later than now.
    pub(super) reference: NaiveDateTime,
}

impl Person {
    /// What `candidates` say at the moment `now`.
    pub(crate) fn of<'a>(
        candidates: impl Iterator<Item = &'a Candidate> + Clone,
        now: NaiveDateTime,
    ) -> Self {
        let newest = candidates.clone().map(|one| one.newest).max();
        let reference = newest.map_or(now, |newest| newest.min(now));
        Self {
            population: Population::of(candidates.map(|one| one.tally(reference))),
            reference,
        }
    }

    /// The prior for `candidate`, which is one of them: what the others suggest.
    pub(super) fn prior(self, candidate: &Candidate) -> Agreement {
        self.population
            .without(candidate.tally(self.reference))
            .prior()
    }
}

/// The median answering time over `candidates`, in seconds.
pub(crate) fn median_seconds<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Option<f64> {
    median(
        candidates
            .flat_map(|one| &one.habit.evidence.answers)
            .filter_map(|answer| answer.human_seconds)
            .collect(),
    )
}
