//! What answers for the person, and what could.

use chrono::NaiveDate;
use maud::{Markup, html};
use plantune_query::standing::State;

use super::charts::lines;
use super::number::{count, none, seconds, share};
use super::parts::{behind, code, dated, table, text};
use crate::report::{Document, Proposal};
use crate::standing::{StandingPreference, state_in_words};

/// The proposals, each with its evidence.
pub(super) fn proposals(document: &Document) -> Markup {
    let Some(all) = document.proposals.as_ref().filter(|all| !all.is_empty()) else {
        return html! {};
    };
    html! {
        section {
            h2 { "What plantune proposes" }
            p.about {
                "The thick line runs from the share of times that the answer would be right at least, to all; "
                "the bar across is the share expected, the dot the share among your answers."
            }
            div.list {
                @for (number, proposal) in all.iter().enumerate() {
                    (proposed(proposal, &format!("/proposals/{number}")))
                }
            }
            p.about { "Nothing is changed yet: " code { "plantune suggest --apply" } " shows the change and asks." }
        }
    }
}

fn proposed(proposal: &Proposal, json: &str) -> Markup {
    let at = |field: &str| format!("{json}/{field}");
    let evidence = &proposal.evidence;
    html! {
        article.card {
            h3 {
                @match &proposal.question {
                    Some(question) => (text(question)),
                    None => { "Questions of " (text(&proposal.question_key)) }
                }
            }
            p.about {
                @match (&proposal.project, &proposal.question) {
                    (Some(project), _) => (text(project)),
                    (None, Some(_)) => "every project",
                    (None, None) => { (count(evidence.questions, &at("evidence/questions"))) " questions" }
                }
                " · " (proposal.level) " · "
                @match &proposal.answer {
                    Some(answer) => (text(answer)),
                    None => "as recommended",
                }
            }
            (lines::interval(proposal))
            dl.facts {
                div { dt { "at least" } dd { (share(proposal.confidence, &at("confidence"))) } }
                div {
                    dt { "expected" }
                    dd {
                        @match proposal.expected {
                            Some(expected) => (share(expected, &at("expected"))),
                            None => (none()),
                        }
                    }
                }
                div {
                    dt { "your answers" }
                    dd {
                        (count(evidence.agreed, &at("evidence/agreed"))) " of "
                        (count(evidence.answers, &at("evidence/answers")))
                    }
                }
                div {
                    dt { "time a week" }
                    dd { (seconds(proposal.seconds_saved_per_week, &at("seconds_saved_per_week"))) }
                }
            }
        }
    }
}

/// The preferences that answer, and their spot checks over time.
pub(super) fn standing(document: &Document) -> Markup {
    let all = &document.standing_preferences;
    if all.is_empty() {
        return html! {};
    }
    html! {
        section {
            h2 { "What answers for you" }
            p.about {
                "Your preferences since each was set. A dot is a spot check in which you agreed, a cross one in "
                "which you did not."
            }
            div.list {
                @for (number, preference) in all.iter().enumerate() {
                    (kept(preference, document.heading.period.end, &format!("/standing_preferences/{number}")))
                }
            }
        }
    }
}

fn kept(preference: &StandingPreference, end: NaiveDate, json: &str) -> Markup {
    let standing = &preference.standing;
    let at = |field: &str| format!("{json}/{field}");
    let class = match standing.state {
        State::Standing | State::OnTrial | State::TrialHeld => "state",
        _ => "state attention",
    };
    let rows: Vec<Vec<Markup>> = standing
        .checks
        .iter()
        .map(|check| {
            let agreed = if check.agreed { "agreed" } else { "differed" };
            vec![dated(&check.day.to_string()), html! { (agreed) }]
        })
        .collect();
    html! {
        article.card {
            h3 { (code(&preference.question_key)) " " span class=(class) { (state_in_words(standing.state)) } }
            p.about {
                @match &preference.project {
                    Some(project) => (text(project)),
                    None => "every project",
                }
                " · "
                @match &preference.answer {
                    Some(answer) => (text(answer)),
                    None => "as recommended",
                }
            }
            @if let Some(first) = standing.checks.first() {
                (lines::checks(&standing.checks, since(preference, first.day), end.max(first.day)))
            }
            dl.facts {
                div { dt { "answered" } dd { (count(standing.decided, &at("decided"))) } }
                div { dt { "checked" } dd { (count(standing.spot_checks, &at("spot_checks"))) } }
                div { dt { "agreed" } dd { (count(standing.agreed, &at("agreed"))) } }
                div {
                    dt { "last confirmed" }
                    dd {
                        @match standing.last_confirmed {
                            Some(day) => (dated(&day.to_string())),
                            None => (none()),
                        }
                    }
                }
            }
            @if let (Some(would), Some(chosen)) = (&standing.would_answer, &standing.chosen_instead) {
                p { "When it last differed it would have answered " (text(would)) ", you chose " (text(chosen)) "." }
            }
            @if let Some(remedy) = &preference.remedy { p { "To settle it: " (code(remedy)) } }
            @if !rows.is_empty() { (behind(&table(&["day", "spot check"], &rows))) }
        }
    }
}

/// The day from which its picture runs: when it was set, as far as its file says.
fn since(preference: &StandingPreference, first: NaiveDate) -> NaiveDate {
    let set_at = preference.set_at.as_deref().and_then(|at| at.get(..10));
    let set_on = set_at.and_then(|day| day.parse().ok());
    set_on.map_or(first, |day: NaiveDate| day.min(first))
}
