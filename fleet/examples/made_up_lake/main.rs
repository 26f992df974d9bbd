//! Fills a lake with the events of made-up machines, to measure with: `make fleet-lake` (docs/development/fleet-scale.md).

#![allow(clippy::print_stdout, reason = "a command owns its terminal")]

mod lake;

use std::error::Error;
use std::path::PathBuf;

use chrono::{Days, NaiveDate};
use clap::Parser;
use plantune_domain::clock;

/// Fill an empty lake with events of made-up machines
#[derive(Parser, Debug)]
struct Arguments {
    /// The lake's folder, which `plantune fleet init` made
    lake: PathBuf,
    /// How many events, copies included
    #[arg(long, default_value_t = 50_000_000)]
    events: u64,
    /// How many machines
    #[arg(long, default_value_t = 1_000)]
    machines: u64,
    /// On how many days [default: such that a machine has 200 events a day]
    #[arg(long)]
    days: Option<u64>,
    /// The last of the days [default: yesterday]
    #[arg(long, value_name = "YYYY-MM-DD")]
    last_day: Option<NaiveDate>,
    /// A file of each machine a day, as pushes leave them; else one file a day, as compactions do
    #[arg(long)]
    pushed: bool,
    /// How many threads to use
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// How many megabytes of memory to use
    #[arg(long, default_value_t = 2_000)]
    megabytes: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let yesterday = || clock::now().date_naive().checked_sub_days(Days::new(1));
    let days = || (arguments.events / 200 / arguments.machines.max(1)).max(1);
    let plan = lake::Plan {
        events: arguments.events,
        machines: arguments.machines,
        days: arguments.days.unwrap_or_else(days),
        last_day: arguments
            .last_day
            .or_else(yesterday)
            .ok_or("the calendar ends")?,
        pushed: arguments.pushed,
        threads: arguments.threads,
        megabytes: arguments.megabytes,
    };
    let made = lake::make(&arguments.lake, &plan)?;
    println!("{}", serde_json::to_string_pretty(&made)?);
    Ok(())
}
