//! The questions one by one, and those that nobody answers differently.

use maud::{Markup, html};

use super::cells::{agreement, listed, more, name, there_are_more};
use crate::fleet::{Advice, Figures, answer_name, answer_of};
use crate::html::number::{count, known_seconds, share};
use crate::html::parts::{Rows, code, of_all, text};

/// What nobody answers differently.
pub(super) fn alike(advice: &[Advice], top: usize) -> Markup {
    let mut rows = Rows::of("/answered_alike", advice.iter().enumerate().take(top));
    rows.add("asked by", |one, _| text(&one.asker));
    rows.add("question", |one, _| {
        text(one.label.as_ref().unwrap_or(&one.question_key))
    });
    rows.add("answer", |one, _| text(&answer_name(one)));
    rows.add("agreement", |one, at| {
        let agreement = share(one.agreement, &at("agreement"));
        of_all(&agreement, &count(one.answers, &at("answers")))
    });
    rows.seconds("time", "human_seconds", |one| one.human_seconds);
    rows.count("machines", "machines", |one| one.machines);
    let above =
        html! { p.about { "Advice to the authors of these askers: it need not be asked." } };
    let below = html! { @if advice.len() > top { (there_are_more()) } };
    rows.card("What nobody answers differently", &above, &below)
}

pub(super) fn questions(questions: &[Figures], top: usize) -> Markup {
    html! {
        @if !questions.is_empty() {
            section {
                h2 { "The questions" }
                div.list {
                    @for (number, question) in listed(questions, top) {
                        (article(question, &format!("/questions/{number}")))
                    }
                }
                (more(questions, top))
            }
        }
    }
}

fn article(question: &Figures, json: &str) -> Markup {
    let at = |field: &str| format!("{json}/{field}");
    html! {
        article.card {
            h3 { (name(question, &at("groups"), text)) }
            @if let (Some(key), Some(_)) = (&question.name, &question.label) {
                p.about { (code(key)) }
            }
            dl.facts {
                div { dt { "asked" } dd { (count(question.asked, &at("asked"))) } }
                div { dt { "by people" } dd { (count(question.answered, &at("answered"))) } }
                div { dt { "without" } dd { (count(question.auto_decided, &at("auto_decided"))) } }
                div { dt { "median" } dd { (known_seconds(question.median_seconds, &at("median_seconds"))) } }
                div { dt { "as recommended" } dd { (agreement(question, json)) } }
                div { dt { "machines" } dd { (count(question.machines, &at("machines"))) } }
                div { dt { "projects" } dd { (count(question.projects, &at("projects"))) } }
            }
            @if let (Some(top), Some(answer)) = (&question.top_answer, answer_of(question)) {
                p {
                    "Most often " (text(&answer)) ": " (share(top.share, &at("top_answer/share")))
                    ", by " (count(top.machines, &at("top_answer/machines"))) " machines."
                }
            }
        }
    }
}
