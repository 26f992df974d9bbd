//! A habit and the score of every policy on it, beside the person's other habits and the same one in other projects.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::suggest::Suggest;
use chrono::NaiveDateTime;
use plantune_domain::agreement::agreement::{Agreement, Given};
use plantune_domain::agreement::look::Look;
use plantune_domain::preferences::Level;
use statrs::function::beta::ln_beta;

use super::policy::{AnswerPolicy, Answers, PolicyVerdict, count};
use super::posterior::{Population, Posterior, Tally, age_weight, median};
use super::spread::{
    Correlation, Distinct, Sitting, Sittings, Weighed, Within, days_between, weigh,
};
use super::suggestions::RejectReason;
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS};
use crate::habits::EVERYWHERE;

/// Over how many of the latest answers a policy's coverage is taken.
const WINDOW: usize = 20;

/// A policy that would have asked more often than one time in this many is not proposed.
const ABSTAINS_AT_MOST_ONE_IN: usize = 5;

/// How often one policy would have answered as the person did.
#[derive(Clone, Debug)]
pub(crate) struct PolicyScore {
    pub(crate) policy: AnswerPolicy,
    /// The evidence; answers that `agreement` does not cover count for nothing.
    pub(crate) weighed: Weighed,
    /// It would have answered at least four fifths of the latest askings.
    pub(super) covers: bool,
    /// What the person agreed to by these answers; `None` for nothing that may be answered.
    pub(super) agreement: Option<Agreement>,
}

/// A habit and the scores of the policies on it, weighed at the moment of its last answer.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) evidence: KeyEvidence,
    /// When its last answer was asked for.
    newest: NaiveDateTime,
    /// The usual answer, in lower case: the most frequent policy, where it is at least two answers and two of three.
    usual: Option<AnswerPolicy>,
    scores: Vec<PolicyScore>,
    half_life_days: f64,
    /// If it is pooled over all projects: the number of each answer's project, 0 for the first.
    projects: Vec<usize>,
}

impl Candidate {
    /// Scores every possible policy on the answers of `evidence`.
    pub(crate) fn of(evidence: KeyEvidence, settings: &Suggest) -> Self {
        let given = &evidence.answers;
        let newest = given.last().map_or(NaiveDateTime::MIN, |answer| answer.at);
        let answers = Answers::of(given);
        let sittings = Sittings::of(given.iter().map(|answer| Sitting::from(&**answer)));
        let score = |policy: &AnswerPolicy| {
            let (verdicts, covers, agreement) = judged(&answers, policy, given);
            PolicyScore {
                policy: policy.clone(),
                weighed: weigh(&sittings, verdicts, newest, settings.half_life_days),
                covers,
                agreement,
            }
        };
        let scores: Vec<PolicyScore> = answers.policies.iter().map(score).collect();
        let projects = match evidence.project.as_str() {
            EVERYWHERE => {
                let mut known = Distinct::default();
                given
                    .iter()
                    .map(|one| known.number(&*one.project))
                    .collect()
            }
            _ => Vec::new(),
        };
        Self {
            projects,
            usual: usual(&scores),
            scores,
            newest,
            half_life_days: settings.half_life_days,
            evidence,
        }
    }

    /// The policy that describes the answers best at the moment that `person` is taken at.
    ///
    /// A policy that would have answered often enough comes first, then the one with the higher expected agreement under a
    /// uniform prior, so that the choice depends on this habit alone. If following and a label score alike, because the
    /// recommendation never moved, the label wins: it gives only an answer that the person has given, while following
    /// would also take a recommendation that they have never seen.
    pub(crate) fn best(&self, person: &PersonPrior) -> Option<PolicyScore> {
        let best = self.chosen(person.reference, person.correlation)?;
        let aged = self.aged(person.reference);
        Some(PolicyScore {
            policy: best.policy.clone(),
            weighed: best.weighed.at(person.correlation, aged),
            covers: best.covers,
            agreement: best.agreement.clone(),
        })
    }

    fn chosen(&self, reference: NaiveDateTime, correlation: Correlation) -> Option<&PolicyScore> {
        let aged = self.aged(reference);
        let agreement = |score: &PolicyScore| {
            let tally = score.weighed.independent(correlation).times(aged);
            Posterior::UNIFORM.after(tally).mean()
        };
        let mut chosen = self.scores.first()?;
        for other in self.scores.iter().skip(1) {
            let better = other.covers.cmp(&chosen.covers);
            let better = better.then(agreement(other).total_cmp(&agreement(chosen)));
            if better.is_gt() || (better.is_eq() && chosen.policy == AnswerPolicy::Follow) {
                chosen = other;
            }
        }
        Some(chosen)
    }

