//! What a report says. Names and meanings are those of `plantune report --json` where there is one.

use serde::Serialize;

/// The report; see docs/fleet.md.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    pub(crate) schema_version: u32,
    pub(crate) period: Period,
    /// Of a group of fewer machines nothing is shown.
    pub(crate) k: u32,
    /// `None` when fewer than k machines are behind it.
    pub(crate) totals: Option<Figures>,
    pub(crate) weeks: Vec<Figures>,
    pub(crate) questions: Vec<Figures>,
    pub(crate) askers: Vec<Figures>,
    pub(crate) session_kinds: Vec<Figures>,
    pub(crate) errors: Vec<Figures>,
    /// `None` when fewer than k machines are behind it.
    pub(crate) permissions: Option<PromptFigures>,
    pub(crate) permissions_by_tool: Vec<PromptFigures>,
    pub(crate) lake: LakeState,
}

/// Both days included.
#[derive(Debug, Serialize)]
pub(crate) struct Period {
    pub(crate) start: chrono::NaiveDate,
    pub(crate) end: chrono::NaiveDate,
    pub(crate) time_zone: &'static str,
}

/// The figures of a group of questions.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    /// The group; `None` for the rest: groups of fewer than k machines, together.
    pub(crate) name: Option<String>,
    /// In clear, where a machine published that.
    pub(crate) label: Option<String>,
    /// How many groups these are: 1 but for the rest.
    pub(crate) groups: u64,
    pub(crate) questions: u64,
    pub(crate) asked: u64,
    pub(crate) answered: u64,
    pub(crate) auto_decided: u64,
    pub(crate) failed: u64,
    pub(crate) dismissed: u64,
    pub(crate) open: u64,
    pub(crate) calls: u64,
    pub(crate) sessions: u64,
    pub(crate) machines: u64,
    pub(crate) projects: u64,
    pub(crate) human_seconds: f64,
    /// Answers that the person was away for, and what passed until they came: no part of `human_seconds`.
    pub(crate) away_answers: u64,
    pub(crate) away_seconds: f64,
    pub(crate) median_seconds: Option<f64>,
    pub(crate) agreement: Option<f64>,
    pub(crate) agreement_n: Option<u64>,
    pub(crate) top_answer: Option<TopAnswer>,
}

/// The answer that was given most often.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TopAnswer {
    /// Its keyed hash, or `(typed)`, `(noted)`.
    pub(crate) hash: String,
    /// In clear, where a machine published that.
    pub(crate) answer: Option<String>,
    pub(crate) times: u64,
    pub(crate) machines: u64,
    /// Of the group's answers.
    pub(crate) share: f64,
}

/// The figures of a group of prompts for permission.
#[derive(Debug, Serialize)]
pub(crate) struct PromptFigures {
    /// The group; `None` for the rest.
    pub(crate) name: Option<String>,
    pub(crate) groups: u64,
    pub(crate) asked: u64,
    pub(crate) granted: u64,
    pub(crate) refused: u64,
    pub(crate) ambiguous: u64,
    pub(crate) open: u64,
    pub(crate) machines: u64,
    pub(crate) projects: u64,
    pub(crate) seconds_waited: f64,
    pub(crate) waits_known: u64,
}

/// What was read.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LakeState {
    pub(crate) address: String,
    pub(crate) files: u64,
    pub(crate) rows: u64,
    pub(crate) events: u64,
    pub(crate) publishers: u64,
    /// Publishers' files that should be there, by their numbers, and are not.
    pub(crate) missing_files: u64,
    pub(crate) skipped: Vec<SkippedFile>,
}

/// A file that was not read.
#[derive(Debug, Serialize)]
pub(crate) struct SkippedFile {
    pub(crate) path: String,
    pub(crate) why: String,
}
