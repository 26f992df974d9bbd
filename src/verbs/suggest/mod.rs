//! `plantune suggest`: which questions need not be asked any more, and why.

mod backtest;

use std::io;
use std::path::Path;

use clap::Args;
use plantune_domain::clock;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_query::suggest::{AskerSuggestion, Suggestion, Suggestions};
use plantune_reports::standing::note;
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::suggestions_json::EvidenceDocument;
use plantune_reports::text::wrap;
use plantune_reports::{askers, suggestions as text, suggestions_json as json};

use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::in_force::InForce;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::writer::{Confirmation, apply, propose};
use crate::preferences::{binding, files, marks, nudges, proposals, standing};
use crate::terminal::{self, consent};
use crate::workspace::{Workspace, project, status_line};

/// Propose questions that need not be asked any more
///
/// From a few answers alike on it proposes to point out your usual answer, from more to answer on trial,
/// from many, of several sessions and days, to answer; always of your own answers, and never where an
/// answer could not be taken back. Nothing is changed without --apply, which shows each change and asks.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    /// Only this project: its key, the end of its key such as owner/repo, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// Set the proposed preferences: shows one after the other, with its exact change, and asks
    /// (y, n, later to stop, never to be always asked)
    #[arg(long)]
    apply: bool,
    /// Apply only this proposal, by its question key or its asker; may be repeated
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
    let project = project::resolve_any(arguments.project.as_deref(), workspace)?;
    if arguments.backtest {
        let options = backtest::Options {
            since: arguments.since.as_deref(),
            project: project.as_deref(),
            json: arguments.json,
        };
        return backtest::run(&options, workspace);
    }
    let in_force = InForce::new(workspace);
    let found = match workspace.store()? {
        Some(store) => {
            proposals::find(workspace, &store, &in_force, project.as_deref(), HINDSIGHT)?
        }
        None => Suggestions::default(),
    };
    in_force.check()?;
    if arguments.apply && !arguments.yes {
        binding::offer(&files::all(workspace), workspace)?;
    }
    let notes = notes(workspace, project.as_deref())?;
    let applicable = Proposal::all(&found, &arguments.except);
    if arguments.apply && !applicable.is_empty() {
        // What waits afterwards is counted the next time.
        status_line::forget_proposals(workspace);
        return apply_proposals(arguments, workspace, &applicable);
    }
    nudges::update(workspace, &found, project.as_deref());
    if project.is_none() {
        status_line::leave(workspace, None, Some(proposals::answering(&found)));
    }
    let mut out = Vec::new();
    if arguments.json {
        json::write(&found, &mut out)?;
    } else {
        text::write(&found, workspace.width, &mut out)?;
        for note in notes.into_iter().chain(elsewhere(&found.suggestions)) {
            let lines = wrap(&note, usize::from(workspace.width));
            out.extend(format!("\n{}\n", lines.join("\n")).into_bytes());
        }
    }
    terminal::print_made(&out, arguments.json)
}

/// What the person should know of the preferences that stand: those of `project`, if one is meant.
fn notes(workspace: &Workspace, project: Option<&str>) -> Result<Vec<String>, Failure> {
    let mut standing = standing::review(workspace)?;
    marks::update(workspace, &standing);
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
        terminal::harmless(first)
    ))
}

/// What is proposed and applied as one.
enum Proposal<'a> {
    /// For one question.
    Question(&'a Suggestion),
    /// For the questions of one asker, some of them left out.
    Asker(AskerSuggestion),
}

impl<'a> Proposal<'a> {
    /// All proposals but those for the questions `except`.
    fn all(found: &'a Suggestions, except: &[String]) -> Vec<Self> {
        let wanted = |one: &Suggestion| !except.contains(&one.asked.question_key);
        let questions = found.suggestions.iter().filter(|one| wanted(one));
        let askers = found.askers.iter().cloned().map(|mut asker| {
            asker.questions.retain(wanted);
            asker
        });
        let askers = askers.filter(|asker| !asker.questions.is_empty());
        questions
            .map(Self::Question)
            .chain(askers.map(Self::Asker))
            .collect()
    }

