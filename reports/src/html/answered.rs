//! What could be answered for the person, what was, and what cannot be.

use maud::{Markup, html};

use super::number::{count, none, seconds, share};
use super::parts::{code, table, text};
use crate::report::Document;
use crate::standing::state_in_words;

/// The proposals, each with its evidence.
pub(super) fn could(document: &Document) -> Markup {
    let all = document.proposals.as_deref().unwrap_or_default();
    if all.is_empty() {
        return html! {};
    }
    let rows: Vec<Vec<Markup>> = (all.iter().enumerate())
        .map(|(number, proposal)| {
            let at = |field: &str| format!("/proposals/{number}/{field}");
            let evidence = &proposal.evidence;
            let question = html! {
                @match &proposal.question {
                    Some(question) => (text(question)),
                    None => { "Questions of " (text(&proposal.question_key)) }
                }
                span.by {
                    @match &proposal.project {
                        Some(project) => (text(project)),
                        None => "every project",
                    }
                }
            };
            let level = match proposal.level {
                "assist" => "hint: asked, with this answer first",
                "trial" => "trial: answered, often checked",
                _ => "automatic: answered, checked now and then",
            };
            let answer = html! {
                @match &proposal.answer {
                    Some(answer) => (text(answer)),
                    None => "as recommended",
                }
                span.by { (level) }
            };
            let answers = html! {
                (count(evidence.agreed, &at("evidence/agreed"))) " of "
                (count(evidence.answers, &at("evidence/answers")))
            };
            vec![
                question,
                answer,
                answers,
                share(proposal.confidence, &at("confidence")),
                seconds(
                    proposal.seconds_saved_per_week,
                    &at("seconds_saved_per_week"),
                ),
            ]
        })
        .collect();
    let titles = [
        "question",
        "would be answered",
        "your answers",
        "right at least",
        "saves a week",
    ];
    html! {
        section.card {
            h2 { "What could be answered for you" }
            p.about { code { "plantune suggest --apply" } " shows each change and asks before anything is answered." }
            (table(&titles, &rows))
        }
    }
}

/// How many rows of what was answered for the person are shown.
const MOST_ANSWERED: usize = 12;

/// What was decided for the person, and how the preferences that do so fare.
pub(super) fn was(document: &Document) -> Markup {
    let all = &document.answered_for_you;
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
        @if !rows.is_empty() {
            section.card {
                h2 { "What was answered for you" }
                p.about { code { "plantune undo" } " takes an answer back." }
                (table(&["question", "answer", "times"], &rows))
                @if all.len() > MOST_ANSWERED {
                    p.about { "There is more: " code { "plantune log --auto" } " lists it." }
                }
            }
        }
        (preferences(document))
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

/// The preferences that answer, since each was set.
fn preferences(document: &Document) -> Markup {
    let rows: Vec<Vec<Markup>> = (document.standing_preferences.iter().enumerate())
        .map(|(number, preference)| {
            let at = |field: &str| format!("/standing_preferences/{number}/{field}");
            let standing = &preference.standing;
            let key = html! {
                (code(&preference.question_key))
                span.by {
                    @match &preference.project {
                        Some(project) => (text(project)),
                        None => "every project",
                    }
                }
            };
            let answer = html! {
                @match &preference.answer {
                    Some(answer) => (text(answer)),
                    None => "as recommended",
                }
            };
            let state = html! {
                (state_in_words(standing.state))
                @if let Some(remedy) = &preference.remedy { span.by { (code(remedy)) } }
            };
            vec![
                key,
                answer,
                count(standing.decided, &at("decided")),
                count(standing.spot_checks, &at("spot_checks")),
                count(standing.agreed, &at("agreed")),
                state,
            ]
        })
        .collect();
    let titles = [
        "question", "answer", "answered", "checked", "agreed", "state",
    ];
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "Your preferences" }
                p.about {
                    "Since each was set. Some of the questions are asked all the same, to check that you still agree."
                }
                (table(&titles, &rows))
            }
        }
    }
}

/// What comes up again and again, and why it is not answered.
pub(super) fn cannot(document: &Document) -> Markup {
    let rows: Vec<Vec<Markup>> = (document.not_proposed.iter().enumerate())
        .map(|(number, one)| {
            let at = |field: &str| format!("/not_proposed/{number}/{field}");
            let question = html! { (text(&one.question)) span.by { (text(&one.project)) } };
            let answers = html! {
                (count(one.agreed, &at("agreed"))) " of " (count(one.answers, &at("answers")))
            };
            vec![question, answers, text(&one.why)]
        })
        .collect();
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "What is left to you, and why" }
                (table(&["question", "answered alike", "why"], &rows))
            }
        }
    }
}
