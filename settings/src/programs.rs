//! Other programs: where they are, running one for a limited time, and trying a hook out.

use std::fs::Permissions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use plantune_agents::claude_code;
use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
use plantune_domain::atomic_file;
use plantune_domain::paths::{HOME_FROM_ENVIRONMENT, Paths};
use plantune_domain::preferences::{Policy, Preference, PreferenceFile, Setter};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The first program called `name` in `PATH`; relative folders there are passed over.
pub fn in_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join(name.as_ref()));
    programs.find(|program| program.is_absolute() && is_executable(program))
}

/// True when `path` is a file that somebody may run.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0)
}

/// How long the hook may take; Claude Code waits as long.
pub const LIMIT: Duration = Duration::from_secs(5);

/// How much of a program's output is read, in bytes.
const MOST_OUTPUT: u64 = 1024 * 1024;

/// How long to wait before looking again whether a program has ended.
const PAUSE: Duration = Duration::from_millis(2);

/// Starts `command`. A program that was written a moment ago is busy while a process that was forked in between
/// still holds it open.
fn start(command: &mut Command, deadline: Instant) -> io::Result<Child> {
    loop {
        match command.spawn() {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy
                    && Instant::now() < deadline =>
            {
                thread::sleep(PAUSE);
            }
            started => return started,
        }
    }
}

/// Runs `command` with `input` (which must fit into a pipe, some kilobytes) on standard input, for
/// `limit` at most; what it writes to standard error is dropped.
///
/// # Errors
/// When it cannot be started or waited for, and, of the kind `TimedOut`, when it takes longer: then it is ended, though
/// not what it started.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> io::Result<Output> {
    let deadline = Instant::now() + limit;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = start(command, deadline)?;
    if let Some(mut stdin) = child.stdin.take() {
        // It may not want to know.
        let _ = stdin.write_all(input);
    }
    let output = read_aside(&mut child);
    let ended = wait(&mut child, deadline).and_then(|status| {
        // A grandchild can keep the pipe open after the program has ended.
        let left = deadline.saturating_duration_since(Instant::now());
        let stdout = output
            .recv_timeout(left)
            .map_err(|_| io::ErrorKind::TimedOut)?;
        Ok(Output {
            status,
            stdout,
            stderr: Vec::new(),
        })
    });
    if ended.is_err() {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

/// Reads standard output in a thread that nobody has to wait for.
fn read_aside(child: &mut Child) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure is judged like a short output.
            let _ = stdout.take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    receiver
}

fn wait(child: &mut Child, deadline: Instant) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(PAUSE);
    }
}

/// Why a hook gave no result, in words that follow its name.
pub fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut => format!("does not end within {} s", LIMIT.as_secs()),
        _ => format!("cannot be started: {error}"),
    }
}

// Trying a hook out: a plantune home of its own, and a call with a known answer.

/// The key of the question that a planted preference answers, and its answer.
const PLANTED: (&str, &str) = ("plantune-doctor", "Blue");

/// A folder with preferences of its own, gone when it is dropped.
pub struct ProbeHome(TempDir);

impl ProbeHome {
    /// A home with the planted preference.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn new() -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.permissions(Permissions::from_mode(0o700));
        let home = builder.prefix("plantune-doctor-").tempdir()?;
        let mut file = PreferenceFile::empty(None);
        let (key, answer) = PLANTED;
        file.preferences.insert(key.to_owned(), never_ask(answer));
        let path = Paths::below(home.path().to_owned()).global_preferences();
        atomic_file::replace(&path, &file.to_bytes()?, 0o600)?;
        Ok(Self(home))
    }

    /// `program`, to be run with this home and nothing else of the environment.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .args([claude_code::NAME, HOME_FROM_ENVIRONMENT])
            .env_clear()
            .env("PLANTUNE_HOME", self.0.path())
            .env(claude_code::ENTRYPOINT, "cli")
            .current_dir(self.0.path());
        command
    }

    /// The call before a question that the planted preference answers.
    pub fn planted_call(&self) -> Vec<u8> {
        let call = json!({
            "session_id": "plantune-doctor",
            "transcript_path": "",
            "cwd": self.0.path(),
            "permission_mode": "default",
            "hook_event_name": claude_code::ASKING,
            "tool_name": claude_code::TOOL,
            "tool_use_id": "toolu_planted",
            "tool_input": tool_input(PLANTED.0),
        });
        call.to_string().into_bytes()
    }
}

