//! Why a key is not proposed.

use std::fmt;

use plantune_domain::counted::counted;
use thiserror::Error;

/// Agreeing answers that came close together, so that they count for less than as many on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// How many.
    pub answers: u32,
    /// On how many days, or in how many sessions.
    pub places: u32,
    /// True where it is the days, false where it is the sessions, that hold several of them.
    pub are_days: bool,
}

impl fmt::Display for Crowded {
    /// `24 came on 2 days, which counts for less`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = match self.are_days {
            true => format!("on {}", counted(self.places, "day", "days")),
            false => format!("in {}", counted(self.places, "session", "sessions")),
        };
        write!(f, "{} came {places}, which counts for less", self.answers)
    }
}

/// What more it takes, if every further answer agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Answers that agree.
    pub answers: u32,
    /// Sessions in which nothing was counted yet.
    pub sessions: u32,
    /// Days on which nothing was counted yet.
    pub days: u32,
    /// Why those that there are do not suffice, where they came close together.
    pub crowded: Option<Crowded>,
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
    /// Its texts have no common pattern, and few were agreed to: how many more it takes.
    #[error("its texts have nothing in common: needs {}", counted(*.0, "more text", "more texts"))]
    FewTexts(u32),
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
            Self::FewTexts(_) => "few_texts",
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
        let answers = counted(answers, "more agreeing answer", "more agreeing answers");
        write!(f, "{answers}")?;
        if self.days > 0 {
            write!(f, ", on {}", counted(self.days, "more day", "more days"))?;
        }
        if self.sessions > 0 {
            let sessions = counted(self.sessions, "more session", "more sessions");
            write!(f, ", in {sessions}")?;
        }
        if let Some(crowded) = self.crowded {
            write!(f, ": {crowded}")?;
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
            crowded: None,
        };
        assert_eq!(
            lacks(3, 0, 2).to_string(),
            "3 more agreeing answers, on 2 more days"
        );
        assert_eq!(
            lacks(0, 1, 1).to_string(),
            "1 more agreeing answer, on 1 more day, in 1 more session"
        );
        let crowded = Some(Crowded {
            answers: 24,
            places: 2,
            are_days: true,
        });
        let close_together = Lacks {
            crowded,
            ..lacks(17, 0, 0)
        };
        assert_eq!(
            Reason::TooLittle(close_together).to_string(),
            "needs 17 more agreeing answers: 24 came on 2 days, which counts for less"
        );
        assert_eq!(
            Reason::RecentDisagreement(lacks(4, 0, 0)).to_string(),
            "a recent answer differed: needs 4 more agreeing answers"
        );
    }
}
