//! Prompts for permission in a log, and the settings that rules are written to.

use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::world::World;
use crate::world::layout::SHOP;

/// A settings file as people have them: no newline at the end, odd white space, an empty list.
pub(crate) const USER: &str = "{\n\t\"model\": \"opus\",\n\t\"permissions\": { \"allow\": [],\n\t\t\"deny\": [\"WebFetch\"] }\n}";

pub(crate) const LOCAL: &str =
    "{\"permissions\":{\"allow\":[\"Bash(git push *)\", \"mcp__x__y\"]},  \"env\":{}}\n";

/// A prompt in the log, and its decision twenty seconds later.
pub(crate) struct Prompt<'a> {
    pub(crate) tool: &'a str,
    pub(crate) input: &'a str,
    /// Which prompt of the log it is; each is a day after the one before, in a session of its own.
    pub(crate) number: i64,
    pub(crate) granted: bool,
    pub(crate) cwd: &'a Path,
    pub(crate) project: &'a str,
    pub(crate) session_kind: &'a str,
    pub(crate) mode: &'a str,
}

impl Prompt<'_> {
    fn events(&self) -> [Value; 2] {
        let start: DateTime<Utc> = "2026-09-01T09:00:00Z".parse().unwrap();
        let at = start + TimeDelta::days(self.number);
        let id = |kind: &str| {
            format!(
                "{:032x}",
                self.number * 4 + i64::from(kind.len() as u32 % 4)
            )
        };
        let event = |kind: &str, at: DateTime<Utc>| {
            json!({
                "v": 1, "id": id(kind), "ts": at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(), "kind": kind,
                "session_id": format!("session {}", self.number), "session_kind": self.session_kind,
                "project": self.project, "cwd": self.cwd, "permission_mode": self.mode, "source": "hook",
                "tool_name": self.tool, "input": self.input, "subject": self.input, "reach": "reads",
            })
        };
        let asked = event("permission_asked", at);
        let kind = if self.granted {
            "permission_granted"
        } else {
            "permission_refused"
        };
        let mut decided = event(kind, at + TimeDelta::seconds(20));
        decided["asked_id"] = asked["id"].clone();
        decided["tool_use_id"] = json!(format!("toolu_{}", self.number));
        decided["waited_seconds"] = json!(20.0);
        match self.granted {
            true => decided["grant"] = json!("once"),
            false => decided["reason"] = json!("rejected"),
        }
        [asked, decided]
    }
}

pub(crate) struct Log {
    pub(crate) world: World,
    pub(crate) events: Vec<Value>,
    pub(crate) count: i64,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self {
            world: World::shop(),
            events: Vec::new(),
            count: 0,
        }
    }

    /// As many prompts, allowed, in the shop.
    pub(crate) fn allowed(mut self, tool: &str, input: &str, times: u32) -> Self {
        let shop = self.world.project();
        for _ in 0..times {
            self.add(&Prompt {
                tool,
                input,
                number: self.count,
                granted: true,
                cwd: &shop,
                project: SHOP,
                session_kind: "interactive",
                mode: "default",
            });
        }
        self
    }

    pub(crate) fn add(&mut self, prompt: &Prompt<'_>) {
        self.events.extend(prompt.events());
        self.count += 1;
    }

    pub(crate) fn written(self) -> World {
        let lines: String = self
            .events
            .iter()
            .map(|event| format!("{event}\n"))
            .collect();
        self.world.put("data/events/2026-10-19.jsonl", lines);
        self.world
    }
}

/// The local settings of the project.
pub(crate) fn local(world: &World) -> PathBuf {
    world.path("shop/.claude/settings.local.json")
}

pub(crate) fn rules(world: &World) -> Value {
    world.json(&["suggest", "--permissions", "--json"])
}

pub(crate) const APPLY: &[&str] = &["suggest", "--permissions", "--apply", "--yes"];
