//! An organisation's report as a page: the same page, of the figures that machines published.

use std::io::{self, Write};

use maud::{Markup, html};

use super::charts::bars::{self, Bar};
use super::number::{count, known_seconds, none, seconds, share};
use super::parts::{Picture, code, table, text};
use super::{Html, Page, dated};
use crate::Format;
use crate::fleet::{
    Advice, Document, Figures, LakeState, PromptFigures, answer_name, answer_of, computed,
    group_name,
};

/// How questions end, in the words of who was not asked.
const OUTCOMES: [&str; 5] = [
    "answered by people",
    "decided without",
    "dismissed",
    "failed",
    "still open",
];

impl Format<Document> for Html {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let period = &document.period;
        let page = Page {
            heading: "Questions of the organisation",
            period: &format!("{} to {} ({})", period.start, period.end, period.time_zone),
            about: lake(&document.lake),
            content: self.sections(document),
            made_by: "plantune fleet report",
            hint: html! {
                " Of a group of fewer than " (count(document.k.into(), "/k")) " machines nothing is shown: such \
                groups are added up in a last one, the rest, with the smallest other one where these are fewer, too."
            },
        };
        page.write(out)
    }
}

impl Html {
    fn sections(&self, document: &Document) -> Markup {
        html! {
            (notes(document))
            @if let Some(totals) = &document.totals { (tiles(totals)) }
            div.columns {
                (weeks(&document.weeks))
                (groups("Who asks", "asker", "askers", &document.askers, self.top))
                (groups("Sessions", "kind", "session_kinds", &document.session_kinds, usize::MAX))
                (prompts(document))
                (failures(&document.errors))
            }
            (alike(&document.answered_alike, self.top))
            (questions(&document.questions, self.top))
        }
    }
}

/// What was read, and what was not.
fn lake(lake: &LakeState) -> Markup {
    html! {
        p.about {
            (count(lake.events, "/lake/events")) " events that "
            (count(lake.publishers, "/lake/publishers")) " machines published, in "
            (count(lake.files, "/lake/files")) " files of " (text(&lake.address)) "."
        }
    }
}

fn notes(document: &Document) -> Markup {
    let lake = &document.lake;
    html! {
        @if document.totals.is_none() {
            p.note {
                "Fewer than " (count(document.k.into(), "/k"))
                " machines had a question in this period: nothing is shown."
            }
        }
        @if lake.missing_files > 0 {
            p.note {
                "Files that should be there by their numbers and are not: "
                (count(lake.missing_files, "/lake/missing_files"))
                ". A listing ended early, or files were removed."
            }
        }
        @if let Some(computed) = computed(lake) {
            p.note { (text(&computed)) }
        }
        @for skipped in &lake.skipped {
            p.note { "Skipped " (text(&skipped.path)) ": " (text(&skipped.why)) }
        }
    }
}

fn tiles(totals: &Figures) -> Markup {
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
fn weeks(weeks: &[Figures]) -> Markup {
    let bars: Vec<Bar<'_>> = weeks
        .iter()
        .filter_map(|week| {
            Some(Bar {
                week: week.name.as_deref()?,
                counts: counts(week),
            })
        })
        .collect();
    if bars.is_empty() {
        return html! {};
    }
    let rows: Vec<Vec<Markup>> = (weeks.iter().enumerate())
        .map(|(number, week)| {
            let at = |field: &str| format!("/weeks/{number}/{field}");
            let counts = counts(week).into_iter().zip(bars::OUTCOMES);
            let counts = counts.map(|(number, (field, _))| count(number, &at(field)));
            let others = [
                seconds(week.human_seconds, &at("human_seconds")),
                count(week.machines, &at("machines")),
            ];
            std::iter::once(name(week, &at("groups"), dated))
                .chain(counts)
                .chain(others)
                .collect()
        })
        .collect();
    let titles = [
        "week",
        "by people",
        "without",
        "dismissed",
        "failed",
        "open",
        "their time",
        "machines",
    ];
    Picture {
        title: "Weeks",
        about: html! { "Questions a week, by how they ended." },
        drawing: bars::weeks(&bars, OUTCOMES, "/weeks"),
        legend: bars::legend(&bars, OUTCOMES),
        table: table(&titles, &rows),
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

/// The name of a group, `shown`; of the rest how many groups it is, which stands at `at`.
fn name(group: &Figures, at: &str, shown: fn(&str) -> Markup) -> Markup {
    let label = group.label.as_deref();
    match group.name.as_deref() {
        Some(_) => shown(&group_name(group.name.as_deref(), label, group.groups)),
        None => html! { "(rest: " (count(group.groups, at)) ")" },
    }
}

fn agreement(group: &Figures, json: &str) -> Markup {
    match group.agreement.zip(group.agreement_n) {
        Some((agreement, n)) => html! {
            (share(agreement, &format!("{json}/agreement"))) " of "
            (count(n, &format!("{json}/agreement_n")))
        },
        None => none(),
    }
}

/// The groups to list, each with its number in the document: `top` of them, and the rest, which is the last.
fn listed(groups: &[Figures], top: usize) -> impl Iterator<Item = (usize, &Figures)> {
    let all = groups.iter().enumerate();
    all.filter(move |(number, group)| *number < top || group.name.is_none())
}

fn groups(title: &str, what: &str, list: &str, groups: &[Figures], top: usize) -> Markup {
    let rows: Vec<Vec<Markup>> = listed(groups, top)
        .map(|(number, group)| {
            let at = |field: &str| format!("/{list}/{number}/{field}");
            vec![
                name(group, &at("groups"), text),
                count(group.asked, &at("asked")),
                count(group.answered, &at("answered")),
                count(group.auto_decided, &at("auto_decided")),
                known_seconds(group.median_seconds, &at("median_seconds")),
                count(group.machines, &at("machines")),
            ]
        })
        .collect();
    let titles = [what, "asked", "by people", "without", "median", "machines"];
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { (title) }
                (table(&titles, &rows))
                (more(groups, top))
            }
        }
    }
}

