//! A history in which one question was always answered alike, in the client's own form.

use chrono::{DateTime, Days, SecondsFormat, Utc};
use plantune_domain::hash;
use regex::Regex;
use serde_json::Value;

use super::client::Client;
use crate::agents::Captured;
use crate::claude_code::home::Home;

/// How often it was asked, a day each.
const TIMES: u64 = 18;

/// Puts it below `histories`: `text` is always answered with `label`, as the captured question with its second option.
pub(super) fn put(home: &Home, client: &Client, text: &str, label: &str) {
    let captured = match client.agent {
        "codex" => include_str!("../../../fixtures/agents/codex.jsonl"),
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