    /// What `--only` calls it.
    fn name(&self) -> &str {
        match self {
            Self::Question(one) => &one.asked.question_key,
            Self::Asker(asker) => &asker.asker,
        }
    }

    /// The questions that it is for.
    fn questions(&self) -> Vec<&Suggestion> {
        match self {
            Self::Question(one) => vec![one],
            Self::Asker(asker) => asker.questions.iter().collect(),
        }
    }

    fn changes(&self, workspace: &Workspace) -> Result<Vec<Change>, Failure> {
        let questions = self.questions().into_iter();
        questions.map(|one| change(one, workspace)).collect()
    }

    fn show(&self, number: usize, width: usize, out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Question(one) => text::proposal(number, one, width, out),
            Self::Asker(asker) => askers::proposal(number, asker, width, out),
        }
    }
}

fn apply_proposals(
    arguments: &Arguments,
    workspace: &Workspace,
    proposals: &[Proposal<'_>],
) -> Result<(), Failure> {
    let wanted = chosen(proposals, &arguments.only)?;
    let command = command(arguments);
    consent::may_change(workspace, arguments.yes, &command)?;
    if !arguments.yes {
        return one_by_one(workspace, &wanted);
    }
    let mut changes = Vec::new();
    for proposal in wanted {
        changes.extend(proposal.changes(workspace)?);
    }
    let confirmation = Confirmation {
        question: "Set these preferences?",
        yes: true,
        command: &command,
    };
    apply(workspace, &changes, &confirmation)?;
    changes.iter().try_for_each(report_change)
}

/// The person's reply to one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    /// Set it.
    Yes,
    /// Not now; it is proposed again.
    No,
    /// Stop asking; this one and the rest are proposed again.
    Later,
    /// Never propose it again: the question is always asked.
    Never,
}

impl Reply {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "y" | "yes" => Some(Self::Yes),
            "n" | "no" | "" => Some(Self::No),
            "l" | "later" => Some(Self::Later),
            "never" => Some(Self::Never),
            _ => None,
        }
    }
}

