//! Prompts by who was at work.

use std::io::{self, Write};

use plantune_query::permissions::prompts::Subject;

use super::document::Group;
use super::words::SHOWN;
use super::{Groups, Terminal, more};
use crate::Format;
use crate::amount::duration;
use crate::inert::one_line;
use crate::report::NOBODY;
use crate::table::{Column, lines};
use crate::text::hanging;

/// What is said instead of an empty table.
const NOTHING: &str = "No such prompt for permission was logged. `plantune install` logs them from now on; \
    `plantune import claude-code` reads the transcripts that are there already.";

impl Format<Groups<'_>> for Terminal<'_> {
    fn write(&self, found: &Groups<'_>, out: &mut dyn Write) -> io::Result<()> {
        if found.all == 0 {
            return write!(out, "{}", hanging("", "", NOTHING, self.width));
        }
        let columns = [
            Column::main(found.by),
            Column::number("times"),
            Column::number("allowed"),
            Column::number("refused"),
            Column::number("waited"),
            Column::text("last").rank(1),
        ];
        let row = |one: &Group<'_>| {
            vec![
                one_line(one.name.unwrap_or(NOBODY), SHOWN),
                one.sums.asked.to_string(),
                one.sums.granted.to_string(),
                one.sums.refused.to_string(),
                waited(one.sums),
                one.sums.last_day.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = found.groups.iter().map(row).collect();
        for line in lines(&columns, &rows, self.width) {
            writeln!(out, "{line}")?;
        }
        write!(out, "{}", more(found.all, rows.len(), self.width))
    }
}

fn waited(one: &Subject) -> String {
    match one.waits_known {
        0 => "–".to_owned(),
        _ => duration(one.seconds_waited),
    }
}
