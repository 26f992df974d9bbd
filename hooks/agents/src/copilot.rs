//! Copilot CLI.

use std::path::{Component, Path};

use plantune_domain::answer::{Answer, read_answer};
use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::results::{DismissReason, Outcome};
use plantune_domain::wire::{QuestionTool, SentQuestion, unknown_field};
use serde_json::{Value, json};

// A hook registered under Claude Code's name of an event gets Claude Code's fields and its name for the tool.
use crate::call::{answered, for_both, json_text, object, within};
use crate::claude_code::{self, ASKING};
use crate::installed::{
    ConfigFolder, Facts, Guard, HistoryFile, HistoryFormat, Installed, Registration, ToolEnding,
    text,
};
use crate::{Agent, AgentProfile, HookReply, Moment, QuestionDecision, SentCall};

/// The tool that asks, as events name it: Gemini CLI's has the same name, and a preference holds for the tool that it
/// was learned in.
const TOOL: &str = "copilot:ask_user";

/// Its name in Copilot CLI.
const ASKS: &str = "ask_user";

/// The text before the answers, today and in a session with questions of the old form.
const ANSWERS: [&str; 2] = ["User responded: ", "User selected: "];

/// The text between an answer and what hooks add.
const ADDED: &str = "\n\nTool \"ask_user\" succeeded.";

/// The texts of results without an answer.
const WITHOUT: [(&str, DismissReason); 3] = [
    ("User cancelled the request", DismissReason::Rejected),
    // Until summer 2026.
    ("User skipped question", DismissReason::Rejected),
    // The person declined to answer, or autopilot asked nobody.
    (NOBODY, DismissReason::NoAnswer),
];

/// How the sentence begins that autopilot gives the model: as the result, or as the person's typed answer.
const NOBODY: &str = "The user is not available";

/// The values of a yes-or-no field, and how the dialog words them.
const YES_NO: [(&str, &str); 2] = [("true", "Yes"), ("false", "No")];

/// The most fields of a form that is read, as of a list of questions.
const MOST_FIELDS: usize = 64;

/// Copilot CLI.
#[derive(Debug)]
pub(crate) struct Copilot;

