//! `plantune suggest`: which questions and permission prompts need not come any more, and why.

mod apply;
mod backtest;
mod choose;
mod opening;
mod permissions;
mod proposal;

use std::collections::BTreeSet;
use std::path::Path;

use clap::Args;
use plantune_query::suggest::{Asked, Rejected, Suggestion, Suggestions};
use plantune_reports::amount;
use plantune_reports::standing::note;
use plantune_reports::suggestions::{Document, Entry, Found, Screen, entries};

use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::installed_hook::registered::{Registered, registered};
use crate::permission_rules::proposals as rule_proposals;
use crate::preferences::in_force::InForce;
use crate::preferences::proposals::Depth;
use crate::preferences::{proposals, standing};
use crate::terminal::consent;
use crate::verbs::install;
use crate::verbs::suggest::apply::{Applying, Replies};
use crate::workspace::names::ShortNames;
use crate::workspace::project::ProjectArguments;
use crate::workspace::{Workspace, status_line};
use crate::{started_by, terminal};

/// What could be answered or allowed for you; --apply sets it
///
/// A table, a line each: the answers that you always give, and the permission rules that cover what you always
/// allow. With a number, a key or the beginning of the text: the evidence for that one. It rests on your own answers
/// alone, and never proposes what could not be taken back. Nothing is changed without --apply, which asks.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune suggest 2
  plantune suggest --apply --only 'Bash(npm test)'    (undone by: plantune undo 'Bash(npm test)')")]
pub(crate) struct Arguments {
    /// Show the evidence of one: its number in the table, its key or rule, or the beginning of its text
    #[arg(value_name = "PROPOSAL", conflicts_with_all = ["json", "apply", "backtest"])]
    which: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    /// Hints as well, which only point out your usual answer
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    project: ProjectArguments,
    /// Only permission rules
    #[arg(long, conflicts_with = "questions")]
    permissions: bool,
    /// Only questions
    #[arg(long)]
    questions: bool,
    /// Ask about one proposal after the other, and set what you say yes to
    #[arg(long)]
    apply: bool,
    /// Whose settings permission rules are written to [default: as each proposal says]
    #[arg(long, value_enum, value_name = "WHOSE", requires = "apply")]
    settings: Option<SettingsScope>,
    /// Apply only this proposal: its number, its key or rule, or the beginning of its text; may be repeated
    #[arg(long, value_name = "PROPOSAL", requires = "apply")]
    only: Vec<String>,
    /// Leave out this question, also of an asker's; may be repeated
    #[arg(long, value_name = "KEY", requires = "apply")]
    except: Vec<String>,
    /// Do not ask (not in an agent's session)
    #[arg(long, requires = "apply")]
    yes: bool,
    /// Replay your history instead: what would the proposals have got right and wrong?
    #[arg(long, conflicts_with = "apply")]
    backtest: bool,
    /// Of the backtest: the first day that counts, such as 2026-11-02; what lies before it is
    /// evidence only
    #[arg(long, value_name = "DATE", requires = "backtest")]
    since: Option<String>,
}

/// For how many proposals it is computed what each level would have got right.
const HINDSIGHT: usize = 8;

/// Shows the proposals or the evidence of one, or applies them.
///
/// # Errors
/// Conflict for a user's file that is not understood; refused where the person cannot be asked; failed for a
/// proposal that there is none of.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let project = arguments.project.resolve(workspace)?;
    if arguments.backtest {
        return backtest::run(arguments, project.as_deref(), workspace);
    }
    let in_force = InForce::new(workspace);
    let store = workspace.store()?;
    let depth = Depth {
        reasons: true,
        hindsight: match arguments.json || arguments.which.is_some() {
            true => HINDSIGHT,
            false => 0,
        },
    };
    let mut questions = match store.as_deref().filter(|_| !arguments.permissions) {
        Some(store) => {
            let project = project.as_deref();
            proposals::find(workspace, store, &in_force, project, depth, |_| ())?
        }
        None => Suggestions::default(),
    };
    let rules = match store.as_deref().filter(|_| !arguments.questions) {
        Some(store) => rule_proposals::find(workspace, store, project.as_deref())?,
        None => rule_proposals::Found::default(),
    };
    let next = next(workspace, store.is_some());
    drop(store);
    in_force.check()?;
    if !arguments.permissions {
        let left = proposals::left(&questions, project.as_deref());
        workspace.found(|findings| findings.proposed = Some(left));
    }
    leave_out(&mut questions, &arguments.except);
    let mut notes = notes(workspace, project.as_deref())?;
    notes.extend(elsewhere(&questions.suggestions));
    let found = Found {
        questions: (!arguments.permissions).then_some(&questions),
        rules: &rules.proposals,
        tighten: &rules.tighten,
        notes_on_questions: if arguments.permissions { &[] } else { &notes },
        notes: &rules.notes,
        next: &next,
    };
    if arguments.json {
        return terminal::print_json(&Document::from(found));
    }
    if let Some(word) = &arguments.which {
        return show_one(word, &found, arguments, workspace);
    }
    if !arguments.apply {
        return show(&found, arguments, workspace);
    }
    let chosen = chosen(&found, arguments)?;
    if chosen.is_empty() {
        show(&found, arguments, workspace)?;
    } else {
        let command = started_by::call();
        consent::may_change(workspace, arguments.yes, &command)?;
        // What waits afterwards is counted the next time.
        status_line::forget_proposals(workspace);
        let applying = Applying {
            workspace,
            settings: arguments.settings,
            command: &command,
        };
        let replies = match arguments.yes {
            true => Replies {
                is_for_hook: applying.all(&chosen)?,
                ..Replies::default()
            },
            false => applying.one_by_one(&chosen)?,
        };
        if replies.is_for_hook {
            install::offer(workspace)?;
        }
        if replies.has_ended {
            return Ok(());
        }
    }
    match arguments.yes || arguments.permissions || !arguments.only.is_empty() {
        true => Ok(()),
        false => opening::offer(&opening::closed(&questions), workspace),
    }
}

