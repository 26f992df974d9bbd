//! How much of the evidence is independent: thirty answers of one evening are no habit yet. Answers of one occasion count
//! as one decision, and decisions of one session or day count for less, by their correlation.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::Hash;
use std::mem;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::policy::PolicyVerdict;
use super::posterior::{Tally, age_weight};
use super::suggestions::Crowded;
use crate::evidence::HumanAnswer;

/// Answers of one session to the same words closer together than this are one occasion.
const OCCASION: TimeDelta = TimeDelta::minutes(10);

/// How many agreeing decisions of one day count in full; more of them are a cluster.
const OF_A_DAY: usize = 3;

/// How many independent answers make a habit part of the population that priors are taken from.
const LEAST_FOR_POPULATION: f64 = 4.0;

/// The evidence for and against one policy, weighed at the moment of the last answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Weighed {
    /// The verdict on each answer, in the order of time.
    pub(crate) verdicts: Vec<PolicyVerdict>,
    /// The weights of the agreeing answers, by how many agree in the same session.
    by_session: BySize,
    /// The same, by how many agree on the same day beyond those that count in full.
    by_day: BySize,
    /// The summed weights of the disagreeing answers.
    against: f64,
    /// How many decisions agree.
    pub(super) agreeing: usize,
    /// How many disagree.
    pub(super) disagreeing: usize,
    /// The distinct sessions of the agreeing ones.
    pub(crate) sessions: usize,
    /// Their distinct days.
    pub(crate) days: usize,
    /// How alike the answers of one session are.
    pub(crate) within: Within,
    /// Agreeing answers that came close together: on days that hold more than three of them, else in such sessions.
    pub(super) crowded: Option<Crowded>,
    /// The evidence at the moment that was asked for ([`Weighed::at`]).
    pub(crate) tally: Tally,
    /// How many independent answers there are at that moment.
    pub(super) counted: f64,
    /// The evidence that a trial may borrow from the same habit in other projects.
    pub(super) borrowed: Tally,
}

impl Weighed {
    /// The same with its tally and its count, all weights times `aged`.
    pub(crate) fn at(&self, correlation: Correlation, aged: f64) -> Self {
        Self {
            tally: self.independent(correlation).times(aged),
            counted: self.count(correlation),
            ..self.clone()
        }
    }

    /// The evidence in independent answers. Only agreement is discounted; disagreements count in full, out of caution.
    pub(super) fn independent(&self, correlation: Correlation) -> Tally {
        Tally {
            agreeing: self.effective(correlation).1,
            disagreeing: self.against,
        }
    }

    /// The effective number of agreeing answers, and their summed weight by age: the smaller of those by sessions and
    /// those by days.
    fn effective(&self, correlation: Correlation) -> (f64, f64) {
        let of_sessions = self.by_session.effective(correlation);
        let of_days = self.by_day.effective(correlation);
        (of_sessions.0.min(of_days.0), of_sessions.1.min(of_days.1))
    }

    /// Its part of the population that priors are taken from; nothing if it has few answers, as the most frequent of few
    /// agrees by construction.
    pub(crate) fn for_population(&self, correlation: Correlation) -> Tally {
        match self.count(correlation) >= LEAST_FOR_POPULATION {
            true => self.independent(correlation),
            false => Tally::default(),
        }
    }

    /// How many independent answers there are, whatever their age.
    fn count(&self, correlation: Correlation) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
        let against = self.disagreeing as f64;
        self.effective(correlation).0 + against
    }
}

/// One decision: when and in which session it was made, and the words that the person read first.
#[derive(Clone, Copy)]
pub(crate) struct Sitting<'a> {
    pub(crate) at: NaiveDateTime,
    /// The day of that time in the person's time zone.
    pub(crate) day: NaiveDate,
    pub(crate) session: &'a str,
    pub(crate) text: &'a str,
    pub(crate) header: Option<&'a str>,
}

impl<'a> From<&'a HumanAnswer> for Sitting<'a> {
    fn from(answer: &'a HumanAnswer) -> Self {
        Self {
            at: answer.at,
            day: answer.day,
            session: &answer.session_id,
            text: &answer.question,
            header: answer.header.as_deref(),
        }
    }
}

/// Decisions in the order of time, with what they have in common.
pub(crate) struct Sittings(Vec<NumberedSitting>);

/// A decision. Where two have something in common they have the same number for it, which is below the number of
/// decisions.
#[derive(Clone, Copy)]
struct NumberedSitting {
    at: NaiveDateTime,
    session: usize,
    day: usize,
    /// Session and words: what makes two decisions the same.
    text: usize,
    /// The same on one day.
    repetition: usize,
}

/// What was decided on one occasion: its last sitting, and the verdict on all of them.
struct Occasion {
    last: NumberedSitting,
    verdict: PolicyVerdict,
}

/// Distinct values, each with a number: 0, 1, and so on as they come.
#[derive(Default)]
pub(super) struct Distinct<T>(HashMap<T, usize>);

