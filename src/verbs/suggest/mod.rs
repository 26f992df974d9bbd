//! `plantune suggest`: which questions and permission prompts need not come any more, and why.

mod backtest;
mod lines;
mod opening;
mod permissions;
mod proposal;
mod reply;
mod review;

use std::path::Path;

use clap::Args;
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_query::suggest::{Rejected, Suggestion, Suggestions};
use plantune_reports::standing::note;
use plantune_reports::suggestions::{Document, Found, Terminal};

use crate::failure::Failure;
use crate::permission_rules::proposals as rule_proposals;
use crate::preferences::in_force::InForce;
use crate::preferences::scope::quoted;
use crate::preferences::{binding, files, proposals, standing};
use crate::terminal::{self, consent};
use crate::verbs::suggest::proposal::{Proposal, chosen};
use crate::verbs::suggest::review::Review;
use crate::workspace::names::ShortNames;
use crate::workspace::project::ProjectArguments;
use crate::workspace::{Workspace, status_line};

/// What could be answered or allowed for you; --apply sets it
///
/// From a few answers alike on it proposes to point out your usual answer, from more to answer on trial,
/// from many, of several sessions and days, to answer; always of your own answers, and never where an
/// answer could not be taken back. For what you allowed every time it proposes the narrowest permission rule
/// of Claude Code that covers it, and names rules you have that allow more than they need. Nothing is changed
/// without --apply, which shows every change and asks.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune suggest --permissions
  plantune suggest --apply --only 'Bash(npm test)'    (undone by: plantune undo 'Bash(npm test)')")]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    #[command(flatten)]
    project: ProjectArguments,
    /// Only permission rules
    #[arg(long, conflicts_with = "questions")]
    permissions: bool,
    /// Only questions
    #[arg(long)]
    questions: bool,
    /// Set the proposed preferences and rules that you choose: from a list, on a terminal of at least 60 columns
    /// and 18 rows, which shows the whole change before it writes it; else one after the other, each with its
    /// change (y, n, for questions also: later to stop, never to be always asked)
    #[arg(long)]
    apply: bool,
    /// Ask about one proposal after the other, in lines, on a terminal, too
    #[arg(long, requires = "apply", conflicts_with = "yes")]
    one_by_one: bool,
    /// Whose settings permission rules are written to [default: as each proposal says]
    #[arg(long, value_enum, value_name = "WHOSE", requires = "apply")]
    settings: Option<permissions::SettingsChoice>,
    /// Apply only this proposal, by its question key, its asker or its rule; may be repeated
    #[arg(long, value_name = "KEY", requires = "apply")]
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

/// Shows the proposals, or applies them.
///
/// # Errors
/// Conflict for a user's file that is not understood; refused where the person cannot be asked.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let project = arguments.project.resolve(workspace)?;
    if arguments.backtest {
        let options = backtest::Options {
            since: arguments.since.as_deref(),
            project: project.as_deref(),
            json: arguments.json,
        };
        return backtest::run(&options, workspace);
    }
    let in_force = InForce::new(workspace);
    let store = workspace.store()?;
    let found = match store.as_deref().filter(|_| !arguments.permissions) {
        Some(store) => proposals::find(workspace, store, &in_force, project.as_deref(), HINDSIGHT)?,
        None => Suggestions::default(),
    };
    let rules = match store.as_deref().filter(|_| !arguments.questions) {
        Some(store) => rule_proposals::find(workspace, store, project.as_deref())?,
        None => rule_proposals::Found::default(),
    };
    drop(store);
    in_force.check()?;
    if arguments.apply && !arguments.yes && !arguments.permissions {
        binding::offer(&files::all(workspace), workspace)?;
    }
    let notes = notes(workspace, project.as_deref())?;
    let applicable = Proposal::all(&found, &arguments.except);
    let rule_proposals = &rules.proposals.proposals;
    if arguments.apply && !(applicable.is_empty() && rule_proposals.is_empty()) {
        // What waits afterwards is counted the next time.
        status_line::forget_proposals(workspace);
        let closed = opening::closed(&found, &arguments.except);
        let closed = match may_open(arguments) {
            true => closed.as_slice(),
            false => &[],
        };
        return apply_proposals(arguments, workspace, &applicable, rule_proposals, closed);
    }
    if !arguments.permissions {
        let left = proposals::left(&found, project.as_deref());
        workspace.found(|findings| findings.proposed = Some(left));
    }
    let closed = opening::closed(&found, &arguments.except);
    show(arguments, workspace, found, &rules, notes)?;
    match arguments.apply && may_open(arguments) {
        true => opening::offer(&closed, workspace),
        false => Ok(()),
    }
}

