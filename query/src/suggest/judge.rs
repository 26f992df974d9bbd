//! Judges one key: which policy describes the person best, and what stands against proposing it.

use std::collections::HashMap;

use chrono::NaiveDateTime;
use plantune_hooks::config::Suggest;
use plantune_hooks::doors::{Door, one_way_reason};
use plantune_hooks::keys::is_split;
use plantune_hooks::registry::Registry;

use super::benefit::{Benefit, median};
use super::policy::{Answers, Policy, Verdict};
use super::posterior::Agreement;
use super::reason::{Lacks, Reason};
use super::spread::{Weighed, weigh};
use crate::evidence::KeyEvidence;

/// Over how many of the latest answers a policy's coverage is taken, and the share of one-way ones.
const WINDOW: usize = 20;

/// A policy that would have asked more than one time in this many is of no use.
const ABSTAINS_AT_MOST_ONE_IN: usize = 5;

/// A question that is one-way one time in this many is no two-way one with exceptions.
const ONE_WAY_FEWER_THAN_ONE_IN: usize = 3;

/// More agreeing answers than this are too many to be called "nearly".
const MOST_LACKING: u32 = 20;

/// The better policy of a key, with how it fared.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub(super) policy: Policy,
    pub(super) verdicts: Vec<Verdict>,
    pub(super) weighed: Weighed,
    /// It would have answered at least four fifths of the latest askings.
    covers: bool,
}

/// The policy that describes the answers of `key` best; its answers are in the order of time.
///
/// The one that would have answered often enough wins, then the one with the higher bound under a
/// uniform prior, so that the choice depends on this key alone. Where following and pinning a label
/// fare exactly alike (the recommendation never moved) the label wins: it delegates less. It gives
/// only an answer that the person has given, while following would also take a recommendation that
/// they have never seen.
pub(super) fn best(key: &KeyEvidence, settings: &Suggest, reference: NaiveDateTime) -> Best {
    let answers = Answers::of(&key.answers);
    let fared = |policy: &Policy| {
        let best = fare(&answers, policy, key, settings, reference);
        let bound = Agreement::UNIFORM
            .after(best.weighed.tally)
            .lower_bound(settings.credibility);
        (bound, best)
    };
    let mut chosen = fared(&Policy::Follow);
    for policy in answers.policies.iter().skip(1) {
        let other = fared(policy);
        let better = other.1.covers.cmp(&chosen.1.covers);
        let better = better.then(other.0.total_cmp(&chosen.0));
        if better.is_gt() || (better.is_eq() && chosen.1.policy == Policy::Follow) {
            chosen = other;
        }
    }
    chosen.1
}

fn fare(
    answers: &Answers,
    policy: &Policy,
    key: &KeyEvidence,
    settings: &Suggest,
    reference: NaiveDateTime,
) -> Best {
    let verdicts = answers.verdicts(policy);
    let abstained = window(&verdicts).filter(|verdict| **verdict == Verdict::Abstain);
    Best {
        policy: policy.clone(),
        weighed: weigh(&key.answers, &verdicts, reference, settings.half_life_days),
        covers: !too_many(abstained.count(), verdicts.len()),
        verdicts,
    }
}

/// The latest of `all`, over which coverage is taken.
fn window<T>(all: &[T]) -> impl Iterator<Item = &T> {
    all.iter().rev().take(WINDOW)
}

/// True when `abstained` of the latest of `all` are more than a fifth.
fn too_many(abstained: usize, all: usize) -> bool {
    abstained * ABSTAINS_AT_MOST_ONE_IN > all.min(WINDOW)
}

/// What holds for all keys of one run.
pub(super) struct Rules<'a> {
    pub(super) settings: &'a Suggest,
    pub(super) registry: &'a Registry,
    /// The person's median answering time over all keys, for a key without times of its own.
    pub(super) median_seconds: Option<f64>,
}

/// What there is to say for a key that may be proposed.
pub(super) struct Verdicts {
    pub(super) posterior: Agreement,
    pub(super) benefit: Benefit,
}