impl<T: Eq + Hash> Distinct<T> {
    pub(super) fn number(&mut self, one: T) -> usize {
        let next = self.0.len();
        *self.0.entry(one).or_insert(next)
    }
}

impl Sittings {
    /// Numbers `decisions`, which are in the order of time.
    pub(crate) fn of<'a>(decisions: impl Iterator<Item = Sitting<'a>>) -> Self {
        let mut sessions = Distinct::default();
        let mut days = Distinct::default();
        let mut texts = Distinct::default();
        let mut repetitions = Distinct::default();
        let numbered = decisions.map(|one| {
            let session = sessions.number(one.session);
            let day = days.number(one.day);
            let text = texts.number((session, one.text, one.header));
            NumberedSitting {
                at: one.at,
                session,
                day,
                text,
                repetition: repetitions.number((text, day)),
            }
        });
        Self(numbered.collect())
    }

    /// The decisions on distinct occasions. The same words again in one session within ten minutes, such as after an error
    /// or a time-out, belong to the occasion before; one disagreement makes the whole occasion one.
    fn occasions(&self, verdicts: &[PolicyVerdict]) -> Vec<Occasion> {
        let mut occasions: Vec<Occasion> = Vec::with_capacity(self.0.len());
        let mut latest: Vec<Option<usize>> = vec![None; self.0.len()];
        for (sitting, verdict) in self.0.iter().zip(verdicts) {
            let Some(before) = latest.get_mut(sitting.text) else {
                continue;
            };
            let occasion = before.and_then(|index| occasions.get_mut(index));
            match occasion.filter(|occasion| sitting.at - occasion.last.at < OCCASION) {
                Some(occasion) => {
                    occasion.last = *sitting;
                    occasion.verdict = occasion.verdict.with(*verdict);
                }
                None => {
                    *before = Some(occasions.len());
                    occasions.push(Occasion {
                        last: *sitting,
                        verdict: *verdict,
                    });
                }
            }
        }
        occasions
    }
}

/// Weighs the decisions `sittings` by a policy's `verdicts` on them.
///
/// In one session, askings about different things are different decisions, and the same words again on one
/// day are a repetition, which counts when it disagrees and not when it agrees. Each decision weighs
/// [`age_weight`] at the moment `reference`.
pub(crate) fn weigh(
    sittings: &Sittings,
    verdicts: Vec<PolicyVerdict>,
    reference: NaiveDateTime,
    half_life_days: f64,
) -> Weighed {
    let mut weighed = Weighed {
        by_day: BySize::beyond(OF_A_DAY - 1),
        ..Weighed::default()
    };
    let most = sittings.0.len();
    let mut is_repeated = vec![false; most];
    let mut agreeing: Vec<(NumberedSitting, f64)> = Vec::with_capacity(most);
    let mut sessions = vec![Cluster::default(); most];
    let mut days = vec![0_usize; most];
    for occasion in sittings.occasions(&verdicts) {
        let last = occasion.last;
        let Some(session) = sessions.get_mut(last.session) else {
            continue;
        };
        let weight = age_weight(days_between(last.at, reference), half_life_days);
        match occasion.verdict {
            PolicyVerdict::Abstain | PolicyVerdict::Add => {}
            PolicyVerdict::Disagree => {
                weighed.disagreeing += 1;
                weighed.against += weight;
                session.disagreeing += 1;
            }
            PolicyVerdict::Agree => {
                let is_new = is_repeated.get_mut(last.repetition);
                let is_new = is_new.is_some_and(|before| !mem::replace(before, true));
                if let Some(day) = days.get_mut(last.day).filter(|_| is_new) {
                    session.agreeing += 1;
                    *day += 1;
                    agreeing.push((last, weight));
                }
            }
        }
    }
    for (last, weight) in &agreeing {
        let of_session = sessions.get(last.session);
        let of_session = of_session.map_or(1, |session| session.agreeing);
        weighed.by_session.add(of_session, *weight);
        let of_day = days.get(last.day).copied().unwrap_or(1);
        weighed.by_day.add(of_day, *weight);
    }
    let of_days = crowded(days.iter().copied(), true);
    weighed.crowded =
        of_days.or_else(|| crowded(sessions.iter().map(|session| session.agreeing), false));
    weighed.agreeing = agreeing.len();
    weighed.sessions = sessions.iter().filter(|one| one.agreeing > 0).count();
    weighed.days = days.iter().filter(|times| **times > 0).count();
    weighed.within = Within::of(sessions.iter());
    weighed.verdicts = verdicts;
    weighed
}

/// The days or sessions that hold more than three agreeing answers, given how many each holds; `None` if there are
/// none.
fn crowded(agreeing: impl Iterator<Item = usize>, are_days: bool) -> Option<Crowded> {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let crowds: Vec<usize> = agreeing.filter(|count| *count > OF_A_DAY).collect();
    (!crowds.is_empty()).then(|| Crowded {
        answers: number(crowds.iter().sum()),
        places: number(crowds.len()),
        are_days,
    })
}

/// The days from one moment to another, negative when they are the other way round.
pub(super) fn days_between(from: NaiveDateTime, to: NaiveDateTime) -> f64 {
    (to - from).as_seconds_f64() / 86_400.0
}