impl Agent for Copilot {
    fn profile(&self) -> &'static AgentProfile {
        &AgentProfile {
            name: "copilot",
            title: "Copilot CLI",
            tools: &[TOOL],
            tells_person_afterwards: false,
            has_call_ids: false,
            session_variables: &["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
            program: "copilot",
            package: "@github/copilot",
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String> {
        let mut call = SentCall::parse(input)?;
        let is_question = matches!(call.tool_name(), ASKS | claude_code::TOOL);
        call.moment = match call.event_name() {
            ASKING if is_question => Moment::Asking(QuestionTool::Dialog),
            "PostToolUse" if is_question => Moment::Answered,
            "Notification" => prompt(&mut call),
            "SessionStart" => Moment::SessionStarted,
            "SessionEnd" => Moment::SessionEnded,
            _ => Moment::Other,
        };
        if is_question {
            call.set_text("tool_name", TOOL.to_owned());
            call.copy("tool_response", "tool_result");
        }
        Ok(call)
    }

    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String> {
        let members = match (call.moment, &reply.decision) {
            (Moment::Asking(_), Some(QuestionDecision::Deny(reason))) => [
                ("permissionDecision", Some(json_text("deny"))),
                (
                    "permissionDecisionReason",
                    Some(json_text(&for_both(reason, reply))),
                ),
            ],
            // The model reads `additionalContext` only at the top level, not inside an object as in Claude Code.
            (Moment::Answered, None) => [("additionalContext", reply.context()), ("", None)],
            _ => return None,
        };
        object(&members)
    }

    fn questions(&self, input: &Value) -> Vec<SentQuestion> {
        let Some(fields) = fields(input) else {
            return of_old_form(input).into_iter().collect();
        };
        let form = within(input, "/requestedSchema");
        let unknown = unknown_field(input, &["message", "requestedSchema"])
            .or_else(|| unknown_field(form, &["type", "properties", "required"]));
        let message = text(input, "message");
        let is_only = fields.len() == 1;
        let question = |field: &FormField<'_>| {
            let own = match text(field.schema, "description") {
                "" if is_only && !message.is_empty() => message,
                "" => field.title(),
                description => description,
            };
            let context = if own == message { "" } else { message };
            let labels = field.choices.iter().map(|choice| choice.1.to_owned());
            SentQuestion {
                text: own.to_owned(),
                context: context.to_owned(),
                header: Some(field.title().to_owned()),
                options: labels.collect(),
                multi_select: Some(text(field.schema, "type") == "array"),
                unknown_field: unknown.clone().or_else(|| field.unknown()),
                ..SentQuestion::default()
            }
        };
        fields.iter().map(question).collect()
    }

    fn outcomes(
        &self,
        input: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>> {
        let text = within(result, "/text_result_for_llm").as_str();
        let text = text.or(result.as_str())?;
        let mut without = WITHOUT.iter();
        if let Some((_, why)) = without.find(|(start, _)| text.starts_with(start)) {
            return Some(vec![Outcome::dismissed(*why); questions.len()]);
        }
        let given = ANSWERS.iter().find_map(|start| text.strip_prefix(start))?;
        let given = given.split(ADDED).next().unwrap_or(given);
        if given.starts_with(NOBODY) {
            return Some(vec![
                Outcome::dismissed(DismissReason::NoAnswer);
                questions.len()
            ]);
        }
        let fields = fields(input).unwrap_or_default();
        let Some(texts) = by_field(&fields, questions, given) else {
            return Some(Vec::new());
        };
        Some(answered(questions, &|index, question| {
            let text = texts.get(index)?.as_deref()?;
            (!text.starts_with(NOBODY)).then(|| read(question, fields.get(index), text))
        }))
    }
}

// A form's fields are its questions.

/// A field of a form.
struct FormField<'v> {
    name: &'v str,
    schema: &'v Value,
    /// The values to choose from, and how the dialog words them.
    choices: Vec<(&'v str, &'v str)>,
}

/// The fields of the form in `input`; `None` without one.
fn fields(input: &Value) -> Option<Vec<FormField<'_>>> {
    let properties = within(input, "/requestedSchema/properties").as_object()?;
    let properties = properties.iter().map(|(name, schema)| FormField {
        name,
        schema,
        choices: choices(schema),
    });
    let is_read = properties.len() <= MOST_FIELDS;
    Some(properties.filter(|_| is_read).collect())
}

impl FormField<'_> {
    /// What the dialog shows as its name.
    fn title(&self) -> &str {
        match text(self.schema, "title") {
            "" => self.name,
            title => title,
        }
    }

    /// The first part of it that is not known.
    fn unknown(&self) -> Option<String> {
        let known = [
            "type",
            "title",
            "description",
            "enum",
            "enumNames",
            "oneOf",
            "items",
            "default",
        ];
        let items = within(self.schema, "/items");
        unknown_field(self.schema, &known)
            .or_else(|| unknown_field(items, &["type", "enum", "anyOf"]))
    }
}

/// The values that the field with this `schema` offers, and how the dialog words them.
fn choices(schema: &Value) -> Vec<(&str, &str)> {
    if text(schema, "type") == "boolean" {
        return YES_NO.to_vec();
    }
    let lists = ["/enum", "/oneOf", "/items/enum", "/items/anyOf"];
    let list = lists.iter().find_map(|at| schema.pointer(at)?.as_array());
    let choice = |(index, value)| {
        let name = within(schema, "/enumNames").get(index);
        let titled = (within(value, "/const").as_str(), value.get("title"));
        let (value, title) = value.as_str().map_or(titled, |value| (Some(value), name));
        Some((value?, title.and_then(Value::as_str).or(value)?))
    };
    let list = list.into_iter().flatten().enumerate();
    list.filter_map(choice).collect()
}

/// The question in an `input` of the old form, of sessions that show no forms; `None` without one.
fn of_old_form(input: &Value) -> Option<SentQuestion> {
    let choices = within(input, "/choices").as_array().into_iter().flatten();
    let choices = choices.filter_map(Value::as_str);
    Some(SentQuestion {
        text: input.get("question")?.as_str()?.to_owned(),
        options: choices.map(str::to_owned).collect(),
        unknown_field: unknown_field(input, &["question", "choices", "allow_freeform"]),
        ..SentQuestion::default()
    })
}