/// What brings more to propose, where something is left to do: a hook that logs, and transcripts where nothing was read.
fn next(workspace: &Workspace, has_history: bool) -> String {
    let install = match registered(workspace) {
        Registered::Nowhere => " `plantune install` logs what you are asked from now on.",
        Registered::Well | Registered::Badly(_) => "",
    };
    let import = match has_history {
        true => "",
        false => " `plantune import` reads transcripts that are there already.",
    };
    format!("{install}{import}")
}

/// Takes the questions `except` out of what is proposed, also out of an asker's.
fn leave_out(found: &mut Suggestions, except: &[String]) {
    let is_wanted = |asked: &Asked| !except.iter().any(|word| choose::is_meant(asked, word));
    found.suggestions.retain(|one| is_wanted(&one.asked));
    for asker in &mut found.askers {
        asker.questions.retain(|one| is_wanted(&one.asked));
    }
    found.askers.retain(|asker| !asker.questions.is_empty());
    found.rejected.retain(|one| is_wanted(&one.asked));
}

/// What is to be applied: what `--only` names, else what the table shows.
///
/// # Errors
/// Those of [`choose::proposals`].
fn chosen<'a>(found: &Found<'a>, arguments: &Arguments) -> Result<Vec<Entry<'a>>, Failure> {
    let all = entries(found);
    if arguments.only.is_empty() {
        let is_shown = |one: &Entry<'_>| arguments.all || !one.is_hint();
        return Ok(all.into_iter().filter(is_shown).collect());
    }
    let mut places = BTreeSet::new();
    for word in &arguments.only {
        places.extend(choose::proposals(&all, word)?);
    }
    let of = |place: usize| all.get(place).copied();
    Ok(places.into_iter().filter_map(of).collect())
}

/// Shows the table.
fn show(found: &Found<'_>, arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    shown(arguments.all, workspace, |screen| screen.list(found))
}

/// Shows the evidence of what `word` names, proposed or not.
fn show_one(
    word: &str,
    found: &Found<'_>,
    arguments: &Arguments,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let all = entries(found);
    let rejected: &[Rejected] = found.questions.map_or(&[], |found| &found.rejected);
    let places = match choose::proposals(&all, word) {
        Ok(places) => places,
        Err(failure) => {
            let refused = choose::rejected(rejected, word);
            if refused.is_empty() {
                return Err(failure);
            }
            return shown(arguments.all, workspace, |screen| {
                refused.iter().for_each(|one| screen.refusal(one));
            });
        }
    };
    shown(arguments.all, workspace, |screen| {
        for (number, place) in places.iter().enumerate() {
            if number > 0 {
                screen.out.line("");
            }
            if let Some(entry) = all.get(*place) {
                screen.evidence(place + 1, entry);
            }
        }
    })
}

/// Prints what `write` writes for the terminal that there is.
fn shown(
    all: bool,
    workspace: &Workspace,
    show: impl FnOnce(&mut Screen<'_>),
) -> Result<(), Failure> {
    let names = ShortNames::new(workspace)?;
    let today = workspace.today()?;
    let mut screen = Screen {
        out: workspace.terminal(),
        all,
        name: &|project| names.of(project).to_owned(),
        day: &|day| amount::day(day, today),
    };
    show(&mut screen);
    terminal::print(&screen.out.into_text())
}

/// What the person should know of the preferences that stand: those of `project`, if one is meant.
fn notes(workspace: &Workspace, project: Option<&str>) -> Result<Vec<String>, Failure> {
    let mut standing = standing::review(workspace)?;
    let all = standing.clone();
    workspace.found(|findings| findings.standing = Some(all));
    if let Some(project) = project {
        standing.retain(|one| one.project.as_deref().is_none_or(|mine| mine == project));
    }
    Ok(standing.iter().filter_map(note).collect())
}

/// That proposals rest on imported sessions of a folder outside the person's home: the transcripts may be
/// somebody else's.
fn elsewhere(proposals: &[Suggestion]) -> Option<String> {
    let home = std::env::home_dir()?;
    let mut projects: Vec<&str> = proposals
        .iter()
        .filter(|one| one.evidence.imported > 0)
        .flat_map(|one| one.projects.iter().map(String::as_str))
        .filter(|project| project.starts_with('/') && !Path::new(project).starts_with(&home))
        .collect();
    projects.sort_unstable();
    projects.dedup();
    let (first, others) = projects.split_first()?;
    let more = match others.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Some(format!(
        "Imported: {}{more} lies outside your home folder. Are these sessions yours? Whoever answered \
         there would answer for you here.",
        terminal::sanitized(first)
    ))
}
