//! One hook call: the fields that the agents share, under the names that most of them use. An agent's decoder adds its
//! own variants under these names.

use std::borrow::Cow;

use plantune_domain::answer::{Answer, read_answer};
use plantune_domain::json::{Members, Text, lenient_json};
use plantune_domain::results::{AUTO_DECIDE_PREFIX, DismissReason, FailureKind, Outcome};
use plantune_domain::wire::{QuestionTool, SentQuestion};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Moment;

/// One hook call. Everything is optional, and a field of the wrong type counts as absent: a logging hook must accept
/// whatever it is sent.
#[derive(Debug, Default)]
pub struct SentCall<'a> {
    /// The moment that the call reports.
    pub moment: Moment,
    /// If two fields have the same name, the last one counts.
    fields: Vec<CallField<'a>>,
}

#[derive(Debug)]
struct CallField<'a> {
    name: Text<'a>,
    value: Cow<'a, RawValue>,
    /// The value, if it is a string.
    text: Option<Text<'a>>,
}

impl<'a> SentCall<'a> {
    /// Parses `input`, a JSON object, into a call.
    ///
    /// # Errors
    /// The parser's message.
    pub fn parse(input: &'a str) -> Result<Self, String> {
        let members: Members<'a> =
            serde_json::from_str(input).map_err(|error| format!("input: {error}"))?;
        let field = |(name, value): (Text<'a>, &'a RawValue)| {
            let is_text = value.get().starts_with('"');
            let text = is_text.then(|| serde_json::from_str(value.get()).ok());
            CallField {
                name,
                value: Cow::Borrowed(value),
                text: text.flatten(),
            }
        };
        Ok(Self {
            moment: Moment::default(),
            fields: members.0.into_iter().map(field).collect(),
        })
    }

    /// Sets the field `name` to the text `value`.
    pub fn set_text(&mut self, name: &'static str, value: String) {
        self.fields.push(CallField {
            name: name.into(),
            value: Cow::Borrowed(RawValue::NULL),
            text: Some(value.into()),
        });
    }

    /// Sets the field `name` to the JSON `value`.
    pub(crate) fn set_json(&mut self, name: &'static str, value: &Value) {
        if let Ok(value) = RawValue::from_string(value.to_string()) {
            self.fields.push(CallField {
                name: name.into(),
                value: Cow::Owned(value),
                text: None,
            });
        }
    }

    /// Copies the value of the field `from` to the field `name`.
    pub fn copy(&mut self, name: &'static str, from: &str) {
        if let Some(value) = self.field(from).map(|field| field.value.clone()) {
            self.fields.push(CallField {
                name: name.into(),
                value,
                text: None,
            });
        }
    }

    fn field(&self, name: &str) -> Option<&CallField<'a>> {
        self.fields.iter().rfind(|field| &*field.name == name)
    }

    /// The text of the field `name`.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.text.as_deref()
    }

    /// The field `name` as sent; null counts as absent.
    pub fn raw(&self, name: &str) -> Option<&RawValue> {
        let raw = &*self.field(name)?.value;
        (raw.get() != "null").then_some(raw)
    }

    /// The field `name`; null when it is missing or cannot be read.
    pub fn json(&self, name: &str) -> Value {
        let raw = self.raw(name);
        raw.and_then(|raw| lenient_json(raw.get()).ok())
            .unwrap_or_default()
    }

    /// The kind of the question's tool, where a question is about to be asked.
    pub fn question_tool(&self) -> Option<QuestionTool> {
        match self.moment {
            Moment::Asking(tool) => Some(tool),
            _ => None,
        }
    }

    /// The event's name. A very old caller leaves it out and means `Stop`.
    pub fn event_name(&self) -> &str {
        self.text("hook_event_name").unwrap_or("Stop")
    }

    /// The session's id, empty when unknown.
    pub fn session_id(&self) -> &str {
        self.text("session_id").unwrap_or_default()
    }

    /// The working directory, empty when unknown.
    pub fn cwd(&self) -> &str {
        self.text("cwd").unwrap_or_default()
    }

    /// The subagent's id.
    pub fn agent_id(&self) -> Option<&str> {
        self.text("agent_id")
    }

    /// The slash command that the prompt begins with, as typed: `/gsd:discuss-phase`. A path is not a command.
    pub fn command(&self) -> Option<&str> {
        let word = self.text("prompt")?.split_whitespace().next()?;
        let name = word.strip_prefix('/')?;
        let is_name = |c: char| c.is_alphanumeric() || "-_:.".contains(c);
        let fits = (1..=LONGEST_COMMAND).contains(&name.len()) && name.chars().all(is_name);
        fits.then_some(word)
    }

    /// The tool's name, empty when unknown.
    pub fn tool_name(&self) -> &str {
        self.text("tool_name").unwrap_or_default()
    }

    /// The id of the tool call, empty when unknown.
    pub fn tool_use_id(&self) -> &str {
        self.text("tool_use_id").unwrap_or_default()
    }

    /// The tool's input, as sent.
    pub fn tool_input(&self) -> Option<&RawValue> {
        self.raw("tool_input")
    }
}

/// In bytes. No command name is longer.
const LONGEST_COMMAND: usize = 128;

// The reply.

/// The hook's reply to a call. Nothing is printed when every field is empty.
#[derive(Debug, Default)]
pub struct HookReply<'r> {
    /// The decision about the question.
    pub decision: Option<QuestionDecision<'r>>,
    /// Lines for the person.
    pub for_user: Vec<String>,
    /// Sentences for the model.
    pub for_model: Vec<String>,
    /// For the classifier that judges the agent's actions and takes answers for the person's own words.
    pub for_classifier: Option<&'static str>,
}

