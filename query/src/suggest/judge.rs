//! Judges one habit: at which level its best policy may be proposed, beside the same habit in other projects and what the
//! person has decided already, and what stands against more.

use std::collections::{BTreeSet, HashMap};

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::agreement::agreement::{Agreement, Asking, never as never_answered};
use plantune_domain::gate;
use plantune_domain::gate::Refusal;
use plantune_domain::preferences::Scope;
use plantune_domain::recommended::same_label;

use super::Rules;
use super::candidate::{Candidate, PolicyScore, borrowed, level_everywhere};
use super::level::{InForce, Lacks, Level, Reason, WrongAnswer, door_words, kind};
use super::policy::{Verdict, count};
use super::posterior::{Benefit, Posterior, median};
use crate::evidence::{HumanAnswer, KeyEvidence, first_day};

/// So many new answers must agree before an answer that was taken back is proposed again.
pub const AFTER_UNDO: usize = 5;

/// More agreeing answers than this are too many to be called "nearly".
const MOST_LACKING: u32 = 20;

/// The judgement of a habit that may be proposed.
pub(crate) struct Judgement {
    pub(crate) level: Level,
    /// Of a trial: why it is not proposed to be automatic.
    pub(super) lacks: Option<Reason>,
    pub(super) posterior: Posterior,
    /// The seconds a week that answering it for the person saves.
    pub(super) saved: f64,
    pub(super) wrong: WrongAnswer,
    /// How often a week what it covers is asked.
    pub(super) a_week: f64,
    /// What the preference is given for.
    pub(crate) agreement: Agreement,
}

/// At which level `best` may be proposed for `key`, with its posterior under `prior`.
///
/// # Errors
/// The first thing that stands against any: what would never be safe comes before what could still come
/// with more answers.
pub(super) fn judge(
    key: &KeyEvidence,
    best: &PolicyScore,
    prior: Posterior,
    rules: &Rules<'_>,
) -> Result<Judgement, Reason> {
    never(key, rules)?;
    if !best.covers {
        return Err(Reason::Abstains);
    }
    let posterior = prior.after(best.tally);
    let most = if rules.shows_reasons { MOST_LACKING } else { 0 };
    let (level, mut lacks) = by_evidence(best, posterior, rules.settings, most);
    let trial = begins_trial(key, best, 0).map(|_| Level::Trial);
    let Some(mut level) = level.max(trial) else {
        return Err(not_proposed(key, best, posterior, rules, lacks));
    };
    let agreement = agreement(key, best)?;
    let a_week = key.a_week() * covered(key, best);
    let wrong = wrong_answer(key, rules);
    let seconds = seconds(key, rules);
    let benefit = Benefit::of(
        a_week,
        seconds.unwrap_or_default(),
        posterior.mean(),
        wrong.seconds,
    );
    // A trial checks itself: it costs little if it is wrong.
    if level > Level::Trial && !benefit.is_positive() {
        let reason = seconds.map_or(Reason::UnknownTime, |_| Reason::NoBenefit);
        (level, lacks) = (Level::Trial, Some(reason));
    }
    Ok(Judgement {
        level,
        lacks,
        posterior,
        saved: benefit.saved,
        wrong,
        agreement,
        a_week,
    })
}

/// What `best` is given for.
///
/// # Errors
/// Why nothing may be answered, or nothing will be: an answer that refers to its question needs one that comes again.
fn agreement(key: &KeyEvidence, best: &PolicyScore) -> Result<Agreement, Reason> {
    match &best.agreement {
        Some(agreement) if agreement.recurs(count(&best.verdicts, Verdict::Agree)) => {
            Ok(agreement.clone())
        }
        Some(_) => Err(Reason::TextsVary),
        None => Err(why_never(key).map_or(Reason::TextsVary, Reason::OneWay)),
    }
}

/// Why the latest answer to `key` that is never given can't be; `None` if all can.
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

/// The share (0–1) of the askings of `key` that `best` covers, of those days that [`KeyEvidence::a_week`] counts.
fn covered(key: &KeyEvidence, best: &PolicyScore) -> f64 {
    let last = key.answers.last().map_or(NaiveDate::MAX, |last| last.day);
    let first = first_day(last);
    let judged = key.answers.iter().zip(&best.verdicts);
    let lately = judged.filter(|(answer, _)| answer.day >= first);
    let lately: Vec<Verdict> = lately.map(|(_, verdict)| *verdict).collect();
    let asked = count(&lately, Verdict::Abstain);
    #[allow(clippy::cast_precision_loss, reason = "far below 2^52")]
    let share = (lately.len() - asked) as f64 / lately.len().max(1) as f64;
    share
}

