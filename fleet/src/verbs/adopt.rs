//! `plantune fleet adopt`: what nearly everybody answers alike. Taking it over is `plantune`'s part, which has the
//! preferences; it calls this for the evidence.

use chrono::{Days, NaiveDate};
use clap::Args;
use plantune_reports::amount::percent;
use plantune_reports::fleet::{Shown, Starters, answer_in_short, computed};
use plantune_reports::inert;
use plantune_reports::table::{self, Table, number};
use plantune_reports::text::{clean, hanging, shell_word};

use crate::failure::Failure;
use crate::report::starters;
use crate::terminal::print;
use crate::workspace::Workspace;
use plantune_reports::amount::counted;

/// On how many days it rests by default: after so many an answer counts half where proposals are made.
const DAYS: u64 = 180;

/// List what nearly everybody answers alike, and take one over as a preference of yours
///
/// Each machine has one voice, and at least `k` of fleet.toml (5) must agree. With KEY the evidence is shown, and after you
/// have seen the change and said yes it is a preference on trial, on this machine alone, for the question as you
/// were asked it. Nothing is taken over by itself.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The question to take over
    key: Option<String>,
    /// What was answered from this day on [default: 180 days]
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<NaiveDate>,
    /// Everywhere, instead of in one project
    #[arg(long, requires = "key", conflicts_with = "project")]
    global: bool,
    /// The project to take it over for [default: that of the current directory]
    #[arg(long, value_name = "KEY", requires = "key")]
    project: Option<String>,
    /// Do not ask (not in an agent's session)
    #[arg(long, requires = "key")]
    yes: bool,
    /// Read all events, though `prepare` has computed what this needs of them
    #[arg(long)]
    fresh: bool,
    /// Write JSON, for scripts, and take nothing over
    #[arg(long, conflicts_with_all = ["global", "project", "yes"])]
    json: bool,
}

/// Shows starter preferences.
///
/// # Errors
/// Failed for a key that is none; usage where this program is to take one over; those of the lake and the log.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if arguments.key.is_some() && !arguments.json {
        let words = "plantune-fleet has no preferences, and takes nothing over";
        return Err(Failure::usage(words)
            .hint("`plantune fleet adopt KEY` does; add --json to see the evidence alone"));
    }
    let end = workspace.environment.now.date_naive();
    let start = arguments.since.unwrap_or_else(|| {
        let first = end.checked_sub_days(Days::new(DAYS));
        first.unwrap_or(end)
    });
    if start > end {
        let words = format!("--since {start} is in the future");
        return Err(Failure::usage(words).hint("give a day that is over"));
    }
    let (found, lake) = starters(workspace, arguments.fresh, (start, end))?;
    let mut starters = starters::for_this_machine(workspace, found)?;
    if let Some(key) = &arguments.key {
        starters.retain(|Shown { starter, .. }| {
            starter.question_key == *key || starter.label.as_ref() == Some(key)
        });
        if starters.is_empty() {
            let words = format!(
                "{}: nothing that nearly everybody answers alike",
                clean(key)
            );
            return Err(Failure::failed(words).hint("`plantune fleet adopt` lists what is"));
        }
    }
    if arguments.json {
        let document = Starters {
            schema_version: 1,
            period: (start, end).into(),
            k: workspace.config.k,
            starters,
        };
        return print(&inert::json(&document)?);
    }
    let mut text = shown(&starters, start, end, workspace);
    if let Some(line) = computed(&lake) {
        text += &hanging("", "  ", &line, workspace.environment.width);
    }
    print(&text)
}

fn shown(starters: &[Shown], start: NaiveDate, end: NaiveDate, workspace: &Workspace) -> String {
    let width = workspace.environment.width;
    let k = u64::from(workspace.config.k);
    let since = format!("{start} to {end} (UTC)");
    if starters.is_empty() {
        let none = format!(
            "{since}: nothing with a name of its own that at least {} answer alike",
            counted(k, "machine", "machines")
        );
        return hanging("", "  ", &none, width);
    }
    let mut table = Table::of(starters);
    table.add(table::text("question").least(16), |one| {
        &**one
            .starter
            .label
            .as_ref()
            .unwrap_or(&one.starter.question_key)
    });
    table.add(table::text("answer").least(12), |one| {
        answer_in_short(one.starter.answer.as_deref(), &one.starter.answer_hash)
    });
    table.add(number("machines"), |one| {
        format!("{} of {}", one.starter.agreeing, one.starter.machines)
    });
    table.add(number("at least").rank(1), |one| percent(one.at_least));
    table.add(number("answers").rank(2), |one| {
        format!("{} of {}", one.starter.times, one.starter.answers)
    });
    table.add(table::text("here"), |one| {
        one.obstacle.as_deref().unwrap_or("can be adopted")
    });
    let head = format!("What nearly everybody answers alike, {since}, one voice a machine:");
    let mut text = hanging("", "  ", &head, width) + "\n";
    text += &table.lines(width).join("\n");
    text += "\n\n";
    let can = starters.iter().find(|one| one.obstacle.is_none());
    let next = match can {
        Some(one) => format!(
            "Nothing is taken over by itself. To look at one and decide: plantune fleet adopt {}",
            shell_word(&one.starter.question_key)
        ),
        None => "None can be taken over here: a preference is given for a question as you were asked it."
            .to_owned(),
    };
    text + &hanging("", "  ", &clean(&next), width)
}
