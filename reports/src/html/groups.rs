//! Questions in groups: projects, who asks, and what `--by` names.

use maud::{Markup, html};
use plantune_query::report::{By, Group};

use super::number::{count, known_seconds, seconds};
use super::parts::{rows, text};
use crate::report::group_name;

/// A table of `groups`, which stand at `json`, if there are `least`: the first `top`, all days of the week.
pub(super) fn section(
    title: &str,
    first: &str,
    json: &str,
    groups: &[Group],
    by: By,
    (least, top): (usize, usize),
) -> Markup {
    let top = match by {
        By::Weekday => usize::MAX,
        _ => top,
    };
    let has = |of: fn(&Group) -> bool, title: &'static str| match groups.iter().any(of) {
        true => title,
        false => "",
    };
    let table = rows(
        json,
        groups.iter().take(top).enumerate(),
        &[
            (first, &|one: &Group, _| text(group_name(one, by))),
            ("asked", &|one, at| count(one.asked, &at("asked"))),
            ("by you", &|one, at| count(one.answered, &at("answered"))),
            (has(|one| one.auto_decided > 0, "for you"), &|one, at| {
                count(one.auto_decided, &at("auto_decided"))
            }),
            ("answering took", &|one, at| {
                seconds(one.human_seconds, &at("human_seconds"))
            }),
            ("median", &|one, at| {
                known_seconds(one.median_seconds, &at("median_seconds"))
            }),
            ("agents waited", &|one, at| {
                seconds(one.waiting_seconds, &at("waiting_seconds"))
            }),
            (
                has(|one| one.waiting_away_seconds > 0.0, "nobody there"),
                &|one, at| seconds(one.waiting_away_seconds, &at("waiting_away_seconds")),
            ),
        ],
    );
    html! {
        @if groups.len().min(top) >= least {
            section.card.whole {
                h2 { (title) }
                (table)
                @if groups.len() > top { p.about { "The most frequent ones." } }
            }
        }
    }
}
