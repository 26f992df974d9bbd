//! What could be answered for the person, what was, and what cannot be.

use maud::{Markup, html};

use super::number::{count, none, share};
use super::parts::{Rows, answer_or_recommended, code, dated, of_all, place, text, with_note};
use crate::report::Document;
use crate::standing::{reason_in_words, since, state_in_words};

/// What could be answered, with its evidence.
pub(super) fn could(document: &Document) -> Markup {
    let proposals = document.proposals.iter().flatten();
    let mut rows = Rows::of("/proposals", proposals.enumerate());
    rows.add("question", |one, _| {
        let question = match &one.question {
            Some(question) => text(question),
            None => html! { "Questions of " (text(&one.question_key)) },
        };
        with_note(&question, &place(one.project.as_deref()))
    });
    rows.add("would be answered", |one, _| {
        let level = match one.level {
            "assist" => "hint: asked, with this answer first",
            "trial" => "trial: answered, often checked",
            _ => "automatic: answered, checked now and then",
        };
        let answer = answer_or_recommended(one.answer.as_deref());
        with_note(&answer, &html! { (level) })
    });
    rows.add("your answers", |one, at| {
        let agreed = count(one.evidence.agreed, &at("evidence/agreed"));
        let answers = count(one.evidence.answers, &at("evidence/answers"));
        of_all(&agreed, &answers)
    });
    rows.add("right at least", |one, at| {
        share(one.confidence, &at("confidence"))
    });
    let field = "seconds_saved_per_week";
    rows.seconds("saves a week", field, |one| one.seconds_saved_per_week);
    let above = html! {
        p.about { code { "plantune suggest --apply" } " shows each change and asks before anything is answered." }
    };
    rows.card("What could be answered for you", &above, &html! {})
}

/// How many rows of what was answered for the person are shown.
const MOST_ANSWERED: usize = 12;

/// What was answered for the person, and the preferences that did it.
pub(super) fn was(document: &Document) -> Markup {
    let all = &document.details.answered_for_you;
    let shown = all.iter().enumerate().take(MOST_ANSWERED);
    let mut rows = Rows::of("/answered_for_you", shown);
    rows.add("question", |one, _| text(&one.name));
    rows.add("answer", |one, at| {
        html! {
            @if one.answer.is_empty() { (none()) }
            @for (number, label) in one.answer.iter().enumerate() {
                @if number > 0 { ", " }
                (text(label))
            }
            span.by { (by(&one.decided_by)) }
            @if one.undone > 0 { span.by { "taken back: " (count(one.undone, &at("undone"))) } }
        }
    });
    rows.count("times", "times", |one| one.times);
    let above = html! { p.about { code { "plantune undo" } " takes an answer back." } };
    let below = html! {
        @if all.len() > MOST_ANSWERED {
            p.about { "There is more: " code { "plantune log --auto" } " lists it." }
        }
    };
    let answered = rows.card("What was answered for you", &above, &below);
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
    let preferences = document.standing_preferences.iter();
    let mut rows = Rows::of("/standing_preferences", preferences.enumerate());
    rows.add("question", |one, _| {
        with_note(&text(&one.name), &place(one.project.as_deref()))
    });
    rows.add("answer", |one, _| {
        answer_or_recommended(one.answer.as_deref())
    });
    rows.count("answered", "decided", |one| one.standing.decided);
    rows.count("checked", "spot_checks", |one| one.standing.spot_checks);
    rows.count("agreed", "agreed", |one| one.standing.agreed);
    rows.add("state", |one, _| {
        html! {
            (state_in_words(one.standing.state))
            @if let Some(day) = since(&one.standing) { " since " (dated(&day)) }
            span.by { (text(&reason_in_words(&one.standing))) }
            @if let Some(remedy) = &one.remedy { span.by { (code(remedy)) } }
        }
    });
    let above = html! {
        p.about {
            "Since each was set. Some of the questions are asked all the same, to check that you still agree."
        }
    };
    rows.card("Your preferences", &above, &html! {})
}

/// What recurs and stays with the person.
pub(super) fn cannot(document: &Document) -> Markup {
    let mut rows = Rows::of("/not_proposed", document.not_proposed.iter().enumerate());
    rows.add("question", |one, _| {
        with_note(&text(&one.question), &text(&one.project))
    });
    rows.add("answered alike", |one, at| {
        of_all(
            &count(one.agreed, &at("agreed")),
            &count(one.answers, &at("answers")),
        )
    });
    rows.add("why", |one, _| text(&one.why));
    rows.card("What is left to you, and why", &html! {}, &html! {})
}
