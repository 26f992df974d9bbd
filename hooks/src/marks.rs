//! Session marks: short-lived files that remember which calls the hook answered, so that
//! PostToolUse can distinguish an auto-decided answer from a person's.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::{hash, private_file};
use serde::{Deserialize, Serialize};

/// Marks older than this are swept.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// More than the labels of any call take: the hook reads half as much of one.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// What the mark of a call that was asked begins with; JSON never does.
const ASKED: u8 = b'?';

/// How many session folders one sweep looks at, so that a hook's time is bounded.
const SWEPT_AT_ONCE: usize = 64;

/// Remembers that the slash command `name` is at work in the session; without one, that none is. `awaits_reply` says
/// that a question of its own is open.
///
/// # Errors
/// Those of the file system.
pub fn set_command(
    paths: &Paths,
    session: &str,
    name: Option<&str>,
    awaits_reply: bool,
) -> io::Result<()> {
    let file = command_file(paths, session);
    let Some(name) = name else {
        return match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    };
    let mark: &[u8] = if awaits_reply { &[ASKED] } else { &[] };
    write_in_folder(&file, &[mark, name.as_bytes()].concat())
}

/// The slash command that is at work in the session, and whether a question of its own is open.
pub fn command(paths: &Paths, session: &str) -> Option<(String, bool)> {
    let body = private_file::read(&command_file(paths, session), MOST_BYTES)?;
    let text = String::from_utf8(body).ok()?;
    match text.strip_prefix(char::from(ASKED)) {
        Some(name) => Some((name.to_owned(), true)),
        None => Some((text, false)),
    }
}

/// Remembers that the hook answered the call `tool_use_id` with `answers`, one label a question.
///
/// # Errors
/// Those of the file system.
pub fn set(paths: &Paths, session: &str, tool_use_id: &str, answers: &[String]) -> io::Result<()> {
    let body = serde_json::to_vec(answers)?;
    write_in_folder(&mark_file(paths, session, tool_use_id), &body)
}

/// What is remembered of a call that was asked. Nothing is, where all of it is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AskedCall {
    /// Where the answer to each question belongs ([`crate::reask`]); empty for nowhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
    /// The checks of preferences on trial.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<TrialCheck>,
    /// True when the model itself put answers into the call: what comes back may be its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_answers: bool,
    /// Of a call that was shown with assistance: its input as the model sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

/// One question that is asked to check a preference on trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrialCheck {
    /// The question's index in the call.
    pub question: usize,
    /// The name of the file that counts the preference's calls.
    pub count: String,
    /// The question's key, by which the preference is found.
    pub key: String,
    /// True for a preference that holds everywhere.
    pub is_global: bool,
    /// The label that the preference would have given.
    pub answer: String,
}

/// Remembers that the call `tool_use_id` was asked.
///
/// # Errors
/// Those of the file system.
pub fn set_asked(
    paths: &Paths,
    session: &str,
    tool_use_id: &str,
    asked: &AskedCall,
) -> io::Result<()> {
    let mut body = vec![ASKED];
    body.extend(serde_json::to_vec(asked)?);
    write_in_folder(&mark_file(paths, session, tool_use_id), &body)
}

/// Writes the mark at `path`, and makes the session's folder where it is not there.
fn write_in_folder(path: &Path, body: &[u8]) -> io::Result<()> {
    match write(path, body) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), create_private_dir)?;
            write(path, body)
        }
        written => written,
    }
}

/// Claims what the answer to the question numbered `index` of the call teaches; false where another hook
/// that is registered for the same call has claimed it. Where no mark can be made, nobody else can.
pub fn claim(paths: &Paths, session: &str, tool_use_id: &str, index: usize) -> bool {
    let index = index.to_string();
    let mark = folder(paths, session).join(hash::hex(&["taught", tool_use_id, &index]));
    let made =
        create_private_dir(&folder(paths, session)).and_then(|()| private_file::create_new(&mark));
    !made.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

/// How many calls the session has had that `digest` is of, the call at hand included, which `is_new` where it is not
/// counted yet; 1 at least.
pub fn number(paths: &Paths, session: &str, digest: &str, is_new: bool) -> u32 {
    let path = folder(paths, session).join(hash::hex(&["number", digest]));
    let found = private_file::read(&path, MOST_BYTES).and_then(|body| String::from_utf8(body).ok());
    let counted: u32 = found.and_then(|text| text.parse().ok()).unwrap_or(0);
    let number = counted.saturating_add(u32::from(is_new)).max(1);
    if number != counted {
        // An equal question later would count as this one: it is logged once then.
        let _ = write_in_folder(&path, number.to_string().as_bytes());
    }
    number
}

pub(crate) fn write(path: &Path, body: &[u8]) -> io::Result<()> {
    private_file::overwrite(path)?.write_all(body)
}

/// What is remembered of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The hook answered it, with these labels.
    Decided(Vec<String>),
    /// It was asked.
    Asked(AskedCall),
}

