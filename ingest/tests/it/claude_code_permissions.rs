//! Who allowed which call: every captured scenario, with the prompts that its hook was called for.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use fs::File;
use plantune_domain::clock;
use plantune_domain::event::Event;
use plantune_domain::permissions::digest;
use plantune_domain::registry::Registry;
use plantune_ingest::claude_code::{LoggedPrompt, Prompts, TranscriptSummary, read};
use plantune_ingest::{Followed, Progress, TranscriptMark, follow, has_undecided};
use serde_json::{Value, json};

use crate::home::{Home, assert_same, json_lines as lines, put};
use crate::shared::shared;

/// The outcome of each scenario. `+`: its prompt was found; `~`: ambiguous; `auto`: how many calls ran without
/// anybody being asked; with the seconds from request to decision, if known.
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
            let prompt = LoggedPrompt {
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

    fn read(&self) -> (Vec<Value>, TranscriptSummary) {
        let folder = tempfile::tempdir().unwrap();
        for path in &self.transcripts {
            fs::copy(path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        let mut events = Vec::new();
        let registry = Registry::default();
        let prompts = self.prompts(&[]);
        let summary = read(
            folder.path(),
            &registry,
            prompts,
            &Progress::default(),
            &mut |event| {
                events.push(value(event));
                Ok(())
            },
        );
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
            let mut mark = TranscriptMark::default();
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
    let mut file = File::create(folder.path().join(name)).unwrap();
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    let mut logged = String::new();
    let registry = Registry::default();
    let summary = read(
        folder.path(),
        &registry,
        Prompts::default(),
        &Progress::default(),
        &mut |event| {
            logged += &value(event).to_string();
            Ok(())
        },
    );
    assert_eq!(summary.unwrap().refused, 1);
    assert!(logged.contains("push with "), "{logged}");
    assert!(!logged.contains(&secret), "{logged}");
}

/// A session of an earlier version: calls of one answer, by name and input, and how each was refused, in seconds after
/// the calls. The words of a refusal stand for a run that was broken off, too.
fn refused_session(calls: &[(&str, Value, &str)], mode: &str) -> Vec<Value> {
    const REFUSED: &str =
        "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    let line = |at: String, more: Value| {
        let mut line = json!({"uuid": "u", "timestamp": at, "sessionId": "s", "cwd": "/nowhere/shop",
            "version": "2.1.34"});
        let line_of = line.as_object_mut().unwrap();
        line_of.extend(more.as_object().unwrap().clone());
        line
    };
    let at = |seconds: &str| format!("2026-01-02T03:04:{seconds}Z");
    let called = calls.iter().enumerate().map(|(index, (tool, input, _))| {
        let content = json!([{"type": "tool_use", "id": format!("call{index}"), "name": tool, "input": input}]);
        let message = json!({"id": "one", "role": "assistant", "content": content});
        line(at("00.000"), json!({"type": "assistant", "message": message}))
    });
    let ended = calls.iter().enumerate().map(|(index, (_, _, ended))| {
        let (seconds, words) = ended.split_once(' ').unwrap_or((ended, ""));
        let text = match words {
            "" => REFUSED.to_owned(),
            words => format!("{REFUSED} To tell you how to proceed, the user said:\n{words}"),
        };
        let content = json!([{"type": "tool_result", "tool_use_id": format!("call{index}"),
            "is_error": true, "content": text}]);
        let message = json!({"role": "user", "content": content});
        line(
            at(seconds),
            json!({"type": "user", "message": message, "permissionMode": mode}),
        )
    });
    called.chain(ended).collect()
}

/// The refusals in a session, by its hook's `prompts`.
fn refusals(lines: &[Value], prompts: Prompts) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    crate::home::write(&path, lines);
    let mut events = Vec::new();
    read(
        &path,
        &Registry::default(),
        prompts,
        &Progress::default(),
        &mut |event| {
            events.push(value(event));
            Ok(())
        },
    )
    .unwrap();
    events
}

#[test]
fn one_key_refuses_one_call_of_an_answer() {
    let bash = |command: &str, ended: &'static str| ("Bash", json!({"command": command}), ended);
    let write = |ended: &'static str| ("Write", json!({"file_path": "/nowhere/shop/a"}), ended);
    let all = |calls: &[(&str, Value, &str)]| -> Vec<String> {
        let events = refusals(&refused_session(calls, "default"), Prompts::default());
        let calls = events.iter().map(|event| {
            assert_eq!(event["called_at"], "2026-01-02T03:04:00.000Z");
            format!(
                "{} {}",
                event["tool_use_id"].as_str().unwrap(),
                shown(event)
            )
        });
        calls.collect()
    };
    // Whatever the tools are, in whichever order they stand.
    let four = [
        bash("ls a", "09.000"),
        write("09.001"),
        bash("ls b", "09.001"),
        ("WebFetch", json!({"url": "https://a.example"}), "09.004"),
    ];
    assert_eq!(all(&four), ["call0 unknown"]);
    let words = [bash("ls a", "09.000 no"), bash("ls b", "09.001")];
    assert_eq!(all(&words), ["call0 feedback \"no\""]);
    // Two that took a key each.
    let two = [bash("ls a", "09.000"), bash("ls b", "12.000")];
    assert_eq!(all(&two), ["call0 unknown", "call1 unknown"]);
    // What asks about nothing was not what the key refused.
    let beside = [
        ("TodoWrite", json!({"todos": []}), "09.000"),
        bash("ls b", "09.001"),
    ];
    assert_eq!(all(&beside), ["call1 unknown"]);
}

#[test]
fn a_prompt_behind_the_refused_one_was_seen_by_nobody() {
    let calls = [
        ("Bash", json!({"command": "ls a"}), "09.000"),
        ("Bash", json!({"command": "ls b"}), "09.001"),
    ];
    let mut prompts = Prompts::default();
    for (index, (tool, input, _)) in calls.iter().enumerate() {
        let prompt = LoggedPrompt {
            id: format!("{index:032x}"),
            at: "2026-01-02T03:04:00.500Z".parse().unwrap(),
            input_digest: Some(digest(tool, input)),
        };
        prompts.add("s", None, tool, prompt);
    }
    let events = refusals(&refused_session(&calls, "default"), prompts);
    let shown: Vec<String> = events.iter().map(shown).collect();
    assert_eq!(shown, ["unknown+ 8.5s", "cancelled+ 8.5s"]);
}

#[test]
fn what_asks_about_nothing_was_broken_off() {
    let refused = |tool: &'static str, input: Value, mode: &str| {
        let session = refused_session(&[(tool, input, "09.000")], mode);
        refusals(&session, Prompts::default()).len()
    };
    for (tool, input) in [
        ("TaskOutput", json!({"task_id": "b1", "block": true})),
        ("Task", json!({"prompt": "p", "subagent_type": "Explore"})),
        ("Read", json!({"file_path": "/nowhere/shop/src/a.rs"})),
        ("Grep", json!({"pattern": "x", "path": "src"})),
    ] {
        assert_eq!(refused(tool, input, "default"), 0, "{tool}");
    }
    let outside = json!({"file_path": "/etc/hosts"});
    assert_eq!(refused("Read", outside, "default"), 1);
    let command = json!({"command": "npm test"});
    assert_eq!(refused("Bash", command.clone(), "default"), 1);
    assert_eq!(refused("Bash", command, "bypassPermissions"), 0);
}

