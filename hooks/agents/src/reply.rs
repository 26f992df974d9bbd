//! What the hook has to say, before an agent's form is given to it.

use serde_json::Value;
use serde_json::value::RawValue;

/// What the hook has to say about a call; nothing where all of it is empty.
#[derive(Debug, Default)]
pub struct Reply<'r> {
    /// What becomes of the question.
    pub decision: Option<Decision<'r>>,
    /// For the person, a line each.
    pub for_user: Vec<String>,
    /// For the model, a sentence each.
    pub for_model: Vec<String>,
    /// For what judges the agent's acts and takes answers for the person's own words.
    pub for_classifier: Option<&'static str>,
    /// What is shown in place of what the model sent.
    pub changed_input: Option<&'r RawValue>,
}

/// What becomes of a question.
#[derive(Debug)]
pub enum Decision<'r> {
    /// It is answered: the text of each question, and its label.
    Answer {
        /// By question.
        answers: Vec<(&'r str, &'r str)>,
        /// For the person.
        reason: String,
    },
    /// It is not asked; the reason is for the model.
    Deny(String),
}

impl Reply<'_> {
    /// With something for the model alone.
    pub fn for_model(text: String) -> Self {
        Self {
            for_model: vec![text],
            ..Self::default()
        }
    }

    /// With something for the person alone.
    pub fn for_user(text: String) -> Self {
        Self {
            for_user: vec![text],
            ..Self::default()
        }
    }

    /// What is for the model of it, alone.
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

    /// The sentences for the model, likewise.
    pub(crate) fn context(&self) -> Option<String> {
        (!self.for_model.is_empty()).then(|| json_text(&self.for_model.join("\n")))
    }
}

/// `reply` in the form that Claude Code and Codex share: what is for the person, and what is for the agent, with the
/// fields `more`, in an object of its own. A question can only be denied, or shown as it was changed.
pub(crate) fn in_specific(
    event: &str,
    reply: &Reply<'_>,
    more: Vec<(&'static str, Option<String>)>,
) -> Option<String> {
    let (decision, reason) = match &reply.decision {
        Some(Decision::Answer { reason, .. }) => (Some("allow"), Some(reason)),
        Some(Decision::Deny(reason)) => (Some("deny"), Some(reason)),
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

/// `text` as a JSON string.
pub(crate) fn json_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// The JSON object of those `members` (name, JSON) that are there; `None` without any.
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