/// Shows one proposal after the other, each with its exact change, and does what the person replies;
/// what was set stays set, whatever comes after.
fn one_by_one(workspace: &Workspace, wanted: &[&Proposal<'_>]) -> Result<(), Failure> {
    for (number, proposal) in (1..).zip(wanted) {
        let mut out = Vec::new();
        proposal.show(number, usize::from(workspace.width), &mut out)?;
        terminal::print(&format!("{}\n", String::from_utf8_lossy(&out)))?;
        let changes = proposal.changes(workspace)?;
        let proposed = propose(workspace, &changes)?;
        let prompt = format!("{number} of {}: set it? [y/N/later/never]", wanted.len());
        match answer(&prompt)? {
            Reply::Yes => {
                proposed.make()?;
                changes.iter().try_for_each(report_change)?;
            }
            Reply::No => terminal::print("not set; it will be proposed again\n")?,
            Reply::Later => return terminal::print("the rest is left for later\n"),
            Reply::Never => {
                let questions = proposal.questions().into_iter();
                questions
                    .into_iter()
                    .try_for_each(|one| never(workspace, one))?;
            }
        }
    }
    Ok(())
}

/// Asks until the answer is one that is understood; the end of the input is one for later.
fn answer(prompt: &str) -> Result<Reply, Failure> {
    loop {
        let Some(word) = terminal::ask(prompt)? else {
            return Ok(Reply::Later);
        };
        if let Some(reply) = Reply::from_word(&word) {
            return Ok(reply);
        }
        terminal::print("y sets it, n does not, later stops here, never always asks you\n")?;
    }
}

/// Remembers that the question is not to be proposed again, as what it is: a preference to be asked.
fn never(workspace: &Workspace, suggestion: &Suggestion) -> Result<(), Failure> {
    let mut change = change(suggestion, workspace)?;
    change.reason = "suggest never";
    if let Some(preference) = &mut change.preference {
        preference.preference = Policy::AlwaysAsk;
        preference.answer = None;
        preference.level = None;
        preference.assist = None;
    }
    propose(workspace, std::slice::from_ref(&change))?.make()?;
    terminal::print(&format!(
        "never: {} is always asked, and not proposed again\n  undo: plantune prefs clear {} {}\n",
        change.key,
        change.key,
        terminal::harmless(&change.scope.arguments())
    ))
}

/// Reports what was set, and how to take it back.
fn report_change(change: &Change) -> Result<(), Failure> {
    let preference = change.preference.as_ref();
    let answer = preference.and_then(|preference| preference.answer.as_deref());
    let done = match (preference.map(|one| (one.preference, one.level)), answer) {
        (Some((Policy::Assist, _)), _) => format!(
            "is asked with {} shown as your usual answer",
            answer.map_or_else(
                || "the recommendation".to_owned(),
                |label| answer_in_words(Some(label))
            )
        ),
        (Some((_, Some(Level::Trial))), Some(label)) => {
            format!("is answered on trial with {}", answer_in_words(Some(label)))
        }
        (Some((_, Some(Level::Trial))), None) => "follows the recommendation on trial".to_owned(),
        (_, Some(label)) => format!("is answered with {}", answer_in_words(Some(label))),
        (_, None) => "follows the recommendation".to_owned(),
    };
    let place = change.scope.project().map_or_else(
        || "everywhere".to_owned(),
        |project| format!("in {}", terminal::harmless(project)),
    );
    terminal::print(&format!(
        "set: {} {done} {place}\n  undo: plantune prefs clear {} {}\n",
        change.key,
        change.key,
        terminal::harmless(&change.scope.arguments()),
    ))
}

/// The proposals of these names; all of them without names.
fn chosen<'a, 'p>(
    proposals: &'a [Proposal<'p>],
    only: &[String],
) -> Result<Vec<&'a Proposal<'p>>, Failure> {
    let is_unknown = |key: &&String| !proposals.iter().any(|one| one.name() == *key);
    if let Some(unknown) = only.iter().find(is_unknown) {
        let mut keys: Vec<&str> = proposals.iter().map(Proposal::name).collect();
        keys.dedup();
        return Err(
            Failure::failed(format!("{unknown:?} is not among the proposals"))
                .hint(format!("proposed are: {}", keys.join(", "))),
        );
    }
    let is_wanted =
        |one: &&Proposal<'_>| only.is_empty() || only.iter().any(|name| name == one.name());
    Ok(proposals.iter().filter(is_wanted).collect())
}

fn change(suggestion: &Suggestion, workspace: &Workspace) -> Result<Change, Failure> {
    let asked = &suggestion.asked;
    let evidence = EvidenceDocument::from(&suggestion.evidence);
    let evidence = serde_json::to_value(&evidence)?;
    Ok(Change {
        scope: match suggestion.scope() {
            Scope::Project => PreferenceScope::Project(asked.project.clone()),
            Scope::Global => PreferenceScope::Global,
        },
        key: asked.question_key.clone(),
        preference: Some(Preference {
            set_at: Some(clock::timestamp(workspace.now)),
            set_by: Some("suggest".to_owned()),
            evidence: Some(evidence.clone()),
            ..suggestion.preference()
        }),
        reason: "suggest",
        evidence: Some(evidence),
        undone: None,
    })
}

/// The call, as the person would type it.
fn command(arguments: &Arguments) -> String {
    let project = arguments.project.iter().map(|key| ("--project", key));
    let only = arguments.only.iter().map(|key| ("--only", key));
    let except = arguments.except.iter().map(|key| ("--except", key));
    project.chain(only).chain(except).fold(
        "plantune suggest --apply".to_owned(),
        |words, (flag, key)| format!("{words} {flag} {}", terminal::harmless(&quoted(key))),
    )
}
