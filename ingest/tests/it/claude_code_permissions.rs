//! Who allowed which call: every captured scenario, with the prompts that its hook was called for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::event::Event;
use plantune_domain::permissions::digest;
use plantune_domain::registry::Registry;
use plantune_ingest::claude_code::{Prompt, Prompts, Summary, read};
use plantune_ingest::{Followed, Mark, follow};
use serde_json::Value;

use crate::shared::shared;
use crate::support::json_lines as lines;

/// What each scenario comes to. `+`: its prompt was found; `~`: ambiguous; `auto`: how many calls ran without
/// anybody being asked; with the seconds from request to decision, where they are known.
const EXPECTED: &str = include_str!("../permissions/expected.txt");

/// One captured session: what hooks received when somebody was asked, and its transcripts.
struct Scenario {
    name: String,
    hooks: PathBuf,
    transcripts: Vec<PathBuf>,
}

/// The scenarios whose hook payloads lie in `hooks`, and transcripts in `transcripts`.
fn scenarios(hooks: &Path, transcripts: &Path) -> Vec<Scenario> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(transcripts).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some(name) = name.strip_suffix(".jsonl") else {
            continue;
        };
        let name = name.split_once(".agent-").map_or(name, |(name, _)| name);
        found.entry(name.to_owned()).or_default().push(path);
    }
    let scenario = |(name, mut transcripts): (String, Vec<PathBuf>)| {
        transcripts.sort();
        let hooks = hooks.join(format!("{name}.jsonl"));
        Scenario {
            name,
            hooks,
            transcripts,
        }
    };
    found.into_iter().map(scenario).collect()
}

