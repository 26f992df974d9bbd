//! The queries of a report, in their order, whichever engine runs them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use chrono::{DateTime, Datelike as _};
use duckdb::arrow::array::RecordBatch;
use plantune_domain::config::Suggest;
use plantune_reports::fleet::{
    Advice, Document, Figures, LakeState, PromptFigures, Starter, TopAnswer,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::engine::{Engine, Kept, Scope};
use super::starters::is_one;
use crate::database::in_batches;
use crate::failure::Failure;

/// Runs queries on an engine that has loaded what they read. Errors are the engine's.
pub(crate) struct Queries<'a> {
    engine: &'a mut dyn Engine,
    /// Where tables and answers are written down, a line of JSON each, so that engines can be compared.
    record: Option<File>,
}

impl<'a> Queries<'a> {
    /// Those of `engine`; `record` is a file to write tables and answers to.
    ///
    /// # Errors
    /// When that file cannot be made.
    pub(crate) fn new(engine: &'a mut dyn Engine, record: Option<&Path>) -> Result<Self, Failure> {
        let create = |path: &Path| {
            File::create(path).map_err(|error| Failure::from(error).about(path.display()))
        };
        let record = record.map(create).transpose()?;
        Ok(Self { engine, record })
    }

    /// Makes of `events` the tables that all else is computed from: `questions`, `prompts` and `barred`.
    pub(crate) fn tables(&mut self) -> Result<(), Failure> {
        let each_event = include_str!("../../sql/fleet/each_event.sql");
        self.make(
            "copied",
            Kept::Yes,
            include_str!("../../sql/fleet/copied.sql"),
        )?;
        self.make("each_event", Kept::WhereCostly, each_event)?;
        self.make(
            "barred",
            Kept::Yes,
            include_str!("../../sql/fleet/barred.sql"),
        )?;
        self.make(
            "questions",
            Kept::Yes,
            include_str!("../../sql/fleet/questions.sql"),
        )?;
        self.make(
            "prompts",
            Kept::Yes,
            include_str!("../../sql/fleet/prompts.sql"),
        )
    }

    /// The report.
    pub(crate) fn document(&mut self, scope: &Scope, lake: LakeState) -> Result<Document, Failure> {
        self.period()?;
        let mut weeks = self.groups(include_str!("../../sql/fleet/groups/week.sql"))?;
        for week in &mut weeks {
            week.name = week.name.take().map(week_name);
        }
        weeks.sort_by(|one, other| {
            (one.name.is_none(), &one.name).cmp(&(other.name.is_none(), &other.name))
        });
        let total = self.groups(include_str!("../../sql/fleet/groups/total.sql"))?;
        let mut questions = self.groups(include_str!("../../sql/fleet/groups/question.sql"))?;
        let mut answers = self.top_answers()?;
        for question in &mut questions {
            let name = question.name.as_ref();
            question.top_answer = name.and_then(|name| answers.remove(name));
        }
        let askers = self.groups(include_str!("../../sql/fleet/groups/asker.sql"))?;
        // Of the askers' groups, while they are there.
        let answered_alike = advice(&questions, self.voices()?, &scope.suggest);
        let session_kinds = self.groups(include_str!("../../sql/fleet/groups/session_kind.sql"))?;
        let errors = self.groups(include_str!("../../sql/fleet/groups/error.sql"))?;
        let prompts_total = include_str!("../../sql/fleet/groups/prompts_total.sql");
        let permissions = self.prompts(prompts_total)?;
        let prompts_tool = include_str!("../../sql/fleet/groups/prompts_tool.sql");
        Ok(Document {
            period: scope.days.into(),
            k: scope.k,
            totals: total.into_iter().find(|all| all.name.is_some()),
            weeks,
            questions,
            askers,
            answered_alike,
            session_kinds,
            errors,
            permissions: permissions.into_iter().find(|all| all.name.is_some()),
            permissions_by_tool: self.prompts(prompts_tool)?,
            lake,
        })
    }

