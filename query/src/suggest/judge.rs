//! Judges one habit: at which level its best policy may be proposed, given the same habit in other projects and what the
//! person has decided already, and why not at a higher one.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::agreement::agreement::{Agreement, Asking, Consent, never as never_answered};
use plantune_domain::gate;
use plantune_domain::gate::Refusal;
use plantune_domain::preferences::{Level, Scope};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;

use super::candidate::{Candidate, PersonPrior, PolicyScore, borrowed, level_everywhere};
use super::kind::kind;
use super::policy::{PolicyVerdict, count};
use super::posterior::{Benefit, Posterior, median};
use super::spread::Weighed;
use super::suggestions::{
    Evidence, Lacks, LastAsked, PriorDecision, RejectReason, Suggestion, WrongAnswer, door_words,
};
use crate::evidence::{HumanAnswer, KeyEvidence, first_day};
use crate::habits::EVERYWHERE;

/// How many new answers must agree before an answer that was taken back is proposed again.
pub const AFTER_UNDO: usize = 5;

/// The most agreeing answers that a reason for rejection says are still needed.
const MOST_LACKING: u32 = 20;

/// The rules and settings of one run.
pub(crate) struct JudgeRules<'a> {
    pub(crate) settings: &'a Suggest,
    pub(crate) registry: &'a Registry,
    pub(crate) person: &'a PersonPrior,
    /// The person's median answering time over all habits, for one without times of its own.
    pub(crate) median_seconds: &'a (dyn Fn() -> Option<f64> + Sync),
    /// Whether somebody is shown why a question is not proposed; otherwise the reason that is found first will do.
    pub(crate) shows_reasons: bool,
}

/// The proposal of `best` for `key`, with its posterior under `prior`. [`Suggestion::completed`] adds what is only shown
/// to a person: a backtest judges too often to compute that each time.
///
/// # Errors
/// The first reason against any level: what would never be safe comes before what more answers could change.
fn judge(
    key: &KeyEvidence,
    best: &PolicyScore,
    prior: Posterior,
    rules: &JudgeRules<'_>,
) -> Result<Suggestion, RejectReason> {
    never(key, rules)?;
    if !best.covers {
        return Err(RejectReason::Abstains);
    }
    let (weighed, settings) = (&best.weighed, rules.settings);
    let posterior = prior.after(weighed.tally);
    let most = if rules.shows_reasons { MOST_LACKING } else { 0 };
    let (level, mut lacks) = by_evidence(weighed, posterior, settings, most);
    let trial = begins_trial(key, weighed, 0).map(|_| Level::Trial);
    let Some(mut level) = level.max(trial) else {
        return Err(not_proposed(key, weighed, posterior, rules, lacks));
    };
    let agreement = agreement(key, best)?;
    let a_week = key.a_week() * covered(key, weighed);
    let wrong = wrong_answer(key, rules);
    let seconds = seconds(key, rules);
    let benefit = Benefit::of(
        a_week,
        seconds.unwrap_or_default(),
        posterior.mean(),
        wrong.seconds,
    );
    // A trial needs no benefit: it checks itself, and costs little if it is wrong.
    if level > Level::Trial && !benefit.is_positive() {
        let reason = seconds.map_or(RejectReason::UnknownTime, |_| RejectReason::NoBenefit);
        (level, lacks) = (Level::Trial, Some(reason));
    }
    Ok(Suggestion {
        asked: asked(key, weighed),
        level,
        before: PriorDecision::None,
        lacks,
        wrong,
        projects: Vec::new(),
        hindsight: None,
        answer: best.policy.answer().map(str::to_owned),
        confidence: posterior.lower_bound(credibility(weighed, settings)),
        expected: posterior.mean(),
        evidence: Evidence::default(),
        seconds_saved_per_week: benefit.saved,
        asked_per_week: a_week,
        consent: Consent::Type,
        agreement,
    })
}

/// The questions that `best` would answer.
///
/// # Errors
/// Why there are none: nothing may be answered, or no text comes a second time.
fn agreement(key: &KeyEvidence, best: &PolicyScore) -> Result<Agreement, RejectReason> {
    match &best.agreement {
        Some(agreement)
            if agreement.recurs(count(&best.weighed.verdicts, PolicyVerdict::Agree)) =>
        {
            Ok(agreement.clone())
        }
        Some(_) => Err(RejectReason::TextsVary),
        None => Err(why_never(key).map_or(RejectReason::TextsVary, RejectReason::OneWay)),
    }
}

