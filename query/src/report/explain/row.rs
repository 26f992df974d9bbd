//! One question behind a figure, and what can be true of it.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde::{Serialize, Serializer};

use crate::asker::is_called;

/// One question of a period.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureRow {
    /// When it came up (UTC).
    #[serde(rename = "put_at", serialize_with = "time")]
    pub at: DateTime<Utc>,
    /// The day of that moment in the person's time zone.
    #[serde(skip)]
    pub day: NaiveDate,
    /// The day of the week (1 is Monday) and the hour (0–23) there.
    #[serde(skip)]
    pub hour: (u32, u32),
    /// The project.
    pub project: String,
    /// The session.
    pub session_id: String,
    /// `interactive`, `headless`, `spawned` or `unknown`.
    pub session_kind: String,
    /// The call.
    pub tool_use_id: String,
    /// Which question of the call.
    pub question_index: u32,
    /// The key by which it goes today.
    pub question_key: String,
    /// The command, skill, plugin or sub-agent that asked, as logged.
    pub asker: Option<String>,
    /// The text.
    pub question: String,
    /// `answered`, `auto_decided`, `failed`, `dismissed` or `open`.
    pub outcome: String,
    /// What decided without the person, by the names of `auto_decided_by`.
    pub decided_by: Option<String>,
    /// What went wrong.
    pub error_kind: Option<String>,
    /// What the answer is counted by.
    pub answer: Option<String>,
    /// Whether the answer took the recommendation; `None` where none was made.
    #[serde(skip)]
    pub followed: Option<bool>,
    /// How long it took until the answer, in seconds: of a call with several questions, its share.
    pub human_seconds: Option<f64>,
    /// That, where the person answered within the bound.
    pub answering_seconds: Option<f64>,
    /// That, where they were away for longer.
    pub away_seconds: Option<f64>,
    /// How long it kept its session's agent waiting, in seconds, without what an earlier question covers. Of a
    /// call with several questions the whole may stand at one of them.
    pub waiting_seconds: Option<f64>,
    /// Whether that whole wait exceeds the bound.
    #[serde(skip)]
    pub waited_while_away: bool,
    /// How much of their time the decision spared, in seconds.
    pub seconds_saved: Option<f64>,
}

/// What is true of the questions behind a figure.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// The person was asked.
    Asked,
    Outcome(&'static str),
    DecidedBy(&'static str),
    ErrorKind(String),
    /// The question goes by this key; in this project, where one is named.
    Question(String, Option<String>),
    Asker(String),
    Session(String),
    SessionKind(String),
    Weekday(u32),
    Hour(u32),
    Day(NaiveDate),
    /// Something was recommended.
    Recommended,
    /// The person's time for the answer is known.
    Timed,
    /// They were away before they answered.
    Away,
    /// It is known how long an agent waited.
    Waited,
    /// And that it waited for somebody who was away.
    WaitedWhileAway,
    /// The time until the answer, away or not, is at least, and less than, so many seconds.
    Took(f64, Option<f64>),
    /// A decision spared the person time.
    Saved,
}

impl Condition {
    pub(super) fn holds(&self, row: &FigureRow) -> bool {
        match self {
            Self::Asked => row.outcome != "auto_decided",
            Self::Outcome(outcome) => row.outcome == *outcome,
            Self::DecidedBy(what) => row.decided_by.as_deref() == Some(*what),
            Self::ErrorKind(kind) => row.error_kind.as_ref() == Some(kind),
            Self::Question(key, project) => {
                row.question_key == *key && project.as_ref().is_none_or(|one| row.project == *one)
            }
            Self::Asker(name) => {
                let asker = row.asker.as_deref();
                asker.is_some_and(|asker| is_called(asker, name))
            }
            Self::Session(session) => row.session_id == *session,
            Self::SessionKind(kind) => row.session_kind == *kind,
            Self::Weekday(weekday) => row.hour.0 == *weekday,
            Self::Hour(hour) => row.hour.1 == *hour,
            Self::Day(day) => row.day == *day,
            Self::Recommended => row.followed.is_some(),
            Self::Timed => row.answering_seconds.is_some(),
            Self::Away => row.away_seconds.is_some(),
            Self::Waited => row.waiting_seconds.is_some(),
            Self::WaitedWhileAway => row.waiting_seconds.is_some() && row.waited_while_away,
            Self::Took(least, below) => row.human_seconds.is_some_and(|seconds| {
                (seconds >= *least || *least == 0.0) && below.is_none_or(|below| seconds < below)
            }),
            Self::Saved => row.seconds_saved.is_some(),
        }
    }
}

fn time<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
}
