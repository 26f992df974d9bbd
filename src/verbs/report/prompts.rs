//! `plantune report --prompts --by asker`: prompts for permission by who was at work.

use chrono::{Days, NaiveDate};
use plantune_query::permissions::prompts::WantedSubjects;
use plantune_query::report::{By, Days as Period};
use plantune_reports::prompts::Groups;

use super::by;
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// How many groups a terminal gets.
const MOST: usize = 40;

/// Lists who was at work when prompts came in the days of `period`, the most frequent first.
///
/// # Errors
/// Usage for what prompts cannot be counted by; failed when the store cannot be read.
pub(super) fn by(
    by: by::Grouping,
    period: Period,
    project: Option<&str>,
    json: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let by = match by {
        by::Grouping::Asker => By::Asker,
        by::Grouping::Framework => By::Framework,
        _ => {
            let fact = "prompts for permission can be counted by asker or framework alone";
            return Err(Failure::usage(fact).hint("or leave --by out: `plantune report --prompts`"));
        }
    };
    let wanted = WantedSubjects {
        by: Some(by),
        days: Some(period),
        project,
        open_from: open_from(workspace)?,
        ..WantedSubjects::default()
    };
    let groups = workspace.ask(|store| store.prompt_subjects(&wanted))?;
    let most = if json { usize::MAX } else { MOST };
    terminal::print_document(&Groups::new(by.as_str(), &groups, most), json, workspace)
}

/// Yesterday: a prompt without a decision from before that was left by everybody.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
pub(super) fn open_from(workspace: &Workspace) -> Result<Option<NaiveDate>, Failure> {
    Ok(workspace.today()?.checked_sub_days(Days::new(1)))
}
