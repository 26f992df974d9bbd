//! Who asks, where, what failed, and the prompts for permission: a table each.

use maud::{Markup, html};

use super::cells::{listed, more, name};
use crate::fleet::{Document, Figures, PromptFigures};
use crate::html::number::{count, seconds};
use crate::html::parts::{Rows, text};

/// A table of groups that stand at `list`.
pub(super) fn groups(
    title: &str,
    what: &str,
    list: &str,
    groups: &[Figures],
    top: usize,
) -> Markup {
    let mut rows = Rows::of(list, listed(groups, top));
    rows.add(what, |one, at| name(one, &at("groups"), text));
    rows.count("asked", "asked", |one| one.asked);
    rows.count("by people", "answered", |one| one.answered);
    rows.count("without", "auto_decided", |one| one.auto_decided);
    rows.seconds("median", "median_seconds", |one| one.median_seconds);
    rows.count("machines", "machines", |one| one.machines);
    rows.card(title, &html! {}, &more(groups, top))
}

/// What could not be asked.
pub(super) fn failures(errors: &[Figures]) -> Markup {
    let mut rows = Rows::of("/errors", errors.iter().enumerate());
    rows.add("failure", |one, at| name(one, &at("groups"), text));
    rows.count("times", "failed", |one| one.failed);
    rows.count("machines", "machines", |one| one.machines);
    rows.card("Failures", &html! {}, &html! {})
}

/// Prompts for permission, by tool.
pub(super) fn prompts(document: &Document) -> Markup {
    let mut rows = Rows::of(
        "/permissions_by_tool",
        document.permissions_by_tool.iter().enumerate(),
    );
    rows.add("tool", |one: &PromptFigures, at| match &one.name {
        Some(name) => text(name),
        None => html! { "(rest: " (count(one.groups, &at("groups"))) ")" },
    });
    rows.count("asked", "asked", |one| one.asked);
    rows.count("allowed", "granted", |one| one.granted);
    rows.count("refused", "refused", |one| one.refused);
    rows.seconds("waited", "seconds_waited", |one| one.seconds_waited);
    rows.count("machines", "machines", |one| one.machines);
    let above = html! {
        @if let Some(all) = &document.permissions {
            p.about {
                (count(all.asked, "/permissions/asked")) " in all, "
                (count(all.granted, "/permissions/granted")) " allowed, "
                (count(all.refused, "/permissions/refused")) " refused; they waited "
                (seconds(all.seconds_waited, "/permissions/seconds_waited")) " on "
                (count(all.machines, "/permissions/machines")) " machines."
            }
        }
    };
    rows.card("Prompts for permission", &above, &html! {})
}
