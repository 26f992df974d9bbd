//! What was decided lately: questions and prompts for permission, for a terminal in the order of time.

use plantune_query::decisions::Decision;
use plantune_query::permissions::prompts::Prompt;
use serde::Serialize;

use crate::terminal::{Show, Terminal};
use crate::{decisions, prompts};

/// Questions and prompts, each the latest first. Serialised, it is the document of `log --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Log {
    /// Questions.
    pub decisions: Vec<Decision>,
    /// Prompts for permission, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Vec<Prompt>>,
}

impl Log {
    /// The latest `limit` of both together; each comes the latest first.
    pub fn new(decisions: Vec<Decision>, prompts: Option<Vec<Prompt>>, limit: usize) -> Self {
        let mut log = Self { decisions, prompts };
        while log.decisions.len() + log.prompts().len() > limit {
            let is_prompt = match (log.decisions.last(), log.prompts().last()) {
                (Some(decision), Some(prompt)) => prompt.at < decision.asked_at,
                (decision, _) => decision.is_none(),
            };
            match &mut log.prompts {
                Some(prompts) if is_prompt => drop(prompts.pop()),
                _ => drop(log.decisions.pop()),
            }
        }
        log
    }

    fn prompts(&self) -> &[Prompt] {
        self.prompts.as_deref().unwrap_or_default()
    }
}

impl Show for Log {
    /// The latest first; says so where there is nothing.
    fn show(&self, out: &mut Terminal) {
        if self.decisions.is_empty() && self.prompts().is_empty() {
            return out.line("Nothing was decided yet.");
        }
        let mut prompts = self.prompts().iter().peekable();
        for decision in &self.decisions {
            while let Some(prompt) = prompts.next_if(|prompt| prompt.at > decision.asked_at) {
                prompts::show_entry(prompt, out);
            }
            decisions::show(decision, out);
        }
        prompts.for_each(|prompt| prompts::show_entry(prompt, out));
    }
}