/// The text given for each of `fields`, whose names stand before the texts unless only one was filled in. `None` when
/// it is not clear which text belongs to which field; the history has that.
fn by_field(
    fields: &[FormField<'_>],
    questions: &[SentQuestion],
    given: &str,
) -> Option<Vec<Option<String>>> {
    if questions.len() < 2 {
        return Some(vec![Some(given.to_owned())]);
    }
    let mut starts = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let mark = format!("{}=", field.name);
        let is_start = |at: &usize| {
            let before = given.get(..*at);
            before.is_some_and(|before| before.is_empty() || before.ends_with(", "))
        };
        let mut places = given
            .match_indices(&mark)
            .map(|(at, _)| at)
            .filter(is_start);
        if let Some(at) = places.next() {
            starts.push((at, at.saturating_add(mark.len()), index));
        }
        if places.next().is_some() {
            return None;
        }
    }
    starts.sort_unstable();
    let mut texts = vec![None; fields.len()];
    if starts.is_empty() {
        let offers = |field: &&FormField<'_>| field.choices.iter().any(|choice| choice.0 == given);
        let mut offering = (0..).zip(fields).filter(|(_, field)| offers(field));
        let (index, _) = offering.next().filter(|_| offering.next().is_none())?;
        *texts.get_mut(index)? = Some(given.to_owned());
        return Some(texts);
    }
    let ends = starts
        .iter()
        .skip(1)
        .map(|(at, ..)| at.saturating_sub(", ".len()));
    for ((_, from, index), to) in starts.iter().zip(ends.chain([given.len()])) {
        *texts.get_mut(*index)? = Some(given.get(*from..to)?.to_owned());
    }
    Some(texts)
}

/// The answer to `question`, asked by `field`, that was given as `text`: values, not what the dialog shows for them.
fn read(question: &SentQuestion, field: Option<&FormField<'_>>, text: &str) -> Answer {
    let Some(field) = field else {
        return read_answer(question, text);
    };
    let values = field.choices.iter().map(|choice| choice.0.to_owned());
    let of_values = SentQuestion {
        options: values.collect(),
        ..question.clone()
    };
    let mut answer = read_answer(&of_values, text);
    for label in &mut answer.labels {
        if let Some((_, shown)) = field.choices.iter().find(|choice| choice.0 == *label) {
            *label = (*shown).to_owned();
        }
    }
    answer
}

// Permission prompts.

/// What prompts are about: how their message starts, the tool as events name it, and the field of its input.
const ABOUT: [(&str, &str, &str); 2] = [
    ("Run command: ", "Bash", "command"),
    ("Edit file: ", "Edit", "file_path"),
];

/// A permission prompt about a command or a file. The hook for permissions is also called when a rule allows a call;
/// this message comes only when the person is asked.
fn prompt(call: &mut SentCall<'_>) -> Moment {
    let session = call.text("sessionId").unwrap_or_default().to_owned();
    let message = call.text("message").unwrap_or_default();
    let about = ABOUT.iter().find_map(|(start, tool, field)| {
        let input = json!({ *field: message.strip_prefix(start)? });
        Some((*tool, input))
    });
    let (Some("permission_prompt"), Some((tool, input))) = (call.text("notification_type"), about)
    else {
        return Moment::Other;
    };
    if let Some(file) = history_of(&session).filter(|_| call.text("transcript_path").is_none()) {
        call.set_text("transcript_path", file);
    }
    call.set_text("session_id", session);
    call.set_text("tool_name", tool.to_owned());
    call.set_json("tool_input", &input);
    Moment::PromptAsked
}

/// The file in which the history of `session` is written, which the message does not name.
fn history_of(session: &str) -> Option<String> {
    let mut parts = Path::new(session).components();
    let (Some(Component::Normal(_)), None) = (parts.next(), parts.next()) else {
        return None;
    };
    let folder = FACTS.folder.find(&|name| std::env::var_os(name))?;
    let file = folder.join(SESSIONS).join(session).join("events.jsonl");
    Some(file.to_str()?.to_owned())
}

// Copilot CLI's settings and the events of its sessions.

const QUESTIONS: Option<&str> = Some(ASKS);

/// The folder of its sessions.
const SESSIONS: &str = "session-state";

