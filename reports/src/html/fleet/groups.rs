//! Who asks, where, what failed, and the prompts for permission: a table each.

use maud::{Markup, html};

use super::cells::{listed, more, name};
use crate::fleet::{Document, Figures, PromptFigures};
use crate::html::number::{count, known_seconds, seconds};
use crate::html::parts::{card, numbered, rows, text};

/// A table of groups that stand at `list`.
pub(super) fn groups(
    title: &str,
    what: &str,
    list: &str,
    groups: &[Figures],
    top: usize,
) -> Markup {
    card(
        title,
        (html! {}, more(groups, top)),
        list,
        &listed(groups, top).collect::<Vec<_>>(),
        &[
            (what, &|one: &Figures, at| name(one, &at("groups"), text)),
            ("asked", &|one, at| count(one.asked, &at("asked"))),
            ("by people", &|one, at| count(one.answered, &at("answered"))),
            ("without", &|one, at| {
                count(one.auto_decided, &at("auto_decided"))
            }),
            ("median", &|one, at| {
                known_seconds(one.median_seconds, &at("median_seconds"))
            }),
            ("machines", &|one, at| count(one.machines, &at("machines"))),
        ],
    )
}

/// What could not be asked.
pub(super) fn failures(errors: &[Figures]) -> Markup {
    card(
        "Failures",
        (html! {}, html! {}),
        "/errors",
        &numbered(errors),
        &[
            ("failure", &|one: &Figures, at| {
                name(one, &at("groups"), text)
            }),
            ("times", &|one, at| count(one.failed, &at("failed"))),
            ("machines", &|one, at| count(one.machines, &at("machines"))),
        ],
    )
}

/// Prompts for permission: all, and by tool.
pub(super) fn prompts(document: &Document) -> Markup {
    let all = document.permissions.iter();
    let of_all = all.map(|all| (None, all));
    let by_tool = document.permissions_by_tool.iter().enumerate();
    let by_tool = by_tool.map(|(number, tool)| (Some(number), tool));
    let all: Vec<(Option<usize>, &PromptFigures)> = of_all.chain(by_tool).collect();
    let at = |number: Option<usize>, field: &str| match number {
        None => format!("/permissions/{field}"),
        Some(number) => format!("/permissions_by_tool/{number}/{field}"),
    };
    let table = rows(
        "",
        all.iter().enumerate(),
        &[
            ("tool", &|(number, one): &(
                Option<usize>,
                &PromptFigures,
            ),
                       _| {
                match (number, &one.name) {
                    (None, _) => html! { "all" },
                    (_, Some(name)) => text(name),
                    _ => html! { "(rest: " (count(one.groups, &at(*number, "groups"))) ")" },
                }
            }),
            ("asked", &|(number, one), _| {
                count(one.asked, &at(*number, "asked"))
            }),
            ("allowed", &|(number, one), _| {
                count(one.granted, &at(*number, "granted"))
            }),
            ("refused", &|(number, one), _| {
                count(one.refused, &at(*number, "refused"))
            }),
            ("waited", &|(number, one), _| {
                seconds(one.seconds_waited, &at(*number, "seconds_waited"))
            }),
            ("machines", &|(number, one), _| {
                count(one.machines, &at(*number, "machines"))
            }),
        ],
    );
    html! {
        @if !all.is_empty() { section.card { h2 { "Prompts for permission" } (table) } }
    }
}
