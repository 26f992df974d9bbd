//! The levels of a proposal, and what the least of them takes.

use plantune_domain::config::Suggest;
use plantune_domain::cost::QuestionKind;
use serde::Serialize;

use super::candidate::{PolicyScore, window};
use super::policy::Verdict;

/// How far a proposal goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The person answers; the usual answer is shown to them.
    Assist,
    /// Answered for the person, with many checks, until it has held or one disagrees.
    Trial,
    /// Answered for the person, with few checks.
    #[default]
    Standing,
}

impl Level {
    /// All levels, the least first.
    pub const ALL: [Self; 3] = [Self::Assist, Self::Trial, Self::Standing];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assist => "assist",
            Self::Trial => "trial",
            Self::Standing => "standing",
        }
    }
}

/// What a wrong answer costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswer {
    /// What the question is about.
    pub kind: QuestionKind,
    /// What noticing and undoing a wrong answer takes, in seconds of the person's time.
    pub seconds: f64,
}

/// An answer that is added to one time in this many, or more often, is not one to be given for the person.
const ADDS_FEWER_THAN_ONE_IN: usize = 8;

/// Of three answers, so many must agree for the answer to be the usual one.
const USUAL_OF_THREE: usize = 2;

/// How often the person agrees, adds something and disagrees among `verdicts`.
fn counts<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> (usize, usize, usize) {
    verdicts.fold((0, 0, 0), |(agree, add, disagree), verdict| match verdict {
        Verdict::Agree => (agree + 1, add, disagree),
        Verdict::Add => (agree, add + 1, disagree),
        Verdict::Disagree => (agree, add, disagree + 1),
        Verdict::Abstain => (agree, add, disagree),
    })
}

/// True when the person often adds something to the answer.
pub(super) fn wants_to_add(best: &PolicyScore) -> bool {
    let (agree, add, disagree) = counts(best.verdicts.iter());
    add > 0 && add * ADDS_FEWER_THAN_ONE_IN >= agree + add + disagree
}

/// True when an answer may be shown as the usual one: enough agree, two of three of the latest as expected
/// under a uniform prior (the rule of succession: P. S. Laplace, 1774), and of the latest two not both
/// differ. To have something to add is no reason against it: the person answers.
pub(super) fn assists(best: &PolicyScore, settings: &Suggest) -> bool {
    let (agree, add, disagree) = counts(window(&best.verdicts));
    let differs = |verdict: &&Verdict| **verdict == Verdict::Disagree;
    let least = usize::try_from(settings.assist_answers).unwrap_or(usize::MAX);
    agree >= least
        && 3 * (agree + add + 1) >= USUAL_OF_THREE * (agree + add + disagree + 2)
        && window(&best.verdicts).take(2).filter(differs).count() < 2
}
