//! Gemini CLI, as version 0.61.0 was seen to work.

mod installed;

use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion, sent_questions};
use serde_json::Value;

use crate::reply::{in_specific, json_text, object};
use crate::results::{answered, from_text, within};
use crate::session::Signs;
use crate::{Agent, Call, Decision, Known, Moment, Reply};

/// The tool that asks.
const TOOL: &str = "ask_user";

/// The tool that runs commands.
const SHELL: &str = "run_shell_command";

/// What a question of the type `yesno` offers.
const YES_NO: [&str; 2] = ["Yes", "No"];

/// Gemini CLI.
#[derive(Debug)]
pub struct Gemini;

impl Agent for Gemini {
    fn known(&self) -> &'static Known {
        &Known {
            name: "gemini",
            title: "Gemini CLI",
            tools: &[TOOL],
            // The model is told of it.
            changes_questions: false,
            tells_person_afterwards: false,
            has_call_ids: false,
            session: Signs {
                // Its companion in an editor sets others, which begin alike, in the person's own terminals.
                variables: &["GEMINI_CLI"],
                program: "gemini",
                package: "@google/gemini-cli",
            },
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<Call<'a>, String> {
        let mut call = Call::parse(input)?;
        let is_question = call.tool_name() == TOOL;
        call.moment = match call.event_name() {
            "BeforeTool" if is_question => Moment::Asking(QuestionTool::Dialog),
            "AfterTool" if is_question => Moment::Answered,
            "Notification" => prompt(&mut call),
            "SessionStart" => Moment::SessionStarted,
            "SessionEnd" => Moment::SessionEnded,
            _ => Moment::Other,
        };
        Ok(call)
    }

    fn encode(&self, call: &Call<'_>, reply: &Reply<'_>) -> Option<String> {
        match (call.moment, &reply.decision) {
            (Moment::Asking(_), Some(Decision::Deny(reason))) => object(&[
                ("decision", Some(json_text("deny"))),
                ("reason", Some(json_text(reason))),
                ("systemMessage", reply.message()),
            ]),
            (Moment::Answered, None) => {
                in_specific(call.event_name(), &reply.of_model(), Vec::new())
            }
            _ => None,
        }
    }

    fn questions(&self, input: &Value) -> Vec<SentQuestion> {
        let mut questions = sent_questions(input);
        for (index, question) in questions.iter_mut().enumerate() {
            if within(input, &format!("/questions/{index}/type")) == "yesno" {
                question.options = YES_NO.map(str::to_owned).to_vec();
            }
        }
        questions
    }

    fn outcomes(
        &self,
        _: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>> {
        let text = within(result, "/llmContent").as_str().or(result.as_str());
        // What hooks and the client add stands in lines behind the answers.
        let text = text?.lines().next()?;
        let inner: Value = serde_json::from_str(text).ok()?;
        let answers = inner.get("answers")?;
        Some(answered(questions, &|index, question| {
            from_text(question, answers.get(index.to_string())?.as_str()?)
        }))
    }
}

/// A prompt for permission; its question to the person is none.
fn prompt(call: &mut Call<'_>) -> Moment {
    let details = call.json("details");
    let kind = within(&details, "/type").as_str().map(str::to_owned);
    match (call.text("notification_type"), kind.as_deref()) {
        (Some("ToolPermission"), Some("exec")) => {
            call.set_text("tool_name", "Bash".to_owned());
        }
        (Some("ToolPermission"), Some(kind)) if kind != TOOL => {
            call.set_text("tool_name", kind.to_owned());
        }
        _ => return Moment::Other,
    }
    call.copy("tool_input", "details");
    Moment::PromptAsked
}
