//! Prompts for permission by who caused them.

use super::Groups;
use super::document::name;
use super::words::SHOWN;
use crate::amount::duration;
use crate::inert::one_line;
use crate::report::NOBODY;
use crate::table::{Table, known, main, number, text};
use crate::terminal::{Show, Terminal};

const NOTHING: &str = "No such prompt for permission was logged. `plantune install` logs them from now on; \
    `plantune import claude-code` reads the transcripts that are there already.";

impl Show for Groups<'_> {
    fn show(&self, out: &mut Terminal) {
        if self.all == 0 {
            return out.hanging("", "", NOTHING);
        }
        let mut table = Table::of(self.groups);
        table.add(main(self.by), |one| {
            one_line(name(one).unwrap_or(NOBODY), SHOWN)
        });
        table.add(number("times"), |one| one.asked);
        table.add(number("allowed"), |one| one.granted);
        table.add(number("refused"), |one| one.refused);
        table.add(number("waited"), |one| {
            let is_known = one.waits_known > 0;
            known(is_known.then(|| duration(one.seconds_waited)))
        });
        table.add(text("last").rank(1), |one| one.last_day.to_string());
        out.table(&table);
        out.more(self.all, self.groups.len());
    }
}
