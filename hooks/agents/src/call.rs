//! One hook call: the fields that the agents have in common, by the names that most of them use. What an agent sends
//! in its own way, its decoder adds by these names.

use plantune_domain::event::Text;
use plantune_domain::wire::{Members, QuestionTool, lenient_json};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Moment;

/// One hook call. Everything is optional, and a field of the wrong type counts as absent: a
/// logging hook must live with whatever it is sent.
#[derive(Debug, Default)]
pub struct Call<'a> {
    /// What it is about.
    pub moment: Moment,
    /// Of two with one name the last counts.
    fields: Vec<Field<'a>>,
}

#[derive(Debug)]
struct Field<'a> {
    name: Text<'a>,
    value: &'a RawValue,
    /// The value where it is a string.
    text: Option<Text<'a>>,
}

impl<'a> Call<'a> {
    /// The call that `input`, a JSON object, is.
    ///
    /// # Errors
    /// Those of the parser, in words.
    pub fn parse(input: &'a str) -> Result<Self, String> {
        let members: Members<'a> =
            serde_json::from_str(input).map_err(|error| format!("input: {error}"))?;
        let field = |(name, value): (Text<'a>, &'a RawValue)| {
            let is_text = value.get().starts_with('"');
            let text = is_text.then(|| serde_json::from_str(value.get()).ok());
            Field {
                name,
                value,
                text: text.flatten(),
            }
        };
        Ok(Self {
            moment: Moment::default(),
            fields: members.0.into_iter().map(field).collect(),
        })
    }

    /// Gives the field `name` the text `value`.
    pub fn set_text(&mut self, name: &'static str, value: String) {
        self.fields.push(Field {
            name: name.into(),
            value: RawValue::NULL,
            text: Some(value.into()),
        });
    }

    /// Gives the field `name` what the field `from` holds.
    pub fn copy(&mut self, name: &'static str, from: &str) {
        if let Some(value) = self.field(from).map(|field| field.value) {
            self.fields.push(Field {
                name: name.into(),
                value,
                text: None,
            });
        }
    }

    fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().rfind(|field| &*field.name == name)
    }

    /// The text of the field `name`.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.text.as_deref()
    }

    /// The field `name` as sent; null counts as absent.
    pub fn raw(&self, name: &str) -> Option<&RawValue> {
        let raw = self.field(name)?.value;
        (raw.get() != "null").then_some(raw)
    }

    /// The field `name`; null where it is not there or not understood.
    pub fn json(&self, name: &str) -> Value {
        let raw = self.raw(name);
        raw.and_then(|raw| lenient_json(raw.get()).ok())
            .unwrap_or_default()
    }

    /// The kind of the question's tool, where a question is about to be asked.
    pub fn asking(&self) -> Option<QuestionTool> {
        match self.moment {
            Moment::Asking(tool) => Some(tool),
            _ => None,
        }
    }

    /// The event's name; a very old caller leaves it out and means `Stop`.
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

    /// The slash command that the prompt begins with, as typed: `/gsd:discuss-phase`. A path is none.
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

/// In bytes. No command has so long a name.
const LONGEST_COMMAND: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_prompts() {
        let command = |prompt: &str| {
            let sent = serde_json::json!({ "prompt": prompt }).to_string();
            let call = Call::parse(&sent).unwrap();
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
