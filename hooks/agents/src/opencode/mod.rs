//! OpenCode. A plugin passes OpenCode's events to the hook, and the hook's replies back.

use std::path::{Component, Path};

use chrono::DateTime;
use plantune_domain::answer::Answer;
use plantune_domain::event::Grant;
use plantune_domain::results::{DismissReason, Outcome};
use plantune_domain::wire::{QuestionTool, SentQuestion, sent_questions};
use plantune_domain::{clock, hash};
use serde_json::Value;

use crate::call::{answered, json_text, object, within};
use crate::installed::{
    ConfigFolder, Database, Documents, Facts, Guard, HistoryFile, HistoryFormat, Installed,
    Registration, text,
};
use crate::{Agent, AgentProfile, HookReply, Moment, QuestionDecision, SentCall};

/// The tool that asks.
const TOOL: &str = "question";

/// Its name in a part's document.
const NAMED: &str = "\"question\"";

/// OpenCode.
#[derive(Debug)]
pub(crate) struct OpenCode;

impl Agent for OpenCode {
    fn profile(&self) -> &'static AgentProfile {
        &AgentProfile {
            name: "opencode",
            title: "OpenCode",
            tools: &[TOOL],
            // A changed question would change the model's own call.
            tells_person_afterwards: true,
            has_call_ids: true,
            // It also sets `AGENT`, but anybody may set that.
            session_variables: &["OPENCODE", "OPENCODE_PID"],
            program: "opencode",
            package: "opencode-ai",
        }
    }

    /// The events of the plugin (`plugin.js`).
    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String> {
        let mut call = SentCall::parse(input)?;
        call.moment = match call.event_name() {
            "question.asked" => Moment::Asking(QuestionTool::Native),
            "question.replied" | "question.rejected" => Moment::Answered,
            "question.unanswered" => Moment::NotTaken,
            "permission.asked" => Moment::PromptAsked,
            "permission.replied" => decided(&mut call),
            "session.created" => Moment::SessionStarted,
            _ => Moment::Other,
        };
        if matches!(call.moment, Moment::PromptAsked | Moment::PromptDecided) {
            if call.tool_name() == "bash" {
                call.set_text("tool_name", "Bash".to_owned());
            }
            let id = call.text("request_id").unwrap_or_default().to_owned();
            call.set_text("tool_use_id", id);
        } else if let (Some(message), Some(id)) = (call.text("message_id"), call.text("call_id")) {
            let id = call_id(message, id);
            call.set_text("tool_use_id", id);
        }
        Ok(call)
    }

    /// For the plugin: the answers by position, the text for the model after the result, and the text for the person.
    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String> {
        let labels = match &reply.decision {
            Some(QuestionDecision::Answer { answers, .. }) => {
                let labels: Vec<String> =
                    answers.iter().map(|(_, label)| json_text(label)).collect();
                Some(format!("[[{}]]", labels.join("],[")))
            }
            Some(QuestionDecision::Deny(_)) => return None,
            None => None,
        };
        let members = [
            ("answers", labels),
            ("context", reply.context()),
            ("message", reply.message()),
        ];
        object(&members).filter(|_| self.listens(call.moment))
    }

    fn questions(&self, input: &Value) -> Vec<SentQuestion> {
        let mut questions = sent_questions(input);
        let sent = input.get("questions").and_then(Value::as_array);
        for (question, sent) in questions.iter_mut().zip(sent.into_iter().flatten()) {
            question.multi_select = sent.get("multiple").and_then(Value::as_bool);
        }
        questions
    }

    fn outcomes(
        &self,
        _: &Value,
        questions: &[SentQuestion],
        result: &Value,
    ) -> Option<Vec<Outcome>> {
        if result.get("rejected").is_some() {
            return Some(vec![
                Outcome::dismissed(DismissReason::Rejected);
                questions.len()
            ]);
        }
        let answers = result.get("answers")?.as_array()?;
        Some(answered(questions, &|index, question| {
            let chosen = answers.get(index)?.as_array()?;
            Some(read(question, chosen.iter().filter_map(Value::as_str)))
        }))
    }
}

/// How the person decided about a permission prompt.
fn decided(call: &mut SentCall<'_>) -> Moment {
    let grant = match call.text("reply") {
        Some("once") => Grant::Once,
        // Until OpenCode is started again.
        Some("always") => Grant::Session,
        Some("reject") => return Moment::PromptDecided,
        _ => return Moment::Other,
    };
    call.set_text("grant", grant.as_str().to_owned());
    Moment::PromptDecided
}

