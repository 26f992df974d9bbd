//! A model that says what its script says, by the interfaces of the five clients.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Days, SecondsFormat, Utc};
use plantune_domain::hash;
use regex::Regex;
use serde_json::{Value, json};

use super::client::Client;
use crate::agents::Captured;
use crate::claude_code::home::Home;
use crate::world::programs::{Answer, Http};

/// Requests with fewer tools are no part of the conversation: a title, or what a helper of the client's asks.
const FEWEST_TOOLS: usize = 3;

/// The last word of every script.
pub(super) const LAST: &str = "All is done.";

/// A call of a tool: its name and its input.
pub(super) type Call = (&'static str, Value);

/// The model's next step: a call, or its last word.
pub(super) type Step = Option<Call>;

/// The running model. It ends with the value.
pub(super) struct Model {
    http: Http,
    state: Arc<State>,
}

struct State {
    script: Mutex<VecDeque<Step>>,
    /// The contents of the conversation's requests.
    read: Mutex<Vec<String>>,
    calls: Mutex<u32>,
}

impl Model {
    pub(super) fn start(script: Vec<Step>) -> Self {
        let state = Arc::new(State {
            script: Mutex::new(script.into()),
            read: Mutex::default(),
            calls: Mutex::default(),
        });
        let theirs = Arc::clone(&state);
        let http = Http::start(move |path, request| theirs.answer(path, &request));
        Self { http, state }
    }

    pub(super) fn port(&self) -> u16 {
        self.http.port
    }

    /// How many calls were not asked for.
    pub(super) fn calls_left(&self) -> usize {
        self.state.script.lock().unwrap().len()
    }

    /// True when the model has read `words`.
    pub(super) fn has_read(&self, words: &str) -> bool {
        let read = self.state.read.lock().unwrap();
        read.iter().any(|request| request.contains(words))
    }
}

impl State {
    fn answer(&self, path: &str, request: &Value) -> Answer {
        if path.ends_with("/models") {
            let models = json!({"object": "list", "data": [{"id": "mock", "object": "model"}], "models": []});
            return Some(("application/json", models.to_string()));
        }
        if request.is_null() {
            return None;
        }
        let is_stream = request["stream"] == true || path.ends_with(":streamGenerateContent");
        let (call, text) = self.next(request);
        let id = {
            let mut calls = self.calls.lock().unwrap();
            *calls += 1;
            // Providers do not repeat ids from session to session.
            format!("call_{}_{calls}", self as *const Self as usize)
        };
        let events = if path.ends_with("/responses") {
            responses(&id, call, text)
        } else if path.ends_with("/chat/completions") {
            match is_stream {
                true => chat(&id, call, text),
                false => return Some(("application/json", whole_chat(text).to_string())),
            }
        } else if path.contains(":streamGenerateContent") {
            vec![gemini(&id, call, text)]
        } else if path.contains(":generateContent") {
            return Some(("application/json", gemini(&id, call, text).to_string()));
        } else {
            return Some(("application/json", json!({"totalTokens": 1}).to_string()));
        };
        let line = |event: &Value| match event["type"].as_str() {
            Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
            None => format!("data: {event}\n\n"),
        };
        let mut body: String = events.iter().map(line).collect();
        if path.ends_with("/chat/completions") {
            body += "data: [DONE]\n\n";
        }
        Some(("text/event-stream", body))
    }

    /// The next step: a call, or a text.
    fn next(&self, request: &Value) -> (Option<Call>, &'static str) {
        let schema = request["generationConfig"].to_string().contains("Schema\"");
        if schema {
            // Gemini CLI asks which model shall answer, and whose turn it is.
            return (
                None,
                r#"{"reasoning": "x", "model_choice": "flash", "next_speaker": "user"}"#,
            );
        }
        if tools(request) < FEWEST_TOOLS || request.to_string().contains("[SUGGESTION MODE") {
            return (None, "ok");
        }
        self.read.lock().unwrap().push(request.to_string());
        match self.script.lock().unwrap().pop_front() {
            Some(Some(call)) => (Some(call), ""),
            Some(None) | None => (None, LAST),
        }
    }
}

/// How many tools a request offers.
fn tools(request: &Value) -> usize {
    let list = request["tools"].as_array().map(Vec::as_slice);
    let declared = |tool: &Value| {
        let functions = tool["functionDeclarations"].as_array();
        functions.map_or(1, Vec::len)
    };
    list.unwrap_or_default().iter().map(declared).sum()
}

fn responses(id: &str, call: Option<Call>, text: &str) -> Vec<Value> {
    let item = match call {
        Some((name, input)) => json!({"type": "function_call", "call_id": id, "name": name,
            "arguments": input.to_string()}),
        None => json!({"type": "message", "role": "assistant", "id": format!("msg_{id}"),
            "content": [{"type": "output_text", "text": text}]}),
    };
    let usage = json!({"input_tokens": 10, "input_tokens_details": null, "output_tokens": 1,
        "output_tokens_details": null, "total_tokens": 11});
    vec![
        json!({"type": "response.created", "response": {"id": id}}),
        json!({"type": "response.output_item.done", "item": item}),
        json!({"type": "response.completed", "response": {"id": id, "usage": usage}}),
    ]
}

fn chat(id: &str, call: Option<Call>, text: &str) -> Vec<Value> {
    let chunk = |delta: Value, end: Value| {
        json!({"id": id, "created": 1, "model": "mock", "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": end}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}})
    };
    let mut chunks = vec![chunk(
        json!({"role": "assistant", "content": text}),
        Value::Null,
    )];
    let end = match call {
        Some((name, input)) => {
            let function = json!({"name": name, "arguments": input.to_string()});
            let calls = json!([{"index": 0, "id": id, "type": "function", "function": function}]);
            chunks.push(chunk(json!({"tool_calls": calls}), Value::Null));
            "tool_calls"
        }
        None => "stop",
    };
    chunks.push(chunk(json!({}), json!(end)));
    chunks
}

