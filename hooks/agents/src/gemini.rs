//! Gemini CLI.

use std::path::Path;

use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::hash;
use plantune_domain::results::Outcome;
use plantune_domain::wire::{QuestionTool, SentQuestion, sent_questions};
use serde_json::Value;

use crate::call::{answered, from_text, in_specific, json_text, object, within};
use crate::installed::{
    ConfigFolder, Documents, Facts, Guard, HistoryFile, HistoryFormat, Installed, Registration,
    ToolEnding, text,
};
use crate::{Agent, AgentProfile, HookReply, Moment, QuestionDecision, SentCall};

/// The tool that asks.
const TOOL: &str = "ask_user";

/// The tool that runs commands.
const SHELL: &str = "run_shell_command";

/// The options of a question of the type `yesno`.
const YES_NO: [&str; 2] = ["Yes", "No"];

/// Gemini CLI.
#[derive(Debug)]
pub(crate) struct Gemini;

impl Agent for Gemini {
    fn profile(&self) -> &'static AgentProfile {
        &AgentProfile {
            name: "gemini",
            title: "Gemini CLI",
            tools: &[TOOL],
            // The model learns of the change.
            tells_person_afterwards: false,
            has_call_ids: false,
            // Its editor extension sets other variables with the same prefix in the person's own terminals.
            session_variables: &["GEMINI_CLI"],
            program: "gemini",
            package: "@google/gemini-cli",
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String> {
        let mut call = SentCall::parse(input)?;
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

    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String> {
        match (call.moment, &reply.decision) {
            (Moment::Asking(_), Some(QuestionDecision::Deny(reason))) => object(&[
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
        // Text added by hooks and the client follows on later lines.
        let text = text?.lines().next()?;
        let inner: Value = serde_json::from_str(text).ok()?;
        let answers = inner.get("answers")?;
        Some(answered(questions, &|index, question| {
            from_text(question, answers.get(index.to_string())?.as_str()?)
        }))
    }
}

/// A permission prompt. A question to the person is not one.
fn prompt(call: &mut SentCall<'_>) -> Moment {
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

// Gemini CLI's settings and chats.

static FACTS: Facts = Facts {
    dialog: TOOL,
    folder: ConfigFolder {
        variable: None,
        in_home: ".gemini",
    },
    registration: Registration {
        file: "settings.json",
        events: &[
            ("BeforeTool", Some(TOOL)),
            ("AfterTool", Some(TOOL)),
            ("Notification", None),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
        timeout: 5000,
        word: Some("gemini"),
        has_name: true,
        refuses_on_failure: false,
    },
    to_be_done: None,
    plugin: None,
    guard: Guard::Own("policies/plantune-guard.toml", policies),
    history: HistoryFormat {
        source: "import:gemini",
        place: None,
        folders: &["tmp"],
        database: None,
        // Until spring 2026.
        documents: Some(Documents {
            is_named: is_chat,
            list: Some("messages"),
        }),
        words: &["projectHash", "\"ask_user\""],
        words_of_results: &["\"ask_user\""],
        words_of_decisions: &["\"run_shell_command\""],
        refusals: ["User denied execution", "params/", "Tool execution blocked"],
    },
};

/// True for the path of a chat: `chats/session-….json`, and a sub-agent's `chats/PARENT/….json`.
fn is_chat(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("session-")) || parent_chat(path).is_some()
}

/// The session whose sub-agent's chat lies at `path`.
fn parent_chat(path: &Path) -> Option<&str> {
    let parent = path.parent()?;
    let chats = parent.parent()?.file_name()?;
    (chats == CHATS)
        .then(|| parent.file_name()?.to_str())
        .flatten()
}

/// The folder of a project's chats.
const CHATS: &str = "chats";

/// The file in which it records the project of a folder of chats.
const PROJECT: &str = ".project_root";

/// The rule by which it refuses `commands`, with priority over the person's rules. A pattern is searched for in a
/// call's arguments as JSON.
fn policies(commands: &[String]) -> String {
    let pattern = |command: &String| command.trim_matches('*').replace('*', ".*");
    let patterns: Vec<String> = commands.iter().map(pattern).collect();
    // A JSON string is also a TOML string.
    let pattern = Value::from(patterns.join("|"));
    format!(
        "# plantune's: what an agent may not do in your name. `plantune uninstall` takes it away.\n\
         [[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = {pattern}\ndecision = \"deny\"\npriority = 999\n"
    )
}

impl Installed for Gemini {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        if let Some(project) = within(line, "/projectHash").as_str() {
            file.place.session = text(line, "sessionId").to_owned();
            file.place.cwd = project_folder(&file.path, project).unwrap_or_default();
            let is_sub_agents = text(line, "kind") == "subagent";
            file.place.sub_agent = is_sub_agents.then(|| text(line, "sessionId").to_owned());
        }
        // A list of messages that replaces all earlier ones is not applied: it drops dismissed questions.
        for call in within(line, "/toolCalls").as_array().into_iter().flatten() {
            let id = text(call, "id");
            let (at, args) = (text(line, "timestamp"), within(call, "/args").clone());
            match text(call, "name") {
                _ if id.is_empty() => continue,
                TOOL => {}
                SHELL => {
                    file.add_tool("Bash", id, at, args, ending(call));
                    continue;
                }
                _ => continue,
            }
            file.add(self, (QuestionTool::Dialog, TOOL), id, at, args);
            let response = within(call, "/result/0/functionResponse/response");
            let result = ["output", "error"].map(|name| response.get(name).and_then(Value::as_str));
            if let Some(result) = result.into_iter().flatten().next() {
                file.end(self, id, text(call, "timestamp"), result);
            }
        }
    }
}

/// The outcome of a tool's `call`. The history does not record for how long it was allowed.
fn ending(call: &Value) -> Option<ToolEnding> {
    let decision = match text(call, "status") {
        "success" => Ok(Grant::Once),
        "cancelled" => Err(RefusalReason::Rejected),
        _ => return None,
    };
    Some(ToolEnding {
        at: text(call, "timestamp").to_owned(),
        decision: Some(decision),
        ran_seconds: decision.err().map(|_| 0.0),
    })
}

/// The folder whose hash is `project`, as recorded next to the folder of chats.
fn project_folder(chat: &Path, project: &str) -> Option<String> {
    let mut folders = chat.ancestors().skip(1);
    let chats = folders.find(|folder| folder.file_name().is_some_and(|name| name == CHATS))?;
    let folder = chats.parent()?;
    let root = std::fs::read_to_string(folder.join(PROJECT)).ok()?;
    let root = root.trim();
    (hash::sha256_hex(root) == project).then(|| root.to_owned())
}
