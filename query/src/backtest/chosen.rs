//! The backtest of some proposals alone: what those that the person has chosen would have answered.

use chrono::NaiveDate;
use plantune_domain::config::Suggest;
use plantune_domain::family;
use plantune_domain::gate;
use plantune_domain::preferences::Scope;
use plantune_domain::registry::Registry;

pub use super::accepted::Chosen;
use super::asking::{Asking, askings, group_key_of};
use super::replay::Replay;
use super::score::Score;
use crate::families::{EVERYWHERE, group_key};
use crate::suggest::level::Level;
use crate::suggest::policy::Verdict;
use crate::suggest::suggestions::Suggestion;
use crate::{Error, Store};

/// What chosen proposals would have done, had the person accepted each as soon as it could be made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChosenScore {
    /// What would have been answered for the person, of all questions that they answered.
    pub answered: Score,
    /// Of those with a usual answer that would have been shown: whether it was given.
    pub shown: Score,
}

/// One of the latest askings of a proposal's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastAnswer {
    /// The day, in the person's time zone.
    pub day: NaiveDate,
    /// The text.
    pub question: String,
    /// What the person chose, as sent; nothing where they typed or did not answer.
    pub labels: Vec<String>,
    /// What they typed, where nothing was chosen and it is short.
    pub typed: Option<String>,
    /// True when they typed or noted something.
    pub said_more: bool,
    /// True when they answered.
    pub is_answered: bool,
    /// The label that the preference would answer it with now; `None` where it would be asked.
    pub answer: Option<String>,
    /// True when that is what they said.
    pub agrees: bool,
}

/// Every question that the person was asked, in the order of time; kept, so that nothing has to be read again.
#[derive(Clone, Debug, Default)]
pub struct Askings(Vec<Asking>);

impl From<Vec<Asking>> for Askings {
    /// `askings` are in the order of time.
    fn from(askings: Vec<Asking>) -> Self {
        Self(askings)
    }
}

impl Askings {
    /// Reads all of them.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn read(store: &Store, registry: &Registry) -> Result<Self, Error> {
        let mut found = Vec::new();
        askings(store, None, |mut asking| {
            asking.take_rule(registry);
            found.push(asking);
        })?;
        Ok(Self(found))
    }

    /// Replays them with nothing accepted but `chosen`. A proposal counts from the moment on at which the answers
    /// before it would have made it, at the level that it was chosen at; what it answers is judged by what the
    /// person said later, never by the answers that it rests on. `None` as soon as `goes_on` is false.
    pub fn score(
        &self,
        settings: &Suggest,
        registry: &Registry,
        chosen: &Chosen,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<ChosenScore> {
        let mut replay = Replay::of_chosen(settings, registry, chosen);
        for asking in &self.0 {
            if !goes_on() {
                return None;
            }
            replay.take(asking.clone());
        }
        let found = replay.finish();
        Some(ChosenScore {
            answered: found.together,
            shown: found.by_level.assist,
        })
    }

    /// The latest `most` askings of the question of `proposal`, the last one first, and how the preference would
    /// answer each today.
    pub fn last_answers(
        &self,
        proposal: &Suggestion,
        settings: &Suggest,
        registry: &Registry,
        most: usize,
    ) -> Vec<LastAnswer> {
        let replay = Replay::new(settings, registry, None);
        // Whatever its level: what it would say.
        let preference = Suggestion {
            level: Level::Standing,
            ..proposal.clone()
        }
        .preference();
        let key = &proposal.asked.question_key;
        let of_it = self.0.iter().rev().filter(|asking| is_of(asking, proposal));
        let last = of_it.take(most).map(|asking| {
            let answer = &asking.answer;
            let question = replay.question(key, asking);
            let standing = [(Scope::Project, preference.clone())];
            let choice = gate::answer(&question, &standing, registry).ok();
            let verdict = replay.answered_by(key, preference.clone(), asking);
            LastAnswer {
                day: answer.day,
                question: answer.question.clone(),
                labels: answer.labels.clone(),
                typed: answer.typed.clone(),
                said_more: answer.said_more,
                is_answered: asking.answered_at.is_some(),
                answer: choice.map(|choice| choice.label().to_owned()),
                agrees: verdict == Some(Verdict::Agree),
            }
        });
        last.collect()
    }
}

/// True for an asking of the question that `proposal` is about.
fn is_of(asking: &Asking, proposal: &Suggestion) -> bool {
    let asked = &proposal.asked;
    if asked.project != EVERYWHERE && asked.project != asking.project {
        return false;
    }
    match &asked.template {
        Some(template) => {
            let group = group_key("", &asked.question_key, &asked.key_source, &asked.options);
            group.1 == group_key_of(asking).1 && family::fits(template, &asking.answer.question)
        }
        None => asked.question_key == asking.answer.question_key,
    }
}
