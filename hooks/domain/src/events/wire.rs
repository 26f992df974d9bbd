//! The input of a tool that asks questions. This is the only file that knows the field names that the agents share. The
//! formats in which an agent talks to a hook are in the crate `plantune-agents`.

use std::borrow::Cow;

use serde_json::Value;

use crate::secrets::{SecretAsked, masked};

/// The kinds of tools that ask the user questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionTool {
    /// An agent's own tool that accepts answers from a hook.
    Native,
    /// A server's tool. It is answered by `deny`, because it may ignore injected answers.
    Mcp,
    /// The dialog of an agent that accepts no answers from a hook. It is answered by `deny`.
    Dialog,
    /// A tool that does not wait for an answer: the person answers in their next prompt. It is never answered by the
    /// hook.
    Aside,
}

impl QuestionTool {
    /// The question tool with this name, or `None` for any other tool.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "AskUserQuestion" {
            return Some(Self::Native);
        }
        let server = name
            .strip_prefix("mcp__")?
            .strip_suffix("__AskUserQuestion")?;
        (!server.is_empty()).then_some(Self::Mcp)
    }
}

/// One question as sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentQuestion {
    /// The text, exactly as sent.
    pub text: String,
    /// The text that an extended form shows in addition, as paragraphs: the form's title, and the question's helper
    /// line.
    pub context: String,
    /// The short header.
    pub header: Option<String>,
    /// The labels, exactly as sent.
    pub options: Vec<String>,
    /// Their descriptions, empty for an option without one; an empty list if no option has one.
    pub descriptions: Vec<String>,
    /// Their previews, with the same rules.
    pub previews: Vec<String>,
    /// Whether several options may be chosen; `None` when not sent.
    pub multi_select: Option<bool>,
    /// The first field of the call, the question or an option that no known agent shows.
    pub unknown_field: Option<String>,
}

/// The fields that agents send for a call, a question in it, and an option.
const FIELDS: [&[&str]; 3] = [
    &[
        "questions",
        "question",
        "header",
        "options",
        "multiSelect",
        "answers",
        "annotations",
        "response",
        "afkTimeoutMs",
        "metadata",
        "title",
    ],
    &[
        "question",
        "header",
        "options",
        "multiSelect",
        "multi_select",
        "multiple",
        "kind",
        "type",
        "id",
        "title",
        "description",
        "placeholder",
        "custom",
    ],
    &["label", "description", "preview"],
];

/// The first field of `value` that is not in `known`.
pub fn unknown_field(value: &Value, known: &[&str]) -> Option<String> {
    let names = value.as_object()?.keys();
    let mut unknown = names.filter(|name| !known.contains(&name.as_str()));
    unknown.next().cloned()
}

impl SentQuestion {
    /// The question without its secrets; `None` if it has no secrets.
    pub fn masked(&self) -> Option<Self> {
        let mut masked = self.clone();
        let mut is_masked = mask(&mut masked.text);
        is_masked |= mask(&mut masked.context);
        is_masked |= masked.header.as_mut().is_some_and(mask);
        for texts in [
            &mut masked.options,
            &mut masked.descriptions,
            &mut masked.previews,
        ] {
            for text in texts {
                is_masked |= mask(text);
            }
        }
        is_masked.then_some(masked)
    }

    /// How it is about a secret.
    pub(crate) fn secret_asked(&self) -> SecretAsked {
        let header = self.header.as_deref().unwrap_or_default();
        SecretAsked::of(&self.text, header, &self.context, &self.options)
    }
}

/// The most questions in a list; the tool takes four. A longer list is not read: each item becomes an event of hundreds
/// of bytes, while `{}` takes only three.
const MOST_QUESTIONS: usize = 64;

/// The questions of a tool input: the native list, or the single top-level question of Conductor's server. Empty
/// without questions.
pub fn sent_questions(input: &Value) -> Vec<SentQuestion> {
    let [of_call, of_question, _] = FIELDS;
    let unknown = unknown_field(input, of_call);
    let of_form = |question: &Value| {
        let sent = sent_question(question, of_question);
        SentQuestion {
            context: context(input, question),
            unknown_field: unknown.clone().or(sent.unknown_field),
            ..sent
        }
    };
    let list = |questions: &[Value]| match questions.len() {
        0..=MOST_QUESTIONS => questions.iter().map(of_form).collect(),
        _ => Vec::new(),
    };
    match input.get("questions") {
        Some(Value::Array(questions)) => list(questions),
        // Some models send the list as a JSON text.
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Array(questions)) => list(&questions),
            _ => Vec::new(),
        },
        _ if input.get("question").is_some_and(Value::is_string) => {
            vec![sent_question(input, of_call)]
        }
        _ => Vec::new(),
    }
}

