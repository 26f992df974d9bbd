//! `plantune fleet report`: the organisation's figures, and what else follows from the views over a lake.

use chrono::{Datelike as _, Days, NaiveDate, NaiveTime, Weekday};
use clap::{Args, ValueEnum};
use plantune_domain::config::Suggest;
use plantune_domain::keys::is_split;
use plantune_query::fleet::{ALIKE, CONTENTS, FIGURES, SETTINGS, VIEWS};
use plantune_query::suggest::Voices;
use plantune_reports::fleet::{Document, Lake as State, Row, markdown, show};
use plantune_reports::terminal::Terminal;
use plantune_reports::{csv, inert};
use serde::{Deserialize, Serialize};

use super::engine::{DuckDb, Engine, found};
use super::lake::{Lake, ROOT, Stored};
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
/// On the last eight ISO weeks by default. Days are those of UTC. Of a group of fewer machines than `k` in
/// fleet.toml (5) nothing is shown.
#[derive(Args, Debug, Default)]
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
    engine: Name,
    /// The Spark Connect server of --engine spark
    #[arg(long, value_name = "sc://HOST:PORT", required_if_eq("engine", "spark"))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Name {
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

/// How many machines say the same to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Alike {
    /// The question's key, as it is pushed.
    pub(super) question_key: String,
    /// Its name in clear, where a machine pushed that.
    pub(super) label: Option<String>,
    /// The answer's keyed hash, and the answer where a machine pushed that in clear.
    pub(super) answer_hash: String,
    pub(super) answer: Option<String>,
    /// Machines of which at least three of four answers are this one, of `machines` that answered.
    pub(super) agreeing: u64,
    pub(super) machines: u64,
    /// How often this answer was given, of `answers`.
    pub(super) times: u64,
    pub(super) answers: u64,
}

impl Alike {
    pub(super) fn voices(&self) -> Voices {
        Voices {
            agreeing: self.agreeing,
            all: self.machines,
        }
    }

    /// True where they agree as much as one person's answers must for a trial. Options of a split question are always
    /// asked.
    pub(super) fn is_starter(&self, suggest: &Suggest) -> bool {
        self.voices().agree(suggest) && !is_split(&self.question_key)
    }
}

