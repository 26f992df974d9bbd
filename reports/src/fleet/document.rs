//! What a report says. Names and meanings are those of `plantune report --json` where there is one.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// The report; see docs/fleet.md.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// On which days.
    pub period: Period,
    /// Of a group of fewer machines nothing is shown.
    pub k: u32,
    /// `None` when fewer than k machines are behind it.
    pub totals: Option<Figures>,
    /// By ISO week, in order.
    pub weeks: Vec<Figures>,
    /// By question key, the most frequent first.
    pub questions: Vec<Figures>,
    /// By who asks: a skill or plugin.
    pub askers: Vec<Figures>,
    /// By the kind of session.
    pub session_kinds: Vec<Figures>,
    /// What failed, by what went wrong.
    pub errors: Vec<Figures>,
    /// For the authors of askers: what nobody answers differently.
    pub answered_alike: Vec<Advice>,
    /// `None` when fewer than k machines are behind it.
    pub permissions: Option<PromptFigures>,
    /// Prompts for permission by the tool that they were about.
    pub permissions_by_tool: Vec<PromptFigures>,
    /// What was read.
    pub lake: LakeState,
}

/// Both days included.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Period {
    /// The first day.
    pub start: NaiveDate,
    /// The last day.
    pub end: NaiveDate,
    /// Whose days they are: `UTC`.
    pub time_zone: String,
}

impl From<(NaiveDate, NaiveDate)> for Period {
    fn from((start, end): (NaiveDate, NaiveDate)) -> Self {
        let time_zone = "UTC".to_owned();
        Self {
            start,
            end,
            time_zone,
        }
    }
}

/// The figures of a group of questions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Figures {
    /// The group; `None` for the rest: groups of fewer than k machines, together.
    pub name: Option<String>,
    /// In clear, where a machine published that.
    pub label: Option<String>,
    /// How many groups these are: 1 but for the rest.
    pub groups: u64,
    /// All questions.
    pub questions: u64,
    /// Asked of a person.
    pub asked: u64,
    /// Answered by one.
    pub answered: u64,
    /// Decided without one.
    pub auto_decided: u64,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Left without an answer.
    pub dismissed: u64,
    /// Asked so lately that an answer may still come.
    pub open: u64,
    /// Calls that asked them.
    pub calls: u64,
    /// Sessions in which that was.
    pub sessions: u64,
    /// Machines that are behind these figures.
    pub machines: u64,
    /// Projects that are.
    pub projects: u64,
    /// The time that people spent answering, in seconds.
    pub human_seconds: f64,
    /// Answers that the person was away for.
    pub away_answers: u64,
    /// What passed until they came, in seconds: no part of `human_seconds`.
    pub away_seconds: f64,
    /// Half of the answers took at most so long, in seconds; `None` for fewer than k machines.
    pub median_seconds: Option<f64>,
    /// The share (0–1) of answers that were the recommended one; `None` for fewer than k machines.
    pub agreement: Option<f64>,
    /// Of how many answers.
    pub agreement_n: Option<u64>,
    /// Of a question: the answer that was given most often, where k machines gave it.
    #[serde(skip_deserializing)]
    pub top_answer: Option<TopAnswer>,
}

/// The answer that was given most often.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TopAnswer {
    /// Its keyed hash, or `(typed)`, `(noted)`.
    pub hash: String,
    /// In clear, where a machine published that.
    pub answer: Option<String>,
    /// How often it was given.
    pub times: u64,
    /// By how many machines.
    pub machines: u64,
    /// Of the group's answers (0–1).
    pub share: f64,
}

/// A question that nobody answers differently, and who asks it.
#[derive(Clone, Debug, Serialize)]
pub struct Advice {
    /// The skill or plugin that asks.
    pub asker: String,
    /// The question's key.
    pub question_key: String,
    /// Its name in clear, where a machine published that.
    pub label: Option<String>,
    /// The answer's keyed hash.
    pub answer_hash: String,
    /// The answer in clear, where a machine published that.
    pub answer: Option<String>,
    /// How many machines answered it, and all of them so.
    pub machines: u64,
    /// All answers.
    pub answers: u64,
    /// The share (0–1) of these that are this one.
    pub agreement: f64,
    /// The time that people spent answering it, in seconds.
    pub human_seconds: f64,
}

/// The figures of a group of prompts for permission.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PromptFigures {
    /// The group; `None` for the rest.
    pub name: Option<String>,
    /// How many groups these are: 1 but for the rest.
    pub groups: u64,
    /// All prompts.
    pub asked: u64,
    /// Allowed.
    pub granted: u64,
    /// Refused.
    pub refused: u64,
    /// Identical calls at once, which cannot be told apart.
    pub ambiguous: u64,
    /// Of which it is not known how they were decided.
    pub open: u64,
    /// Machines that are behind these figures.
    pub machines: u64,
    /// Projects that are.
    pub projects: u64,
    /// How long agents waited, in seconds, as far as it is known.
    pub seconds_waited: f64,
    /// Of how many prompts it is.
    pub waits_known: u64,
}

/// What was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LakeState {
    /// The lake, as configured.
    pub address: String,
    /// Files that were read.
    pub files: u64,
    /// Rows in these.
    pub rows: u64,
    /// Events in these, each once.
    pub events: u64,
    /// Machines that published them.
    pub publishers: u64,
    /// Publishers' files that should be there, by their numbers, and are not.
    pub missing_files: u64,
    /// Files that were not read.
    pub skipped: Vec<SkippedFile>,
    /// When that was, where the report rests on a projection (`plantune fleet prepare`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed_at: Option<String>,
    /// How many of the publishers' files have come since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_since: Option<u64>,
    /// Why the newest projection was not used, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_used: Option<String>,
}

/// A file that was not read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SkippedFile {
    /// Its path in the lake.
    pub path: String,
    /// Why it was not read.
    pub why: String,
}
