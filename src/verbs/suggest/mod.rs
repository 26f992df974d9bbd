//! `plantune suggest`: which questions need not be asked any more, and why.

mod backtest;

use clap::Args;
use plantune_domain::clock;
use plantune_domain::config::Config;
use plantune_domain::preferences::{Policy, Preference};
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::suggest::{Inputs, Suggestion, Suggestions, suggestions};
use plantune_reports::standing::note;
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::suggestions_json::EvidenceDocument;
use plantune_reports::text::wrap;
use plantune_reports::{suggestions as text, suggestions_json as json};

use crate::failure::Failure;
use crate::preferences::in_force::InForce;
use crate::preferences::scope::{Place, project, quoted};
use crate::preferences::standing;
use crate::preferences::writer::{Asking, Change, apply, propose};
use crate::terminal;
use crate::workspace::context::Context;
use crate::workspace::refresh::refresh;
use crate::workspace::store;
use crate::workspace::user_files;

/// Propose questions that need not be asked any more
///
/// A proposal needs your own answers, many of them alike, from several sessions and days, and a
/// question whose answer can be taken back. Nothing is changed without --apply, which shows each
/// change and asks.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    /// Only this project, by its key, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// Set the proposed preferences: shows one after the other, with its exact change, and asks
    /// (y, n, later to stop, never to be always asked)
    #[arg(long)]
    apply: bool,
    /// Apply only this proposal, by its question key; may be repeated
    #[arg(long, value_name = "KEY", requires = "apply")]
    only: Vec<String>,
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

/// Shows the proposals, or applies them.
///
/// # Errors
/// Conflict for a user's file that is not understood; refused where the person cannot be asked.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let config = user_files::config(context)?;
    let registry = user_files::registry(context)?;
    refresh(context, &config)?;
    let project = arguments.project.as_deref().map(project).transpose()?;
    if arguments.backtest {
        let words = backtest::Words {
            since: arguments.since.as_deref(),
            project: project.as_deref(),
            json: arguments.json,
        };
        return backtest::run(&words, context, &config);
    }
    let in_force = InForce::new(&context.paths);
    let inputs = Inputs {
        settings: &config.suggest,
        registry: &registry,
        in_force: &|project, key| in_force.holds(project, key),
        now: context.now,
    };
    let found = match store::open(&context.paths)? {
        Some(store) => suggestions(&store, &inputs, project.as_deref())
            .map_err(|error| store::failure(&context.paths, &error))?,
        None => Suggestions::default(),
    };
    in_force.check()?;
    let notes = notes(context, arguments)?;
    if arguments.apply && !found.suggestions.is_empty() {
        return apply_proposals(arguments, context, &registry, &found.suggestions);
    }
    let mut out = Vec::new();
    if arguments.json {
        json::write(&found, &mut out)?;
    } else {
        text::write(&found, context.width, &mut out)?;
        for note in notes {
            let lines = wrap(&note, usize::from(context.width));
            out.extend(format!("\n{}\n", lines.join("\n")).into_bytes());
        }
    }
    terminal::print(&String::from_utf8_lossy(&out))
}

/// What the person should know of the preferences that stand: those of the project, if one is meant.
fn notes(context: &Context, arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let project = arguments.project.as_deref().map(project).transpose()?;
    let mut standing = standing::review(context, store::open(&context.paths)?.as_ref())?;
    if let Some(project) = &project {
        standing.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    Ok(standing.iter().filter_map(note).collect())
}

/// How many proposals wait for the person; `None` when that cannot be told.
pub(crate) fn waiting(
    context: &Context,
    config: &Config,
    store: &Store,
    project: Option<&str>,
) -> Option<u32> {
    let registry = user_files::registry(context).ok()?;
    let in_force = InForce::new(&context.paths);
    let inputs = Inputs {
        settings: &config.suggest,
        registry: &registry,
        in_force: &|project, key| in_force.holds(project, key),
        now: context.now,
    };
    let found = suggestions(store, &inputs, project).ok()?;
    u32::try_from(found.suggestions.len()).ok()
}

fn apply_proposals(
    arguments: &Arguments,
    context: &Context,
    registry: &Registry,
    proposals: &[Suggestion],
) -> Result<(), Failure> {
    let wanted = chosen(proposals, &arguments.only)?;
    let command = command(arguments);
    terminal::may_change(context, arguments.yes, &command)?;
    if !arguments.yes {
        return one_by_one(context, registry, &wanted);
    }
    let changes = wanted
        .iter()
        .map(|suggestion| change(suggestion, context))
        .collect::<Result<Vec<_>, _>>()?;
    let asking = Asking {
        question: "Set these preferences?",
        yes: true,
        command: &command,
    };
    apply(context, registry, &changes, &asking)?;
    changes.iter().try_for_each(tell)
}

/// What the person says to one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// Set it.
    Yes,
    /// Not now; it is proposed again.
    No,
    /// Stop asking; this one and the rest are proposed again.
    Later,
    /// Never propose it again: the question is to be put to the person always.
    Never,
}