fn time(value: &Value) -> DateTime<Utc> {
    let text = value.as_str().unwrap();
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

impl Scenario {
    /// The prompts that a hook would have logged: each 50 ms after the call that it is about.
    /// Without those that `decided` are about.
    fn prompts(&self, decided: &[Value]) -> Prompts {
        let mut calls: Vec<(Value, Value, DateTime<Utc>)> = Vec::new();
        for line in self.transcripts.iter().flat_map(|path| lines(path)) {
            let blocks = line["message"]["content"].as_array().cloned();
            for block in blocks.unwrap_or_default() {
                if line["type"] == "assistant" && block["type"] == "tool_use" {
                    let at = time(&line["timestamp"]);
                    calls.push((block["name"].clone(), block["input"].clone(), at));
                }
            }
        }
        calls.sort_by_key(|(_, _, at)| *at);
        let mut prompts = Prompts::default();
        let payloads = lines(&self.hooks).into_iter();
        let asked = payloads.filter(|payload| payload["hook_event_name"] == "PermissionRequest");
        for (number, payload) in asked.enumerate() {
            let (tool, input) = (&payload["tool_name"], &payload["tool_input"]);
            let same = |(name, said, _): &(Value, Value, _)| name == tool && said == input;
            let found = calls.iter().position(same);
            let found = found.or_else(|| calls.iter().position(|(name, ..)| name == tool));
            let Some(found) = found else {
                continue;
            };
            let (_, _, at) = calls.remove(found);
            let tool = tool.as_str().unwrap();
            let prompt = Prompt {
                id: format!("{number:032x}"),
                at: at + TimeDelta::milliseconds(50),
                input_digest: Some(digest(tool, input)),
            };
            if decided.iter().any(|event| event["asked_id"] == *prompt.id) {
                continue;
            }
            let session = payload["session_id"].as_str().unwrap();
            prompts.add(session, payload["agent_id"].as_str(), tool, prompt);
        }
        prompts
    }

    fn read(&self) -> (Vec<Value>, Summary) {
        let folder = tempfile::tempdir().unwrap();
        for path in &self.transcripts {
            fs::copy(path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        let mut events = Vec::new();
        let registry = Registry::default();
        let prompts = self.prompts(&[]);
        let summary = read(folder.path(), &registry, prompts, &mut |event| {
            events.push(value(event));
            Ok(())
        });
        events.retain(|event| event["kind"].as_str().unwrap().starts_with("permission_"));
        (events, summary.unwrap())
    }

    /// The same events, with each transcript read in `parts` of about as many lines.
    fn follow(&self, parts: usize) -> Vec<Value> {
        let folder = tempfile::tempdir().unwrap();
        let mut events = Vec::new();
        for original in &self.transcripts {
            let whole = fs::read(original).unwrap();
            let path = folder.path().join(original.file_name().unwrap());
            fs::copy(original, &path).unwrap();
            let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let ends: Vec<u64> = ends.map(|(at, _)| at as u64 + 1).collect();
            let mut mark = Mark::default();
            for part in 1..=parts {
                let length = match ends.len() * part / parts {
                    0 => 0,
                    count => ends[count - 1],
                };
                let followed = Followed {
                    path: path.clone(),
                    mark: mark.clone(),
                    length,
                    modified_ns: 0,
                    agent: None,
                };
                let prompts = self.prompts(&events);
                let read = follow(vec![followed], prompts, &mut |event| {
                    events.push(value(event));
                    Ok(())
                });
                mark = read.unwrap().1.remove(0).mark;
                assert_eq!(mark.offset, length);
            }
        }
        events
    }
}

fn value(event: &Event<'_>) -> Value {
    serde_json::from_slice(&event.to_line().unwrap()).unwrap()
}

fn shown(event: &Value) -> String {
    let text = |name: &str| event[name].as_str().unwrap_or_default();
    let kind = text("kind").strip_prefix("permission_").unwrap();
    let mut shown = match kind {
        "granted" => text("grant").to_owned(),
        "refused" => text("reason").to_owned(),
        "auto" => return format!("auto {}", event["calls"]),
        kind => return format!("{kind} {}", text("reason")),
    };
    if let Some(words) = event["free_text"].as_str() {
        shown += &format!(" {words:?}");
    }
    if event["asked_id"].is_string() {
        shown.push('+');
    }
    if event["ambiguous"] == true {
        shown.push('~');
    }
    if let Some(seconds) = event["waited_seconds"].as_f64() {
        shown += &format!(" {seconds:.1}s");
    }
    shown
}

/// Compares what the scenarios come to with what is expected of those.
fn compare(scenarios: &[Scenario]) {
    let expected = EXPECTED.lines().filter_map(|line| line.split_once(':'));
    let expected: BTreeMap<&str, &str> = expected
        .map(|(name, events)| (name, events.trim()))
        .collect();
    let mut differences = String::new();
    for scenario in scenarios {
        let (events, summary) = scenario.read();
        assert_eq!(summary.unknown_decisions, 0, "{}", scenario.name);
        assert_eq!(summary.lost_decisions, 0, "{}", scenario.name);
        let shown: Vec<String> = events.iter().map(shown).collect();
        let shown = shown.join(", ");
        if expected.get(scenario.name.as_str()) != Some(&shown.as_str()) {
            differences += format!("{}: {shown}", scenario.name).trim_end();
            differences.push('\n');
        }
    }
    assert!(differences.is_empty(), "not as expected:\n{differences}");
}

fn fixtures() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/permissions");
    scenarios(&folder.join("hooks"), &folder.join("transcripts"))
}

#[test]
fn scenarios_kept_here() {
    let all = fixtures();
    assert_eq!(all.len(), 16);
    compare(&all);
}

#[test]
fn every_captured_scenario() {
    let test = "claude_code_permissions::every_captured_scenario";
    let Some(folder) = shared(test, "protocol/claude-code-2.1.330") else {
        return;
    };
    let all = scenarios(&folder, &folder.join("transcripts"));
    compare(&all);
    // Prompts that are switched off were captured later, and are kept here alone.
    let captured = EXPECTED
        .lines()
        .filter(|line| !line.starts_with("prompts-off-"));
    assert_eq!(all.len(), captured.count());
}

#[test]
fn a_transcript_in_parts_is_the_whole_transcript() {
    for scenario in fixtures() {
        let (whole, _) = scenario.read();
        let lines: usize = scenario
            .transcripts
            .iter()
            .map(|path| lines(path).len())
            .sum();
        for parts in 1..=lines {
            assert_eq!(scenario.follow(parts), whole, "{}, {parts}", scenario.name);
        }
    }
}

#[test]
fn secrets_in_what_was_said_are_masked() {
    let folder = tempfile::tempdir().unwrap();
    let name = "tui-bash-no-with-feedback.jsonl";
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/permissions/transcripts");
    let secret = format!("ghp_{}", "aB3dE6gH9j".repeat(4).get(..36).unwrap());
    let text = fs::read_to_string(kept.join(name)).unwrap();
    let text = text.replace("use pnpm instead", &format!("push with {secret}"));
    let mut file = fs::File::create(folder.path().join(name)).unwrap();
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    let mut logged = String::new();
    let registry = Registry::default();
    let summary = read(folder.path(), &registry, Prompts::default(), &mut |event| {
        logged += &value(event).to_string();
        Ok(())
    });
    assert_eq!(summary.unwrap().refused, 1);
    assert!(logged.contains("push with "), "{logged}");
    assert!(!logged.contains(&secret), "{logged}");
}