/// Whether `key` may be proposed, with its posterior under `prior`. What the net finds is noted in
/// the answers of `key`.
///
/// # Errors
/// The first thing that stands against it: what would never be safe comes before what could
/// still come with more answers.
pub(super) fn judge(
    key: &mut KeyEvidence,
    best: &Best,
    prior: Agreement,
    rules: &Rules<'_>,
) -> Result<Verdicts, Reason> {
    never(key, rules)?;
    let posterior = prior.after(best.weighed.tally);
    let lacks = lacks(best, posterior, rules.settings);
    if let Some(reason) = mostly_one_way(key) {
        return Err(Reason::OneWay(reason));
    }
    if !best.covers {
        return Err(Reason::Abstains);
    }
    let lacks = lacks.ok_or(Reason::Disagreement)?;
    // The net costs more than all the rest, so only what came this far is held against it.
    cast_net(key, &best.policy);
    if let Some(reason) = mostly_one_way(key) {
        return Err(Reason::OneWay(reason));
    }
    if lacks != Lacks::default() {
        return Err(shortage(best, rules.settings, lacks));
    }
    let seconds = key.answers.iter().filter_map(|answer| answer.human_seconds);
    let seconds = median(seconds.collect()).or(rules.median_seconds);
    let Some(seconds) = seconds else {
        return Err(Reason::UnknownTime);
    };
    let benefit = Benefit::of(
        key.recent_askings,
        seconds,
        posterior.mean(),
        rules.settings.wrong_answer_seconds,
    );
    if benefit.is_positive() {
        Ok(Verdicts { posterior, benefit })
    } else {
        Err(Reason::NoBenefit)
    }
}

/// The reason of the latest one-way asking, when a third of the latest askings or more are one-way.
///
/// A single one among many is left to the hook, which looks at every asking by itself and puts the
/// one-way ones to the person whatever the preference says: under a marker, the texts vary by what
/// they are about.
fn mostly_one_way(key: &KeyEvidence) -> Option<String> {
    let mut reasons = window(&key.answers).filter_map(|answer| answer.one_way.as_ref());
    let latest = reasons.next()?;
    let count = 1 + reasons.count();
    (count * ONE_WAY_FEWER_THAN_ONE_IN >= key.answers.len().min(WINDOW)).then(|| latest.clone())
}

/// What no number of answers changes.
fn never(key: &KeyEvidence, rules: &Rules<'_>) -> Result<(), Reason> {
    if is_split(&key.question_key) {
        return Err(Reason::Split);
    }
    if rules.registry.door_of(&key.question_key) == Some(Door::OneWay) {
        return Err(Reason::OneWay("registry.toml".to_owned()));
    }
    let several = key
        .answers
        .iter()
        .any(|answer| answer.multi_select && !answer.said_more && answer.labels.len() != 1);
    if several {
        return Err(Reason::SeveralChosen);
    }
    Ok(())
}

/// Marks the latest askings that are one-way with the key's own words and the label that `policy`
/// would have chosen there; what was logged knows text, header and recommendation only.
fn cast_net(key: &mut KeyEvidence, policy: &Policy) {
    let mut known: HashMap<(String, Option<String>, Option<String>), Option<String>> =
        HashMap::new();
    for answer in key
        .answers
        .iter_mut()
        .rev()
        .take(WINDOW)
        .filter(|answer| answer.one_way.is_none())
    {
        let label = match policy {
            Policy::Follow => answer.recommended.clone(),
            Policy::Pin(label) => Some(label.clone()),
        };
        let asking = (answer.question.clone(), answer.header.clone(), label);
        let reason = known
            .entry(asking)
            .or_insert_with_key(|(text, header, label)| {
                one_way_reason(&[
                    key.question_key.as_str(),
                    text,
                    header.as_deref().unwrap_or_default(),
                    label.as_deref().unwrap_or_default(),
                ])
            });
        answer.one_way.clone_from(reason);
    }
}

/// What more is needed if every further answer agrees, each in a sitting of its own; all zero when
/// nothing is, `None` when it would take too many.
fn lacks(best: &Best, posterior: Agreement, settings: &Suggest) -> Option<Lacks> {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let counted = number(best.weighed.agreeing + best.weighed.disagreeing);
    let run = best.verdicts.iter().rev();
    let run = number(
        run.take_while(|verdict| **verdict == Verdict::Agree)
            .count(),
    );
    let least = settings
        .min_answers
        .saturating_sub(counted)
        .max(settings.recent_agreeing.saturating_sub(run));
    let sure = |more: &u32| {
        let with_more = Agreement {
            alpha: posterior.alpha + f64::from(*more),
            ..posterior
        };
        with_more.lower_bound(settings.credibility) >= settings.min_agreement
    };
    let answers = (least..=MOST_LACKING.max(least)).find(sure)?;
    Some(Lacks {
        answers,
        sessions: settings
            .min_sessions
            .saturating_sub(number(best.weighed.sessions)),
        days: settings.min_days.saturating_sub(number(best.weighed.days)),
    })
}

fn shortage(best: &Best, settings: &Suggest, lacks: Lacks) -> Reason {
    let recent = usize::try_from(settings.recent_agreeing).unwrap_or(usize::MAX);
    let differed = best.verdicts.iter().rev().take(recent);
    if differed
        .into_iter()
        .any(|verdict| *verdict == Verdict::Disagree)
    {
        Reason::RecentDisagreement(lacks)
    } else {
        Reason::TooLittle(lacks)
    }
}
