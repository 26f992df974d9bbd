//! One preference: its policy, where it holds, and where it came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::family;
use crate::named::named_enum;

/// The version of the file format.
pub const VERSION: u32 = 1;

named_enum! {
    /// What a preference does.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Policy {
        /// Ask, whatever other preferences there are.
        AlwaysAsk = "always-ask",
        /// Answer for the person.
        NeverAsk = "never-ask",
        /// Answer for the person unless the question turns out one-way.
        AskOnlyForOneWay = "ask-only-for-one-way",
    }
}

named_enum! {
    /// Where a preference holds.
    pub enum Scope {
        /// In one project.
        Project = "project",
        /// Everywhere.
        Global = "global",
    }
}

/// One preference, with where it came from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preference {
    /// Its policy.
    pub preference: Policy,
    /// The label to answer with; the recommended option when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How the key was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_source: Option<String>,
    /// The question as last seen when this was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Its header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// Of a family: the words that the text must hold, in order; without them it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Vec<String>>,
    /// When it was set (RFC 3339, UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_at: Option<String>,
    /// What set it: `suggest` or `prefs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_by: Option<String>,
    /// The evidence at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<serde_json::Value>,
    /// Of a family: the key that it was found under, when its option set was looked for.
    #[serde(skip)]
    pub key: Option<String>,
    /// What a newer version wrote.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

impl Preference {
    /// True when a question with this `text` is one that the person decided about: always, but for
    /// families.
    pub fn fits(&self, text: &str) -> bool {
        self.template
            .as_ref()
            .is_none_or(|template| family::fits(template, text))
    }
}
