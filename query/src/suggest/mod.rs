//! Suggestions: which questions the person answers so alike that they need not be asked.
//!
//! [`suggestions`] reads the evidence from the store; [`evaluate`] is the pure part, from evidence
//! to proposals. Nothing here is applied by itself.

pub(crate) mod benefit;
pub(crate) mod candidate;
pub(crate) mod judge;
pub(crate) mod policy;
mod posterior;
pub(crate) mod proposal;
mod reason;
pub(crate) mod refusals;
mod spread;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;

use self::candidate::{Candidate, Person, PolicyScore, median_seconds};
use self::judge::{Rules, Verdicts, credibility, judge};
use self::policy::{Policy, Verdict};
pub use self::reason::{Lacks, Reason};
use self::refusals::Refusals;
use crate::binding::{Binding, Fillers};
use crate::evidence::{self, KeyEvidence};
use crate::families::{groups, habits, renamed};
use crate::{Error, Store};

/// What the person's answers to one question show. Counts are of answers, dates are local days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The person's answers that were looked at (the latest of the key).
    pub answers: usize,
    /// Of these, those that the policy would have given.
    pub agreed: usize,
    /// Of these, those that it would have left to the person all the same.
    pub left: usize,
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
}

/// A question, as last answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The project it was asked in.
    pub project: String,
    /// Its key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `fingerprint` or `family`.
    pub key_source: String,
    /// Of a family: the words that all its texts hold, in their order.
    pub template: Option<Vec<String>>,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    pub options: Vec<String>,
}

/// A proposal: never ask this question in its project again.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The question.
    pub asked: Asked,
    /// The label to answer with, without its mark; `None` for the recommended one.
    pub answer: Option<String>,
    /// The share (0–1) of askings in which this is what the person would say, at least: the lower
    /// bound of the posterior at the configured credibility.
    pub confidence: f64,
    /// The expected share (0–1).
    pub expected: f64,
    /// What it rests on.
    pub evidence: Evidence,
    /// Seconds of the person's time that are spent on it in a week.
    pub seconds_saved_per_week: f64,
    /// What the preference would be given for.
    pub binding: Binding,
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
    /// What is known.
    pub evidence: Evidence,
}

/// What is proposed, the greatest saving first, and what is not, the nearest to it first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The proposals.
    pub suggestions: Vec<Suggestion>,
    /// What was looked at and is not proposed.
    pub rejected: Vec<Rejected>,
}

/// What besides the evidence decides.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The doors the person gave to questions.
    pub registry: &'a Registry,
    /// Whether a preference stands already for a question: project, key.
    pub in_force: &'a dyn Fn(&str, &str) -> bool,
    /// The moment of the run.
    pub now: DateTime<Utc>,
}

/// The suggestions for the store, or for one `project` of it. What is typical of the person is
/// taken from all projects either way.
///
/// # Errors
/// DuckDB's.
pub fn suggestions(
    store: &Store,
    inputs: &Inputs<'_>,
    project: Option<&str>,
) -> Result<Suggestions, Error> {
    let series = evidence::evidence(store, inputs.registry)?;
    Ok(evaluate_of(series, inputs, project))
}

/// The proposals that [`suggestions`] returns, without what is rejected: to work out why takes most of the time.
///
/// # Errors
/// DuckDB's.
pub fn only_proposals(
    store: &Store,
    inputs: &Inputs<'_>,
    project: Option<&str>,
) -> Result<Suggestions, Error> {
    let series = evidence::evidence(store, inputs.registry)?;
    let mut found = Suggestions::default();
    judge_all(series, inputs, project, false, |_, judged| {
        if judged.verdict.is_ok() {
            found.add(judged, inputs.settings);
        }
    });
    found.sort();
    Ok(found)
}

/// The suggestions that follow from `series`, the answers by the keys they were logged under. The
/// order of series and of their answers does not matter.
pub fn evaluate(series: Vec<KeyEvidence>, inputs: &Inputs<'_>) -> Suggestions {
    evaluate_of(series, inputs, None)
}

fn evaluate_of(
    series: Vec<KeyEvidence>,
    inputs: &Inputs<'_>,
    project: Option<&str>,
) -> Suggestions {
    let mut found = Suggestions::default();
    judge_all(series, inputs, project, true, |candidate, judged| {
        if !candidate.habit.within_family || judged.verdict.is_ok() {
            found.add(judged, inputs.settings);
        }
    });
    found.sort();
    found
}

