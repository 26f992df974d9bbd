//! `plantune debug demo`: the whole loop on a sample history, in a folder that is thrown away.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chrono::DateTime;
use plantune_agents::claude_code;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_reports::text::{clean, wrap};
use plantune_settings::installed_hook;
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::print;

/// Four made-up projects, ten weeks (scripts/sample_history.py).
const HISTORY: &str = include_str!("../../demo/sample-history.jsonl");

/// Their permission prompts (scripts/sample_permissions.py).
const PROMPTS: &str = include_str!("../../demo/sample-permissions.jsonl");

/// The time after the history's end, at which the demonstration plays.
const NOW: &str = "2026-11-20T16:00:00Z";

/// The place of a value, after its name.
const INDENT: &str = "                      ";

/// The habit that the demonstration accepts, and the question it asks then.
const KEY: &str = "test-scope";
const PROJECT: &str = "billing-api";
const QUESTION: &str = "<plantune:test-scope> Image sizes changed. Which tests should run?";

/// The label that the demonstration types to accept it.
const ANSWER: &str = "Full suite";

/// Runs a line of words in an environment, as if it had been typed there.
pub(crate) type RunWords = fn(&[&str], &Environment) -> Result<(), Failure>;

/// Plays the loop by `run`: import, report, suggest, accept, answer.
///
/// # Errors
/// When the hook is not there, or the temporary folder cannot be written.
pub(crate) fn run(session: &Session, run: RunWords) -> Result<(), Failure> {
    // `make demo` names the hook it built, which does not lie beside plantune.
    let hook = match std::env::var_os("PLANTUNE_HOOK").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => installed_hook::our_hook()?,
    };
    let folder = tempfile::tempdir()?;
    let stage = Stage::set(folder.path(), session, run)?;
    print("A sample history: four made-up projects, ten weeks of questions and prompts.\n")?;
    stage.play(
        &[
            "import",
            "claude-code",
            &stage.transcripts.to_string_lossy(),
        ],
        "import claude-code",
    )?;
    stage.play(&["report"], "report")?;
    stage.play(&["suggest"], "suggest")?;
    stage.play(
        // The hook is called directly, so that nothing needs to be installed.
        &[
            "--quiet", "suggest", "--apply", "--yes", "--only", KEY, "--answer", ANSWER,
        ],
        &format!("suggest --apply --only {KEY} --yes --answer {ANSWER:?}"),
    )?;
    stage.ask(&hook)?;
    print(
        "\nThat was the demo; its folder is deleted. For your own questions:\n\n  \
         plantune report     see what stopped you, and what it cost you\n  \
         plantune suggest    see what plantune could answer for you\n  \
         plantune install    log what comes, and answer what you accept\n",
    )
}

/// The folder the demonstration plays in.
struct Stage {
    environment: Environment,
    work: PathBuf,
    transcripts: PathBuf,
    run: RunWords,
}

impl Stage {
    fn set(folder: &Path, session: &Session, run: RunWords) -> Result<Self, Failure> {
        let work = folder.join("work");
        let transcripts = folder.join("claude/projects");
        let mut sessions: BTreeMap<PathBuf, String> = BTreeMap::new();
        for line in HISTORY.lines().chain(PROMPTS.lines()) {
            let line = line.replace("@WORK@", &work.to_string_lossy());
            let event: Value = serde_json::from_str(&line)?;
            let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
            let project = text("cwd")
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .to_owned();
            let session = transcripts
                .join(&project)
                .join(format!("{}.jsonl", text("sessionId")));
            let file = sessions.entry(session).or_default();
            file.push_str(&line);
            file.push('\n');
            make_repository(&work.join(project))?;
        }
        for (path, text) in sessions {
            write(&path, &text)?;
        }
        let now = DateTime::parse_from_rfc3339(NOW)?.to_utc();
        Ok(Self {
            environment: Environment {
                paths: Paths::below(folder.join("plantune")),
                now,
                // Nothing of the user's is changed here, so there is nobody to protect.
                agent_session: None,
                is_unattended: true,
                transcripts: None,
                colour: session.colour,
                time_zone: session.time_zone,
                width: session.width,
            },
            work,
            transcripts,
            run,
        })
    }

    /// Runs plantune with `words`, showing `shown` as what a person would have typed.
    fn play(&self, words: &[&str], shown: &str) -> Result<(), Failure> {
        print(&format!("\n$ plantune {shown}\n"))?;
        // Each is a run of its own.
        (self.run)(words, &self.environment)
    }

    /// Feeds the hook the question whose answer was accepted, as Claude Code would.
    fn ask(&self, hook: &Path) -> Result<(), Failure> {
        let call = json!({
            "session_id": "demo", "hook_event_name": claude_code::ASKING, "tool_name": claude_code::TOOL,
            "cwd": self.work.join(PROJECT), "tool_use_id": "toolu_demo",
            "tool_input": {"questions": [{
                "question": QUESTION, "header": "Tests", "multiSelect": false,
                "options": [
                    {"label": "Only affected tests (Recommended)", "description": ""},
                    {"label": "Full suite", "description": ""},
                    {"label": "None for now", "description": ""},
                ],
            }]},
        });
        print(&format!(
            "\nNow Claude Code asks again, and the hook is called first:\n\n  {QUESTION}\n"
        ))?;
        let mut process = Command::new(hook)
            .env("PLANTUNE_HOME", self.environment.paths.data())
            .env_remove("PLANTUNE_DISABLE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::failed(format!("{}: {error}", hook.display())))?;
        if let Some(mut input) = process.stdin.take() {
            input.write_all(call.to_string().as_bytes())?;
        }
        let printed = process.wait_with_output()?.stdout;
        let decision: Value = serde_json::from_slice(&printed).map_err(|_| {
            Failure::failed(format!("{} did not answer the question", hook.display()))
                .hint("build the hook and plantune from the same source: make demo")
        })?;
        let at = |path: &str| match decision.pointer(path) {
            Some(Value::String(text)) => text.clone(),
            other => other.map(ToString::to_string).unwrap_or_default(),
        };
        let columns = self.environment.width.saturating_sub(INDENT.len());
        let shown = [
            (
                "permissionDecision",
                at("/hookSpecificOutput/permissionDecision"),
            ),
            ("answers", at("/hookSpecificOutput/updatedInput/answers")),
            ("you are shown", at("/systemMessage")),
        ];
        for (name, text) in shown {
            let lines = wrap(&clean(&text), columns).join(&format!("\n{INDENT}"));
            print(&format!("\n  {name:20}{lines}"))?;
        }
        print("\n")
    }
}

/// Just enough of a repository for a project to have a name.
fn make_repository(project: &Path) -> Result<(), Failure> {
    let config = project.join(".git/config");
    if config.exists() {
        return Ok(());
    }
    let name = project.file_name().unwrap_or_default().to_string_lossy();
    write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    write(
        &config,
        &format!("[remote \"origin\"]\n\turl = https://github.com/sample/{name}.git\n"),
    )
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        create_private_dir(folder)?;
    }
    Ok(fs::File::create(path)?.write_all(text.as_bytes())?)
}