// The intra-cluster correlation, over all habits of a person, that the effective sample size is computed with.

/// The correlation that is assumed of a person of whom nothing is known.
const PRIOR: f64 = 0.3;

/// How much evidence the prior counts as, in expected disagreements between two answers of one session.
const PRIOR_WEIGHT: f64 = 4.0;

/// Nobody's answers of one session are believed to be less, or more, alike than this.
const BOUNDS: (f64, f64) = (0.15, 0.9);

/// Answers of one session, or of one day: how many agree with the habit's policy, and how many do not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cluster {
    agreeing: usize,
    disagreeing: usize,
}

/// How much the answers of one session differ, and how much they would if they were independent; sums over habits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Within {
    expected: f64,
    found: f64,
}

impl Within {
    /// Of one habit, by its sessions. With x of the m answers of a session agreeing, N answers in k
    /// sessions and the share p of all that agree: found is Σ x (m − x) / m, expected (N − k) p (1 − p)
    /// (Fleiss and Cuzick, "The reliability of dichotomous judgments: unequal numbers of judgments per
    /// subject", Applied Psychological Measurement 3 (1979) 537–542).
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn of<'a>(sessions: impl Iterator<Item = &'a Cluster>) -> Self {
        let (mut answers, mut clusters, mut agreeing, mut found) = (0.0, 0.0, 0.0, 0.0);
        for session in sessions {
            let x = session.agreeing as f64;
            let m = x + session.disagreeing as f64;
            if m > 0.0 {
                answers += m;
                clusters += 1.0;
                agreeing += x;
                found += x * (m - x) / m;
            }
        }
        if answers == 0.0 {
            return Self::default();
        }
        let share = agreeing / answers;
        Self {
            expected: (answers - clusters) * share * (1.0 - share),
            found,
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            expected: self.expected + other.expected,
            found: self.found + other.found,
        }
    }

    /// The correlation ρ = 1 − found / expected. Little evidence leaves it near the prior's, and it is bounded.
    pub(crate) fn correlation(self) -> Correlation {
        let expected = self.expected + PRIOR_WEIGHT;
        let found = self.found + PRIOR_WEIGHT * (1.0 - PRIOR);
        Correlation((1.0 - found / expected).clamp(BOUNDS.0, BOUNDS.1))
    }
}

/// An intra-cluster correlation ρ (0–1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Correlation(f64);

impl Correlation {
    /// How much one of `m` agreeing answers of a cluster counts: the inverse of Kish's design effect,
    /// 1 / (1 + (m − 1) ρ) (Kish, Survey Sampling, 1965, section 5.4). However many there are, a cluster
    /// counts for 1 / ρ answers at most.
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn of_one(self, m: usize) -> f64 {
        1.0 / (1.0 + (m.max(1) - 1) as f64 * self.0)
    }
}

/// The summed weights of what agrees, by how many agree in the same cluster.
#[derive(Clone, Debug, Default, PartialEq)]
struct BySize {
    /// How many decisions of each cluster count in full.
    free: usize,
    sums: Vec<Sum>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sum {
    size: usize,
    decisions: usize,
    weight: f64,
}

impl BySize {
    /// Clusters that only begin with more decisions than `free`.
    fn beyond(free: usize) -> Self {
        Self {
            free,
            ..Self::default()
        }
    }

    /// Adds one decision of a cluster of `members`, with its weight by age.
    fn add(&mut self, members: usize, weight: f64) {
        let size = members.saturating_sub(self.free).max(1);
        match self.sums.iter_mut().find(|sum| sum.size == size) {
            Some(sum) => {
                sum.decisions += 1;
                sum.weight += weight;
            }
            None => self.sums.push(Sum {
                size,
                decisions: 1,
                weight,
            }),
        }
    }

    /// The effective number of agreeing answers, and their summed weight by age. The largest cluster counts
    /// for one answer, or a quarter of what all others do: what rests on one evening is no habit.
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn effective(&self, correlation: Correlation) -> (f64, f64) {
        let of = |(count, weight): (f64, f64), sum: &Sum| {
            let one = correlation.of_one(sum.size);
            (
                count + one * sum.decisions as f64,
                weight + one * sum.weight,
            )
        };
        let (count, weight) = self.sums.iter().fold((0.0, 0.0), of);
        let largest = self.sums.iter().max_by_key(|sum| sum.size);
        let Some(largest) = largest.filter(|sum| sum.size > 1) else {
            return (count, weight);
        };
        let clusters = (largest.decisions / (largest.size + self.free)).max(1) as f64;
        let own = correlation.of_one(largest.size) * largest.decisions as f64 / clusters;
        let most = (OF_THE_OTHERS * (count - own)).max(1.0);
        if own <= most {
            return (count, weight);
        }
        let own_weight = correlation.of_one(largest.size) * largest.weight / clusters;
        (count - own + most, weight - own_weight * (1.0 - most / own))
    }
}

/// How much the largest cluster may count beside all others together.
const OF_THE_OTHERS: f64 = 0.25;
