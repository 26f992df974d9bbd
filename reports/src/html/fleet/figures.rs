//! All questions together, and week by week.

use maud::{Markup, html};

use super::cells::{agreement, name};
use crate::fleet::Figures;
use crate::html::charts::WIDTH;
use crate::html::charts::bars::{self, Bar};
use crate::html::dated;
use crate::html::number::{count, known_seconds, seconds};
use crate::html::parts::{Picture, Rows, table};

/// How questions end, in the words of who was not asked.
const OUTCOMES: [&str; 5] = [
    "answered by people",
    "decided without",
    "dismissed",
    "failed",
    "still open",
];

pub(super) fn tiles(totals: &Figures) -> Markup {
    let at = |field: &str| format!("/totals/{field}");
    let figures = [
        ("Questions", count(totals.questions, &at("questions"))),
        ("People were asked", count(totals.asked, &at("asked"))),
        (
            "Answered by people",
            count(totals.answered, &at("answered")),
        ),
        (
            "Decided without",
            count(totals.auto_decided, &at("auto_decided")),
        ),
        (
            "Their time answering",
            seconds(totals.human_seconds, &at("human_seconds")),
        ),
        ("Machines", count(totals.machines, &at("machines"))),
        ("Projects", count(totals.projects, &at("projects"))),
        ("Sessions", count(totals.sessions, &at("sessions"))),
    ];
    let more = [
        ("Dismissed", count(totals.dismissed, &at("dismissed"))),
        ("Failed", count(totals.failed, &at("failed"))),
        ("Still open", count(totals.open, &at("open"))),
        ("Calls", count(totals.calls, &at("calls"))),
        (
            "Half of the answers took at most",
            known_seconds(totals.median_seconds, &at("median_seconds")),
        ),
        (
            "Answers that people were away for",
            count(totals.away_answers, &at("away_answers")),
        ),
        (
            "The time until these",
            seconds(totals.away_seconds, &at("away_seconds")),
        ),
        ("As recommended", agreement(totals, "/totals")),
    ];
    let row = |(name, value): &(&str, Markup)| vec![html! { (name) }, value.clone()];
    let rows: Vec<Vec<Markup>> = figures.iter().chain(&more).map(row).collect();
    html! {
        section.card {
            h2 { "The figures" }
            dl.tiles {
                @for (name, value) in &figures {
                    div { dt { (name) } dd { strong { (value) } } }
                }
            }
            details {
                summary { "All of them" }
                (table(&["", "all"], &rows))
            }
        }
    }
}

/// The weeks, stacked by how questions ended; the rest stands in the table alone.
pub(super) fn weeks(weeks: &[Figures]) -> Markup {
    let bars: Vec<Bar> = (weeks.iter().enumerate())
        .filter_map(|(number, week)| {
            let name = week.name.as_deref()?;
            let label = name.rsplit('-').next().unwrap_or_default().to_owned();
            let json = format!("/weeks/{number}");
            Some(bars::outcomes(name, label, counts(week), OUTCOMES, &json))
        })
        .collect();
    if bars.is_empty() {
        return html! {};
    }
    let mut rows = Rows::of("/weeks", weeks.iter().enumerate());
    rows.add("week", |one, at| name(one, &at("groups"), dated));
    rows.count("by people", "answered", |one| one.answered);
    rows.count("without", "auto_decided", |one| one.auto_decided);
    rows.count("dismissed", "dismissed", |one| one.dismissed);
    rows.count("failed", "failed", |one| one.failed);
    rows.count("open", "open", |one| one.open);
    rows.seconds("their time", "human_seconds", |one| one.human_seconds);
    rows.count("machines", "machines", |one| one.machines);
    Picture {
        title: "Weeks",
        about: html! { "Questions a week, by how they ended." },
        drawing: bars::chart(&bars, (WIDTH, 190.0), "Questions a week, by how they ended"),
        legend: bars::legend(&bars, OUTCOMES),
        table: rows.table(),
    }
    .section()
}

/// How a group's questions ended, in the order of [`bars::OUTCOMES`].
fn counts(group: &Figures) -> [u64; 5] {
    [
        group.answered,
        group.auto_decided,
        group.dismissed,
        group.failed,
        group.open,
    ]
}
