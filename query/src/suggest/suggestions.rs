//! Suggestions as they are shown: what is proposed, what is not and why, and what it rests on.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use chrono::NaiveDate;
use plantune_domain::agreement::agreement::{Agreement, Consent};
use plantune_domain::gate;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_domain::registry::Registry;
use serde::Serialize;

use super::policy::{Verdict, count};
use super::posterior::ByLevel;
use super::reason::{PriorDecision, Reason, WrongAnswer};
use super::spread::Weighed;
use crate::evidence::{HumanAnswer, KeyEvidence};
use crate::habits::EVERYWHERE;

/// Counts over the person's answers to one question. Counts are of answers, dates are local days. Serialised, it
/// is what suggestions, preferences and events hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The person's answers to what it covers.
    pub answers: usize,
    /// Of these, those that the policy would have given.
    pub agreed: usize,
    /// Of these, those in which the person named its answer and added something.
    pub added: usize,
    /// Of these, those that were read from transcripts, and not logged by the hook.
    pub imported: usize,
    /// The distinct sessions they come from.
    pub sessions: usize,
    /// The distinct days they come from.
    pub days: usize,
    /// The day of the first answer.
    pub first: Option<NaiveDate>,
    /// The day of the last answer.
    pub last: Option<NaiveDate>,
    /// The day of the last answer that the policy would not have given.
    pub last_disagreement: Option<NaiveDate>,
    /// The label of that answer, as sent; `None` if something else was said.
    #[serde(skip)]
    pub other_answer: Option<String>,
}

/// A question, as last answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LastAsked {
    /// The project it was asked in; [`EVERYWHERE`] for all of them.
    pub project: String,
    /// Its key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `options` or `text`.
    pub key_source: String,
    /// Its name in every verb: its text with `…` for what varies.
    pub name: String,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    pub options: Vec<String>,
    /// The command, skill or plugin that asked last, if known.
    pub asker: Option<String>,
}

/// A proposal: how to treat this question from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The question.
    pub asked: LastAsked,
    /// How far it goes.
    pub level: Level,
    /// The decision about it so far.
    pub before: PriorDecision,
    /// Of a trial: the reason why it is not proposed to be automatic.
    pub lacks: Option<Reason>,
    /// The cost of a wrong answer.
    pub wrong: WrongAnswer,
    /// The projects that the answers come from.
    pub projects: Vec<String>,
    /// The score of each level over these answers alone, gone through in the order of time;
    /// where it was asked for.
    pub hindsight: Option<ByLevel>,
    /// The label to answer with, without its mark; `None` for the recommended one.
    pub answer: Option<String>,
    /// The share (0–1) of askings in which this is what the person would say, at least: the lower
    /// bound of the posterior at the configured credibility.
    pub confidence: f64,
    /// The expected share (0–1).
    pub expected: f64,
    /// The evidence.
    pub evidence: Evidence,
    /// Seconds of the person's time that are spent on it in a week.
    pub seconds_saved_per_week: f64,
    /// How often it is asked in a week.
    pub asked_per_week: f64,
    /// How the person confirms it: never [`Consent::Never`], which is not proposed.
    pub consent: Consent,
    /// What the preference is given for.
    pub agreement: Agreement,
}

impl Suggestion {
    /// The same with what a person is shown of it, and the backtest has no use for.
    pub(super) fn completed(self, key: &KeyEvidence, weighed: &Weighed) -> Self {
        Self {
            projects: projects(key),
            evidence: summary(key, weighed),
            consent: consent(key, weighed),
            ..self
        }
    }

    /// Where it holds.
    pub fn scope(&self) -> Scope {
        if self.asked.project == EVERYWHERE {
            Scope::Global
        } else {
            Scope::Project
        }
    }

    /// The project it holds in; `None` everywhere.
    pub fn project(&self) -> Option<&str> {
        (self.scope() == Scope::Project).then_some(&*self.asked.project)
    }

    /// True when it would change something in `project`.
    pub fn concerns(&self, project: &str) -> bool {
        self.projects.iter().any(|one| one == project)
    }
}

/// A question that is not proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The question.
    pub asked: LastAsked,
    /// The answer that came nearest; `None` for the recommended one.
    pub answer: Option<String>,
    /// Why not.
    pub reason: Reason,
    /// The evidence.
    pub evidence: Evidence,
}

/// The proposals, the furthest level and the greatest saving first, and the questions without one, the nearest to it first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The proposals.
    pub suggestions: Vec<Suggestion>,
    /// The questions that were looked at and are not proposed.
    pub rejected: Vec<Rejected>,
}

impl LastAsked {
    /// Its project and key.
    pub(super) fn place(&self) -> (String, String) {
        (self.project.clone(), self.question_key.clone())
    }
}

impl Suggestions {
    /// The questions of all of them.
    pub(super) fn all_asked(&mut self) -> impl Iterator<Item = &mut LastAsked> {
        let proposed = self.suggestions.iter_mut().map(|one| &mut one.asked);
        let rejected = self.rejected.iter_mut().map(|one| &mut one.asked);
        proposed.chain(rejected)
    }

