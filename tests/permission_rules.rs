//! Proposed permission rules, from the log to Claude Code's settings and back.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

mod common;
mod person;
mod shop;

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use person::keys::Seat;
use person::run_with_person;
use serde_json::{Value, json};
use shop::{Home, PROJECT, folded, ran};

/// A settings file as people have them: no newline at the end, odd white space, an empty list.
const USER: &str = "{\n\t\"model\": \"opus\",\n\t\"permissions\": { \"allow\": [],\n\t\t\"deny\": [\"WebFetch\"] }\n}";

const LOCAL: &str =
    "{\"permissions\":{\"allow\":[\"Bash(git push *)\", \"mcp__x__y\"]},  \"env\":{}}\n";

/// A prompt in the log, and its decision twenty seconds later.
struct Prompt<'a> {
    tool: &'a str,
    input: &'a str,
    /// Which prompt of the log it is; each is a day after the one before, in a session of its own.
    number: i64,
    granted: bool,
    cwd: &'a Path,
    project: &'a str,
    session_kind: &'a str,
    mode: &'a str,
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
                "tool_name": self.tool, "input": self.input, "subject": self.input, "tier": 1,
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

struct Log {
    home: Home,
    events: Vec<Value>,
    count: i64,
}

impl Log {
    fn new() -> Self {
        let mut home = Home::new();
        home.now = "2026-10-20T09:00:00Z".parse().unwrap();
        Self {
            home,
            events: Vec::new(),
            count: 0,
        }
    }

    /// As many prompts, allowed, in the shop.
    fn allowed(mut self, tool: &str, input: &str, times: u32) -> Self {
        let shop = self.home.shop();
        for _ in 0..times {
            self.add(&Prompt {
                tool,
                input,
                number: self.count,
                granted: true,
                cwd: &shop,
                project: PROJECT,
                session_kind: "interactive",
                mode: "default",
            });
        }
        self
    }

    fn add(&mut self, prompt: &Prompt<'_>) {
        self.events.extend(prompt.events());
        self.count += 1;
    }

    fn written(self) -> Home {
        let folder = self.home.data().join("events");
        fs::create_dir_all(&folder).unwrap();
        let lines: String = self
            .events
            .iter()
            .map(|event| format!("{event}\n"))
            .collect();
        fs::write(folder.join("2026-10-19.jsonl"), lines).unwrap();
        self.home
    }
}

trait Settings {
    fn user(&self) -> PathBuf;
    fn local(&self) -> PathBuf;
    fn rules(&self) -> Value;
}

impl Settings for Home {
    fn user(&self) -> PathBuf {
        self.folder.path().join(".claude/settings.json")
    }

    fn local(&self) -> PathBuf {
        self.shop().join(".claude/settings.local.json")
    }