/// A decision about a question.
#[derive(Debug)]
pub enum QuestionDecision<'r> {
    /// The hook answers it: the text of each question, and its label.
    Answer {
        /// By question.
        answers: Vec<(&'r str, &'r str)>,
        /// For the person.
        reason: String,
    },
    /// It is not asked. The reason is for the model.
    Deny(String),
}

impl HookReply<'_> {
    /// A reply with text for the model only.
    pub fn for_model(text: String) -> Self {
        Self {
            for_model: vec![text],
            ..Self::default()
        }
    }

    /// A reply with text for the person only.
    pub fn for_user(text: String) -> Self {
        Self {
            for_user: vec![text],
            ..Self::default()
        }
    }

    /// A copy with the text for the model only.
    pub(crate) fn of_model(&self) -> Self {
        Self {
            for_model: self.for_model.clone(),
            ..Self::default()
        }
    }

    /// The lines for the person as one JSON text; `None` without any.
    pub(crate) fn message(&self) -> Option<String> {
        (!self.for_user.is_empty()).then(|| json_text(&self.for_user.join("\n")))
    }

    /// The sentences for the model as one JSON text; `None` without any.
    pub(crate) fn context(&self) -> Option<String> {
        (!self.for_model.is_empty()).then(|| json_text(&self.for_model.join("\n")))
    }
}

/// `reply` in the form that Claude Code and Codex share: the text for the person, and a separate object for the agent
/// that includes the fields `more`. A question can only be denied, or shown with its changed input.
pub(crate) fn in_specific(
    event: &str,
    reply: &HookReply<'_>,
    more: Vec<(&'static str, Option<String>)>,
) -> Option<String> {
    let (decision, reason) = match &reply.decision {
        Some(QuestionDecision::Answer { reason, .. }) => (Some("allow"), Some(reason)),
        Some(QuestionDecision::Deny(reason)) => (Some("deny"), Some(reason)),
        None => (None, None),
    };
    let mut members = vec![
        ("permissionDecision", decision.map(json_text)),
        (
            "permissionDecisionReason",
            reason.map(|text| json_text(text)),
        ),
        ("additionalContext", reply.context()),
    ];
    members.extend(more);
    let specific = object(&members).map(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or_default();
        format!("{{\"hookEventName\":{},{rest}", json_text(event))
    });
    object(&[
        ("systemMessage", reply.message()),
        ("hookSpecificOutput", specific),
    ])
}

/// The `reason` of a denial for an agent whose person and model read the same text, with what `reply` tells the person.
pub(crate) fn for_both(reason: &str, reply: &HookReply<'_>) -> String {
    format!("{reason}\nFor the user: {}", reply.for_user.join("\n"))
}

/// `text` as a JSON string.
pub(crate) fn json_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A JSON object of the `members` (name, JSON) that have a value; `None` when none has.
pub(crate) fn object(members: &[(&str, Option<String>)]) -> Option<String> {
    let mut text = String::new();
    for (name, value) in members {
        if let Some(value) = value {
            text.push_str(if text.is_empty() { "{\"" } else { ",\"" });
            text.push_str(name);
            text.push_str("\":");
            text.push_str(value);
        }
    }
    (!text.is_empty()).then(|| text + "}")
}

// Results of question tools, as several agents word them.

/// The part of `value` at the JSON pointer `pointer`; null when there is none.
pub(crate) fn within<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

/// The outcome of each of `questions`; `None` for one without an answer.
pub(crate) fn answered(
    questions: &[SentQuestion],
    answer: &dyn Fn(usize, &SentQuestion) -> Option<Answer>,
) -> Vec<Outcome> {
    let one = |(index, question)| match answer(index, question).and_then(Answer::unless_blank) {
        Some(answer) => Outcome::Answered(answer),
        None => Outcome::dismissed(DismissReason::NoAnswer),
    };
    questions.iter().enumerate().map(one).collect()
}

/// An answer that came as one text, in which `, ` separates several labels.
pub(crate) fn from_text(question: &SentQuestion, text: &str) -> Option<Answer> {
    (!text.is_empty()).then(|| read_answer(question, text))
}

/// The outcome of each of `questions`, from the `text` of a result without answers. The text contains `aborted` when
/// the person interrupted the question, `invalid` when it was malformed and never asked, and `denied` when it was not
/// allowed.
pub(crate) fn without_answers(
    questions: &[SentQuestion],
    text: &str,
    [aborted, invalid, denied]: [&str; 3],
) -> Vec<Outcome> {
    let outcome = if text.contains(AUTO_DECIDE_PREFIX) {
        Outcome::Denied
    } else if text.contains(aborted) {
        Outcome::dismissed(DismissReason::Rejected)
    } else {
        let kind = if text.contains(invalid) {
            FailureKind::Validation
        } else if text.contains(denied) {
            FailureKind::Denied
        } else {
            FailureKind::ToolError
        };
        Outcome::Failed {
            kind,
            error: text.to_owned(),
        }
    };
    vec![outcome; questions.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_prompts() {
        let command = |prompt: &str| {
            let sent = serde_json::json!({ "prompt": prompt }).to_string();
            let call = SentCall::parse(&sent).unwrap();
            call.command().map(str::to_owned)
        };
        assert_eq!(
            command("/gsd:discuss-phase 3").unwrap(),
            "/gsd:discuss-phase"
        );
        assert_eq!(command("/plan").unwrap(), "/plan");
        for other in [
            "",
            "/",
            "thanks",
            "see /plan",
            "/home/dev/shop is wrong",
            "// no",
            "/a\"b",
        ] {
            assert_eq!(command(other), None, "{other}");
        }
    }
}
