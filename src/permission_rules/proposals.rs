//! What `suggest` proposes as permission rules, for Claude Code, OpenCode and Gemini CLI.

use std::path::PathBuf;

use plantune_agents::claude_code;
use plantune_query::permissions::propose::{Inputs, Proposals, Settings, proposals};
use plantune_query::permissions::rules::{Tighten, tighten};
use plantune_query::suggest::EVERYWHERE;
use plantune_query::{Error, Store};
use serde_json::Value;

use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::permission_rules::writer::{Accepted, RuleTarget};
use crate::permission_rules::{folder, known, writer};
use crate::workspace::{Workspace, store, user_files};

/// What a rule of OpenCode's allows beside its words.
const ALSO_IN_OPENCODE: &str = " OpenCode looks neither at variables that are set before, nor at the folder of the project that it runs in, \
                                nor at where the output of a group goes.";

/// What the person can do in a file of OpenCode's that is left alone.
const BY_HAND: &str = "; you can add it by hand, as `\"…\": \"allow\"` behind `\"*\": \"ask\"`, to the file that asks";

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    /// The rules that are proposed.
    pub(crate) proposals: Proposals,
    /// The rules that are there and could be narrower.
    pub(crate) tighten: Vec<Tighten>,
    /// What could not be read, in words.
    pub(crate) notes: Vec<String>,
}

/// The proposals for `project`, or for all of them.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the store cannot be read.
pub(crate) fn find(
    workspace: &Workspace,
    store: &Store,
    project: Option<&str>,
) -> Result<Found, Failure> {
    let mut found = of_agent(workspace, store, project, None)?;
    for (agent, also, by_hand) in [("opencode", ALSO_IN_OPENCODE, BY_HAND), ("gemini", "", "")] {
        let others = of_agent(workspace, store, project, Some(agent))?;
        for mut proposal in others.proposals.proposals {
            // Gemini CLI has rules for all projects alone.
            if agent == "gemini" && proposal.settings != Settings::User {
                continue;
            }
            proposal.also_allows.push_str(also);
            let accepted = [Accepted {
                rule: proposal.name(),
                evidence: Value::Null,
            }];
            let root = Some(&proposal.root).filter(|root| !root.is_empty());
            let place = RuleTarget::of(agent, SettingsScope::User, root.map(PathBuf::from));
            match writer::plan(workspace, &place, &accepted).map(drop) {
                Err(failure) => found.notes.push(format!(
                    "{}, so that `{}` is not proposed{}",
                    failure.message(),
                    proposal.name(),
                    by_hand
                )),
                Ok(()) => found.proposals.proposals.push(proposal),
            }
        }
        found.notes.extend(others.notes);
    }
    Ok(found)
}

fn of_agent(
    workspace: &Workspace,
    store: &Store,
    project: Option<&str>,
    agent: Option<&'static str>,
) -> Result<Found, Failure> {
    let failure = |error: Error| store::failure(&workspace.paths, &error);
    let prompts = store.prompt_history(agent).map_err(failure)?;
    if agent.is_some() && prompts.is_empty() {
        return Ok(Found::default());
    }
    let mode = match agent {
        None => store.usual_mode().map_err(failure)?,
        Some(_) => None,
    };
    let known = known::rules(workspace, agent, &prompts);
    let own = workspace.registry()?.own_reaches();
    let inputs = Inputs {
        agent: agent.unwrap_or(claude_code::NAME),
        settings: &user_files::suggest(&workspace.paths)?,
        now: workspace.now.naive_utc(),
        own,
        known: &known.rules,
        mode: mode.as_deref(),
        holds: &|root, folder| folder::holds(root, folder),
    };
    let mut proposals = proposals(&prompts, &inputs);
    let mut tighten = tighten(&prompts, &known.rules, own);
    if let Some(project) = project {
        proposals.proposals.retain(|one| {
            one.project == project
                || one.project == EVERYWHERE && one.projects.iter().any(|of| of == project)
        });
        let is_of_project = |root: &str| {
            let mut of_project = prompts.iter().filter(|one| one.project == project);
            of_project.any(|one| one.root == root)
        };
        tighten.retain(|one| one.root.as_deref().is_none_or(is_of_project));
    }
    Ok(Found {
        proposals,
        tighten,
        notes: known.notes,
    })
}
