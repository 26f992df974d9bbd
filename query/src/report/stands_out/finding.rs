//! Statements about a period, and their figures.

use chrono::NaiveDate;

/// How many statements there are at most.
pub const MOST: usize = 5;

/// How many questions each is about at least.
pub const LEAST_QUESTIONS: u64 = 5;

/// Something that stands out.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How many questions it rests on.
    pub n: u64,
    /// What its rank among others goes by: seconds of the person's time that it is about, a week.
    pub seconds_a_week: f64,
    /// What it says.
    pub says: Says,
}

/// What a finding says, with its figures. `asked` counts questions that were asked in the period, `of` all
/// of these.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// This command, skill or plugin asks most, or this framework.
    AsksMost {
        /// Its name.
        asker: String,
        /// Questions of its own.
        asked: u64,
        /// All.
        of: u64,
        /// The person's time for them.
        seconds: f64,
    },
    /// At least half of the answers to this question were typed.
    OptionsRarelyFit {
        /// The question.
        question: Question,
        /// Answers that were typed.
        typed: u64,
        /// All answers.
        answered: u64,
        /// The person's time for all of them.
        seconds: f64,
    },
    /// Every answer to this question was the recommended one.
    AlwaysRecommended {
        /// The question.
        question: Question,
        /// Answers; all of them followed a recommendation.
        answered: u64,
        /// The person's time for them.
        seconds: f64,
    },
    /// More was asked in this hour of the day than in others.
    BusiestHour {
        /// The hour (0–23) in the person's time zone.
        hour: u32,
        /// Questions in this hour.
        asked: u64,
        /// All.
        of: u64,
        /// In how many hours of the day anything was asked.
        hours: u64,
    },
    /// More was asked on this day than on others.
    BusiestDay {
        /// The day.
        day: NaiveDate,
        /// Questions on this day.
        asked: u64,
        /// All.
        of: u64,
        /// On how many days anything was asked.
        days: u64,
    },
    /// More was asked on this day of the week than on others.
    BusiestWeekday {
        /// The day of the week: 1 is Monday.
        weekday: u32,
        /// Questions on such days.
        asked: u64,
        /// All.
        of: u64,
        /// On how many such days anything was asked.
        days: u64,
        /// On how many days of any kind.
        of_days: u64,
    },
    /// This session was stopped more often than others.
    MostStoppedSession {
        /// The session.
        session_id: String,
        /// Its project.
        project: String,
        /// The day on which it was first stopped.
        day: NaiveDate,
        /// Its questions.
        asked: u64,
        /// All.
        of: u64,
        /// How many sessions were asked anything.
        sessions: u64,
    },
    /// The answers to this question take longer than others.
    LongestWait {
        /// The question.
        question: Question,
        /// Answers whose time is known.
        answers: u64,
        /// Their seconds.
        seconds: f64,
        /// The answers to all other questions.
        other_answers: u64,
        /// Their seconds.
        other_seconds: f64,
    },
    /// More was asked, or less, than in the period before.
    Change {
        /// Questions of the period.
        asked: u64,
        /// Questions of the period before.
        before: u64,
        /// Days of the period that have come.
        days: u64,
        /// Days of the period before.
        days_before: u64,
        /// Which question most of it comes from, with its questions now and before; `None` when no question
        /// makes for a quarter of it.
        cause: Option<(Question, u64, u64)>,
    },
}

/// A question, or a family of them, in a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// The project's key.
    pub project: String,
    /// The key by which it goes today.
    pub question_key: String,
    /// The text, as last asked.
    pub text: String,
}

impl Says {
    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::AsksMost { .. } => "asks_most",
            Self::OptionsRarelyFit { .. } => "options_rarely_fit",
            Self::AlwaysRecommended { .. } => "always_recommended",
            Self::BusiestHour { .. } => "busiest_hour",
            Self::BusiestDay { .. } => "busiest_day",
            Self::BusiestWeekday { .. } => "busiest_weekday",
            Self::MostStoppedSession { .. } => "most_stopped_session",
            Self::LongestWait { .. } => "longest_wait",
            Self::Change { .. } => "change",
        }
    }

    /// The project that its words name, to be called otherwise.
    pub fn project(&mut self) -> Option<&mut String> {
        match self {
            Self::MostStoppedSession { project, .. } => Some(project),
            _ => None,
        }
    }

    /// The question that it is about.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Self::OptionsRarelyFit { question, .. }
            | Self::AlwaysRecommended { question, .. }
            | Self::LongestWait { question, .. } => Some(question),
            Self::Change { cause, .. } => cause.as_ref().map(|(question, _, _)| question),
            _ => None,
        }
    }
}
