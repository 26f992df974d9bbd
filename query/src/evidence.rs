//! Evidence: the person's own answers, question by question.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use duckdb::params;
use plantune_domain::agreement::agreement::{Asking, Given};
use plantune_domain::agreement::look::Look;
use plantune_domain::answer::Answer;
use plantune_domain::gate::ProposedAnswer;
use plantune_domain::preferences::Scope;
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_domain::teach::{Lesson, lesson};
use plantune_domain::wire::SentQuestion;
use serde::Deserialize;

use crate::store::json;
use crate::{Store, StoreError};

/// How many answers it takes to look at a habit at all.
pub(crate) const LEAST_ANSWERS: usize = 3;

/// How many of the latest answers of a habit are looked at: in two years, as many as five a day.
pub(crate) const MOST_ANSWERS: usize = 4000;

/// How many answers are read in all, the latest ones and the rest of the day before them: 68 a day for two years. They
/// take 100 MB.
const MOST_IN_ALL: u64 = 50_000;

/// How long an answer counts, and a decision about a prompt: after two years without one the person may want something
/// else.
pub const COUNTS_FOR: TimeDelta = TimeDelta::days(730);

/// How many answers to questions that were asked once or twice are read, the latest ones: a rule of the registry may make
/// them one question, and so may several projects. One person gives so many in years.
const MOST_LOOSE: u32 = 5000;

/// The evidence in the store, in the order of project and key: every question that a person answered
/// at least three times in one project, and the latest of those that they answered less often: a rule of `registry`
/// may put them together.
///
/// Questions that a preference answered, that failed or were dismissed don't count, and neither does what
/// happened in sessions without a person (headless and spawned ones). What the person took back with
/// `plantune undo` counts against the habit, as an answer that no policy would have given.
///
/// # Errors
/// The errors of DuckDB.
pub fn evidence(store: &Store, registry: &Registry) -> Result<Vec<KeyEvidence>, StoreError> {
    let mut keys: BTreeMap<(String, String), KeyEvidence> = BTreeMap::new();
    let sql = include_str!("../sql/suggest/first_and_last_day.sql");
    let (first_day, last_day, questions) =
        store.row::<(Option<NaiveDate>, Option<NaiveDate>, u64)>(sql, [])?;
    if let Some(last_day) = last_day {
        let mut since = last_day - COUNTS_FOR;
        if questions > MOST_IN_ALL {
            let sql = include_str!("../sql/suggest/too_early.sql");
            let found =
                store.row::<(Option<NaiveDate>,)>(sql, params![since, last_day, MOST_IN_ALL])?;
            since = found.0.unwrap_or(since);
        }
        let named = registry.keys().collect::<Vec<_>>().join(",");
        store.connection.execute(
            include_str!("../sql/suggest/evidence.sql"),
            params![
                LEAST_ANSWERS as i64,
                last_day,
                MOST_LOOSE,
                named,
                MOST_ANSWERS as i64,
                since
            ],
        )?;
        let sql = include_str!("../sql/suggest/answers.sql");
        for (of, answer) in store.pairs::<KeyEvidence, HumanAnswer>(sql, [])? {
            let key = keys.entry(of.name()).or_insert(of);
            key.answers.push(Arc::new(answer.meant()));
        }
    }
    let sql = include_str!("../sql/suggest/undone.sql");
    for (of, undone) in store.pairs::<KeyEvidence, HumanAnswer>(sql, [])? {
        if let Some(key) = keys.get_mut(&of.name()) {
            key.answers.push(Arc::new(undone));
        }
    }
    if last_day.is_some() {
        let sql = include_str!("../sql/suggest/askings.sql");
        for of in store.rows::<KeyEvidence>(sql, [])? {
            if let Some(key) = keys.get_mut(&of.name()) {
                key.recent_askings = of.recent_askings;
            }
        }
    }
    let mut series: Vec<KeyEvidence> = keys.into_values().collect();
    for one in &mut series {
        one.known_since = first_day;
    }
    Ok(series)
}

