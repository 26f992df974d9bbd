//! Proposed permission rules as JSON, beside the suggestions for questions.

use std::io::{self, Write};

use plantune_domain::permissions::Rule;
use plantune_query::permissions::propose::{Evidence, Left, Proposal, Proposals};
use plantune_query::permissions::tighten::Tighten;
use plantune_query::suggest::{EVERYWHERE, Suggestions};
use serde::Serialize;

use crate::inert;
use crate::suggestions_json;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    questions: suggestions_json::Document<'a>,
    permissions: Vec<Entry<'a>>,
    /// How many decided prompts no proposal spares, by why.
    permissions_left: LeftDocument,
    tighten: Vec<TightenDocument<'a>>,
    /// What could not be read, in words.
    notes: &'a [String],
}

#[derive(Serialize)]
struct Entry<'a> {
    rule: String,
    subject: &'a str,
    tier: u32,
    prompts: usize,
    refused: usize,
    /// Null where no wait is known.
    seconds_saved_per_week: Option<f64>,
    also_allows: &'a str,
    /// `trial` or `standing`.
    level: &'static str,
    /// `user` or `local`.
    settings: &'static str,
    /// Null for everywhere.
    project: Option<&'a str>,
    projects: &'a [String],
    /// The folder of the project, null for everywhere.
    folder: Option<&'a str>,
    confidence: f64,
    evidence: EvidenceDocument,
    mode: ModeDocument<'a>,
}

#[derive(Serialize)]
struct ModeDocument<'a> {
    /// The permission mode that the person mostly works in; null where it is not known.
    mode: Option<&'a str>,
    /// False where the rule spares next to nothing there.
    helps: bool,
    note: &'a str,
}

/// What a proposal rests on, as it stands in JSON and in the log.
#[derive(Serialize)]
pub struct EvidenceDocument {
    sessions: usize,
    days: usize,
    imported: usize,
    first: String,
    last: String,
}

impl From<&Evidence> for EvidenceDocument {
    fn from(evidence: &Evidence) -> Self {
        Self {
            sessions: evidence.sessions,
            days: evidence.days,
            imported: evidence.imported,
            first: evidence.first.to_string(),
            last: evidence.last.to_string(),
        }
    }
}

#[derive(Serialize)]
struct LeftDocument {
    beyond: usize,
    no_rule: usize,
    known: usize,
    unsure: usize,
}

impl From<Left> for LeftDocument {
    fn from(left: Left) -> Self {
        Self {
            beyond: left.beyond,
            no_rule: left.no_rule,
            known: left.known,
            unsure: left.unsure,
        }
    }
}

#[derive(Serialize)]
struct TightenDocument<'a> {
    rule: String,
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

/// Writes `questions`, as [`suggestions_json::write`] does, with the permission rules beside them: shares 0–1,
/// seconds as numbers, dates ISO 8601, unknown is null.
///
/// # Errors
/// Those of `out`.
pub fn write(
    questions: &Suggestions,
    found: &Proposals,
    tighten: &[Tighten],
    notes: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = Document {
        questions: suggestions_json::document(questions),
        permissions: found.proposals.iter().map(entry).collect(),
        permissions_left: found.left.into(),
        tighten: tighten.iter().map(tightened).collect(),
        notes,
    };
    out.write_all(inert::json(&document)?.as_bytes())
}

fn entry(one: &Proposal) -> Entry<'_> {
    Entry {
        rule: one.rule.to_string(),
        subject: &one.subject,
        tier: one.tier.number(),
        prompts: one.prompts,
        refused: one.refused,
        seconds_saved_per_week: one.seconds_saved_per_week,
        also_allows: &one.also_allows,
        level: one.level.name(),
        settings: one.settings.name(),
        project: (one.project != EVERYWHERE).then_some(one.project.as_str()),
        projects: &one.projects,
        folder: (!one.root.is_empty()).then_some(one.root.as_str()),
        confidence: one.confidence,
        evidence: (&one.evidence).into(),
        mode: ModeDocument {
            mode: one.worth.mode.as_deref(),
            helps: one.worth.helps,
            note: one.worth.note,
        },
    }
}

fn tightened(one: &Tighten) -> TightenDocument<'_> {
    TightenDocument {
        rule: one.rule.to_string(),
        instead: one.instead.iter().map(Rule::to_string).collect(),
        used: one.used,
        never_used: one.never_used,
        file: &one.file,
        danger: one.danger.as_deref(),
        unknown: one.unknown(),
    }
}
