//! The subjects that the person was asked about.

use std::io::{self, Write};

use plantune_query::permissions::prompts::Subject;

use super::{SHOWN, more, tier_in_short};
use crate::amount::duration;
use crate::inert::one_line;
use crate::table::{Column, lines};
use crate::text::hanging;

/// What is said instead of an empty table.
const NOTHING: &str = "No such prompt for permission was logged. `plantune install` logs them from now on; \
    `plantune import claude-code` reads the transcripts that are there already.";

/// Writes the first `most` of `subjects` for a terminal `width` columns wide.
///
/// # Errors
/// Those of `out`.
pub fn write(subjects: &[Subject], most: usize, width: u16, out: &mut dyn Write) -> io::Result<()> {
    let width = usize::from(width);
    if subjects.is_empty() {
        return write!(out, "{}", hanging("", "", NOTHING, width));
    }
    let columns = [
        Column::main("subject"),
        Column::text("tool").least(6).rank(3),
        Column::text("tier").rank(2),
        Column::number("times"),
        Column::number("allowed"),
        Column::number("refused"),
        Column::number("waited"),
        Column::text("last").rank(1),
    ];
    let rows: Vec<Vec<String>> = subjects.iter().take(most).map(row).collect();
    for line in lines(&columns, &rows, width) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", more(subjects.len(), most, width))?;
    let then = "`plantune prompts show SUBJECT` shows the prompts of one.";
    write!(out, "{}", hanging("", "", then, width))
}

fn row(one: &Subject) -> Vec<String> {
    let waited = match one.waits_known {
        0 => "–".to_owned(),
        _ => duration(one.seconds_waited),
    };
    vec![
        one_line(&one.subject, SHOWN),
        one_line(&one.tool, SHOWN),
        tier_in_short(one.tier).to_owned(),
        one.asked.to_string(),
        one.granted.to_string(),
        one.refused.to_string(),
        waited,
        one.last_day.to_string(),
    ]
}
