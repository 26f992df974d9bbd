//! Questions by project, by who asked, or in the groups that were asked for.

use maud::{Markup, html};
use plantune_query::report::{By, Group};

use super::parts::{Rows, text};
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
    let has = |of: fn(&Group) -> bool| groups.iter().any(of);
    let mut rows = Rows::of(json, groups.iter().enumerate().take(top));
    rows.add(first, |one, _| text(group_name(one, by)));
    rows.count("asked", "asked", |one| one.asked);
    rows.count("by you", "answered", |one| one.answered);
    if has(|one| one.auto_decided > 0) {
        rows.count("for you", "auto_decided", |one| one.auto_decided);
    }
    rows.seconds("answering took", "human_seconds", |one| one.human_seconds);
    rows.seconds("median", "median_seconds", |one| one.median_seconds);
    rows.seconds("agents waited", "waiting_seconds", |one| {
        one.waiting_seconds
    });
    if has(|one| one.waiting_away_seconds > 0.0) {
        let field = "waiting_away_seconds";
        rows.seconds("nobody there", field, |one| one.waiting_away_seconds);
    }
    html! {
        @if groups.len().min(top) >= least {
            section.card.whole {
                h2 { (title) }
                (rows.table())
                @if groups.len() > top { p.about { "The most frequent ones." } }
            }
        }
    }
}
