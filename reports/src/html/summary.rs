//! What the period comes to, in sentences, and beside the period before.

use maud::{Markup, html};
use plantune_query::report::Totals;

use super::number::{count, seconds, weekly};
use super::parts::{Rows, code, dated, text};
use crate::report::{Document, FIGURES, Figure, Piece, Sentence, Value, incomparable, nothing};

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
        @if document.report.quarantined > 0 {
            p.note {
                "Lines of the log that could not be read and are kept in quarantine: "
                (count(document.report.quarantined, "/quarantined")) ". See " code { "plantune doctor" } "."
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
                Piece::Text(_, outside) => (text(outside)),
                Piece::Date(date) => (dated(date)),
                Piece::Count(name, value) => (count(*value, &at(name))),
                Piece::Once(_, words) => (words),
                Piece::Seconds(name, value) => (seconds(*value, &at(name))),
                Piece::Weekly(name, value) => (weekly(*value, &at(name))),
            }
        }
    }
}

/// The period beside the one before, where the two can be compared; what neither has is left out.
pub(super) fn compared(document: &Document) -> Markup {
    let (now, before) = (&document.report.totals, &document.report.previous);
    if now.questions == 0 || before.questions == 0 {
        return html! {};
    }
    if let Some(line) = incomparable(document) {
        return html! { p.about { (dated(&line)) } };
    }
    let figures = FIGURES.iter();
    let figures = figures.filter(|one| one.value.is_there(now) || one.value.is_there(before));
    let of = |figure: &Figure, totals: &Totals, place: &str| {
        let at = format!("/{place}/{}", figure.field);
        match figure.value {
            Value::Count(of) => count(of(totals), &at),
            Value::Seconds(of) => seconds(of(totals), &at),
        }
    };
    html! {
        section.card {
            h2 { "Compared with the period before" }
            dl.tiles {
                @for figure in figures {
                    div {
                        dt { (figure.label.to_lowercase()) }
                        dd {
                            strong { (of(figure, now, "totals")) }
                            small { "before: " (of(figure, before, "previous")) }
                        }
                    }
                }
            }
        }
    }
}

/// What could not be asked.
pub(super) fn failures(document: &Document) -> Markup {
    let mut rows = Rows::of("/errors", document.report.errors.iter().enumerate());
    rows.add("failure", |one, _| text(&one.error_kind));
    rows.count("times", "times", |one| one.times);
    rows.card("Failures", &html! {}, &html! {})
}
