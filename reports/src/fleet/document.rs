//! What a report says: the rows of `query/sql/fleet/figures.sql`, `answers.sql` and `alike.sql`, by their names.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// The report; see docs/fleet.md.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// On which days.
    pub period: Period,
    /// Of a group of fewer machines nothing is shown.
    pub k: u32,
    /// The figures, part by part: `total`, `week`, `question`, `asker`, `session kind`, `error`; of prompts for
    /// permission `prompts` and `tool`.
    pub groups: Vec<Group>,
    /// What nobody answers differently.
    pub answered_alike: Vec<Alike>,
    /// What was read.
    pub lake: Lake,
}

impl Document {
    /// The groups of a part, the most frequent first, the rest last.
    pub fn part(&self, part: &str) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.part == part)
    }
}

/// Both days included.
#[derive(Clone, Debug, Serialize)]
pub struct Period {
    /// The first day.
    pub start: NaiveDate,
    /// The last day.
    pub end: NaiveDate,
    /// Whose days they are: `UTC`.
    pub time_zone: &'static str,
}

/// The figures of a group of questions, or of prompts for permission.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Group {
    /// Of which part of the report.
    pub part: String,
    /// The group; `None` for the rest: groups of fewer than k machines, together.
    pub name: Option<String>,
    /// In clear, where a machine published that.
    pub label: Option<String>,
    /// How many groups these are: 1 but for the rest.
    pub groups: u64,
    /// All questions, or prompts.
    pub times: u64,
    /// Answered by a person.
    pub answered: u64,
    /// Decided without one.
    pub auto_decided: u64,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Left without an answer.
    pub dismissed: u64,
    /// Prompts that were allowed.
    pub granted: u64,
    /// Prompts that were refused.
    pub refused: u64,
    /// Prompts of identical calls at once, which cannot be told apart.
    pub ambiguous: u64,
    /// Asked so lately that an answer may still come; prompts of which it is not known how they were decided.
    pub open: u64,
    /// Calls that asked the questions.
    pub calls: u64,
    /// Sessions in which that was.
    pub sessions: u64,
    /// Machines that are behind these figures.
    pub machines: u64,
    /// Projects that are.
    pub projects: u64,
    /// The time that people spent answering, in seconds; that agents waited, as far as it is known.
    pub seconds: f64,
    /// Answers that the person was away for.
    pub away_answers: u64,
    /// What passed until they came, in seconds: no part of `seconds`.
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

/// The answer that was given most often to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TopAnswer {
    /// The question.
    #[serde(skip_serializing)]
    pub name: String,
    /// The answer's keyed hash, or `(typed)`, `(noted)`.
    pub hash: String,
    /// In clear, where a machine published that.
    pub answer: Option<String>,
    /// How often it was given.
    pub times: u64,
    /// By how many machines.
    pub machines: u64,
    /// Of the question's answers (0–1).
    pub share: f64,
}

/// How many machines say the same to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alike {
    /// The question's key, as it is published.
    pub question_key: String,
    /// Its name in clear, where a machine published that.
    pub label: Option<String>,
    /// The answer's keyed hash.
    pub answer_hash: String,
    /// The answer in clear, where a machine published that.
    pub answer: Option<String>,
    /// Machines of which at least three of four answers are this one.
    pub agreeing: u64,
    /// All machines that answered.
    pub machines: u64,
    /// How often this answer was given, of `answers`.
    pub times: u64,
    /// All answers.
    pub answers: u64,
}

/// What was read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lake {
    /// The lake, as configured.
    #[serde(default)]
    pub address: String,
    /// Files that were read: of the days of the report, and some around these.
    #[serde(default)]
    pub files: u64,
    /// Rows in these.
    pub rows: u64,
    /// Machines that pushed them.
    pub machines: u64,
    /// Files that could not be read.
    #[serde(default)]
    pub skipped: Vec<SkippedFile>,
}

/// A file that was not read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SkippedFile {
    /// Its path in the lake.
    pub path: String,
    /// Why it was not read.
    pub why: String,
}
