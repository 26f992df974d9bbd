//! All questions together, and week by week.

use maud::{Markup, html};

use super::cells::{agreement, name};
use crate::fleet::Figures;
use crate::html::charts::bars::{self, Bar};
use crate::html::charts::{Outcome, WIDTH, legend, shares};
use crate::html::dated;
use crate::html::number::{count, known_seconds};
use crate::html::parts::{Picture, Rows, table};

/// How questions end, in the words of who was not asked.
const OUTCOMES: [Outcome; 5] = [
    ("of-answered", "answered", "answered by people"),
    ("of-auto_decided", "auto_decided", "decided without"),
    ("of-dismissed", "dismissed", "dismissed"),
    ("of-failed", "failed", "failed"),
    ("of-open", "open", "still open"),
];

pub(super) fn tiles(totals: &Figures) -> Markup {
    let at = |field: &str| format!("/totals/{field}");
    let counted = |name, field, number| (name, count(number, &at(field)));
    let took = |name, field, time| (name, known_seconds(time, &at(field)));
    let figures = [
        counted("Questions", "questions", totals.questions),
        counted("People were asked", "asked", totals.asked),
        counted("Answered by people", "answered", totals.answered),
        counted("Decided without", "auto_decided", totals.auto_decided),
        took(
            "Their time answering",
            "human_seconds",
            Some(totals.human_seconds),
        ),
        counted("Machines", "machines", totals.machines),
        counted("Projects", "projects", totals.projects),
        counted("Sessions", "sessions", totals.sessions),
    ];
    let more = [
        counted("Dismissed", "dismissed", totals.dismissed),
        counted("Failed", "failed", totals.failed),
        counted("Still open", "open", totals.open),
        counted("Calls", "calls", totals.calls),
        took(
            "Half of the answers took at most",
            "median_seconds",
            totals.median_seconds,
        ),
        counted(
            "Answers that people were away for",
            "away_answers",
            totals.away_answers,
        ),
        took(
            "The time until these",
            "away_seconds",
            Some(totals.away_seconds),
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
            let shares = shares(&OUTCOMES, counts(week), &format!("{name}: "), &json);
            Some(Bar { label, shares })
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
        legend: legend(&OUTCOMES, &bars.iter().map(|bar| &*bar.shares)),
        table: rows.table(),
    }
    .section()
}

/// How a group's questions ended, in the order of [`OUTCOMES`].
fn counts(group: &Figures) -> [u64; 5] {
    [
        group.answered,
        group.auto_decided,
        group.dismissed,
        group.failed,
        group.open,
    ]
}
