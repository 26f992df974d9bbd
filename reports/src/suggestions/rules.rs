//! Proposed permission rules, and rules that could be narrower, as a part of the document.

use plantune_domain::permissions::{Reach, Rule};
use plantune_query::permissions::propose::{Evidence, Left, Proposal, Proposals, Settings};
use plantune_query::permissions::tighten::Tighten;
use plantune_query::permissions::worth::Worth;
use plantune_query::suggest::{EVERYWHERE, Level};
use serde::Serialize;

use crate::json::displayed;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Rules<'a> {
    pub(super) permissions: Vec<RuleProposal<'a>>,
    /// How many decided prompts no proposal spares, by why.
    #[serde(rename = "permissions_left")]
    pub(super) left: Left,
    pub(super) tighten: Vec<TooWide<'a>>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(found: &'a Proposals, tighten: &'a [Tighten]) -> Self {
        Self {
            permissions: found.proposals.iter().map(RuleProposal::from).collect(),
            left: found.left,
            tighten: tighten.iter().map(TooWide::from).collect(),
        }
    }
}

/// A permission rule.
#[derive(Clone, Debug, Serialize)]
pub struct RuleProposal<'a> {
    #[serde(serialize_with = "displayed")]
    pub(super) rule: &'a Rule,
    subject: &'a str,
    pub(super) reach: Reach,
    pub(super) prompts: usize,
    pub(super) refused: usize,
    /// Null where no wait is known.
    pub(super) seconds_saved_per_week: Option<f64>,
    pub(super) also_allows: &'a str,
    /// `trial` or `standing`.
    pub(super) level: Level,
    pub(super) settings: Settings,
    /// Null for everywhere.
    project: Option<&'a str>,
    pub(super) projects: &'a [String],
    /// The folder of the project, null for everywhere.
    pub(super) folder: Option<&'a str>,
    pub(super) confidence: f64,
    pub(super) evidence: &'a Evidence,
    #[serde(rename = "mode")]
    pub(super) worth: &'a Worth,
}

impl<'a> From<&'a Proposal> for RuleProposal<'a> {
    fn from(one: &'a Proposal) -> Self {
        Self {
            rule: &one.rule,
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
    pub(super) rule: &'a Rule,
    pub(super) instead: Vec<String>,
    /// How many decided prompts it would have spared.
    pub(super) used: usize,
    never_used: bool,
    pub(super) file: &'a str,
    /// The nearest dangerous thing that it allows; null where none is known.
    pub(super) danger: Option<&'a str>,
    /// What is not known, in words.
    pub(super) unknown: &'static str,
}

impl<'a> From<&'a Tighten> for TooWide<'a> {
    fn from(one: &'a Tighten) -> Self {
        Self {
            rule: &one.rule,
            instead: one.instead.iter().map(Rule::to_string).collect(),
            used: one.used,
            never_used: one.never_used,
            file: &one.file,
            danger: one.danger.as_deref(),
            unknown: one.unknown(),
        }
    }
}
