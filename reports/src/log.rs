//! What was decided lately, for a terminal: questions and prompts for permission in the order of time.

use plantune_query::decisions::Decision;
use plantune_query::permissions::prompts::Prompt;

use crate::terminal::Terminal;
use crate::{decisions, prompts};

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

    /// The latest first; says so where there is nothing.
    pub fn show(&self, out: &mut Terminal) {
        if self.decisions.is_empty() && self.prompts.is_empty() {
            return out.line("Nothing was decided yet.");
        }
        let mut prompts = self.prompts.iter().peekable();
        for decision in &self.decisions {
            while let Some(prompt) = prompts.next_if(|prompt| prompt.at > decision.asked_at) {
                prompts::show_entry(prompt, out);
            }
            decisions::show(decision, out);
        }
        prompts.for_each(|prompt| prompts::show_entry(prompt, out));
    }
}
