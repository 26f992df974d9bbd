//! Session marks: short-lived files that remember which calls the hook answered, so that PostToolUse can distinguish an
//! auto-decided answer from a person's. They also hold the answers that the person will be shown.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::{hash, private_file, spool};
use serde::{Deserialize, Serialize};

/// The size limit of a mark in bytes. The hook reads at most half as much of a call, so any call's labels fit.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The first byte of a command's mark while a question of that command is open. No command name begins with it.
const ASKED: u8 = b'?';

/// Records that the slash command `name` is running in the session; `None` records that no command is running.
/// `awaits_reply` is true while a question of the command is open.
///
/// # Errors
/// File system errors.
pub(crate) fn set_command(
    paths: &Paths,
    session: &str,
    name: Option<&str>,
    awaits_reply: bool,
) -> io::Result<()> {
    let file = command_file(paths, session);
    let Some(name) = name else {
        return remove_if_there(&file);
    };
    let mark: &[u8] = if awaits_reply { &[ASKED] } else { &[] };
    write_in_folder(&file, &[mark, name.as_bytes()].concat())
}

/// The slash command that is running in the session, and whether a question of it is open.
pub(crate) fn command(paths: &Paths, session: &str) -> Option<(String, bool)> {
    let body = private_file::read(&command_file(paths, session), MOST_BYTES)?;
    let text = String::from_utf8(body).ok()?;
    match text.strip_prefix(char::from(ASKED)) {
        Some(name) => Some((name.to_owned(), true)),
        None => Some((text, false)),
    }
}

/// Records that the agent denied an action of the session, which holds until the person's next prompt; or, when not
/// `denied`, that this prompt has come.
///
/// # Errors
/// File system errors.
pub(crate) fn set_denied(paths: &Paths, session: &str, denied: bool) -> io::Result<()> {
    let file = denial_file(paths, session);
    match denied {
        true => write_in_folder(&file, &[]),
        false => remove_if_there(&file),
    }
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// True if the agent has denied an action of the session since the person's last prompt.
pub(crate) fn is_denied(paths: &Paths, session: &str) -> bool {
    denial_file(paths, session).exists()
}

/// The data recorded about a call. Nothing is recorded when every field is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CallMark {
    /// For a call that the hook answered: its label for each question.
    pub answers: Vec<String>,
    /// Where the person's answer to each question is remembered ([`crate::fallback::slot`]); empty for nowhere.
    pub slots: Vec<String>,
    /// What preferences would have answered, of a call that is asked to check them.
    pub checks: Vec<PlannedCheck>,
    /// True when the model itself put answers into the call: the answers that come back may be the model's.
    pub has_answers: bool,
}

/// One question that is asked to check a preference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PlannedCheck {
    /// The question's index in the call.
    pub question: usize,
    /// The name of the file that counts the preference's calls.
    pub count: String,
    /// The question's key, by which the preference is found.
    pub key: String,
    /// True for a global preference.
    pub is_global: bool,
    /// True for a preference that was set on trial.
    pub on_trial: bool,
    /// The label that the preference would have given.
    pub answer: String,
    /// The name of its question.
    pub name: String,
}

/// Writes the `mark` of the call `tool_use_id`.
///
/// # Errors
/// File system errors.
pub(crate) fn set(
    paths: &Paths,
    session: &str,
    tool_use_id: &str,
    mark: &CallMark,
) -> io::Result<()> {
    let body = serde_json::to_vec(mark)?;
    write_in_folder(&mark_file(paths, session, tool_use_id), &body)
}

/// Records that the call `tool_use_id` was answered, whose questions have this `digest`: a dialog that opens for them
/// does not name its call.
///
/// # Errors
/// File system errors.
pub(crate) fn set_answered_call(
    paths: &Paths,
    session: &str,
    digest: &str,
    tool_use_id: &str,
) -> io::Result<()> {
    write_in_folder(
        &answered_file(paths, session, digest),
        tool_use_id.as_bytes(),
    )
}

/// The answered call whose questions have this `digest`, until its result comes.
pub(crate) fn answered_call(paths: &Paths, session: &str, digest: &str) -> Option<String> {
    let body = private_file::read(&answered_file(paths, session, digest), MOST_BYTES)?;
    String::from_utf8(body).ok()
}

