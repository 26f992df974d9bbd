//! The figures of a report by their names: which questions are behind each, and how it is computed of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::row::{Condition, FigureRow};
use crate::period::{Days, Request, TREND_WEEKS, after, week_name};
use crate::report::stands_out::{Finding, KINDS, Says};
use crate::seconds::to_milliseconds;
use crate::suggest::benefit::median;

/// What a figure is of its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// How many questions they are.
    Questions,
    /// How many prompts for permission they are.
    Prompts,
    /// How many calls that nobody was asked about they stand for.
    UnaskedCalls,
    /// How many calls they came in: of each, the first is listed.
    Calls,
    /// How many sessions they came up in: of each, the first is listed.
    Sessions,
    /// The person's seconds for them.
    Seconds,
    /// The seconds that passed while the person was away.
    AwaySeconds,
    /// The seconds that agents waited: of each call, one row is listed, with the seconds of all its questions.
    WaitingSeconds,
    /// The person's seconds that decisions spared.
    SecondsSaved,
    /// The median of the person's seconds.
    MedianSeconds,
    /// The seconds that nine of ten took at most.
    NinthDecile,
    /// The share of them that took the recommendation.
    FollowedShare,
    /// The share of them that has the most frequent answer.
    TopAnswerShare,
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    pub(super) days: Days,
    pub(super) conditions: Vec<Condition>,
    pub(super) measure: Measure,
}

/// The names of the sums of a period.
pub const TOTALS: [&str; 21] = [
    "questions",
    "asked",
    "answered",
    "auto_decided",
    "auto_decided_by.preferences",
    "auto_decided_by.session",
    "auto_decided_by.reviewer",
    "auto_decided_by.turned_down",
    "auto_decided_by.away",
    "answered_by_preferences",
    "failed",
    "dismissed",
    "open",
    "calls",
    "sessions",
    "human_seconds",
    "away_answers",
    "away_seconds",
    "waiting_seconds",
    "waiting_away_seconds",
    "seconds_saved",
];

/// The conditions and the measure of a sum of `totals`, a week of `trend`, an entry of `session_kinds` or of
/// `questions`, which share their names.
fn sum(name: &str) -> Option<(Vec<Condition>, Measure)> {
    let questions = |conditions: &[Condition]| Some((conditions.to_vec(), Measure::Questions));
    match name {
        "questions" => questions(&[]),
        "asked" => questions(&[Condition::Asked]),
        "answered" => questions(&[Condition::Outcome("answered")]),
        "failed" => questions(&[Condition::Outcome("failed")]),
        "dismissed" => questions(&[Condition::Outcome("dismissed")]),
        "open" => questions(&[Condition::Outcome("open")]),
        "auto_decided" => questions(&[Condition::Outcome("auto_decided")]),
        "answered_by_preferences" | "auto_decided_by.preferences" => {
            questions(&[Condition::DecidedBy("preferences")])
        }
        "auto_decided_by.session" => questions(&[Condition::DecidedBy("session")]),
        "auto_decided_by.reviewer" => questions(&[Condition::DecidedBy("reviewer")]),
        "auto_decided_by.turned_down" => questions(&[Condition::DecidedBy("turned_down")]),
        "auto_decided_by.away" => questions(&[Condition::DecidedBy("away")]),
        "calls" => Some((vec![], Measure::Calls)),
        "sessions" => Some((vec![], Measure::Sessions)),
        "human_seconds" => Some((vec![Condition::Timed], Measure::Seconds)),
        "away_answers" => questions(&[Condition::Away]),
        "away_seconds" => Some((vec![Condition::Away], Measure::AwaySeconds)),
        "waiting_seconds" => Some((vec![Condition::Waited], Measure::WaitingSeconds)),
        "waiting_away_seconds" => Some((vec![Condition::WaitedWhileAway], Measure::WaitingSeconds)),
        "seconds_saved" => Some((vec![Condition::Saved], Measure::SecondsSaved)),
        _ => None,
    }
}

/// The sum, or what else an entry of `questions` has.
fn of_question(name: &str) -> Option<(Vec<Condition>, Measure)> {
    let answered = Condition::Outcome("answered");
    match name {
        "agreement" => Some((
            vec![answered, Condition::Recommended],
            Measure::FollowedShare,
        )),
        "agreement_n" => Some((vec![answered, Condition::Recommended], Measure::Questions)),
        "median_seconds" => Some((vec![Condition::Timed], Measure::MedianSeconds)),
        "top_answer" | "top_answer_share" => Some((vec![answered], Measure::TopAnswerShare)),
        _ => sum(name).filter(|(_, measure)| {
            !matches!(
                measure,
                Measure::Calls | Measure::Sessions | Measure::WaitingSeconds
            )
        }),
    }
}

