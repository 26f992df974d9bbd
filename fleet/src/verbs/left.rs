//! What stays on the machine, in lines for a person.

use crate::publish::due::Left;
use plantune_reports::amount::counted;

/// A line for each reason that something stays for.
pub(crate) fn lines(left: &Left, grace_hours: u32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |count: u64, why: String| {
        if count > 0 {
            lines.push(format!("{} {why}", counted(count, "event", "events")));
        }
    };
    add(
        left.waiting - left.in_future,
        format!("wait: their UTC day is not over, or for less than {grace_hours} hours"),
    );
    add(
        left.in_future,
        "dated in the future wait for that day: a clock was wrong".to_owned(),
    );
    add(
        left.undated,
        "dated before 2020 are never published: a clock was wrong".to_owned(),
    );
    add(left.excluded, "of excluded projects stay here".to_owned());
    add(
        left.unknown,
        "of a newer plantune stay here: this one cannot know what they hold".to_owned(),
    );
    for segment in &left.unread {
        lines.push(format!("{} was not read: {}", segment.segment, segment.why));
    }
    lines
}
