//! `plantune suggest`: which questions need not be asked any more, and why.

use clap::Args;
use plantune_hooks::clock;
use plantune_hooks::config::Config;
use plantune_hooks::preferences::{Policy, Preference};
use plantune_hooks::registry::Registry;
use plantune_query::Store;
use plantune_query::suggest::{Inputs, Suggestion, Suggestions, suggestions};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::suggestions_json::EvidenceDocument;
use plantune_reports::{suggestions as text, suggestions_json as json};

use crate::context::Context;
use crate::failure::Failure;
use crate::in_force::InForce;
use crate::place::{Place, project, quoted};
use crate::preference_writer::{Asking, Change, apply};
use crate::refresh::refresh;
use crate::{backtest, store, terminal, user_files};

/// Propose questions that need not be asked any more
///
/// A proposal needs your own answers, many of them alike, from several sessions and days, and a
/// question whose answer can be taken back. Nothing is changed without --apply, which shows the
/// change and asks.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long, conflicts_with = "apply")]
    json: bool,
    /// Only this project, by its key, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// Set the proposed preferences, after showing the change and asking
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
    if arguments.apply && !found.suggestions.is_empty() {
        return apply_proposals(arguments, context, &registry, &found.suggestions);
    }
    let mut out = Vec::new();
    if arguments.json {
        json::write(&found, &mut out)?;
    } else {
        text::write(&found, context.width, &mut out)?;
    }
    terminal::print(&String::from_utf8_lossy(&out))
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
    let changes = wanted
        .iter()
        .map(|suggestion| change(suggestion, context))
        .collect::<Result<Vec<_>, _>>()?;
    let question = match changes.len() {
        1 => "Set this preference?".to_owned(),
        count => format!("Set these {count} preferences?"),
    };
    let asking = Asking {
        question: &question,
        yes: arguments.yes,
        command: &command(arguments),
    };
    if !apply(context, registry, &changes, &asking)? {
        return Ok(());
    }
    for (suggestion, change) in wanted.iter().zip(&changes) {
        terminal::print(&format!(
            "set: {} {} in {}\n  undo: plantune prefs clear {} {}\n",
            change.key,
            match suggestion.answer.as_deref() {
                Some(label) => format!("is answered with {}", answer_in_words(Some(label))),
                None => "follows the recommendation".to_owned(),
            },
            terminal::harmless(change.place.project().unwrap_or_default()),
            change.key,
            terminal::harmless(&change.place.words()),
        ))?;
    }
    Ok(())
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
            evidence: Some(evidence),
            key: None,
            other: std::collections::BTreeMap::new(),
        }),
        reason: "suggest",
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
