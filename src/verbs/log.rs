//! `plantune log`: what was decided lately.

use clap::Args;
use plantune_query::decisions::{Decision, Wanted};
use plantune_reports::{csv, decisions as text, inert};
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::{Workspace, project};

/// Show what was decided lately: what was answered for you, what you were asked, and why
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Only what was answered for you
    #[arg(long)]
    auto: bool,
    /// How many questions to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Only this project: its key, the end of its key such as owner/repo, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print CSV, for spreadsheets
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    decisions: Vec<Decision>,
}

/// Lists the latest questions, the latest first.
///
/// # Errors
/// Conflict for a configuration that is not understood; failed when the store cannot be read.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let project = project::resolve_any(arguments.project.as_deref(), workspace)?;
    let wanted = Wanted {
        project: project.as_deref(),
        auto_decided: arguments.auto,
        limit: arguments.limit,
        ..Wanted::default()
    };
    let decisions = workspace.decisions(&wanted)?;
    if arguments.json {
        let document = Document {
            schema_version: 1,
            decisions,
        };
        return terminal::print_exactly(&inert::json(&document)?);
    }
    let mut out = Vec::new();
    if arguments.csv {
        csv::write_decisions(&decisions, &mut out)?;
        return terminal::print_made(&out, true);
    }
    let width = usize::from(workspace.width);
    let clock = workspace.clock()?;
    text::write(&decisions, &clock, width, &mut out)?;
    terminal::print(&String::from_utf8_lossy(&out))
}
