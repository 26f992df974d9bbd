//! The documents of the questions there are.

use plantune_query::questions::{Listed, Occurrence, Unmarked as Family};
use serde::Serialize;

/// Questions with every time that they were asked: `report KEY`.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    schema_version: u32,
    /// One a project.
    pub questions: Vec<Question>,
}

/// The families that a rule could name: `config questions`.
#[derive(Clone, Debug, Serialize)]
pub struct Unmarked {
    schema_version: u32,
    /// The most frequent first.
    pub families: Vec<UnmarkedFamily>,
}

/// A family with its rule.
#[derive(Clone, Debug, Serialize)]
pub struct UnmarkedFamily {
    /// The family.
    #[serde(flatten)]
    pub question: Question,
    /// What would be written to registry.toml.
    pub rule: String,
    #[serde(skip)]
    pub(crate) family: Family,
}

/// A question: counts as numbers, dates ISO 8601, unknown is null.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The key.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// Of a family: the words that all its texts hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Vec<String>>,
    /// The same as a text with `…` for what varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_text: Option<String>,
    /// The project.
    pub project: String,
    /// The text as last asked.
    pub question: String,
    /// The header as last asked.
    pub header: Option<String>,
    /// The labels as last sent.
    pub options: Vec<String>,
    /// How often it was asked.
    pub asked: u64,
    /// How often the person answered.
    pub answered: u64,
    /// How often a preference answered.
    pub auto_decided: u64,
    /// The day it was last asked.
    pub last: Option<String>,
    /// Every time, where that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub askings: Option<Vec<Asking>>,
}

/// One time that it was asked: times as RFC 3339 in UTC, times in seconds.
#[derive(Clone, Debug, Serialize)]
pub struct Asking {
    pub(super) at: Option<String>,
    pub(super) session_id: String,
    pub(super) session_kind: String,
    pub(super) tool_use_id: String,
    pub(super) question: String,
    pub(super) outcome: String,
    pub(super) answer: Vec<String>,
    pub(super) free_text: Option<String>,
    pub(super) notes: Option<String>,
    pub(super) human_seconds: Option<f64>,
    #[serde(skip)]
    pub(super) day: Option<String>,
}

impl Shown {
    /// The document of some questions and their askings.
    pub fn new(shown: Vec<(Listed, Vec<Occurrence>)>) -> Self {
        let question = |(listed, occurrences): (Listed, Vec<Occurrence>)| Question {
            askings: Some(occurrences.into_iter().map(Asking::new).collect()),
            ..Question::new(listed)
        };
        Self {
            schema_version: 1,
            questions: shown.into_iter().map(question).collect(),
        }
    }
}

impl Unmarked {
    /// The document of some families, each with its rule.
    pub fn new(families: Vec<(Family, String)>) -> Self {
        let family = |(family, rule): (Family, String)| UnmarkedFamily {
            question: Question::new(family.listed.clone()),
            rule,
            family,
        };
        Self {
            schema_version: 1,
            families: families.into_iter().map(family).collect(),
        }
    }
}

impl Question {
    fn new(listed: Listed) -> Self {
        Self {
            template_text: listed.template_text(),
            question_key: listed.question_key,
            key_source: listed.key_source,
            template: listed.template,
            project: listed.project,
            question: listed.question,
            header: listed.header,
            options: listed.options,
            asked: listed.asked,
            answered: listed.answered,
            auto_decided: listed.auto_decided,
            last: listed.last.map(|day| day.to_string()),
            askings: None,
        }
    }
}

impl Asking {
    fn new(occurrence: Occurrence) -> Self {
        let at = |at: chrono::NaiveDateTime| at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        Self {
            at: occurrence.at.map(at),
            session_id: occurrence.session_id,
            session_kind: occurrence.session_kind,
            tool_use_id: occurrence.tool_use_id,
            question: occurrence.question,
            outcome: occurrence.outcome,
            answer: occurrence.labels,
            free_text: occurrence.free_text,
            notes: occurrence.notes,
            human_seconds: occurrence.human_seconds,
            day: occurrence.day.map(|day| day.to_string()),
        }
    }
}