fn whole_chat(text: &str) -> Value {
    json!({"id": "chat", "created": 1, "model": "mock", "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}})
}

fn gemini(id: &str, call: Option<Call>, text: &str) -> Value {
    let part = match call {
        Some((name, input)) => json!({"functionCall": {"id": id, "name": name, "args": input}}),
        None => json!({"text": text}),
    };
    json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 1, "totalTokenCount": 11},
        "modelVersion": "mock"})
}

// A history in which one question was always answered alike, in the client's own form.

/// How often it was asked, a day each.
const TIMES: u64 = 18;

/// Puts it below `histories`: `text` is always answered with `label`, as the captured question with its second option.
pub(super) fn put(home: &Home, client: &Client, text: &str, label: &str) {
    let captured = match client.agent {
        "codex" => include_str!("../../../fixtures/agents/codex.jsonl"),
        "copilot" => include_str!("../../../fixtures/agents/copilot.jsonl"),
        "gemini" => include_str!("../../../fixtures/agents/gemini.jsonl"),
        "opencode" => include_str!("../../../fixtures/agents/opencode.jsonl"),
        _ => include_str!("../../../fixtures/agents/qwen.jsonl"),
    };
    let line = captured
        .lines()
        .find(|line| line.contains("\"scenario\":\"answered\""));
    let shop = home.path("shop").canonicalize().unwrap();
    let shop = shop.to_str().unwrap();
    let line = line.unwrap().replace("/home/dev/shop", shop);
    let line = line.replace("The retry logic changed. Which tests should run?", text);
    let line = line.replace("Full suite (Recommended)", "Grid (Recommended)");
    let line = line.replace("Changed only", label);
    let line = line.replace(&hash::sha256_hex("/home/dev/shop"), &hash::sha256_hex(shop));
    let all: String = (0..TIMES)
        .map(|number| asked(&line, number) + "\n")
        .collect();
    let captured = Captured::read(client.agent, &all);
    let root = home.path("histories");
    if client.agent == "opencode" {
        captured.put_database(&root);
    }
    home.put("histories/.project_root", shop);
    for (number, scenario) in captured.scenarios.iter().enumerate() {
        let lines: String = scenario
            .history
            .iter()
            .map(|line| format!("{line}\n"))
            .collect();
        home.put(&format!("histories/chats/{number}.jsonl"), &lines);
    }
}

/// The scenario `line` as it was `number` days before yesterday: other ids, other times.
fn asked(line: &str, number: u64) -> String {
    let scenario: Value = serde_json::from_str(line).unwrap();
    let session = scenario["calls"][0]["session_id"].as_str().unwrap();
    let line = line.replace(session, &format!("{session}-{number}"));
    let ids = Regex::new(r#""(call|msg|prt|ask_user__fc)_([0-9a-zA-Z]{16,})""#).unwrap();
    let line = ids.replace_all(&line, format!("\"${{1}}_{number}x$2\""));
    let first = Utc::now() - Days::new(1 + number);
    let mut seconds = 0;
    let mut later = || {
        seconds += 60;
        first + chrono::Duration::seconds(seconds)
    };
    let as_text = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
    let texts = Regex::new(r"2026-\d\d-\d\dT[\d:.]+Z").unwrap();
    let line = texts.replace_all(&line, |_: &regex::Captures<'_>| as_text(later()));
    let numbers = Regex::new(r"\b1795\d{9}\b").unwrap();
    numbers
        .replace_all(&line, |_: &regex::Captures<'_>| {
            later().timestamp_millis().to_string()
        })
        .into_owned()
}
