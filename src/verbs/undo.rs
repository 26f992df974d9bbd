//! `plantune undo`: takes back an answer that was given for the person, with the preference behind it.

mod changed;
mod rule;

use clap::Args;
use plantune_domain::keys::is_id;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_query::decisions::{Decision, Wanted};
use plantune_reports::log;
use plantune_reports::text::one_line;

use self::changed::Undone;
use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::sentence::{from_now_on, names, undo};
use crate::preferences::writer::{apply, apply_one};
use crate::preferences::{called, evidence, files};
use crate::started_by::call;
use crate::terminal;
use crate::terminal::consent::Confirmation;
use crate::workspace::project::ProjectArguments;
use crate::workspace::{Workspace, project};

/// How much of a key or an id is shown, in characters.
const SHOWN: usize = 400;

/// More questions than a call has.
const OF_A_CALL: u32 = 64;

/// Take back the last answer given for you
///
/// The answer counts as wrong from then on, so that the question is not proposed soon again; one that
/// was given while you were away counts for nothing either way. The agent is told in its next turn. The
/// last one is that of this project, unless a call is named. A permission rule that `plantune suggest --apply`
/// added is taken out of the settings again, and nothing else with it; and a preference that you set goes by its key.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune undo
  plantune undo todos-create
  plantune undo 'Bash(npm test)'")]
pub(crate) struct Arguments {
    /// A preference, by its question's key or name; a call, by its id (`plantune log --auto` lists them); or a permission rule
    #[arg(value_name = "KEY|ID|RULE")]
    tool_use_id: Option<String>,
    /// What you want instead: one of the options; where a call had several questions, one of each to change
    #[arg(long, value_name = "LABEL")]
    answer: Vec<String>,
    #[command(flatten)]
    project: ProjectArguments,
    /// Do not ask (not in an agent's session)
    #[arg(long)]
    yes: bool,
}

/// Takes the answers of the call back, and the preferences behind them, after showing what was answered
/// and asking.
///
/// # Errors
/// Failed without such an answer, and when it was taken back already; usage for a label that was not
/// offered; refused where the person
/// cannot be asked; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if let Some(text) = &arguments.tool_use_id
        && let Some(done) = rule::run(text, arguments.yes, workspace)
    {
        return done;
    }
    if let Some(word) = &arguments.tool_use_id {
        let key = called::key(word, workspace)?;
        if is_id(&key) && preference(&key, arguments, workspace)?.is_some() {
            return Ok(());
        }
    }
    let decisions = undoable(arguments, workspace)?;
    let undone = changed::wanted(decisions, &arguments.answer)?;
    let mut changes: Vec<Change> = Vec::new();
    for one in &undone {
        let Some(change) = change(one, workspace)? else {
            continue;
        };
        if !changes
            .iter()
            .any(|one| (&one.scope, &one.key) == (&change.scope, &change.key))
        {
            changes.push(change);
        }
    }
    let first = undone.first().map(|one| &one.decision);
    let Some(id) = first.and_then(|one| one.tool_use_id.clone()) else {
        return Err(nothing(arguments, workspace));
    };
    let takes_back = |one: &&Undone| {
        let key = one.decision.question_key.as_ref();
        one.can_change()
            && (one.decision.is_away() || changes.iter().any(|change| Some(&change.key) == key))
    };
    let changed: Vec<&Undone> = undone.iter().filter(takes_back).collect();
    if changes.is_empty() && changed.is_empty() {
        let id = one_line(&id, SHOWN);
        let by_preference = undone.iter().any(|one| is_by_preference(&one.decision));
        return Err(Failure::failed(match by_preference {
            true => format!("the preference behind {id} is gone already"),
            false => format!("{id} was taken back already"),
        })
        .hint("`plantune log --auto` lists what else was answered for you"));
    }
    let mut out = workspace.terminal();
    let decisions: Vec<Decision> = undone.iter().map(|one| one.decision.clone()).collect();
    decisions.iter().for_each(|one| log::show(one, &mut out));
    terminal::print(&out.into_text())?;
    // By its id: another answer may be the last one by then.
    let command = undone.iter().filter_map(|one| one.wanted.as_deref()).fold(
        format!("plantune undo {}", quoted(&id)),
        |command, label| format!("{command} --answer {}", quoted(label)),
    );
    let sentence = sentence(&changes, &decisions, workspace)?;
    let confirmation = Confirmation {
        sentence: &sentence,
        question: "Take it back?",
        yes: arguments.yes,
        command: &terminal::sanitized(&command),
    };
    if changes.is_empty() {
        workspace.close_store();
        if !confirmation.is_given(workspace, "")? {
            return Ok(());
        }
    } else if !apply(workspace, &changes, &confirmation)? {
        return Ok(());
    }
    changed::record(&changed, arguments.yes, workspace)
}

/// Takes back the preference for `key`, where it stands: in the project that is meant or everywhere; `None` where
/// there is none.
fn preference(
    key: &str,
    arguments: &Arguments,
    workspace: &Workspace,
) -> Result<Option<()>, Failure> {
    let wanted = arguments.project.resolve(workspace)?;
    let files = files::all(workspace).into_iter();
    let standing = files.filter_map(|file| {
        let preference = file.preferences.get(key)?.clone();
        Some((file.preference_scope(), preference))
    });
    let is_meant = |(scope, _): &(PreferenceScope, Preference)| match (&wanted, scope.project()) {
        (Some(wanted), Some(project)) => wanted == project,
        _ => true,
    };
    let mut found: Vec<(PreferenceScope, Preference)> = standing.filter(is_meant).collect();
    if found.len() > 1 {
        // The nearest: that of the project, which is named or the folder's.
        let here = project::resolve(".", workspace)?;
        let near = wanted.as_deref().unwrap_or(&here);
        found.retain(|(scope, _)| scope.project() == Some(near));
        if found.is_empty() {
            let fact = format!("{} is set in several places", one_line(key, SHOWN));
            return Err(Failure::usage(fact)
                .hint("name one with --project; `plantune prefs list` shows them"));
        }
    }
    let Some((scope, before)) = found.pop() else {
        return Ok(None);
    };
    let change = Change::new(workspace, scope, key, None, "prefs clear");
    let sentence = from_now_on(&change, Some(&before), None, workspace);
    let words = (&*sentence, "Take it back?");
    apply_one(workspace, &change, words, arguments.yes, &call()).map(|_| Some(()))
}