/// Shows the report.
///
/// # Errors
/// Usage for a period that does not exist, and an engine that is not there; those of the lake and the engine.
pub(super) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let member = Member::load(workspace)?;
    let days = period(arguments, workspace.now.date_naive())?;
    let suggest = user_files::suggest(&workspace.paths)?;
    let figures = |engine: &mut dyn Engine| {
        let mut groups = Vec::new();
        // All at once would need several times the memory; on Spark each query has its own costs.
        let at_once = if arguments.engine == Name::Spark {
            PARTS.len()
        } else {
            1
        };
        for parts in PARTS.chunks(at_once) {
            engine.make("parts", &wanted(parts), false)?;
            groups.extend(found::<Row>(engine, FIGURES)?);
        }
        groups.sort_by_key(|row| PARTS.iter().position(|part| row["part"] == *part));
        let mut alike: Vec<Alike> = found(engine, ALIKE)?;
        alike.retain(|one| one.agreeing == one.machines && one.is_starter(&suggest));
        let alike = alike
            .iter()
            .filter_map(|one| match serde_json::to_value(one) {
                Ok(serde_json::Value::Object(row)) => Some(row),
                _ => None,
            });
        Ok((groups, alike.collect()))
    };
    let ((groups, answered_alike), lake) = computed(&member, arguments, days, figures)?;
    let document = Document {
        days,
        k: member.config.k,
        groups,
        answered_alike,
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
    show(&document, arguments.top, &mut out);
    print(&out.into_text())
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

/// What machines say alike in these days, on DuckDB.
///
/// # Errors
/// Those of the lake and of DuckDB.
pub(super) fn alike(
    member: &Member<'_>,
    days: (NaiveDate, NaiveDate),
) -> Result<Vec<Alike>, Failure> {
    let of_questions = |engine: &mut dyn Engine| {
        engine.make("parts", &wanted(&["question"]), false)?;
        found(engine, ALIKE)
    };
    Ok(computed(member, &Arguments::default(), days, of_questions)?.0)
}

/// Makes the views over the lake's files and computes something of them; nothing of a lake without files. What turns out
/// to be damaged is passed over, and named.
fn computed<T: Default>(
    member: &Member<'_>,
    arguments: &Arguments,
    (start, end): (NaiveDate, NaiveDate),
    compute: impl Fn(&mut dyn Engine) -> Result<T, Failure>,
) -> Result<(T, State), Failure> {
    let address = arguments.lake.as_deref().unwrap_or(&member.config.lake);
    let lake = Lake::open(&member.config, address, member.folder().join("copies"))?;
    let mut state = State {
        address: address.to_owned(),
        ..State::default()
    };
    let all = lake.list(ROOT)?;
    let read = start - Days::new(MARGIN)..=end + Days::new(MARGIN);
    let mut files = all.clone();
    files.retain(|file| read.contains(&file.day));
    loop {
        if files.is_empty() {
            return Ok((T::default(), state));
        }
        let attempt = arguments.open(&lake, &files, &all).and_then(|mut engine| {
            engine.make("settings", &settings(member, start, end), false)?;
            engine.make("parts", &wanted(&PARTS), false)?;
            for view in VIEWS {
                engine.make(view.name, view.sql, view.is_kept)?;
            }
            let contents = found::<(u64, u64)>(&mut *engine, CONTENTS)?;
            Ok((
                compute(&mut *engine)?,
                contents.first().copied().unwrap_or_default(),
            ))
        });
        let failure = match attempt {
            Ok((computed, (rows, machines))) => {
                (state.files, state.rows, state.machines) = (files.len() as u64, rows, machines);
                return Ok((computed, state));
            }
            Err(failure) => failure,
        };
        if LACKS_ROOM
            .iter()
            .any(|words| failure.message().contains(words))
        {
            return Err(failure.hint(
                "more memory (--memory) or room in the temporary folder (TMPDIR) is needed",
            ));
        }
        let damaged = damaged(&lake, &files, &all)?;
        if damaged.is_empty() {
            return Err(failure);
        }
        files.retain(|file| damaged.iter().all(|(path, _)| *path != file.path));
        state
            .skipped
            .extend(damaged.iter().map(|(path, why)| format!("{path}: {why}")));
    }
}

impl Arguments {
    /// The engine that was chosen, with a view of the files.
    fn open(
        &self,
        lake: &Lake,
        files: &[Stored],
        all: &[Stored],
    ) -> Result<Box<dyn Engine>, Failure> {
        match self.engine {
            Name::Duckdb => Ok(Box::new(DuckDb::open(&lake.here(files, all)?, self.memory.as_deref())?)),
            #[cfg(feature = "spark")]
            Name::Spark => {
                let server = self.connect.as_deref().unwrap_or_default();
                Ok(Box::new(super::spark::Spark::open(server, &lake.address, files)?))
            }
            #[cfg(not(feature = "spark"))]
            Name::Spark => Err(Failure::usage("this plantune was built without Apache Spark's client").hint(
                "in plantune's source: `make fleet-install SPARK=1`; it needs protoc (protobuf-compiler)",
            )),
        }
    }
}

/// After something failed, the files that are gone or that cannot be read to their end, and why.
fn damaged(
    lake: &Lake,
    files: &[Stored],
    all: &[Stored],
) -> Result<Vec<(String, String)>, Failure> {
    let there = lake.here(files, all)?;
    let damaged = files.iter().filter_map(|file| {
        let why = match there.iter().find(|(one, _)| one == file) {
            None => "gone".to_owned(),
            // All that the first views read of it.
            Some(one) => DuckDb::open(std::slice::from_ref(one), None)
                .and_then(|mut engine| {
                    VIEWS.iter().take(3).try_for_each(|view| {
                        engine.make(view.name, view.sql, false)?;
                        engine
                            .batches(&format!("SELECT * FROM {}", view.name))
                            .map(drop)
                    })
                })
                .err()
                .map(|failure| format!("damaged: {}", failure.message()))?,
        };
        Some((file.path.clone(), why))
    });
    Ok(damaged.collect())
}

/// The statement of the parts that are wanted.
fn wanted(parts: &[&str]) -> String {
    format!(
        "SELECT * FROM (VALUES ('{}')) AS parts (part)",
        parts.join("'), ('")
    )
}

/// The statement of the settings.
fn settings(member: &Member<'_>, start: NaiveDate, end: NaiveDate) -> String {
    let micros = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
    let today = member.workspace.now.date_naive();
    let values = [
        ("{k}", i64::from(member.config.k)),
        ("{first_us}", micros(start)),
        ("{end_us}", micros(end + Days::new(1))),
        // What was asked more than one full day before today, and has no end, was left.
        ("{open_from_us}", micros(today - Days::new(1))),
        (
            "{away_us}",
            i64::from(member.config.away_after_minutes) * 60_000_000,
        ),
    ];
    let text = SETTINGS.to_owned();
    values.iter().fold(text, |text, (name, value)| {
        text.replace(name, &value.to_string())
    })
}