/// Records that the result of the answered call has come.
pub(crate) fn remove_answered_call(paths: &Paths, session: &str, digest: &str) {
    // A mark left behind is removed with the session's.
    let _ = fs::remove_file(answered_file(paths, session, digest));
}

/// Writes the mark at `path`, and creates the session's folder if it is missing.
fn write_in_folder(path: &Path, body: &[u8]) -> io::Result<()> {
    match write(path, body) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), create_private_dir)?;
            write(path, body)
        }
        written => written,
    }
}

/// Claims the right to learn from the answer to question number `index` of the call; false when another hook registered
/// for the same call has claimed it. True when the mark cannot be written, since no other hook can write it either.
pub(crate) fn claim(paths: &Paths, session: &str, tool_use_id: &str, index: usize) -> bool {
    let index = index.to_string();
    let mark = folder(paths, session).join(hash::hex(&["taught", tool_use_id, &index]));
    let made =
        create_private_dir(&folder(paths, session)).and_then(|()| private_file::create_new(&mark));
    !made.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

/// How many calls with this `digest` the session has had, including the current one; at least 1. `is_new` is true when
/// the current call is not counted yet.
pub(crate) fn number(paths: &Paths, session: &str, digest: &str, is_new: bool) -> u32 {
    let path = folder(paths, session).join(hash::hex(&["number", digest]));
    let found = private_file::read(&path, MOST_BYTES).and_then(|body| String::from_utf8(body).ok());
    let counted: u32 = found.and_then(|text| text.parse().ok()).unwrap_or(0);
    let number = counted.saturating_add(u32::from(is_new)).max(1);
    if number != counted {
        // If this fails, a later identical question counts as this one and is logged only once.
        let _ = write_in_folder(&path, number.to_string().as_bytes());
    }
    number
}

pub(crate) fn write(path: &Path, body: &[u8]) -> io::Result<()> {
    private_file::overwrite(path)?.write_all(body)
}

/// The mark of the call `tool_use_id`.
///
/// The mark stays until the session ends: a hook that is registered twice is called twice, and the
/// second must not take the answer for the person's.
pub(crate) fn find(paths: &Paths, session: &str, tool_use_id: &str) -> Option<CallMark> {
    let body = private_file::read(&mark_file(paths, session, tool_use_id), MOST_BYTES)?;
    // A mark of another version still shows that the answers that come back may not be the person's.
    let unknown = || CallMark {
        has_answers: true,
        ..CallMark::default()
    };
    Some(serde_json::from_slice(&body).unwrap_or_else(|_| unknown()))
}

/// Removes the mark of the call `tool_use_id`.
pub(crate) fn remove(paths: &Paths, session: &str, tool_use_id: &str) {
    // A mark left behind is removed by a later cleanup.
    let _ = fs::remove_file(mark_file(paths, session, tool_use_id));
    let _ = fs::remove_dir(folder(paths, session));
}

/// Removes the marks of a session that has ended.
pub(crate) fn forget(paths: &Paths, session: &str) {
    let _ = fs::remove_dir_all(folder(paths, session));
}

// Ids come from outside, so they name files only as hashes.
pub(crate) fn folder(paths: &Paths, session: &str) -> PathBuf {
    paths.sessions().join(hash::hex(&["session", session]))
}

fn command_file(paths: &Paths, session: &str) -> PathBuf {
    folder(paths, session).join("command")
}

fn denial_file(paths: &Paths, session: &str) -> PathBuf {
    folder(paths, session).join("denied")
}

fn answered_file(paths: &Paths, session: &str, digest: &str) -> PathBuf {
    folder(paths, session).join(hash::hex(&["answered", digest]))
}

fn mark_file(paths: &Paths, session: &str, tool_use_id: &str) -> PathBuf {
    folder(paths, session).join(hash::hex(&["tool_use", tool_use_id]))
}

// The answers given for the person: they are shown them at the end of the turn, and when they are back.

/// How much of such a file is read, in bytes: a few hundred answers.
const MOST_ANSWERS: u64 = 64 * 1024;

/// The file with the answers of the session's turn.
pub(crate) fn turn_file(paths: &Paths, session: &str) -> PathBuf {
    folder(paths, session).join("turn")
}

/// Records the answers to the questions of the call `tool_use_id`, in words, in the file `path`: one a line.
///
/// # Errors
/// File system errors.
pub(crate) fn record_answers(path: &Path, tool_use_id: &str, answers: &[String]) -> io::Result<()> {
    let mut lines = String::new();
    for (index, answer) in answers.iter().enumerate() {
        // The words contain no line breaks.
        lines.push_str(&format!("{} {answer}\n", line_id(tool_use_id, index)));
    }
    spool::open_or_create(path)?.write_all(lines.as_bytes())
}

/// Removes the lines about the call `tool_use_id`, which has `count` questions, from the file `path`.
///
/// # Errors
/// File system errors.
pub(crate) fn remove_answers(path: &Path, tool_use_id: &str, count: usize) -> io::Result<()> {
    let bytes = private_file::read(path, MOST_ANSWERS).unwrap_or_default();
    let ids: Vec<String> = (0..count)
        .map(|index| line_id(tool_use_id, index))
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    let is_other = |line: &&str| !ids.iter().any(|id| line.starts_with(id.as_str()));
    let rest: String = text.split_inclusive('\n').filter(is_other).collect();
    if rest.is_empty() {
        return fs::remove_file(path);
    }
    write(path, rest.as_bytes())
}

/// The answers recorded in the file `path`, which is removed; none if another hook removed it first.
pub(crate) fn take_answers(path: &Path) -> Vec<String> {
    let bytes = private_file::read(path, MOST_ANSWERS).unwrap_or_default();
    // When two hooks are registered for one event, the one that removes the file reports it.
    if fs::remove_file(path).is_err() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut answers: Vec<(&str, &str)> = Vec::new();
    for (id, answer) in text.lines().filter_map(|line| line.split_once(' ')) {
        // Both hooks recorded each answer, so repeats are skipped.
        if answers.iter().all(|(known, _)| *known != id) {
            answers.push((id, answer));
        }
    }
    let answers = answers.into_iter();
    answers.map(|(_, answer)| answer.to_owned()).collect()
}

/// The start of a line about question number `index` of a call.
fn line_id(tool_use_id: &str, index: usize) -> String {
    hash::hex(&["turn", tool_use_id, &index.to_string()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_last_until_the_session_ends() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let found = || find(&paths, "../../s", "../t");
        let check = PlannedCheck {
            question: 1,
            answer: "Skip".to_owned(),
            ..PlannedCheck::default()
        };
        let asked = CallMark {
            slots: vec!["slot".to_owned()],
            checks: vec![check],
            ..CallMark::default()
        };
        let decided = CallMark {
            answers: vec!["Skip".to_owned()],
            ..CallMark::default()
        };
        for mark in [asked, decided] {
            set(&paths, "../../s", "../t", &mark).unwrap();
            assert_eq!(found(), Some(mark));
        }
        forget(&paths, "../../s");
        assert_eq!(found(), None);
        set(&paths, "../../s", "../t", &CallMark::default()).unwrap();
        remove(&paths, "../../s", "../t");
        assert_eq!(found(), None);
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 0);
    }

    #[test]
    fn a_denial_lasts_until_the_next_prompt() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let set = |denied| set_denied(&paths, "s", denied).unwrap();
        set(false);
        assert!(!is_denied(&paths, "s"));
        set(true);
        assert!(is_denied(&paths, "s") && !is_denied(&paths, "t"));
        set(true);
        set(false);
        assert!(!is_denied(&paths, "s"));
    }

    #[test]
    fn a_command_is_at_work_until_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let at_work = || command(&paths, "s");
        let set = |name, awaits| set_command(&paths, "s", name, awaits).unwrap();
        assert_eq!(at_work(), None);
        set(Some("/plan"), false);
        assert_eq!(at_work(), Some(("/plan".to_owned(), false)));
        set(Some("/plan"), true);
        assert_eq!(at_work(), Some(("/plan".to_owned(), true)));
        set(None, false);
        assert_eq!(at_work(), None);
        set(None, false);
    }
}
