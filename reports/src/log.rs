//! What was decided lately, for a terminal: questions and prompts for permission in the order of time.

use std::io::{self, Write};

use plantune_query::decisions::Decision;
use plantune_query::permissions::prompts::Prompt;

use crate::decisions::{self, Clock};
use crate::prompts;

/// Questions and prompts, each the latest first.
#[derive(Clone, Debug)]
pub struct Log {
    /// Questions.
    pub decisions: Vec<Decision>,
    /// Prompts for permission.
    pub prompts: Vec<Prompt>,
}

impl Log {
    /// The latest `limit` of both together; each comes the latest first.
    pub fn new(mut decisions: Vec<Decision>, mut prompts: Vec<Prompt>, limit: usize) -> Self {
        while decisions.len() + prompts.len() > limit {
            match (decisions.last(), prompts.last()) {
                (Some(decision), Some(prompt)) if decision.asked_at > prompt.at => prompts.pop(),
                (Some(_), _) => {
                    decisions.pop();
                    continue;
                }
                (None, _) => prompts.pop(),
            };
        }
        Self { decisions, prompts }
    }

    /// Writes it for a terminal: how many columns it has, and whether colour is wanted.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(
        &self,
        clock: Clock<'_>,
        terminal: (usize, bool),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut prompts = self.prompts.iter().peekable();
        if self.decisions.is_empty() && self.prompts.is_empty() {
            return writeln!(out, "Nothing was decided yet.");
        }
        for decision in &self.decisions {
            while let Some(prompt) = prompts.next_if(|prompt| prompt.at > decision.asked_at) {
                prompts::write_entry(prompt, clock, terminal, out)?;
            }
            decisions::write_entry(decision, clock, terminal, out)?;
        }
        prompts.try_for_each(|prompt| prompts::write_entry(prompt, clock, terminal, out))
    }
}
