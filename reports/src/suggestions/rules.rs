//! Proposed permission rules, and rules that could be narrower, as a part of the document.

use plantune_domain::permissions::{Reach, Rule};
use plantune_query::permissions::proposal::Worth;
use plantune_query::permissions::propose::{Evidence, Proposal, Settings};
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{EVERYWHERE, Level};
use serde::Serialize;

use crate::json::displayed;

/// A permission rule.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RuleProposal<'a> {
    rule: String,
    agent: &'static str,
    subject: &'a str,
    reach: Reach,
    prompts: usize,
    refused: usize,
    /// Null where no wait is known.
    seconds_saved_per_week: Option<f64>,
    also_allows: &'a str,
    /// `trial` or `standing`.
    level: Level,
    settings: Settings,
    /// Null for everywhere.
    project: Option<&'a str>,
    projects: &'a [String],
    /// The folder of the project, null for everywhere.
    folder: Option<&'a str>,
    confidence: f64,
    evidence: &'a Evidence,
    #[serde(rename = "mode")]
    worth: &'a Worth,
}

impl<'a> From<&'a Proposal> for RuleProposal<'a> {
    fn from(one: &'a Proposal) -> Self {
        Self {
            rule: one.name(),
            agent: one.agent,
            subject: &one.subject,
            reach: one.reach,
            prompts: one.prompts,
            refused: one.refused,
            seconds_saved_per_week: one.seconds_saved_per_week,
            also_allows: &one.also_allows,
            level: one.level,
            settings: one.settings,
            project: (one.project != EVERYWHERE).then_some(one.project.as_str()),
            projects: &one.projects,
            folder: (!one.root.is_empty()).then_some(one.root.as_str()),
            confidence: one.confidence,
            evidence: &one.evidence,
            worth: &one.worth,
        }
    }
}

/// A rule of the person's that could be narrower.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TooWide<'a> {
    #[serde(serialize_with = "displayed")]
    rule: &'a Rule,
    instead: Vec<String>,
    /// How many decided prompts it would have spared.
    used: usize,
    never_used: bool,
    file: &'a str,
    /// The nearest dangerous thing that it allows; null where none is known.
    danger: Option<&'a str>,
    /// What is not known, in words.
    unknown: &'static str,
}

impl<'a> From<&'a Tighten> for TooWide<'a> {
    fn from(one: &'a Tighten) -> Self {
        Self {
            rule: &one.rule,
            instead: one.instead.iter().map(Rule::to_string).collect(),
            used: one.used,
            never_used: one.used == 0,
            file: &one.file,
            danger: one.danger.as_deref(),
            unknown: one.unknown(),
        }
    }
}