/// Whether what words keep closed is offered as well.
fn may_open(arguments: &Arguments) -> bool {
    !arguments.yes && !arguments.permissions && arguments.only.is_empty()
}

/// Shows what is proposed, and changes nothing.
fn show(
    arguments: &Arguments,
    workspace: &Workspace,
    mut found: Suggestions,
    rules: &rule_proposals::Found,
    mut notes: Vec<String>,
) -> Result<(), Failure> {
    if !arguments.json && !arguments.permissions {
        notes.extend(elsewhere(&found.suggestions));
        let names = ShortNames::new(workspace)?;
        let proposals = found.suggestions.iter_mut();
        proposals.for_each(|one| names.shorten(&mut one.asked.project));
    }
    let document = Document::from(Found {
        questions: (!arguments.permissions).then_some(&found),
        rules: &rules.proposals,
        tighten: &rules.tighten,
        notes_on_questions: if arguments.permissions { &[] } else { &notes },
        notes: &rules.notes,
    });
    let width = usize::from(workspace.width);
    terminal::print_document(&document, arguments.json, &Terminal { width })
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

/// Sets what the person chooses: from a list where the terminal can show one, else one after the other.
fn apply_proposals(
    arguments: &Arguments,
    workspace: &Workspace,
    proposals: &[Proposal<'_>],
    rules: &[RuleProposal],
    closed: &[Rejected],
) -> Result<(), Failure> {
    let (wanted, wanted_rules) = chosen(proposals, rules, &arguments.only)?;
    let command = command(arguments);
    consent::may_change(workspace, arguments.yes, &command)?;
    if !arguments.yes && !arguments.one_by_one && review::is_possible() {
        let review = Review {
            workspace,
            settings: arguments.settings,
            command: &command,
        };
        opening::offer(closed, workspace)?;
        return review.run(&wanted, &wanted_rules);
    }
    if !wanted.is_empty() {
        let goes_on = match arguments.yes {
            true => lines::apply_all(workspace, wanted, &command).map(|()| true)?,
            false => lines::one_by_one(workspace, &wanted)?,
        };
        if !goes_on {
            return Ok(());
        }
    }
    opening::offer(closed, workspace)?;
    if wanted_rules.is_empty() {
        return Ok(());
    }
    let applying = permissions::Applying {
        settings: arguments.settings,
        yes: arguments.yes,
        command: &command,
    };
    permissions::apply(workspace, &wanted_rules, &applying)
}

/// The call, as the person would type it.
fn command(arguments: &Arguments) -> String {
    let project = arguments.project.word().map(|key| ("--project", key));
    let only = arguments.only.iter().map(|key| ("--only", key.as_str()));
    let except = arguments
        .except
        .iter()
        .map(|key| ("--except", key.as_str()));
    let part = match (arguments.permissions, arguments.questions) {
        (true, _) => " --permissions",
        (_, true) => " --questions",
        _ => "",
    };
    let settings = match arguments.settings {
        None => "",
        Some(permissions::SettingsChoice::User) => " --settings user",
        Some(permissions::SettingsChoice::Local) => " --settings local",
        Some(permissions::SettingsChoice::Project) => " --settings project",
    };
    let one_by_one = if arguments.one_by_one {
        " --one-by-one"
    } else {
        ""
    };
    project.into_iter().chain(only).chain(except).fold(
        format!("plantune suggest --apply{part}{settings}{one_by_one}"),
        |words, (flag, key)| format!("{words} {flag} {}", terminal::sanitized(&quoted(key))),
    )
}
