//! What computes a report: an engine runs the queries of `sql/fleet/`, in the order here, over a lake that it has
//! loaded. It has the tables `events` (those of the lake) and `settings`, or of a projection what [`tables`] would make
//! of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime};
use plantune_domain::config::Suggest;
use plantune_reports::fleet::{
    Advice, Document, Figures, LakeState, Period, PromptFigures, TopAnswer,
};
use serde_json::json;

use super::rows::Row;
use super::source::Source;
use super::starters::{Starter, settings};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// What runs queries. Names and queries are plantune's own, never text of others.
pub(crate) trait Engine {
    /// Computes `sql` now, and keeps what it found as the table `name`.
    ///
    /// # Errors
    /// The engine's.
    fn keep(&mut self, name: &str, sql: &str) -> Result<(), Failure>;

    /// Makes `sql` the table `name`, in place of the one of that name; computed now or when it is read.
    ///
    /// # Errors
    /// The engine's.
    fn define(&mut self, name: &str, sql: &str) -> Result<(), Failure>;

    /// Makes `sql` the table `name`, which several queries read much of: kept where it would cost more to compute it
    /// again.
    ///
    /// # Errors
    /// The engine's.
    fn share(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.define(name, sql)
    }

    /// The rows that `sql` finds.
    ///
    /// # Errors
    /// The engine's.
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Failure>;
}

/// The days of a report, and what the queries read in `settings`.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) start: NaiveDate,
    /// Included.
    pub(crate) end: NaiveDate,
    k: u32,
    open_from: NaiveDate,
    away_after_minutes: u32,
    /// When people agree.
    suggest: Suggest,
}

impl Scope {
    /// The days from `start` to `end`, both included, as `workspace` is configured.
    ///
    /// # Errors
    /// Conflict for a `config.toml` that is not understood.
    pub(crate) fn new(
        workspace: &Workspace,
        start: NaiveDate,
        end: NaiveDate,
    ) -> Result<Self, Failure> {
        let today = workspace.environment.now.date_naive();
        Ok(Self {
            start,
            end,
            k: workspace.config.k,
            // What was asked more than one full day before today, and has no end, was left.
            open_from: today.pred_opt().unwrap_or(start),
            away_after_minutes: workspace.config.away_after_minutes,
            suggest: settings(workspace)?,
        })
    }

    /// When its days begin, and when they are over, in microseconds since 1970.
    pub(crate) fn micros(&self) -> (i64, i64) {
        let end = self.end.succ_opt().unwrap_or(self.end);
        (micros(self.start), micros(end))
    }

    /// The columns of `settings`, in order, times in microseconds.
    pub(crate) fn settings(&self) -> [(&'static str, i64); 5] {
        let (first_us, end_us) = self.micros();
        [
            ("k", i64::from(self.k)),
            ("first_us", first_us),
            ("end_us", end_us),
            ("open_from_us", micros(self.open_from)),
            ("away_us", i64::from(self.away_after_minutes) * 60_000_000),
        ]
    }
}

fn micros(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::MIN).and_utc().timestamp_micros()
}

/// Makes of `events` the tables that all else is computed from: `questions`, `prompts` and `barred`.
///
/// # Errors
/// The engine's.
pub(crate) fn tables(engine: &mut dyn Engine) -> Result<(), Failure> {
    each_question(engine)?;
    engine.keep("prompts", include_str!("../../sql/fleet/prompts.sql"))
}

/// The report of what `engine` has loaded.
///
/// # Errors
/// The engine's.
pub(crate) fn document(
    engine: &mut dyn Engine,
    source: Source,
    scope: &Scope,
    lake: LakeState,
) -> Result<Document, Failure> {
    if source == Source::Events {
        tables(engine)?;
    }
    engine.define("period", include_str!("../../sql/fleet/period.sql"))?;
    let mut weeks = groups(engine, include_str!("../../sql/fleet/groups/week.sql"))?;
    weeks.sort_by_key(|week| (week.name.is_none(), week.name.as_deref().map(monday)));
    for week in &mut weeks {
        week.name = week.name.take().map(|name| week_name(&name));
    }
    let total = groups(engine, include_str!("../../sql/fleet/groups/total.sql"))?;
    let questions = {
        name_groups(engine, include_str!("../../sql/fleet/groups/question.sql"))?;
        let answers = top_answers(engine)?;
        figures(engine, &answers)?
    };
    let askers = groups(engine, include_str!("../../sql/fleet/groups/asker.sql"))?;
    // Of the askers' groups, while they are there.
    let answered_alike = advice(&questions, voices(engine)?, &scope.suggest);
    let session_kinds = groups(
        engine,
        include_str!("../../sql/fleet/groups/session_kind.sql"),
    )?;
    let errors = groups(engine, include_str!("../../sql/fleet/groups/error.sql"))?;
    let prompts_total = include_str!("../../sql/fleet/groups/prompts_total.sql");
    let permissions = prompts(engine, prompts_total)?;
    let prompts_tool = include_str!("../../sql/fleet/groups/prompts_tool.sql");
    Ok(Document {
        schema_version: 1,
        period: Period {
            start: scope.start,
            end: scope.end,
            time_zone: "UTC",
        },
        k: scope.k,
        totals: total.into_iter().find(|all| all.name.is_some()),
        weeks,
        questions,
        askers,
        answered_alike,
        session_kinds,
        errors,
        permissions: permissions.into_iter().find(|all| all.name.is_some()),
        permissions_by_tool: prompts(engine, prompts_tool)?,
        lake,
    })
}

