//! What could be answered for the person, what was, and what cannot be.

use maud::{Markup, html};
use plantune_query::page::AnsweredForYou;

use super::number::{count, none, seconds, share};
use super::parts::{answer_or_recommended, card, code, numbered, of_all, place, text, with_note};
use crate::report::{Document, NotProposed, Proposal};
use crate::standing::{StandingPreference, state_in_words};

/// What could be answered, with its evidence.
pub(super) fn could(document: &Document) -> Markup {
    let all = numbered(document.proposals.as_deref().unwrap_or_default());
    let level = |one: &Proposal| match one.level {
        "assist" => "hint: asked, with this answer first",
        "trial" => "trial: answered, often checked",
        _ => "automatic: answered, checked now and then",
    };
    let above = html! {
        p.about { code { "plantune suggest --apply" } " shows each change and asks before anything is answered." }
    };
    card(
        "What could be answered for you",
        (above, html! {}),
        "/proposals",
        &all,
        &[
            ("question", &|one: &Proposal, _| {
                let question = match &one.question {
                    Some(question) => text(question),
                    None => html! { "Questions of " (text(&one.question_key)) },
                };
                with_note(&question, &place(one.project.as_deref()))
            }),
            ("would be answered", &|one, _| {
                let answer = answer_or_recommended(one.answer.as_deref());
                with_note(&answer, &html! { (level(one)) })
            }),
            ("your answers", &|one, at| {
                let (agreed, answers) = (one.evidence.agreed, one.evidence.answers);
                let answers = count(answers, &at("evidence/answers"));
                of_all(&count(agreed, &at("evidence/agreed")), &answers)
            }),
            ("right at least", &|one, at| {
                share(one.confidence, &at("confidence"))
            }),
            ("saves a week", &|one, at| {
                seconds(one.seconds_saved_per_week, &at("seconds_saved_per_week"))
            }),
        ],
    )
}

/// How many rows of what was answered for the person are shown.
const MOST_ANSWERED: usize = 12;

/// What was answered for the person, and the preferences that did it.
pub(super) fn was(document: &Document) -> Markup {
    let mut all = numbered(&document.answered_for_you);
    let is_part = all.len() > MOST_ANSWERED;
    all.truncate(MOST_ANSWERED);
    let above = html! { p.about { code { "plantune undo" } " takes an answer back." } };
    let below = html! {
        @if is_part { p.about { "There is more: " code { "plantune log --auto" } " lists it." } }
    };
    let answered = card(
        "What was answered for you",
        (above, below),
        "/answered_for_you",
        &all,
        &[
            ("question", &|one: &AnsweredForYou, _| text(&one.question)),
            ("answer", &|one, at| {
                html! {
                    @if one.answer.is_empty() { (none()) }
                    @for (number, label) in one.answer.iter().enumerate() {
                        @if number > 0 { ", " }
                        (text(label))
                    }
                    span.by { (by(&one.decided_by)) }
                    @if one.undone > 0 { span.by { "taken back: " (count(one.undone, &at("undone"))) } }
                }
            }),
            ("times", &|one, at| count(one.times, &at("times"))),
        ],
    );
    html! { (answered) (preferences(document)) }
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

fn preferences(document: &Document) -> Markup {
    let above = html! {
        p.about {
            "Since each was set. Some of the questions are asked all the same, to check that you still agree."
        }
    };
    card(
        "Your preferences",
        (above, html! {}),
        "/standing_preferences",
        &numbered(&document.standing_preferences),
        &[
            ("question", &|one: &StandingPreference, _| {
                with_note(&code(&one.question_key), &place(one.project.as_deref()))
            }),
            ("answer", &|one, _| {
                answer_or_recommended(one.answer.as_deref())
            }),
            ("answered", &|one, at| {
                count(one.standing.decided, &at("decided"))
            }),
            ("checked", &|one, at| {
                count(one.standing.spot_checks, &at("spot_checks"))
            }),
            ("agreed", &|one, at| {
                count(one.standing.agreed, &at("agreed"))
            }),
            ("state", &|one, _| {
                html! {
                    (state_in_words(one.standing.state))
                    @if let Some(remedy) = &one.remedy { span.by { (code(remedy)) } }
                }
            }),
        ],
    )
}

/// What recurs and stays with the person.
pub(super) fn cannot(document: &Document) -> Markup {
    card(
        "What is left to you, and why",
        (html! {}, html! {}),
        "/not_proposed",
        &numbered(&document.not_proposed),
        &[
            ("question", &|one: &NotProposed, _| {
                with_note(&text(&one.question), &text(&one.project))
            }),
            ("answered alike", &|one, at| {
                let agreed = count(one.agreed, &at("agreed"));
                of_all(&agreed, &count(one.answers, &at("answers")))
            }),
            ("why", &|one, _| text(&one.why)),
        ],
    )
}
