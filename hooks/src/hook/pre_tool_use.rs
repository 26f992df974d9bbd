//! Decides a call that is about to ask: all of its questions or none.

use std::path::{Path, PathBuf};

use plantune_agents::{Decision, Moment, Reply};
use plantune_domain::event::{
    ANSWERS_IN_INPUT, AskReason, By, Choice, Kind, Mechanism, NOT_AWAITED, WhyAsked,
};
use plantune_domain::gate::decide;
use plantune_domain::preferences::{Level, Preference, Scope, lookup};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::state::{Stands, State, count_file, counted, share_on_trial};
use plantune_domain::wire::{QuestionTool, has_answers};

use super::ask::{AskedCall, ask_person};
use super::call::{Call, Printed, Undecided, event_lines};
use super::fallback;
use crate::marks::{Mark, PlannedCheck};
use crate::spot_check::{Checked, is_due, name_of};
use crate::{marks, messages, turn_summary};

/// Answers the call, or logs that it is asked.
pub(super) fn handle(call: &Call<'_>, tool: QuestionTool) -> Printed {
    let environment = call.environment;
    let registry = call.registry();
    let config = call.config();
    let none = Registry::default();
    let input = call.input();
    let questions = call.questions(&input, registry.as_ref().unwrap_or(&none));
    let project = project_key(Path::new(call.sent.cwd()));
    let count = questions.len();
    let all = |reason, because| Err(vec![WhyAsked::because(reason, because); count]);
    let mut standing = None;
    let decided = match (&config, &registry) {
        _ if tool == QuestionTool::Aside => all(AskReason::Ambiguous, NOT_AWAITED),
        _ if marks::is_denied(&environment.paths, call.sent.session_id()) => {
            Err(vec![AskReason::AfterDenial.into(); count])
        }
        _ if has_answers(&input) => all(AskReason::Ambiguous, ANSWERS_IN_INPUT),
        _ if call.refusal.is_some() => all(AskReason::Disabled, "roots_refused"),
        _ if environment.disabled => all(AskReason::Disabled, "environment"),
        (Ok(config), _) if !config.enabled => all(AskReason::Disabled, "configuration"),
        // Without knowing whether deciding is on, or which doors there are, the person is asked.
        (Err(_), _) => all(AskReason::Disabled, "configuration_unreadable"),
        (_, None) => all(AskReason::Ambiguous, "registry_unreadable"),
        (Ok(_), Some(registry)) => match standing_preferences(call, &questions, &project) {
            Ok(found) => decide(&questions, standing.insert(found), registry),
            Err(error) => {
                call.log_error(&error);
                all(AskReason::Ambiguous, "preferences_unreadable")
            }
        },
    };
    if let Err(error) = &config {
        call.log_error(error);
    }
    let away = standing.as_ref().and_then(|_| call.away(&project));
    // Nobody is there to check anything.
    let share = match (&config, away) {
        (Ok(config), None) => Some(config.spot_check),
        _ => None,
    };
    let asked_call = |reasons, planned| AskedCall {
        questions: &questions,
        reasons,
        planned,
        project: &project,
    };
    match decided {
        Ok(mut choices) => {
            if let Some(checks) = spot_check(call, &questions, &mut choices, share, &project) {
                let reasons = vec![WhyAsked::from(AskReason::SpotCheck); count];
                let memory = Mark {
                    checks,
                    ..Mark::default()
                };
                return ask_person(call, &asked_call(&reasons, &choices), &memory);
            }
            if let Some(printed) = answer(call, tool, &questions, &choices, &project)? {
                return Ok(Some(printed));
            }
            let because = WhyAsked::because(AskReason::Ambiguous, "input_not_understood");
            let reasons = vec![because; count];
            ask_person(call, &asked_call(&reasons, &[]), &Mark::default())
        }
        Err(reasons) => match (&config, &registry, &standing) {
            // Without the preferences nothing else may answer either.
            (Ok(config), Some(registry), Some(standing)) => {
                let undecided = Undecided {
                    tool,
                    questions: &questions,
                    standing,
                    registry,
                    config,
                    project: &project,
                    reasons: &reasons,
                    away,
                };
                if away.is_some() || fallback::is_configured(config, registry) {
                    fallback::handle(call, &undecided)
                } else {
                    undecided.ask_person(call, &Mark::default())
                }
            }
            _ => {
                let memory = Mark {
                    has_answers: has_answers(&input),
                    ..Mark::default()
                };
                ask_person(call, &asked_call(&reasons, &[]), &memory)
            }
        },
    }
}

