//! `plantune fleet report`.

use std::path::PathBuf;

use chrono::{Datelike as _, Days, NaiveDate, Weekday};
use clap::{Args, ValueEnum};
use plantune_reports::inert;

use crate::failure::{Failure, Kind};
use crate::print;
use crate::report::connect::Server;
use crate::report::{Chosen, report, terminal};
use crate::workspace::Workspace;

/// How many weeks are reported on by default, the present one included.
const WEEKS: u64 = 8;

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
    /// What computes it
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// The Spark Connect server of --engine spark [default: connect in fleet.toml]
    #[arg(long, value_name = "sc://HOST:PORT")]
    connect: Option<String>,
    /// How much memory DuckDB may use, such as 4GB or 800MB; the rest goes to the temporary folder [default: most of it]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<String>,
    /// How many questions and askers to list; --json lists them all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Write JSON, for scripts
    #[arg(long)]
    json: bool,
    /// Write what the engine computed to this file, a line of JSON each: to compare engines
    #[arg(long, value_name = "FILE", hide = true)]
    record: Option<PathBuf>,
}

/// What computes reports.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Engine {
    /// DuckDB, on this machine.
    #[default]
    Duckdb,
    /// Apache Spark, or what else speaks Spark Connect.
    Spark,
}

/// Shows the report.
///
/// # Errors
/// Usage for a period that does not exist, and an engine that is not there; refused for another organisation's
/// lake; those of the lake and the engine.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let days = period(arguments, workspace.environment.now.date_naive())?;
    let engine = match arguments.engine {
        Engine::Duckdb => Chosen::DuckDb {
            memory: arguments.memory.clone(),
        },
        Engine::Spark => Chosen::Spark(Server::find(workspace, arguments.connect.as_deref())?),
    };
    let document = report(workspace, &engine, days, arguments.record.as_deref())?;
    if arguments.json {
        return print(&inert::json(&document)?);
    }
    print(&terminal::text(
        &document,
        workspace.environment.width,
        arguments.top,
    ))
}

/// A size as DuckDB reads it.
fn memory(text: &str) -> Result<String, String> {
    let number = text.strip_suffix("GB").or_else(|| text.strip_suffix("MB"));
    match number.and_then(|number| number.parse::<u32>().ok()) {
        Some(number) if number > 0 => Ok(text.to_owned()),
        _ => Err("a size is a whole number of GB or MB, such as 4GB".to_owned()),
    }
}

/// The first and the last day.
fn period(arguments: &Arguments, today: NaiveDate) -> Result<(NaiveDate, NaiveDate), Failure> {
    if let Some(week) = &arguments.week {
        let monday = week.split_once("-W").and_then(|(year, week)| {
            NaiveDate::from_isoywd_opt(year.parse().ok()?, week.parse().ok()?, Weekday::Mon)
        });
        return match monday {
            Some(monday) => Ok((monday, after(monday, 6))),
            None => Err(
                Failure::new(Kind::Usage, format!("--week {week:?} is no ISO week")).hint(
                    "weeks are written 2026-W46 and run from W01 to W52, in some years to W53",
                ),
            ),
        };
    }
    let until = arguments.until.unwrap_or(today);
    let monday = before(today, today.weekday().num_days_from_monday().into());
    let since = arguments
        .since
        .unwrap_or_else(|| before(monday, 7 * (WEEKS - 1)));
    match since <= until {
        true => Ok((since, until)),
        false => Err(Failure::new(
            Kind::Usage,
            format!("--since {since} comes after the last day, {until}"),
        )
        .hint("give the earlier day to --since and the later one to --until")),
    }
}

fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Days::new(days)).unwrap_or(day)
}

fn after(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_add_days(Days::new(days)).unwrap_or(day)
}
