//! Proposals by asker: where the recommendation of one command, skill or plugin is followed almost always, over
//! many questions.
//!
//! A preference covers what its owner has seen, so nothing is set for the asker as such: each of its
//! questions that was seen gets a preference of its own, on trial or to assist, bound to what was seen.
//! A question that it asks for the first time is asked.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Rules;
use super::candidate::{Candidate, PolicyScore, ln_bayes_factor};
use super::judge::{Judgement, judge_for_asker};
use super::level::{InForce, Level};
use super::policy::{Verdict, count};
use super::posterior::{Posterior, Tally};
use super::suggestions::{AskerSuggestion, Suggestion, asked, asker};
use crate::evidence::{KeyEvidence, bare};

/// How many questions an asker must have asked, and how many answers of the person they must have.
const LEAST: (usize, usize) = (5, 20);

/// One answer in this many, or fewer, may differ from the recommendation.
const DIFFERS_AT_MOST_ONE_IN: usize = 20;

/// From how many answers on that follow the recommendation a question of such an asker goes on trial.
const ON_TRIAL_FROM: usize = 3;

/// The credibility of the bound that is shown.
const CREDIBILITY: f64 = 0.95;

/// A question of an asker, with how the person stands to its recommendations.
struct Question<'a> {
    key: &'a KeyEvidence,
    follow: PolicyScore,
    agreeing: usize,
    disagreeing: usize,
}

impl Question<'_> {
    fn answers(&self) -> usize {
        self.agreeing + self.disagreeing
    }

    #[allow(clippy::cast_precision_loss, reason = "forty answers at most")]
    fn tally(&self) -> Tally {
        Tally {
            agreeing: self.agreeing as f64,
            disagreeing: self.disagreeing as f64,
        }
    }

    /// How far it may go with the others of its asker; `None` if it is answered otherwise too often, or was
    /// last.
    fn level(&self) -> Option<Level> {
        let mut latest = self.follow.verdicts.iter().rev();
        let latest = latest.find(|verdict| **verdict != Verdict::Abstain);
        let has_differed = latest != Some(&Verdict::Agree) || self.disagreeing * 3 > self.answers();
        let level = match self.agreeing >= ON_TRIAL_FROM {
            true => Level::Trial,
            false => Level::Assist,
        };
        (!has_differed).then_some(level)
    }
}

/// The proposals by asker among `candidates`; `covered` says how far a question is proposed by itself.
pub(super) fn by_asker(
    candidates: &[Candidate],
    rules: &Rules<'_>,
    in_force: &dyn Fn(&str, &str) -> InForce,
    covered: &dyn Fn(&KeyEvidence) -> Option<Level>,
) -> Vec<AskerSuggestion> {
    let mut askers: BTreeMap<&str, (&str, Vec<Question<'_>>)> = BTreeMap::new();
    for candidate in candidates {
        let key = &candidate.evidence;
        if let Some(asker) = asker(key)
            && let Some(follow) = candidate.follow(rules.person)
        {
            let count = |wanted| count(&follow.verdicts, wanted);
            let question = Question {
                key,
                agreeing: count(Verdict::Agree),
                disagreeing: count(Verdict::Disagree) + count(Verdict::Add),
                follow,
            };
            if question.answers() > 0 {
                let (name, questions) = askers.entry(bare(asker)).or_insert((asker, Vec::new()));
                // A command that is typed goes by its slash.
                *name = asker.min(name);
                questions.push(question);
            }
        }
    }
    let found = askers.into_values();
    found
        .filter_map(|(asker, questions)| proposal(asker, &questions, rules, in_force, covered))
        .collect()
}

fn proposal(
    asker: &str,
    questions: &[Question<'_>],
    rules: &Rules<'_>,
    in_force: &dyn Fn(&str, &str) -> InForce,
    covered: &dyn Fn(&KeyEvidence) -> Option<Level>,
) -> Option<AskerSuggestion> {
    let in_force = |key: &KeyEvidence| in_force(&key.project, &key.question_key);
    let level = |one: &Question<'_>| {
        let level = one.level()?;
        let is_news = in_force(one.key).leaves(level);
        (is_news && covered(one.key) <= Some(Level::Assist)).then_some(level)
    };
    // The doors take longest to ask, so what they cannot change comes first.
    let answers: usize = questions.iter().map(Question::answers).sum();
    let news = questions.iter().filter_map(level).count();
    if questions.len() < LEAST.0 || answers < LEAST.1 || news < 2 {
        return None;
    }
    let judged = questions.par_iter().with_min_len(16);
    let judged = judged.map(|one| (one, judge_for_asker(one.key, &one.follow, rules)));
    let mut exempt = Vec::new();
    let mut left: Vec<(&Question<'_>, Judgement)> = Vec::new();
    for (one, judgement) in judged.collect::<Vec<_>>() {
        match judgement {
            Ok(judgement) => left.push((one, judgement)),
            // What is one-way is no part of it, followed or not.
            Err(_) => exempt.push(asked(one.key, &one.follow)),
        }
    }
    let answers: usize = left.iter().map(|(one, _)| one.answers()).sum();
    let followed: usize = left.iter().map(|(one, _)| one.agreeing).sum();
    let tallies = || left.iter().map(|(one, _)| one.tally());
    let differs = (answers - followed) * DIFFERS_AT_MOST_ONE_IN > answers;
    let is_enough = left.len() >= LEAST.0 && answers >= LEAST.1;
    // Its questions must not differ, by the test that projects are held against.
    if differs || !is_enough || ln_bayes_factor(tallies()) < 0.0 {
        return None;
    }
    let posterior = Posterior::UNIFORM.after(tallies().fold(Tally::default(), Tally::plus));
    let mut found = AskerSuggestion {
        asker: asker.to_owned(),
        answers,
        followed,
        asked: left.len(),
        questions: Vec::new(),
        exempt,
    };
    for (one, judgement) in left {
        let Some(level) = level(one) else {
            found.exempt.push(asked(one.key, &one.follow));
            continue;
        };
        let judgement = Judgement {
            level,
            posterior,
            ..judgement
        };
        let before = in_force(one.key);
        let suggestion = Suggestion::of(one.key, &one.follow, judgement, before, CREDIBILITY);
        found.questions.push(suggestion);
    }
    (found.questions.len() > 1).then_some(found)
}