/// The preferences for each question: the project's first.
pub(super) fn standing_preferences(
    call: &Call<'_>,
    questions: &[Question],
    project: &str,
) -> Result<Vec<Vec<(Scope, Preference)>>, String> {
    let keys: Vec<&str> = questions.iter().map(|one| one.key.as_str()).collect();
    let paths = &call.environment.paths;
    let mut found = vec![Vec::new(); keys.len()];
    for (scope, path) in [
        (Scope::Project, paths.project_preferences(project)),
        (Scope::Global, paths.global_preferences()),
    ] {
        for (standing, entries) in found.iter_mut().zip(lookup(&path, &keys)?) {
            standing.extend(entries.into_iter().map(|entry| (scope, entry)));
        }
    }
    Ok(found)
}

// Answering a call for the person: mark and events first, then what is printed.

/// The decision to print, or `None` if the call's input cannot carry the answers.
///
/// Mark and events are written first: nothing is decided that is not on record.
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
    let _ = turn_summary::record_away(paths, id, questions, choices);
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

// Which of the calls that could be answered are asked all the same.

/// The checks to remember for a call that is asked to see whether its preferences are still right; `None` for a call
/// that is answered. Each of `choices` gets the level of its preference by its checks.
fn spot_check(
    call: &Call<'_>,
    questions: &[Question],
    choices: &mut [Choice],
    share: Option<f64>,
    project: &str,
) -> Option<Vec<PlannedCheck>> {
    // Without a person, or an id to count by, only what is stopped is asked.
    let id = call.sent.tool_use_id();
    let is_interactive = call.environment.session_kind == SessionKind::Interactive;
    let drawn = share.filter(|_| is_interactive && !id.is_empty());
    let mut preferences: Vec<Checked<'_>> = Vec::new();
    let mut checks: Vec<PlannedCheck> = Vec::new();
    let mut is_stopped = false;
    for (index, (question, choice)) in questions.iter().zip(choices).enumerate() {
        let Some(by) = by_preference(call, question, choice, project) else {
            continue;
        };
        let key = question.key.as_str();
        is_stopped |= by.stands.state == State::Stopped;
        let share = drawn.map_or(0.0, |share| match by.stands.state {
            State::OnTrial => share_on_trial(by.stands.agreed, share),
            State::On | State::Stopped => share,
        });
        checks.push(PlannedCheck {
            question: index,
            count: name_of(&by.count),
            key: key.to_owned(),
            is_global: by.scope == Scope::Global,
            on_trial: by.on_trial,
            answer: choice.label.clone(),
            name: choice.called(&question.text).to_owned(),
        });
        preferences.push(Checked {
            count: by.count,
            key,
            share,
        });
    }
    (is_stopped || is_due(&preferences, id)).then_some(checks)
}

/// The preference that gives an answer, with its checks so far.
pub(super) struct ByPreference {
    count: PathBuf,
    scope: Scope,
    /// True if it was set on trial.
    on_trial: bool,
    /// How it stands.
    pub(super) stands: Stands,
}

/// The preference that answers `question` with `choice`, which gets the preference's level by its checks; `None` if
/// something else answers.
pub(super) fn by_preference(
    call: &Call<'_>,
    question: &Question,
    choice: &mut Choice,
    project: &str,
) -> Option<ByPreference> {
    let By::Preference {
        scope,
        set_at,
        level,
        ..
    } = &mut choice.by
    else {
        return None;
    };
    let paths = &call.environment.paths;
    let count = count_file(paths, *scope, project, &question.key, set_at.as_deref());
    let on_trial = *level == Level::Trial;
    let stands = counted(&count, on_trial);
    *level = match stands.state {
        State::OnTrial => Level::Trial,
        State::On | State::Stopped => Level::Standing,
    };
    Some(ByPreference {
        count,
        scope: *scope,
        on_trial,
        stands,
    })
}