/// The level that the answers alone allow, and what is lacking to be automatic, where that is no more than `most`
/// answers.
pub(super) fn by_evidence(
    best: &PolicyScore,
    posterior: Posterior,
    settings: &Suggest,
    most: u32,
) -> (Option<Level>, Option<Reason>) {
    if wants_to_add(best) {
        return (None, Some(Reason::WantsToAdd));
    }
    let reason = match lacks(best, posterior, settings, most) {
        Some(lacks) if lacks == Lacks::default() => return (Some(Level::Standing), None),
        Some(lacks) => shortage(best, settings.recent_agreeing as usize, lacks),
        None => Reason::Disagreement,
    };
    let trial = on_trial(best, posterior, settings, 0).map(|_| Level::Trial);
    (trial, Some(reason))
}

/// A trial of a question checks itself, so it is cheap: so many like answers are enough to propose one.
pub const TRIAL_ANSWERS: usize = 3;
/// In so many sessions.
pub const TRIAL_SESSIONS: usize = 2;
/// With no other answer among so many of the latest.
pub const TRIAL_LATEST: usize = 8;

/// What is lacking beside `more` further answers that agree when the latest answers to what `best` covers are then enough
/// for a trial; `None` if they are not.
fn begins_trial(key: &KeyEvidence, best: &PolicyScore, more: usize) -> Option<Lacks> {
    let answers = key.answers.iter().zip(&best.verdicts).rev();
    let judged = answers.filter(|(_, verdict)| **verdict != Verdict::Abstain);
    let latest: Vec<(&HumanAnswer, &Verdict)> =
        judged.take(TRIAL_LATEST.saturating_sub(more)).collect();
    let sessions: BTreeSet<&str> = latest
        .iter()
        .map(|(answer, _)| answer.session_id.as_str())
        .collect();
    let new_sessions = TRIAL_SESSIONS.saturating_sub(sessions.len());
    let is_enough = latest.len() + more >= TRIAL_ANSWERS && new_sessions <= more;
    let agree = |(_, verdict): &(&HumanAnswer, &Verdict)| **verdict == Verdict::Agree;
    (is_enough && latest.iter().all(agree)).then(|| Lacks {
        answers: number(more),
        sessions: number(new_sessions),
        ..Lacks::default()
    })
}

/// How many of the latest answers must agree for a trial, all of them.
pub const TRIAL_RUN: u32 = 3;

/// What is lacking beside `more` further answers that agree, each in a session and on a day of its own, when there is
/// then enough to answer on trial: less of everything than to stand, and a bound that is less sure; `None` if there is
/// not. A prior that speaks for the policy does not count: what little evidence there is must be its own.
fn on_trial(
    best: &PolicyScore,
    posterior: Posterior,
    settings: &Suggest,
    more: u32,
) -> Option<Lacks> {
    let least = settings.trial_sessions;
    let [new_sessions, new_days] =
        [best.weighed.sessions, best.weighed.days].map(|known| least.saturating_sub(number(known)));
    let own = Posterior::UNIFORM.after(best.tally).after(best.borrowed);
    let is_sure = |one: Posterior| {
        one.with_agreeing(more)
            .lower_bound(settings.trial_credibility)
            >= settings.trial_agreement
    };
    let is_enough = best.counted + best.borrowed.total() + f64::from(more)
        >= f64::from(settings.trial_answers)
        && new_sessions.max(new_days) <= more
        && run(best).saturating_add(more) >= TRIAL_RUN
        && is_sure(posterior)
        && is_sure(own);
    is_enough.then_some(Lacks {
        answers: more,
        sessions: new_sessions,
        days: new_days,
        crowded: None,
    })
}

/// Why `best` is not proposed at all: what is lacking for a trial, unless it takes less to be automatic, the answers
/// differ, or more than them stands against it, as `automatic` says, the reason why it is not proposed to be automatic.
fn not_proposed(
    key: &KeyEvidence,
    best: &PolicyScore,
    posterior: Posterior,
    rules: &Rules<'_>,
    automatic: Option<Reason>,
) -> Reason {
    let reason = automatic.unwrap_or(Reason::Disagreement);
    let is_shortage = match reason {
        Reason::TooLittle(_) | Reason::RecentDisagreement(_) => true,
        Reason::Disagreement => best.weighed.disagreeing == 0,
        _ => false,
    };
    if !is_shortage || !rules.shows_reasons {
        return reason;
    }
    // So many answers are enough, whatever came before.
    let lacks = (1..=TRIAL_LATEST).find_map(|more| {
        begins_trial(key, best, more)
            .or_else(|| on_trial(best, posterior, rules.settings, number(more)))
    });
    let lacks = lacks.unwrap_or_default();
    match reason.lacks() {
        Some(automatic) if automatic.times() <= lacks.times() => reason,
        _ => shortage(best, TRIAL_LATEST, lacks),
    }
}

