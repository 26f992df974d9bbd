//! Prompts for permission by who caused them.

use plantune_query::permissions::prompts::Subject;

use super::Groups;
use super::document::Group;
use super::words::SHOWN;
use crate::amount::duration;
use crate::inert::one_line;
use crate::report::NOBODY;
use crate::table::{Column, UNKNOWN};
use crate::terminal::{Show, Terminal};

const NOTHING: &str = "No such prompt for permission was logged. `plantune install` logs them from now on; \
    `plantune import claude-code` reads the transcripts that are there already.";

impl Show for Groups<'_> {
    fn show(&self, out: &mut Terminal) {
        if self.all == 0 {
            return out.hanging("", "", NOTHING);
        }
        out.table(
            &self.groups,
            &[
                (Column::main(self.by), &|one: &Group<'_>| {
                    one_line(one.name.unwrap_or(NOBODY), SHOWN)
                }),
                (Column::number("times"), &|one| one.sums.asked.to_string()),
                (Column::number("allowed"), &|one| {
                    one.sums.granted.to_string()
                }),
                (Column::number("refused"), &|one| {
                    one.sums.refused.to_string()
                }),
                (Column::number("waited"), &|one| waited(one.sums)),
                (Column::text("last").rank(1), &|one| {
                    one.sums.last_day.to_string()
                }),
            ],
        );
        out.more(self.all, self.groups.len());
    }
}

fn waited(one: &Subject) -> String {
    match one.waits_known {
        0 => UNKNOWN.to_owned(),
        _ => duration(one.seconds_waited),
    }
}
