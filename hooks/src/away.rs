//! What the hook does while the person is away, and when they are back.

use std::io;
use std::path::Path;

use plantune_domain::away::Away;
use plantune_domain::clock;
use plantune_domain::decision::{By, Choice};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::Scope;
use plantune_domain::question::Question;

use crate::turn_summary;

/// Where the person is away, if they are, and questions of `project` are answered as they recommend.
///
/// # Errors
/// Why the file that says so is not obeyed.
pub fn scope(
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

/// Remembers what was answered because the person is away, until they have seen it.
///
/// # Errors
/// Those of the file system.
pub fn record(
    paths: &Paths,
    tool_use_id: &str,
    questions: &[Question],
    choices: &[Choice],
) -> io::Result<()> {
    let is_away = |choice: &Choice| matches!(choice.by, By::Away(_));
    if !choices.iter().any(is_away) {
        return Ok(());
    }
    turn_summary::record(&paths.away_answers(), tool_use_id, questions, choices)
}

/// For the person, once after the time has ended: what was answered in it.
pub fn take_summary(paths: &Paths, now: chrono::DateTime<chrono::Utc>) -> Option<String> {
    let away = Away::load(&paths.away_file()).ok()??;
    if away.is_on(now, clock::uptime_seconds()) {
        return None;
    }
    let (questions, named) = turn_summary::take(&paths.away_answers())?;
    Some(format!(
        "While you were away plantune answered {questions}, mostly as recommended: {named}. To review \
         them: plantune away off"
    ))
}