/// A person's answer to one question. It stands in an [`Arc`], as habits share their answers.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct HumanAnswer {
    /// The project it was asked in; filled in when habits are made.
    #[serde(skip)]
    pub project: Arc<str>,
    /// The key it was logged under.
    pub question_key: String,
    /// When the question was asked (UTC).
    pub at: NaiveDateTime,
    /// The day of that moment in the person's time zone.
    pub day: NaiveDate,
    /// The session.
    pub session_id: String,
    /// Which question of the call.
    pub question_index: u32,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    #[serde(deserialize_with = "json")]
    pub options: Vec<String>,
    /// Their descriptions, one an option or none at all; `None` if they were not logged.
    #[serde(deserialize_with = "json")]
    pub descriptions: Option<Vec<String>>,
    /// The digests of their previews, one for each option.
    #[serde(deserialize_with = "json")]
    pub previews: Option<Vec<String>>,
    /// The host (`plantune_domain::session_kind`) that it was given at.
    pub tool: Option<String>,
    /// True when it was read from a transcript, and not logged by the hook.
    pub is_imported: bool,
    /// The recommended label without its mark.
    pub recommended: Option<String>,
    /// True when several options could be chosen.
    pub multi_select: bool,
    /// Why this asking was logged as one-way, if it was.
    pub one_way: Option<String>,
    /// The labels chosen, as sent.
    #[serde(deserialize_with = "json")]
    pub labels: Vec<String>,
    /// True when something was typed or noted.
    pub said_more: bool,
    /// The typed text, where nothing was chosen or noted and it is short enough to be read.
    pub typed: Option<String>,
    /// The skill or plugin that asked, if known.
    pub asker: Option<String>,
    /// Whether a rule of the person's lets it be answered, whatever its words.
    #[serde(skip)]
    pub is_opened: bool,
    /// The scope of the preference whose answer the person took back. Such an entry is not an answer.
    pub undone: Option<Scope>,
    /// How long the person took, in seconds; `None` if that is not known, or they were away.
    pub human_seconds: Option<f64>,
    /// What an agreement sees of its question.
    #[serde(skip)]
    pub look: KnownLook,
}

/// A look, once it was needed. It follows from the question, so it makes no difference between answers.
#[derive(Clone, Debug, Default)]
pub struct KnownLook(OnceLock<Look>);

impl PartialEq for KnownLook {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl HumanAnswer {
    /// The order of time; of what happened at once, an order that does not depend on how it was read.
    pub fn in_time(one: &Self, other: &Self) -> Ordering {
        fn order(one: &HumanAnswer) -> impl Ord + '_ {
            (
                (one.at, one.question_index),
                (&one.session_id, &one.question_key),
                (&one.labels, one.said_more),
            )
        }
        order(one).cmp(&order(other))
    }

    /// The question as the person read it.
    pub fn asking(&self) -> Asking<'_> {
        Asking {
            host: self.tool.as_deref(),
            text: &self.question,
            header: self.header.as_deref().unwrap_or_default(),
            options: &self.options,
            descriptions: self.descriptions.as_deref().unwrap_or_default(),
            previews: self.previews.as_deref().unwrap_or_default(),
            multi_select: self.multi_select,
            unknown_field: None,
            is_opened: self.is_opened,
        }
    }

    /// What an agreement sees of its question.
    pub(crate) fn look(&self) -> &Look {
        self.look.0.get_or_init(|| Look::of(&self.asking()))
    }

    /// The answer as something that was agreed to; `None` unless one label was chosen, and where a rule had it asked.
    pub(crate) fn given(&self) -> Option<Given<'_>> {
        let label = self.chosen().filter(|_| !self.is_held())?;
        Some(Given {
            asking: self.asking(),
            label,
            session: &self.session_id,
        })
    }

    /// What was chosen, as an answer to be judged; `None` unless it is one label.
    pub(crate) fn proposed(&self) -> Option<ProposedAnswer<'_>> {
        let label = self.chosen()?;
        let at = self
            .options
            .iter()
            .position(|option| same_label(option, label))?;
        let descriptions = self.descriptions.as_deref().unwrap_or_default();
        Some(ProposedAnswer {
            key: &self.question_key,
            text: &self.question,
            header: self.header.as_deref(),
            options: &self.options,
            label: Some(label),
            description: descriptions.get(at).map_or("", String::as_str),
            preview: "",
        })
    }

    /// True if a rule of the registry made sure that it was asked, so that no agreement covers it.
    pub(crate) fn is_held(&self) -> bool {
        let reason = self.one_way.as_deref();
        reason.is_some_and(|reason| reason.starts_with("registry"))
    }

    /// The one label that was chosen.
    pub(crate) fn chosen(&self) -> Option<&str> {
        match self.labels.as_slice() {
            [label] => Some(label),
            _ => None,
        }
    }

    /// The answer without the word that taught it, which says nothing more about the question.
    pub(crate) fn meant(mut self) -> Self {
        if self.said_more && is_taught(&self) {
            self.said_more = false;
        }
        self
    }
}

/// A person's answers to one question, of one project.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct KeyEvidence {
    /// The project.
    pub project: String,
    /// The key.
    pub question_key: String,
    /// How the key was found: `marker`, `registry`, `options` or `text`.
    pub key_source: String,
    /// How often it was asked in the four weeks up to the last time, that time included, whoever answered.
    #[serde(default)]
    pub recent_askings: u64,
    /// The first day of the log, which may lie within these four weeks.
    #[serde(skip)]
    pub known_since: Option<NaiveDate>,
    /// The person's answers.
    #[serde(skip)]
    pub answers: Vec<Arc<HumanAnswer>>,
}