/// What nearly everybody answered alike.
///
/// # Errors
/// The engine's.
pub(crate) fn starters(
    engine: &mut dyn Engine,
    source: Source,
    scope: &Scope,
) -> Result<Vec<Starter>, Failure> {
    if source == Source::Events {
        each_question(engine)?;
    }
    engine.define("period", include_str!("../../sql/fleet/period.sql"))?;
    name_groups(engine, include_str!("../../sql/fleet/groups/question.sql"))?;
    let mut starters = voices(engine)?;
    starters.retain(|starter| starter.is_one(&scope.suggest));
    Ok(starters)
}

/// Makes of `events` the tables `questions` and `barred`.
fn each_question(engine: &mut dyn Engine) -> Result<(), Failure> {
    engine.keep("copied", include_str!("../../sql/fleet/copied.sql"))?;
    engine.share("each_event", include_str!("../../sql/fleet/each_event.sql"))?;
    engine.keep("barred", include_str!("../../sql/fleet/barred.sql"))?;
    engine.keep("questions", include_str!("../../sql/fleet/questions.sql"))
}

/// How many machines say the same, of each question of each group that is shown.
fn voices(engine: &mut dyn Engine) -> Result<Vec<Starter>, Failure> {
    let rows = engine.rows(include_str!("../../sql/fleet/voices.sql"))?;
    let voices = rows.iter().map(|row| {
        Ok(Starter {
            group: row.text("shown_name")?.unwrap_or_default(),
            question_key: row.text("question_key")?.unwrap_or_default(),
            label: row.text("key_name")?,
            answer_hash: row.text("answer_hash")?.unwrap_or_default(),
            answer: row.text("answer_name")?,
            agreeing: row.count("agreeing")?,
            machines: row.count("machines")?,
            times: row.count("times")?,
            answers: row.count("answers")?,
            human_seconds: seconds(row.count("human_us")?),
        })
    });
    voices.collect()
}

/// What nobody answers differently, of the voices by asker; nothing of questions that are not shown themselves.
fn advice(questions: &[Figures], voices: Vec<Starter>, settings: &Suggest) -> Vec<Advice> {
    let names = questions.iter().filter_map(|one| one.name.as_deref());
    let shown: BTreeSet<&str> = names.collect();
    let is_advice = |voice: &Starter| {
        voice.agreeing == voice.machines
            && voice.is_one(settings)
            && shown.contains(voice.question_key.as_str())
    };
    let alike = voices.into_iter().filter(is_advice);
    alike.map(Advice::from).collect()
}

/// Makes the rows that `sql` groups the table `named`.
fn name_groups(engine: &mut dyn Engine, sql: &str) -> Result<(), Failure> {
    engine.define("grouped", sql)?;
    engine.define("named", include_str!("../../sql/fleet/named.sql"))
}

fn groups(engine: &mut dyn Engine, sql: &str) -> Result<Vec<Figures>, Failure> {
    name_groups(engine, sql)?;
    figures(engine, &BTreeMap::new())
}

fn prompts(engine: &mut dyn Engine, sql: &str) -> Result<Vec<PromptFigures>, Failure> {
    name_groups(engine, sql)?;
    let rows = engine.rows(include_str!("../../sql/fleet/prompt_figures.sql"))?;
    let figures = rows.iter().map(|row| {
        Ok(PromptFigures {
            name: row.text("shown_name")?,
            groups: row.count("groups")?,
            asked: row.count("asked")?,
            granted: row.count("granted")?,
            refused: row.count("refused")?,
            ambiguous: row.count("ambiguous")?,
            open: row.count("still_open")?,
            machines: row.count("machines")?,
            projects: row.count("projects")?,
            seconds_waited: seconds(row.count("waited_us")?),
            waits_known: row.count("waits_known")?,
        })
    });
    figures.collect()
}