    /// True when it is pooled over all projects.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.evidence.project == EVERYWHERE
    }

    /// How alike the answers of one session are, by the policy that agrees most often.
    fn within(&self) -> Within {
        most_agreeing(&self.scores).map_or_else(Within::default, |most| most.weighed.within)
    }

    /// The factor by which all weights of this habit have shrunk at the moment `reference`; they shrink alike, being
    /// powers of the age.
    fn aged(&self, reference: NaiveDateTime) -> f64 {
        age_weight(days_between(self.newest, reference), self.half_life_days)
    }

    /// The habit's part of the population that priors are taken from.
    fn tally(&self, reference: NaiveDateTime, correlation: Correlation) -> Tally {
        let best = self.chosen(reference, correlation);
        let tally = best.map(|best| best.weighed.for_population(correlation));
        tally.unwrap_or_default().times(self.aged(reference))
    }
}

/// The policy that agrees most often; of equals the last, so that it is not to follow.
fn most_agreeing(scores: &[PolicyScore]) -> Option<&PolicyScore> {
    scores.iter().max_by_key(|score| score.weighed.agreeing)
}

/// The policy that agrees most often, where that is clear; its label in lower case.
fn usual(scores: &[PolicyScore]) -> Option<AnswerPolicy> {
    let most = most_agreeing(scores)?;
    let (agreeing, disagreeing) = (most.weighed.agreeing, most.weighed.disagreeing);
    let is_clear = agreeing >= 2 && agreeing >= 2 * disagreeing;
    is_clear.then(|| match &most.policy {
        AnswerPolicy::Follow => AnswerPolicy::Follow,
        AnswerPolicy::Pin(label) => AnswerPolicy::Pin(label.to_lowercase()),
    })
}

/// The words that an agreement sees of the question of `answer`: it covers those with the same ones alike, as far as the
/// numbers allow it.
fn words(answer: &HumanAnswer) -> (u64, bool) {
    (answer.look().words, answer.is_opened)
}

/// The verdicts of `policy` on the answers `given`, whether it answers often enough, and what was agreed to by them.
fn judged(
    answers: &Answers,
    policy: &AnswerPolicy,
    given: &[Arc<HumanAnswer>],
) -> (Vec<PolicyVerdict>, bool, Option<Agreement>) {
    let mut verdicts = answers.verdicts(policy);
    let latest = verdicts.get(verdicts.len().saturating_sub(WINDOW)..);
    let latest = latest.unwrap_or(&verdicts);
    let covers = count(latest, PolicyVerdict::Abstain) * ABSTAINS_AT_MOST_ONE_IN <= latest.len();
    let agreement = agreement(given, &verdicts);
    let mut known = HashMap::new();
    for (answer, verdict) in given.iter().zip(&mut verdicts) {
        // What the person took back counts against any agreement.
        let mut is_covered = || match &agreement {
            Some(_) if answer.is_held() => false,
            Some(agreement) => {
                let has_words = known.entry(words(answer)).or_insert_with(|| {
                    let follows = policy.answer().is_none();
                    agreement.covers_words(&answer.asking(), follows)
                });
                *has_words && agreement.covers_numbers(answer.look().numbers())
            }
            None => true,
        };
        if answer.undone.is_none() && !is_covered() {
            *verdict = PolicyVerdict::Abstain;
        }
    }
    (verdicts, covers, agreement)
}

/// From how many sessions the same answer to askings with the same words is taken; more would add nothing.
const SESSIONS: usize = 2;

/// What was taken of the same answer to askings with the same words.
#[derive(Default)]
struct Taken<'a> {
    sessions: Vec<&'a str>,
    largest: Option<u64>,
    zero: bool,
}

impl<'a> Taken<'a> {
    /// True if an answer of `session` to a question of this `look` adds something.
    fn takes(&mut self, session: &'a str, look: &Look) -> bool {
        let is_session_new = self.sessions.len() < SESSIONS && !self.sessions.contains(&session);
        let adds = is_session_new || look.largest > self.largest || look.zero && !self.zero;
        if is_session_new {
            self.sessions.push(session);
        }
        self.largest = self.largest.max(look.largest);
        self.zero |= look.zero;
        adds
    }
}

