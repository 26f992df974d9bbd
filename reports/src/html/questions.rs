//! The questions, and what was answered for the person.

use maud::{Markup, html};
use plantune_query::report::QuestionCounts;

use super::charts::spark;
use super::number::{count, known_seconds, none, share};
use super::parts::{behind, code, dated, table, text};
use crate::report::{Document, listing};

/// The most frequent questions.
pub(super) fn section(document: &Document, top: usize) -> Markup {
    if document.questions.is_empty() {
        return html! {};
    }
    let weeks: Vec<String> = document
        .trend
        .iter()
        .map(|week| week.week.clone())
        .collect();
    // What is listed stands first in the document, so that a question has the same number in both.
    let listing = listing(document, top);
    let shown = listing.questions.iter().enumerate();
    html! {
        section {
            h2 { @if listing.is_part { "The most frequent questions" } @else { "The questions" } }
            div.list {
                @for (number, question) in shown {
                    (article(question, &weeks, &format!("/questions/{number}")))
                }
            }
            @if listing.is_part {
                p.about { "There are more: " code { "plantune report --html --top" } " takes how many to show." }
            }
            @if listing.once.is_some() {
                p.about {
                    (count(document.asked_once, "/asked_once"))
                    @if document.asked_once == 1 { " question was" } @else { " questions were" }
                    " asked once: " code { "plantune report --html --all" } " shows what was."
                }
            }
        }
    }
}

fn article(question: &QuestionCounts, weeks: &[String], json: &str) -> Markup {
    let at = |field: &str| format!("{json}/{field}");
    html! {
        article.card {
            h3 { (text(question.text())) }
            @if question.template_text.is_some() {
                p.about { "Last asked as: " (text(&question.question)) }
            }
            p.about {
                (text(&question.project)) " · " (code(&question.question_key))
                @if question.door == "one-way" { " · one-way" }
            }
            dl.facts {
                div { dt { "asked" } dd { (count(question.asked, &at("asked"))) } }
                div { dt { "by you" } dd { (count(question.answered, &at("answered"))) } }
                div { dt { "without you" } dd { (count(question.auto_decided, &at("auto_decided"))) } }
                div { dt { "median" } dd { (known_seconds(question.median_seconds, &at("median_seconds"))) } }
                div {
                    dt { "as recommended" }
                    dd {
                        @match question.agreement {
                            Some(agreement) => {
                                (share(agreement, &at("agreement"))) " of "
                                (count(question.agreement_n, &at("agreement_n")))
                            }
                            None => (none()),
                        }
                    }
                }
            }
            div.pictures {
                @if question.weeks.iter().any(|times| *times > 0) {
                    (spark::weeks(&question.weeks, weeks, json))
                }
                @if !question.answers.is_empty() {
                    div {
                        (spark::answers(&question.answers, json))
                        ul.legend {
                            @for (number, answer) in question.answers.iter().take(spark::NAMED).enumerate() {
                                li {
                                    span class=(format!("key {}", spark::class(number))) {}
                                    (text(&answer.answer)) " "
                                    (count(answer.times, &format!("{json}/answers/{number}/times")))
                                }
                            }
                            @if question.answers.len() > spark::NAMED {
                                li { span.key.share-other {} "others" }
                            }
                        }
                    }
                }
            }
            @if !question.weeks.is_empty() { (behind(&numbers(question, weeks, json))) }
        }
    }
}

/// The table behind a question's pictures.
fn numbers(question: &QuestionCounts, weeks: &[String], json: &str) -> Markup {
    let by_week = (weeks.iter().zip(&question.weeks).enumerate()).map(|(number, (week, times))| {
        vec![
            dated(week),
            count(*times, &format!("{json}/weeks/{number}")),
        ]
    });
    let by_answer = (question.answers.iter().enumerate()).map(|(number, answer)| {
        vec![
            text(&answer.answer),
            count(answer.times, &format!("{json}/answers/{number}/times")),
        ]
    });
    html! {
        (table(&["week", "times"], &by_week.collect::<Vec<_>>()))
        @if !question.answers.is_empty() {
            (table(&["your answer", "times"], &by_answer.collect::<Vec<_>>()))
        }
    }
}

/// How many rows of what was answered for the person are shown.
const MOST_ANSWERED: usize = 12;

/// What was answered for the person.
pub(super) fn answered_for_you(document: &Document) -> Markup {
    let all = &document.answered_for_you;
    if all.is_empty() {
        return html! {};
    }
    let rows: Vec<Vec<Markup>> = (all.iter().take(MOST_ANSWERED).enumerate())
        .map(|(number, one)| {
            let answer = html! {
                @if one.answer.is_empty() { (none()) }
                @for (number, label) in one.answer.iter().enumerate() {
                    @if number > 0 { ", " }
                    (text(label))
                }
                span.by { (by(&one.decided_by)) }
                @if one.undone > 0 {
                    span.by {
                        "taken back: "
                        (count(one.undone, &format!("/answered_for_you/{number}/undone")))
                    }
                }
            };
            let times = count(one.times, &format!("/answered_for_you/{number}/times"));
            vec![text(&one.question), answer, times]
        })
        .collect();
    html! {
        section.card {
            h2 { "Decided without you" }
            p.about { "In this period. " code { "plantune undo" } " takes an answer back." }
            (table(&["question", "answer", "times"], &rows))
            @if all.len() > MOST_ANSWERED {
                p.about { "There is more: " code { "plantune log --auto" } " lists it." }
            }
        }
    }
}

/// What decided, in words.
fn by(decided_by: &str) -> &'static str {
    match decided_by {
        "session" => "as before in the session",
        "reviewer" => "by your reviewer",
        "turned_down" => "turned down by your reviewer",
        "away" => "as recommended, you were away",
        _ => "by a preference",
    }
}