static FACTS: Facts = Facts {
    dialog: TOOL,
    folder: ConfigFolder {
        variable: Some(("COPILOT_HOME", "")),
        in_home: ".copilot",
    },
    registration: Registration {
        file: "hooks/plantune.json",
        events: &[
            (ASKING, QUESTIONS),
            ("PostToolUse", QUESTIONS),
            ("Notification", Some("permission_prompt")),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
        timeout: 5,
        word: Some("copilot"),
        has_name: false,
        refuses_on_failure: true,
    },
    to_be_done: None,
    plugin: None,
    guard: Guard::Nowhere,
    history: HistoryFormat {
        source: "import:copilot",
        place: None,
        folders: &[SESSIONS],
        database: None,
        documents: None,
        words: &["\"session.start\"", "\"ask_user\""],
        words_of_results: &["\"tool.execution_complete\""],
        words_of_decisions: &["\"permission.requested\"", "\"permission.completed\""],
        refusals: [
            "User cancelled",
            "This session uses the ",
            "Denied by preToolUse hook",
        ],
    },
};

/// Why a prompt was cancelled when the person ended the turn.
const ABORTED: &str = "Session aborted";

impl Installed for Copilot {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        let (at, data) = (text(line, "timestamp"), within(line, "/data"));
        let id = text(data, "toolCallId");
        match text(line, "type") {
            "session.start" => {
                file.place.session = text(data, "sessionId").to_owned();
                file.place.cwd = text(within(data, "/context"), "cwd").to_owned();
            }
            "tool.execution_start" if text(data, "toolName") == ASKS => {
                let input = within(data, "/arguments").clone();
                file.add(self, (QuestionTool::Dialog, TOOL), id, at, input);
            }
            "human_response.recorded" => {
                let given = within(data, "/response/content");
                file.end_with(id, at, &given.to_string(), |call| {
                    by_value(&call.input, &call.questions, given)
                });
            }
            "tool.execution_complete" => {
                let result =
                    ["/result/content", "/error/message"].map(|part| within(data, part).as_str());
                if let Some(result) = result.into_iter().flatten().next() {
                    file.end(self, id, at, result);
                }
            }
            "permission.requested" => {
                let request = within(data, "/permissionRequest");
                let id = text(request, "toolCallId");
                match text(request, "kind") {
                    "shell" => {
                        let input = json!({ "command": text(request, "fullCommandText") });
                        file.add_tool("Bash", id, at, input, None);
                    }
                    "write" => {
                        let input = json!({ "file_path": text(request, "fileName") });
                        file.add_tool("Edit", id, at, input, None);
                    }
                    _ => {}
                }
            }
            "permission.completed" => decided(data, at, file),
            _ => {}
        }
    }
}

/// Adds what the person decided at the time `at`, as `data` says.
fn decided(data: &Value, at: &str, file: &mut HistoryFile) {
    let is_persons = matches!(text(data, "decisionSource"), "" | "human_response");
    let decision = match text(within(data, "/result"), "kind") {
        _ if !is_persons => return,
        "approved" => Ok(Grant::Once),
        "approved-for-session" | "approved-read-only-for-session" => Ok(Grant::Session),
        "approved-for-location" => Ok(Grant::Always),
        "denied-interactively-by-user" => Err(RefusalReason::Rejected),
        // They ended the turn instead.
        "cancelled" if text(within(data, "/result"), "reason") == ABORTED => {
            Err(RefusalReason::Rejected)
        }
        _ => return,
    };
    let ending = ToolEnding {
        at: at.to_owned(),
        decision: Some(decision),
        ran_seconds: Some(0.0),
    };
    file.end_tool(text(data, "toolCallId"), ending);
}

/// The outcome of each of `questions`, those of `input`, from what was `given` by field.
fn by_value(input: &Value, questions: &[SentQuestion], given: &Value) -> Vec<Outcome> {
    let fields = fields(input).unwrap_or_default();
    answered(questions, &|index, _| {
        let field = fields.get(index)?;
        let values = match given.get(field.name)? {
            Value::Array(values) => values,
            Value::Null => return None,
            value => std::slice::from_ref(value),
        };
        let mut answer = Answer::default();
        for value in values {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            match field.choices.iter().find(|choice| choice.0 == text) {
                Some((_, shown)) => answer.labels.push((*shown).to_owned()),
                None if text.starts_with(NOBODY) => return None,
                None => answer.free_text = Some(text),
            }
        }
        Some(answer)
    })
}
