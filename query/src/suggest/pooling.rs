//! One person, many projects: what their answers in some projects say about the next, and when a habit
//! may be proposed for everywhere.

use std::collections::BTreeMap;

use statrs::function::beta::ln_beta;

use super::candidate::{Candidate, Person, PolicyScore};
use super::level::Level;
use super::policy::Verdict;
use super::posterior::Tally;
use super::reason::Reason;

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
/// The projects differ.
pub(super) fn level_everywhere(
    pooled: &Candidate,
    best: &PolicyScore,
    projects: &[&Candidate],
    person: &Person,
) -> Result<Level, Reason> {
    let mut counts: BTreeMap<&str, Tally> = BTreeMap::new();
    let answers = pooled.habit.evidence.answers.iter();
    for (answer, verdict) in answers.zip(&best.verdicts) {
        let of_project = counts.entry(&answer.project).or_default();
        match verdict {
            Verdict::Agree => of_project.agreeing += 1.0,
            Verdict::Disagree => of_project.disagreeing += 1.0,
            Verdict::Add | Verdict::Abstain => {}
        }
    }
    let leading: Vec<u64> = projects.iter().filter_map(|one| one.leading).collect();
    let differs = leading.windows(2).any(|pair| pair.first() != pair.last());
    if differs || counts.len() < 2 || ln_bayes_factor(counts.into_values()) < 0.0 {
        return Err(Reason::ProjectsDiffer);
    }
    let next_agrees = person
        .next_project(pooled)
        .after(Tally {
            agreeing: leading.len().saturating_sub(1) as f64,
            disagreeing: 0.0,
        })
        .mean();
    Ok(match next_agrees {
        sure if sure >= NEXT_AGREES.0 => Level::Standing,
        likely if likely >= NEXT_AGREES.1 => Level::Trial,
        _ => Level::Assist,
    })
}

/// The natural logarithm of the Bayes factor for one share of agreement in all projects, by how many
/// answers agree and disagree in each: B(1 + Σa, 1 + Σd) / Π B(1 + a, 1 + d).
pub(super) fn ln_bayes_factor(counts: impl Iterator<Item = Tally>) -> f64 {
    let ln_beta = |one: Tally| ln_beta(1.0 + one.agreeing, 1.0 + one.disagreeing);
    let (mut all, mut apart) = (Tally::default(), 0.0);
    for one in counts {
        all = all.plus(one);
        apart += ln_beta(one);
    }
    ln_beta(all) - apart
}

/// What a habit borrows from the same one in other projects: a quarter of their answers, for and against,
/// four at most (a power prior: Ibrahim and Chen, "Power prior distributions for regression models",
/// Statistical Science 15 (2000) 46–60), and nothing where one of them is answered otherwise.
pub(super) fn borrowed(candidate: &Candidate, others: &[&Candidate], person: &Person) -> Tally {
    let is_alike = |other: &&Candidate| other.leading == candidate.leading;
    if candidate.leading.is_none() || !others.iter().all(is_alike) {
        return Tally::default();
    }
    let sum = others.iter().filter_map(|other| other.best(person));
    let sum = sum.fold(Tally::default(), |sum, best| sum.plus(best.tally));
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
