//! The report's questions in groups, the same table for the terminal and Markdown.

use plantune_query::report::{By, Group, Groups};

use super::section::Section;
use crate::amount::duration;
use crate::table::{Table, known, number, text};

/// The groups, the most frequent first; all days of the week.
pub(super) fn part(groups: &Groups, top: usize) -> Section {
    let Groups { by, groups } = groups;
    let top = match by {
        By::Weekday => usize::MAX,
        _ => top,
    };
    let unanswered = |group: &Group| group.dismissed + group.failed + group.open;
    let mut table = Table::of(groups.iter().take(top));
    table.add(text(words(*by)).least(12), |one| name(one, *by));
    table.add(number("times"), |one| one.questions);
    table.add(number("you"), |one| one.answered);
    table.add(number("auto"), |one| one.auto_decided);
    table.add(number("typed").rank(3), |one| one.typed);
    table.add(number("unanswered").rank(4), unanswered);
    table.add(number("answering"), |one| duration(one.human_seconds));
    table.add(number("median").rank(2), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("agent waited"), |one| duration(one.waiting_seconds));
    table.add(number("away").rank(1), |one| {
        duration(one.waiting_away_seconds)
    });
    Section::part(&format!("By {}", words(*by)), table, groups.len())
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
