//! What stands out, in a line each: the same words for a terminal, Markdown, JSON and the page.

use plantune_query::report::stands_out::{Finding, Says};
use serde::Serialize;
use serde_json::{Map, Value};

use super::heading::{Heading, day, literal};
use crate::amount::duration;
use crate::text::{clean, cut, shell_word};

/// The heading of the lines.
pub(crate) const TITLE: &str = "What stands out";

/// How much of a question or a name is shown, in columns.
const SHOWN: usize = 60;

/// A line. Serialised, it is an entry of `stands_out` in `report --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Which kind of line it is.
    pub kind: &'static str,
    /// How many questions it rests on.
    pub n: u64,
    /// Seconds of the person's time that it is about, a week: its rank.
    pub seconds_per_week: f64,
    /// What it is about: a question, a project, a day.
    pub about: Map<String, Value>,
    /// Its figures by name.
    pub figures: Map<String, Value>,
    /// The line in words.
    pub text: String,
    /// The command that shows what it counts.
    pub show: String,
    /// What `text` is made of.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Words of plantune's own.
    Words(&'static str),
    /// A text from outside, cut but not made harmless.
    Text(String),
    /// A day or a time of the day.
    Date(String),
    /// The figure of this name, a count.
    Count(&'static str, u64),
    /// The figure of this name, a time in seconds.
    Seconds(&'static str, f64),
}

impl Line {
    /// The line of a finding in a report with the heading `heading`; `is_proposed` says whether something is
    /// proposed for a question by its key and project.
    pub(super) fn new(
        finding: &Finding,
        heading: &Heading,
        is_proposed: &dyn Fn(&str, &str) -> bool,
    ) -> Self {
        let mut about = Map::new();
        if let Some(question) = finding.says.question() {
            about.insert(
                "question_key".to_owned(),
                question.question_key.clone().into(),
            );
            about.insert("project".to_owned(), question.project.clone().into());
            about.insert("question".to_owned(), question.text.clone().into());
        }
        let others = match &finding.says {
            Says::AsksMost { asker, .. } => vec![("asker", asker.clone().into())],
            Says::BusiestHour { hour, .. } => vec![("hour", (*hour).into())],
            Says::BusiestDay { day, .. } => vec![("day", day.to_string().into())],
            Says::BusiestWeekday { weekday, .. } => vec![("weekday", (*weekday).into())],
            Says::MostStoppedSession {
                session_id,
                project,
                day,
                ..
            } => vec![
                ("session_id", session_id.clone().into()),
                ("project", project.clone().into()),
                ("day", day.to_string().into()),
            ],
            _ => Vec::new(),
        };
        about.extend(
            others
                .into_iter()
                .map(|(name, value): (_, Value)| (name.to_owned(), value)),
        );
        let pieces = pieces(&finding.says);
        let figures = pieces.iter().filter_map(|piece| match piece {
            Piece::Count(name, count) => Some(((*name).to_owned(), (*count).into())),
            Piece::Seconds(name, seconds) => Some(((*name).to_owned(), (*seconds).into())),
            _ => None,
        });
        Self {
            kind: finding.says.kind(),
            n: finding.n,
            seconds_per_week: finding.seconds_a_week,
            about,
            figures: figures.collect(),
            text: in_words(&pieces, clean),
            show: show(finding, heading, is_proposed),
            pieces,
        }
    }

    /// The line for Markdown or a terminal: texts from outside are made harmless by `safe`, the command is
    /// written by `code`.
    pub(super) fn shown(&self, safe: fn(&str) -> String, code: fn(&str) -> String) -> String {
        let words = in_words(&self.pieces, safe);
        format!("{words} {}", code(&self.show))
    }
}

fn in_words(pieces: &[Piece], safe: fn(&str) -> String) -> String {
    let words = pieces.iter().map(|piece| match piece {
        Piece::Words(words) => (*words).to_owned(),
        Piece::Text(text) => safe(text),
        Piece::Date(date) => date.clone(),
        Piece::Count(_, count) => count.to_string(),
        Piece::Seconds(_, seconds) => duration(*seconds),
    });
    words.collect()
}

/// The command that shows what it counts.
fn show(finding: &Finding, heading: &Heading, is_proposed: &dyn Fn(&str, &str) -> bool) -> String {
    if let Some(question) = finding.says.question() {
        let key = &question.question_key;
        let is_habit = matches!(finding.says, Says::AlwaysRecommended { .. });
        return match is_habit && is_proposed(key, &question.project) {
            true => "plantune suggest".to_owned(),
            false => format!("plantune report {}", shell_word(&clean(key))),
        };
    }
    let grouped = |by: &str| format!("{} --by {by}", heading.command());
    match &finding.says {
        Says::AsksMost { asker, .. } if asker.ends_with(":*") => grouped("framework"),
        Says::AsksMost { .. } => grouped("asker"),
        Says::BusiestWeekday { .. } => grouped("weekday"),
        Says::BusiestHour { hour, .. } => heading.asked(&format!("hour(asked_at) = {hour}")),
        Says::BusiestDay { day, .. } => heading.asked(&format!("day = '{day}'")),
        Says::MostStoppedSession { session_id, .. } => {
            heading.asked(&format!("session_id = {}", literal(session_id)))
        }
        _ => heading.command(),
    }
}

fn pieces(says: &Says) -> Vec<Piece> {
    use Piece::{Count, Date, Seconds, Text, Words};
    let quoted = |text: &str| Text(cut(text, SHOWN));
    match says {
        Says::AsksMost {
            asker,
            asked,
            of,
            seconds,
        } => vec![
            Count("asked", *asked),
            Words(" of "),
            Count("of", *of),
            Words(" questions came from "),
            quoted(asker),
            Words(": "),
            Seconds("seconds", milli(*seconds)),
            Words(" of your time."),
        ],
        Says::OptionsRarelyFit {
            question,
            typed,
            answered,
            ..
        } => vec![
            Words("The options rarely fit: you typed "),
            Count("typed", *typed),
            Words(" of "),
            Count("answered", *answered),
            Words(" answers to \""),
            quoted(&question.text),
            Words("\"."),
        ],
        Says::AlwaysRecommended {
            question,
            answered,
            seconds,
        } => vec![
            Words("Always answered as recommended, "),
            Count("answered", *answered),
            Words(" times in "),
            Seconds("seconds", milli(*seconds)),
            Words(": \""),
            quoted(&question.text),
            Words("\"."),
        ],
        Says::BusiestHour {
            hour,
            asked,
            of,
            hours,
        } => vec![
            Words("You were asked most between "),
            Date(format!("{hour}:00 and {}:00", hour + 1)),
            Words(": "),
            Count("asked", *asked),
            Words(" of "),
            Count("of", *of),
            Words(" questions; anything was asked in "),
            Count("hours", *hours),
            Words(" hours of the day."),
        ],
        Says::BusiestDay {
            day: on,
            asked,
            of,
            days,
        } => vec![
            Words("You were asked most on "),
            Date(day(*on)),
            Words(": "),
            Count("asked", *asked),
            Words(" of "),
            Count("of", *of),
            Words(" questions; anything was asked on "),
            Count("days", *days),
            Words(" days."),
        ],
        Says::BusiestWeekday {
            weekday,
            asked,
            of,
            days,
            of_days,
        } => vec![
            Words("You were asked most on "),
            Words(weekday_name(*weekday)),
            Words(": "),
            Count("asked", *asked),
            Words(" of "),
            Count("of", *of),
            Words(" questions, on "),
            Count("days", *days),
            Words(" of "),
            Count("of_days", *of_days),
            Words(" days with any."),
        ],
        Says::MostStoppedSession {
            project,
            day: on,
            asked,
            of,
            sessions,
            ..
        } => vec![
            Words("A session of "),
            Date(day(*on)),
            Words(" in "),
            quoted(project),
            Words(" was stopped most: "),
            Count("asked", *asked),
            Words(" of "),
            Count("of", *of),
            Words(" questions of "),
            Count("sessions", *sessions),
            Words(" sessions."),
        ],
        Says::LongestWait {
            question,
            answers,
            seconds,
            other_answers,
            other_seconds,
        } => vec![
            Words("Waits longest for you, "),
            Seconds("mean_seconds", mean(*seconds, *answers)),
            Words(" on average over "),
            Count("answers", *answers),
            Words(" answers ("),
            Count("other_answers", *other_answers),
            Words(" others: "),
            Seconds("other_mean_seconds", mean(*other_seconds, *other_answers)),
            Words("): \""),
            quoted(&question.text),
            Words("\"."),
        ],
        Says::Change {
            asked,
            before,
            days,
            days_before,
            cause,
        } => {
            let more = u128::from(*asked) * u128::from(*days_before)
                > u128::from(*before) * u128::from(*days);
            let mut pieces = vec![
                Words(if more {
                    "More questions: "
                } else {
                    "Fewer questions: "
                }),
                Count("asked", *asked),
                Words(" in "),
                Count("days", *days),
                Words(" days, after "),
                Count("asked_before", *before),
                Words(" in "),
                Count("days_before", *days_before),
                Words(" days before"),
            ];
            if let Some((question, now, before)) = cause {
                pieces.extend([
                    Words("; above all \""),
                    quoted(&question.text),
                    Words("\", "),
                    Count("cause_asked", *now),
                    Words(" after "),
                    Count("cause_asked_before", *before),
                ]);
            }
            pieces.push(Words("."));
            pieces
        }
    }
}

fn weekday_name(weekday: u32) -> &'static str {
    match weekday {
        1 => "Mondays",
        2 => "Tuesdays",
        3 => "Wednesdays",
        4 => "Thursdays",
        5 => "Fridays",
        6 => "Saturdays",
        _ => "Sundays",
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn mean(seconds: f64, answers: u64) -> f64 {
    milli(seconds / answers.max(1) as f64)
}

/// Rounded to the millisecond, as all seconds of the report.
fn milli(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
