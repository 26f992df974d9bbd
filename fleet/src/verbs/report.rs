//! `plantune fleet report`.

use std::path::{Path, PathBuf};

use chrono::{Datelike as _, Days, NaiveDate, Weekday};
use clap::Args;
use plantune_reports::fleet::{markdown, show};
use plantune_reports::output::{self, opener};
use plantune_reports::terminal::Terminal;
use plantune_reports::text::clean;
use plantune_reports::{csv, html, inert};

use super::EngineArguments;
use crate::failure::{Failure, Kind};
use crate::report::report;
use crate::terminal::{print, print_exactly, say};
use crate::workspace::Workspace;

/// How many weeks are reported on by default, the present one included.
const WEEKS: u64 = 8;

/// Where the page is written without a name for it.
const PAGE: &str = "plantune-fleet-report.html";

/// Show the organisation's figures: questions, who asks, who answers, and what it costs
///
/// On the last eight ISO weeks by default. Days are those of UTC. Of a group of fewer machines than `k` in
/// fleet.toml (5) nothing is shown.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// This ISO week, such as 2026-W46
    #[arg(long, value_name = "WEEK", conflicts_with_all = ["since", "until"])]
    week: Option<String>,
    /// From this day on
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<NaiveDate>,
    /// Up to this day, which is included
    #[arg(long, value_name = "YYYY-MM-DD", requires = "since")]
    until: Option<NaiveDate>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Read all events, though `prepare` has computed what the report needs of them
    #[arg(long)]
    fresh: bool,
    /// How many questions and askers to list; --json and --csv list them all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Write JSON, for scripts
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write Markdown, for documents
    #[arg(long)]
    markdown: bool,
    /// Write the questions as CSV, for spreadsheets; all of them
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    csv: bool,
    /// Write a page for a browser, in one file [default: plantune-fleet-report.html]; - for standard output
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        default_missing_value = PAGE,
        conflicts_with_all = ["json", "markdown", "csv"]
    )]
    html: Option<PathBuf>,
    /// Open the page that was written
    #[arg(long, requires = "html")]
    open: bool,
    /// Replace a file that is no page of plantune's
    #[arg(long, requires = "html")]
    force: bool,
    /// Write what the engine computed to this file, a line of JSON each: to compare engines
    #[arg(long, value_name = "FILE", hide = true)]
    record: Option<PathBuf>,
}

/// Shows the report.
///
/// # Errors
/// Usage for a period that does not exist, and an engine that is not there; refused for another organisation's
/// lake; those of the lake and the engine.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let days = period(arguments, workspace.environment.now.date_naive())?;
    let engine = arguments.engine.chosen(workspace)?;
    let record = arguments.record.as_deref();
    let document = report(workspace, &engine, arguments.fresh, days, record)?;
    let top = arguments.top;
    let text = if arguments.json {
        inert::document(&document)?
    } else if arguments.markdown {
        markdown(&document, top)
    } else if arguments.csv {
        csv::fleet(&document)?
    } else if arguments.html.is_some() {
        html::fleet_page(&document, top)
    } else {
        let mut out = Terminal::new(workspace.environment.width, false);
        show(&document, top, &mut out);
        out.into_text()
    };
    match &arguments.html {
        Some(path) if path != Path::new("-") => put(&text, path, arguments),
        None if !arguments.csv => print(&text),
        // As it is: its line ends belong to the format.
        _ => print_exactly(&text),
    }
}

/// Puts the page where it is to be, says where that is, and opens it.
fn put(page: &str, path: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let path = html::put(page, path, arguments.force).map_err(|error| {
        let kind = match error {
            output::Error::NoFile(_) => Kind::Usage,
            output::Error::Link(_) | output::Error::NotOurs(_) => Kind::Refused,
            output::Error::Io(..) => Kind::Failed,
        };
        Failure::new(kind, &error).hint(error.remedy())
    })?;
    let shown = clean(&path.to_string_lossy());
    print(&format!("Wrote {shown}\n"))?;
    if arguments.open
        && let Err(why) = opener::open(&path)
    {
        let why = clean(&why);
        say(&format!(
            "plantune fleet: the page could not be opened ({why}); open this file in a browser:\n{shown}\n"
        ));
    }
    Ok(())
}

/// The first and the last day.
fn period(arguments: &Arguments, today: NaiveDate) -> Result<(NaiveDate, NaiveDate), Failure> {
    if let Some(week) = &arguments.week {
        let monday = week.split_once("-W").and_then(|(year, week)| {
            NaiveDate::from_isoywd_opt(year.parse().ok()?, week.parse().ok()?, Weekday::Mon)
        });
        return match monday {
            Some(monday) => Ok((monday, after(monday, 6))),
            None => Err(Failure::usage(format!("--week {week:?} is no ISO week"))
                .hint("weeks are written 2026-W46 and run from W01 to W52, in some years to W53")),
        };
    }
    let until = arguments.until.unwrap_or(today);
    let monday = before(today, today.weekday().num_days_from_monday().into());
    let since = arguments
        .since
        .unwrap_or_else(|| before(monday, 7 * (WEEKS - 1)));
    match since <= until {
        true => Ok((since, until)),
        false => Err(
            Failure::usage(format!("--since {since} comes after the last day, {until}"))
                .hint("give the earlier day to --since and the later one to --until"),
        ),
    }
}

fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Days::new(days)).unwrap_or(day)
}

fn after(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_add_days(Days::new(days)).unwrap_or(day)
}
