//! What the tables of the page share.

use maud::{Markup, html};

use crate::fleet::{Figures, group_name};
use crate::html::number::{count, none, share};

/// The name of a group, `shown`; of the rest how many groups it is, which stands at `at`.
pub(super) fn name(group: &Figures, at: &str, shown: fn(&str) -> Markup) -> Markup {
    let label = group.label.as_deref();
    match group.name.as_deref() {
        Some(_) => shown(&group_name(group.name.as_deref(), label, group.groups)),
        None => html! { "(rest: " (count(group.groups, at)) ")" },
    }
}

/// The share of answers that agree, and of how many.
pub(super) fn agreement(group: &Figures, json: &str) -> Markup {
    match group.agreement.zip(group.agreement_n) {
        Some((agreement, n)) => html! {
            (share(agreement, &format!("{json}/agreement"))) " of "
            (count(n, &format!("{json}/agreement_n")))
        },
        None => none(),
    }
}

/// The groups to list, each with its number in the document: `top` of them, and the rest, which is the last.
pub(super) fn listed(groups: &[Figures], top: usize) -> impl Iterator<Item = (usize, &Figures)> {
    let all = groups.iter().enumerate();
    all.filter(move |(number, group)| *number < top || group.name.is_none())
}

/// That there are more groups than are listed.
pub(super) fn more(groups: &[Figures], top: usize) -> Markup {
    let named = groups.iter().filter(|group| group.name.is_some()).count();
    html! {
        @if named > top { (there_are_more()) }
    }
}

/// That a list goes on.
pub(super) fn there_are_more() -> Markup {
    html! {
        p.about { "There are more: " code { "plantune fleet report --html --top" } " takes how many to show." }
    }
}
