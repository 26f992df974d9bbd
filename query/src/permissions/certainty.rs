//! How sure it is that the person allows a thing, by the model that questions are judged by.

use std::collections::HashSet;

use chrono::NaiveDateTime;
use plantune_domain::preferences::Level;

use super::PromptPart;
use crate::evidence::MOST_ANSWERS;
use crate::suggest::Suggest;
use crate::suggest::judge::{by_evidence, credibility};
use crate::suggest::policy::PolicyVerdict;
use crate::suggest::posterior::Population;
use crate::suggest::spread::{Correlation, Sitting, Sittings, Weighed, Within, weigh};

/// After so many refusals no rule is proposed, however often the same was allowed before or since.
pub const OFF_AT_REFUSALS: usize = 2;

/// The decisions about one thing, weighed at the moment of the person's newest decision.
pub(super) struct DecisionHabit {
    /// Of the latest.
    pub(super) weighed: Weighed,
    /// How many of all decisions are refusals.
    refused: usize,
}

impl DecisionHabit {
    /// The habit that the decisions about `parts`, in the order of time, make at the moment `reference`.
    pub(super) fn of(
        parts: &[PromptPart<'_>],
        reference: NaiveDateTime,
        settings: &Suggest,
    ) -> Self {
        let latest = latest(parts);
        let verdict = |part: &PromptPart<'_>| match part.prompt.is_granted() {
            true => PolicyVerdict::Agree,
            false => PolicyVerdict::Disagree,
        };
        let sittings = Sittings::of(latest.iter().map(|part| Sitting {
            at: part.prompt.at,
            day: part.prompt.day,
            session: &part.prompt.session_id,
            text: part.thing.action.words(),
            header: None,
        }));
        let verdicts = latest.iter().map(verdict).collect();
        Self {
            weighed: weigh(&sittings, verdicts, reference, settings.half_life_days),
            refused: parts
                .iter()
                .filter(|part| !part.prompt.is_granted())
                .count(),
        }
    }
}

/// The latest decisions, at most [`MOST_ANSWERS`]. Allowing the same thing again on one day of one session counts once,
/// so that forty prompts of one afternoon do not push out older decisions.
fn latest<'a>(parts: &[PromptPart<'a>]) -> Vec<PromptPart<'a>> {
    let mut repeated = HashSet::new();
    let mut latest = parts.to_vec();
    latest.reverse();
    latest.retain(|part| {
        let prompt = part.prompt;
        let same = (&*prompt.session_id, part.thing.action.words(), prompt.day);
        !prompt.is_granted() || repeated.insert(same)
    });
    latest.truncate(MOST_ANSWERS);
    latest.reverse();
    latest
}

/// The prior for one habit, from all of a person's habits.
pub(super) struct DecisionPrior {
    population: Population,
    correlation: Correlation,
}

impl DecisionPrior {
    pub(super) fn of<'a>(habits: impl Iterator<Item = &'a DecisionHabit> + Clone) -> Self {
        let within = habits.clone().map(|one| one.weighed.within);
        let correlation = within.fold(Within::default(), Within::plus).correlation();
        let tallies = habits.map(|one| one.weighed.for_population(correlation));
        Self {
            population: Population::of(tallies),
            correlation,
        }
    }

    /// How far `habit` may be proposed, and the share (0–1) of times in which the person says yes, at least; `None`
    /// for not at all. `of` is the habit of the whole group: it is left out of the prior, so that its decisions are
    /// not counted twice.
    pub(super) fn assess(
        &self,
        habit: &DecisionHabit,
        of: &DecisionHabit,
        settings: &Suggest,
    ) -> Option<(Level, f64)> {
        if habit.refused >= OFF_AT_REFUSALS {
            return None;
        }
        let weighed = habit.weighed.at(self.correlation, 1.0);
        let own = of.weighed.for_population(self.correlation);
        let posterior = self.population.without(own).prior().after(weighed.tally);
        let (level, _) = by_evidence(&weighed, posterior, settings, 0);
        Some((
            level?,
            posterior.lower_bound(credibility(&weighed, settings)),
        ))
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::permissions::OwnReaches;

    use super::*;
    use crate::evidence::tests::at;
    use crate::permissions::propose::in_order;
    use crate::permissions::tests::prompt;
    use crate::permissions::{DecidedPrompt, JudgedPrompt, PromptOutcome};

    /// The level of decisions on consecutive days, each in a session of its own: `true` for yes.
    fn level(decisions: &[bool]) -> Option<Level> {
        let prompts = decisions
            .iter()
            .enumerate()
            .map(|(day, yes)| DecidedPrompt {
                outcome: match yes {
                    true => PromptOutcome::Granted,
                    false => PromptOutcome::Refused,
                },
                ..prompt("Bash", "npm test", day)
            });
        let prompts: Vec<DecidedPrompt> = prompts.collect();
        let judged = in_order(&prompts, &OwnReaches::default());
        let parts: Vec<PromptPart<'_>> = judged.iter().flat_map(JudgedPrompt::parts).collect();
        let settings = Suggest::default();
        let reference = prompts.last().map(|last| last.at).unwrap();
        let habit = DecisionHabit::of(&parts, reference, &settings);
        DecisionPrior::of([&habit].into_iter())
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
        let prompts: Vec<DecidedPrompt> = (0..60)
            .map(|minute| DecidedPrompt {
                at: at("2026-10-01 10:00") + chrono::TimeDelta::minutes(minute),
                ..prompt("Bash", "npm test", 0)
            })
            .collect();
        let judged = in_order(&prompts, &OwnReaches::default());
        let parts: Vec<PromptPart<'_>> = judged.iter().flat_map(JudgedPrompt::parts).collect();
        assert_eq!(latest(&parts).len(), 1);
    }
}