impl Mark {
    /// The label with which the hook answered the question numbered `index`.
    pub fn decided(&self, index: usize) -> Option<&str> {
        match self {
            Self::Decided(labels) => labels.get(index).map(String::as_str),
            Self::Asked(_) => None,
        }
    }

    /// Where the person's answer to the question numbered `index` belongs.
    pub fn slot(&self, index: usize) -> Option<&str> {
        self.asked()?.slots.get(index).map(String::as_str)
    }

    /// The check of a preference on trial that the question numbered `index` is.
    pub fn check(&self, index: usize) -> Option<&TrialCheck> {
        let mut checks = self.asked()?.checks.iter();
        checks.find(|check| check.question == index)
    }

    /// The call's input as the model sent it, where it was shown otherwise.
    pub fn input(&self) -> Option<&str> {
        self.asked()?.input.as_deref()
    }

    /// True when the model itself put answers into the call.
    pub fn has_answers_of_the_model(&self) -> bool {
        self.asked().is_some_and(|asked| asked.has_answers)
    }

    fn asked(&self) -> Option<&AskedCall> {
        match self {
            Self::Decided(_) => None,
            Self::Asked(asked) => Some(asked),
        }
    }
}

/// What is remembered of the call `tool_use_id`.
///
/// The mark stays until the session ends: a hook that is registered twice is called twice, and the
/// second must not take the answer for the person's.
pub fn find(paths: &Paths, session: &str, tool_use_id: &str) -> Option<Mark> {
    let body = private_file::read(&mark_file(paths, session, tool_use_id), MOST_BYTES)?;
    match body.strip_prefix(&[ASKED]) {
        Some(asked) => serde_json::from_slice(asked).ok().map(Mark::Asked),
        None => serde_json::from_slice(&body).ok().map(Mark::Decided),
    }
}

/// Removes the mark of the call `tool_use_id`.
pub fn remove(paths: &Paths, session: &str, tool_use_id: &str) {
    // A mark that stays behind is swept.
    let _ = fs::remove_file(mark_file(paths, session, tool_use_id));
    let _ = fs::remove_dir(folder(paths, session));
}

/// Removes the marks of a session that has ended.
pub fn forget(paths: &Paths, session: &str) {
    let _ = fs::remove_dir_all(folder(paths, session));
}

/// Removes marks that no result came for in seven days.
pub fn sweep(paths: &Paths, now: SystemTime) {
    let Ok(folders) = fs::read_dir(paths.sessions()) else {
        return;
    };
    for folder in folders.flatten().take(SWEPT_AT_ONCE) {
        let age = folder.metadata().and_then(|kind| kind.modified()).ok();
        if age
            .and_then(|at| now.duration_since(at).ok())
            .is_some_and(|age| age > LIFETIME)
        {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

// Ids come from outside, so they name files only as hashes.
pub(crate) fn folder(paths: &Paths, session: &str) -> PathBuf {
    paths.sessions().join(hash::hex(&["session", session]))
}

fn command_file(paths: &Paths, session: &str) -> PathBuf {
    folder(paths, session).join("command")
}

fn mark_file(paths: &Paths, session: &str, tool_use_id: &str) -> PathBuf {
    folder(paths, session).join(hash::hex(&["tool_use", tool_use_id]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_last_until_the_session_ends() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let found = || find(&paths, "../../s", "../t");
        set(&paths, "../../s", "../t", &["Skip".to_owned()]).unwrap();
        assert_eq!(found().unwrap().decided(0), Some("Skip"));
        assert_eq!(found(), Some(Mark::Decided(vec!["Skip".to_owned()])));
        let check = TrialCheck {
            question: 1,
            answer: "Skip".to_owned(),
            ..TrialCheck::default()
        };
        let asked = AskedCall {
            slots: vec!["slot".to_owned()],
            checks: vec![check.clone()],
            has_answers: false,
            input: Some("{}".to_owned()),
        };
        set_asked(&paths, "../../s", "../t", &asked).unwrap();
        assert_eq!(found().unwrap().slot(0), Some("slot"));
        assert_eq!(found().unwrap().check(0), None);
        assert_eq!(found().unwrap().check(1), Some(&check));
        assert_eq!(found().unwrap().input(), Some("{}"));
        assert_eq!(found().unwrap().decided(0), None);
        forget(&paths, "../../s");
        assert_eq!(found(), None);
        set(&paths, "../../s", "../t", &["Skip".to_owned()]).unwrap();
        remove(&paths, "../../s", "../t");
        assert_eq!(found(), None);
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 0);
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

    #[test]
    fn old_marks_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        set(&paths, "s", "t", &[]).unwrap();
        sweep(&paths, SystemTime::now());
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 1);
        sweep(
            &paths,
            SystemTime::now() + LIFETIME + Duration::from_secs(60),
        );
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 0);
    }
}
