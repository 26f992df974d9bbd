//! The posterior and the levels of questions, for decisions that only say yes or no: permission prompts.

use std::collections::HashSet;

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime};

use super::candidate::PolicyScore;
use super::judge::{by_evidence, credibility};
use super::level::Level;
use super::policy::{AnswerPolicy, Verdict};
use super::posterior::{Population, Tally};
use super::spread::{Correlation, Sittings, Within, weigh};
use crate::evidence::{GivenAnswer, HumanAnswer, MOST_ANSWERS};

/// With two refusals nothing is proposed, however many others there are and however often it was allowed since.
pub const OFF_AT_REFUSALS: usize = 2;

/// One yes or no of a person's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YesOrNo<'a> {
    pub(crate) at: NaiveDateTime,
    /// The day of that moment in the person's time zone.
    pub(crate) day: NaiveDate,
    pub(crate) session: &'a str,
    /// The words of what they decided about: the same again in one session and day is a repetition.
    pub(crate) words: &'a str,
    pub(crate) yes: bool,
}

/// The decisions about one thing, weighed at the moment of the person's newest decision.
#[derive(Clone, Debug)]
pub(crate) struct DecisionHabit {
    score: PolicyScore,
    /// How many of all decisions are refusals; the score is of the latest.
    refused: usize,
}

/// The habit that `decisions`, in the order of time, make at the moment `reference`.
pub(crate) fn habit(
    decisions: &[YesOrNo<'_>],
    reference: NaiveDateTime,
    settings: &Suggest,
) -> DecisionHabit {
    let latest = latest(decisions);
    let answers: Vec<HumanAnswer> = latest.iter().map(|one| answer(one)).collect();
    let verdict = |one: &&YesOrNo<'_>| match one.yes {
        true => Verdict::Agree,
        false => Verdict::Disagree,
    };
    let verdicts: Vec<Verdict> = latest.iter().map(verdict).collect();
    let weighed = weigh(
        &Sittings::of(&answers),
        &verdicts,
        reference,
        settings.half_life_days,
    );
    DecisionHabit {
        refused: decisions.iter().filter(|one| !one.yes).count(),
        score: PolicyScore {
            policy: AnswerPolicy::Pin("yes".to_owned()),
            verdicts,
            weighed,
            tally: Tally::default(),
            counted: 0.0,
            borrowed: Tally::default(),
            covers: true,
            agreement: None,
        },
    }
}

/// The latest decisions, as many as of a question. Repeated agreement does not push out what came before: a
/// command can be asked about forty times in an afternoon.
fn latest<'a, 'd>(decisions: &'d [YesOrNo<'a>]) -> Vec<&'d YesOrNo<'a>> {
    let mut repeated = HashSet::new();
    let mut latest: Vec<&YesOrNo<'a>> = decisions
        .iter()
        .rev()
        .filter(|one| !one.yes || repeated.insert((one.session, one.words, one.day)))
        .take(MOST_ANSWERS)
        .collect();
    latest.reverse();
    latest
}

fn answer(decision: &YesOrNo<'_>) -> HumanAnswer {
    HumanAnswer::from(GivenAnswer {
        at: decision.at,
        day: decision.day,
        session_id: decision.session.to_owned(),
        question: decision.words.to_owned(),
        ..GivenAnswer::default()
    })
}

/// A prior for one habit, from all of a person's habits.
#[derive(Clone, Debug)]
pub(crate) struct DecisionHabits {
    population: Population,
    correlation: Correlation,
}

impl DecisionHabits {
    /// The population of `habits`.
    pub(crate) fn of<'a>(habits: impl Iterator<Item = &'a DecisionHabit> + Clone) -> Self {
        let within = habits.clone().map(|one| one.score.weighed.within);
        let correlation = within.fold(Within::default(), Within::plus).correlation();
        let tallies = habits.map(|one| one.score.weighed.for_population(correlation));
        Self {
            population: Population::of(tallies),
            correlation,
        }
    }

    /// How far `habit` may be proposed, and the share (0–1) of times in which the person says yes, at least; `None`
    /// for not at all. `of` is the one among the habits that it is a part of, whose decisions
    /// must not speak for themselves in the prior.
    pub(crate) fn assess(
        &self,
        habit: &DecisionHabit,
        of: &DecisionHabit,
        settings: &Suggest,
    ) -> Option<(Level, f64)> {
        if habit.refused >= OFF_AT_REFUSALS {
            return None;
        }
        let mut best = habit.score.clone();
        best.tally = best.weighed.tally(self.correlation);
        best.counted = best.weighed.counted(self.correlation);
        let own = of.score.weighed.for_population(self.correlation);
        let posterior = self.population.without(own).prior().after(best.tally);
        let (level, _) = by_evidence(&best, posterior, settings, 0);
        Some((level?, posterior.lower_bound(credibility(&best, settings))))
    }
}

impl DecisionHabit {
    /// The distinct sessions and days of what was agreed to.
    pub(crate) fn spread(&self) -> (usize, usize) {
        (self.score.weighed.sessions, self.score.weighed.days)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::tests::at;

    /// Decisions on consecutive days, each in a session of its own: `true` for yes.
    fn level(decisions: &[bool]) -> Option<Level> {
        let times: Vec<(NaiveDateTime, String)> = (0..decisions.len())
            .map(|day| {
                let at = at("2026-10-01 10:00") + chrono::TimeDelta::days(day as i64);
                (at, format!("session {day}"))
            })
            .collect();
        let decisions: Vec<YesOrNo<'_>> = times
            .iter()
            .zip(decisions)
            .map(|((at, session), yes)| YesOrNo {
                at: *at,
                day: at.date(),
                session,
                words: "npm test",
                yes: *yes,
            })
            .collect();
        let settings = Suggest::default();
        let reference = decisions.last().map(|last| last.at).unwrap();
        let habit = habit(&decisions, reference, &settings);
        DecisionHabits::of([&habit].into_iter())
            .assess(&habit, &habit, &settings)
            .map(|(level, _)| level)
    }

    #[test]
    fn levels_are_those_of_questions() {
        assert_eq!(level(&[true; 5]), None);
        assert_eq!(level(&[true; 6]), Some(Level::Trial));
        assert_eq!(level(&[true; 12]), Some(Level::Standing));
    }

    #[test]
    fn refusal_counts_in_full_and_two_are_the_end() {
        let mut decisions = vec![true; 35];
        decisions[3] = false;
        assert_eq!(level(&decisions), Some(Level::Standing));
        assert_eq!(level(&decisions[..5]), None);
        decisions[4] = false;
        assert_eq!(level(&decisions), None);
        decisions.resize(3 * MOST_ANSWERS, true);
        assert_eq!(level(&decisions), None, "they are older than the latest");
    }

    #[test]
    fn an_afternoon_is_one_decision() {
        let day = at("2026-10-01 10:00");
        let decisions: Vec<YesOrNo<'_>> = (0..60)
            .map(|minute| YesOrNo {
                at: day + chrono::TimeDelta::minutes(minute),
                day: day.date(),
                session: "s",
                words: "npm test",
                yes: true,
            })
            .collect();
        assert_eq!(latest(&decisions).len(), 1);
    }
}
