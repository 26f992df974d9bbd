//! `plantune fleet report`: the organisation's figures, and what else follows from the views over a lake. They are
//! computed by DuckDB on this machine, or by Apache Spark; names and statements are plantune's own, never text of others.

use std::path::PathBuf;

use chrono::{Days, NaiveDate, NaiveTime};
use chrono_tz::Tz;
use clap::{Args, ValueEnum};
use plantune::cli::arguments::PeriodArguments;
use plantune::document::Document;
use plantune::failure::Failure;
use plantune::period::Period;
use plantune::request;
use plantune::session::Session;
use plantune_domain::keys::is_split;
use plantune_query::suggest::{Suggest, Voices};

use crate::document::{Alike, FleetReport, LakeContents, Row, csv, markdown, show};
use crate::engine::{ALIKE, CONTENTS, DuckDb, Engine, FIGURES, OF_PARTS, SETTINGS, VIEWS, found};
use crate::lake::{Lake, LakeFile, ROOT};
use crate::member::Member;
#[cfg(feature = "spark")]
use crate::spark::Spark;

/// How many days before and after those of a report are read: a question that waited longer for its answer counts on the
/// day of the answer.
const MARGIN: u64 = 7;

/// Errors of DuckDB that are not a file's fault.
const LACKS_ROOM: [&str; 3] = ["Out of Memory Error", "No space left", "Could not write"];

/// The parts of a report; those of questions last, which others are computed of, too.
const PARTS: [&str; 8] = [
    "total",
    "week",
    "asker",
    "session kind",
    "error",
    "prompts",
    "tool",
    "question",
];

/// Show the organisation's figures: questions, who asks, who answers, and what it costs
///
/// Covers the last eight ISO weeks by default, with days in UTC. Groups of fewer machines than `k` in fleet.toml (5) are
/// left out.
#[derive(Args, Debug)]
pub(crate) struct FleetReportArguments {
    #[command(flatten)]
    period: PeriodArguments,
    #[command(flatten)]
    engine: EngineArguments,
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

/// The arguments that choose a lake, and what computes over it.
#[derive(Args, Debug, Default)]
pub(crate) struct EngineArguments {
    /// Read this lake instead of the one in fleet.toml
    #[arg(long, value_name = "LAKE")]
    pub(crate) lake: Option<String>,
    /// The engine that computes it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: EngineName,
    /// The Spark Connect server of --engine spark
    #[arg(long, value_name = "sc://HOST:PORT", required_if_eq("engine", "spark"))]
    connect: Option<String>,
    /// How much memory DuckDB may use, such as 4GB [default: most of it]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
}

/// An engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// DuckDB, on this machine.
    #[default]
    Duckdb,
    /// Apache Spark, or another server for Spark Connect.
    Spark,
}

impl EngineArguments {
    /// The engine that was chosen, with a view of the files.
    ///
    /// # Errors
    /// Usage for an engine that is not built in; those of the lake and of the engine.
    pub(crate) fn open(&self, lake: &Lake, files: &[LakeFile]) -> Result<Box<dyn Engine>, Failure> {
        match self.engine {
            EngineName::Duckdb => {
                let places = files.iter().filter_map(|file| lake.here(&file.path).transpose());
                let places = places.collect::<Result<Vec<PathBuf>, _>>()?;
                Ok(Box::new(DuckDb::open(&places, self.memory.as_deref())?))
            }
            #[cfg(feature = "spark")]
            EngineName::Spark => {
                let server = self.connect.as_deref().unwrap_or_default();
                Ok(Box::new(Spark::open(server, &lake.address, files)?))
            }
            #[cfg(not(feature = "spark"))]
            EngineName::Spark => Err(Failure::usage(
                "this plantune-fleet was built without Apache Spark's client",
            )
            .hint(
                "run `make fleet-install SPARK=1` in plantune's source; it needs protoc (protobuf-compiler)",
            )),
        }
    }
}

/// Shows the report.
///
/// # Errors
/// Usage for a period that does not exist, and an engine that is not there; those of the lake and the engine.
pub(crate) fn run(
    arguments: &FleetReportArguments,
    session: &Session,
) -> Result<Document, Failure> {
    let member = Member::load(session)?;
    let period = match request::is_period_given(&arguments.period) {
        true => request::period_on(&arguments.period, session.now.date_naive())?,
        false => Period::last_weeks(session.now, Tz::UTC),
    };
    let days = (period.days.start, period.days.end);
    let suggest = session.suggest_settings()?;
    // All at once would need several times the memory; on Spark each query has its own costs.
    let at_once = if arguments.engine.engine == EngineName::Spark {
        PARTS.len()
    } else {
        1
    };
    let figures = |engine: &mut dyn Engine| {
        let mut groups = Vec::new();
        for parts in PARTS.chunks(at_once) {
            want(engine, parts)?;
            groups.extend(found::<Row>(engine, FIGURES)?);
        }
        groups.sort_by_key(|row| PARTS.iter().position(|part| row["part"] == *part));
        let mut alike: Vec<Alike> = found(engine, ALIKE)?;
        alike.retain(|one| one.agreeing == one.machines && is_starter(one, &suggest));
        Ok((groups, alike))
    };
    let ((groups, answered_alike), lake) = computed(&member, &arguments.engine, days, figures)?;
    let document = FleetReport {
        days,
        k: member.config.k,
        groups,
        answered_alike,
        lake,
    };
    if arguments.json {
        return Document::json(&document);
    }
    if arguments.csv {
        // As it is: the line ends belong to the format.
        return Ok(Document::exact(csv(&document)?));
    }
    if arguments.markdown {
        return Ok(Document::text(markdown(&document, arguments.top)));
    }
    let mut out = session.terminal();
    show(&document, arguments.top, &mut out);
    Ok(Document::text(out.into_text()))
}

