//! Prompts for permission: how many there were, for what, and how they were decided.

use maud::{Markup, html};
use plantune_query::permissions::prompts::Subject;

use super::charts::spark::stacked;
use super::charts::{Outcome, Share, legend, shares};
use super::number::{count, seconds};
use super::parts::{Rows, behind, code};
use crate::report::Document;

/// The colour, the field and the words of each way in which a prompt can end.
const OUTCOMES: [Outcome; 4] = [
    ("of-answered", "granted", "allowed"),
    ("of-failed", "refused", "refused"),
    ("of-dismissed", "ambiguous", "cannot be told"),
    ("of-open", "open", "not known"),
];

fn counts(subject: &Subject) -> [u64; 4] {
    [
        subject.granted,
        subject.refused,
        subject.ambiguous,
        subject.open,
    ]
}

/// The period's prompts by what they were about, the most frequent first.
pub(super) fn section(document: &Document, top: usize) -> Markup {
    let prompts = &document.report.permissions;
    if prompts.asked == 0 {
        return html! {};
    }
    let at = |field: &str| format!("/permissions/{field}");
    let subjects = prompts.by_subject.get(..top).unwrap_or(&prompts.by_subject);
    let most = subjects.iter().map(|one| one.asked).max().unwrap_or(0);
    let bars: Vec<Vec<Share>> = (subjects.iter().enumerate())
        .map(|(number, one)| {
            let json = format!("/permissions/by_subject/{number}");
            shares(&OUTCOMES, counts(one), "", &json)
        })
        .collect();
    html! {
        section.card.whole {
            h2 { "Prompts for permission" }
            dl.facts {
                div { dt { "prompts" } dd { (count(prompts.asked, &at("asked"))) } }
                @for (name, field, value) in [
                    ("allowed", "granted", prompts.granted),
                    ("refused", "refused", prompts.refused),
                    ("asked again", "asked_again", prompts.asked_again),
                    ("denied unasked", "denied", prompts.denied),
                ] {
                    @if value > 0 { div { dt { (name) } dd { (count(value, &at(field))) } } }
                }
                @if prompts.waits_known > 0 {
                    div { dt { "agents waited" } dd { (seconds(prompts.seconds_waited, &at("seconds_waited"))) } }
                }
            }
            dl.subjects {
                @for (subject, bar) in subjects.iter().zip(&bars) {
                    dt { (code(&subject.subject)) }
                    dd { (stacked(bar, most, "Prompts, by how they were decided")) }
                }
            }
            (legend(&OUTCOMES, &bars.iter().map(|bar| &**bar)))
            (behind(&numbers(subjects)))
        }
    }
}

fn numbers(subjects: &[Subject]) -> Markup {
    let mut rows = Rows::of("/permissions/by_subject", subjects.iter().enumerate());
    rows.add("subject", |one, _| code(&one.subject));
    rows.count("times", "asked", |one| one.asked);
    rows.count("allowed", "granted", |one| one.granted);
    rows.count("refused", "refused", |one| one.refused);
    rows.seconds("median wait", "median_seconds", |one| one.median_seconds);
    rows.table()
}
