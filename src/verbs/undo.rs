//! `plantune undo`: takes back the preference behind an answer that was given for the person.

use clap::Args;
use plantune_domain::preferences::{Level, Policy, Scope};
use plantune_query::decisions::{Decision, Wanted};
use plantune_reports::decisions as text;
use plantune_reports::inert::one_line;

use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::evidence;
use crate::preferences::files;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::writer::{Confirmation, apply};
use crate::terminal;
use crate::workspace::{Workspace, project};

/// How much of a key or an id is shown, in characters.
const SHOWN: usize = 400;

/// More questions than a call has.
const OF_A_CALL: u32 = 64;

/// Take back the preference behind the last answer that was given for you
///
/// The answer counts as wrong from then on, so that the question is not proposed soon again. The
/// last one is that of this project, unless a call is named.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The call, by its id; `plantune log --auto` lists them
    #[arg(value_name = "TOOL_USE_ID")]
    tool_use_id: Option<String>,
    /// The last one of this project: its key, the end of its key such as owner/repo, or . for the current directory's [default: .]
    #[arg(long, value_name = "KEY", conflicts_with_all = ["tool_use_id", "anywhere"])]
    project: Option<String>,
    /// The last one of any project
    #[arg(long, conflicts_with = "tool_use_id")]
    anywhere: bool,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    yes: bool,
}

/// Takes the preferences behind the call away, after showing what was answered and asking.
///
/// # Errors
/// Failed without such an answer, and when its preference is gone already; refused where the person
/// cannot be asked; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let decisions = undoable(arguments, workspace)?;
    let mut changes: Vec<Change> = Vec::new();
    for decision in &decisions {
        let Some(change) = change(decision, workspace)? else {
            continue;
        };
        if !changes
            .iter()
            .any(|one| (&one.scope, &one.key) == (&change.scope, &change.key))
        {
            changes.push(change);
        }
    }
    let Some(id) = decisions.first().and_then(|one| one.tool_use_id.clone()) else {
        return Err(nothing(arguments));
    };
    if changes.is_empty() {
        return Err(Failure::failed(format!(
            "the preference behind {} is gone already",
            one_line(&id, SHOWN)
        ))
        .hint("`plantune log --auto` lists what else was answered for you"));
    }
    let mut out = Vec::new();
    let width = usize::from(workspace.width);
    let clock = workspace.clock()?;
    text::write(&decisions, &clock, width, &mut out)?;
    terminal::print(&String::from_utf8_lossy(&out))?;
    let confirmation = Confirmation {
        question: match changes.len() {
            1 => "Take back the preference behind it?",
            _ => "Take back the preferences behind them?",
        },
        yes: arguments.yes,
        command: &terminal::harmless(&format!("plantune undo {}", quoted(&id))),
    };
    if !apply(workspace, &changes, &confirmation)? {
        return Ok(());
    }
    for change in &changes {
        let key = one_line(&change.key, SHOWN);
        let trial = match decisions.iter().any(|one| is_trial_of(one, change)) {
            true => ", and its trial has ended",
            false => "",
        };
        terminal::print(&format!("undone: {key} is asked again{trial}\n"))?;
    }
    Ok(())
}

/// True when `decision` is the answer of a preference on trial that `change` takes back.
fn is_trial_of(decision: &Decision, change: &Change) -> bool {
    decision.level.as_deref() == Some(Level::Trial.as_str())
        && decision.question_key.as_ref() == Some(&change.key)
}

/// The questions of the call that is to be undone, as far as a preference answered them.
fn undoable(arguments: &Arguments, workspace: &Workspace) -> Result<Vec<Decision>, Failure> {
    let id = match &arguments.tool_use_id {
        Some(id) => Some(id.clone()),
        None => last(arguments, workspace)?,
    };
    let Some(id) = id else {
        return Ok(Vec::new());
    };
    let wanted = Wanted {
        tool_use_id: Some(&id),
        auto_decided: true,
        limit: OF_A_CALL,
        ..Wanted::default()
    };
    let mut decisions = workspace.decisions(&wanted)?;
    decisions.retain(is_by_preference);
    Ok(decisions)
}

/// The id of the last call that a preference answered, in the project that is meant.
fn last(arguments: &Arguments, workspace: &Workspace) -> Result<Option<String>, Failure> {
    let project = match arguments.anywhere {
        true => None,
        false => Some(project::resolve(
            arguments.project.as_deref().unwrap_or("."),
            workspace,
        )?),
    };
    let wanted = Wanted {
        project: project.as_deref(),
        auto_decided: true,
        limit: OF_A_CALL,
        ..Wanted::default()
    };
    let decisions = workspace.decisions(&wanted)?;
    let mut by_preference = decisions.into_iter().filter(is_by_preference);
    Ok(by_preference.find_map(|decision| decision.tool_use_id))
}

/// True when a preference answered: neither the person, earlier in the session, nor their reviewer.
fn is_by_preference(decision: &Decision) -> bool {
    let policy = decision.preference.as_deref().and_then(Policy::parse);
    decision.preference_scope.is_some() && policy.is_some()
}

/// The change that takes back what answered; `None` when it is gone already.
fn change(decision: &Decision, workspace: &Workspace) -> Result<Option<Change>, Failure> {
    let Some(key) = &decision.question_key else {
        return Ok(None);
    };
    let scope = match decision.preference_scope.as_deref() {
        Some(scope) if scope == Scope::Global.as_str() => PreferenceScope::Global,
        _ => PreferenceScope::Project(decision.project.clone()),
    };
    let preference = files::preference(workspace, &scope, key)?;
    if preference.is_none() {
        return Ok(None);
    }
    Ok(Some(Change {
        evidence: evidence::now(workspace, key, &scope),
        scope,
        key: key.clone(),
        preference: None,
        reason: "undo",
        undone: Some(decision.clone()),
    }))
}

fn nothing(arguments: &Arguments) -> Failure {
    let what = match (&arguments.tool_use_id, arguments.anywhere) {
        (Some(id), _) => format!("no preference answered a call {:?}", one_line(id, SHOWN)),
        (None, true) => "no preference has answered anything yet".to_owned(),
        (None, false) => "no preference has answered anything in this project yet".to_owned(),
    };
    Failure::failed(what).hint(
        "`plantune log --auto` lists what was answered for you; --anywhere looks in every project",
    )
}