/// The answer that was given most often, by group.
fn top_answers(engine: &mut dyn Engine) -> Result<BTreeMap<String, TopAnswer>, Failure> {
    let mut answers = BTreeMap::new();
    for row in engine.rows(include_str!("../../sql/fleet/answers.sql"))? {
        let answer = TopAnswer {
            hash: row.text("answer_hash")?.unwrap_or_default(),
            answer: row.text("answer_name")?,
            times: row.count("times")?,
            machines: row.count("machines")?,
            share: 0.0,
        };
        answers.insert(row.text("shown_name")?.unwrap_or_default(), answer);
    }
    Ok(answers)
}

fn figures(
    engine: &mut dyn Engine,
    answers: &BTreeMap<String, TopAnswer>,
) -> Result<Vec<Figures>, Failure> {
    let rows = engine.rows(include_str!("../../sql/fleet/figures.sql"))?;
    rows.iter().map(|row| figures_of(row, answers)).collect()
}

fn figures_of(row: &Row, answers: &BTreeMap<String, TopAnswer>) -> Result<Figures, Failure> {
    let name = row.text("shown_name")?;
    let answered = row.count("answered")?;
    let agreement_n = row.integer("agreement_n")?.map(i64::unsigned_abs);
    let followed = row.integer("followed")?;
    let agreement = followed.zip(agreement_n.filter(|n| *n > 0));
    let top = name.as_ref().and_then(|name| answers.get(name)).cloned();
    let median = row.double("median_us")?;
    Ok(Figures {
        label: name.as_ref().map_or(Ok(None), |_| row.text("label"))?,
        name,
        groups: row.count("groups")?,
        questions: row.count("questions")?,
        asked: row.count("asked")?,
        answered,
        auto_decided: row.count("auto_decided")?,
        failed: row.count("failed")?,
        dismissed: row.count("dismissed")?,
        open: row.count("still_open")?,
        calls: row.count("calls")?,
        sessions: row.count("sessions")?,
        machines: row.count("machines")?,
        projects: row.count("projects")?,
        human_seconds: seconds(row.count("human_us")?),
        away_answers: row.count("away_answers")?,
        away_seconds: seconds(row.count("awaited_us")?),
        median_seconds: median.map(|micros| (micros / 1_000.0).round() / 1_000.0),
        agreement: agreement.map(|(followed, n)| followed as f64 / n as f64),
        agreement_n,
        top_answer: top.map(|top| TopAnswer {
            share: top.times as f64 / answered.max(1) as f64,
            ..top
        }),
    })
}

/// To the millisecond.
fn seconds(micros: u64) -> f64 {
    (micros as f64 / 1_000.0).round() / 1_000.0
}

/// The Monday that a group of `week.sql` is named for.
fn monday(name: &str) -> Option<NaiveDate> {
    let days: i64 = name.parse().ok()?;
    DateTime::from_timestamp(days * 86_400, 0).map(|time| time.date_naive())
}

fn week_name(name: &str) -> String {
    match monday(name).map(|monday| monday.iso_week()) {
        Some(week) => format!("{}-W{:02}", week.year(), week.week()),
        None => name.to_owned(),
    }
}

/// An engine whose tables and answers are written down, a line of JSON each, so that engines can be compared.
pub(crate) struct Recorder<'a> {
    pub(crate) engine: &'a mut dyn Engine,
    pub(crate) file: &'a mut dyn Write,
}

impl Recorder<'_> {
    fn record(&mut self, what: &str, rows: &[Row]) -> Result<(), Failure> {
        let line = json!({ "query": what, "rows": rows });
        Ok(writeln!(self.file, "{line}")?)
    }

    fn record_table(&mut self, name: &str) -> Result<(), Failure> {
        let rows = self.engine.rows(&format!("SELECT * FROM {name}"))?;
        self.record(name, &rows)
    }
}

impl Engine for Recorder<'_> {
    fn keep(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.engine.keep(name, sql)?;
        self.record_table(name)
    }

    fn define(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.engine.define(name, sql)?;
        self.record_table(name)
    }

    fn share(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.engine.share(name, sql)?;
        self.record_table(name)
    }

    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Failure> {
        let rows = self.engine.rows(sql)?;
        self.record(sql, &rows)?;
        Ok(rows)
    }
}
