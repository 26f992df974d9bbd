//! Answering a call for the person: mark and events first, then what is printed.

use plantune_agents::{Decision, Moment, Reply};
use plantune_domain::decision::{By, Choice, Mechanism};
use plantune_domain::event::Kind;
use plantune_domain::question::Question;
use plantune_domain::wire::QuestionTool;

use super::call::{Call, Printed, event_lines};
use crate::marks::{self, Mark};
use crate::{away, messages, turn_summary};

/// The printed decision, or `None` when the call's input cannot carry the answers.
///
/// Mark and events come first: what is not on record is not decided.
pub(super) fn answer(
    call: &Call<'_>,
    tool: QuestionTool,
    questions: &[Question],
    choices: &[Choice],
    project: &str,
) -> Printed {
    let Some(printed) = decision(call, tool, questions, choices) else {
        return Ok(None);
    };
    let count = questions.len();
    let answered = questions.iter().zip(choices).enumerate();
    let lines = event_lines(answered.map(|(index, (question, choice))| {
        let mut event = call.question_event(Kind::AutoDecided, project, question, (index, count));
        choice.describe(&mut event);
        event.mechanism = Some(mechanism(tool, choice).as_str().into());
        event
    }))?;
    let paths = &call.environment.paths;
    let (session, id) = (call.sent.session_id(), call.sent.tool_use_id());
    if tool == QuestionTool::Native {
        let labels = choices.iter().map(|choice| choice.label().to_owned());
        let mark = Mark {
            answers: labels.collect(),
            ..Mark::default()
        };
        marks::set(paths, session, id, &mark).map_err(|error| format!("session mark: {error}"))?;
    }
    call.append(&lines).inspect_err(|_| {
        marks::remove(paths, session, id);
    })?;
    // The user reads it at once; the summary at the turn's end is not worth an answer.
    if call.environment.agent.listens(Moment::TurnEnded) {
        let file = turn_summary::file(paths, session);
        let _ = turn_summary::record(&file, id, questions, choices);
    }
    // What is missing there is in the log, which `plantune away off` reads.
    let _ = away::record(paths, id, questions, choices);
    Ok(Some(printed))
}

fn mechanism(tool: QuestionTool, choice: &Choice) -> Mechanism {
    match (&choice.by, tool) {
        (By::Reviewer, _) => Mechanism::Reviewer,
        (_, QuestionTool::Native) => Mechanism::Allow,
        (_, _) => Mechanism::Deny,
    }
}

fn decision(
    call: &Call<'_>,
    tool: QuestionTool,
    questions: &[Question],
    choices: &[Choice],
) -> Option<String> {
    // The agent gets its own label, with what is masked in the log.
    let mut of_agent = choices.to_vec();
    for (choice, question) in of_agent.iter_mut().zip(questions) {
        if question.as_sent.is_some() {
            choice.label = question.label_as_sent(choice.label())?.to_owned();
        }
    }
    let mut reply = Reply::for_user(messages::for_user(
        questions,
        choices,
        call.sent.tool_use_id(),
    ));
    reply.decision = Some(match tool {
        QuestionTool::Native => {
            reply.for_model = vec![messages::for_model(&of_agent)];
            let labels = questions.iter().zip(&of_agent);
            let answers =
                labels.map(|(question, choice)| (question.text_as_sent(), choice.label()));
            Decision::Answer {
                answers: answers.collect(),
                reason: messages::allow_reason(&of_agent),
            }
        }
        _ => Decision::Deny(messages::deny_reason(questions, &of_agent)),
    });
    call.encode(reply)
}