/// Calls `take` with the habits in `series` that are of `project`, or with all of them, and what is thought
/// of each; without the text variants that their family represents.
fn judge_all(
    series: Vec<KeyEvidence>,
    inputs: &Inputs<'_>,
    project: Option<&str>,
    shows_reasons: bool,
    mut take: impl FnMut(&Candidate, Judged),
) {
    let candidates: Vec<Candidate> = groups(renamed(series, inputs.registry))
        .into_iter()
        .flat_map(|(group, series)| habits(&group, series))
        .map(|habit| Candidate::of(habit, inputs.settings))
        .collect();
    let person = Person::of(candidates.iter(), inputs.now.naive_utc());
    let rules = Rules {
        settings: inputs.settings,
        registry: inputs.registry,
        median_seconds: &|| median_seconds(candidates.iter()),
        refusals: &Refusals::default(),
        fillers: &Fillers::default(),
        shows_reasons,
    };
    // The text variants that their family represents.
    let mut represented: HashSet<(&str, &str)> = HashSet::new();
    for candidate in &candidates {
        let key = &candidate.habit.evidence;
        let name = (key.project.as_str(), key.question_key.as_str());
        if project.is_some_and(|project| project != key.project) || represented.contains(&name) {
            continue;
        }
        let stands = (inputs.in_force)(&key.project, &key.question_key);
        let Some(judged) = judge_one(candidate, person, &rules, stands) else {
            continue;
        };
        if key.template.is_some() && (stands || judged.verdict.is_ok()) {
            let answers = key.answers.iter();
            represented
                .extend(answers.map(|one| (key.project.as_str(), one.question_key.as_str())));
        }
        take(candidate, judged);
    }
}

/// A habit, its best policy, and what is thought of it.
pub(crate) struct Judged {
    pub(crate) key: KeyEvidence,
    pub(crate) best: PolicyScore,
    pub(crate) verdict: Result<Verdicts, Reason>,
}

/// Judges `candidate`; `stands`: the person has decided about it already.
pub(crate) fn judge_one(
    candidate: &Candidate,
    person: Person,
    rules: &Rules<'_>,
    stands: bool,
) -> Option<Judged> {
    let mut key = candidate.habit.evidence.clone();
    let best = candidate.best(person.reference)?;
    let verdict = if stands {
        Err(Reason::PreferenceInForce)
    } else {
        judge(&mut key, &best, person.prior(candidate), rules)
    };
    Some(Judged { key, best, verdict })
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
        template: key.template.clone(),
        question: stands.map_or_else(String::new, |answer| answer.question.clone()),
        header: stands.and_then(|answer| answer.header.clone()),
        options: stands.map_or_else(Vec::new, |answer| answer.options.clone()),
    }
}

fn summary(key: &KeyEvidence, best: &PolicyScore) -> Evidence {
    let (sessions, days) = spread::distinct(&key.answers);
    let judged = || key.answers.iter().zip(&best.verdicts);
    let of = |wanted: Verdict| {
        best.verdicts
            .iter()
            .filter(|verdict| **verdict == wanted)
            .count()
    };
    Evidence {
        answers: key.answers.len(),
        agreed: of(Verdict::Agree),
        left: of(Verdict::Abstain),
        imported: key
            .answers
            .iter()
            .filter(|answer| answer.is_imported)
            .count(),
        sessions,
        days,
        first: key.answers.first().map(|answer| answer.day),
        last: key.answers.last().map(|answer| answer.day),
        last_disagreement: judged()
            .filter(|(_, verdict)| **verdict == Verdict::Disagree)
            .map(|(answer, _)| answer.day)
            .next_back(),
    }
}

impl Suggestions {
    fn add(&mut self, judged: Judged, settings: &Suggest) {
        let Judged { key, best, verdict } = judged;
        let asked = asked(&key, &best);
        let evidence = summary(&key, &best);
        let credibility = credibility(&best, settings);
        let answer = match best.policy {
            Policy::Follow => None,
            Policy::Pin(label) => Some(label),
        };
        match verdict {
            Ok(judged) => self.suggestions.push(Suggestion {
                asked,
                answer,
                confidence: judged.posterior.lower_bound(credibility),
                expected: judged.posterior.mean(),
                evidence,
                seconds_saved_per_week: judged.benefit.saved,
                binding: judged.binding,
            }),
            Err(reason) => self.rejected.push(Rejected {
                asked,
                answer,
                reason,
                evidence,
            }),
        }
    }

    fn sort(&mut self) {
        let name = |asked: &Asked| (asked.project.clone(), asked.question_key.clone());
        self.suggestions.sort_by(|one, other| {
            other
                .seconds_saved_per_week
                .total_cmp(&one.seconds_saved_per_week)
                .then_with(|| name(&one.asked).cmp(&name(&other.asked)))
        });
        let far = |rejected: &Rejected| {
            rejected.reason.lacks().map_or(u32::MAX, |lacks| {
                lacks.answers.max(lacks.sessions).max(lacks.days)
            })
        };
        self.rejected.sort_by_cached_key(|rejected| {
            (
                far(rejected),
                std::cmp::Reverse(rejected.evidence.answers),
                name(&rejected.asked),
            )
        });
    }
}