/// Why plantune must never give some of the answers to `key`: the reason of the latest such answer; `None` if it may
/// give all of them.
fn why_never(key: &KeyEvidence) -> Option<String> {
    let mut latest = key.answers.iter().rev();
    let reason = latest.find_map(|answer| {
        if answer.is_held() {
            return answer.one_way.clone();
        }
        let asking: Asking<'_> = answer.asking();
        let chosen = answer.chosen()?;
        let at = asking
            .options
            .iter()
            .position(|option| same_label(option, chosen))?;
        never_answered(asking, at)
    })?;
    Some(format!("always asked ({})", door_words(&reason)))
}

/// The share (0–1) of the askings of `key` that the policy covers, over the days that [`KeyEvidence::a_week`] counts.
fn covered(key: &KeyEvidence, weighed: &Weighed) -> f64 {
    let last = key.answers.last().map_or(NaiveDate::MAX, |last| last.day);
    let first = first_day(last);
    let judged = key.answers.iter().zip(&weighed.verdicts);
    let lately = judged.filter(|(answer, _)| answer.day >= first);
    let lately: Vec<PolicyVerdict> = lately.map(|(_, verdict)| *verdict).collect();
    let asked = count(&lately, PolicyVerdict::Abstain);
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    let share = (lately.len() - asked) as f64 / lately.len().max(1) as f64;
    share
}

/// The level that the answers alone allow, and what is lacking for an automatic answer, if at most `most` answers are.
pub(crate) fn by_evidence(
    weighed: &Weighed,
    posterior: Posterior,
    settings: &Suggest,
    most: u32,
) -> (Option<Level>, Option<RejectReason>) {
    if wants_to_add(weighed) {
        return (None, Some(RejectReason::WantsToAdd));
    }
    let reason = match lacks(weighed, posterior, settings, most) {
        Some(lacks) if lacks == Lacks::default() => return (Some(Level::Standing), None),
        Some(lacks) => shortage(weighed, settings.recent_agreeing as usize, lacks),
        None => RejectReason::Disagreement,
    };
    let trial = on_trial(weighed, posterior, settings, 0).map(|_| Level::Trial);
    (trial, Some(reason))
}

/// How many like answers are enough to propose a trial of a question, which checks itself and so costs little.
pub const TRIAL_ANSWERS: usize = 3;
/// From how many sessions these must come.
pub const TRIAL_SESSIONS: usize = 2;
/// Among how many of the latest answers there must be no other.
pub const TRIAL_LATEST: usize = 8;

/// If `more` further answers that agree would be enough to begin a trial: what is lacking, in answers and sessions; `None`
/// if they would not be enough.
fn begins_trial(key: &KeyEvidence, weighed: &Weighed, more: usize) -> Option<Lacks> {
    let answers = key.answers.iter().map(|answer| &**answer);
    let answers = answers.zip(&weighed.verdicts).rev();
    let judged = answers.filter(|(_, verdict)| **verdict != PolicyVerdict::Abstain);
    let latest: Vec<(&HumanAnswer, &PolicyVerdict)> =
        judged.take(TRIAL_LATEST.saturating_sub(more)).collect();
    let sessions: BTreeSet<&str> = latest
        .iter()
        .map(|(answer, _)| answer.session_id.as_str())
        .collect();
    let new_sessions = TRIAL_SESSIONS.saturating_sub(sessions.len());
    let is_enough = latest.len() + more >= TRIAL_ANSWERS && new_sessions <= more;
    let agree = |(_, verdict): &(&HumanAnswer, &PolicyVerdict)| **verdict == PolicyVerdict::Agree;
    (is_enough && latest.iter().all(agree)).then(|| Lacks {
        answers: number(more),
        sessions: number(new_sessions),
        ..Lacks::default()
    })
}

/// How many of the latest answers in a row must agree for a trial.
pub const TRIAL_RUN: u32 = 3;

