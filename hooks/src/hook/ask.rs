//! Asks the person: logs the question, and prints nothing.

use std::path::Path;

use plantune_domain::event::{AskReason, Choice, Kind, NOT_PRINTED, Text, WhyAsked};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;

use super::call::{Call, Printed, event_lines};
use crate::marks::Mark;
use crate::{marks, turn_summary};

/// A call that is asked.
pub(super) struct AskedCall<'a> {
    pub(super) questions: &'a [Question],
    /// Why each question is asked.
    pub(super) reasons: &'a [WhyAsked],
    /// The planned answers, if any.
    pub(super) planned: &'a [Choice],
    pub(super) project: &'a str,
}

/// Logs that the questions are asked, and keeps `memory` until the answers come.
pub(super) fn ask_person(call: &Call<'_>, asked: &AskedCall<'_>, memory: &Mark) -> Printed {
    if *memory != Mark::default() {
        let paths = &call.environment.paths;
        let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
        if let Err(error) = marks::set(paths, session, id, memory) {
            call.log_error(&format!("session mark: {error}"));
        }
    }
    call.append(&asked_lines(call, asked)?)?;
    call.note_open_question(true);
    Ok(None)
}

/// The lines that [`ask_person`] logs.
///
/// # Errors
/// The errors of the serialiser, in words.
pub(super) fn asked_lines(call: &Call<'_>, asked: &AskedCall<'_>) -> Result<Vec<u8>, String> {
    let count = asked.questions.len();
    let questions = asked.questions.iter().zip(asked.reasons).enumerate();
    event_lines(questions.map(|(index, (question, why))| {
        let place = (index, count);
        let mut event = call.question_event(Kind::Asked, asked.project, question, place);
        event.ask_reason = Some(why.reason.as_str().into());
        event.reason = why.because.as_deref().map(Text::from);
        if let Some(choice) = asked.planned.get(index) {
            choice.describe(&mut event);
        }
        event
    }))
}

// An answer that is on record and did not reach the caller: the question is asked after all.

/// Logs that the questions are asked, and forgets that they were answered.
///
/// # Errors
/// The errors of the file system, in words.
pub(super) fn log_withdrawn(call: &Call<'_>) -> Result<(), String> {
    let paths = &call.environment.paths;
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    marks::remove(paths, session, id);
    let questions = call.questions(&call.input(), &call.registry().unwrap_or_default());
    // What is still in the summary is one line too many, and no more.
    let _ = turn_summary::remove(&turn_summary::file(paths, session), id, questions.len());
    let _ = turn_summary::remove(&paths.away_answers(), id, questions.len());
    let reasons = vec![WhyAsked::because(AskReason::Ambiguous, NOT_PRINTED); questions.len()];
    let project = project_key(Path::new(call.sent.cwd()));
    let asked = AskedCall {
        questions: &questions,
        reasons: &reasons,
        planned: &[],
        project: &project,
    };
    call.append(&asked_lines(call, &asked)?)
}