fn question(key: &str) -> String {
    format!("<plantune:{key}> Which colour shall the picture have?")
}

fn tool_input(key: &str) -> Value {
    json!({"questions": [{
        "question": question(key),
        "header": "Colour",
        "options": [
            {"label": "Green (Recommended)", "description": "like grass"},
            {"label": PLANTED.1, "description": "like the sky"},
        ],
        "multiSelect": false,
    }]})
}

fn never_ask(answer: &str) -> Preference {
    let options = vec!["Green (Recommended)".to_owned(), answer.to_owned()];
    let asking = Asking {
        text: "Which colour shall the picture have?",
        header: "Colour",
        options: &options,
        descriptions: &["like grass", "like the sky"].map(str::to_owned),
        ..Asking::default()
    };
    Preference {
        answer: Some(answer.to_owned()),
        key_source: Some("marker".to_owned()),
        question: Some(asking.text.to_owned()),
        agreement: Agreement::exactly(&[Given {
            asking,
            label: answer,
            session: "",
        }]),
        options: Some(options.clone()),
        set_by: Some(Setter::Prefs.to_string()),
        ..Preference::of(Policy::NeverAsk)
    }
}

/// True when what the hook `printed` makes Claude Code answer the planted call as planted: allowed,
/// the input as it was, and the answer by the question's text.
pub fn is_planted_answer(printed: &[u8]) -> bool {
    let (key, answer) = PLANTED;
    let mut wanted = tool_input(key);
    if let Some(input) = wanted.as_object_mut() {
        input.insert("answers".to_owned(), json!({question(key): answer}));
    }
    serde_json::from_slice::<Value>(printed).is_ok_and(|printed| {
        let output = |name: &str| printed.get("hookSpecificOutput")?.get(name);
        output("hookEventName") == Some(&json!(claude_code::ASKING))
            && output("permissionDecision") == Some(&json!("allow"))
            && output("updatedInput") == Some(&wanted)
    })
}

/// A call that it has no opinion on: `hook` must say nothing and exit with 0, whatever it is sent.
///
/// # Errors
/// Its behaviour, in words that follow its name.
pub fn alive(hook: &Path, home: &ProbeHome) -> Result<(), String> {
    let call = br#"{"hook_event_name":"Stop"}"#;
    match run(&mut home.command(hook), call, LIMIT) {
        Ok(ended) if !ended.status.success() => Err(format!("ends with {}", ended.status)),
        Ok(ended) if !ended.stdout.is_empty() => {
            Err("prints something where it has nothing to say".to_owned())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(words(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::session_kind::SessionKind;
    use plantune_hooks::{CallEnvironment, handle};

    fn shell(script: &str, limit: Duration) -> io::Result<Output> {
        run(Command::new("/bin/sh").args(["-c", script]), b"in", limit)
    }

    #[test]
    fn programs_that_end_and_programs_that_do_not() {
        let minute = Duration::from_secs(60);
        let ended = shell("cat; exit 3", minute).unwrap();
        assert_eq!((ended.status.code(), &*ended.stdout), (Some(3), &b"in"[..]));
        let short = Duration::from_millis(50);
        let too_slow = shell("sleep 60", short).unwrap_err();
        assert_eq!(too_slow.kind(), io::ErrorKind::TimedOut);
        let gone = run(&mut Command::new("/no/such/program"), b"", minute).unwrap_err();
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn the_hook_answers_the_planted_question_and_no_other() {
        let home = ProbeHome::new().unwrap();

        let environment = CallEnvironment {
            agent: &claude_code::ClaudeCode,
            paths: Paths::below(home.0.path().to_owned()),
            now: plantune_domain::clock::now(),
            session_kind: SessionKind::Interactive,
            entrypoint: None,
            project_root: None,
            disabled: false,
            by_plugin: false,
        };
        let printed = handle(&home.planted_call(), &environment).unwrap();
        assert!(is_planted_answer(printed.as_bytes()), "{printed}");
        for wrong in [
            printed.replace("\"allow\"", "\"defer\""),
            printed.replace("Blue", "Green"),
            printed.replace("grass", "moss"),
            String::new(),
        ] {
            assert!(!is_planted_answer(wrong.as_bytes()), "{wrong}");
        }
    }
}
