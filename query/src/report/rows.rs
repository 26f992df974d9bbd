//! What a report is made of, as the store gives it. The names of the serialised fields
//! are those of `report --json` (docs/json.md) and are frozen.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::askers::{AsksMost, RejectedCalls};
use super::renamed::Renamed;
use super::timeline::Timeline;
use crate::permissions::prompts::Permissions;
use crate::rows::{json, utc};

/// The sums of a period.
///
/// `questions` = `asked` + `auto_decided`; `asked` = `answered` + `failed` + `dismissed` + `open`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// All questions.
    pub questions: u64,
    /// Asked of the person.
    pub asked: u64,
    /// Answered by the person.
    pub answered: u64,
    /// Decided without the person.
    pub auto_decided: u64,
    /// By what.
    pub auto_decided_by: DecidedBy,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Asked, and left without an answer.
    pub dismissed: u64,
    /// Asked so lately that an answer may still come.
    pub open: u64,
    /// Tool calls, of one to four questions each.
    pub calls: u64,
    /// Distinct sessions that had a question.
    pub sessions: u64,
    /// The time that the person spent answering, in seconds: from question to answer, a call's questions
    /// together counted once; what they were away for is left out.
    pub human_seconds: f64,
    /// The answers that took longer than [`Report::away_after_seconds`]: the person was away.
    pub away_answers: u64,
    /// The time until these, in seconds.
    pub away_seconds: f64,
    /// The time that agents stood waiting for an answer, in seconds; each session's by itself.
    pub waiting_seconds: f64,
    /// Of it, in seconds, the waits that were longer than [`Report::away_after_seconds`].
    pub waiting_away_seconds: f64,
    /// The person's time that this spared, in seconds.
    pub seconds_saved: f64,
}

/// What decided without the person; the sum is `auto_decided`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DecidedBy {
    /// Answered by a preference.
    pub preferences: u64,
    /// Answered as the person had answered earlier in the session.
    pub session: u64,
    /// Answered by the person's reviewer.
    pub reviewer: u64,
    /// Turned down by the person's reviewer: nobody answered.
    pub turned_down: u64,
    /// Answered as recommended, because the person was away.
    pub away: u64,
}

/// One question key in one project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionCounts {
    /// What makes it the same question over time.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// Of a family: the words that all its texts hold, in their order.
    #[serde(skip_deserializing)]
    pub template: Option<Vec<String>>,
    /// The same as a text with `…` for what varies.
    #[serde(skip_deserializing)]
    pub template_text: Option<String>,
    /// What it is called in every verb: its text with `…` for what varies.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The project's key.
    pub project: String,
    /// The text, as last asked in the period.
    pub question: String,
    /// The header, as last asked.
    pub header: Option<String>,
    /// The option labels, as last asked.
    #[serde(deserialize_with = "json")]
    pub options: Option<Vec<String>>,
    /// `one-way` or `two-way`.
    pub door: String,
    /// Asked of the person.
    pub asked: u64,
    /// Answered by the person.
    pub answered: u64,
    /// Decided without the person.
    pub auto_decided: u64,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Asked, and left without an answer.
    pub dismissed: u64,
    /// The share (0–1) of the person's answers that took the recommendation; `None` when none had
    /// one to take.
    pub agreement: Option<f64>,
    /// The answers `agreement` is a share of: those to a question with a recommendation.
    pub agreement_n: u64,
    /// The median of the person's time for an answer, in seconds, what they were away for left out; `None`
    /// without answers.
    pub median_seconds: Option<f64>,
    /// The label the person chose most often; `(typed)` for free text.
    pub top_answer: Option<String>,
    /// The share (0–1) of the person's answers that held it.
    pub top_answer_share: Option<f64>,
    /// When it was last asked.
    #[serde(with = "utc")]
    pub last_at: DateTime<Utc>,
    /// How often it came up in each part of the timeline; empty where that was not asked for.
    #[serde(skip_deserializing)]
    pub over_time: Vec<u64>,
    /// The person's answers in the period, the most frequent first; empty where that was not asked for.
    #[serde(skip_deserializing)]
    pub answers: Vec<AnswerCount>,
}

/// An answer and how often the person gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerCount {
    /// The label without marks, or `(typed)` or `(noted)`.
    pub answer: String,
    /// How often.
    pub times: u64,
}

/// One session kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionKindCounts {
    /// `interactive`, `headless` or `spawned`.
    pub session_kind: String,
    /// Distinct sessions that had a question.
    pub sessions: u64,
    /// All questions.
    pub questions: u64,
    /// Asked of the person.
    pub asked: u64,
    /// Answered by the person.
    pub answered: u64,
    /// Decided without the person.
    pub auto_decided: u64,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Asked, and left without an answer.
    pub dismissed: u64,
}

/// One kind of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorKind {
    /// The kind's name.
    pub error_kind: String,
    /// How often.
    pub times: u64,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// After how many seconds without an answer the person is held to be away.
    pub away_after_seconds: f64,
    /// The period's sums.
    pub totals: Totals,
    /// The day of the first question, where that lies in the middle of the period before: then that is none to
    /// compare with.
    pub history_begins: Option<NaiveDate>,
    /// The sums of the period before; zeros when it had no question.
    pub previous: Totals,
    /// The period in parts.
    pub timeline: Timeline,
    /// Who asks most, where that is worth a sentence.
    #[serde(skip)]
    pub asks_most: Option<AsksMost>,
    /// Whose calls Claude Code rejected, likewise.
    #[serde(skip)]
    pub rejected_calls: Option<RejectedCalls>,
    /// The period's questions, the most frequent first.
    pub questions: Vec<QuestionCounts>,
    /// How many questions the period has, those that were not listed included.
    #[serde(skip)]
    pub question_keys: u64,
    /// Of these, how many came up once.
    pub asked_once: u64,
    /// What the period's questions are called, where that is not what they were logged as.
    #[serde(skip)]
    pub renamed: Renamed,
    /// By session kind, the most frequent first.
    pub session_kinds: Vec<SessionKindCounts>,
    /// By kind of failure, the most frequent first.
    pub errors: Vec<ErrorKind>,
    /// Lines of the period that could not become events.
    pub quarantined: u64,
    /// The last day with a question or a prompt for permission, looked up only when the period has none.
    #[serde(skip)]
    pub last_day: Option<NaiveDate>,
    /// The period's prompts for permission; zeros when none was ever logged.
    pub permissions: Permissions,
    /// True when anything about permissions was ever logged.
    #[serde(skip)]
    pub has_permissions: bool,
}
