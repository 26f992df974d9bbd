//! What the period comes to, in sentences, and beside the period before.

use maud::{Markup, html};
use plantune_query::report::Totals;

use super::number::{count, seconds};
use super::parts::{code, dated, table, text};
use crate::report::{Document, Piece, Sentence, incomparable, nothing};

/// The sentences, what can be done about them, and what needs attention.
pub(super) fn section(document: &Document) -> Markup {
    html! {
        section.card {
            @if let Some(lines) = nothing(document, ToOwned::to_owned) {
                p.lead { @for line in lines { (dated(&line)) " " } }
            }
            @if !document.summary.is_empty() {
                p.lead {
                    @for (number, one) in document.summary.iter().enumerate() {
                        (sentence(one, &format!("/summary/{number}"))) " "
                    }
                }
            }
            @if !document.stands_out.is_empty() {
                ul {
                    @for (number, one) in document.stands_out.iter().enumerate() {
                        li {
                            (sentence(one, &format!("/stands_out/{number}")))
                            @if let Some(command) = &one.show { " " (code(command)) }
                        }
                    }
                }
            }
        }
        @if let Some(away) = &document.away { p.note { (dated(&format!("You are {away}."))) } }
        @if document.quarantined > 0 {
            p.note {
                "Lines of the log that could not be read and are kept in quarantine: "
                (count(document.quarantined, "/quarantined")) ". See " code { "plantune doctor" } "."
            }
        }
    }
}

fn sentence(sentence: &Sentence, json: &str) -> Markup {
    let at = |name: &str| format!("{json}/figures/{name}");
    html! {
        @for piece in &sentence.pieces {
            @match piece {
                Piece::Words(words) => (words),
                Piece::Text(outside) => (text(outside)),
                Piece::Date(date) => (dated(date)),
                Piece::Count(name, value) => (count(*value, &at(name))),
                Piece::Seconds(name, value) => (seconds(*value, &at(name))),
            }
        }
    }
}

/// A figure of the totals: its name, its field, and its number.
struct Figure(&'static str, &'static str, Value);

enum Value {
    Count(fn(&Totals) -> u64),
    Seconds(fn(&Totals) -> f64),
}

impl Figure {
    fn is_there(&self, totals: &Totals) -> bool {
        match self.2 {
            Value::Count(of) => of(totals) > 0,
            Value::Seconds(of) => of(totals) >= 0.5,
        }
    }

    fn of(&self, totals: &Totals, place: &str) -> Markup {
        let at = format!("/{place}/{}", self.1);
        match self.2 {
            Value::Count(of) => count(of(totals), &at),
            Value::Seconds(of) => seconds(of(totals), &at),
        }
    }
}

const FIGURES: [Figure; 11] = [
    Figure("asked", "asked", Value::Count(|totals| totals.asked)),
    Figure(
        "answered by you",
        "answered",
        Value::Count(|totals| totals.answered),
    ),
    Figure(
        "left without an answer",
        "dismissed",
        Value::Count(|totals| totals.dismissed),
    ),
    Figure(
        "could not be asked",
        "failed",
        Value::Count(|totals| totals.failed),
    ),
    Figure("still open", "open", Value::Count(|totals| totals.open)),
    Figure(
        "decided without you",
        "auto_decided",
        Value::Count(|totals| totals.auto_decided),
    ),
    Figure(
        "sessions",
        "sessions",
        Value::Count(|totals| totals.sessions),
    ),
    Figure(
        "answering took",
        "human_seconds",
        Value::Seconds(|totals| totals.human_seconds),
    ),
    Figure(
        "agents waited",
        "waiting_seconds",
        Value::Seconds(|totals| totals.waiting_seconds),
    ),
    Figure(
        "while nobody was there",
        "waiting_away_seconds",
        Value::Seconds(|totals| totals.waiting_away_seconds),
    ),
    Figure(
        "time saved",
        "seconds_saved",
        Value::Seconds(|totals| totals.seconds_saved),
    ),
];

/// The period beside the one before, where the two can be compared; what neither has is left out.
pub(super) fn compared(document: &Document) -> Markup {
    let (now, before) = (&document.totals, &document.previous);
    if now.questions == 0 || before.questions == 0 {
        return html! {};
    }
    if let Some(line) = incomparable(document) {
        return html! { p.about { (dated(&line)) } };
    }
    let figures = FIGURES.iter();
    let figures = figures.filter(|one| one.is_there(now) || one.is_there(before));
    html! {
        section.card {
            h2 { "Compared with the period before" }
            dl.tiles {
                @for figure in figures {
                    div {
                        dt { (figure.0) }
                        dd {
                            strong { (figure.of(now, "totals")) }
                            small { "before: " (figure.of(before, "previous")) }
                        }
                    }
                }
            }
        }
    }
}

/// What went wrong.
pub(super) fn failures(document: &Document) -> Markup {
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
