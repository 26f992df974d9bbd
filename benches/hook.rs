//! The hook beside `/bin/true`: whole processes, started the same way, interleaved.
//!
//! Run by `make bench`. A figure is the ratio of medians of one run; nothing is compared with
//! figures of another day.
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use plantune_domain::agreement::agreement::{Agreement, Asking, Given};

const ROUNDS: usize = 400;

/// The call that Claude Code makes several times a second. The segments are long by then, so that as much of
/// them is read as ever is.
const STATUS_LINE: &str = "status line";

fn main() {
    let hook = PathBuf::from(
        std::env::var("PLANTUNE_HOOK").expect("PLANTUNE_HOOK names the hook to measure"),
    );
    let home = tempfile::tempdir().unwrap();
    let repository = home.path().join("work/shop");
    fs::create_dir_all(repository.join(".git")).unwrap();
    fs::create_dir_all(repository.join("src/deep/er")).unwrap();
    write(&repository.join(".git/HEAD"), "ref: refs/heads/main\n");
    write(
        &repository.join(".git/config"),
        "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@github.com:dev/shop.git\n",
    );
    let plantune = home.path().join("plantune");
    write_preferences(&plantune);
    let cwd = repository.join("src/deep/er");
    println!(
        "{:28} {:>9} {:>9} {:>6}",
        "event", "true µs", "hook µs", "ratio"
    );
    for (name, call) in calls(&cwd) {
        let mut base = Vec::with_capacity(ROUNDS);
        let mut ours = Vec::with_capacity(ROUNDS);
        let mut printed = 0;
        for round in 0..ROUNDS {
            // A new id a round, so that nothing is answered twice.
            let call = call.replace("ROUND", &round.to_string());
            let words: &[&str] = if name == STATUS_LINE {
                &["--statusline"]
            } else {
                &[]
            };
            base.push(time(Path::new("/bin/true"), &plantune, &call, words).0);
            let (taken, prints) = time(&hook, &plantune, &call, words);
            ours.push(taken);
            printed += usize::from(prints);
        }
        // But for spot checks.
        let answers = name.starts_with("PreToolUse, answers") || name == STATUS_LINE;
        assert!(!answers || printed > ROUNDS / 2, "{printed} answered");
        let (base, ours) = (median(base), median(ours));
        println!(
            "{name:28} {:>9.0} {:>9.0} {:>6.2}",
            base.as_secs_f64() * 1e6,
            ours.as_secs_f64() * 1e6,
            ours.as_secs_f64() / base.as_secs_f64()
        );
    }
    println!("binary: {} bytes", fs::metadata(&hook).unwrap().len());
    println!(
        "resident: {} KiB at most",
        resident(&hook, &plantune, &calls(&cwd)[1].1)
    );
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path)
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
}

/// Two thousand preferences, everywhere, as `suggest` writes them: each with an agreement of one to five texts, and the
/// evidence. The one that decides stands last.
fn write_preferences(home: &Path) {
    let options = ["Create it (recommended)", "Skip"].map(str::to_owned);
    let descriptions = ["makes a skeleton", "no file"].map(str::to_owned);
    let entry = |number: usize, key: &str, text: &str| {
        let texts: Vec<String> = ["", " in the shop", " in the blog", " here", " there"]
            .iter()
            .take(1 + number % 5)
            .map(|place| format!("{text}{place}. Create one?"))
            .collect();
        let given = texts.iter().map(|text| Given {
            asking: Asking {
                host: Some("AskUserQuestion"),
                text,
                header: "TODOs",
                options: &options,
                descriptions: &descriptions,
                ..Asking::default()
            },
            label: "Skip",
            session: text,
        });
        let agreement = Agreement::of(&given.collect::<Vec<_>>()).unwrap();
        format!(
            r#"    "{key}": {{
      "preference": "never-ask",
      "answer": "Skip",
      "key_source": "marker",
      "question": "{text}. Create one?",
      "header": "TODOs",
      "options": [
        "Create it (recommended)",
        "Skip"
      ],
      "agreement": {},
      "set_at": "2026-11-01T10:00:00.000Z",
      "set_by": "suggest",
      "evidence": {{
        "answers": 12,
        "agreed": 12,
        "sessions": 9,
        "days": 8,
        "first": "2026-08-01T10:00:00.000Z",
        "last": "2026-10-31T10:00:00.000Z"
      }}
    }}"#,
            serde_json::to_string(&agreement).unwrap()
        )
    };
    let mut entries: Vec<String> = (0..1999)
        .map(|n| {
            let key = format!("some-question-{n:04}");
            entry(n, &key, &format!("No notes found in chapter {n}"))
        })
        .collect();
    entries.push(entry(1999, "ship-todos-create", "No TODOS.md found"));
    let text = format!(
        "{{\n  \"version\": 2,\n  \"preferences\": {{\n{}\n  }}\n}}\n",
        entries.join(",\n")
    );
    write(&home.join("preferences.json"), &text);
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(
        home.join("preferences.json"),
        fs::Permissions::from_mode(0o600),
    )
    .unwrap();
}

