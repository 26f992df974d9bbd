//! `plantune fleet report`: the organisation's figures, and what else follows from the views over a lake.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::{Datelike as _, Days, NaiveDate, NaiveTime, Weekday};
use clap::{Args, ValueEnum};
use plantune_domain::config::Suggest;
use plantune_domain::keys::is_split;
use plantune_query::fleet::{ALIKE, ANSWERS, CONTENTS, FIGURES, SETTINGS, VIEWS};
use plantune_query::suggest::Voices;
use plantune_reports::csv;
use plantune_reports::fleet::{
    self, Alike, Document, Group, Period, SkippedFile, TopAnswer, markdown,
};
use plantune_reports::inert;
use plantune_reports::terminal::Terminal;

use super::engine::{DuckDb, Engine, found};
use super::lake::{Lake, Stored};
use super::member::Member;
use crate::failure::Failure;
use crate::terminal::{print, print_exactly};
use crate::workspace::{Workspace, user_files};

/// How many weeks are reported on by default, the present one included.
const WEEKS: u64 = 8;

/// How many days before and after those of a report are read: a question that waited longer for its answer counts on the
/// day of the answer.
const MARGIN: u64 = 7;

/// What DuckDB says where it is no file's fault.
const LACKS_ROOM: [&str; 3] = ["Out of Memory Error", "No space left", "Could not write"];

/// The parts of a report.
const PARTS: [&str; 8] = [
    "total",
    "week",
    "question",
    "asker",
    "session kind",
    "error",
    "prompts",
    "tool",
];

/// Show the organisation's figures: questions, who asks, who answers, and what it costs
///
/// On the last eight ISO weeks by default. Days are those of UTC. Of a group of fewer machines than `k` in
/// fleet.toml (5) nothing is shown.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// This ISO week, such as 2026-W46
    #[arg(long, value_name = "WEEK", value_parser = week, conflicts_with_all = ["since", "until"])]
    week: Option<NaiveDate>,
    /// From this day on
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<NaiveDate>,
    /// Up to this day, which is included
    #[arg(long, value_name = "YYYY-MM-DD", requires = "since")]
    until: Option<NaiveDate>,
    /// Another lake than that of fleet.toml, such as one of merged files
    #[arg(long, value_name = "LAKE")]
    lake: Option<String>,
    /// What computes it
    #[arg(long, value_enum, default_value_t)]
    engine: EngineName,
    /// The Spark Connect server of --engine spark [default: connect in fleet.toml]
    #[arg(long, value_name = "sc://HOST:PORT")]
    connect: Option<String>,
    /// How much memory DuckDB may use, such as 4GB; the rest goes to the temporary folder [default: most of it]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// How many questions and askers to list; --json and --csv list them all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Write JSON, for scripts
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write Markdown, for documents
    #[arg(long)]
    markdown: bool,
    /// Write all groups as CSV, for spreadsheets
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    csv: bool,
}

/// An engine.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum EngineName {
    /// DuckDB, on this machine.
    #[default]
    Duckdb,
    /// Apache Spark, or what else speaks Spark Connect.
    Spark,
}

/// The Monday of an ISO week.
fn week(text: &str) -> Result<NaiveDate, String> {
    let monday = text.split_once("-W").and_then(|(year, week)| {
        NaiveDate::from_isoywd_opt(year.parse().ok()?, week.parse().ok()?, Weekday::Mon)
    });
    monday.ok_or_else(|| {
        "weeks are written 2026-W46 and run from W01 to W52, in some years to W53".to_owned()
    })
}

/// Shows the report.
///
/// # Errors
/// Usage for a period that does not exist, and an engine that is not there; those of the lake and the engine.
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let member = Member::load(workspace)?;
    let address = arguments.lake.as_deref().unwrap_or(&member.config.lake);
    let source = Source {
        lake: Lake::open(&member.config, address, member.folder().join("copies"))?,
        memory: arguments.memory.clone(),
        connect: arguments.connect.clone(),
        engine: arguments.engine,
        days: period(arguments, workspace.now.date_naive())?,
    };
    let (read, lake) = computed(&member, &source, |engine| {
        Ok(Read {
            groups: groups(engine)?,
            alike: found(engine, ALIKE)?,
        })
    })?;
    let suggest = user_files::suggest(&workspace.paths)?;
    let is_advice = |one: &Alike| one.agreeing == one.machines && is_starter(one, &suggest);
    let document = Document {
        period: Period {
            start: source.days.0,
            end: source.days.1,
            time_zone: "UTC",
        },
        k: member.config.k,
        groups: read.groups,
        answered_alike: read.alike.into_iter().filter(is_advice).collect(),
        lake,
    };
    if arguments.json {
        return print_exactly(&inert::document(&document)?);
    } else if arguments.csv {
        // As it is: its line ends belong to the format.
        return print_exactly(&csv::fleet(&document)?);
    } else if arguments.markdown {
        return print(&markdown(&document, arguments.top));
    }
    let mut out = Terminal::new(workspace.width, false);
    fleet::show(&document, arguments.top, &mut out);
    print(&out.into_text())
}

