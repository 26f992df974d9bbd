//! What decisions without the person spared them: each the median of their own seconds for its question.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days as Span, NaiveDate};
use duckdb::params;

use crate::seconds::to_milliseconds;
use crate::store::{Error, Store};
use crate::suggest::benefit::median;

/// How many of the latest answers to a question in a project count (`latest_seconds.sql`).
const LATEST: usize = 40;

/// How many days back answers are looked for, step by step, before all are read: most questions that are
/// decided are frequent ones.
const STEPS: [u64; 2] = [7, 56];

/// From how many questions on that is worth a statement a step.
const MANY_QUESTIONS: u64 = 100_000;

/// A question in a project: project, key.
type Question = (String, String);

/// How often a question was decided without the person in one of the two periods.
struct Decided {
    is_current: bool,
    question: Question,
    times: f64,
}

/// The median of the person's seconds for questions, where they are known.
#[derive(Default)]
struct Medians {
    in_project: BTreeMap<Question, f64>,
    /// By key, over the answers of every project.
    anywhere: BTreeMap<String, f64>,
}

impl Medians {
    fn of(&self, question: &Question) -> Option<f64> {
        let in_project = self.in_project.get(question);
        in_project
            .or_else(|| self.anywhere.get(&question.1))
            .copied()
    }
}

impl Store {
    /// The spared seconds of the period before, and of the period, to the millisecond. Each decision
    /// counts the median of the person's own seconds for its key, over their latest answers in its
    /// project, else in every project, else over all their answers, else 0.
    ///
    /// # Errors
    /// DuckDB's.
    pub(super) fn seconds_saved(&self) -> Result<[f64; 2], Error> {
        let decided = self.decided()?;
        let medians = self.medians(&decided)?;
        let is_known = |one: &Decided| medians.of(&one.question).is_some();
        // For questions whose own is not known.
        let overall = if decided.iter().all(is_known) {
            0.0
        } else {
            self.median_seconds()?.unwrap_or(0.0)
        };
        let saved = |is_current| {
            let in_period = decided.iter().filter(|one| one.is_current == is_current);
            let seconds =
                in_period.map(|one| one.times * medians.of(&one.question).unwrap_or(overall));
            to_milliseconds(seconds.sum())
        };
        Ok([saved(false), saved(true)])
    }

    fn decided(&self) -> Result<Vec<Decided>, Error> {
        let sql = include_str!("../../sql/report/saved_by_question.sql");
        let decided = self.rows(sql, [])?.into_iter();
        let decided = decided.map(|(is_current, project, key, times)| Decided {
            is_current,
            question: (project, key),
            times,
        });
        Ok(decided.collect())
    }

    /// The medians of the questions in `decided`: of those that have enough answers of late by these, of
    /// the others by all their answers, of every project.
    fn medians(&self, decided: &[Decided]) -> Result<Medians, Error> {
        let mut medians = Medians::default();
        let (questions, last_day) = self.extent()?;
        let steps = STEPS.iter().filter(|_| questions >= MANY_QUESTIONS);
        for days in steps {
            let since = last_day.and_then(|last| last.checked_sub_days(Span::new(days - 1)));
            for (question, seconds) in self.latest_seconds(&missing(decided, &medians), since)? {
                if seconds.len() >= LATEST
                    && let Some(median) = known_median(seconds)
                {
                    medians.in_project.insert(question, median);
                }
            }
        }
        let mut by_key: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (question, seconds) in self.latest_seconds(&missing(decided, &medians), None)? {
            by_key
                .entry(question.1.clone())
                .or_default()
                .extend(&seconds);
            if let Some(median) = known_median(seconds) {
                medians.in_project.insert(question, median);
            }
        }
        let by_key = by_key.into_iter();
        medians.anywhere = by_key
            .filter_map(|(key, seconds)| Some((key, known_median(seconds)?)))
            .collect();
        Ok(medians)
    }

    /// The seconds of the latest answers since the day `since` (ever, for `None`) to the questions with
    /// one of `keys`; negative where they are not known.
    fn latest_seconds(
        &self,
        keys: &BTreeSet<&str>,
        since: Option<NaiveDate>,
    ) -> Result<Vec<(Question, Vec<f64>)>, Error> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let keys = keys.iter().copied().collect::<Vec<_>>().join(",");
        let sql = include_str!("../../sql/report/latest_seconds.sql");
        let rows = self.rows(sql, params![keys, since])?.into_iter();
        let rows = rows.map(|(project, key, seconds)| ((project, key), seconds));
        Ok(rows.collect())
    }

    /// How many questions there are, and the last day with one.
    pub(crate) fn extent(&self) -> Result<(u64, Option<NaiveDate>), Error> {
        self.row(include_str!("../../sql/report/extent.sql"), [])
    }

    fn median_seconds(&self) -> Result<Option<f64>, Error> {
        let sql = include_str!("../../sql/report/median_seconds.sql");
        let (median,) = self.row(sql, [])?;
        Ok(median)
    }
}

/// The keys of the questions in `decided` that have no median yet.
fn missing<'d>(decided: &'d [Decided], medians: &Medians) -> BTreeSet<&'d str> {
    let questions = decided.iter().map(|one| &one.question);
    let missing = questions.filter(|question| medians.of(question).is_none());
    missing.map(|(_, key)| key.as_str()).collect()
}

/// The median of the `seconds` that are known.
fn known_median(mut seconds: Vec<f64>) -> Option<f64> {
    seconds.retain(|seconds| *seconds >= 0.0);
    median(seconds)
}
