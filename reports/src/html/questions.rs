//! The questions.

use maud::{Markup, html};
use plantune_domain::keys::is_made_up;
use plantune_query::report::QuestionCounts;

use super::charts::spark;
use super::number::{count, known_seconds, share};
use super::parts::{behind, code, dated, table, text};
use super::times::name;
use crate::report::{Document, listing};

/// The most frequent questions.
pub(super) fn section(document: &Document, top: usize) -> Markup {
    if document.report.questions.is_empty() {
        return html! {};
    }
    let timeline = &document.report.timeline;
    let parts = timeline.parts.iter();
    let over_time = OverTime {
        unit: timeline.unit.as_str(),
        names: parts.map(|part| name(timeline.unit, part)).collect(),
    };
    // What is listed stands first in the document, so that a question has the same number in both.
    let listing = listing(document, top);
    let shown = listing.questions.iter().enumerate();
    html! {
        section {
            h2 { @if listing.is_part { "The most frequent questions" } @else { "The questions" } }
            div.list {
                @for (number, question) in shown {
                    (article(question, document, &over_time, &format!("/questions/{number}")))
                }
            }
            @if listing.is_part {
                p.about { "There are more: " code { "plantune report --html --top" } " takes how many to show." }
            }
            @if listing.once.is_some() {
                p.about {
                    (count(document.report.asked_once, "/asked_once"))
                    @if document.report.asked_once == 1 { " question was" } @else { " questions were" }
                    " asked once: " code { "plantune report --html --all" } " shows what was."
                }
            }
        }
    }
}

/// The parts of the period.
struct OverTime {
    unit: &'static str,
    names: Vec<String>,
}

fn article(
    question: &QuestionCounts,
    document: &Document,
    over_time: &OverTime,
    json: &str,
) -> Markup {
    let at = |field: &str| format!("{json}/{field}");
    html! {
        article.card {
            h3 { (text(&question.name)) }
            @if question.name != question.question {
                p.about { "Last asked as: " (text(&question.question)) }
            }
            p.about {
                (text(&question.project))
                @if !is_made_up(&question.question_key) { " · " (code(&question.question_key)) }
                @if question.door == "one-way" {
                    @if document.is_proposed(question) { " · last asked as one-way, which is always asked" }
                    @else { " · one-way" }
                }
            }
            dl.facts {
                div { dt { "asked" } dd { (count(question.asked, &at("asked"))) } }
                div { dt { "by you" } dd { (count(question.answered, &at("answered"))) } }
                @if question.auto_decided > 0 {
                    div { dt { "for you" } dd { (count(question.auto_decided, &at("auto_decided"))) } }
                }
                @if question.median_seconds.is_some() {
                    div { dt { "median" } dd { (known_seconds(question.median_seconds, &at("median_seconds"))) } }
                }
                @if let Some(agreement) = question.agreement {
                    div {
                        dt { "as recommended" }
                        dd {
                            (share(agreement, &at("agreement"))) " of "
                            (count(question.agreement_n, &at("agreement_n")))
                        }
                    }
                }
            }
            div.pictures {
                @if question.over_time.len() > 1 {
                    div {
                        p.caption { "times by " (over_time.unit) ", the whole period" }
                        (spark::over_time(&question.over_time, &over_time.names, json))
                    }
                }
                @if !question.answers.is_empty() {
                    div {
                        p.caption { "your answers" }
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
            @if !question.over_time.is_empty() { (behind(&numbers(question, over_time, json))) }
        }
    }
}

/// The table behind a question's pictures.
fn numbers(question: &QuestionCounts, over_time: &OverTime, json: &str) -> Markup {
    let parts = over_time.names.iter().zip(&question.over_time).enumerate();
    let parts = parts.filter(|(_, (_, times))| **times > 0);
    let by_part = parts.map(|(number, (name, times))| {
        vec![
            dated(name),
            count(*times, &format!("{json}/over_time/{number}")),
        ]
    });
    let by_answer = (question.answers.iter().enumerate()).map(|(number, answer)| {
        vec![
            text(&answer.answer),
            count(answer.times, &format!("{json}/answers/{number}/times")),
        ]
    });
    html! {
        (table(&[over_time.unit, "times"], &by_part.collect::<Vec<_>>()))
        @if !question.answers.is_empty() {
            (table(&["your answer", "times"], &by_answer.collect::<Vec<_>>()))
        }
    }
}
