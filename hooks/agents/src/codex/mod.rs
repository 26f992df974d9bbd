//! Codex, as version 0.169.0 was seen to work.

mod installed;

use plantune_domain::answer::Answer;
use plantune_domain::results::{DismissReason, Outcome};
use plantune_domain::wire::{QuestionTool, SentQuestion, sent_questions};
use serde_json::Value;

use crate::reply::in_specific;
use crate::results::{answered, dismissed};
use crate::session::Signs;
use crate::{Agent, Call, Known, Moment, Reply};

/// The tool that waits for the answer.
const TOOL: &str = "request_user_input";

/// The tool that does not: what the person says of its questions is their next prompt.
const TOOL_WITHOUT_WAITING: &str = "request_user_input_async";

/// What the dialog adds to the options for an answer in words of the person's own.
const NONE: &str = "None of the above";

/// What stands before such words, and before a note.
const NOTE: &str = "user_note: ";

/// Codex.
#[derive(Debug)]
pub struct Codex;

/// The kind of the question tool of that name.
fn question_tool(name: &str) -> Option<QuestionTool> {
    match name {
        TOOL => Some(QuestionTool::Dialog),
        TOOL_WITHOUT_WAITING => Some(QuestionTool::Aside),
        _ => None,
    }
}

impl Agent for Codex {
    fn known(&self) -> &'static Known {
        &Known {
            name: "codex",
            title: "Codex",
            tools: &[TOOL, TOOL_WITHOUT_WAITING],
            // A changed question is shown, but its answer comes back by an id alone.
            changes_questions: false,
            tells_person_afterwards: true,
            has_call_ids: true,
            session: Signs {
                // The last two where a command runs in its sandbox.
                variables: &[
                    "CODEX_THREAD_ID",
                    "CODEX_SESSION_ID",
                    "CODEX_TOOL_CALL_ID",
                    "CODEX_CI",
                    "CODEX_SANDBOX",
                    "CODEX_SANDBOX_NETWORK_DISABLED",
                ],
                program: "codex",
                package: "@openai/codex",
            },
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<Call<'a>, String> {
        let mut call = Call::parse(input)?;
        call.moment = match (call.event_name(), question_tool(call.tool_name())) {
            // Also where the question is refused afterwards, because of the mode: nothing here says so.
            ("PreToolUse", Some(tool)) => Moment::Asking(tool),
            ("PostToolUse", Some(_)) => Moment::Answered,
            ("PermissionRequest", None) => Moment::PromptAsked,
            ("SessionStart", _) => Moment::SessionStarted,
            ("SessionEnd", _) => Moment::SessionEnded,
            _ => Moment::Other,
        };
        Ok(call)
    }

    fn encode(&self, call: &Call<'_>, reply: &Reply<'_>) -> Option<String> {
        // It shows an error for fields that it does not know.
        in_specific(call.event_name(), reply, Vec::new()).filter(|_| self.listens(call.moment))
    }

    fn questions(&self, input: &Value) -> Vec<SentQuestion> {
        let mut questions = sent_questions(input);
        let sent = input.get("questions").and_then(Value::as_array);
        for (question, sent) in questions.iter_mut().zip(sent.into_iter().flatten()) {
            if let Some(title) = sent.get("title").and_then(Value::as_str) {
                question.text = title.to_owned();
            }
        }
        questions
    }

    fn outcomes(
        &self,
        input: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>> {
        let text = result.as_str().unwrap_or_default();
        let inner: Value = serde_json::from_str(text).unwrap_or_default();
        if inner.get("accepted").is_some() {
            return Some(Vec::new());
        }
        let answers = inner.get("answers")?.as_object()?;
        if answers.is_empty() {
            return Some(vec![dismissed(DismissReason::AfkTimeout); questions.len()]);
        }
        let ids: Vec<Option<&str>> = (0..questions.len())
            .map(|index| input.get("questions")?.get(index)?.get("id")?.as_str())
            .collect();
        Some(answered(questions, &|index, question| {
            let id = *ids.get(index)?;
            let is_shared = ids.iter().filter(|other| **other == id).count() > 1;
            let chosen = answers.get(id?)?.get("answers")?.as_array()?;
            let chosen = chosen.iter().filter_map(Value::as_str);
            Some(read(question, chosen, is_shared))
        }))
    }
}

/// The answer of what was `chosen` and noted. Of questions that share an id, the last one's answer comes back for all:
/// what is no option of a question's own says nothing then.
fn read<'c>(
    question: &SentQuestion,
    chosen: impl Iterator<Item = &'c str>,
    is_shared: bool,
) -> Answer {
    let mut answer = Answer::default();
    let mut is_none = false;
    for text in chosen {
        match text.strip_prefix(NOTE) {
            _ if question.options.iter().any(|label| label == text) => {
                answer.labels.push(text.to_owned());
            }
            Some(note) => answer.notes = Some(note.to_owned()),
            None if text == NONE => is_none = true,
            None if is_shared => {}
            None => answer.free_text = Some(text.to_owned()),
        }
    }
    if is_none && !is_shared {
        answer.free_text = answer.notes.take().or_else(|| Some(NONE.to_owned()));
    }
    answer
}