/// Seconds of the bins of `answering_times`, as `8-15`, or `28800-` for the last.
fn bin(name: &str) -> Option<Condition> {
    let (from, to) = name.split_once('-')?;
    let to = if to.is_empty() {
        None
    } else {
        Some(to.parse().ok()?)
    };
    Some(Condition::Took(from.parse().ok()?, to))
}

/// Whether `name` is of the kind that lines of what stands out have; others need not be looked for.
pub(super) fn may_be_a_line(name: &str) -> bool {
    let name = name.strip_prefix("stands_out.").unwrap_or(name);
    let kind = name.split_once('.').map_or(name, |(kind, _)| kind);
    KINDS.contains(&kind)
}

impl Figure {
    /// The figure that `name` names in the report of `request`, in which `lines` stand out; `None` when there
    /// is none of that name. Whether a question has a key is seen in the questions.
    pub(super) fn named(name: &str, request: &Request<'_>, lines: &[Finding]) -> Option<Self> {
        let of = |days, (conditions, measure)| Self {
            days,
            conditions,
            measure,
        };
        let period = request.period;
        let name = name.strip_prefix("totals.").unwrap_or(name);
        if let Some(found) = sum(name) {
            return Some(of(period, found));
        }
        let line = name.strip_prefix("stands_out.").unwrap_or(name);
        if let Some(line) = lines.iter().find(|one| one.name == line) {
            return Some(of_line(line, request));
        }
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        match first {
            "previous" => Some(of(request.previous, sum(rest)?)),
            "trend" => {
                let (week, field) = rest.split_once('.')?;
                let found = sum(field).filter(|(conditions, measure)| {
                    matches!(measure, Measure::Questions | Measure::Seconds)
                        && !conditions.contains(&Condition::Away)
                });
                Some(of(week_of(week, request)?, found?))
            }
            "session_kinds" => {
                let (kind, field) = rest.split_once('.')?;
                let kind = Condition::SessionKind(kind.to_owned());
                let found = sum(field).filter(|(_, measure)| {
                    matches!(measure, Measure::Questions | Measure::Sessions)
                });
                Some(of(period, with(kind, found?)))
            }
            "errors" if !rest.is_empty() => {
                let kind = Condition::ErrorKind(rest.to_owned());
                Some(of(period, (vec![kind], Measure::Questions)))
            }
            "hours" => {
                let (weekday, hour) = rest.split_once('.')?;
                let weekday = Condition::Weekday(weekday.parse().ok()?);
                let hour = Condition::Hour(hour.parse().ok()?);
                let conditions = vec![Condition::Asked, weekday, hour];
                Some(of(period, (conditions, Measure::Questions)))
            }
            "answering_times" => {
                let timed = vec![Condition::Timed];
                Some(of(
                    period,
                    match rest {
                        "answers" => (vec![Condition::Took(0.0, None)], Measure::Questions),
                        "away_answers" => (vec![Condition::Away], Measure::Questions),
                        "median_seconds" => (timed, Measure::MedianSeconds),
                        "p90_seconds" => (timed, Measure::NinthDecile),
                        bounds => (vec![bin(bounds)?], Measure::Questions),
                    },
                ))
            }
            _ => {
                let key = name.strip_prefix("questions.").unwrap_or(name);
                // A key may have a dot in it.
                let field = key.rsplit_once('.');
                let field = field.and_then(|(key, field)| Some((key, of_question(field)?)));
                let (key, found) = field.unwrap_or((key, (vec![], Measure::Questions)));
                let key = Condition::Question(key.to_owned(), None);
                Some(of(period, with(key, found)))
            }
        }
    }

    /// True when the figure is about one question, which may not be there.
    pub(super) fn is_of_a_question(&self) -> bool {
        let about = |one: &Condition| matches!(one, Condition::Question(_, None));
        self.conditions.first().is_some_and(about)
    }

    pub(super) fn holds(&self, row: &FigureRow) -> bool {
        self.conditions.iter().all(|condition| condition.holds(row))
    }

    /// The rows that count: of `rows`, which hold, the first of each call or session, where these are
    /// counted.
    pub(super) fn counted(&self, mut rows: Vec<FigureRow>) -> Vec<FigureRow> {
        let mut sessions: BTreeSet<String> = BTreeSet::new();
        match self.measure {
            Measure::Calls => rows.retain(|row| row.question_index == 0),
            Measure::Sessions => rows.retain(|row| {
                !row.session_id.is_empty() && sessions.insert(row.session_id.clone())
            }),
            Measure::WaitingSeconds => rows = calls_that_waited(rows),
            _ => {}
        }
        rows
    }
}

