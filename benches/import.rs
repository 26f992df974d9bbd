//! `plantune import claude-code` of made-up histories, beside ripgrep counting the tool's name in the same files (where
//! `rg` is installed) and beside serde_json parsing the lines that matter: whole processes, alternating, medians of one
//! run.
//!
//! Run by `make bench`. The histories are like those of a person: many sessions, or one of 400 MB; few questions, or
//! many; and each as Claude Code writes it, and with spaces as other programs do. `PLANTUNE_BENCH_TRANSCRIPTS` sets
//! their size in MiB (default 400); `cargo bench --bench import -- --write FOLDER` leaves them there.
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing
)]

#[path = "support/processes.rs"]
mod processes;

use std::env;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use processes::{alternate, head, row};
use serde::Serialize as _;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use serde_json::{Value, json};

const ROUNDS: usize = 5;

/// What a made-up history is like.
struct History {
    name: &'static str,
    sessions: u64,
    /// How many answers of the model there are for a question.
    answers_per_question: u64,
}

const HISTORIES: [History; 3] = [
    History {
        name: "few questions",
        sessions: 100,
        answers_per_question: 150,
    },
    History {
        name: "many questions",
        sessions: 400,
        answers_per_question: 3,
    },
    History {
        name: "one session",
        sessions: 1,
        answers_per_question: 40,
    },
];

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).map(PathBuf::from)
    };
    if let Some(folder) = after("--parse") {
        println!("{}", parse_what_matters(&folder));
        return;
    }
    let mib = env::var("PLANTUNE_BENCH_TRANSCRIPTS").ok();
    let mib: u64 = mib.and_then(|mib| mib.parse().ok()).unwrap_or(400);
    let made = tempfile::tempdir().unwrap();
    let kept = after("--write");
    let folder = kept.as_deref().unwrap_or(made.path());
    for history in &HISTORIES {
        for is_spaced in [false, true] {
            let spacing = if is_spaced { "spaced" } else { "compact" };
            let name = format!("{mib} MiB, {}, {spacing}", history.name);
            let transcripts = folder.join(&name).join("projects");
            write(&transcripts, history, mib, is_spaced);
            if kept.is_none() {
                measure(&name, &transcripts, &made.path().join("home"));
                fs::remove_dir_all(&transcripts).unwrap();
            }
        }
    }
}

fn measure(name: &str, transcripts: &Path, home: &Path) {
    let import = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .args(["import", "claude-code"])
            .arg(transcripts)
            .env("HOME", home)
            .env("PLANTUNE_HOME", home.join("plantune"))
            .env("TZ", "UTC");
        command
    };
    let first = || {
        let _ = fs::remove_dir_all(home);
        import()
    };
    let parse = || {
        let mut command = Command::new(env::current_exe().unwrap());
        command.arg("--parse").arg(transcripts);
        command
    };
    let count = || {
        let mut command = Command::new("rg");
        command.args(["-c", "AskUserQuestion"]).arg(transcripts);
        command.env("PATH", env::var_os("PATH").unwrap_or_default());
        command
    };
    // The last round's first import is what `again` finds.
    let mut commands: Vec<(&str, &dyn Fn() -> Command)> = vec![
        ("serde_json, the lines that matter", &parse),
        ("plantune import", &first),
        ("plantune import, nothing new", &import),
    ];
    if Command::new("rg").arg("--version").output().is_ok() {
        commands.push(("rg -c AskUserQuestion", &count));
    }
    let run: Vec<&dyn Fn() -> Command> = commands.iter().map(|(_, command)| *command).collect();
    let measured = alternate(ROUNDS, &run);
    head(name);
    for ((name, _), one) in commands.iter().zip(&measured) {
        row(name, one, &measured[0]);
    }
}

/// Parses each line that names the question tool, a decision or an error, and returns how many there are: what any
/// program must do that wants to know what a history says, on one processor.
fn parse_what_matters(folder: &Path) -> usize {
    let words = ["AskUserQuestion", "\"user_temporary\"", "\"is_error\""];
    let mut parsed = 0;
    for project in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(project.unwrap().path()).unwrap() {
            for line in BufReader::new(File::open(file.unwrap().path()).unwrap()).lines() {
                let line = line.unwrap();
                let matters = words.iter().any(|word| line.contains(word));
                parsed += usize::from(matters && serde_json::from_str::<Value>(&line).is_ok());
            }
        }
    }
    parsed
}

/// Writes a space after each colon and comma, as Python does.
struct Spaced;

impl Formatter for Spaced {
    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        is_first: bool,
    ) -> std::io::Result<()> {
        self.begin_array_value(writer, is_first)
    }

    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        is_first: bool,
    ) -> std::io::Result<()> {
        writer.write_all(if is_first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
    ) -> std::io::Result<()> {
        writer.write_all(b": ")
    }
}

