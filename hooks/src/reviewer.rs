//! The user's own reviewer program, which is asked when no preference decides. It may answer, deny the question with a
//! message for the model, or abstain. Off unless `config.toml` sets `reviewer`. For its input and output, see
//! `docs/settings.md`.

use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::question::Question;
use plantune_domain::recommended::same_label;
use plantune_domain::secrets::masked;
use plantune_domain::{hash, private_file};
use serde_json::Value;
use serde_json::value::RawValue;

/// How often a reviewer is asked in one session. The limit ends a loop of questions and refusals.
const MOST_REVIEWS: u64 = 10;

/// A reviewer's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Review {
    /// One label per question, as offered.
    Answer(Vec<String>),
    /// The question is not to be asked, with a message for the model.
    Deny(String),
    /// The person is asked.
    Abstain,
}

/// True when this session may run its reviewer once more; also counts the run. False when the run cannot be counted, or
/// when this process was started by a reviewer.
///
/// The count is the length of a file. It stays when the session ends, so that a resumed session continues the count.
pub(crate) fn may_run(paths: &Paths, session: &str) -> bool {
    if std::env::var_os(REVIEWING).is_some() {
        return false;
    }
    let folder = paths.sessions().join(hash::hex(&["reviews", session]));
    let made = create_private_dir(&folder);
    let Ok(mut file) = made.and_then(|()| private_file::append(&folder.join("count"))) else {
        return false;
    };
    // Two hooks may append at once. The position after the write tells each which run its byte counts.
    file.metadata().is_ok_and(|kind| kind.len() < MOST_REVIEWS)
        && file.write_all(b".").is_ok()
        && file
            .stream_position()
            .is_ok_and(|count| count <= MOST_REVIEWS)
}

/// The reviewer's input: one JSON object with the `asked` events of the call (lines, as in the log) and the tool's
/// input as sent.
pub(crate) fn input(asked: &[u8], tool_input: Option<&RawValue>) -> Vec<u8> {
    let mut input = b"{\"version\":1,\"questions\":[".to_vec();
    let lines = asked.trim_ascii_end();
    input.extend(
        lines
            .iter()
            .map(|byte| if *byte == b'\n' { b',' } else { *byte }),
    );
    input.extend_from_slice(b"],\"tool_input\":");
    input.extend_from_slice(tool_input.map_or("null", RawValue::get).as_bytes());
    input.extend_from_slice(b"}\n");
    input
}

/// The reviewer's decision about `questions`. Empty output means that it abstains.
///
/// # Errors
/// Why the output is not a valid answer.
pub(crate) fn read(output: &[u8], questions: &[Question]) -> Result<Review, String> {
    if output.trim_ascii().is_empty() {
        return Ok(Review::Abstain);
    }
    let output: Value = serde_json::from_slice(output).map_err(|error| error.to_string())?;
    let text = |name: &str| output.get(name).and_then(Value::as_str);
    match text("decision") {
        Some("abstain") => Ok(Review::Abstain),
        Some("deny") => match text("feedback").map(str::trim) {
            Some(feedback) if !feedback.is_empty() => Ok(Review::Deny(feedback.to_owned())),
            _ => Err("deny without feedback".to_owned()),
        },
        Some("answer") => answers(output.get("answers"), questions).map(Review::Answer),
        _ => Err("the decision must be answer, deny or abstain".to_owned()),
    }
}

/// The offered label of each question that `answers` names, in the order of the questions.
fn answers(answers: Option<&Value>, questions: &[Question]) -> Result<Vec<String>, String> {
    let Some(Value::Array(answers)) = answers else {
        return Err("answer without a list of answers".to_owned());
    };
    if answers.len() != questions.len() {
        let (given, asked) = (answers.len(), questions.len());
        return Err(format!("{given} answers to {asked} questions"));
    }
    let label = |(question, answer): (&Question, &Value)| {
        let wanted = &*masked(answer.as_str().ok_or("an answer is not a text")?);
        let mut offered = question.sent.options.iter();
        let mut offered = offered.by_ref().filter(|label| same_label(label, wanted));
        match (offered.next(), offered.next()) {
            (Some(label), None) => Ok(label.clone()),
            _ => Err("an answer is not one of the options"),
        }
    };
    let labels: Result<_, &str> = questions.iter().zip(answers).map(label).collect();
    labels.map_err(str::to_owned)
}