/// What the person agreed to by those of `answers` whose verdict is that they agree; `None` for too few.
fn agreement(answers: &[Arc<HumanAnswer>], verdicts: &[PolicyVerdict]) -> Option<Agreement> {
    let judged = answers.iter().zip(verdicts);
    let agreed = judged.filter(|(_, verdict)| **verdict == PolicyVerdict::Agree);
    let agreed: Vec<(&HumanAnswer, Given<'_>)> = agreed
        .filter_map(|(answer, _)| Some((&**answer, answer.given()?)))
        .collect();
    if agreed.len() < LEAST_ANSWERS {
        return None;
    }
    let mut known: HashMap<_, Taken<'_>> = HashMap::new();
    let mut latest = Vec::new();
    for (answer, given) in agreed.into_iter().rev() {
        let taken = known.entry((words(answer), given.label)).or_default();
        if taken.takes(given.session, answer.look()) {
            latest.push(given);
        }
    }
    latest.reverse();
    Agreement::of(&latest)
}

/// The prior for one habit, from all of a person's habits.
#[derive(Clone, Debug)]
pub(crate) struct PersonPrior {
    population: Population,
    /// The moment that ages are counted from: the newest answer of all, so that nothing grows older while the person is
    /// away; never later than now.
    reference: NaiveDateTime,
    /// How alike the answers of one session are.
    correlation: Correlation,
    /// How alike the projects are, over the habits that stand in several.
    projects: Population,
    /// What each habit adds to `projects`, by its key.
    alike: BTreeMap<String, Tally>,
}

impl PersonPrior {
    /// The person behind `candidates` at the moment `now`.
    pub(crate) fn of<'a>(
        candidates: impl Iterator<Item = &'a Candidate> + Clone,
        now: NaiveDateTime,
    ) -> Self {
        let newest = candidates.clone().map(|one| one.newest).max();
        let reference = newest.map_or(now, |newest| newest.min(now));
        let alike = alike(candidates.clone());
        let within = candidates.clone().map(Candidate::within);
        let correlation = within.fold(Within::default(), Within::plus).correlation();
        Self {
            projects: Population::of(alike.values().copied()),
            alike,
            population: Population::of(candidates.map(|one| one.tally(reference, correlation))),
            reference,
            correlation,
        }
    }

    /// The prior for `candidate`, from the person's habits without itself and without `others`, the same habit in other
    /// projects.
    pub(super) fn prior(&self, candidate: &Candidate, others: &[&Candidate]) -> Posterior {
        let same = others.iter().copied().chain([candidate]);
        // A habit that is pooled over projects is not in the population, but its parts are.
        let same = same.filter(|one| !one.is_everywhere());
        same.fold(self.population, |population, one| {
            population.without(one.tally(self.reference, self.correlation))
        })
        .prior()
    }

    /// The prior for whether the next project agrees with `pooled`, from the habits other than it.
    fn next_project(&self, pooled: &Candidate) -> Posterior {
        let own = self.alike.get(&pooled.evidence.question_key).copied();
        self.projects.without(own.unwrap_or_default()).prior()
    }
}

/// How many projects beside the first agree and disagree on each habit that stands in several, by its key.
fn alike<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> BTreeMap<String, Tally> {
    let mut by_key: BTreeMap<&str, Vec<&AnswerPolicy>> = BTreeMap::new();
    for one in candidates {
        if let Some(usual) = &one.usual {
            let key = one.evidence.question_key.as_str();
            by_key.entry(key).or_default().push(usual);
        }
    }
    by_key.retain(|_, usual| usual.len() > 1);
    let tally = |usual: Vec<&AnswerPolicy>| {
        let times = |one: &&AnswerPolicy| usual.iter().filter(|other| *other == one).count();
        let most = usual.iter().map(times).max().unwrap_or_default();
        #[allow(clippy::cast_precision_loss, reason = "a person has few projects")]
        Tally {
            agreeing: (most - 1) as f64,
            disagreeing: (usual.len() - most) as f64,
        }
    };
    by_key
        .into_iter()
        .map(|(key, usual)| (key.to_owned(), tally(usual)))
        .collect()
}

/// The median answering time over `candidates`, in seconds.
pub(crate) fn median_seconds<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Option<f64> {
    median(
        candidates
            .flat_map(|one| &one.evidence.answers)
            .filter_map(|answer| answer.human_seconds)
            .collect(),
    )
}

/// How likely (0–1) the next project must be expected to agree, for a standing proposal and for a trial.
const NEXT_AGREES: (f64, f64) = (0.9, 0.7);

/// How much an answer of another project counts for this one.
const BORROWED_SHARE: f64 = 0.25;

/// How many answers are borrowed at most.
const MOST_BORROWED: f64 = 4.0;