impl Said {
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

/// Shows one proposal after the other, each with its exact change, and does what the person says;
/// what they have said yes to stays set, whatever comes after.
fn one_by_one(
    context: &Context,
    registry: &Registry,
    wanted: &[&Suggestion],
) -> Result<(), Failure> {
    for (number, suggestion) in (1..).zip(wanted) {
        let mut out = Vec::new();
        text::proposal(number, suggestion, usize::from(context.width), &mut out)?;
        terminal::print(&format!("{}\n", String::from_utf8_lossy(&out)))?;
        let changes = [change(suggestion, context)?];
        let proposed = propose(context, registry, &changes)?;
        let prompt = format!("{number} of {}: set it? [y/N/later/never]", wanted.len());
        match answer(&prompt)? {
            Said::Yes => {
                proposed.make()?;
                changes.iter().try_for_each(tell)?;
            }
            Said::No => terminal::print("not set; it will be proposed again\n")?,
            Said::Later => return terminal::print("the rest is left for later\n"),
            Said::Never => never(context, registry, suggestion)?,
        }
    }
    Ok(())
}

/// Asks until the answer is one that is understood; the end of the input is one for later.
fn answer(prompt: &str) -> Result<Said, Failure> {
    loop {
        let Some(word) = terminal::ask(prompt)? else {
            return Ok(Said::Later);
        };
        if let Some(said) = Said::from_word(&word) {
            return Ok(said);
        }
        terminal::print("y sets it, n does not, later stops here, never always asks you\n")?;
    }
}

/// Remembers that the question is not to be proposed again, as what it is: a preference to be asked.
fn never(context: &Context, registry: &Registry, suggestion: &Suggestion) -> Result<(), Failure> {
    let mut change = change(suggestion, context)?;
    change.reason = "suggest never";
    if let Some(preference) = &mut change.preference {
        preference.preference = Policy::AlwaysAsk;
        preference.answer = None;
    }
    propose(context, registry, std::slice::from_ref(&change))?.make()?;
    terminal::print(&format!(
        "never: {} is always put to you, and not proposed again\n  undo: plantune prefs clear {} {}\n",
        change.key,
        change.key,
        terminal::harmless(&change.place.words())
    ))
}

/// Says what was set, and how to take it back.
fn tell(change: &Change) -> Result<(), Failure> {
    let preference = change.preference.as_ref();
    let answer = preference.and_then(|preference| preference.answer.as_deref());
    terminal::print(&format!(
        "set: {} {} in {}\n  undo: plantune prefs clear {} {}\n",
        change.key,
        match answer {
            Some(label) => format!("is answered with {}", answer_in_words(Some(label))),
            None => "follows the recommendation".to_owned(),
        },
        terminal::harmless(change.place.project().unwrap_or_default()),
        change.key,
        terminal::harmless(&change.place.words()),
    ))
}

/// The proposals of these keys; all of them without keys.
fn chosen<'a>(
    proposals: &'a [Suggestion],
    only: &[String],
) -> Result<Vec<&'a Suggestion>, Failure> {
    let of = |suggestion: &&Suggestion, key: &String| suggestion.asked.question_key == *key;
    if let Some(unknown) = only
        .iter()
        .find(|key| !proposals.iter().any(|one| of(&one, key)))
    {
        let mut keys: Vec<&str> = proposals
            .iter()
            .map(|one| one.asked.question_key.as_str())
            .collect();
        keys.dedup();
        return Err(
            Failure::failed(format!("{unknown:?} is not among the proposals"))
                .hint(format!("proposed are: {}", keys.join(", "))),
        );
    }
    let wanted = |one: &&Suggestion| only.is_empty() || only.iter().any(|key| of(one, key));
    Ok(proposals.iter().filter(wanted).collect())
}

fn change(suggestion: &Suggestion, context: &Context) -> Result<Change, Failure> {
    let asked = &suggestion.asked;
    let evidence = EvidenceDocument::from(&suggestion.evidence);
    let evidence = serde_json::to_value(&evidence).map_err(Failure::failed)?;
    Ok(Change {
        place: Place::Project(asked.project.clone()),
        key: asked.question_key.clone(),
        preference: Some(Preference {
            preference: Policy::NeverAsk,
            answer: suggestion.answer.clone(),
            key_source: Some(asked.key_source.clone()),
            question: Some(asked.question.clone()),
            header: asked.header.clone(),
            options: Some(asked.options.clone()),
            set_at: Some(clock::timestamp(context.now)),
            template: asked.template.clone(),
            set_by: Some("suggest".to_owned()),
            evidence: Some(evidence.clone()),
            key: None,
            other: std::collections::BTreeMap::new(),
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
    project.chain(only).fold(
        "plantune suggest --apply".to_owned(),
        |words, (flag, key)| format!("{words} {flag} {}", terminal::harmless(&quoted(key))),
    )
}