// How prompts were decided, read from transcripts when the store is brought up to date.

const ZONE: &str = "UTC";

/// The prompts and how they ended.
const PROMPTS: &str =
    "SELECT outcome || coalesce(' ' || \"grant\", '') || coalesce(' ' || reason, '')
    || coalesce(' ' || round(waited_seconds, 1), '') || coalesce(' ' || agent_id, '')
    FROM permission_prompts ORDER BY ts, outcome";

fn now() -> DateTime<Utc> {
    "2026-11-22T08:00:00Z".parse().unwrap()
}

/// A folder of transcripts, as the host lays them out.
struct Projects(tempfile::TempDir);

impl Projects {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Puts the transcript of a scenario where its session's belongs, and returns where that is.
    fn put(&self, scenario: &str) -> PathBuf {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/permissions/transcripts");
        let text = fs::read_to_string(fixtures.join(format!("{scenario}.jsonl"))).unwrap();
        let first: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let session = first["sessionId"].as_str().unwrap();
        let path = match first["agentId"].as_str() {
            Some(agent) => {
                let folder = self.0.path().join(session).join("subagents");
                folder.join(format!("agent-{agent}.jsonl"))
            }
            None => self.0.path().join(format!("{session}.jsonl")),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        append(&path, &text);
        path
    }
}

fn append(path: &Path, text: &str) {
    let mut options = File::options();
    let mut file = options.create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// The calls in a transcript, as prompts that the hook logged 100 ms later, `copies` of each.
fn prompts(transcript: &Path, of_session: &Path, copies: i64) -> String {
    let mut lines = String::new();
    for line in fs::read_to_string(transcript).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let blocks = line["message"]["content"].as_array().cloned();
        for block in blocks.unwrap_or_default() {
            if block["type"] != "tool_use" {
                continue;
            }
            let at: DateTime<Utc> = line["timestamp"].as_str().unwrap().parse().unwrap();
            for copy in 0..copies {
                lines += &prompt(
                    &line,
                    &block,
                    at + TimeDelta::milliseconds(100 + copy),
                    of_session,
                );
            }
        }
    }
    lines
}

fn prompt(line: &Value, block: &Value, at: DateTime<Utc>, transcript: &Path) -> String {
    let tool = block["name"].as_str().unwrap();
    let micros = at.timestamp_micros();
    let mut event = json!({
        "v": 1, "id": format!("{micros:032x}"), "ts": clock::timestamp(at),
        "kind": "permission_asked", "session_id": line["sessionId"], "session_kind": "interactive",
        "project": "shop", "cwd": "/home/dev/shop", "source": "hook", "tool_name": tool,
        "subject": "npm test", "reach": "reads", "input_digest": digest(tool, &block["input"]),
        "suggestions": [], "transcript": transcript,
    });
    if line["agentId"].is_string() {
        event["agent_id"] = line["agentId"].clone();
    }
    format!("{event}\n")
}

fn read_new_decisions(home: &Home) -> TranscriptSummary {
    let mut writer = home.writer(ZONE);
    writer.ingest(&Progress::default()).unwrap();
    writer
        .read_transcripts(now(), &Progress::default())
        .unwrap()
}

#[test]
fn decisions_come_with_the_log() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-bash-esc");
    home.append("2026-11-21.jsonl", prompts(&path, &path, 1).as_bytes());
    home.ingest(ZONE);
    assert_eq!(home.texts(PROMPTS), ["open"]);
    assert!(has_undecided(&home.store(), now()).unwrap());
    let decisions = read_new_decisions(&home);
    assert_eq!((decisions.files, decisions.refused), (1, 1));
    assert_eq!(home.texts(PROMPTS), ["refused rejected 1.0"]);
    let segment = home.segment("import-claude-code-2026-11-22.jsonl");
    let logged = fs::read(&segment).unwrap();
    // Nothing is left to look at, and a store that is computed again says the same.
    assert!(!has_undecided(&home.store(), now()).unwrap());
    assert_eq!(read_new_decisions(&home), TranscriptSummary::default());
    let before = home.dump();
    let mut writer = home.writer(ZONE);
    writer.discard();
    writer.ingest(&Progress::default()).unwrap();
    writer
        .read_transcripts(now(), &Progress::default())
        .unwrap();
    drop(writer);
    assert_same(&home.dump(), &before);
    assert_eq!(fs::read(&segment).unwrap(), logged);
    home.assert_computed(ZONE);
}