/// If `more` further answers that agree, each in a session and on a day of its own, would be enough for a trial: what is
/// lacking; `None` if they would not be enough. A trial needs less of everything than an automatic answer, and a bound that
/// is less sure; but the question's own evidence must reach it without the help of the prior.
fn on_trial(
    weighed: &Weighed,
    posterior: Posterior,
    settings: &Suggest,
    more: u32,
) -> Option<Lacks> {
    let least = settings.trial_sessions;
    let [new_sessions, new_days] =
        [weighed.sessions, weighed.days].map(|known| least.saturating_sub(number(known)));
    let own = Posterior::UNIFORM
        .after(weighed.tally)
        .after(weighed.borrowed);
    let is_sure = |one: Posterior| {
        one.with_agreeing(more)
            .lower_bound(settings.trial_credibility)
            >= settings.trial_agreement
    };
    let is_enough = weighed.counted + weighed.borrowed.total() + f64::from(more)
        >= f64::from(settings.trial_answers)
        && new_sessions.max(new_days) <= more
        && run(weighed).saturating_add(more) >= TRIAL_RUN
        && is_sure(posterior)
        && is_sure(own);
    is_enough.then_some(Lacks {
        answers: more,
        sessions: new_sessions,
        days: new_days,
        crowded: None,
    })
}

/// Why a policy is not proposed at all: what is lacking for a trial. `automatic` is what is lacking for an automatic
/// answer. It is returned instead where it asks for fewer answers, and where more answers would not help.
fn not_proposed(
    key: &KeyEvidence,
    weighed: &Weighed,
    posterior: Posterior,
    rules: &JudgeRules<'_>,
    automatic: Option<RejectReason>,
) -> RejectReason {
    let reason = automatic.unwrap_or(RejectReason::Disagreement);
    let is_shortage = match reason {
        RejectReason::TooLittle(_) | RejectReason::RecentDisagreement(_) => true,
        RejectReason::Disagreement => weighed.disagreeing == 0,
        _ => false,
    };
    if !is_shortage || !rules.shows_reasons {
        return reason;
    }
    // So many agreeing answers are enough for a trial, whatever came before.
    let lacks = (1..=TRIAL_LATEST).find_map(|more| {
        begins_trial(key, weighed, more)
            .or_else(|| on_trial(weighed, posterior, rules.settings, number(more)))
    });
    let lacks = lacks.unwrap_or_default();
    match reason.lacks() {
        Some(automatic) if automatic.times() <= lacks.times() => reason,
        _ => shortage(weighed, TRIAL_LATEST, lacks),
    }
}

/// The median of the person's seconds for `key`, else for all questions.
fn seconds(key: &KeyEvidence, rules: &JudgeRules<'_>) -> Option<f64> {
    let seconds = key.answers.iter().filter_map(|answer| answer.human_seconds);
    median(seconds.collect()).or_else(rules.median_seconds)
}

/// The cost of a wrong answer to `key`.
fn wrong_answer(key: &KeyEvidence, rules: &JudgeRules<'_>) -> WrongAnswer {
    let last = key.answers.last();
    let header = last.and_then(|last| last.header.as_deref());
    let options = last.map_or(&[][..], |last| last.options.as_slice());
    let kind = kind(rules.registry, &key.question_key, header, options);
    WrongAnswer {
        kind,
        seconds: rules.settings.wrong_answer_seconds(kind),
    }
}

/// The refusals that no number of answers changes.
fn never(key: &KeyEvidence, rules: &JudgeRules<'_>) -> Result<(), RejectReason> {
    gate::check_key(&key.question_key, rules.registry).map_err(|refusal| match refusal {
        Refusal::Split => RejectReason::Split,
        Refusal::Registry(_) => {
            RejectReason::OneWay("always asked by a rule of registry.toml".to_owned())
        }
        Refusal::Act(reason) => {
            RejectReason::OneWay(format!("always asked ({})", door_words(&reason)))
        }
    })?;
    let several = key
        .answers
        .iter()
        .any(|answer| answer.multi_select && !answer.said_more && answer.labels.len() != 1);
    if several {
        return Err(RejectReason::SeveralChosen);
    }
    Ok(())
}

/// Checks that enough answers agree since the person took one back, here or, at the moment `elsewhere`, everywhere.
///
/// # Errors
/// How many are still needed.
fn undone(
    key: &KeyEvidence,
    weighed: &Weighed,
    elsewhere: Option<NaiveDateTime>,
) -> Result<(), RejectReason> {
    let own = key.answers.iter().filter(|one| one.undone.is_some());
    let Some(at) = own.map(|one| one.at).chain(elsewhere).max() else {
        return Ok(());
    };
    let answers = key.answers.iter().zip(&weighed.verdicts);
    let agree = answers.filter(|(one, verdict)| one.at > at && **verdict == PolicyVerdict::Agree);
    let lacks = Lacks {
        answers: number(AFTER_UNDO.saturating_sub(agree.count())),
        ..Lacks::default()
    };
    match lacks.answers {
        0 => Ok(()),
        _ => Err(RejectReason::Undone(lacks)),
    }
}