/// The median of the person's seconds for `key`, else for all questions.
fn seconds(key: &KeyEvidence, rules: &Rules<'_>) -> Option<f64> {
    let seconds = key.answers.iter().filter_map(|answer| answer.human_seconds);
    median(seconds.collect()).or_else(rules.median_seconds)
}

/// The cost of a wrong answer to `key`.
fn wrong_answer(key: &KeyEvidence, rules: &Rules<'_>) -> WrongAnswer {
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
fn never(key: &KeyEvidence, rules: &Rules<'_>) -> Result<(), Reason> {
    gate::check_key(&key.question_key, rules.registry).map_err(|refusal| match refusal {
        Refusal::Split => Reason::Split,
        Refusal::Registry(_) => {
            Reason::OneWay("always asked by a rule of registry.toml".to_owned())
        }
        Refusal::Act(reason) => Reason::OneWay(format!("always asked ({})", door_words(&reason))),
    })?;
    let several = key
        .answers
        .iter()
        .any(|answer| answer.multi_select && !answer.said_more && answer.labels.len() != 1);
    if several {
        return Err(Reason::SeveralChosen);
    }
    Ok(())
}

/// Whether enough answers agree since the person took one back, also where that was at the moment `elsewhere`.
///
/// # Errors
/// The reason.
pub(super) fn undone(
    key: &KeyEvidence,
    best: &PolicyScore,
    elsewhere: Option<NaiveDateTime>,
) -> Result<(), Reason> {
    let own = key.answers.iter().filter(|one| one.undone.is_some());
    let Some(at) = own.map(|one| one.at).chain(elsewhere).max() else {
        return Ok(());
    };
    let answers = key.answers.iter().zip(&best.verdicts);
    let agree = answers.filter(|(one, verdict)| one.at > at && **verdict == Verdict::Agree);
    let lacks = Lacks {
        answers: u32::try_from(AFTER_UNDO.saturating_sub(agree.count())).unwrap_or_default(),
        ..Lacks::default()
    };
    match lacks.answers {
        0 => Ok(()),
        _ => Err(Reason::Undone(lacks)),
    }
}

/// The answers that are still needed if every further one agrees, each in a sitting of its own; all zero when
/// nothing is, `None` when it would take more than `most` answers.
fn lacks(best: &PolicyScore, posterior: Posterior, settings: &Suggest, most: u32) -> Option<Lacks> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "far below 2^52"
    )]
    let counted = (best.counted + 1e-9) as u32;
    let least = settings
        .min_answers
        .saturating_sub(counted)
        .max(settings.recent_agreeing.saturating_sub(run(best)));
    let sure = |more: &u32| {
        let with_more = posterior.with_agreeing(*more);
        with_more.lower_bound(credibility(best, settings)) >= settings.min_agreement
    };
    let answers = (least..=most.max(least)).find(sure)?;
    Some(Lacks {
        answers,
        sessions: settings
            .min_sessions
            .saturating_sub(number(best.weighed.sessions)),
        days: settings.min_days.saturating_sub(number(best.weighed.days)),
        crowded: best.weighed.crowded.filter(|crowded| {
            // What is lacking for another reason is not explained by it.
            answers > 0 && u64::from(crowded.answers) * 2 >= best.weighed.agreeing as u64
        }),
    })
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// How certain the bound must be (0–1): less so for what was never answered otherwise.
pub(super) fn credibility(best: &PolicyScore, settings: &Suggest) -> f64 {
    if best.weighed.disagreeing == 0 {
        settings.credibility_unbroken
    } else {
        settings.credibility
    }
}

/// That `best` lacks so much, and whether one of its `recent` latest answers is why.
fn shortage(best: &PolicyScore, recent: usize, lacks: Lacks) -> Reason {
    let mut latest = latest(best).take(recent);
    if latest.any(|verdict| *verdict == Verdict::Disagree) {
        Reason::RecentDisagreement(lacks)
    } else {
        Reason::TooLittle(lacks)
    }
}

/// An answer that is added to one time in this many, or more often, is not one to be given for the person.
const ADDS_FEWER_THAN_ONE_IN: usize = 8;