#[test]
fn sub_agents_have_transcripts_of_their_own() {
    let (home, projects) = (Home::new(), Projects::new());
    let agent = "a0bb50db658da1dfb";
    let session = projects.put("tui-subagent-bash-allow-once");
    let path = projects.put(&format!("tui-subagent-bash-allow-once.agent-{agent}"));
    home.append("2026-11-21.jsonl", prompts(&path, &session, 1).as_bytes());
    assert_eq!(read_new_decisions(&home).granted, 1);
    assert_eq!(home.texts(PROMPTS), [format!("granted once {agent}")]);
}

#[test]
fn a_prompt_logged_twice_is_one() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-bash-no-with-feedback");
    home.append("2026-11-21.jsonl", prompts(&path, &path, 2).as_bytes());
    home.ingest(ZONE);
    assert_eq!(home.texts(PROMPTS), ["open"]);
    assert_eq!(read_new_decisions(&home).refused, 1);
    assert_eq!(home.texts(PROMPTS), ["refused feedback 3.0"]);
    let words = home.texts("SELECT free_text FROM permission_prompts");
    assert_eq!(words, ["use pnpm instead"]);
}

#[test]
fn identical_calls_side_by_side_are_ambiguous() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-two-parallel-identical-bash");
    home.append("2026-11-21.jsonl", prompts(&path, &path, 1).as_bytes());
    let decisions = read_new_decisions(&home);
    assert_eq!((decisions.granted, decisions.refused), (1, 1));
    assert_eq!(
        home.texts(PROMPTS),
        ["ambiguous once", "ambiguous rejected"]
    );
}

