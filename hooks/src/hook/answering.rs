//! Answering a call for the person: mark and events first, then what is printed.

use super::{Hook, Printed, push_line};
use crate::wire::{Decision, PreToolUseOutput, with_answers};
use crate::{marks, telling, turn};
use plantune_domain::decision::{Choice, Instead};
use plantune_domain::event::Kind;
use plantune_domain::question::Question;
use plantune_domain::wire::QuestionTool;

impl Hook<'_> {
    /// The printed decision, or `None` when the call's input cannot carry the answers.
    ///
    /// Mark and events come first: what is not on record is not decided.
    pub(super) fn answer(
        &self,
        tool: QuestionTool,
        questions: &[Question],
        choices: &[Choice],
        project: &str,
    ) -> Printed {
        let Some(decision) = self.decision(tool, questions, choices) else {
            return Ok(None);
        };
        let printed = serde_json::to_string(&decision).map_err(|error| error.to_string())?;
        let mut lines = Vec::new();
        for (index, (question, choice)) in questions.iter().zip(choices).enumerate() {
            let mut event = self.question_event(Kind::AutoDecided, index, project);
            question.describe(index, questions.len(), &mut event);
            choice.describe(&mut event);
            event.mechanism = Some(match choice.instead {
                Some(Instead::Reviewer) => "reviewer".into(),
                _ => decision.hook_specific_output.permission_decision.into(),
            });
            push_line(&mut lines, &event)?;
        }
        let (session, id) = (self.call.session_id(), self.call.tool_use_id());
        if tool == QuestionTool::Native {
            let labels: Vec<String> = choices.iter().map(|choice| choice.label.clone()).collect();
            marks::set(&self.surroundings.paths, session, id, &labels)
                .map_err(|error| format!("session mark: {error}"))?;
        }
        self.append(&lines).inspect_err(|_| {
            marks::remove(&self.surroundings.paths, session, id);
        })?;
        // The person is told at once; to be told again at the turn's end is not worth an answer.
        let _ = turn::note(&self.surroundings.paths, session, id, questions, choices);
        Ok(Some(printed))
    }

    fn decision(
        &self,
        tool: QuestionTool,
        questions: &[Question],
        choices: &[Choice],
    ) -> Option<Decision> {
        let output = match tool {
            QuestionTool::Native => {
                let answers: Vec<(&str, &str)> = questions
                    .iter()
                    .zip(choices)
                    .map(|(question, choice)| (question.sent.text.as_str(), choice.label.as_str()))
                    .collect();
                PreToolUseOutput {
                    hook_event_name: "PreToolUse",
                    permission_decision: "allow",
                    permission_decision_reason: telling::allow_reason(),
                    updated_input: Some(with_answers(self.call.tool_input?, &answers)?),
                    additional_context: Some(telling::for_model(choices)),
                }
            }
            QuestionTool::Mcp => PreToolUseOutput {
                hook_event_name: "PreToolUse",
                permission_decision: "deny",
                permission_decision_reason: telling::deny_reason(questions, choices),
                updated_input: None,
                additional_context: None,
            },
        };
        Some(Decision {
            system_message: telling::for_user(questions, choices, self.call.tool_use_id()),
            hook_specific_output: output,
        })
    }
}