    /// What nearly everybody answered alike.
    pub(crate) fn starters(&mut self, scope: &Scope) -> Result<Vec<Starter>, Failure> {
        self.period()?;
        self.name_groups(include_str!("../../sql/fleet/groups/question.sql"))?;
        let mut starters = self.voices()?;
        starters.retain(|starter| is_one(starter, &scope.suggest));
        Ok(starters)
    }

    fn period(&mut self) -> Result<(), Failure> {
        self.make(
            "period",
            Kept::No,
            include_str!("../../sql/fleet/period.sql"),
        )
    }

    /// Makes the rows that `sql` groups the table `named`.
    fn name_groups(&mut self, sql: &str) -> Result<(), Failure> {
        self.make("grouped", Kept::No, sql)?;
        self.make("named", Kept::No, include_str!("../../sql/fleet/named.sql"))
    }

    fn groups(&mut self, sql: &str) -> Result<Vec<Figures>, Failure> {
        self.name_groups(sql)?;
        self.rows(include_str!("../../sql/fleet/figures.sql"))
    }

    fn prompts(&mut self, sql: &str) -> Result<Vec<PromptFigures>, Failure> {
        self.name_groups(sql)?;
        self.rows(include_str!("../../sql/fleet/prompt_figures.sql"))
    }

    /// How many machines say the same, of each question of each group that is shown.
    fn voices(&mut self) -> Result<Vec<Starter>, Failure> {
        self.rows(include_str!("../../sql/fleet/voices.sql"))
    }

    /// The answer that was given most often, by group.
    fn top_answers(&mut self) -> Result<BTreeMap<String, TopAnswer>, Failure> {
        #[derive(Deserialize)]
        struct Answer {
            shown_name: String,
            #[serde(flatten)]
            top: TopAnswer,
        }
        let answers: Vec<Answer> = self.rows(include_str!("../../sql/fleet/answers.sql"))?;
        let by_name = answers
            .into_iter()
            .map(|answer| (answer.shown_name, answer.top));
        Ok(by_name.collect())
    }

    fn make(&mut self, name: &str, kept: Kept, sql: &str) -> Result<(), Failure> {
        self.engine.make(name, kept, sql)?;
        if self.record.is_some() {
            let batches = self.engine.batches(&format!("SELECT * FROM {name}"))?;
            self.write_down(name, &batches)?;
        }
        Ok(())
    }

    fn rows<T: DeserializeOwned>(&mut self, sql: &str) -> Result<Vec<T>, Failure> {
        let batches = self.engine.batches(sql)?;
        self.write_down(sql, &batches)?;
        in_batches(&batches)
    }

    fn write_down(&mut self, what: &str, batches: &[RecordBatch]) -> Result<(), Failure> {
        if let Some(file) = &mut self.record {
            let rows: Vec<Map<String, Value>> = in_batches(batches)?;
            writeln!(file, "{}", json!({ "query": what, "rows": rows }))?;
        }
        Ok(())
    }
}

/// What nobody answers differently, of the voices by asker; nothing of questions that are not shown themselves.
fn advice(questions: &[Figures], voices: Vec<Starter>, settings: &Suggest) -> Vec<Advice> {
    let names = questions.iter().filter_map(|one| one.name.as_deref());
    let shown: BTreeSet<&str> = names.collect();
    let is_advice = |voice: &Starter| {
        voice.agreeing == voice.machines
            && is_one(voice, settings)
            && shown.contains(voice.question_key.as_str())
    };
    let alike = voices.into_iter().filter(is_advice);
    alike.map(Advice::from).collect()
}

/// The ISO week that a group of `week.sql` is: its name is the days from 1970 to the Monday.
fn week_name(name: String) -> String {
    let days = name.parse().ok();
    let monday = days.and_then(|days: i64| DateTime::from_timestamp(days * 86_400, 0));
    match monday.map(|monday| monday.date_naive().iso_week()) {
        Some(week) => format!("{}-W{:02}", week.year(), week.week()),
        None => name,
    }
}