#[test]
fn what_was_read_is_not_read_again() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-bash-allow-once");
    let prompted = prompts(&path, &path, 1);
    let session = fs::read_to_string(&path).unwrap();
    // A long session, whose last prompt is not decided yet.
    let filling = format!(
        "{{\"type\":\"progress\",\"data\":\"{}\"}}\n",
        "x".repeat(64 * 1024)
    );
    append(&path, &filling.repeat(128));
    let used = session
        .lines()
        .find(|line| line.contains("\"tool_use\""))
        .unwrap();
    let result = session
        .lines()
        .find(|line| line.contains("\"tool_result\""))
        .unwrap();
    let later = |line: &str| {
        let line = line.replace("toolu_1795302015974442", "toolu_later");
        line.replace("T23:00", "T23:30") + "\n"
    };
    append(&path, &later(used));
    home.append("2026-11-21.jsonl", prompted.as_bytes());
    let block = json!({"name": "Bash",
        "input": {"command": "npm test", "description": "Run the tests"}});
    let line: Value = serde_json::from_str(used).unwrap();
    let at = "2026-11-21T23:30:17Z".parse().unwrap();
    home.append(
        "2026-11-21.jsonl",
        prompt(&line, &block, at, &path).as_bytes(),
    );
    let whole = read_new_decisions(&home);
    assert!(whole.bytes > 8 * 1024 * 1024, "{whole:?}");
    assert_eq!(home.texts(PROMPTS), ["granted once", "open"]);
    assert_eq!(read_new_decisions(&home), TranscriptSummary::default());
    // Half a line is left for the next time.
    let result = later(result);
    let (half, rest) = result.split_at(result.len() / 2);
    append(&path, half);
    assert_eq!(read_new_decisions(&home).granted, 0);
    append(&path, rest);
    let decisions = read_new_decisions(&home);
    assert_eq!(decisions.granted, 1);
    assert!(decisions.bytes < 2 * 1024 * 1024, "{decisions:?}");
    assert_eq!(home.texts(PROMPTS), ["granted once", "granted once"]);
}

#[test]
fn a_transcript_that_was_written_again_is_read_from_its_start() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-bash-esc");
    let session = fs::read_to_string(&path).unwrap();
    let used = session
        .lines()
        .position(|line| line.contains("\"tool_use\""))
        .unwrap();
    let first: Vec<&str> = session.lines().take(used + 1).collect();
    let first = first.join("\n") + "\n";
    // As it was when somebody looked: longer, and without the decision.
    let other = format!(
        "{{\"type\":\"progress\",\"data\":\"{}\"}}\n",
        "x".repeat(8 * 1024)
    );
    put(&path, (first.clone() + &other).as_bytes());
    home.append("2026-11-21.jsonl", prompts(&path, &path, 1).as_bytes());
    assert_eq!(read_new_decisions(&home).refused, 0);
    put(
        &path,
        (session.clone() + &other.replace('x', "y")).as_bytes(),
    );
    assert_eq!(read_new_decisions(&home).refused, 1);
    assert_eq!(home.texts(PROMPTS), ["refused rejected 1.0"]);
}

#[test]
fn only_ordinary_transcripts_are_opened() {
    let (home, projects) = (Home::new(), Projects::new());
    let real = projects.put("tui-bash-esc");
    let folder = projects.0.path();
    let (pipe, link) = (folder.join("pipe.jsonl"), folder.join("link.jsonl"));
    let status = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(status.success());
    std::os::unix::fs::symlink(&real, &link).unwrap();
    fs::create_dir(folder.join("folder.jsonl")).unwrap();
    fs::copy(&real, folder.join("notes.txt")).unwrap();
    let paths = [
        pipe,
        link,
        folder.join("folder.jsonl"),
        folder.join("notes.txt"),
        folder.join("gone.jsonl"),
        PathBuf::from("relative.jsonl"),
    ];
    for (number, path) in paths.iter().enumerate() {
        let line = prompts(&real, path, 1);
        let line = line.replace("\"id\":\"00", &format!("\"id\":\"{number}0"));
        home.append("2026-11-21.jsonl", line.as_bytes());
    }
    let decisions = read_new_decisions(&home);
    assert_eq!((decisions.files, decisions.unreadable_files.len()), (0, 6));
    // Prompts that are long past are not looked after.
    let much_later = now() + TimeDelta::days(31);
    assert!(!has_undecided(&home.store(), much_later).unwrap());
}
