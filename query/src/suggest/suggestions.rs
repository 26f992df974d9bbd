//! Suggestions as they are shown: what is proposed, what is not and why, and what it rests on.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use chrono::NaiveDate;
use plantune_domain::agreement::agreement::{Agreement, Consent};
use plantune_domain::gate;
use plantune_domain::preferences;
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::registry::Registry;
use serde::Serialize;

use super::Rules;
use super::candidate::PolicyScore;
use super::judge::{JudgedHabit, Judgement, credibility};
use super::level::{InForce, Level, Reason, WrongAnswer};
use super::policy::{Verdict, count};
use super::spread;
use crate::evidence::{HumanAnswer, KeyEvidence};
use crate::habits::EVERYWHERE;
use crate::suggest::level::ByLevel;

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
pub struct Asked {
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
    pub asked: Asked,
    /// How far it goes.
    pub level: Level,
    /// The decision about it so far.
    pub before: InForce,
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
    /// The proposal that follows from `judgement` of the answers in `key` by the policy of `best`, about which the person
    /// has decided `before`; the bound of the posterior is that of `credibility`.
    pub(super) fn of(
        key: &KeyEvidence,
        best: &PolicyScore,
        judgement: Judgement,
        before: InForce,
        credibility: f64,
    ) -> Self {
        let Judgement {
            level,
            lacks,
            posterior,
            saved,
            wrong,
            a_week,
            agreement,
        } = judgement;
        Self {
            asked: asked(key, best),
            level,
            before,
            lacks,
            wrong,
            projects: projects(key),
            hindsight: None,
            answer: best.policy.answer().map(str::to_owned),
            confidence: posterior.lower_bound(credibility),
            expected: posterior.mean(),
            evidence: summary(key, best),
            seconds_saved_per_week: saved,
            asked_per_week: a_week,
            consent: consent(key, best),
            agreement,
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
    pub asked: Asked,
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

impl Asked {
    /// Its project and key.
    pub(super) fn place(&self) -> (String, String) {
        (self.project.clone(), self.question_key.clone())
    }
}

impl Suggestions {
    /// The questions of all of them.
    pub(super) fn all_asked(&mut self) -> impl Iterator<Item = &mut Asked> {
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

impl Suggestions {
    /// Adds what is thought of a habit: a proposal, or why there is none, where that is shown.
    pub(super) fn add(&mut self, judged: JudgedHabit<'_>, rules: &Rules<'_>) {
        let is_listed = !judged.candidate.is_everywhere();
        let is_shown = judged.verdict.is_ok() || is_listed && rules.shows_reasons;
        let (key, best) = (&judged.candidate.evidence, &judged.best);
        match judged.verdict {
            Ok(verdict) => {
                let credibility = credibility(best, rules.settings);
                let suggestion = Suggestion::of(key, best, verdict, judged.in_force, credibility);
                self.suggestions.push(suggestion);
            }
            Err(reason) if is_shown => self.rejected.push(Rejected {
                asked: asked(key, best),
                answer: best.policy.answer().map(str::to_owned),
                reason,
                evidence: summary(key, best),
            }),
            Err(_) => {}
        }
    }
}

/// The question as last answered where the policy answers too; a one-way asking does not stand for
/// what is proposed.
pub(crate) fn asked(key: &KeyEvidence, best: &PolicyScore) -> Asked {
    let mut judged = key.answers.iter().zip(&best.verdicts).rev();
    let stands = judged
        .find(|(answer, verdict)| answer.one_way.is_none() && **verdict != Verdict::Abstain)
        .map(|(answer, _)| answer)
        .or(key.answers.last());
    Asked {
        project: key.project.clone(),
        question_key: key.question_key.clone(),
        key_source: key.key_source.clone(),
        // Filled for what is shown.
        name: String::new(),
        question: stands.map_or_else(String::new, |answer| answer.question.clone()),
        header: stands.and_then(|answer| answer.header.clone()),
        options: stands.map_or_else(Vec::new, |answer| answer.options.clone()),
        asker: asker(key).map(str::to_owned),
    }
}

/// How strictly the answers that `best` would have given are confirmed: as the strictest of them.
fn consent(key: &KeyEvidence, best: &PolicyScore) -> Consent {
    let answers = key.answers.iter().zip(&best.verdicts);
    let agreed = answers.filter(|(_, verdict)| **verdict == Verdict::Agree);
    let is_plain = |answer: &HumanAnswer| {
        let proposed = answer.proposed();
        proposed.is_some_and(|proposed| {
            gate::consent(&proposed, &Registry::default()).0 == Consent::Yes
        })
    };
    match agreed.map(|(answer, _)| answer).all(is_plain) {
        true => Consent::Yes,
        false => Consent::Type,
    }
}

/// The counts over the answers to what `best` covers.
fn summary(key: &KeyEvidence, best: &PolicyScore) -> Evidence {
    let judged = key.answers.iter().zip(&best.verdicts);
    let covered: Vec<(&HumanAnswer, Verdict)> = judged
        .map(|(answer, verdict)| (answer, *verdict))
        .filter(|(_, verdict)| *verdict != Verdict::Abstain)
        .collect();
    let answers = || covered.iter().map(|(answer, _)| *answer);
    let (sessions, days) = spread::distinct(answers());
    let other = covered
        .iter()
        .rfind(|(_, verdict)| *verdict == Verdict::Disagree)
        .map(|(answer, _)| answer);
    Evidence {
        answers: covered.len(),
        agreed: count(&best.verdicts, Verdict::Agree),
        added: count(&best.verdicts, Verdict::Add),
        imported: answers().filter(|answer| answer.is_imported).count(),
        sessions,
        days,
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

/// Who asked `key` last, as far as that is known.
pub(super) fn asker(key: &KeyEvidence) -> Option<&str> {
    let mut answers = key.answers.iter().rev();
    answers.find_map(|one| one.asker.as_deref())
}

// The preference that a proposal stands for is the same in `suggest --apply` and in the backtest.

impl Suggestion {
    /// The preference, without who set it, and when.
    pub fn preference(&self) -> Preference {
        let level = match self.level {
            Level::Trial => preferences::Level::Trial,
            Level::Standing => preferences::Level::Standing,
        };
        Preference {
            level: Some(level),
            ..preference(&self.asked, self.answer.as_deref(), &self.agreement)
        }
    }
}

/// The preference to answer `asked` with `answer`, or what is recommended, given for the askings of `agreement`.
pub(crate) fn preference(asked: &Asked, answer: Option<&str>, agreement: &Agreement) -> Preference {
    let mut preference = Preference {
        answer: answer.map(str::to_owned),
        key_source: Some(asked.key_source.clone()),
        question: Some(asked.question.clone()),
        header: asked.header.clone(),
        options: Some(asked.options.clone()),
        agreement: Some(agreement.clone()),
        ..Preference::of(preferences::Policy::NeverAsk)
    };
    if !asked.name.is_empty() {
        preference.set_name(&asked.name);
    }
    preference
}
