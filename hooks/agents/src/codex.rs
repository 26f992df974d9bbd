//! Codex.

use std::path::Path;

use chrono::{DateTime, TimeDelta};
use plantune_domain::answer::Answer;
use plantune_domain::clock;
use plantune_domain::event::{Grant, RefusalReason};
use plantune_domain::json::lenient_json;
use plantune_domain::results::{DismissReason, Outcome};
use plantune_domain::wire::{QuestionTool, SentQuestion, sent_questions};
use serde_json::{Value, json};

use crate::call::{answered, in_specific, within};
use crate::installed::{
    AT_ONCE, ConfigFolder, Facts, Guard, HistoryFile, HistoryFormat, Installed, Registration,
    ToolEnding, text,
};
use crate::{Agent, AgentProfile, HookReply, Moment, SentCall};

/// The tool that waits for the answer.
const TOOL: &str = "request_user_input";

/// The tool that does not wait: the person answers its questions in their next prompt.
const TOOL_WITHOUT_WAITING: &str = "request_user_input_async";

/// The option that the dialog adds for an answer in the person's own words.
const NONE: &str = "None of the above";

/// The prefix of such an answer, and of a note.
const NOTE: &str = "user_note: ";

/// Codex.
#[derive(Debug)]
pub(crate) struct Codex;

/// The kind of the question tool `name`.
fn question_tool(name: &str) -> Option<QuestionTool> {
    match name {
        TOOL => Some(QuestionTool::Dialog),
        TOOL_WITHOUT_WAITING => Some(QuestionTool::Aside),
        _ => None,
    }
}

