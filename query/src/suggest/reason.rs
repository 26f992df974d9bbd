//! Why a key is not proposed.

use std::fmt;

use thiserror::Error;

/// What more it takes, if every further answer agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Answers that agree.
    pub answers: u32,
    /// Sessions in which nothing was counted yet.
    pub sessions: u32,
    /// Days on which nothing was counted yet.
    pub days: u32,
}

/// Why a key is not proposed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// The person has decided about it already.
    #[error("a preference is in force")]
    PreferenceInForce,
    /// An option of a split question: always asked.
    #[error("options of a split question are always asked")]
    Split,
    /// It cannot be taken back; the reason.
    #[error("{0}")]
    OneWay(String),
    /// Several options may be chosen, and were.
    #[error("several options were chosen")]
    SeveralChosen,
    /// No policy would have answered often enough: the options or the recommendation vary.
    #[error("the recommendation or the options change too often to answer by")]
    Abstains,
    /// The answers differ too much.
    #[error("the answers differ too much")]
    Disagreement,
    /// One of the latest answers differed; what it takes from here.
    #[error("a recent answer differed: needs {0}")]
    RecentDisagreement(Lacks),
    /// All well so far, but too few answers, sessions or days.
    #[error("needs {0}")]
    TooLittle(Lacks),
    /// The person took such an answer back; what it takes from there.
    #[error("you took it back: needs {0}")]
    Undone(Lacks),
    /// The person often adds something to the answer, which would be lost.
    #[error("you often add something to this answer")]
    WantsToAdd,
    /// It is answered otherwise in some projects than in others.
    #[error("your projects differ in it")]
    ProjectsDiffer,
    /// Its texts have too little in common to say what an answer would be for.
    #[error("what is asked differs every time, so it is not answered for you")]
    TextsVary,
    /// How long the person takes is not known, so neither is what would be saved.
    #[error("how long answering takes is not known")]
    UnknownTime,
    /// Wrong answers would cost more than is saved.
    #[error("a wrong answer would cost more than is saved")]
    NoBenefit,
}

impl Reason {
    /// The name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PreferenceInForce => "preference_in_force",
            Self::Split => "split",
            Self::OneWay(_) => "one_way",
            Self::SeveralChosen => "several_chosen",
            Self::Abstains => "abstains",
            Self::Disagreement => "disagreement",
            Self::RecentDisagreement(_) => "recent_disagreement",
            Self::TooLittle(_) => "too_little",
            Self::Undone(_) => "undone",
            Self::WantsToAdd => "wants_to_add",
            Self::ProjectsDiffer => "projects_differ",
            Self::TextsVary => "texts_vary",
            Self::UnknownTime => "unknown_time",
            Self::NoBenefit => "no_benefit",
        }
    }

    /// What more it takes, where that would be enough.
    pub fn lacks(&self) -> Option<Lacks> {
        match self {
            Self::RecentDisagreement(lacks) | Self::TooLittle(lacks) | Self::Undone(lacks) => {
                Some(*lacks)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Lacks {
    /// `3 more agreeing answers, on 2 more days, in 1 more session`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // New days and sessions only come with answers.
        let answers = self.answers.max(self.sessions).max(self.days);
        let plural = |count: u32| if count == 1 { "" } else { "s" };
        write!(f, "{answers} more agreeing answer{}", plural(answers))?;
        if self.days > 0 {
            write!(f, ", on {} more day{}", self.days, plural(self.days))?;
        }
        if self.sessions > 0 {
            let sessions = self.sessions;
            write!(f, ", in {sessions} more session{}", plural(sessions))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_reads_as_a_sentence() {
        let lacks = |answers, sessions, days| Lacks {
            answers,
            sessions,
            days,
        };
        assert_eq!(
            lacks(3, 0, 2).to_string(),
            "3 more agreeing answers, on 2 more days"
        );
        assert_eq!(
            lacks(0, 1, 1).to_string(),
            "1 more agreeing answer, on 1 more day, in 1 more session"
        );
        assert_eq!(
            Reason::RecentDisagreement(lacks(4, 0, 0)).to_string(),
            "a recent answer differed: needs 4 more agreeing answers"
        );
    }
}