/// The answer from the `chosen` texts. A text that is not an option was typed.
fn read<'c>(question: &SentQuestion, chosen: impl Iterator<Item = &'c str>) -> Answer {
    let mut answer = Answer::default();
    for text in chosen {
        match question.options.iter().any(|label| label == text) {
            true => answer.labels.push(text.to_owned()),
            false => answer.free_text = Some(text.to_owned()),
        }
    }
    answer
}

/// The id of the call `id` in the model's `message`. Model providers reuse call ids across sessions.
fn call_id(message: &str, id: &str) -> String {
    hash::hex(&["call", "opencode", message, id])
}

// OpenCode's plugin and its database.

static FACTS: Facts = Facts {
    dialog: TOOL,
    folder: ConfigFolder {
        variable: Some(("XDG_CONFIG_HOME", "opencode")),
        in_home: ".config/opencode",
    },
    // The file is a program: there is nothing to register in it.
    registration: Registration {
        file: "plugin/plantune.js",
        events: &[],
        timeout: 0,
        word: Some("opencode"),
        has_name: false,
        refuses_on_failure: false,
    },
    to_be_done: None,
    plugin: Some(include_str!("plugin.js")),
    guard: Guard::Commands("opencode.json"),
    history: HistoryFormat {
        source: "import:opencode",
        place: Some(ConfigFolder {
            variable: Some(("XDG_DATA_HOME", "opencode")),
            in_home: ".local/share/opencode",
        }),
        // Until version 1.2; some of it is still only there.
        folders: &["storage/part"],
        database: Some(Database {
            file: "opencode.db",
            query: include_str!("questions.sql"),
        }),
        documents: Some(Documents {
            is_named: |_| true,
            list: None,
        }),
        words: &[NAMED],
        words_of_results: &[NAMED],
        words_of_decisions: &[NAMED],
        refusals: [
            "The user dismissed this question",
            "invalid arguments",
            "rejected permission",
        ],
    },
};

impl Installed for OpenCode {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn read(&self, row: &Value, file: &mut HistoryFile) {
        // A document is the part itself; the database has it in a column.
        let data = row.get("data").unwrap_or(row);
        let state = within(data, "/state");
        if text(data, "type") != "tool" || text(data, "tool") != TOOL {
            return;
        }
        let [session, message] = match row.get("data") {
            Some(_) => {
                file.place.cwd = text(row, "directory").to_owned();
                [text(row, "session_id"), text(row, "message_id")]
            }
            None => {
                let [session, message] = [text(row, "sessionID"), text(row, "messageID")];
                file.place.cwd = folder_of(&file.path, session, message).unwrap_or_default();
                [session, message]
            }
        };
        file.place.session = session.to_owned();
        let id = call_id(message, text(data, "callID"));
        let (start, end) = (time(state, "start"), time(state, "end"));
        let input = within(state, "/input").clone();
        file.add(self, (QuestionTool::Native, TOOL), &id, &start, input);
        match text(state, "status") {
            // Text that hooks add is not part of the answer.
            "completed" => file.end_with(&id, &end, text(state, "output"), |call| {
                let outcomes =
                    self.outcomes(&call.input, &call.questions, within(state, "/metadata"));
                outcomes.unwrap_or_default()
            }),
            "error" => file.end(self, &id, &end, text(state, "error")),
            _ => {}
        }
    }
}

/// The folder in which the `message` of `session` was written, whose part lies at `path`, as the file of the message
/// says.
fn folder_of(path: &Path, session: &str, message: &str) -> Option<String> {
    // The ids are the file's words: they may be no paths.
    let is_plain = |id: &str| {
        let mut parts = Path::new(id).components();
        matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(_)), None)
        )
    };
    let storage = path.ancestors().nth(3)?;
    let file = storage
        .join("message")
        .join(session)
        .join(format!("{message}.json"));
    let is_one = is_plain(session) && is_plain(message) && file.is_file();
    let found: Value = serde_json::from_slice(&is_one.then(|| std::fs::read(file).ok())??).ok()?;
    Some(within(&found, "/path/cwd").as_str()?.to_owned())
}

/// The time `name` of `state`, there in milliseconds, in RFC 3339; empty when it is missing.
fn time(state: &Value, name: &str) -> String {
    let sent = within(state, "/time").get(name).and_then(Value::as_i64);
    let time = sent.and_then(DateTime::from_timestamp_millis);
    time.map_or_else(String::new, clock::timestamp)
}
