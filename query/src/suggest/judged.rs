//! What is thought of one habit: its best policy judged, beside the same habit in other projects and what the
//! person has decided already.

use std::collections::HashMap;

use plantune_domain::preferences::Scope;

use super::candidate::{Candidate, PolicyScore};
use super::inputs::InForce;
use super::judge::{Rules, Verdicts, judge, undone};
use super::level::Level;
use super::opening::Opening;
use super::pooling::{borrowed, level_everywhere};
use super::reason::Reason;
use crate::evidence::LEAST_ANSWERS;

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
        let project = &candidate.habit.evidence.project;
        same.filter(|one| one.habit.evidence.project != *project)
            .collect()
    }
}

/// A habit, its best policy, and what is thought of it.
pub(crate) struct Judged<'a> {
    pub(super) candidate: &'a Candidate,
    /// The same habit in other projects; of one that holds everywhere, in all.
    pub(super) others: Vec<&'a Candidate>,
    /// What opens it, where words alone keep it closed.
    pub(super) opens: Option<Opening>,
    pub(crate) best: PolicyScore,
    /// What the person has decided about it already.
    pub(super) in_force: InForce,
    pub(crate) verdict: Result<Verdicts, Reason>,
}

impl Judged<'_> {
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
) -> Option<Judged<'a>> {
    let mut best = candidate.best(rules.person)?;
    let held = candidate.habit.held.as_ref();
    let closed = held.filter(|held| held.of - held.askings < LEAST_ANSWERS);
    // What the answers would be enough for, were none held.
    let is_ripe = || {
        judge_at(&mut best.clone(), candidate, &others, rules)
            .is_ok_and(|verdict| verdict.level >= Level::Trial)
    };
    let is_asked_for = rules.shows_reasons && in_force == InForce::Nothing;
    let opens = closed
        .filter(|_| is_asked_for)
        .and_then(|_| Opening::of(&candidate.habit.evidence, &best, rules))
        .filter(|_| is_ripe());
    let verdict = if let Some(held) = closed {
        Err(Reason::OneWay(held.to_string()))
    } else if in_force >= InForce::Standing {
        Err(Reason::PreferenceInForce)
    } else {
        judge_at(&mut best, candidate, &others, rules)
    };
    let verdict = verdict.and_then(|verdict| match in_force.leaves(verdict.level) {
        true => Ok(verdict),
        false => Err(Reason::PreferenceInForce),
    });
    Some(Judged {
        candidate,
        others,
        opens,
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
) -> Result<Verdicts, Reason> {
    let (key, person) = (&candidate.habit.evidence, rules.person);
    // Where it held everywhere, it was taken back everywhere.
    let elsewhere = others.iter().flat_map(|one| &one.habit.evidence.answers);
    let elsewhere = elsewhere.filter(|one| one.undone == Some(Scope::Global));
    undone(key, best, elsewhere.map(|one| one.at).max())?;
    if candidate.is_everywhere() {
        let most = level_everywhere(candidate, best, others, person)?;
        let verdict = judge(key, best, person.prior(candidate, others), rules)?;
        return Ok(Verdicts {
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
