//! An answer that is on record and did not reach the caller: the question is asked after all.

use std::path::Path;

use plantune_domain::decision::{Ask, AskReason, NOT_PRINTED};
use plantune_domain::project::project_key;

use super::ask::{Asking, asked_lines};
use super::call::Call;
use crate::{marks, turn_summary};

/// Logs that the questions are asked, and forgets that they were answered.
///
/// # Errors
/// Those of the file system, in words.
pub(super) fn record(call: &Call<'_>) -> Result<(), String> {
    let paths = &call.environment.paths;
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    marks::remove(paths, session, id);
    let questions = call.questions(&call.input(), &call.registry().unwrap_or_default());
    // What is still in the summary is one line too many, and no more.
    let _ = turn_summary::remove(&turn_summary::file(paths, session), id, questions.len());
    let _ = turn_summary::remove(&paths.away_answers(), id, questions.len());
    let asks = vec![Ask::because(AskReason::Ambiguous, NOT_PRINTED); questions.len()];
    let project = project_key(Path::new(call.sent.cwd()));
    let asking = Asking {
        questions: &questions,
        asks: &asks,
        choices: &[],
        project: &project,
    };
    call.append(&asked_lines(call, &asking, None)?)
}
