//! What else may answer where preferences do not decide: the person's own answer earlier in this
//! session, then their reviewer. Off unless switched on, and then still never for a question that
//! must be asked.

use std::time::Duration;

use super::{Hook, Printed, push_line};
use crate::reviewer::{self, Review};
use crate::wire::{Decision, PreToolUseOutput};
use crate::{reask, telling};
use plantune_domain::config::Config;
use plantune_domain::decision::{Ask, AskReason, Choice, Instead};
use plantune_domain::event::Kind;
use plantune_domain::gate::{self, ProposedAnswer, decide};
use plantune_domain::preferences::{Preference, Scope};
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::QuestionTool;

/// True when anything but preferences may answer.
pub(super) fn goes_beyond(config: &Config, registry: &Registry) -> bool {
    config.reviewer.is_some() || config.reasks() || registry.has_reask()
}

/// A call that preferences do not decide.
pub(super) struct Case<'a> {
    pub(super) tool: QuestionTool,
    pub(super) questions: &'a [Question],
    pub(super) standing: &'a [Vec<(Scope, Preference)>],
    pub(super) registry: &'a Registry,
    pub(super) config: &'a Config,
    pub(super) project: &'a str,
}

impl Case<'_> {
    /// What preferences say of each question by itself.
    fn settled(&self, asks: &[Ask]) -> Vec<Option<Choice>> {
        let one = |(index, ask): (usize, &Ask)| {
            if ask.reason != AskReason::PartialCall {
                return None;
            }
            let (question, standing) = (self.questions.get(index)?, self.standing.get(index)?);
            let question = std::slice::from_ref(question);
            let choices = decide(question, std::slice::from_ref(standing), self.registry);
            choices.ok()?.pop()
        };
        asks.iter().enumerate().map(one).collect()
    }

    /// True when something other than a preference may answer, as far as the reason goes that the
    /// question is asked for: not what must be asked, and not what cannot be told apart.
    fn is_open(&self, question: &Question, reason: AskReason) -> bool {
        let open = matches!(reason, AskReason::NoPreference | AskReason::Ambiguous);
        let same = |other: &&Question| other.sent.text == question.sent.text;
        let named = !question.is_named_twice;
        open && named
            && question.door_reason.is_none()
            && self.questions.iter().filter(same).count() == 1
    }
}

impl Hook<'_> {
    /// Answers, turns down, or asks.
    pub(super) fn beyond(&self, case: &Case<'_>, asks: &[Ask]) -> Printed {
        let mut choices = case.settled(asks);
        let slots = self.recall(case, asks, &mut choices);
        if let Some(printed) = self.answer_if_whole(case, &choices)? {
            return Ok(Some(printed));
        }
        let open = |((choice, question), ask): ((&Option<Choice>, &Question), &Ask)| {
            choice.is_some() || case.is_open(question, ask.reason)
        };
        if let Some(command) = &case.config.reviewer
            && choices.iter().zip(case.questions).zip(asks).all(open)
            && !case.questions.is_empty()
        {
            match self.review(case, asks, command) {
                Ok(Review::Abstain) => {}
                Ok(Review::Deny(feedback)) => return self.turn_down(case, &feedback),
                Ok(Review::Answer(labels)) => {
                    for (choice, label) in choices.iter_mut().zip(labels) {
                        choice.get_or_insert_with(|| Choice::instead(label, Instead::Reviewer));
                    }
                    if let Some(printed) = self.answer_if_whole(case, &choices)? {
                        return Ok(Some(printed));
                    }
                }
                Err(error) => self.log_error(&format!("reviewer: {error}")),
            }
        }
        if slots.iter().any(|slot| !slot.is_empty()) {
            let (session, id) = (self.call.session_id(), self.call.tool_use_id());
            reask::put(&self.surroundings.paths, session, id, &slots);
        }
        self.ask(case.questions, asks, &[], case.project)
    }

    /// Fills in what the person answered before; returns where each answer belongs, empty for
    /// those that are not remembered.
    fn recall(&self, case: &Case<'_>, asks: &[Ask], choices: &mut [Option<Choice>]) -> Vec<String> {
        let (paths, session) = (&self.surroundings.paths, self.call.session_id());
        // Where nobody sits, nobody's answer is kept.
        let kept = self.surroundings.session_kind == "interactive" && !session.is_empty();
        let mut slots = Vec::new();
        for ((question, ask), choice) in case.questions.iter().zip(asks).zip(choices) {
            let open = kept && choice.is_none() && case.is_open(question, ask.reason);
            let slot = open.then(|| reask::slot(question, case.config, case.registry));
            let slot = slot.flatten().unwrap_or_default();
            if !slot.is_empty()
                && let Some(label) = reask::recall(paths, session, &slot, question)
                && gate::check(&ProposedAnswer::to(question, &label), case.registry).is_ok()
            {
                *choice = Some(Choice::instead(label, Instead::Reask));
            }
            slots.push(slot);
        }
        slots
    }

    fn answer_if_whole(&self, case: &Case<'_>, choices: &[Option<Choice>]) -> Printed {
        let whole: Option<Vec<Choice>> = choices.iter().cloned().collect();
        match whole {
            Some(choices) if !choices.is_empty() => {
                self.answer(case.tool, case.questions, &choices, case.project)
            }
            _ => Ok(None),
        }
    }

    fn review(&self, case: &Case<'_>, asks: &[Ask], command: &[String]) -> Result<Review, String> {
        let (paths, session) = (&self.surroundings.paths, self.call.session_id());
        if !reviewer::may_run(paths, session, case.config.reviewer_per_session) {
            return Ok(Review::Abstain);
        }
        let asked = self.asked(case.questions, asks, &[], case.project)?;
        let input = reviewer::input(&asked, self.call.tool_input);
        let limit = Duration::from_secs(case.config.reviewer_seconds);
        let output = reviewer::run(command, &input, limit)?;
        let review = reviewer::read(&output, case.questions)?;
        if let Review::Answer(labels) = &review {
            for (question, label) in case.questions.iter().zip(labels) {
                gate::check(&ProposedAnswer::to(question, label), case.registry).map_err(
                    |refusal| {
                        let reason = refusal.door_reason().unwrap_or_default();
                        format!("{label} is one-way ({reason}), and is asked")
                    },
                )?;
            }
        }
        Ok(review)
    }

    /// Denies the call with the reviewer's words, on record first.
    fn turn_down(&self, case: &Case<'_>, feedback: &str) -> Printed {
        let (for_user, for_model) = telling::turned_down(feedback);
        let decision = Decision {
            system_message: for_user,
            hook_specific_output: PreToolUseOutput {
                hook_event_name: "PreToolUse",
                permission_decision: "deny",
                permission_decision_reason: for_model,
                updated_input: None,
                additional_context: None,
            },
        };
        let printed = serde_json::to_string(&decision).map_err(|error| error.to_string())?;
        let mut lines = Vec::new();
        for (index, question) in case.questions.iter().enumerate() {
            let mut event = self.question_event(Kind::AutoDecided, index, case.project);
            question.describe(index, case.questions.len(), &mut event);
            event.answer = Some(Vec::new());
            event.preference = Some("reviewer".into());
            event.preference_scope = Some("global".into());
            event.mechanism = Some("reviewer".into());
            event.reason = Some("denied".into());
            event.notes = Some(feedback.into());
            push_line(&mut lines, &event)?;
        }
        self.append(&lines)?;
        Ok(Some(printed))
    }
}
