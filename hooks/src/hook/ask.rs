//! Asking the person: logged, and nothing printed.

use plantune_domain::decision::{Ask, Choice};
use plantune_domain::event::{Kind, Text};
use plantune_domain::question::Question;

use super::call::{Call, Printed, event_lines};

/// Logs that the questions are asked, and what was going to be answered, if anything.
pub(super) fn ask(
    call: &Call<'_>,
    questions: &[Question],
    asks: &[Ask],
    choices: &[Choice],
    project: &str,
) -> Printed {
    call.append(&asked_lines(call, questions, asks, choices, project)?)?;
    Ok(None)
}

/// The lines that [`ask`] logs.
///
/// # Errors
/// Those of the serialiser, in words.
pub(super) fn asked_lines(
    call: &Call<'_>,
    questions: &[Question],
    asks: &[Ask],
    choices: &[Choice],
    project: &str,
) -> Result<Vec<u8>, String> {
    let count = questions.len();
    let asked = questions.iter().zip(asks).enumerate();
    event_lines(asked.map(|(index, (question, ask))| {
        let mut event = call.question_event(Kind::Asked, project, question, (index, count));
        event.ask_reason = Some(ask.reason.as_str().into());
        event.reason = ask.because.as_deref().map(Text::from);
        if let Some(choice) = choices.get(index) {
            choice.describe(&mut event);
        }
        event
    }))
}