/// True when the person often adds something to the answer.
fn wants_to_add(best: &PolicyScore) -> bool {
    let add = count(&best.verdicts, Verdict::Add);
    let abstained = count(&best.verdicts, Verdict::Abstain);
    add > 0 && add * ADDS_FEWER_THAN_ONE_IN >= best.verdicts.len() - abstained
}

/// How many of the latest answers agree, one after the other.
fn run(best: &PolicyScore) -> u32 {
    let agreeing = latest(best).take_while(|verdict| **verdict == Verdict::Agree);
    u32::try_from(agreeing.count()).unwrap_or(u32::MAX)
}

/// The verdicts on what the policy would have answered, the latest first.
fn latest(best: &PolicyScore) -> impl Iterator<Item = &Verdict> {
    let verdicts = best.verdicts.iter().rev();
    verdicts.filter(|verdict| matches!(**verdict, Verdict::Agree | Verdict::Disagree))
}

/// The same habits in other projects.
pub(super) struct Elsewhere<'a>(HashMap<u64, Vec<&'a Candidate>>);

impl<'a> Elsewhere<'a> {
    pub(super) fn of(candidates: &'a [Candidate]) -> Self {
        let mut by_name: HashMap<u64, Vec<&'a Candidate>> = HashMap::new();
        for one in candidates {
            by_name.entry(one.name).or_default().push(one);
        }
        by_name.retain(|_, same| same.len() > 1);
        Self(by_name)
    }

    pub(super) fn others(&self, candidate: &Candidate) -> Vec<&'a Candidate> {
        let same = self.0.get(&candidate.name).into_iter().flatten().copied();
        let project = &candidate.evidence.project;
        same.filter(|one| one.evidence.project != *project)
            .collect()
    }
}

/// A habit, its best policy, and what is thought of it.
pub(crate) struct JudgedHabit<'a> {
    pub(super) candidate: &'a Candidate,
    /// The same habit in other projects; of one that holds everywhere, in all.
    pub(super) others: Vec<&'a Candidate>,
    pub(crate) best: PolicyScore,
    /// The person's decision about it so far.
    pub(super) in_force: InForce,
    pub(crate) verdict: Result<Judgement, Reason>,
}

impl JudgedHabit<'_> {
    /// How far it is proposed, or stands already.
    pub(super) fn level(&self) -> Option<Level> {
        // A text variant is not proposed in the place of what was taken back.
        let is_undone = matches!(self.verdict, Err(Reason::Undone(_)));
        if self.in_force >= InForce::Standing || is_undone && !self.candidate.is_everywhere() {
            return Some(Level::Standing);
        }
        self.verdict.as_ref().ok().map(|verdict| verdict.level)
    }
}

/// Judges `candidate`, about which the person has decided `in_force`; `others` is the same habit in other
/// projects, or of one that holds everywhere, in all.
pub(crate) fn judge_one<'a>(
    candidate: &'a Candidate,
    others: Vec<&'a Candidate>,
    rules: &Rules<'_>,
    in_force: InForce,
) -> Option<JudgedHabit<'a>> {
    let mut best = candidate.best(rules.person)?;
    let verdict = match in_force >= InForce::Standing {
        true => Err(Reason::PreferenceInForce),
        false => judge_at(&mut best, candidate, &others, rules),
    };
    let verdict = verdict.and_then(|verdict| match in_force.leaves(verdict.level) {
        true => Ok(verdict),
        false => Err(Reason::PreferenceInForce),
    });
    Some(JudgedHabit {
        candidate,
        others,
        best,
        in_force,
        verdict,
    })
}

fn judge_at(
    best: &mut PolicyScore,
    candidate: &Candidate,
    others: &[&Candidate],
    rules: &Rules<'_>,
) -> Result<Judgement, Reason> {
    let (key, person) = (&candidate.evidence, rules.person);
    // Where it held everywhere, it was taken back everywhere.
    let elsewhere = others.iter().flat_map(|one| &one.evidence.answers);
    let elsewhere = elsewhere.filter(|one| one.undone == Some(Scope::Global));
    undone(key, best, elsewhere.map(|one| one.at).max())?;
    if candidate.is_everywhere() {
        let most = level_everywhere(candidate, best, others, person)?;
        let verdict = judge(key, best, person.prior(candidate, others), rules)?;
        return Ok(Judgement {
            level: verdict.level.min(most),
            ..verdict
        });
    }
    if !rules.settings.across_projects {
        return judge(key, best, person.prior(candidate, &[]), rules);
    }
    best.borrowed = borrowed(candidate, others, person);
    let prior = person.prior(candidate, others).after(best.borrowed);
    judge(key, best, prior, rules)
}
