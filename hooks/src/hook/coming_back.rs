//! What came back from a call: the person's answers, or what went wrong.

use std::path::Path;

use serde_json::Value;

use super::{Hook, Printed, push_line};
use crate::directive::directive;
use crate::wire::context_for_model;
use crate::{marks, reask};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::results::{Outcome, error_outcomes, outcomes};
use plantune_domain::wire::{SentQuestion, lenient_json};

impl Hook<'_> {
    pub(super) fn post_tool_use(&self) -> Printed {
        let result: Value = match self.call.tool_response {
            Some(raw) => lenient_json(raw.get()).map_err(|error| error.to_string())?,
            None => Value::Null,
        };
        self.came_back(|sent| outcomes(sent, &result, false))
    }

    pub(super) fn post_tool_use_failure(&self) -> Printed {
        self.came_back(|sent| error_outcomes(sent, self.call.error(), self.call.is_interrupt()))
    }

    /// Logs what `read` makes of the questions, and returns the directive for the model when they
    /// failed.
    fn came_back(&self, read: impl Fn(&[SentQuestion]) -> Vec<Outcome>) -> Printed {
        let sent = self.sent_questions();
        let mut outcomes = read(&sent);
        self.log_outcomes(&sent, &outcomes)?;
        if sent.is_empty() {
            // Nothing to log, but a failed call all the same.
            outcomes = read(&[SentQuestion::default()]);
        }
        let has_failed = outcomes
            .iter()
            .any(|outcome| matches!(outcome, Outcome::Failed { .. }));
        Ok(has_failed.then(|| {
            let told = directive(self.surroundings.session_kind);
            context_for_model(self.call.event_name(), told)
        }))
    }

    fn log_outcomes(&self, sent: &[SentQuestion], outcomes: &[Outcome]) -> Result<(), String> {
        let registry = self.registry().unwrap_or_default();
        let project = project_key(Path::new(self.call.cwd()));
        let (session, id) = (self.call.session_id(), self.call.tool_use_id());
        let mark = marks::find(&self.surroundings.paths, session, id);
        let mut lines = Vec::new();
        for (index, (sent_question, outcome)) in sent.iter().zip(outcomes).enumerate() {
            let Some(kind) = outcome.kind() else { continue };
            let question = Question::identify(sent_question.clone(), &registry);
            let mark = mark.as_ref();
            let decided = mark.and_then(|mark| mark.decided(index));
            if let (Some(slot), Outcome::Answered(answer)) =
                (mark.and_then(|mark| mark.slot(index)), outcome)
            {
                reask::remember(&self.surroundings.paths, session, slot, answer);
            }
            let mut event = self.question_event(kind, index, &project);
            question.describe(index, sent.len(), &mut event);
            outcome.describe(&question, decided, &mut event);
            push_line(&mut lines, &event)?;
        }
        if lines.is_empty() {
            return Ok(());
        }
        self.append(&lines)
    }
}
