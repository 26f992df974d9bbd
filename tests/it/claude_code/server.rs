//! A Messages API that says what the script says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::world::http::{Answer, Http};

/// One turn of the model's: the tools it calls, or what it says when it calls none.
#[derive(Clone, Debug)]
pub(crate) struct Turn(pub(crate) Vec<Value>);

impl Turn {
    /// A call of `tool`.
    pub(crate) fn call(id: &str, tool: &str, input: Value) -> Self {
        Self(vec![
            json!({"type": "tool_use", "id": id, "name": tool, "input": input}),
        ])
    }

    /// The last word.
    pub(crate) fn says(text: &str) -> Self {
        Self(vec![json!({"type": "text", "text": text})])
    }
}

/// What is said in a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// By the model, turn by turn.
    pub(crate) turns: Vec<Turn>,
    /// By the model of a sub-agent whose prompt begins with [`AGENT`].
    pub(crate) agent: Vec<Turn>,
    /// By the classifier of auto mode, about each action; that it is harmless where nothing is given.
    pub(crate) verdict: Option<&'static str>,
}

/// How prompts for sub-agents begin, which tells their requests from the others.
pub(crate) const AGENT: &str = "SUBAGENT:";

impl From<Vec<Turn>> for Script {
    fn from(turns: Vec<Turn>) -> Self {
        Self {
            turns,
            ..Self::default()
        }
    }
}

/// The running server. It ends with the value.
pub(crate) struct Server {
    pub(crate) port: u16,
    state: Arc<State>,
    _http: Http,
}

#[derive(Default)]
struct State {
    script: Mutex<VecDeque<Turn>>,
    agent: Mutex<VecDeque<Turn>>,
    verdict: Mutex<Option<&'static str>>,
    requests: Mutex<Vec<Value>>,
    asides: Mutex<Vec<Value>>,
}

impl Server {
    /// Starts one on a free port.
    pub(crate) fn start(script: Script) -> Self {
        let state = Arc::new(State::default());
        *state.script.lock().unwrap() = script.turns.into();
        *state.agent.lock().unwrap() = script.agent.into();
        *state.verdict.lock().unwrap() = script.verdict;
        let theirs = Arc::clone(&state);
        let http = Http::start(move |path, request| theirs.answer(path, &request));
        Self {
            port: http.port,
            state,
            _http: http,
        }
    }

    /// The requests of the conversation so far, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.state.requests.lock().unwrap().clone()
    }

    /// What the client asked beside the conversation: a title, or whether an action is harmless.
    pub(crate) fn asides(&self) -> Vec<Value> {
        self.state.asides.lock().unwrap().clone()
    }

    /// How many turns were not asked for.
    pub(crate) fn turns_left(&self) -> usize {
        self.state.script.lock().unwrap().len() + self.state.agent.lock().unwrap().len()
    }
}

impl State {
    fn answer(&self, path: &str, request: &Value) -> Answer {
        if request.is_null() || path != "/v1/messages" {
            return None;
        }
        let turn = self.next(request);
        Some(match request["stream"] == true {
            true => ("text/event-stream", events(&turn)),
            false => ("application/json", message(&turn).to_string()),
        })
    }

    /// The script's next turn; requests without tools are no part of it: a title for the session, or
    /// what the classifier of auto mode thinks of an action.
    fn next(&self, request: &Value) -> Turn {
        let has_tools = request["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        if !has_tools {
            self.asides.lock().unwrap().push(request.clone());
            let is_classifier = request.to_string().contains("<severity>");
            let verdict = *self.verdict.lock().unwrap();
            return Turn::says(match is_classifier {
                true => verdict.unwrap_or("<severity>0</severity>"),
                false => "a title",
            });
        }
        let is_agent = request["messages"][0].to_string().contains(AGENT);
        if !is_agent {
            self.requests.lock().unwrap().push(request.clone());
        }
        let script = if is_agent { &self.agent } else { &self.script };
        let next = script.lock().unwrap().pop_front();
        next.unwrap_or_else(|| Turn::says("the script has ended"))
    }
}

fn stop_reason(turn: &Turn) -> &'static str {
    let calls = turn.0.iter().any(|block| block["type"] == "tool_use");
    if calls { "tool_use" } else { "end_turn" }
}

fn message(turn: &Turn) -> Value {
    json!({
        "id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted",
        "content": turn.0, "stop_reason": stop_reason(turn), "stop_sequence": null,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    })
}

/// The turn as the server-sent events of a streamed message.
fn events(turn: &Turn) -> String {
    let mut start = message(turn);
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in turn.0.iter().enumerate() {
        let (mut opened, delta) = (block.clone(), &block["text"]);
        let delta = if block["type"] == "tool_use" {
            opened["input"] = json!({});
            json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
        } else {
            opened["text"] = json!("");
            json!({"type": "text_delta", "text": delta})
        };
        events.extend([
            json!({"type": "content_block_start", "index": index, "content_block": opened}),
            json!({"type": "content_block_delta", "index": index, "delta": delta}),
            json!({"type": "content_block_stop", "index": index}),
        ]);
    }
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason(turn), "stop_sequence": null}, "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ]);
    let line = |event: &Value| {
        let kind = event["type"].as_str().unwrap();
        format!("event: {kind}\ndata: {event}\n\n")
    };
    events.iter().map(line).collect()
}
