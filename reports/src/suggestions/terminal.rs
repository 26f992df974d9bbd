//! Proposals on a terminal.

mod askers;
mod questions;
mod rules;

use std::io::{self, Write};

use super::document::{Document, Proposal};
use super::rules::RuleProposal;
use crate::Format;
use crate::text::wrap;

/// What is said where there is no rule, and nothing else to say.
const NO_RULE: &str = "No permission rule to suggest: no prompt for permission was decided yet.\n\
    `plantune install` logs them from now on; `plantune import` reads the\n\
    transcripts that are there already.\n";

/// Lines no wider than `width`.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Columns of the terminal.
    pub width: usize,
}

impl Terminal {
    /// Writes one proposal for questions, with its evidence.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn proposal(
        self,
        number: usize,
        proposal: &Proposal<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match proposal {
            Proposal::Question(one) => questions::proposal(number, one, self.width, out),
            Proposal::Asker(asker) => askers::proposal(number, asker, self.width, out),
        }
    }

    /// Writes one proposed rule, with its evidence.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn rule(
        self,
        number: usize,
        rule: &RuleProposal<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        rules::proposal(number, rule, self.width, out)
    }
}

impl Format<Document<'_>> for Terminal {
    fn write(&self, document: &Document<'_>, out: &mut dyn Write) -> io::Result<()> {
        // That there is nothing to suggest is said where that is so.
        let is_silent = document.questions.is_empty() && !document.rules.permissions.is_empty();
        let shows_questions = document.are_questions_wanted && !is_silent;
        if shows_questions {
            questions::write(&document.questions, *self, out)?;
        }
        let mut rules = Vec::new();
        rules::write(&document.rules, self.width, &mut rules)?;
        match (rules.is_empty(), shows_questions) {
            (true, true) => {}
            (true, false) => out.write_all(NO_RULE.as_bytes())?,
            (false, true) => out.write_all(&[b"\n", rules.as_slice()].concat())?,
            (false, false) => out.write_all(&rules)?,
        }
        for note in document.notes_on_questions.iter().chain(document.notes) {
            writeln!(out, "\n{}", wrap(note, self.width).join("\n"))?;
        }
        Ok(())
    }
}