/// One transcript on its way to a file.
struct Session {
    file: BufWriter<File>,
    is_spaced: bool,
    id: String,
    project: String,
    written: u64,
    /// How many lines of all sessions there are.
    line: u64,
}

impl Session {
    fn put(&mut self, kind: &str, message: &Value, more: &Value) {
        self.line += 1;
        let (hours, seconds) = (self.line / 240 % 24, self.line % 240 * 15);
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        let mut line = json!({"parentUuid": null, "isSidechain": false, "userType": "external", "cwd": self.project,
            "sessionId": self.id, "version": "2.1.330", "gitBranch": "main", "entrypoint": "cli", "type": kind,
            "uuid": format!("u-{}", self.line), "message": message, "promptId": format!("p-{}", self.line / 40),
            "timestamp": format!("2026-10-{:02}T{hours:02}:{minutes:02}:{seconds:02}.000Z", 1 + self.line / 5760 % 28)});
        for (name, value) in more.as_object().into_iter().flatten() {
            line[name] = value.clone();
        }
        let mut text = Vec::new();
        match self.is_spaced {
            true => line.serialize(&mut Serializer::with_formatter(&mut text, Spaced)),
            false => line.serialize(&mut Serializer::with_formatter(&mut text, CompactFormatter)),
        }
        .unwrap();
        text.push(b'\n');
        self.file.write_all(&text).unwrap();
        self.written += text.len() as u64;
    }

    fn answer(&mut self, id: &str, block: &Value) {
        let message = json!({"id": format!("msg_{id}"), "type": "message", "role": "assistant", "model": "m",
            "content": [block], "stop_reason": null});
        self.put("assistant", &message, &Value::Null);
    }

    fn result(&mut self, id: &str, content: &str, is_error: bool, more: &Value) {
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
        self.put("user", &json!({"role": "user", "content": [block]}), more);
    }

    /// A question and its answer.
    fn question(&mut self, number: u64) {
        let id = format!("toolu_q{number}");
        let text = format!("Module {number} changed. Which tests should run before we go on?");
        let input = json!({"questions": [{"question": text, "header": "Tests", "multiSelect": false, "options":
            [{"label": "Full suite", "description": "all of them"}, {"label": "Affected tests", "description": "fewer"}]}]});
        self.answer(
            &id,
            &json!({"type": "tool_use", "id": id, "name": "AskUserQuestion", "input": input}),
        );
        let more = json!({"toolUseResult": {"questions": input["questions"], "answers": {text.clone(): "Full suite"}}});
        let said = format!(
            "User has answered your questions: \"{text}\"=\"Full suite\". You can now continue."
        );
        self.result(&id, &said, false, &more);
    }

    /// A command and its output. One of ten was asked about, and one of ten failed.
    fn command(&mut self, number: u64, output: &str) {
        let id = format!("toolu_c{number}");
        let input = json!({"command": format!("npm run build -- --module {number}"), "description": "Build it"});
        self.answer(
            &id,
            &json!({"type": "tool_use", "id": id, "name": "Bash", "input": input}),
        );
        let mut more =
            json!({"toolUseResult": {"stdout": output, "stderr": "", "interrupted": false}});
        match number % 10 {
            0 => {
                more["permissionDecision"] =
                    json!({"decision": "accept", "source": "user_temporary", "grantScope": "once"});
            }
            1 => {}
            _ => more["permissionDecision"] = json!({"decision": "accept", "source": "config"}),
        }
        self.result(&id, output, number % 10 == 1, &more);
    }
}

/// Writes `history` into `folder`: `mib` in all, the same each time.
fn write(folder: &Path, history: &History, mib: u64, is_spaced: bool) {
    let output = "lorem ipsum \"dolor\" sit amet\n".repeat(60);
    let (mut number, mut line) = (0, 0);
    for session in 0..history.sessions {
        let project = folder.join(format!("-home-dev-project-{}", session % 40));
        fs::create_dir_all(&project).unwrap();
        let id = format!("00000000-0000-4000-8000-{session:012x}");
        let file = File::create(project.join(format!("{id}.jsonl"))).unwrap();
        let mut session = Session {
            file: BufWriter::new(file),
            is_spaced,
            id,
            project: format!("/home/dev/project-{}", session % 40),
            written: 0,
            line,
        };
        while session.written < mib * 1024 * 1024 / history.sessions {
            number += 1;
            match number % history.answers_per_question {
                0 => session.question(number),
                _ if number % 7 == 0 => {
                    let text = json!({"type": "text", "text": output});
                    session.answer(&format!("t{number}"), &text);
                }
                _ => session.command(number, &output),
            }
        }
        line = session.line;
    }
}
