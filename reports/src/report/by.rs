//! The report's questions in groups, the same table for the terminal and Markdown.

use plantune_query::report::{By, Group, Groups};

use super::section::Section;
use crate::amount::duration;
use crate::table::Column;

/// The table of `groups`, `top` rows of it at most; of days of the week all seven. Names are as they were logged.
pub(super) fn part(groups: &Groups, top: usize) -> Section {
    let top = match groups.by {
        By::Weekday => usize::MAX,
        _ => top,
    };
    let listed = groups.groups.len().min(top);
    let title = match groups.groups.len() {
        all if all > listed => format!("By {} ({listed} of {all})", words(groups.by)),
        _ => format!("By {}", words(groups.by)),
    };
    Section {
        title,
        columns: vec![
            Column::text(words(groups.by)).least(12),
            Column::number("times"),
            Column::number("you"),
            Column::number("auto"),
            Column::number("typed").rank(3),
            Column::number("unanswered").rank(4),
            Column::number("answering"),
            Column::number("median").rank(2),
            Column::number("agent waited"),
            Column::number("away").rank(1),
        ],
        rows: (groups.groups.iter().take(top))
            .map(|group| row(group, groups.by))
            .collect(),
        notes: Vec::new(),
    }
}

fn row(group: &Group, by: By) -> Vec<String> {
    let none = || "–".to_owned();
    // What is not answered is dismissed, failed or still open.
    let unanswered = group.dismissed + group.failed + group.open;
    vec![
        name(group, by).to_owned(),
        group.questions.to_string(),
        group.answered.to_string(),
        group.auto_decided.to_string(),
        group.typed.to_string(),
        unanswered.to_string(),
        duration(group.human_seconds),
        group.median_seconds.map_or_else(none, duration),
        duration(group.waiting_seconds),
        duration(group.waiting_away_seconds),
    ]
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
