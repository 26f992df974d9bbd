//! `plantune suggest --backtest`: what the proposals would have got right and wrong.

use chrono::NaiveDate;
use plantune_query::Store;
use plantune_query::backtest::{Backtest, backtest};
use plantune_query::permissions::backtest::{self as rules, Backtest as RulesBacktest};
use plantune_reports::backtest::{Document, Terminal};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::period;
use crate::workspace::store;
use crate::workspace::user_files;

/// What to replay.
pub(crate) struct Options<'a> {
    /// The first day that counts.
    pub(crate) since: Option<&'a str>,
    /// One project alone, by its key.
    pub(crate) project: Option<&'a str>,
    /// JSON instead of text.
    pub(crate) json: bool,
}

/// Replays the history and writes what the proposals would have got right and wrong to standard output.
///
/// # Errors
/// Usage for a day that does not exist; failed when the store cannot be read.
pub(crate) fn run(options: &Options<'_>, workspace: &Workspace) -> Result<(), Failure> {
    let today = workspace.today()?;
    let since = options.since.map(|day| period::date("--since", day, today));
    let since = since.transpose()?;
    let (found, rules) = match workspace.store()? {
        Some(store) => {
            let questions = backtest(
                &store,
                &user_files::suggest(&workspace.paths)?,
                workspace.registry()?,
                options.project,
                since,
            )
            .map_err(|error| store::failure(&workspace.paths, &error))?;
            (questions, of_rules(&store, workspace, options, since)?)
        }
        None => {
            let questions = Backtest {
                since,
                ..Backtest::default()
            };
            (questions, RulesBacktest::default())
        }
    };
    let document = Document::new(&found, &rules);
    let width = usize::from(workspace.width);
    terminal::print_document(&document, options.json, &Terminal { width })
}

/// Replays the prompts for permission, with the reaches that `suggest` goes by.
fn of_rules(
    history: &Store,
    workspace: &Workspace,
    options: &Options<'_>,
    since: Option<NaiveDate>,
) -> Result<RulesBacktest, Failure> {
    let prompts = history
        .prompt_history(None)
        .map_err(|error| store::failure(&workspace.paths, &error))?;
    let settings = &user_files::suggest(&workspace.paths)?;
    let own = workspace.registry()?.own_reaches();
    Ok(rules::backtest(
        &prompts,
        settings,
        own,
        options.project,
        since,
    ))
}