    /// Those of `project`, or all of them.
    pub(super) fn of_project(mut self, project: Option<&str>) -> Self {
        let Some(project) = project else {
            return self;
        };
        self.suggestions.retain(|one| one.concerns(project));
        self.rejected.retain(|one| one.asked.project == project);
        self
    }

    /// The order in which they are shown.
    pub(super) fn sort(&mut self) {
        self.suggestions.sort_by(|one, other| {
            (other.level.cmp(&one.level))
                .then_with(|| {
                    other
                        .seconds_saved_per_week
                        .total_cmp(&one.seconds_saved_per_week)
                })
                .then_with(|| one.asked.place().cmp(&other.asked.place()))
        });
        let far = |rejected: &Rejected| {
            let lacks = rejected.reason.lacks();
            lacks.map_or(u32::MAX, |lacks| lacks.times())
        };
        self.rejected.sort_by_cached_key(|rejected| {
            (
                far(rejected),
                Reverse(rejected.evidence.answers),
                rejected.asked.place(),
            )
        });
    }
}

/// The question as last answered where the policy answers too; a one-way asking does not stand for
/// what is proposed.
pub(super) fn asked(key: &KeyEvidence, weighed: &Weighed) -> LastAsked {
    let mut judged = key.answers.iter().zip(&weighed.verdicts).rev();
    let stands = judged
        .find(|(answer, verdict)| answer.one_way.is_none() && **verdict != Verdict::Abstain)
        .map(|(answer, _)| answer)
        .or(key.answers.last());
    let asker = key.answers.iter().rev().find_map(|one| one.asker.as_ref());
    LastAsked {
        project: key.project.clone(),
        question_key: key.question_key.clone(),
        key_source: key.key_source.clone(),
        // Filled for what is shown.
        name: String::new(),
        question: stands.map_or_else(String::new, |answer| answer.question.clone()),
        header: stands.and_then(|answer| answer.header.clone()),
        options: stands.map_or_else(Vec::new, |answer| answer.options.clone()),
        asker: asker.cloned(),
    }
}

/// How strictly the answers that the policy would have given are confirmed: as the strictest of them.
fn consent(key: &KeyEvidence, weighed: &Weighed) -> Consent {
    let answers = key.answers.iter().zip(&weighed.verdicts);
    let agreed = answers.filter(|(_, verdict)| **verdict == Verdict::Agree);
    let mut proposed = agreed.map(|(answer, _)| answer.proposed());
    let is_plain = |proposed: Option<_>| {
        proposed.is_some_and(|one| gate::consent(&one, &Registry::default()).0 == Consent::Yes)
    };
    match proposed.all(is_plain) {
        true => Consent::Yes,
        false => Consent::Type,
    }
}

/// The counts over the answers to what the policy covers.
pub(super) fn summary(key: &KeyEvidence, weighed: &Weighed) -> Evidence {
    let judged = key.answers.iter().zip(&weighed.verdicts);
    let covered = judged.filter(|(_, verdict)| **verdict != Verdict::Abstain);
    let covered: Vec<(&HumanAnswer, Verdict)> = covered
        .map(|(answer, verdict)| (&**answer, *verdict))
        .collect();
    let answers = || covered.iter().map(|(answer, _)| *answer);
    let sessions: HashSet<&str> = answers().map(|answer| &*answer.session_id).collect();
    let days: HashSet<NaiveDate> = answers().map(|answer| answer.day).collect();
    let mut latest = covered.iter().rev();
    let other = latest.find(|(_, verdict)| *verdict == Verdict::Disagree);
    let other = other.map(|(answer, _)| answer);
    Evidence {
        answers: covered.len(),
        agreed: count(&weighed.verdicts, Verdict::Agree),
        added: count(&weighed.verdicts, Verdict::Add),
        imported: answers().filter(|answer| answer.is_imported).count(),
        sessions: sessions.len(),
        days: days.len(),
        first: answers().next().map(|answer| answer.day),
        last: answers().next_back().map(|answer| answer.day),
        last_disagreement: other.map(|answer| answer.day),
        other_answer: other.and_then(|answer| answer.chosen()).map(str::to_owned),
    }
}

fn projects(key: &KeyEvidence) -> Vec<String> {
    if key.project != EVERYWHERE {
        return vec![key.project.clone()];
    }
    let projects: BTreeSet<&str> = key.answers.iter().map(|answer| &*answer.project).collect();
    projects.into_iter().map(str::to_owned).collect()
}

// The preference that a proposal stands for is the same in `suggest --apply` and in the backtest.

impl Suggestion {
    /// The preference, without who set it, and when.
    pub fn preference(&self) -> Preference {
        let asked = &self.asked;
        let mut preference = Preference {
            level: Some(self.level),
            answer: self.answer.clone(),
            key_source: Some(asked.key_source.clone()),
            question: Some(asked.question.clone()),
            header: asked.header.clone(),
            options: Some(asked.options.clone()),
            agreement: Some(self.agreement.clone()),
            ..Preference::of(Policy::NeverAsk)
        };
        if !asked.name.is_empty() {
            preference.set_name(&asked.name);
        }
        preference
    }
}
