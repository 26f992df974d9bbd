//! Suggestions as they are shown: what is proposed, what it rests on and costs, and why others are not proposed.

use std::cmp::Reverse;
use std::fmt;

use chrono::NaiveDate;
use plantune_domain::agreement::agreement::{Agreement, Consent};
use plantune_domain::config::QuestionKind;
use plantune_domain::named::counted;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use serde::Serialize;
use thiserror::Error;

use super::posterior::ByLevel;
use crate::habits::EVERYWHERE;
use crate::store::displayed;

/// Counts over the person's answers to one question. Counts are of answers, dates are local days. Serialised, it
/// is what suggestions, preferences and events hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The person's answers to what it covers.
    pub answers: usize,
    /// Of these, those that the policy would have given.
    pub agreed: usize,
    /// Of these, those in which the person named its answer and added something.
    pub added: usize,
    /// Of these, those that were read from transcripts, and not logged by the hook.
    pub imported: usize,
    /// The distinct sessions they come from.
    pub sessions: usize,
    /// The distinct days they come from.
    pub days: usize,
    /// The day of the first answer.
    pub first: Option<NaiveDate>,
    /// The day of the last answer.
    pub last: Option<NaiveDate>,
    /// The day of the last answer that the policy would not have given.
    pub last_disagreement: Option<NaiveDate>,
    /// The label of that answer, as sent; `None` if something else was said.
    #[serde(skip)]
    pub other_answer: Option<String>,
}

/// A question, as last answered. Serialised, it is the beginning of an entry of `suggest --json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LastAsked {
    /// Its key.
    pub question_key: String,
    /// Its name in every verb: its text with `…` for what varies.
    pub name: String,
    /// How the key was found: `marker`, `registry`, `options` or `text`.
    pub key_source: String,
    /// The text, marker removed.
    pub question: String,
    /// The labels as sent.
    pub options: Vec<String>,
    /// The project it was asked in; [`EVERYWHERE`] for all of them.
    #[serde(skip)]
    pub project: String,
    /// The header.
    #[serde(skip)]
    pub header: Option<String>,
    /// The command, skill or plugin that asked last, if known.
    #[serde(skip)]
    pub asker: Option<String>,
}

/// The cost of a wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WrongAnswer {
    /// The kind of the question.
    #[serde(serialize_with = "displayed")]
    pub kind: QuestionKind,
    /// The time that noticing and undoing a wrong answer takes, in seconds of the person's time.
    #[serde(rename = "wrong_answer_seconds")]
    pub seconds: f64,
}

/// A proposal: how to treat this question from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The question.
    pub asked: LastAsked,
    /// How far it goes.
    pub level: Level,
    /// The decision about it so far.
    pub before: PriorDecision,
    /// Of a trial: the reason why it is not proposed to be automatic.
    pub lacks: Option<RejectReason>,
    /// The cost of a wrong answer.
    pub wrong: WrongAnswer,
    /// The projects that the answers come from.
    pub projects: Vec<String>,
    /// The score of each level over these answers alone, gone through in the order of time;
    /// where it was asked for.
    pub hindsight: Option<ByLevel>,
    /// The label to answer with, without its mark; `None` for the recommended one.
    pub answer: Option<String>,
    /// The share (0–1) of askings in which this is what the person would say, at least: the lower
    /// bound of the posterior at the configured credibility.
    pub confidence: f64,
    /// The expected share (0–1).
    pub expected: f64,
    /// The evidence.
    pub evidence: Evidence,
    /// Seconds of the person's time that are spent on it in a week.
    pub seconds_saved_per_week: f64,
    /// How often it is asked in a week.
    pub asked_per_week: f64,
    /// How the person confirms it: never [`Consent::Never`], which is not proposed.
    pub consent: Consent,
    /// What the preference is given for.
    pub agreement: Agreement,
}

impl Suggestion {
    /// Where it holds.
    pub fn scope(&self) -> Scope {
        if self.asked.project == EVERYWHERE {
            Scope::Global
        } else {
            Scope::Project
        }
    }

    /// The project it holds in; `None` everywhere.
    pub fn project(&self) -> Option<&str> {
        (self.scope() == Scope::Project).then_some(&*self.asked.project)
    }

    /// True when it would change something in `project`.
    pub fn concerns(&self, project: &str) -> bool {
        self.projects.iter().any(|one| one == project)
    }
}

/// A question that is not proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The question.
    pub asked: LastAsked,
    /// The answer that came nearest; `None` for the recommended one.
    pub answer: Option<String>,
    /// Why not.
    pub reason: RejectReason,
    /// The evidence.
    pub evidence: Evidence,
}

/// The proposals, the furthest level and the greatest saving first, and the questions without one, the nearest to it first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The proposals.
    pub suggestions: Vec<Suggestion>,
    /// The questions that were looked at and are not proposed.
    pub rejected: Vec<Rejected>,
}

impl LastAsked {
    /// Its project and key.
    pub(super) fn place(&self) -> (String, String) {
        (self.project.clone(), self.question_key.clone())
    }
}

impl Suggestions {
    /// The questions of all of them.
    pub(super) fn all_asked(&mut self) -> impl Iterator<Item = &mut LastAsked> {
        let proposed = self.suggestions.iter_mut().map(|one| &mut one.asked);
        let rejected = self.rejected.iter_mut().map(|one| &mut one.asked);
        proposed.chain(rejected)
    }

