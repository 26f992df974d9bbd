//! Questions by project, by who asked, or in the groups that were asked for.

use maud::{Markup, html};
use plantune_query::report::{By, Group};

use super::number::{count, known_seconds, seconds};
use super::parts::{table, text};
use crate::report::group_name;

/// A table of `groups`, which stand in the JSON at `json`, where there are at least `least`: `top` rows of it at most, of
/// days of the week all seven.
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
    let has_auto = has(|group| group.auto_decided > 0);
    let has_away = has(|group| group.waiting_away_seconds > 0.0);
    let rows: Vec<Vec<Markup>> = (groups.iter().take(top).enumerate())
        .map(|(number, group)| {
            let at = |field: &str| format!("{json}/{number}/{field}");
            let mut row = vec![
                text(group_name(group, by)),
                count(group.asked, &at("asked")),
                count(group.answered, &at("answered")),
            ];
            if has_auto {
                row.push(count(group.auto_decided, &at("auto_decided")));
            }
            row.push(seconds(group.human_seconds, &at("human_seconds")));
            row.push(known_seconds(group.median_seconds, &at("median_seconds")));
            row.push(seconds(group.waiting_seconds, &at("waiting_seconds")));
            if has_away {
                row.push(seconds(
                    group.waiting_away_seconds,
                    &at("waiting_away_seconds"),
                ));
            }
            row
        })
        .collect();
    let titles = [
        (first, true),
        ("asked", true),
        ("by you", true),
        ("for you", has_auto),
        ("answering took", true),
        ("median", true),
        ("agents waited", true),
        ("nobody there", has_away),
    ];
    let titles = titles.iter().filter(|(_, is_shown)| *is_shown);
    let titles: Vec<&str> = titles.map(|(title, _)| *title).collect();
    html! {
        @if rows.len() >= least {
            section.card.whole {
                h2 { (title) }
                (table(&titles, &rows))
                @if groups.len() > rows.len() { p.about { "The most frequent ones." } }
            }
        }
    }
}
