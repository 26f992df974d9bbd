//! A record of the questions answered for the person, shown to them at the end of the turn and when they are back.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use plantune_domain::away::Away;
use plantune_domain::event::{By, Choice};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::Scope;
use plantune_domain::question::Question;
use plantune_domain::{clock, hash, private_file, spool};

use crate::{marks, messages};

/// How much of the file is read, in bytes: a few hundred answers.
const MOST_BYTES: u64 = 64 * 1024;

/// How many answers the summary lists.
const NAMED: usize = 3;

/// The file of a session.
pub fn file(paths: &Paths, session: &str) -> PathBuf {
    marks::folder(paths, session).join("turn")
}

/// Records in the file `path` that the call `tool_use_id` was answered with `choices`, one line per question.
///
/// # Errors
/// File system errors.
pub fn record(
    path: &Path,
    tool_use_id: &str,
    questions: &[Question],
    choices: &[Choice],
) -> io::Result<()> {
    let mut lines = String::new();
    for (index, (question, choice)) in questions.iter().zip(choices).enumerate() {
        let id = line_id(tool_use_id, index);
        let answer = messages::short_answer(question, choice);
        // The shown text contains no line breaks, so one line is one answer.
        lines.push_str(&format!("{id} {answer}\n"));
    }
    spool::open_or_create(path)?.write_all(lines.as_bytes())
}

/// Removes the lines about the call `tool_use_id`, which has `count` questions, from the file `path`.
///
/// # Errors
/// File system errors.
pub fn remove(path: &Path, tool_use_id: &str, count: usize) -> io::Result<()> {
    let bytes = private_file::read(path, MOST_BYTES).unwrap_or_default();
    let ids: Vec<String> = (0..count)
        .map(|index| line_id(tool_use_id, index))
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    let is_other = |line: &&str| !ids.iter().any(|id| line.starts_with(id.as_str()));
    let rest: String = text.split_inclusive('\n').filter(is_other).collect();
    if rest.is_empty() {
        return fs::remove_file(path);
    }
    private_file::overwrite(path)?.write_all(rest.as_bytes())
}

/// The start of a line about question number `index` of a call.
fn line_id(tool_use_id: &str, index: usize) -> String {
    hash::hex(&["turn", tool_use_id, &index.to_string()])
}

/// The number of questions recorded in the file `path`, in words, and the first of their answers. Removes the file.
pub fn take(path: &Path) -> Option<(String, String)> {
    let bytes = private_file::read(path, MOST_BYTES)?;
    // When two hooks are registered for one event, the one that removes the file reports it.
    fs::remove_file(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut answers: Vec<(&str, &str)> = Vec::new();
    for (id, answer) in text.lines().filter_map(|line| line.split_once(' ')) {
        // Both hooks recorded each answer, so repeats are skipped.
        if answers.iter().all(|(known, _)| *known != id) {
            answers.push((id, answer));
        }
    }
    let named: Vec<&str> = answers
        .iter()
        .map(|(_, answer)| *answer)
        .take(NAMED)
        .collect();
    let more = answers.len().saturating_sub(NAMED);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let questions = if answers.len() == 1 {
        "a question".to_owned()
    } else {
        format!("{} questions", answers.len())
    };
    (!answers.is_empty()).then(|| (questions, format!("{}{rest}", named.join("; "))))
}

// Being away.

/// The scope for which the person is away and questions of `project` get the recommended answer; `None` otherwise.
///
/// # Errors
/// Why the file that says so is ignored.
pub fn away_scope(
    path: &Path,
    project: &str,
    now: chrono::DateTime<chrono::Utc>,
) -> Result<Option<Scope>, String> {
    let Some(away) = Away::load(path)? else {
        return Ok(None);
    };
    let holds = away.covers(project) && away.is_on(now, clock::uptime_seconds());
    Ok(holds.then_some(match away.project {
        Some(_) => Scope::Project,
        None => Scope::Global,
    }))
}

/// Records the answers given because the person is away, until the person has seen them.
///
/// # Errors
/// File system errors.
pub fn record_away(
    paths: &Paths,
    tool_use_id: &str,
    questions: &[Question],
    choices: &[Choice],
) -> io::Result<()> {
    let is_away = |choice: &Choice| matches!(choice.by, By::Away(_));
    if !choices.iter().any(is_away) {
        return Ok(());
    }
    record(&paths.away_answers(), tool_use_id, questions, choices)
}

/// For the person, once after they are back: the answers given while they were away.
pub fn take_away_summary(paths: &Paths, now: chrono::DateTime<chrono::Utc>) -> Option<String> {
    let away = Away::load(&paths.away_file()).ok()??;
    if away.is_on(now, clock::uptime_seconds()) {
        return None;
    }
    let (questions, named) = take(&paths.away_answers())?;
    Some(format!(
        "While you were away, plantune answered {questions}, mostly as recommended: {named}. To review \
         them: plantune away off"
    ))
}
