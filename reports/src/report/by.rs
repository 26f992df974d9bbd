//! The report's questions in groups, the same table for the terminal and Markdown.

use plantune_query::report::{By, Group, Groups};

use super::section::Section;
use crate::amount::duration;
use crate::table::{Column, UNKNOWN};

/// The groups, the most frequent first; all days of the week.
pub(super) fn part(groups: &Groups, top: usize) -> Section {
    let Groups { by, groups } = groups;
    let top = match by {
        By::Weekday => usize::MAX,
        _ => top,
    };
    let unanswered = |group: &Group| group.dismissed + group.failed + group.open;
    let none = || UNKNOWN.to_owned();
    Section::first(
        &format!("By {}", words(*by)),
        groups,
        top,
        &[
            (Column::text(words(*by)).least(12), &|one: &Group| {
                name(one, *by).to_owned()
            }),
            (Column::number("times"), &|one| one.questions.to_string()),
            (Column::number("you"), &|one| one.answered.to_string()),
            (Column::number("auto"), &|one| one.auto_decided.to_string()),
            (Column::number("typed").rank(3), &|one| {
                one.typed.to_string()
            }),
            (Column::number("unanswered").rank(4), &|one| {
                unanswered(one).to_string()
            }),
            (Column::number("answering"), &|one| {
                duration(one.human_seconds)
            }),
            (Column::number("median").rank(2), &|one| {
                one.median_seconds.map_or_else(none, duration)
            }),
            (Column::number("agent waited"), &|one| {
                duration(one.waiting_seconds)
            }),
            (Column::number("away").rank(1), &|one| {
                duration(one.waiting_away_seconds)
            }),
        ],
    )
}

/// What is said in place of an asker that is not known.
pub(crate) const NOBODY: &str = "(no command)";

/// The name of `group`, or what is said where it has none.
pub(crate) fn name(group: &Group, by: By) -> &str {
    group.name.as_deref().unwrap_or(match by {
        By::Project => "(no project)",
        By::Header => "(no header)",
        By::Asker | By::Framework => NOBODY,
        By::Weekday | By::SessionKind | By::Agent => "(not known)",
    })
}

/// What is grouped by, in words.
fn words(by: By) -> &'static str {
    match by {
        By::SessionKind => "session kind",
        other => other.as_str(),
    }
}