/// How many machines say it, of all that answered.
pub(crate) fn voices(alike: &Alike) -> Voices {
    Voices {
        agreeing: alike.agreeing,
        all: alike.machines,
    }
}

/// True where machines agree as much as one person's answers must for a trial. Options of a split question are always
/// asked.
fn is_starter(alike: &Alike, suggest: &Suggest) -> bool {
    voices(alike).agree(suggest) && !is_split(&alike.question_key)
}

/// The answers that enough machines agree on in these days to be adopted, found by DuckDB.
///
/// # Errors
/// The errors of the lake and of DuckDB.
pub(crate) fn starters(
    member: &Member<'_>,
    suggest: &Suggest,
    days: (NaiveDate, NaiveDate),
) -> Result<Vec<Alike>, Failure> {
    let of_questions = |engine: &mut dyn Engine| {
        want(engine, &["question"])?;
        found::<Alike>(engine, ALIKE)
    };
    let (mut alike, _) = computed(member, &EngineArguments::default(), days, of_questions)?;
    alike.retain(|one| is_starter(one, suggest));
    Ok(alike)
}

/// Makes the views over the lake's files and computes something of them; nothing of a lake without files. What turns out
/// to be damaged is passed over, and named.
fn computed<T: Default>(
    member: &Member<'_>,
    arguments: &EngineArguments,
    days: (NaiveDate, NaiveDate),
    compute: impl Fn(&mut dyn Engine) -> Result<T, Failure>,
) -> Result<(T, LakeContents), Failure> {
    let address = arguments.lake.as_ref().unwrap_or(&member.config.lake);
    let lake = member.lake(address)?;
    let mut contents = LakeContents {
        address: address.clone(),
        ..LakeContents::default()
    };
    let mut files = lake.list(ROOT)?;
    lake.forget_copies(&files)?;
    let read = days.0 - Days::new(MARGIN)..=days.1 + Days::new(MARGIN);
    files.retain(|file| read.contains(&file.day));
    while !files.is_empty() {
        let attempt = arguments.open(&lake, &files).and_then(|mut engine| {
            engine.make("settings", &settings(member, days)?, false)?;
            for view in VIEWS {
                engine.make(view.name, view.sql, view.is_kept)?;
            }
            let counts = found::<(u64, u64)>(&mut *engine, CONTENTS)?;
            Ok((
                compute(&mut *engine)?,
                counts.first().copied().unwrap_or_default(),
            ))
        });
        let failure = match attempt {
            Ok((computed, (rows, machines))) => {
                let files = files.len() as u64;
                (contents.files, contents.rows, contents.machines) = (files, rows, machines);
                return Ok((computed, contents));
            }
            Err(failure) => failure,
        };
        if LACKS_ROOM
            .iter()
            .any(|words| failure.message().contains(words))
        {
            let hint =
                "give it more memory with --memory, or more room in the temporary folder (TMPDIR)";
            return Err(failure.hint(hint));
        }
        let before = files.len();
        for file in std::mem::take(&mut files) {
            match damage(&lake, &file)? {
                Some(why) => contents.skipped.push(format!("{}: {why}", file.path)),
                None => files.push(file),
            }
        }
        if files.len() == before {
            return Err(failure);
        }
    }
    Ok((T::default(), contents))
}

/// Why a file cannot be read: it is gone, or it is damaged in what the first views read of it.
fn damage(lake: &Lake, file: &LakeFile) -> Result<Option<String>, Failure> {
    let Some(place) = lake.here(&file.path)? else {
        return Ok(Some("gone".to_owned()));
    };
    let read = DuckDb::open(&[place], None).and_then(|mut engine| {
        VIEWS.iter().try_for_each(|view| {
            engine.make(view.name, view.sql, false)?;
            engine
                .batches(&format!("SELECT * FROM {}", view.name))
                .map(drop)
        })
    });
    Ok(read
        .err()
        .map(|failure| format!("damaged: {}", failure.message())))
}

/// Makes the views of these parts. Their rows are kept where several parts are asked at once, as on Spark, which would
/// compute them for each part again; for one part DuckDB reads them as it goes, at a third of the cost of keeping them.
fn want(engine: &mut dyn Engine, parts: &[&str]) -> Result<(), Failure> {
    let names = parts.join("'), ('");
    let sql = format!("SELECT * FROM (VALUES ('{names}')) AS parts (part)");
    engine.make("parts", &sql, false)?;
    OF_PARTS
        .iter()
        .try_for_each(|view| engine.make(view.name, view.sql, view.is_kept && parts.len() > 1))
}

/// The statement of the settings.
fn settings(member: &Member<'_>, (start, end): (NaiveDate, NaiveDate)) -> Result<String, Failure> {
    let micros = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
    let today = member.session.now.date_naive();
    let away_after = member.session.report_settings()?.away_after_minutes;
    let values = [
        ("{k}", i64::from(member.config.k)),
        ("{first_us}", micros(start)),
        ("{end_us}", micros(end + Days::new(1))),
        // What was asked more than one full day before today, and has no end, was left.
        ("{open_from_us}", micros(today - Days::new(1))),
        ("{away_us}", i64::from(away_after) * 60_000_000),
    ];
    let filled = |text: String, (name, value): (&str, i64)| text.replace(name, &value.to_string());
    Ok(values.into_iter().fold(SETTINGS.to_owned(), filled))
}