impl KeyEvidence {
    /// How often it is asked in a week.
    pub(crate) fn a_week(&self) -> f64 {
        let last = self
            .answers
            .last()
            .map_or(NaiveDate::MAX, |answer| answer.day);
        #[allow(
            clippy::cast_precision_loss,
            reason = "a count of askings is far below 2^52"
        )]
        let askings = self.recent_askings as f64;
        a_week(askings, self.known_since, last)
    }

    /// Its project and key.
    pub(crate) fn name(&self) -> (String, String) {
        (self.project.clone(), self.question_key.clone())
    }
}

/// True for a label that was typed with the word that teaches it (`always: Next area`): the word is for
/// plantune, and says nothing more about the question.
fn is_taught(answer: &HumanAnswer) -> bool {
    let question = SentQuestion {
        options: answer.options.clone(),
        multi_select: Some(answer.multi_select),
        ..SentQuestion::default()
    };
    let typed = Answer {
        free_text: answer.typed.clone(),
        ..Answer::default()
    };
    let option = match lesson(&question, &typed) {
        Some(Lesson::Always(option) | Lesson::AlwaysAsk(Some(option))) => Some(option),
        _ => None,
    };
    let option = option.and_then(|option| answer.options.get(option));
    option.is_some_and(|option| answer.chosen() == Some(option))
}

/// Four weeks: the latest days that are counted.
pub(crate) const ACTIVITY_DAYS: u32 = 28;

/// The first of the [`ACTIVITY_DAYS`] that end with the day `last`.
pub(crate) fn first_day(last: NaiveDate) -> NaiveDate {
    let before = TimeDelta::days(i64::from(ACTIVITY_DAYS) - 1);
    last.checked_sub_signed(before).unwrap_or(NaiveDate::MIN)
}

/// How often a week something comes that came `times` in the four weeks up to `last`. If the log begins within these, at
/// `known_since`, only its days count, but a week at least.
pub(crate) fn a_week(times: f64, known_since: Option<NaiveDate>, last: NaiveDate) -> f64 {
    let first = first_day(last);
    let first = known_since.map_or(first, |since| since.max(first));
    let days = (last - first).num_days() + 1;
    #[allow(clippy::cast_precision_loss, reason = "at most four weeks")]
    let weeks = days.max(7) as f64 / 7.0;
    times / weeks
}

/// The asker as it is written in the log (`/gsd:discuss-phase`, `superpowers:brainstorming`, `general-purpose`) without
/// what distinguishes a skill from the command of its name that was typed: `ship` of `/ship`.
pub(crate) fn bare(asker: &str) -> &str {
    asker.strip_prefix('/').unwrap_or(asker)
}

#[cfg(test)]
pub(crate) mod tests {
    use chrono::NaiveDateTime;
    use plantune_domain::recommended::{recommended, strip_mark};

    use super::*;

    /// A moment from `2026-11-20 10:00`.
    pub(crate) fn at(time: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M").unwrap()
    }

    /// An answer by label, the recommendation read from the options' marks.
    pub(crate) fn answer(options: &[&str], labels: &[&str]) -> HumanAnswer {
        let owned = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let options = owned(options);
        let at = at("2026-11-01 10:00");
        HumanAnswer {
            question_key: "a".to_owned(),
            at,
            day: at.date(),
            session_id: "s".to_owned(),
            question: "Which layout?".to_owned(),
            recommended: recommended("", &options)
                .and_then(|index| options.get(index))
                .map(|label| strip_mark(label).0.to_owned()),
            options,
            labels: owned(labels),
            human_seconds: Some(30.0),
            ..HumanAnswer::default()
        }
    }

    #[test]
    fn a_label_that_was_taught_is_an_answer() {
        let mut taught = answer(&["More questions", "Next area"], &["Next area"]);
        for (typed, expected) in [
            ("always: Next area", true),
            ("Immer: next area", false),
            ("always: More questions", false),
            ("Next area, and note that", false),
        ] {
            taught.typed = Some(typed.to_owned());
            assert_eq!(is_taught(&taught), expected, "{typed}");
        }
        taught.typed = None;
        assert!(!is_taught(&taught));
    }

    #[test]
    fn weeks_are_those_that_something_is_known_of() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let last = day("2026-11-28");
        assert_eq!(first_day(last), day("2026-11-01"));
        for (times, known_since, expected) in [
            (8.0, None, 2.0),
            (8.0, Some("2025-11-01"), 2.0),
            (8.0, Some("2026-11-15"), 4.0),
            // Eleven days, and less than a week.
            (22.0, Some("2026-11-18"), 14.0),
            (8.0, Some("2026-11-28"), 8.0),
            (8.0, Some("2026-12-24"), 8.0),
        ] {
            let found = a_week(times, known_since.map(day), last);
            assert!((found - expected).abs() < 1e-9, "{times} {known_since:?}");
        }
    }
}