/// That there are more groups than are listed.
fn more(groups: &[Figures], top: usize) -> Markup {
    let named = groups.iter().filter(|group| group.name.is_some()).count();
    html! {
        @if named > top {
            p.about { "There are more: " code { "plantune fleet report --html --top" } " takes how many to show." }
        }
    }
}

fn failures(errors: &[Figures]) -> Markup {
    let rows: Vec<Vec<Markup>> = (errors.iter().enumerate())
        .map(|(number, error)| {
            let at = |field: &str| format!("/errors/{number}/{field}");
            vec![
                name(error, &at("groups"), text),
                count(error.failed, &at("failed")),
                count(error.machines, &at("machines")),
            ]
        })
        .collect();
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "Failures" }
                (table(&["failure", "times", "machines"], &rows))
            }
        }
    }
}

fn prompts(document: &Document) -> Markup {
    let row = |group: &PromptFigures, json: &str, name: Markup| {
        let at = |field: &str| format!("{json}/{field}");
        vec![
            name,
            count(group.asked, &at("asked")),
            count(group.granted, &at("granted")),
            count(group.refused, &at("refused")),
            seconds(group.seconds_waited, &at("seconds_waited")),
            count(group.machines, &at("machines")),
        ]
    };
    let all = document.permissions.iter();
    let all = all.map(|all| row(all, "/permissions", html! { "all" }));
    let by_tool = (document.permissions_by_tool.iter().enumerate()).map(|(number, tool)| {
        let json = format!("/permissions_by_tool/{number}");
        let name = match &tool.name {
            Some(name) => text(name),
            None => html! { "(rest: " (count(tool.groups, &format!("{json}/groups"))) ")" },
        };
        row(tool, &json, name)
    });
    let rows: Vec<Vec<Markup>> = all.chain(by_tool).collect();
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "Prompts for permission" }
                (table(&["tool", "asked", "allowed", "refused", "waited", "machines"], &rows))
            }
        }
    }
}

/// What nobody answers differently, for the authors of askers.
fn alike(advice: &[Advice], top: usize) -> Markup {
    let rows: Vec<Vec<Markup>> = (advice.iter().take(top).enumerate())
        .map(|(number, one)| {
            let at = |field: &str| format!("/answered_alike/{number}/{field}");
            vec![
                text(&one.asker),
                text(one.label.as_ref().unwrap_or(&one.question_key)),
                text(&answer_name(one)),
                html! {
                    (share(one.agreement, &at("agreement"))) " of " (count(one.answers, &at("answers")))
                },
                seconds(one.human_seconds, &at("human_seconds")),
                count(one.machines, &at("machines")),
            ]
        })
        .collect();
    let titles = [
        "asked by",
        "question",
        "answer",
        "agreement",
        "time",
        "machines",
    ];
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "What nobody answers differently" }
                p.about { "Advice to the authors of these askers: it need not be asked." }
                (table(&titles, &rows))
                @if advice.len() > top {
                    p.about { "There are more: " code { "plantune fleet report --html --top" } " takes how many to show." }
                }
            }
        }
    }
}

fn questions(questions: &[Figures], top: usize) -> Markup {
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
