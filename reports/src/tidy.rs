//! Permission rules of the person that could go, by the reason; for a terminal and as JSON.

use plantune_query::permissions::tidy::{TidyReason, UntidyRule};
use serde::Serialize;

use crate::table::{Table, known, main, text};
use crate::terminal::{BOLD, Show, Terminal};
use crate::text::one_line;

/// How many rules of one reason are listed.
const MOST: usize = 10;

/// How much of a rule is shown, in characters.
const SHOWN: usize = 200;

/// What `suggest --tidy` shows.
#[derive(Clone, Debug, Serialize)]
pub struct TidyDocument<'a> {
    /// The rules that could go, those that change nothing first.
    pub tidy: &'a [UntidyRule],
    /// The files that could not be read, in words.
    pub notes: &'a [String],
}

/// The reason in words, as the person types it for `--only`.
pub fn in_words(reason: TidyReason) -> &'static str {
    match reason {
        TidyReason::Doubled => "doubled",
        TidyReason::Covered => "covered",
        TidyReason::Gone => "gone",
        TidyReason::Secret => "secret",
        TidyReason::Once => "once",
    }
}

impl Show for TidyDocument<'_> {
    fn show(&self, out: &mut Terminal) {
        if self.tidy.is_empty() {
            out.line("Your permission rules are tidy: none is doubled, covered by another, for a folder that is gone, or holds a secret.");
        }
        for reason in TidyReason::ALL {
            let rules: Vec<&UntidyRule> = self
                .tidy
                .iter()
                .filter(|one| one.reason == reason)
                .collect();
            if rules.is_empty() {
                continue;
            }
            if !out.is_empty() {
                out.line("");
            }
            out.styled(&in_words(reason).to_uppercase(), BOLD);
            out.hanging("", "", reason.change());
            let because_of = match reason {
                TidyReason::Gone => "not there",
                _ => "covered by",
            };
            let mut table = Table::of(rules.iter().copied().take(MOST));
            table.add(main("rule"), |one| one_line(&one.shown, SHOWN));
            table.add(text(because_of).least(12), |one| {
                known(one.because_of.as_deref().map(|by| one_line(by, SHOWN)))
            });
            table.add(text("file").least(12).both_ends(), |one| one.file.clone());
            out.table(&table);
            out.more(rules.len(), MOST);
        }
        for note in self.notes {
            out.hanging("note: ", "  ", note);
        }
        if !self.tidy.is_empty() {
            out.line("");
            out.hanging("", "", "`plantune suggest --tidy --apply` asks about each kind in each file and takes it out. `plantune undo RULE` puts a rule back.");
        }
    }
}
