//! `plantune suggest --backtest`: what the proposals would have got right and wrong.

use plantune_query::backtest::{Backtest, backtest};
use plantune_reports::{backtest as text, backtest_json as json};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::period;
use crate::workspace::store;

/// What to replay.
pub(crate) struct Options<'a> {
    /// The first day that counts.
    pub(crate) since: Option<&'a str>,
    /// One project alone, by its key.
    pub(crate) project: Option<&'a str>,
    /// JSON instead of text.
    pub(crate) json: bool,
}

/// Replays the history and writes how the proposals would have fared to standard output.
///
/// # Errors
/// Usage for a day that does not exist; failed when the store cannot be read.
pub(crate) fn run(options: &Options<'_>, workspace: &Workspace) -> Result<(), Failure> {
    let since = options.since.map(|day| period::date("--since", day));
    let since = since.transpose()?;
    let found = match workspace.store()? {
        Some(store) => backtest(
            &store,
            &workspace.config()?.suggest,
            workspace.registry()?,
            options.project,
            since,
        )
        .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Backtest {
            since,
            ..Backtest::default()
        },
    };
    let mut out = Vec::new();
    if options.json {
        json::write(&found, &mut out)?;
    } else {
        text::write(&found, workspace.width, &mut out)?;
    }
    terminal::print_made(&out, options.json)
}
