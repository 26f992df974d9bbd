//! The figures of the period, and what the person should know.

use maud::{Markup, html};
use plantune_query::report::Totals;

use super::number::{count, seconds};
use super::parts::{code, dated, table, text};
use crate::report::{Document, Piece, TITLE, incomparable, nothing};

/// What the report says when it has no numbers, and what needs attention.
pub(super) fn notes(document: &Document) -> Markup {
    html! {
        @if let Some(lines) = nothing(document, ToOwned::to_owned) {
            @for line in lines { p.note { (dated(&line)) } }
        }
        @if let Some(away) = &document.away {
            p.note { (dated(&format!("You are {away}."))) }
        }
        @if document.quarantined > 0 {
            p.note {
                "Lines of the log that could not be read and are kept in quarantine: "
                (count(document.quarantined, "/quarantined")) ". See " code { "plantune doctor" } "."
            }
        }
        @if let Some(waiting) = document.suggestions_waiting.filter(|waiting| *waiting > 0) {
            p.note {
                "Suggestions that wait: " (count(u64::from(waiting), "/suggestions_waiting"))
                ". See " code { "plantune suggest" } "."
            }
        }
    }
}

/// What stands out.
pub(super) fn stands_out(document: &Document) -> Markup {
    let piece = |number: usize, piece: &Piece| {
        let at = |name: &str| format!("/stands_out/{number}/figures/{name}");
        match piece {
            Piece::Words(words) => html! { (words) },
            Piece::Text(outside) => text(outside),
            Piece::Date(date) => dated(date),
            Piece::Count(name, value) => count(*value, &at(name)),
            Piece::Seconds(name, value) => seconds(*value, &at(name)),
        }
    };
    html! {
        @if !document.stands_out.is_empty() {
            section.card {
                h2 { (TITLE) }
                ul {
                    @for (number, line) in document.stands_out.iter().enumerate() {
                        li { @for one in &line.pieces { (piece(number, one)) } " " (code(&line.show)) }
                    }
                }
            }
        }
    }
}

/// One figure of the totals: its name, its field, and its number.
struct Figure {
    name: &'static str,
    field: &'static str,
    value: Value,
    is_headline: bool,
}

enum Value {
    Count(fn(&Totals) -> u64),
    Seconds(fn(&Totals) -> f64),
}

const fn counted(name: &'static str, field: &'static str, of: fn(&Totals) -> u64) -> Figure {
    Figure {
        name,
        field,
        value: Value::Count(of),
        is_headline: false,
    }
}

const fn timed(name: &'static str, field: &'static str, of: fn(&Totals) -> f64) -> Figure {
    Figure {
        name,
        field,
        value: Value::Seconds(of),
        is_headline: true,
    }
}

impl Figure {
    const fn headline(self) -> Self {
        Self {
            is_headline: true,
            ..self
        }
    }

    const fn behind(self) -> Self {
        Self {
            is_headline: false,
            ..self
        }
    }

    fn of(&self, totals: &Totals, place: &str) -> Markup {
        let at = format!("/{place}/{}", self.field);
        match self.value {
            Value::Count(of) => count(of(totals), &at),
            Value::Seconds(of) => seconds(of(totals), &at),
        }
    }
}

const FIGURES: [Figure; 20] = [
    counted("Questions", "questions", |totals| totals.questions).headline(),
    counted("You were asked", "asked", |totals| totals.asked).headline(),
    counted("Answered by you", "answered", |totals| totals.answered),
    counted("Dismissed", "dismissed", |totals| totals.dismissed),
    counted("Failed", "failed", |totals| totals.failed),
    counted("Still open", "open", |totals| totals.open),
    counted("Decided without you", "auto_decided", |totals| {
        totals.auto_decided
    })
    .headline(),
    counted(
        "… by preferences",
        "auto_decided_by/preferences",
        |totals| totals.auto_decided_by.preferences,
    ),
    counted(
        "… as before in the session",
        "auto_decided_by/session",
        |totals| totals.auto_decided_by.session,
    ),
    counted(
        "… by your reviewer",
        "auto_decided_by/reviewer",
        |totals| totals.auto_decided_by.reviewer,
    ),
    counted(
        "… turned down by your reviewer",
        "auto_decided_by/turned_down",
        |totals| totals.auto_decided_by.turned_down,
    ),
    counted(
        "… as recommended, while you were away",
        "auto_decided_by/away",
        |totals| totals.auto_decided_by.away,
    ),
    counted("Calls", "calls", |totals| totals.calls),
    counted("Sessions", "sessions", |totals| totals.sessions),
    timed("Your time answering", "human_seconds", |totals| {
        totals.human_seconds
    }),
    timed("The agent stood waiting", "waiting_seconds", |totals| {
        totals.waiting_seconds
    }),
    timed("… while you were away", "waiting_away_seconds", |totals| {
        totals.waiting_away_seconds
    })
    .behind(),
    counted("Answers you were away for", "away_answers", |totals| {
        totals.away_answers
    }),
    timed("The time until these", "away_seconds", |totals| {
        totals.away_seconds
    })
    .behind(),
    timed("Your time saved", "seconds_saved", |totals| {
        totals.seconds_saved
    }),
];

/// The headline's numbers, and behind them all.
pub(super) fn tiles(document: &Document) -> Markup {
    let (now, before) = (&document.totals, &document.previous);
    let incomparable = incomparable(document).filter(|_| before.questions > 0);
    let is_comparable = before.questions > 0 && incomparable.is_none();
    let previous = document.heading.previous_name();
    let rows: Vec<Vec<Markup>> = FIGURES
        .iter()
        .map(|figure| {
            let name = html! { (figure.name) };
            vec![
                name,
                figure.of(now, "totals"),
                figure.of(before, "previous"),
            ]
        })
        .collect();
    html! {
        section.card {
            h2 { "The figures" }
            dl.tiles {
                @for figure in FIGURES.iter().filter(|figure| figure.is_headline) {
                    div {
                        dt { (figure.name) }
                        dd {
                            strong { (figure.of(now, "totals")) }
                            @if is_comparable {
                                small {
                                    (dated(&previous)) ": "
                                    (figure.of(before, "previous"))
                                }
                            }
                        }
                    }
                }
            }
            @if let Some(line) = incomparable { p.about { (dated(&line)) } }
            details {
                summary { "All of them" }
                (table(&["", "now", "before"], &rows))
            }
        }
    }
}

/// Sessions and questions by session kind.
pub(super) fn session_kinds(document: &Document) -> Markup {
    let rows: Vec<Vec<Markup>> = (document.session_kinds.iter().enumerate())
        .map(|(number, kind)| {
            let at = |field: &str| format!("/session_kinds/{number}/{field}");
            vec![
                text(&kind.session_kind),
                count(kind.sessions, &at("sessions")),
                count(kind.questions, &at("questions")),
                count(kind.answered, &at("answered")),
                count(kind.auto_decided, &at("auto_decided")),
            ]
        })
        .collect();
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "Sessions" }
                (table(&["kind", "sessions", "questions", "by you", "without you"], &rows))
            }
        }
    }
}

/// What went wrong.
pub(super) fn errors(document: &Document) -> Markup {
    let rows: Vec<Vec<Markup>> = (document.errors.iter().enumerate())
        .map(|(number, error)| {
            let times = count(error.times, &format!("/errors/{number}/times"));
            vec![text(&error.error_kind), times]
        })
        .collect();
    html! {
        @if !rows.is_empty() {
            section.card { h2 { "Failures" } (table(&["failure", "times"], &rows)) }
        }
    }
}