fn calls(cwd: &Path) -> Vec<(&'static str, String)> {
    let cwd = cwd.display();
    let input = |key: &str| {
        format!(
            r#"{{"questions":[{{"question":"<gstack-qid:{key}> No TODOS.md found. Create one?","header":"TODOs","options":[{{"label":"Create it (recommended)","description":"makes a skeleton"}},{{"label":"Skip","description":"no file"}}],"multiSelect":false}}]}}"#
        )
    };
    let common = format!(
        r#""session_id":"125f8e5c-7e58-454d-a1f8-d537f7695fd4","transcript_path":"/t","cwd":"{cwd}","permission_mode":"default""#
    );
    let tool = |event: &str, key: &str, rest: &str| {
        format!(
            r#"{{{common},"hook_event_name":"{event}","tool_name":"AskUserQuestion","tool_input":{},"tool_use_id":"toolu_ROUND"{rest}}}"#,
            input(key)
        )
    };
    // Four times the options are about four times the work, the start of the process and its preferences aside.
    let many = |count: usize| {
        let options: Vec<String> = (0..count)
            .map(|at| format!(r#"{{"label":"Option {at}","description":"number {at}"}}"#))
            .collect();
        let skip = r#"{"label":"Skip","description":"no file"}"#;
        tool("PreToolUse", "ship-todos-create", "").replace(skip, &options.join(","))
    };
    let answers = r#","tool_response":{"questions":[],"answers":{"<gstack-qid:other> No TODOS.md found. Create one?":"Skip"}}"#;
    vec![
        ("PreToolUse, asks", tool("PreToolUse", "other", "")),
        (
            "PreToolUse, answers",
            tool("PreToolUse", "ship-todos-create", ""),
        ),
        ("PreToolUse, 1,000 options", many(1_000)),
        ("PreToolUse, 4,000 options", many(4_000)),
        ("PostToolUse", tool("PostToolUse", "other", answers)),
        (
            "PostToolUseFailure",
            tool(
                "PostToolUseFailure",
                "other",
                r#","error":"MCP error -32603: x""#,
            ),
        ),
        (
            "SessionStart",
            format!(r#"{{{common},"hook_event_name":"SessionStart","source":"startup"}}"#),
        ),
        (
            "UserPromptSubmit",
            format!(r#"{{{common},"hook_event_name":"UserPromptSubmit","prompt":"go on"}}"#),
        ),
        (
            "Stop",
            format!(r#"{{{common},"hook_event_name":"Stop","stop_hook_active":false}}"#),
        ),
        (
            "SessionEnd",
            format!(r#"{{{common},"hook_event_name":"SessionEnd","reason":"other"}}"#),
        ),
        (
            "another tool",
            format!(
                r#"{{{common},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{}}}}"#
            ),
        ),
        (
            STATUS_LINE,
            format!(
                r#"{{{common},"hook_event_name":"Status","model":{{"id":"m","display_name":"M"}},"workspace":{{"current_dir":"{cwd}","project_dir":"{cwd}"}},"cost":{{"total_cost_usd":0.1}}}}"#
            ),
        ),
        // After the status line, which finds the questions in the end of the segment.
        (
            "PermissionRequest",
            format!(
                r#"{{{common},"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{{"command":"cd src && TOKEN=abc npm test -- --watch=false | tee log","description":"Run the tests"}},"permission_suggestions":[{{"type":"addRules","rules":[{{"toolName":"Bash","ruleContent":"npm test *"}}],"behavior":"allow","destination":"localSettings"}},{{"type":"addDirectories","directories":["/home/dev/shop"],"destination":"session"}},{{"type":"setMode","mode":"acceptEdits","destination":"session"}}]}}"#
            ),
        ),
    ]
}

fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PLANTUNE_HOME", home)
        .env("CLAUDE_CODE_ENTRYPOINT", "cli")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// How long it took, and whether it printed something.
fn time(program: &Path, home: &Path, call: &str, words: &[&str]) -> (Duration, bool) {
    let start = Instant::now();
    let mut child = command(program, home).args(words).spawn().unwrap();
    // `/bin/true` may be gone before it is written to.
    let _ = child.stdin.take().unwrap().write_all(call.as_bytes());
    let output = child.wait_with_output().unwrap();
    let taken = start.elapsed();
    assert!(output.status.success());
    (taken, !output.stdout.is_empty())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The most memory the hook has had resident, in KiB, as the kernel reports it through GNU time.
fn resident(hook: &Path, home: &Path, call: &str) -> String {
    let mut child = Command::new("/usr/bin/time")
        .args(["-f", "%M"])
        .arg(hook)
        .env_clear()
        .env("PLANTUNE_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string());
    match &mut child {
        Ok(process) => {
            let _ = process.stdin.take().unwrap().write_all(call.as_bytes());
        }
        Err(error) => return format!("unknown (/usr/bin/time: {error})"),
    }
    let output = child.unwrap().wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}
