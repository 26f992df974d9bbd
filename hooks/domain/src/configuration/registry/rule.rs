//! A rule, and the questions that it recognises.

use serde::Deserialize;

use crate::configuration::pattern::{OptionPatterns, Pattern, folded};
use crate::cost::QuestionKind;
use crate::doors::Door;
use crate::keys::option_set;
use crate::reask::Reask;

/// One rule, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The key of the questions it recognises.
    pub key: String,
    /// Their door, where the person gave one.
    pub door: Option<Door>,
    /// A word of the person's for questions of this kind.
    pub category: Option<String>,
    /// What they are about, by what a wrong answer costs, where the person gave it.
    pub kind: Option<QuestionKind>,
    /// Whether an answer holds for the rest of the session; `None` leaves it to `config.toml`.
    pub reask: Option<Reask>,
    pub(super) text: Option<Pattern>,
    pub(super) header: Option<Pattern>,
    pub(super) options: Option<OptionPatterns>,
    /// A note of the owner's.
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

/// A question as patterns read it.
pub(super) struct Asked {
    text: String,
    header: String,
    labels: Vec<String>,
}

impl Asked {
    pub(super) fn new(text: &str, header: Option<&str>, options: &[String]) -> Self {
        Self {
            text: folded(text),
            header: folded(header.unwrap_or_default()),
            labels: option_set(options),
        }
    }
}

impl Rule {
    /// What the `door_reason` of events begins with for a door from a rule.
    pub const REASON: &str = "registry";

    /// The `door_reason` of events for a door from this rule: `registry`, or `registry: <category>`.
    pub fn reason(&self) -> String {
        match &self.category {
            Some(category) => format!("{}: {category}", Self::REASON),
            None => Self::REASON.to_owned(),
        }
    }

    /// True for a rule that says which questions it recognises, besides those that carry its key.
    pub(super) fn has_patterns(&self) -> bool {
        self.text.is_some() || self.header.is_some() || self.options.is_some()
    }

    /// True when the rule's patterns, of which there must be one, match the question.
    pub(super) fn matches(&self, asked: &Asked) -> bool {
        let fits = |pattern: &Option<Pattern>, text: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(text))
        };
        let labels = self.options.as_ref();
        self.has_patterns()
            && fits(&self.text, &asked.text)
            && fits(&self.header, &asked.header)
            && labels.is_none_or(|patterns| patterns.match_all(&asked.labels))
    }
}
