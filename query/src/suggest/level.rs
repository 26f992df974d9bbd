//! The levels of a proposal, and what the least of them takes.

use plantune_domain::config::Suggest;
use plantune_domain::cost::QuestionKind;
use serde::Serialize;

use super::candidate::{PolicyScore, window};
use super::policy::{Verdict, count};

plantune_domain::named_enum! {
    /// How far a proposal goes.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Level {
        /// The person answers; the usual answer is shown to them.
        Assist = "assist",
        /// Answered for the person, with many checks, until it has held or one disagrees.
        Trial = "trial",
        /// Answered for the person, with few checks.
        #[default]
        Standing = "standing",
    }
}

impl Level {
    /// What a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Assist => "hint",
            Self::Trial => "trial",
            Self::Standing => "automatic",
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

/// Of so many of the latest answers one may differ, and so many of the very latest may not.
const LATEST: usize = 6;
const LATEST_RUN: u32 = 2;

/// The usual answer is given at least so many times of [`USUAL_OF`].
const USUAL: usize = 3;
const USUAL_OF: usize = 4;

/// True when the person often adds something to the answer.
pub(super) fn wants_to_add(best: &PolicyScore) -> bool {
    let add = count(&best.verdicts, Verdict::Add);
    let abstained = count(&best.verdicts, Verdict::Abstain);
    add > 0 && add * ADDS_FEWER_THAN_ONE_IN >= best.verdicts.len() - abstained
}

/// True when an answer may be shown as the usual one: enough agree, three of four of the latest twenty, all
/// but one of the last few, and most of them are not of one session or one day. To have something to add is no reason against it: the
/// person answers.
pub(super) fn assists(best: &PolicyScore, settings: &Suggest) -> bool {
    let window = window(&best.verdicts);
    let [agree, add, disagree] =
        [Verdict::Agree, Verdict::Add, Verdict::Disagree].map(|one| count(window, one));
    let least = usize::try_from(settings.assist_answers).unwrap_or(usize::MAX);
    let lately = latest(best).take(LATEST);
    let differ = lately.filter(|verdict| **verdict == Verdict::Disagree);
    agree >= least
        && USUAL_OF * (agree + add) >= USUAL * (agree + add + disagree)
        && differ.count() < 2
        && run(best) >= LATEST_RUN
        && !best.weighed.is_burst
}

/// How many of the latest answers agree, one after the other.
pub(super) fn run(best: &PolicyScore) -> u32 {
    let agreeing = latest(best).take_while(|verdict| **verdict == Verdict::Agree);
    u32::try_from(agreeing.count()).unwrap_or(u32::MAX)
}

/// The verdicts on what the policy would have answered, the latest first.
pub(super) fn latest(best: &PolicyScore) -> impl Iterator<Item = &Verdict> {
    let verdicts = best.verdicts.iter().rev();
    verdicts.filter(|verdict| matches!(**verdict, Verdict::Agree | Verdict::Disagree))
}