/// True when the model itself put answers into the input of a question tool: they are not the person's.
pub fn has_answers(input: &Value) -> bool {
    input.get("answers").is_some()
}

/// The text that a form of Claude Code shows in addition to the text of `question`.
fn context(form: &Value, question: &Value) -> String {
    let texts = [form.get("title"), question.get("description")];
    let texts = texts.into_iter().flatten().filter_map(Value::as_str);
    let texts: Vec<&str> = texts
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n\n")
}

/// Masks the secrets in `text`; false if it has none.
pub(crate) fn mask(text: &mut String) -> bool {
    match masked(text) {
        Cow::Borrowed(_) => false,
        Cow::Owned(masked) => {
            *text = masked;
            true
        }
    }
}

/// Reads `question`, with `fields` as its known fields.
fn sent_question(question: &Value, fields: &[&str]) -> SentQuestion {
    let string = |name: &str| {
        question
            .get(name)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let label = |option: &Value| {
        option
            .as_str()
            .or_else(|| option.get("label")?.as_str())
            .map(str::to_owned)
    };
    let options = question.get("options").and_then(Value::as_array);
    let options = || options.into_iter().flatten();
    let of_each = |name: &str| {
        let text = |option: &Value| option.get(name).and_then(Value::as_str).map(str::to_owned);
        let labelled = options().filter(|option| label(option).is_some());
        let texts: Vec<String> = labelled
            .map(|option| text(option).unwrap_or_default())
            .collect();
        if texts.iter().all(String::is_empty) {
            Vec::new()
        } else {
            texts
        }
    };
    let [.., of_option] = FIELDS;
    let unknown = unknown_field(question, fields);
    SentQuestion {
        unknown_field: unknown
            .or_else(|| options().find_map(|option| unknown_field(option, of_option))),
        text: string("question").unwrap_or_default(),
        context: String::new(),
        header: string("header"),
        options: options().filter_map(label).collect(),
        descriptions: of_each("description"),
        previews: of_each("preview"),
        multi_select: question.get("multiSelect").and_then(Value::as_bool),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools() {
        assert_eq!(
            QuestionTool::from_name("AskUserQuestion"),
            Some(QuestionTool::Native)
        );
        assert_eq!(
            QuestionTool::from_name("mcp__conductor__AskUserQuestion"),
            Some(QuestionTool::Mcp)
        );
        for name in [
            "",
            "Bash",
            "mcp____AskUserQuestion",
            "mcp__AskUserQuestion",
            "AskUserQuestion2",
        ] {
            assert_eq!(QuestionTool::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn question_list_as_json_text() {
        let input = serde_json::json!({"questions": "[{\"question\":\"Q?\",\"options\":[\"A\"]}]"});
        assert_eq!(sent_questions(&input)[0].options, ["A"]);
        assert!(sent_questions(&serde_json::json!({"questions": "[{"})).is_empty());
    }

    #[test]
    fn fields_that_nobody_is_shown_are_named() {
        let option = |more: Value| {
            let mut option = serde_json::json!({"label": "A"});
            option
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            option
        };
        let (plain, odd) = (
            option(serde_json::json!({})),
            option(serde_json::json!({"run": "x"})),
        );
        for (input, unknown) in [
            (
                serde_json::json!({"questions": [{"question": "Q?", "options": [plain]}]}),
                None,
            ),
            (
                serde_json::json!({"questions": [{"question": "Q?", "options": [odd]}]}),
                Some("run"),
            ),
            (
                serde_json::json!({"questions": [{"question": "Q?", "note": ""}]}),
                Some("note"),
            ),
            (
                serde_json::json!({"questions": [{"question": "Q?"}], "then": 1}),
                Some("then"),
            ),
            (
                serde_json::json!({"question": "Q?", "options": ["A"]}),
                None,
            ),
            (
                serde_json::json!({"question": "Q?", "options": [odd]}),
                Some("run"),
            ),
            (
                serde_json::json!({"question": "Q?", "then": 1}),
                Some("then"),
            ),
        ] {
            let sent = sent_questions(&input).remove(0);
            assert_eq!(sent.unknown_field.as_deref(), unknown, "{input}");
        }
    }

    #[test]
    fn too_many_questions_are_ignored() {
        let sent = |count: usize| {
            let list = vec![serde_json::json!({}); count];
            let text = Value::from(list.clone()).to_string();
            [list.into(), Value::from(text)]
                .map(|questions| sent_questions(&serde_json::json!({"questions": questions})).len())
        };
        assert_eq!(sent(MOST_QUESTIONS), [MOST_QUESTIONS; 2]);
        assert_eq!(sent(MOST_QUESTIONS + 1), [0, 0]);
    }
}
