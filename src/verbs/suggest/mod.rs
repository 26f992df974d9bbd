//! `plantune suggest`: which questions and permission prompts need not come any more, and why.

mod backtest;
mod permissions;

use std::io;
use std::path::Path;

use clap::Args;
use plantune_domain::clock;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_query::suggest::{AskerSuggestion, Suggestion, Suggestions};
use plantune_reports::standing::note;
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::suggestions_json::EvidenceDocument;
use plantune_reports::text::wrap;
use plantune_reports::{askers, rules, rules_json as json, suggestions as text};

use crate::failure::Failure;
use crate::permission_rules::proposals as rule_proposals;
use crate::preferences::change::Change;
use crate::preferences::in_force::InForce;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::writer::{Confirmation, apply, propose};
use crate::preferences::{binding, files, marks, nudges, proposals, standing};
use crate::terminal::{self, consent};
use crate::workspace::names::ShortNames;
use crate::workspace::{Workspace, project, status_line};

/// Propose questions and permission prompts that need not come any more
///
/// From a few answers alike on it proposes to point out your usual answer, from more to answer on trial,
/// from many, of several sessions and days, to answer; always of your own answers, and never where an
/// answer could not be taken back. For what you allowed every time it proposes the narrowest permission rule
/// of Claude Code that covers it, and names rules you have that allow more than they need. Nothing is changed
/// without --apply, which shows each change and asks.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune suggest --permissions
  plantune suggest --apply --only 'Bash(npm test)'    (undone by: plantune undo 'Bash(npm test)')")]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    /// Only this project: its key, the end of its key such as owner/repo, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// Only permission rules
    #[arg(long, conflicts_with = "questions")]
    permissions: bool,
    /// Only questions
    #[arg(long)]
    questions: bool,
    /// Set the proposed preferences and rules: shows one after the other, with its exact change, and asks
    /// (y, n, for questions also: later to stop, never to be always asked)
    #[arg(long)]
    apply: bool,
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
        return apply_proposals(arguments, workspace, &applicable, rule_proposals);
    }
    if !arguments.permissions {
        nudges::update(workspace, &found, project.as_deref());
        if project.is_none() {
            status_line::leave(workspace, None, Some(proposals::answering(&found)));
        }
    }
    show(arguments, workspace, &found, rules, notes)
}

/// Shows what is proposed, and changes nothing.
fn show(
    arguments: &Arguments,
    workspace: &Workspace,
    found: &Suggestions,
    rules: rule_proposals::Found,
    notes: Vec<String>,
) -> Result<(), Failure> {
    let mut out = Vec::new();
    if arguments.json {
        let rule_notes = rules.notes.as_slice();
        json::write(
            found,
            &rules.proposals,
            &rules.tighten,
            rule_notes,
            &mut out,
        )?;
        return terminal::print_made(&out, true);
    }
    let mut all_notes = Vec::new();
    if !arguments.permissions {
        // That there is nothing to suggest is said where that is so.
        let is_silent = *found == Suggestions::default() && !rules.proposals.proposals.is_empty();
        if !is_silent {
            let names = ShortNames::new(workspace)?;
            let mut shown = found.clone();
            let proposals = shown.suggestions.iter_mut();
            proposals.for_each(|one| names.shorten(&mut one.asked.project));
            text::write(&shown, workspace.width, &mut out)?;
        }
        all_notes.extend(notes.into_iter().chain(elsewhere(&found.suggestions)));
    }
    write_rules(arguments, workspace, &rules, &mut out)?;
    all_notes.extend(rules.notes);
    for note in all_notes {
        let lines = wrap(&note, usize::from(workspace.width));
        out.extend(format!("\n{}\n", lines.join("\n")).into_bytes());
    }
    terminal::print_made(&out, false)
}

/// Writes what there is to say about permission rules, below the questions.
fn write_rules(
    arguments: &Arguments,
    workspace: &Workspace,
    found: &rule_proposals::Found,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let mut made = Vec::new();
    rules::write(&found.proposals, &found.tighten, workspace.width, &mut made)?;
    match (made.is_empty(), arguments.permissions || out.is_empty()) {
        (true, true) => out.extend(
            b"No permission rule to suggest: no prompt for permission was decided yet.\n\
              `plantune install` logs them from now on; `plantune import` reads the\n\
              transcripts that are there already.\n",
        ),
        (true, false) => {}
        (false, true) => out.extend(made),
        (false, false) => {
            out.push(b'\n');
            out.extend(made);
        }
    }
    Ok(())
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
    rules: &[RuleProposal],
) -> Result<(), Failure> {
    let (wanted, wanted_rules) = chosen(proposals, rules, &arguments.only)?;
    let command = command(arguments);
    consent::may_change(workspace, arguments.yes, &command)?;
    let goes_on = match (arguments.yes, wanted.is_empty()) {
        (_, true) => true,
        (true, false) => apply_all(workspace, wanted, &command)?,
        (false, false) => one_by_one(workspace, &wanted)?,
    };
    if !goes_on || wanted_rules.is_empty() {
        return Ok(());
    }
    let applying = permissions::Applying {
        settings: arguments.settings,
        yes: arguments.yes,
        command: &command,
    };
    permissions::apply(workspace, &wanted_rules, &applying)
}

/// Sets what is proposed for questions without asking.
fn apply_all(
    workspace: &Workspace,
    wanted: Vec<&Proposal<'_>>,
    command: &str,
) -> Result<bool, Failure> {
    let mut changes = Vec::new();
    for proposal in wanted {
        changes.extend(proposal.changes(workspace)?);
    }
    let confirmation = Confirmation {
        question: "Set these preferences?",
        yes: true,
        command,
    };
    apply(workspace, &changes, &confirmation)?;
    changes.iter().try_for_each(report_change)?;
    Ok(true)
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
/// what was set stays set, whatever comes after. False when they want to stop.
fn one_by_one(workspace: &Workspace, wanted: &[&Proposal<'_>]) -> Result<bool, Failure> {
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
            Reply::Later => {
                terminal::print("the rest is left for later\n")?;
                return Ok(false);
            }
            Reply::Never => {
                let questions = proposal.questions().into_iter();
                questions
                    .into_iter()
                    .try_for_each(|one| never(workspace, one))?;
            }
        }
    }
    Ok(true)
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

/// What is proposed for questions, and the rules.
type Chosen<'a, 'p> = (Vec<&'a Proposal<'p>>, Vec<&'a RuleProposal>);

/// The proposals of these names; all of them without names.
fn chosen<'a, 'p>(
    proposals: &'a [Proposal<'p>],
    rules: &'a [RuleProposal],
    only: &[String],
) -> Result<Chosen<'a, 'p>, Failure> {
    let questions = proposals.iter().map(|one| one.name().to_owned());
    let texts = rules.iter().map(|one| one.rule.to_string());
    let mut names: Vec<String> = questions.chain(texts).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(name)) {
        names.dedup();
        return Err(
            Failure::failed(format!("{unknown:?} is not among the proposals"))
                .hint(format!("proposed are: {}", names.join(", "))),
        );
    }
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    let proposals = proposals.iter().filter(|one| is_wanted(one.name()));
    let rules = rules.iter().filter(|one| is_wanted(&one.rule.to_string()));
    Ok((proposals.collect(), rules.collect()))
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
    project.chain(only).chain(except).fold(
        format!("plantune suggest --apply{part}{settings}"),
        |words, (flag, key)| format!("{words} {flag} {}", terminal::harmless(&quoted(key))),
    )
}
