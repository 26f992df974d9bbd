//! `plantune report --prompts --by asker`: prompts for permission by who was at work.

use chrono::{Days, NaiveDate};
use plantune_query::permissions::prompts::WantedSubjects;
use plantune_query::report::{By, Days as Period};
use plantune_reports::Format;
use plantune_reports::prompts::{Groups, Terminal};
use serde::Serialize;

use super::by;
use crate::failure::{Failure, Kind};
use crate::terminal;
use crate::workspace::{Workspace, store};

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
            return Err(Failure::new(Kind::Usage, fact)
                .hint("or leave --by out: `plantune report --prompts`"));
        }
    };
    let wanted = WantedSubjects {
        by: Some(by),
        days: Some(period),
        project,
        open_from: open_from(workspace)?,
        ..WantedSubjects::default()
    };
    let groups = match workspace.store()? {
        Some(store) => store
            .prompt_subjects(&wanted)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Vec::new(),
    };
    let most = if json { usize::MAX } else { MOST };
    print(&Groups::new(by.as_str(), &groups, most), json, workspace)
}

/// Prints `document`: as `json`, else for a terminal.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn print<D: Serialize>(
    document: &D,
    json: bool,
    workspace: &Workspace,
) -> Result<(), Failure>
where
    for<'a> Terminal<'a>: Format<D>,
{
    let clock = workspace.clock()?;
    let format = Terminal {
        width: usize::from(workspace.width),
        clock: &clock,
    };
    terminal::print_document(document, json, &format)
}

/// Yesterday: a prompt without a decision from before that was left by everybody.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
pub(super) fn open_from(workspace: &Workspace) -> Result<Option<NaiveDate>, Failure> {
    let today = workspace.now.with_timezone(&workspace.zone()?).date_naive();
    Ok(today.checked_sub_days(Days::new(1)))
}