    /// Those of `project`, or all of them.
    pub(super) fn of_project(mut self, project: Option<&str>) -> Self {
        let Some(project) = project else {
            return self;
        };
        self.suggestions.retain(|one| one.concerns(project));
        self.rejected.retain(|one| one.asked.project == project);
        self
    }

    /// The order in which they are shown.
    pub(super) fn sort(&mut self) {
        self.suggestions.sort_by(|one, other| {
            (other.level.cmp(&one.level))
                .then_with(|| {
                    other
                        .seconds_saved_per_week
                        .total_cmp(&one.seconds_saved_per_week)
                })
                .then_with(|| one.asked.place().cmp(&other.asked.place()))
        });
        let far = |rejected: &Rejected| {
            let lacks = rejected.reason.lacks();
            lacks.map_or(u32::MAX, |lacks| lacks.times())
        };
        self.rejected.sort_by_cached_key(|rejected| {
            (
                far(rejected),
                Reverse(rejected.evidence.answers),
                rejected.asked.place(),
            )
        });
    }
}

// The preference that a proposal stands for is the same in `suggest --apply` and in the backtest.

impl Suggestion {
    /// The preference, without who set it, and when.
    pub fn preference(&self) -> Preference {
        let asked = &self.asked;
        let mut preference = Preference {
            level: Some(self.level),
            answer: self.answer.clone(),
            key_source: Some(asked.key_source.clone()),
            question: Some(asked.question.clone()),
            header: asked.header.clone(),
            options: Some(asked.options.clone()),
            agreement: Some(self.agreement.clone()),
            ..Preference::of(Policy::NeverAsk)
        };
        if !asked.name.is_empty() {
            preference.set_name(&asked.name);
        }
        preference
    }
}

// Why a question is not proposed, or not to be automatic yet.

/// The person's decision about a question so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PriorDecision {
    /// None.
    #[default]
    None,
    /// To have it answered, and it was stopped: more evidence may have it answered again.
    Stopped,
    /// To have it answered on trial.
    Trial,
    /// To have it answered.
    Standing,
    /// To be asked: nothing is proposed, nor for everywhere.
    AlwaysAsk,
}

impl PriorDecision {
    /// True when a proposal of `level` goes further.
    pub(super) fn leaves(self, level: Level) -> bool {
        match self {
            Self::None => true,
            Self::Stopped | Self::Trial => level > Level::Trial,
            Self::Standing | Self::AlwaysAsk => false,
        }
    }
}

/// Agreeing answers that came close together, so that they count for less than as many on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// How many.
    pub answers: u32,
    /// On how many days, or in how many sessions.
    pub places: u32,
    /// True if it is the days, false if it is the sessions, that hold several of them.
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

/// The answers and days that are still needed, if every further answer agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Answers that agree.
    pub answers: u32,
    /// Sessions in which nothing was counted yet.
    pub sessions: u32,
    /// Days on which nothing was counted yet.
    pub days: u32,
    /// Why the answers so far are not enough, where they came close together.
    pub crowded: Option<Crowded>,
}

/// Why a key is not proposed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RejectReason {
    /// The person has decided about it already.
    #[error("you have decided on it already")]
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
    #[error("the recommendation or the options change too often")]
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
    #[error("you answer differently in different projects")]
    ProjectsDiffer,
    /// Its texts have too little in common to say what an answer would be for.
    #[error("it asks for something different every time")]
    TextsVary,
    /// How long the person takes is not known, so neither is what would be saved.
    #[error("it is not known how long you take to answer")]
    UnknownTime,
    /// Wrong answers would cost more than is saved.
    #[error("a wrong answer would cost you more than it saves")]
    NoBenefit,
}

impl RejectReason {
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

    /// The answers and days that are still needed, where these would be enough.
    pub fn lacks(&self) -> Option<Lacks> {
        match self {
            Self::RecentDisagreement(lacks) | Self::TooLittle(lacks) | Self::Undone(lacks) => {
                Some(*lacks)
            }
            _ => None,
        }
    }
}

impl Lacks {
    /// How many answers it takes: new days and sessions only come with answers.
    pub fn times(&self) -> u32 {
        self.answers.max(self.sessions).max(self.days)
    }
}

impl fmt::Display for Lacks {
    /// `3 more matching answers, on 2 more days, in 1 more session`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers = counted(
            self.times(),
            "more matching answer",
            "more matching answers",
        );
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

/// The words that a one-way act's `reason` was found in, for a person.
pub fn door_words(reason: &str) -> String {
    match reason.split_once(": ") {
        Some(("registry", rule)) => format!("your rule {rule}"),
        Some((_, found)) => found.to_owned(),
        None => format!("\"{reason}\""),
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
            "3 more matching answers, on 2 more days"
        );
        assert_eq!(
            lacks(0, 1, 1).to_string(),
            "1 more matching answer, on 1 more day, in 1 more session"
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
            RejectReason::TooLittle(close_together).to_string(),
            "needs 17 more matching answers: 24 came on 2 days, which counts for less"
        );
        assert_eq!(
            RejectReason::RecentDisagreement(lacks(4, 0, 0)).to_string(),
            "a recent answer differed: needs 4 more matching answers"
        );
    }
}
