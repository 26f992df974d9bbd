//! How prompts were decided, read from transcripts when the store is brought up to date.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock;
use plantune_domain::permissions::digest;
use plantune_ingest::claude_code::Summary;
use plantune_ingest::{Progress, has_undecided};
use serde_json::{Value, json};

use crate::home::{Home, assert_same, put};

const ZONE: &str = "UTC";

/// What was asked and how it ended.
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

fn read(home: &Home) -> Summary {
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
    let decisions = read(&home);
    assert_eq!((decisions.files, decisions.refused), (1, 1));
    assert_eq!(home.texts(PROMPTS), ["refused rejected 1.0"]);
    let segment = home.segment("import-claude-code-2026-11-22.jsonl");
    let logged = fs::read(&segment).unwrap();
    // Nothing is left to look at, and a store that is computed again says the same.
    assert!(!has_undecided(&home.store(), now()).unwrap());
    assert_eq!(read(&home), Summary::default());
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
    assert_eq!(read(&home).granted, 1);
    assert_eq!(home.texts(PROMPTS), [format!("granted once {agent}")]);
}

#[test]
fn a_prompt_logged_twice_is_one() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-bash-no-with-feedback");
    home.append("2026-11-21.jsonl", prompts(&path, &path, 2).as_bytes());
    home.ingest(ZONE);
    assert_eq!(home.texts(PROMPTS), ["open"]);
    assert_eq!(read(&home).refused, 1);
    assert_eq!(home.texts(PROMPTS), ["refused feedback 3.0"]);
    let words = home.texts("SELECT free_text FROM permission_prompts");
    assert_eq!(words, ["use pnpm instead"]);
}

#[test]
fn identical_calls_side_by_side_are_ambiguous() {
    let (home, projects) = (Home::new(), Projects::new());
    let path = projects.put("tui-two-parallel-identical-bash");
    home.append("2026-11-21.jsonl", prompts(&path, &path, 1).as_bytes());
    let decisions = read(&home);
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
    let whole = read(&home);
    assert!(whole.bytes > 8 * 1024 * 1024, "{whole:?}");
    assert_eq!(home.texts(PROMPTS), ["granted once", "open"]);
    assert_eq!(read(&home), Summary::default());
    // Half a line is left for the next time.
    let result = later(result);
    let (half, rest) = result.split_at(result.len() / 2);
    append(&path, half);
    assert_eq!(read(&home).granted, 0);
    append(&path, rest);
    let decisions = read(&home);
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
    assert_eq!(read(&home).refused, 0);
    put(
        &path,
        (session.clone() + &other.replace('x', "y")).as_bytes(),
    );
    assert_eq!(read(&home).refused, 1);
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
    let decisions = read(&home);
    assert_eq!((decisions.files, decisions.unreadable_files.len()), (0, 6));
    // Prompts that are long past are not looked after.
    let much_later = now() + TimeDelta::days(31);
    assert!(!has_undecided(&home.store(), much_later).unwrap());
}
