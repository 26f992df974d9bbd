//! The documents of the questions there are.

use plantune_query::questions::{Listed, Occurrence, Unmarked as Family};
use serde::Serialize;

/// Questions with every time that they were asked: `report KEY`.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// One a project.
    pub questions: Vec<Question>,
}

/// The families that a rule could name: `config questions`.
#[derive(Clone, Debug, Serialize)]
pub struct Unmarked {
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
    /// What it is, and how often it was asked.
    #[serde(flatten)]
    pub listed: Listed,
    /// Of a family: its template as a text with `…` for what varies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_text: Option<String>,
    /// Every time, where that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub askings: Option<Vec<Occurrence>>,
}

impl Shown {
    /// The document of some questions and their askings.
    pub fn new(shown: Vec<(Listed, Vec<Occurrence>)>) -> Self {
        let question = |(listed, occurrences): (Listed, Vec<Occurrence>)| Question {
            askings: Some(occurrences),
            ..Question::new(listed)
        };
        Self {
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
            families: families.into_iter().map(family).collect(),
        }
    }
}

impl Question {
    fn new(listed: Listed) -> Self {
        Self {
            template_text: listed.template_text(),
            listed,
            askings: None,
        }
    }
}