/// The answers that are still needed for an automatic answer if every further one agrees, each in a sitting of its own;
/// all zero when nothing is, `None` when it would take more than `most` answers.
fn lacks(weighed: &Weighed, posterior: Posterior, settings: &Suggest, most: u32) -> Option<Lacks> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "far below 2^52"
    )]
    let counted = (weighed.counted + 1e-9) as u32;
    let least = settings
        .min_answers
        .saturating_sub(counted)
        .max(settings.recent_agreeing.saturating_sub(run(weighed)));
    let sure = |more: &u32| {
        let with_more = posterior.with_agreeing(*more);
        with_more.lower_bound(credibility(weighed, settings)) >= settings.min_agreement
    };
    let answers = (least..=most.max(least)).find(sure)?;
    Some(Lacks {
        answers,
        sessions: settings
            .min_sessions
            .saturating_sub(number(weighed.sessions)),
        days: settings.min_days.saturating_sub(number(weighed.days)),
        crowded: weighed.crowded.filter(|crowded| {
            // Crowding explains the shortage only if it concerns at least half of the answers.
            answers > 0 && u64::from(crowded.answers) * 2 >= weighed.agreeing as u64
        }),
    })
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// How certain the bound must be (0–1); less certain if there was never another answer.
pub(crate) fn credibility(weighed: &Weighed, settings: &Suggest) -> f64 {
    if weighed.disagreeing == 0 {
        settings.credibility_unbroken
    } else {
        settings.credibility
    }
}

/// The reason that so much is lacking: another answer among the `recent` latest ones, or simply too few.
fn shortage(weighed: &Weighed, recent: usize, lacks: Lacks) -> RejectReason {
    let mut latest = latest(weighed).take(recent);
    if latest.any(|verdict| *verdict == PolicyVerdict::Disagree) {
        RejectReason::RecentDisagreement(lacks)
    } else {
        RejectReason::TooLittle(lacks)
    }
}

/// An answer to which the person adds something one time in this many, or more often, is not given for them.
const ADDS_FEWER_THAN_ONE_IN: usize = 8;

/// True when the person often adds something to the answer.
fn wants_to_add(weighed: &Weighed) -> bool {
    let add = count(&weighed.verdicts, PolicyVerdict::Add);
    let abstained = count(&weighed.verdicts, PolicyVerdict::Abstain);
    add > 0 && add * ADDS_FEWER_THAN_ONE_IN >= weighed.verdicts.len() - abstained
}

/// How many of the latest answers agree, one after the other.
fn run(weighed: &Weighed) -> u32 {
    let agreeing = latest(weighed).take_while(|verdict| **verdict == PolicyVerdict::Agree);
    number(agreeing.count())
}

/// The verdicts on what the policy would have answered, the latest first.
fn latest(weighed: &Weighed) -> impl Iterator<Item = &PolicyVerdict> {
    let verdicts = weighed.verdicts.iter().rev();
    verdicts.filter(|verdict| matches!(**verdict, PolicyVerdict::Agree | PolicyVerdict::Disagree))
}

/// The same habits in other projects, by their key.
pub(super) struct Elsewhere<'a>(HashMap<&'a str, Vec<&'a Candidate>>);

impl<'a> Elsewhere<'a> {
    pub(super) fn of(candidates: &'a [Candidate]) -> Self {
        let mut by_key: HashMap<&str, Vec<&'a Candidate>> = HashMap::new();
        for one in candidates {
            let key = one.evidence.question_key.as_str();
            by_key.entry(key).or_default().push(one);
        }
        by_key.retain(|_, same| same.len() > 1);
        Self(by_key)
    }

    pub(super) fn others(&self, candidate: &Candidate) -> Vec<&'a Candidate> {
        let same = self.0.get(&*candidate.evidence.question_key);
        let same = same.into_iter().flatten().copied();
        let project = &candidate.evidence.project;
        same.filter(|one| one.evidence.project != *project)
            .collect()
    }
}

