//! `plantune suggest --backtest`: what the proposals would have got right and wrong.

use plantune_query::backtest::{Backtest, backtest};
use plantune_query::permissions::backtest::{self as rules, RuleBacktest};
use plantune_reports::backtest::Document;

use super::Arguments;
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::period;
use crate::workspace::user_files;

/// Replays the history, or that of one `project`, and writes what the proposals would have got right and wrong to
/// standard output.
///
/// # Errors
/// Usage for a day that does not exist; failed when the store cannot be read.
pub(super) fn run(
    arguments: &Arguments,
    project: Option<&str>,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let today = workspace.today()?;
    let since = arguments.since.as_deref();
    let since = since.map(|day| period::date("--since", day, today));
    let since = since.transpose()?;
    let (questions, rules) = match workspace.store()? {
        Some(store) => {
            let settings = &user_files::suggest(&workspace.paths)?;
            let registry = workspace.registry()?;
            let questions = backtest(&store, settings, registry, project, since);
            // With the reaches that `suggest` goes by.
            let own = registry.own_reaches();
            let prompts = workspace.read(store.prompt_history(None))?;
            let rules = rules::backtest(&prompts, settings, own, project, since);
            (workspace.read(questions)?, rules)
        }
        None => {
            let questions = Backtest {
                since,
                ..Backtest::default()
            };
            (questions, RuleBacktest::default())
        }
    };
    let document = Document::new(&questions, &rules);
    terminal::print_document(&document, arguments.json, workspace)
}