// Running the reviewer: without a shell, for a bounded time, with bounded input and output. The
// only place in the hook that starts a program and waits.

/// How long a reviewer may take: Claude Code stops the hook after five seconds, and what it decided must be printed before.
const LIMIT: Duration = Duration::from_secs(3);

/// Set for the reviewer: a hook below it asks no reviewer, so that none can wait for another.
pub(crate) const REVIEWING: &str = "PLANTUNE_REVIEWING";

/// The size limit of a reviewer's input, in bytes.
const MOST_INPUT: usize = 256 * 1024;

/// The size limit of a reviewer's output, in bytes.
const MOST_OUTPUT: usize = 64 * 1024;

/// The interval between checks whether the program has exited, once its output has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// The output of `command` for `input`, within three seconds. The program and all it started in its
/// process group are killed when it is done, or out of time.
///
/// # Errors
/// Why there is no answer, in words: it could not be started, took too long, wrote too much, or
/// failed.
pub(crate) fn run(command: &[String], input: &[u8]) -> Result<Vec<u8>, String> {
    if input.len() > MOST_INPUT {
        return Err(format!(
            "the call has {} bytes, too many to review",
            input.len()
        ));
    }
    let deadline = Instant::now() + LIMIT;
    let (mut child, stream) = start(command, REVIEWING).map_err(|error| error.to_string())?;
    let output = exchange(stream, input, deadline).and_then(|output| {
        wait(&mut child, deadline)?;
        Ok(output)
    });
    // Processes that it left running are killed with it, with or without an answer.
    kill_group(&mut child);
    let _ = child.try_wait();
    output
}

/// Writes `input` and reads the whole output.
fn exchange(mut stream: UnixStream, input: &[u8], deadline: Instant) -> Result<Vec<u8>, String> {
    let mut rest = input;
    while !rest.is_empty() {
        stream
            .set_write_timeout(Some(left(deadline)?))
            .map_err(|error| error.to_string())?;
        match stream.write(rest) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            // The program may answer without reading all of its input.
            Err(error) if is_closed(&error) => break,
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    // The other side may already be closed.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut output = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        stream
            .set_read_timeout(Some(left(deadline)?))
            .map_err(|error| error.to_string())?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(output),
            Ok(read) => output.extend_from_slice(buffer.get(..read).unwrap_or_default()),
            Err(error) if is_closed(&error) => return Ok(output),
            Err(error) if is_timeout(&error) => {}
            Err(error) => return Err(error.to_string()),
        }
        if output.len() > MOST_OUTPUT {
            return Err(format!("wrote more than {MOST_OUTPUT} bytes"));
        }
    }
}

/// Waits until the program has exited successfully.
fn wait(child: &mut Child, deadline: Instant) -> Result<(), String> {
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(_) => return Err("ended with an error".to_owned()),
            None => thread::sleep(left(deadline)?.min(PAUSE)),
        }
    }
}

fn left(deadline: Instant) -> Result<Duration, String> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err("took too long".to_owned());
    }
    Ok(left)
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset
    )
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

/// Starts the program of `command` (a name in PATH, or an absolute path) as the leader of a process group of its own,
/// with the other end of a socket pair as its standard input and output. The environment variable `variable` is set for
/// it.
///
/// # Errors
/// System errors.
fn start(command: &[String], variable: &str) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let output = OwnedFd::from(theirs.try_clone()?);
    let (program, arguments) = command.split_first().ok_or(ErrorKind::NotFound)?;
    // Our copies of the other end are closed when the command is dropped here; otherwise the output
    // would never end.
    let child = Command::new(program)
        .args(arguments)
        .env(variable, "1")
        .stdin(OwnedFd::from(theirs))
        .stdout(output)
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    Ok((child, ours))
}

/// Kills the program and what it started in its process group.
#[allow(unsafe_code, reason = "the standard library kills one process only")]
fn kill_group(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: the call takes two numbers.
        unsafe {
            libc::kill(-group, libc::SIGKILL);
        }
    }
}
