//! Decides a call that is about to ask: all of its questions or none.

use std::path::Path;

use plantune_domain::event::{ANSWERS_IN_INPUT, AskReason, Choice, NOT_AWAITED, WhyAsked};
use plantune_domain::gate::decide;
use plantune_domain::preferences::Scope;
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::SessionKind;
use plantune_domain::state::{State, share_on_trial};
use plantune_domain::wire::{QuestionTool, has_answers};

use crate::call::{AskedCall, HookCall, Printed, answer, ask_person};
use crate::fallback::Undecided;
use crate::marks::{CallMark, PlannedCheck};
use crate::spot_check::{CheckedPreference, by_preference, is_due, name_of};
use crate::{fallback, marks};

/// Answers the call, or logs that it is asked.
pub(crate) fn handle(call: &HookCall<'_>, tool: QuestionTool) -> Printed {
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
        // Without its files, it is not known whether deciding is switched off or which questions are one-way.
        (Err(_), _) => all(AskReason::Disabled, "configuration_unreadable"),
        (_, None) => all(AskReason::Ambiguous, "registry_unreadable"),
        (Ok(_), Some(registry)) => match call.standing_preferences(&questions, &project) {
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
    // While the person is away nobody could answer a check.
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
                let memory = CallMark {
                    checks,
                    ..CallMark::default()
                };
                return ask_person(call, &asked_call(&reasons, &choices), &memory);
            }
            if let Some(printed) = answer(call, tool, &questions, &choices, &project)? {
                return Ok(Some(printed));
            }
            let because = WhyAsked::because(AskReason::Ambiguous, "input_not_understood");
            let reasons = vec![because; count];
            ask_person(call, &asked_call(&reasons, &[]), &CallMark::default())
        }
        Err(reasons) => match (&config, &registry, &standing) {
            // If the preferences cannot be read, nothing else answers either: one of them may say that the question is
            // always asked.
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
                    undecided.ask_person(call, &CallMark::default())
                }
            }
            _ => {
                let memory = CallMark {
                    has_answers: has_answers(&input),
                    ..CallMark::default()
                };
                ask_person(call, &asked_call(&reasons, &[]), &memory)
            }
        },
    }
}

// Which of the calls that could be answered are asked all the same.

/// The checks to remember for a call that is asked to see whether its preferences are still right; `None` for a call
/// that is answered. Each of `choices` gets the level of its preference by its checks.
fn spot_check(
    call: &HookCall<'_>,
    questions: &[Question],
    choices: &mut [Choice],
    share: Option<f64>,
    project: &str,
) -> Option<Vec<PlannedCheck>> {
    // Checks are drawn only if a person is there and the call has an id to count by. Stopped preferences are asked
    // in any case.
    let id = call.sent.tool_use_id();
    let is_interactive = call.environment.session_kind == SessionKind::Interactive;
    let drawn = share.filter(|_| is_interactive && !id.is_empty());
    let mut preferences: Vec<CheckedPreference<'_>> = Vec::new();
    let mut checks: Vec<PlannedCheck> = Vec::new();
    let mut is_stopped = false;
    for (index, (question, choice)) in questions.iter().zip(choices).enumerate() {
        let paths = &call.environment.paths;
        let Some(by) = by_preference(paths, question, choice, project) else {
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
        preferences.push(CheckedPreference {
            count: by.count,
            key,
            share,
        });
    }
    (is_stopped || is_due(&preferences, id)).then_some(checks)
}