impl Agent for Codex {
    fn profile(&self) -> &'static AgentProfile {
        &AgentProfile {
            name: "codex",
            title: "Codex",
            tools: &[TOOL, TOOL_WITHOUT_WAITING],
            // If a hook changes the question, Codex shows the change but returns only the id of the answer.
            tells_person_afterwards: true,
            has_call_ids: true,
            // The last two are set when a command runs in its sandbox.
            session_variables: &[
                "CODEX_THREAD_ID",
                "CODEX_SESSION_ID",
                "CODEX_TOOL_CALL_ID",
                "CODEX_CI",
                "CODEX_SANDBOX",
                "CODEX_SANDBOX_NETWORK_DISABLED",
            ],
            program: "codex",
            package: "@openai/codex",
        }
    }

    fn decode<'a>(&self, input: &'a str) -> Result<SentCall<'a>, String> {
        let mut call = SentCall::parse(input)?;
        call.moment = match (call.event_name(), question_tool(call.tool_name())) {
            // Codex's mode may refuse the question afterwards; this call does not show whether it will.
            ("PreToolUse", Some(tool)) => Moment::Asking(tool),
            ("PostToolUse", Some(_)) => Moment::Answered,
            ("PermissionRequest", None) => Moment::PromptAsked,
            ("SessionStart", _) => Moment::SessionStarted,
            ("SessionEnd", _) => Moment::SessionEnded,
            _ => Moment::Other,
        };
        Ok(call)
    }

    fn encode(&self, call: &SentCall<'_>, reply: &HookReply<'_>) -> Option<String> {
        // It shows an error for unknown fields.
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
            return Some(vec![
                Outcome::dismissed(DismissReason::AfkTimeout);
                questions.len()
            ]);
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

/// The answer from the `chosen` options and notes. When questions share an id, the last one's answer comes back for all
/// of them, so text that is not one of the question's own options is ignored.
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

// Codex's hooks and its rollouts.

const QUESTIONS: Option<&str> = Some("^request_user_input(_async)?$");

/// The tool that runs commands.
const SHELL: &str = "exec_command";

/// The text in the result of a call that the person interrupted.
const ABORTED: &str = "aborted by user";

/// The field of a turn that says who decides about prompts.
const REVIEWER: &str = "approvals_reviewer";

/// The text that the model gets when the person allowed all commands with this beginning.
const SAVED: &str = "Approved command prefix saved";

/// The shortest time in which a person can decide, in milliseconds.
const QUICKEST: i64 = 300;

static FACTS: Facts = Facts {
    dialog: TOOL,
    folder: ConfigFolder {
        variable: Some(("CODEX_HOME", "")),
        in_home: ".codex",
    },
    registration: Registration {
        file: "hooks.json",
        events: &[
            ("PreToolUse", QUESTIONS),
            ("PostToolUse", QUESTIONS),
            ("PermissionRequest", None),
            ("SessionStart", None),
            ("SessionEnd", None),
        ],
        timeout: 5,
        word: Some("codex"),
        has_name: false,
        refuses_on_failure: false,
    },
    to_be_done: Some(
        "Codex calls new hooks once you trust them: it asks when you start it next, or type /hooks there",
    ),
    plugin: None,
    guard: Guard::Own("rules/plantune.rules", rules),
    history: HistoryFormat {
        source: "import:codex",
        place: None,
        folders: &["sessions", "archived_sessions"],
        database: None,
        documents: None,
        words: &["request_user_input", "session_meta", "task_started"],
        words_of_results: &["function_call_output"],
        words_of_decisions: &[SHELL, REVIEWER, "CommandExecution", ABORTED, SAVED],
        refusals: [ABORTED, " requires ", " is unavailable in "],
    },
};

/// The rules by which it refuses commands. They match a command's first words, so they miss a program called by its
/// path or by another program. plantune itself refuses those.
fn rules(_commands: &[String]) -> String {
    const RULES: [&str; 6] = [
        r#"["plantune", "prefs", ["set", "clear"]]"#,
        r#"["plantune", "suggest", "--apply"]"#,
        r#"["plantune", "fleet", "adopt"]"#,
        r#"["plantune-fleet", "adopt"]"#,
        r#"["plantune", ["undo", "away", "import", "install", "uninstall"]]"#,
        r#"["plantune-hook"]"#,
    ];
    let rule = |pattern: &&str| format!("prefix_rule(pattern={pattern}, decision=\"forbidden\")\n");
    let rules: String = RULES.iter().map(rule).collect();
    format!(
        "# plantune's: what an agent may not do in your name. `plantune uninstall` takes it away.\n{rules}"
    )
}

impl Installed for Codex {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn is_trusted(&self, folder: &Path, settings: &Path) -> Option<bool> {
        // Its state identifies a hook by file, event and position: `[hooks.state."FILE:pre_tool_use:0:0"]`. If another
        // hook has taken that position, the hash would differ, but how the hash is computed is not known.
        let config = std::fs::read_to_string(folder.join("config.toml")).unwrap_or_default();
        let hook = format!("\"{}:pre_tool_use:", settings.display());
        let is_state =
            |line: &str| line.trim_start().starts_with("[hooks.state.") && line.contains(&hook);
        Some(config.lines().any(is_state))
    }

    fn read(&self, line: &Value, file: &mut HistoryFile) {
        let (at, payload) = (text(line, "timestamp"), within(line, "/payload"));
        match (text(line, "type"), text(payload, "type")) {
            // A fork's file begins with its own metadata, followed by everything in its parent's file.
            ("session_meta", _) => {
                let id = text(payload, "id");
                if !file.is_session_known || file.place.session == id {
                    file.place.session = id.to_owned();
                    file.place.cwd = text(payload, "cwd").to_owned();
                    file.is_session_known = true;
                }
            }
            // Hooks always get the mode `default`.
            ("event_msg", "task_started") => {
                let mode = within(payload, "/collaboration_mode_kind").as_str();
                file.place.mode = mode.map(str::to_owned);
            }
            ("response_item", "function_call") => {
                let name = text(payload, "name");
                if let (Some(tool), Ok(input)) = (
                    question_tool(name),
                    lenient_json(text(payload, "arguments")),
                ) {
                    file.add(self, (tool, name), text(payload, "call_id"), at, input);
                } else if name == SHELL {
                    let sent: Value = lenient_json(text(payload, "arguments")).unwrap_or_default();
                    let input = json!({ "command": text(&sent, "cmd") });
                    file.add_tool("Bash", text(payload, "call_id"), at, input, None);
                }
            }
            ("response_item", "function_call_output") => {
                let (id, output) = (text(payload, "call_id"), text(payload, "output"));
                if output.contains(ABORTED) {
                    let ending = ToolEnding {
                        at: at.to_owned(),
                        // The person may have refused the call, or stopped it while it ran.
                        decision: (!file.is_reviewed).then_some(Err(RefusalReason::Unclear)),
                        ran_seconds: None,
                    };
                    file.end_tool(id, ending);
                }
                file.end(self, id, at, output);
            }
            ("turn_context", _) => {
                let reviewer = payload.get(REVIEWER).and_then(Value::as_str);
                file.is_reviewed = reviewer.is_some_and(|name| name != "user");
            }
            ("event_msg", "item_completed") => ran(payload, file),
            ("response_item", "message") if text(payload, "role") == "developer" => {
                let saved = payload.to_string().contains(SAVED);
                let last = file.tools.last_mut().and_then(|call| call.ending.as_mut());
                if let Some(ending) = last.filter(|_| saved) {
                    ending.decision = ending
                        .decision
                        .map(|decision| decision.and(Ok(Grant::Always)));
                }
            }
            _ => {}
        }
    }
}

/// Adds a command that ran: the `item` of a line's `payload`. Commands started by code are included. A command that
/// began at once was allowed by a hook, or nobody was asked.
fn ran(payload: &Value, file: &mut HistoryFile) {
    let item = within(payload, "/item");
    let number = |value: &Value, at: &str| within(value, at).as_i64().unwrap_or_default();
    let (from, to) = (
        number(payload, "/started_at_ms"),
        number(payload, "/completed_at_ms"),
    );
    let ran = number(item, "/duration/secs").saturating_mul(1000);
    let ran = ran.saturating_add(number(item, "/duration/nanos") / 1_000_000);
    let waited = to.saturating_sub(from).saturating_sub(ran);
    let command = within(item, "/command/2").as_str();
    let (Some(command), "CommandExecution") = (command, text(item, "type")) else {
        return;
    };
    let at = |ms| DateTime::from_timestamp_millis(ms).map_or_else(String::new, clock::timestamp);
    let id = text(item, "id");
    let known = file
        .tools
        .iter()
        .rev()
        .take(AT_ONCE)
        .find(|call| call.id == id);
    let called = known.map_or_else(|| at(from), |call| call.at.clone());
    let ending = ToolEnding {
        at: at(to),
        decision: (waited >= QUICKEST && !file.is_reviewed).then_some(Ok(Grant::Once)),
        ran_seconds: TimeDelta::try_milliseconds(ran).map(TimeDelta::as_seconds_f64),
    };
    file.add_tool(
        "Bash",
        id,
        &called,
        json!({ "command": command }),
        Some(ending),
    );
}