/// The best policy on `candidate`, about which the person has decided `before`, and its proposal, or why there is none;
/// `others` is the same habit in other projects, or of one that holds everywhere, in all.
pub(crate) fn judge_one(
    candidate: &Candidate,
    others: &[&Candidate],
    rules: &JudgeRules<'_>,
    before: PriorDecision,
) -> Option<(PolicyScore, Result<Suggestion, RejectReason>)> {
    let mut best = candidate.best(rules.person)?;
    if before >= PriorDecision::Standing {
        return Some((best, Err(RejectReason::PreferenceInForce)));
    }
    let found = judge_at(&mut best, candidate, others, rules);
    let found = found.and_then(|found| match before.leaves(found.level) {
        true => Ok(Suggestion { before, ..found }),
        false => Err(RejectReason::PreferenceInForce),
    });
    Some((best, found))
}

fn judge_at(
    best: &mut PolicyScore,
    candidate: &Candidate,
    others: &[&Candidate],
    rules: &JudgeRules<'_>,
) -> Result<Suggestion, RejectReason> {
    let (key, person) = (&candidate.evidence, rules.person);
    // Taking back an answer of a preference that holds everywhere counts in every project.
    let elsewhere = others.iter().flat_map(|one| &one.evidence.answers);
    let elsewhere = elsewhere.filter(|one| one.undone == Some(Scope::Global));
    undone(key, &best.weighed, elsewhere.map(|one| one.at).max())?;
    if candidate.is_everywhere() {
        let most = level_everywhere(candidate, best, others, person)?;
        let found = judge(key, best, person.prior(candidate, others), rules)?;
        return Ok(Suggestion {
            level: found.level.min(most),
            ..found
        });
    }
    if !rules.settings.across_projects {
        return judge(key, best, person.prior(candidate, &[]), rules);
    }
    let borrowed = borrowed(candidate, others, person);
    best.weighed.borrowed = borrowed;
    judge(
        key,
        best,
        person.prior(candidate, others).after(borrowed),
        rules,
    )
}

// What a person is shown of a proposal.

impl Suggestion {
    /// The same with what only a person is shown; the backtest does not need it.
    pub(super) fn completed(self, key: &KeyEvidence, weighed: &Weighed) -> Self {
        Self {
            projects: projects(key),
            evidence: summary(key, weighed),
            consent: consent(key, weighed),
            ..self
        }
    }
}

/// The question as last answered where the policy answers too. A one-way asking is passed over: it is not what is
/// proposed.
pub(super) fn asked(key: &KeyEvidence, weighed: &Weighed) -> LastAsked {
    let mut judged = key.answers.iter().zip(&weighed.verdicts).rev();
    let stands = judged
        .find(|(answer, verdict)| answer.one_way.is_none() && **verdict != PolicyVerdict::Abstain)
        .map(|(answer, _)| answer)
        .or(key.answers.last());
    let asker = key.answers.iter().rev().find_map(|one| one.asker.as_ref());
    LastAsked {
        project: key.project.clone(),
        question_key: key.question_key.clone(),
        key_source: key.key_source.clone(),
        // Filled in later, for what is shown.
        name: String::new(),
        question: stands.map_or_else(String::new, |answer| answer.question.clone()),
        header: stands.and_then(|answer| answer.header.clone()),
        options: stands.map_or_else(Vec::new, |answer| answer.options.clone()),
        asker: asker.cloned(),
    }
}

/// How the person confirms the proposal: as strictly as the strictest of the answers that the policy would have given.
fn consent(key: &KeyEvidence, weighed: &Weighed) -> Consent {
    let answers = key.answers.iter().zip(&weighed.verdicts);
    let agreed = answers.filter(|(_, verdict)| **verdict == PolicyVerdict::Agree);
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
    let covered = judged.filter(|(_, verdict)| **verdict != PolicyVerdict::Abstain);
    let covered: Vec<(&HumanAnswer, PolicyVerdict)> = covered
        .map(|(answer, verdict)| (&**answer, *verdict))
        .collect();
    let answers = || covered.iter().map(|(answer, _)| *answer);
    let sessions: HashSet<&str> = answers().map(|answer| &*answer.session_id).collect();
    let days: HashSet<NaiveDate> = answers().map(|answer| answer.day).collect();
    let mut latest = covered.iter().rev();
    let other = latest.find(|(_, verdict)| *verdict == PolicyVerdict::Disagree);
    let other = other.map(|(answer, _)| answer);
    Evidence {
        answers: covered.len(),
        agreed: count(&weighed.verdicts, PolicyVerdict::Agree),
        added: count(&weighed.verdicts, PolicyVerdict::Add),
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