/// What machines say to a question, as one person's answers are judged.
pub(super) fn voices(alike: &Alike) -> Voices {
    Voices {
        agreeing: alike.agreeing,
        all: alike.machines,
    }
}

/// True where they agree as much as one person's answers must for a trial. Options of a split question are always asked.
pub(super) fn is_starter(alike: &Alike, suggest: &Suggest) -> bool {
    voices(alike).agree(suggest) && !is_split(&alike.question_key)
}

/// The first and the last day.
fn period(arguments: &Arguments, today: NaiveDate) -> Result<(NaiveDate, NaiveDate), Failure> {
    if let Some(monday) = arguments.week {
        return Ok((monday, monday + Days::new(6)));
    }
    let until = arguments.until.unwrap_or(today);
    let monday = today - Days::new(today.weekday().num_days_from_monday().into());
    let since = arguments
        .since
        .unwrap_or(monday - Days::new(7 * (WEEKS - 1)));
    match since <= until {
        true => Ok((since, until)),
        false => {
            let words = format!("--since {since} comes after the last day, {until}");
            let hint = "give the earlier day to --since and the later one to --until";
            Err(Failure::usage(words).hint(hint))
        }
    }
}

/// What is read, and what reads it.
struct Source {
    lake: Lake,
    engine: EngineName,
    connect: Option<String>,
    memory: Option<String>,
    days: (NaiveDate, NaiveDate),
}

/// What was computed.
#[derive(Default)]
struct Read {
    groups: Vec<Group>,
    alike: Vec<Alike>,
}

/// What machines say alike in these days, on DuckDB.
///
/// # Errors
/// Those of the lake and of DuckDB.
pub(super) fn alike(
    member: &Member<'_>,
    days: (NaiveDate, NaiveDate),
) -> Result<Vec<Alike>, Failure> {
    let source = Source {
        lake: member.lake()?,
        engine: EngineName::Duckdb,
        connect: None,
        memory: None,
        days,
    };
    Ok(computed(member, &source, |engine| {
        engine.make("parts", "SELECT 'question' AS part", false)?;
        found(engine, ALIKE)
    })?
    .0)
}

/// Makes the views over the lake's files and computes something of them; nothing of a lake without files. What turns out
/// to be damaged is passed over, and named.
fn computed<T: Default>(
    member: &Member<'_>,
    source: &Source,
    mut compute: impl FnMut(&mut dyn Engine) -> Result<T, Failure>,
) -> Result<(T, fleet::Lake), Failure> {
    let lake = &source.lake;
    let mut state = fleet::Lake {
        address: lake.address.clone(),
        ..fleet::Lake::default()
    };
    let all = lake.list(super::lake::ROOT)?;
    let (start, end) = (
        source.days.0 - Days::new(MARGIN),
        source.days.1 + Days::new(MARGIN),
    );
    let mut files = all.clone();
    files.retain(|file| (start..=end).contains(&file.day));
    loop {
        if files.is_empty() {
            return Ok((T::default(), state));
        }
        let attempt = source.open(member, &files, &all).and_then(|mut engine| {
            views(member, source.days, &mut *engine)?;
            let contents: Vec<fleet::Lake> = found(&mut *engine, CONTENTS)?;
            Ok((
                compute(&mut *engine)?,
                contents.into_iter().next().unwrap_or_default(),
            ))
        });
        let failure = match attempt {
            Ok((computed, contents)) => {
                state.files = files.len() as u64;
                state.rows = contents.rows;
                state.machines = contents.machines;
                return Ok((computed, state));
            }
            Err(failure) => failure,
        };
        if LACKS_ROOM
            .iter()
            .any(|words| failure.message().contains(words))
        {
            return Err(failure.hint(
                "more memory is needed, or more room on the disk of the temporary folder (TMPDIR); --memory 4GB says how \
                 much memory may be used",
            ));
        }
        let damaged = damaged(lake, &files, &all)?;
        if damaged.is_empty() {
            return Err(failure);
        }
        files.retain(|file| damaged.iter().all(|one| one.path != file.path));
        state.skipped.extend(damaged);
    }
}

