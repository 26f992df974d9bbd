//! Questions in groups, where that was asked for.

use maud::{Markup, html};
use plantune_query::report::{By, Groups};

use super::number::{count, known_seconds, seconds};
use super::parts::{table, text};
use crate::report::group_name;

/// The table of `groups`, `top` rows of it at most; of days of the week all seven.
pub(super) fn section(groups: &Groups, top: usize) -> Markup {
    let top = match groups.by {
        By::Weekday => usize::MAX,
        _ => top,
    };
    let rows: Vec<Vec<Markup>> = (groups.groups.iter().enumerate())
        .take(top)
        .map(|(number, group)| {
            let at = |field: &str| format!("/groups/{number}/{field}");
            vec![
                text(group_name(group, groups.by)),
                count(group.asked, &at("asked")),
                count(group.answered, &at("answered")),
                count(group.auto_decided, &at("auto_decided")),
                count(group.typed, &at("typed")),
                seconds(group.human_seconds, &at("human_seconds")),
                known_seconds(group.median_seconds, &at("median_seconds")),
                seconds(group.waiting_seconds, &at("waiting_seconds")),
                seconds(group.waiting_away_seconds, &at("waiting_away_seconds")),
            ]
        })
        .collect();
    let titles = [
        groups.by.as_str(),
        "asked",
        "by you",
        "without you",
        "typed",
        "your time",
        "median",
        "agent waited",
        "while away",
    ];
    html! {
        @if !rows.is_empty() {
            section.card {
                h2 { "By " (groups.by.as_str().replace('-', " ")) }
                (table(&titles, &rows))
            }
        }
    }
}