/// What taking `changes` back means: the preferences behind `decisions`.
fn sentence(
    changes: &[Change],
    decisions: &[Decision],
    workspace: &Workspace,
) -> Result<String, Failure> {
    if changes.is_empty() {
        let is_told = decisions.iter().all(changed::can_be_told);
        let sentence = match is_told {
            true => "The agent is told that this answer no longer holds.",
            false => "This answer no longer holds.",
        };
        return Ok(sentence.to_owned());
    }
    let of = |change: &Change| {
        let before = files::preference(workspace, &change.scope, &change.key)?;
        let sentence = from_now_on(change, before.as_ref(), None, workspace);
        Ok(match decisions.iter().any(|one| is_trial_of(one, change)) {
            true => format!("{sentence} Its trial has ended."),
            false => sentence,
        })
    };
    let sentences: Vec<String> = changes.iter().map(of).collect::<Result<_, Failure>>()?;
    Ok(sentences.join("\n"))
}

/// True when `decision` is the answer of a preference on trial that `change` takes back.
fn is_trial_of(decision: &Decision, change: &Change) -> bool {
    decision.level.as_deref() == Some(Level::Trial.as_str())
        && decision.question_key.as_ref() == Some(&change.key)
}

/// The questions of the call that is to be undone, as far as a preference answered them, or they were
/// answered because the person was away.
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
    decisions.retain(is_undoable);
    Ok(decisions)
}

/// The id of the last call with such an answer that was not taken back, in the project that is meant.
fn last(arguments: &Arguments, workspace: &Workspace) -> Result<Option<String>, Failure> {
    let project = arguments.project.resolve(workspace)?;
    let wanted = Wanted {
        project: project.as_deref(),
        auto_decided: true,
        limit: OF_A_CALL,
        ..Wanted::default()
    };
    let decisions = workspace.decisions(&wanted)?;
    let is_left = |decision: &Decision| is_undoable(decision) && !decision.undone;
    let (left, undone): (Vec<Decision>, Vec<Decision>) = decisions.into_iter().partition(is_left);
    let undone = undone.into_iter().filter(is_undoable);
    Ok(left
        .into_iter()
        .chain(undone)
        .find_map(|decision| decision.tool_use_id))
}

/// True when a preference answered, or what was recommended: neither the person, earlier in the session,
/// nor their reviewer.
fn is_undoable(decision: &Decision) -> bool {
    decision.is_away() || is_by_preference(decision)
}

fn is_by_preference(decision: &Decision) -> bool {
    let policy = decision.preference.as_deref().and_then(Policy::parse);
    decision.preference_scope.is_some() && policy.is_some()
}

/// The change that takes back the preference that answered; `None` when none did, or it is gone already.
fn change(undone: &Undone, workspace: &Workspace) -> Result<Option<Change>, Failure> {
    let decision = &undone.decision;
    let key = decision.question_key.as_ref();
    let Some(key) = key.filter(|_| is_by_preference(decision)) else {
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
        evidence: undone.with_wanted(evidence::now(workspace, key, &scope)),
        scope,
        key: key.clone(),
        preference: None,
        reason: "undo",
        undone: Some(decision.clone()),
    }))
}

fn nothing(arguments: &Arguments, workspace: &Workspace) -> Failure {
    let what = match (&arguments.tool_use_id, arguments.project.word()) {
        (Some(id), _) => format!("no preference answered a call {:?}", one_line(id, SHOWN)),
        (None, None) => "no preference has answered anything yet".to_owned(),
        (None, Some(_)) => "no preference has answered anything in this project yet".to_owned(),
    };
    let is_bare = arguments.tool_use_id.is_none() && arguments.project.word().is_none();
    let hint = match last_set(workspace).filter(|_| is_bare) {
        Some(undo) => format!("{undo} takes back the preference that was set last"),
        _ => "`plantune log --auto` lists what was answered for you".to_owned(),
    };
    Failure::failed(what).hint(hint)
}

/// The command that takes back the preference that was set last, in backquotes, if one is.
fn last_set(workspace: &Workspace) -> Option<String> {
    let files = files::all(workspace);
    let all = files.iter().filter(|file| file.problem.is_none());
    let all = all.flat_map(|file| {
        let known = file.preferences.iter().filter(|(key, _)| is_id(key));
        known.filter_map(move |(key, one)| Some((one.set_at.as_deref()?, key, one, file)))
    });
    let (_, key, preference, file) = all.max_by_key(|(set_at, ..)| *set_at)?;
    let word = called::word(key, preference);
    let scope = file.preference_scope();
    let mut others = files.iter().filter(|other| other.path != file.path);
    Some(match scope {
        // `undo` takes the nearest one.
        PreferenceScope::Global if others.any(|other| other.preferences.contains_key(key)) => {
            format!("`{}`", scope.prefs("clear", &word))
        }
        _ => undo(&word, &scope, &names(workspace), workspace),
    })
}