impl Source {
    fn open(
        &self,
        member: &Member<'_>,
        files: &[Stored],
        all: &[Stored],
    ) -> Result<Box<dyn Engine>, Failure> {
        match self.engine {
            EngineName::Duckdb => {
                let files = here(&self.lake, files, all)?;
                Ok(Box::new(DuckDb::open(&files, self.memory.as_deref())?))
            }
            #[cfg(feature = "spark")]
            EngineName::Spark => {
                let server = super::spark::Server::find(member, self.connect.as_deref())?;
                Ok(Box::new(super::spark::Spark::open(
                    &server,
                    &self.lake.address,
                    files,
                )?))
            }
            #[cfg(not(feature = "spark"))]
            EngineName::Spark => {
                let _ = (member, &self.connect);
                let words = "this plantune was built without Apache Spark's client";
                Err(Failure::usage(words).hint(
                    "in plantune's source: `make fleet-install SPARK=1`; it needs protoc (protobuf-compiler)",
                ))
            }
        }
    }
}

/// The files that are there, and where on this machine.
fn here(lake: &Lake, files: &[Stored], all: &[Stored]) -> Result<Vec<(Stored, PathBuf)>, Failure> {
    lake.on_this_machine(files, all)?;
    let there = files.iter().map(|file| (file.clone(), lake.path_of(file)));
    Ok(there.filter(|(_, path)| path.exists()).collect())
}

/// After something failed, the files that are gone or that cannot be read to their end.
fn damaged(lake: &Lake, files: &[Stored], all: &[Stored]) -> Result<Vec<SkippedFile>, Failure> {
    let there = here(lake, files, all)?;
    let skipped = files.iter().filter_map(|file| {
        let path = file.path.clone();
        let Some(one) = there.iter().find(|(one, _)| one == file) else {
            return Some(SkippedFile {
                path,
                why: "gone".to_owned(),
            });
        };
        // All that the views read of it, computed.
        let read = DuckDb::open(std::slice::from_ref(one), None).and_then(|mut engine| {
            VIEWS.iter().take(3).try_for_each(|view| {
                engine.make(view.name, view.sql, false)?;
                engine
                    .batches(&format!("SELECT * FROM {}", view.name))
                    .map(drop)
            })
        });
        let why = format!("damaged: {}", read.err()?.message());
        Some(SkippedFile { path, why })
    });
    Ok(skipped.collect())
}

/// Makes the views of `VIEWS`, with the settings that they read.
fn views(
    member: &Member<'_>,
    (start, end): (NaiveDate, NaiveDate),
    engine: &mut dyn Engine,
) -> Result<(), Failure> {
    let micros = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
    let today = member.workspace.now.date_naive();
    let config = &member.config;
    let mut settings = SETTINGS.to_owned();
    for (name, value) in [
        ("{k}", i64::from(config.k)),
        ("{first_us}", micros(start)),
        ("{end_us}", micros(end + Days::new(1))),
        // What was asked more than one full day before today, and has no end, was left.
        ("{open_from_us}", micros(today - Days::new(1))),
        (
            "{away_us}",
            i64::from(config.away_after_minutes) * 60_000_000,
        ),
    ] {
        settings = settings.replace(name, &value.to_string());
    }
    engine.make("settings", &settings, false)?;
    engine.make("parts", "SELECT 'total' AS part", false)?;
    VIEWS
        .iter()
        .try_for_each(|view| engine.make(view.name, view.sql, view.is_kept))
}

/// The figures, part by part: all at once would need several times the memory. At the end `parts` are the questions.
fn groups(engine: &mut dyn Engine) -> Result<Vec<Group>, Failure> {
    let mut groups: Vec<Group> = Vec::new();
    for part in PARTS {
        engine.make("parts", &format!("SELECT '{part}' AS part"), false)?;
        groups.extend(found::<Group>(engine, FIGURES)?);
    }
    engine.make("parts", "SELECT 'question' AS part", false)?;
    let answers = found::<TopAnswer>(engine, ANSWERS)?.into_iter();
    let mut answers: BTreeMap<String, TopAnswer> = answers
        .map(|answer| (answer.name.clone(), answer))
        .collect();
    for group in &mut groups {
        let name = group.name.clone().unwrap_or_default();
        match &*group.part {
            "question" => group.top_answer = answers.remove(&name),
            "week" => group.name = group.name.take().map(week_name),
            _ => {}
        }
    }
    groups.sort_by_key(|group| {
        let week = (group.part == "week").then(|| (group.name.is_none(), group.name.clone()));
        (PARTS.iter().position(|part| *part == group.part), week)
    });
    Ok(groups)
}

/// The ISO week of a group of weeks: its name is the days from 1970 to the Monday.
fn week_name(name: String) -> String {
    let monday = name.parse().ok().and_then(NaiveDate::from_epoch_days);
    match monday.map(|monday| monday.iso_week()) {
        Some(week) => format!("{}-W{:02}", week.year(), week.week()),
        None => name,
    }
}
