//! Asking the person: logged, and nothing printed but what assists them.

use plantune_domain::decision::{Ask, Choice};
use plantune_domain::event::{Kind, Text};
use plantune_domain::question::Question;

use super::assist::Assisted;
use super::call::{Call, Printed, event_lines};
use crate::marks::{self, Mark};

/// A call that is asked.
pub(super) struct Asking<'a> {
    pub(super) questions: &'a [Question],
    /// Why each question is asked.
    pub(super) asks: &'a [Ask],
    /// What was going to be answered, if anything.
    pub(super) choices: &'a [Choice],
    pub(super) project: &'a str,
}

/// Logs that the questions are asked, remembers `memory` for when the answers come, and returns what
/// shows them with assistance, if any does.
pub(super) fn ask(
    call: &Call<'_>,
    asking: &Asking<'_>,
    mut memory: Mark,
    mut assisted: Option<Assisted<'_>>,
) -> Printed {
    if assisted.is_some() {
        memory.input = call.sent.tool_input().map(|input| input.get().to_owned());
    }
    if memory != Mark::default() {
        let paths = &call.environment.paths;
        let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
        if let Err(error) = marks::set(paths, session, id, &memory) {
            // What cannot be mapped back is not changed.
            assisted = None;
            call.log_error(&format!("session mark: {error}"));
        }
    }
    call.append(&asked_lines(call, asking, assisted.as_ref())?)?;
    call.note_open_question(true);
    Ok(assisted.map(|assisted| assisted.printed))
}

/// The lines that [`ask`] logs.
///
/// # Errors
/// Those of the serialiser, in words.
pub(super) fn asked_lines(
    call: &Call<'_>,
    asking: &Asking<'_>,
    assisted: Option<&Assisted<'_>>,
) -> Result<Vec<u8>, String> {
    let count = asking.questions.len();
    let asked = asking.questions.iter().zip(asking.asks).enumerate();
    event_lines(asked.map(|(index, (question, ask))| {
        let place = (index, count);
        let mut event = call.question_event(Kind::Asked, asking.project, question, place);
        event.ask_reason = Some(ask.reason.as_str().into());
        event.reason = ask.because.as_deref().map(Text::from);
        if let Some(choice) = asking.choices.get(index) {
            choice.describe(&mut event);
        }
        if let Some(usual) = assisted.and_then(|assisted| assisted.of_question(index)) {
            usual.describe(&mut event);
        }
        event
    }))
}
