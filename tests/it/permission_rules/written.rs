//! Rules that are written to the settings, and taken out again.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::world::files::SHOP;
use crate::world::{World, folded, programs};

#[test]
fn what_is_applied_comes_out_again_to_the_byte() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "npm run lint", 12)
        .written();
    world.put(local(&world), LOCAL);
    world.put(world.user(), USER);
    let said = world.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    assert!(
        folded(&said).contains("From now on, Claude Code runs Bash(npm test) in "),
        "{said}"
    );
    let wanted = LOCAL.replace("\"mcp__x__y\"]", "\"mcp__x__y\", \"Bash(npm test)\"]");
    assert_eq!(world.text(local(&world)), wanted);
    assert_eq!(world.text(world.user()), USER);
    // What is there is not proposed.
    let found = rules(&world);
    assert_eq!(found["permissions"].as_array().unwrap().len(), 1);
    assert_eq!(found["permissions"][0]["rule"], "Bash(npm run lint)");
    let event = world.last_change();
    assert_eq!(event["reason"], "suggest rule");
    assert_eq!(
        (&event["preference"], &event["answer"]),
        (&json!("permission-rule"), &json!(["Bash(npm test)"]))
    );
    assert_eq!(event["project"], SHOP);

    world.stdout_of(APPLY);
    assert!(world.text(local(&world)).contains("\"Bash(npm run lint)\""));
    // One goes, the other stays.
    let said = world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(said.contains("asks again before Bash(npm test)"), "{said}");
    assert_eq!(
        world.text(local(&world)),
        wanted.replace("npm test", "npm run lint")
    );
    assert_eq!(world.last_change()["reason"], "undo rule");
    world.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(world.text(local(&world)), LOCAL);
    let again = world.run(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
    // The person's own rules are not ours.
    assert_eq!(world.run(&["undo", "Bash(git push *)", "--yes"]).code, 1);
    assert_eq!(world.text(local(&world)), LOCAL);
    // They are proposed again.
    assert_eq!(rules(&world)["permissions"].as_array().unwrap().len(), 2);
}

#[test]
fn settings_are_chosen_and_lists_that_were_empty_are_again() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    world.put(world.user(), USER);
    let apply = |settings| world.stdout_of(&[APPLY, &["--settings", settings]].concat());
    apply("user");
    assert!(world.text(world.user()).contains("Bash(npm test)"));
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert_eq!(world.text(world.user()), USER);
    // A file that was not there is gone again.
    apply("project");
    let shared = world.project().join(".claude/settings.json");
    assert!(world.text(&shared).contains("Bash(npm test)"));
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(!shared.exists());
}

#[test]
fn uninstall_takes_out_all_of_ours() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("mcp__tracker__create_issue", "", 12)
        .written();
    world.put(local(&world), LOCAL);
    world.put(world.user(), USER);
    let hook = programs::hook();
    let hook = hook.to_str().unwrap();
    world.stdout_of(&["install", "--yes", "--guard", "--hook-path", hook]);
    world.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    let typed = [
        "--settings",
        "user",
        "--answer",
        "mcp__tracker__create_issue",
    ];
    world.stdout_of(&[APPLY, &typed].concat());
    assert!(
        world
            .text(world.user())
            .contains("mcp__tracker__create_issue")
    );
    assert!(world.text(local(&world)).contains("Bash(npm test)"));
    let said = world.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(
        (world.text(world.user()), world.text(local(&world))),
        (USER.to_owned(), LOCAL.to_owned()),
        "{said}"
    );
    // A second time there is nothing.
    assert!(
        world
            .stdout_of(&["uninstall", "--yes"])
            .contains("not installed")
    );
}

#[test]
fn a_rule_for_every_project_is_written_to_the_persons_own_settings() {
    let mut log = Log::new().allowed("mcp__tracker__list_issues", "", 6);
    let till = log.world.path("till");
    fs::create_dir_all(&till).unwrap();
    for _ in 0..6 {
        log.add(&Prompt {
            tool: "mcp__tracker__list_issues",
            input: "",
            number: log.count,
            granted: true,
            cwd: &till,
            project: "example.org/dev/till",
            session_kind: "interactive",
            mode: "auto",
        });
    }
    let world = log.written();
    let found = rules(&world);
    assert_eq!(found["permissions"][0]["settings"], "user", "{found}");
    assert_eq!(found["permissions"][0]["project"], Value::Null);
    world.stdout_of(APPLY);
    let settings: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    assert_eq!(
        settings["permissions"]["allow"],
        json!(["mcp__tracker__list_issues"])
    );
    assert!(!local(&world).exists());
}

// Prompts for permission in a log, and the settings that rules are written to.

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
