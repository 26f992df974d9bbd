//! A question is about to be asked: decide the call, all or nothing.

use std::path::Path;

use plantune_domain::decision::{ANSWERS_IN_INPUT, Ask, AskReason};
use plantune_domain::gate::decide;
use plantune_domain::preferences::{Preference, Scope, lookup};
use plantune_domain::project::project_key;
use plantune_domain::question::Question;
use plantune_domain::registry::Registry;
use plantune_domain::wire::QuestionTool;

use super::answer::answer;
use super::ask::ask;
use super::call::{Call, Printed};
use super::fallback::{self, Undecided};
use super::spot_checked::is_spot_checked;

/// Answers the call, or logs that it is asked.
pub(super) fn handle(call: &Call<'_>, tool: QuestionTool) -> Printed {
    let environment = call.environment;
    let registry = call.registry();
    let config = call.config();
    let none = Registry::default();
    let mut questions = call.questions(registry.as_ref().unwrap_or(&none));
    let project = project_key(Path::new(call.sent.cwd()));
    let count = questions.len();
    let all = |reason, because| Err(vec![Ask::because(reason, because); count]);
    let mut standing = None;
    let decided = match (&config, &registry) {
        _ if call.has_own_answers() => all(AskReason::Ambiguous, ANSWERS_IN_INPUT),
        _ if call.refusal.is_some() => all(AskReason::Disabled, "roots_refused"),
        _ if environment.disabled => all(AskReason::Disabled, "environment"),
        (Ok(config), _) if !config.enabled => all(AskReason::Disabled, "configuration"),
        // Without knowing whether deciding is on, or which doors there are, the person is asked.
        (Err(_), _) => all(AskReason::Disabled, "configuration_unreadable"),
        (_, None) => all(AskReason::Ambiguous, "registry_unreadable"),
        (Ok(_), Some(registry)) => match standing_preferences(call, &mut questions, &project) {
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
        (Ok(config), None) => config.spot_check,
        _ => 0.0,
    };
    match decided {
        Ok(choices) if is_spot_checked(call, &questions, &choices, share, &project) => {
            let asks = vec![Ask::from(AskReason::SpotCheck); questions.len()];
            ask(call, &questions, &asks, &choices, &project)
        }
        Ok(choices) => match answer(call, tool, &questions, &choices, &project)? {
            Some(printed) => Ok(Some(printed)),
            None => {
                let because = Ask::because(AskReason::Ambiguous, "input_not_understood");
                let asks = vec![because; questions.len()];
                ask(call, &questions, &asks, &[], &project)
            }
        },
        Err(asks) => match (&config, &registry, &standing) {
            // Without the preferences nothing else may answer either.
            (Ok(config), Some(registry), Some(standing))
                if away.is_some() || fallback::is_configured(config, registry) =>
            {
                let undecided = Undecided {
                    tool,
                    questions: &questions,
                    standing,
                    registry,
                    config,
                    project: &project,
                    asks: &asks,
                    away,
                };
                fallback::handle(call, &undecided)
            }
            _ => ask(call, &questions, &asks, &[], &project),
        },
    }
}

/// The preferences that stand for each question: the project's first. A question that a
/// preference for its family fits is called by the family's name from here on.
fn standing_preferences(
    call: &Call<'_>,
    questions: &mut [Question],
    project: &str,
) -> Result<Vec<Vec<(Scope, Preference)>>, String> {
    let sets: Vec<String> = questions.iter().map(Question::set_key).collect();
    let keys: Vec<&str> = questions
        .iter()
        .map(|question| question.key.as_str())
        .chain(sets.iter().map(String::as_str))
        .filter(|key| !key.is_empty())
        .collect();
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
    let mut of_sets = found.split_off(questions.len()).into_iter();
    for ((question, set), standing) in questions.iter_mut().zip(&sets).zip(&mut found) {
        if !set.is_empty() {
            standing.extend(question.take_family(of_sets.next().unwrap_or_default()));
        }
    }
    Ok(found)
}
