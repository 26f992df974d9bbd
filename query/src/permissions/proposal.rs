//! A proposed permission rule: what it is made from, and what it rests on.

use chrono::{NaiveDate, NaiveDateTime};
use plantune_agents::claude_code;
use plantune_domain::config::Suggest;
use plantune_domain::permissions::{OwnReaches, Reach, Rule};
use serde::Serialize;

use super::worth::Worth;
use crate::suggest::Level;

/// A rule that the person has.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownRule {
    /// The rule.
    pub rule: Rule,
    /// What it does.
    pub behaviour: Behaviour,
    /// The project's folder whose settings hold it; `None` for the person's own, which hold everywhere.
    pub root: Option<String>,
    /// The settings file, as it may be shown.
    pub file: String,
}

impl KnownRule {
    /// True where it holds in the project whose folder is `root`.
    pub(crate) fn holds_in(&self, root: &str) -> bool {
        self.root.as_deref().is_none_or(|own| own == root)
    }
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// It lets a call run.
    Allow,
    /// It asks about a call, or refuses it, whatever else allows it.
    Stop,
}

/// What besides the prompts decides.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The word for the agent.
    pub agent: &'static str,
    /// The moment of the run (UTC).
    pub now: NaiveDateTime,
    /// The reaches that the person gave.
    pub own: &'a OwnReaches,
    /// The rules that are there already.
    pub known: &'a [KnownRule],
    /// The permission mode that the person mostly works in, where it is known.
    pub mode: Option<&'a str>,
    /// What a folder of a project holds: of the project's folder and one below it; `None` where that was not looked
    /// at.
    pub holds: &'a dyn Fn(&str, &str) -> Option<Holds>,
}

/// What a folder holds, and a rule for it takes in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// How many files were found.
    pub files: usize,
    /// Some of them, by their path below the folder.
    pub examples: Vec<String>,
    /// One that no rule should take in: a secret, or what a deployment goes by.
    pub sensitive: Option<String>,
}

/// Whose settings a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Settings {
    /// The person's own, in every project.
    User,
    /// The person's, in one project.
    Local,
}

/// What a proposal rests on. Counts are of prompts, dates are local days. Serialised, it is what suggestions and
/// events hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The distinct sessions of what was allowed.
    pub sessions: usize,
    /// Its distinct days.
    pub days: usize,
    /// The prompts that were read from transcripts alone.
    pub imported: usize,
    /// The day of the first prompt.
    pub first: NaiveDate,
    /// The day of the last prompt.
    pub last: NaiveDate,
}

/// A rule that the person could have.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The rule, as Claude Code would have it.
    pub rule: Rule,
    /// The word for the agent whose settings it is for.
    pub agent: &'static str,
    /// What makes its prompts the same.
    pub subject: String,
    /// How far what it was allowed for reaches; never beyond the project.
    pub reach: Reach,
    /// The project; [`EVERYWHERE`] for all of them.
    pub project: String,
    /// The projects that the prompts come from.
    pub projects: Vec<String>,
    /// The folder of the project whose settings it is for, where the last prompt came; empty for everywhere.
    pub root: String,
    /// Whose settings it is for.
    pub settings: Settings,
    /// The decided prompts that it would take part in allowing.
    pub prompts: usize,
    /// Of these, those that the person refused.
    pub refused: usize,
    /// Seconds of waiting that it spares in a week; `None` where no wait is known.
    pub seconds_saved_per_week: Option<f64>,
    /// How many prompts a week it spares.
    pub prompts_per_week: f64,
    /// What it would also allow that was never asked about, in words.
    pub also_allows: String,
    /// How sure the evidence is: on trial or standing.
    pub level: Level,
    /// The share (0–1) of such prompts that the person allows, at least.
    pub confidence: f64,
    /// What it rests on.
    pub evidence: Evidence,
    /// What it is worth in the mode that the person mostly works in.
    pub worth: Worth,
}

impl Proposal {
    /// The rule as it stands in the agent's settings.
    pub fn name(&self) -> String {
        match (&self.rule.content, self.agent == claude_code::NAME) {
            (Some(command), false) => command.clone(),
            _ => self.rule.to_string(),
        }
    }
}

/// What is proposed, and how many prompts are left to the person, by why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposals {
    /// The proposals: the greatest saving first.
    pub proposals: Vec<Proposal>,
    /// What is not proposed.
    pub left: Left,
}

/// The decided prompts that no proposal spares, by the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Left {
    /// They reach beyond the project, or nothing certain is known about them.
    pub beyond: usize,
    /// No rule can be written for them.
    pub no_rule: usize,
    /// Rules that are there allow them, or keep them asked.
    pub known: usize,
    /// The mode that the person mostly works in asks about nothing like it.
    pub mode: usize,
    /// The person refused it, or another of its kind.
    pub refused: usize,
    /// Allowed often, in other words each time.
    pub varied: usize,
    /// Not allowed often enough yet.
    pub unsure: usize,
}