/// How far the habit `pooled`, which `best` describes, may be proposed for everywhere; `projects` are its
/// parts.
///
/// The projects must not differ: by what is answered most in each, and by the Bayes factor of one share of
/// agreement in all of them against one of its own in each, uniform priors (Kass and Raftery, "Bayes
/// factors", JASA 90 (1995) 773–795), which must not be below 1. How likely the next project agrees is the
/// mean of a beta posterior over projects, its prior being taken from the person's other habits that stand
/// in several (as for answers, [`super::posterior::Population::prior`]).
///
/// # Errors
/// The projects differ, or it is too uncertain that the next one agrees.
pub(super) fn level_everywhere(
    pooled: &Candidate,
    best: &PolicyScore,
    projects: &[&Candidate],
    person: &PersonPrior,
) -> Result<Level, RejectReason> {
    let mut counts: Vec<Tally> = Vec::new();
    for (project, verdict) in pooled.projects.iter().zip(&best.weighed.verdicts) {
        if *project == counts.len() {
            counts.push(Tally::default());
        }
        let Some(of_project) = counts.get_mut(*project) else {
            continue;
        };
        match verdict {
            PolicyVerdict::Agree => of_project.agreeing += 1.0,
            PolicyVerdict::Disagree => of_project.disagreeing += 1.0,
            PolicyVerdict::Add | PolicyVerdict::Abstain => {}
        }
    }
    let usual = projects.iter().filter_map(|one| one.usual.as_ref());
    let usual: Vec<&AnswerPolicy> = usual.collect();
    let differs = usual.windows(2).any(|pair| pair.first() != pair.last());
    if differs || counts.len() < 2 || ln_bayes_factor(counts.into_iter()) < 0.0 {
        return Err(RejectReason::ProjectsDiffer);
    }
    let next_agrees = person
        .next_project(pooled)
        .after(Tally {
            agreeing: usual.len().saturating_sub(1) as f64,
            disagreeing: 0.0,
        })
        .mean();
    match next_agrees {
        sure if sure >= NEXT_AGREES.0 => Ok(Level::Standing),
        likely if likely >= NEXT_AGREES.1 => Ok(Level::Trial),
        _ => Err(RejectReason::ProjectsDiffer),
    }
}

/// The natural logarithm of the Bayes factor for one share of agreement in all projects, by how many
/// answers agree and disagree in each: B(1 + Σa, 1 + Σd) / Π B(1 + a, 1 + d).
fn ln_bayes_factor(counts: impl Iterator<Item = Tally>) -> f64 {
    let ln_beta = |one: Tally| ln_beta(1.0 + one.agreeing, 1.0 + one.disagreeing);
    let (mut all, mut apart) = (Tally::default(), 0.0);
    for one in counts {
        all = all.plus(one);
        apart += ln_beta(one);
    }
    ln_beta(all) - apart
}

/// The evidence that a habit borrows from the same one in other projects: a quarter of their answers, for and against,
/// four at most (a power prior: Ibrahim and Chen, "Power prior distributions for regression models",
/// Statistical Science 15 (2000) 46–60), and nothing if one of them is answered otherwise.
pub(super) fn borrowed(
    candidate: &Candidate,
    others: &[&Candidate],
    person: &PersonPrior,
) -> Tally {
    let is_alike = |other: &&Candidate| other.usual == candidate.usual;
    if candidate.usual.is_none() || !others.iter().all(is_alike) {
        return Tally::default();
    }
    let sum = others.iter().filter_map(|other| other.best(person));
    let sum = sum.fold(Tally::default(), |sum, best| sum.plus(best.weighed.tally));
    let all = sum.total().max(f64::EPSILON);
    sum.times(BORROWED_SHARE.min(MOST_BORROWED / all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bayes_factor_by_hand() {
        let tally = |&(agreeing, disagreeing): &(f64, f64)| Tally {
            agreeing,
            disagreeing,
        };
        let ln = |counts: &[(f64, f64)]| ln_bayes_factor(counts.iter().map(tally));
        // Three and three agree: 1/7 against 1/4 · 1/4.
        assert!((ln(&[(3.0, 0.0), (3.0, 0.0)]) - (16.0_f64 / 7.0).ln()).abs() < 1e-9);
        // Ten of ten and none of ten: 1 / (21 · C(20, 10)) against 1 / 11².
        let other = (121.0_f64 / (21.0 * 184_756.0)).ln();
        assert!((ln(&[(10.0, 0.0), (0.0, 10.0)]) - other).abs() < 1e-9);
        assert!(ln(&[(10.0, 0.0), (7.0, 3.0)]) < 0.0);
        assert!(ln(&[(10.0, 0.0), (9.0, 1.0), (5.0, 0.0)]) > 0.0);
    }
}