    fn rules(&self) -> Value {
        self.json(&["suggest", "--permissions", "--json"])
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

const APPLY: &[&str] = &["suggest", "--permissions", "--apply", "--yes"];

#[test]
fn proposals_in_json_and_on_the_terminal() {
    let home = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "git push origin main", 5)
        .written();
    put(&home.local(), LOCAL);
    let found = home.rules();
    assert_eq!(found["schema_version"], 1);
    let one = &found["permissions"][0];
    assert_eq!(found["permissions"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(one["rule"], "Bash(npm test)");
    assert_eq!(one["subject"], "npm test");
    assert_eq!((&one["prompts"], &one["refused"]), (&json!(12), &json!(0)));
    assert_eq!(
        (&one["level"], &one["settings"]),
        (&json!("standing"), &json!("local"))
    );
    assert_eq!(one["seconds_saved_per_week"], 60.0);
    assert_eq!(one["project"], PROJECT);
    assert_eq!(one["mode"]["mode"], "default");
    assert!(
        one["also_allows"]
            .as_str()
            .unwrap()
            .contains("package.json"),
        "{one}"
    );
    assert_eq!(found["permissions_left"]["beyond"], 5);
    let push = &found["tighten"][0];
    assert_eq!(push["rule"], "Bash(git push *)");
    assert_eq!(
        (&push["used"], &push["never_used"]),
        (&json!(5), &json!(false))
    );
    assert_eq!(push["instead"], json!([]));
    assert_eq!(found["tighten"][1]["rule"], "mcp__x__y");

    let shown = folded(&home.stdout_of(&["suggest", "--permissions"]));
    for words in [
        "1 permission rule that would spare you prompts: 1. Bash(npm test)",
        "level: standing",
        "12 of 12 prompts allowed, 12 sessions on 12 days",
        "saves: 1 min of waiting a week",
        "5 reach beyond the project",
        "Rules you have that allow more than they need: Bash(git push *)",
        "also allows: git push --force",
        "is not logged call by call",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(
        !home
            .stdout_of(&["suggest", "--questions"])
            .contains("Bash(")
    );
    assert_eq!(
        home.json(&["suggest", "--questions", "--json"])["permissions"],
        json!([])
    );
}

#[test]
fn the_backtest_counts_what_rules_would_have_done() {
    let home = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "git push origin main", 5)
        .written();
    let found = home.json(&["suggest", "--backtest", "--json"]);
    let rules = &found["permissions"];
    assert_eq!(found["questions"], 0);
    assert_eq!(
        (&rules["prompts"], &rules["refused"]),
        (&json!(17), &json!(0))
    );
    let spared = rules["spared"].as_u64().unwrap();
    assert!((4..=6).contains(&spared), "{rules}");
    assert_eq!(rules["seconds_saved"], spared as f64 * 20.0);
    assert_eq!(
        (&rules["refused_allowed"], &rules["third_tier_allowed"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(rules["by_tier"][0]["spared"], spared);
    assert_eq!(
        (
            &rules["by_tier"][2]["tier"],
            &rules["by_tier"][2]["prompts"]
        ),
        (&json!(3), &json!(5))
    );
    let shown = folded(&home.stdout_of(&["suggest", "--backtest"]));
    let words = format!("spared {spared} of 17 prompts");
    assert!(shown.contains(&words), "{shown}");
    let late = ["suggest", "--backtest", "--since", "2026-09-12", "--json"];
    assert_eq!(home.json(&late)["permissions"]["prompts"], 6);
}

#[test]
fn what_is_applied_comes_out_again_to_the_byte() {
    let home = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "npm run lint", 12)
        .written();
    put(&home.local(), LOCAL);
    put(&home.user(), USER);
    let said = home.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    assert!(said.contains("+"), "{said}");
    assert!(
        folded(&said).contains("allowed: Bash(npm test), in"),
        "{said}"
    );
    let wanted = LOCAL.replace("\"mcp__x__y\"]", "\"mcp__x__y\", \"Bash(npm test)\"]");
    assert_eq!(text(&home.local()), wanted);
    assert_eq!(text(&home.user()), USER);
    // What is there is not proposed.
    let found = home.rules();
    assert_eq!(found["permissions"].as_array().unwrap().len(), 1);
    assert_eq!(found["permissions"][0]["rule"], "Bash(npm run lint)");
    let event = home.last_change();
    assert_eq!(event["reason"], "suggest rule");
    assert_eq!(
        (&event["preference"], &event["answer"]),
        (&json!("permission-rule"), &json!(["Bash(npm test)"]))
    );
    assert_eq!(event["project"], PROJECT);

    home.stdout_of(APPLY);
    assert!(text(&home.local()).contains("\"Bash(npm run lint)\""));
    // One goes, the other stays.
    let said = home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(said.contains("undone: Bash(npm test)"), "{said}");
    assert_eq!(
        text(&home.local()),
        wanted.replace("npm test", "npm run lint")
    );
    assert_eq!(home.last_change()["reason"], "undo rule");
    home.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(text(&home.local()), LOCAL);
    let again = home.run(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
    // The person's own rules are not ours.
    assert_eq!(home.run(&["undo", "Bash(git push *)", "--yes"]).code, 1);
    assert_eq!(text(&home.local()), LOCAL);
    // They are proposed again.
    assert_eq!(home.rules()["permissions"].as_array().unwrap().len(), 2);
}

#[test]
fn settings_are_chosen_and_lists_that_were_empty_are_again() {
    let home = Log::new().allowed("Bash", "npm test", 12).written();
    put(&home.user(), USER);
    let apply = |settings| home.stdout_of(&[APPLY, &["--settings", settings]].concat());
    apply("user");
    assert!(text(&home.user()).contains("Bash(npm test)"));
    home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert_eq!(text(&home.user()), USER);
    // A file that was not there is gone again.
    apply("project");
    let shared = home.shop().join(".claude/settings.json");
    assert!(text(&shared).contains("Bash(npm test)"));
    home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(!shared.exists());
}

#[test]
fn uninstall_takes_out_all_of_ours() {
    let home = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("mcp__tracker__create_issue", "", 12)
        .written();
    put(&home.local(), LOCAL);
    put(&home.user(), USER);
    let hook = common::hook();
    let hook = hook.to_str().unwrap();
    home.stdout_of(&["install", "--yes", "--guard", "--hook-path", hook]);
    home.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    home.stdout_of(&[APPLY, &["--settings", "user"]].concat());
    assert!(text(&home.user()).contains("mcp__tracker__create_issue"));
    assert!(text(&home.local()).contains("Bash(npm test)"));
    let said = home.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(
        (text(&home.user()), text(&home.local())),
        (USER.to_owned(), LOCAL.to_owned()),
        "{said}"
    );
    // A second time there is nothing.
    assert!(
        home.stdout_of(&["uninstall", "--yes"])
            .contains("not installed")
    );
}

#[test]
fn a_rule_for_every_project_is_written_to_the_persons_own_settings() {
    let mut log = Log::new().allowed("mcp__tracker__list_issues", "", 6);
    let till = log.home.folder.path().join("till");
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
    let home = log.written();
    let found = home.rules();
    assert_eq!(found["permissions"][0]["settings"], "user", "{found}");
    assert_eq!(found["permissions"][0]["project"], Value::Null);
    home.stdout_of(APPLY);
    let settings: Value = serde_json::from_str(&text(&home.user())).unwrap();
    assert_eq!(
        settings["permissions"]["allow"],
        json!(["mcp__tracker__list_issues"])
    );
    assert!(!home.local().exists());
}

#[test]
fn agents_and_broken_files_change_nothing() {
    let home = Log::new().allowed("Bash", "npm test", 12).written();
    let mut agent = home.plantune(APPLY);
    let agent = ran(&agent.env("CLAUDECODE", "1").output().unwrap());
    assert_eq!(agent.code, 4, "{}", agent.stderr);
    assert!(!home.local().exists());
    // Nobody to ask.
    assert_eq!(home.run(&["suggest", "--permissions", "--apply"]).code, 4);

    for broken in [
        "{\"permissions\": ",
        "[]",
        "{\"permissions\":{\"allow\":{}}}",
        "\u{0}",
    ] {
        put(&home.local(), broken);
        let shown = folded(&home.stdout_of(&["suggest", "--permissions"]));
        assert!(shown.contains("its rules are not known"), "{shown}");
        assert!(!home.rules()["notes"].as_array().unwrap().is_empty());
        let applied = home.run(APPLY);
        assert_eq!(applied.code, 3, "{}", applied.stderr);
        assert_eq!(text(&home.local()), broken);
    }
    // Neither is what a link of the project leads to.
    fs::remove_file(home.local()).unwrap();
    let elsewhere = home.folder.path().join("elsewhere.json");
    fs::write(&elsewhere, "{}").unwrap();
    std::os::unix::fs::symlink(&elsewhere, home.local()).unwrap();
    assert_eq!(home.run(APPLY).code, 4);
    assert_eq!(text(&elsewhere), "{}");
}

#[test]
fn the_person_is_asked_and_may_say_no() {
    let home = Log::new().allowed("Bash", "npm test", 12).written();
    let ask = ["suggest", "--permissions", "--apply"];
    let say = |word| folded(&ran(&run_with_person(&mut home.plantune(&ask), &[word])).stdout);
    let no = say("n");
    assert!(
        no.contains("1. Bash(npm test)") && no.contains("nothing was changed"),
        "{no}"
    );
    assert!(!home.local().exists());
    let yes = say("y");
    assert!(yes.contains("allowed: Bash(npm test)"), "{yes}");
    assert!(text(&home.local()).contains("Bash(npm test)"));
}

#[test]
fn hostile_texts_neither_reach_the_settings_nor_the_terminal() {
    let home = Log::new()
        .allowed("Bash", "npm test \u{1b}]0;x\u{7}", 12)
        .allowed("Bash", "npm test\nrm -rf ~", 12)
        .allowed("Bash", "npm test \\*", 12)
        .allowed("mcp__x__get\u{1b}[2J", "", 12)
        .allowed("mcp__x__get_*", "", 12)
        .written();
    put(
        &home.local(),
        "{\"permissions\":{\"allow\":[\"Bash(*\u{9b}31m \\u001b[2J)\",\"Bash(\\u202e*)\"]}}",
    );
    let before = text(&home.local());
    assert_eq!(home.rules()["permissions"], json!([]));
    let shown = home.stdout_of(&["suggest", "--permissions"]);
    assert!(
        !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{shown:?}"
    );
    home.stdout_of(APPLY);
    assert_eq!(text(&home.local()), before);
}

#[test]
fn a_folder_that_is_gone_is_not_written_to() {
    let mut log = Log::new();
    let gone = log.home.folder.path().join("gone");
    for _ in 0..12 {
        log.add(&Prompt {
            tool: "Bash",
            input: "npm test",
            number: log.count,
            granted: true,
            cwd: &gone,
            project: "example.org/dev/gone",
            session_kind: "interactive",
            mode: "default",
        });
    }
    let home = log.written();
    assert_eq!(home.rules()["permissions"][0]["rule"], "Bash(npm test)");
    let applied = home.run(APPLY);
    assert_eq!(applied.code, 4, "{}", applied.stderr);
    assert!(!gone.exists());
}

#[test]
fn a_rule_is_chosen_from_the_list() {
    let logged = || {
        let home = Log::new()
            .allowed("Bash", "npm test", 12)
            .allowed("Bash", "npm run lint", 12)
            .written();
        put(&home.local(), LOCAL);
        home
    };
    let home = logged();
    let mut command = home.plantune(&["suggest", "--apply"]);
    let mut seat = Seat::start(command.env("TERM", "xterm").env_remove("CI"), 80, 24);
    seat.wait("? help");
    seat.press("N", "\"never\" is for questions");
    seat.press("y", "1 rule would have spared ");
    seat.press("y", "2 rules would have spared ");
    seat.press("\r", "Write this?");
    assert_eq!(text(&home.local()), LOCAL);
    seat.press_last("y");
    let ended = seat.end();
    assert_eq!(ended.code, Some(0), "{}", ended.shown);
    assert!(ended.is_restored && ended.shown.contains("allowed: Bash(npm test), in"));
    let event = home.last_change();
    assert_eq!(event["reason"], "suggest rule");

    let by_lines = logged();
    let words = ["suggest", "--apply", "--one-by-one"];
    let output = run_with_person(&mut by_lines.plantune(&words), &["y", "y"]);
    assert!(output.status.success());
    assert_eq!(text(&home.local()), text(&by_lines.local()));
    assert_ne!(text(&home.local()), LOCAL);
    // One change of the list is taken back rule by rule, too.
    home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    home.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(text(&home.local()), LOCAL);
}
