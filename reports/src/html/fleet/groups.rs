//! Who asks, where, what failed, and the prompts for permission: a table each.

use maud::{Markup, html};

use super::cells::{listed, more, name};
use crate::fleet::{Document, Figures, PromptFigures};
use crate::html::number::{count, known_seconds, seconds};
use crate::html::parts::{table, text};

pub(super) fn groups(
    title: &str,
    what: &str,
    list: &str,
    groups: &[Figures],
    top: usize,
) -> Markup {
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

pub(super) fn failures(errors: &[Figures]) -> Markup {
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

pub(super) fn prompts(document: &Document) -> Markup {
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