/// Of each call the first of its `rows`, with the seconds that all of them kept the agent waiting.
fn calls_that_waited(rows: Vec<FigureRow>) -> Vec<FigureRow> {
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut calls: Vec<FigureRow> = Vec::new();
    for row in rows {
        let call = (row.session_id.clone(), row.tool_use_id.clone());
        let place = *places.entry(call).or_insert(calls.len());
        match calls.get_mut(place) {
            Some(first) => {
                let seconds = [first.waiting_seconds, row.waiting_seconds];
                first.waiting_seconds = Some(seconds.into_iter().flatten().sum());
            }
            None => calls.push(row),
        }
    }
    calls
}

impl Measure {
    /// The figure of `rows`; `None` for a median or a share of nothing.
    #[allow(clippy::cast_precision_loss, reason = "rows are far fewer than 2^52")]
    pub(super) fn of(&self, rows: &[FigureRow]) -> Option<f64> {
        let seconds = || rows.iter().filter_map(|row| row.answering_seconds);
        let n = rows.len() as f64;
        let share = |hits: usize| (n > 0.0).then(|| hits as f64 / n);
        match self {
            Self::Questions | Self::Prompts | Self::UnaskedCalls | Self::Calls | Self::Sessions => {
                Some(n)
            }
            Self::Seconds => Some(to_milliseconds(seconds().sum())),
            Self::AwaySeconds => {
                let away = rows.iter().filter_map(|row| row.away_seconds);
                Some(to_milliseconds(away.sum()))
            }
            Self::WaitingSeconds => {
                let waited = rows.iter().filter_map(|row| row.waiting_seconds);
                Some(to_milliseconds(waited.sum()))
            }
            Self::SecondsSaved => {
                let saved = rows.iter().filter_map(|row| row.seconds_saved);
                Some(to_milliseconds(saved.sum()))
            }
            Self::MedianSeconds => median(seconds().collect()).map(to_milliseconds),
            Self::NinthDecile => quantile(seconds().collect(), 0.9).map(to_milliseconds),
            Self::FollowedShare => {
                share(rows.iter().filter(|row| row.followed == Some(true)).count())
            }
            Self::TopAnswerShare => {
                let names = rows.iter().filter_map(|row| row.answer.as_deref());
                let mut times = BTreeMap::<&str, usize>::new();
                names.for_each(|name| *times.entry(name).or_default() += 1);
                share(times.into_values().max()?)
            }
        }
    }
}

/// The quantile `share` (0–1) of `values`, between two of them in proportion, as DuckDB's `quantile_cont`.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into a list"
)]
fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let place = share * values.len().checked_sub(1)? as f64;
    let lower = *values.get(place.floor() as usize)?;
    let upper = *values.get(place.ceil() as usize)?;
    Some(lower + (upper - lower) * place.fract())
}

fn with(
    condition: Condition,
    (conditions, measure): (Vec<Condition>, Measure),
) -> (Vec<Condition>, Measure) {
    (
        std::iter::once(condition).chain(conditions).collect(),
        measure,
    )
}

/// The days of the week `name` of the trend.
fn week_of(name: &str, request: &Request<'_>) -> Option<Days> {
    let first = request.trend().start;
    let mut weeks = (0..TREND_WEEKS).map(|number| after(first, 7 * number));
    let monday = weeks.find(|monday| week_name(*monday) == name)?;
    Some(Days {
        start: monday,
        end: after(monday, 6),
    })
}

/// The questions behind a line of what stands out.
fn of_line(line: &Finding, request: &Request<'_>) -> Figure {
    let answered = || Condition::Outcome("answered");
    let asked = || Condition::Asked;
    let key = || {
        let question = line.says.question();
        question.map(|one| Condition::Question(one.question_key.clone(), Some(one.project.clone())))
    };
    let mut days = request.period;
    let conditions = match &line.says {
        Says::AsksMost { asker, .. } => vec![asked(), Condition::Asker(asker.clone())],
        Says::OptionsRarelyFit { .. } | Says::AlwaysRecommended { .. } => {
            std::iter::once(answered()).chain(key()).collect()
        }
        Says::LongestWait { .. } => {
            let timed = [answered(), Condition::Timed];
            timed.into_iter().chain(key()).collect()
        }
        Says::BusiestHour { hour, .. } => vec![asked(), Condition::Hour(*hour)],
        Says::BusiestDay { day, .. } => vec![asked(), Condition::Day(*day)],
        Says::BusiestWeekday { weekday, .. } => vec![asked(), Condition::Weekday(*weekday)],
        Says::MostStoppedSession { session_id, .. } => {
            vec![asked(), Condition::Session(session_id.clone())]
        }
        Says::Change { .. } => {
            days.start = request.previous.start;
            vec![asked()]
        }
    };
    Figure {
        days,
        conditions,
        measure: Measure::Questions,
    }
}
