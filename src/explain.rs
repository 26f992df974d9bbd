//! `plantune explain`: why a question was asked or answered.

use clap::Args;
use plantune_query::Store;
use plantune_query::decisions::{Decision, Wanted};
use plantune_query::suggest::{Inputs, suggestions};
use plantune_reports::explain::{Answer, Explanation, Held, Judgement};
use plantune_reports::inert::{self, one_line};
use plantune_reports::standing::StandingPreference;

use crate::context::Context;
use crate::failure::Failure;
use crate::in_force::InForce;
use crate::place::project;
use crate::prefs::files;
use crate::refresh::refresh;
use crate::{standing, store, terminal, time_zone, user_files};

/// How many askings of a key are explained.
const ASKINGS: u32 = 3;

/// More questions than a call has.
const OF_A_CALL: u32 = 64;

/// How many changes of preferences are shown.
const CHANGES: u32 = 10;

/// How much of a key or an id is shown, in characters.
const SHOWN: usize = 400;

/// Say why a question was asked or answered: which preference, which rule, which evidence
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// A question's key, or the id of a call
    #[arg(value_name = "KEY|TOOL_USE_ID")]
    what: String,
    /// Only this project, by its key, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Explains every question of the call, or the key.
///
/// # Errors
/// Failed for what was never asked and has no preference; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let config = user_files::config(context)?;
    refresh(context, &config)?;
    let project = arguments.project.as_deref().map(project).transpose()?;
    let store = store::open(&context.paths)?;
    let standing = standing::review(context, store.as_ref())?;
    let explained = match &store {
        Some(store) => found(store, arguments, project.as_deref(), context)?,
        None => Vec::new(),
    };
    let explained = match explained.is_empty() {
        // A preference for what was never asked is worth a word too.
        true => vec![(arguments.what.clone(), project, Vec::new())],
        false => explained,
    };
    let mut explanations = Vec::new();
    for (key, project, decisions) in explained {
        let mut one = explanation(key, decisions, &standing, context)?;
        if let Some(store) = &store {
            add_evidence(&mut one, store, project.as_deref(), context)?;
        }
        explanations.push(one);
    }
    if explanations
        .iter()
        .all(|one| one.decisions.is_empty() && one.preferences.is_empty())
    {
        return Err(Failure::failed(format!(
            "{:?} is neither the key of a question that was asked nor the id of a call",
            one_line(&arguments.what, SHOWN)
        ))
        .hint("`plantune log` lists both"));
    }
    if arguments.json {
        return terminal::print(&inert::json(&explanations).map_err(Failure::failed)?);
    }
    let clock = time_zone::clock(&config)?;
    let mut out = Vec::new();
    for (number, one) in explanations.iter().enumerate() {
        if number > 0 {
            out.push(b'\n');
        }
        one.write(&clock, usize::from(context.width), &mut out)?;
    }
    terminal::print(&String::from_utf8_lossy(&out))
}

/// A key, the one project it is looked at in, if it is one, and the askings to explain.
type Explained = (String, Option<String>, Vec<Decision>);

/// The questions of the call of that id; else the key's latest askings.
fn found(
    store: &Store,
    arguments: &Arguments,
    project: Option<&str>,
    context: &Context,
) -> Result<Vec<Explained>, Failure> {
    let decisions = |wanted: &Wanted<'_>| {
        store
            .decisions(wanted)
            .map_err(|error| store::failure(&context.paths, &error))
    };
    let of_call = decisions(&Wanted {
        tool_use_id: Some(&arguments.what),
        limit: OF_A_CALL,
        ..Wanted::default()
    })?;
    if !of_call.is_empty() {
        return Ok(of_call
            .into_iter()
            .map(|decision| {
                let key = decision.question_key.clone().unwrap_or_default();
                (key, Some(decision.project.clone()), vec![decision])
            })
            .collect());
    }
    let of_key = decisions(&Wanted {
        question_key: Some(&arguments.what),
        project,
        limit: ASKINGS,
        ..Wanted::default()
    })?;
    if of_key.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![(
        arguments.what.clone(),
        project.map(str::to_owned),
        of_key,
    )])
}

/// What the user's files say about `key`.
fn explanation(
    key: String,
    decisions: Vec<Decision>,
    standing: &[StandingPreference],
    context: &Context,
) -> Result<Explanation, Failure> {
    let registry = user_files::registry(context)?;
    let mut preferences = Vec::new();
    for file in files::all(context) {
        let Some(preference) = file.preferences.get(&key) else {
            continue;
        };
        let mine = |one: &&StandingPreference| {
            let scope = file.scope.name();
            one.question_key == key
                && one.scope == scope
                && (scope == "global" || one.project == file.project)
        };
        preferences.push(Held {
            preference: preference.preference.name(),
            answer: preference.answer.clone(),
            scope: file.scope.name(),
            project: file.project.clone(),
            set_at: preference.set_at.clone(),
            set_by: preference.set_by.clone(),
            evidence: preference.evidence.clone(),
            inert: file.inert_reason(&key, preference, &registry),
            standing: standing.iter().find(mine).cloned(),
        });
    }
    Ok(Explanation {
        schema_version: 1,
        registry_door: registry
            .door_of(&key)
            .map(plantune_hooks::doors::Door::name),
        question_key: key,
        decisions,
        preferences,
        answers: Vec::new(),
        judgements: Vec::new(),
        changes: Vec::new(),
    })
}

/// What the store says about it: in `project`, or in all of them.
fn add_evidence(
    one: &mut Explanation,
    store: &Store,
    project: Option<&str>,
    context: &Context,
) -> Result<(), Failure> {
    let failure = |error| store::failure(&context.paths, &error);
    let key = one.question_key.as_str();
    one.answers = store
        .answers_by_name(key, project)
        .map_err(failure)?
        .into_iter()
        .map(|(answer, times)| Answer { answer, times })
        .collect();
    one.changes = store.preference_changes(key, CHANGES).map_err(failure)?;
    let in_force = InForce::new(&context.paths);
    let inputs = Inputs {
        settings: &user_files::config(context)?.suggest,
        registry: &user_files::registry(context)?,
        in_force: &|project, key| in_force.holds(project, key),
        now: context.now,
    };
    let found = suggestions(store, &inputs, project).map_err(failure)?;
    let proposed = found
        .suggestions
        .iter()
        .map(|one| (&one.asked, &one.answer, &one.evidence, None));
    let rejected = found.rejected.iter().map(|one| {
        (
            &one.asked,
            &one.answer,
            &one.evidence,
            Some(one.reason.to_string()),
        )
    });
    one.judgements = proposed
        .chain(rejected)
        .filter(|(asked, ..)| asked.question_key == key)
        .map(|(asked, answer, evidence, reason)| Judgement {
            project: asked.project.clone(),
            proposed: reason.is_none(),
            answer: answer.clone(),
            answers: evidence.answers,
            agreed: evidence.agreed,
            reason,
        })
        .collect();
    Ok(())
}
