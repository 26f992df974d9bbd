//! What `suggest` proposes, for every verb that shows or counts it.

use std::collections::BTreeMap;

use plantune_domain::nudge::Habit;
use plantune_query::families::{Grouping, Habits};
use plantune_query::suggest::{Inputs, Suggestions, only_proposals, suggestions};
use plantune_query::{Error, Store};

use crate::failure::Failure;
use crate::preferences::in_force::InForce;
use crate::workspace::findings::Proposed;
use crate::workspace::user_files;
use crate::workspace::{Workspace, store};

/// The proposals for `project`, or for all of them, and what was rejected and why; for the
/// first `hindsight` what each level would have got right. Nothing is
/// proposed that goes no further than what `in_force` holds.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the
/// store cannot be read.
pub(crate) fn find(
    workspace: &Workspace,
    store: &Store,
    in_force: &InForce<'_>,
    project: Option<&str>,
    hindsight: usize,
) -> Result<Suggestions, Failure> {
    ask(workspace, in_force, hindsight, |inputs| {
        suggestions(store, inputs, project)
    })
}

/// The proposals that [`find`] returns, and nothing of what was rejected: why is most of the work. What is
/// one question is given to `group` as soon as it is known.
///
/// # Errors
/// Those of [`find`].
pub(crate) fn find_only<'w>(
    workspace: &'w Workspace,
    store: &Store,
    in_force: &InForce<'_>,
    project: Option<&str>,
    group: impl FnOnce(Grouping<'w>),
) -> Result<Suggestions, Failure> {
    let registry = workspace.registry()?;
    ask(workspace, in_force, 0, |inputs| {
        let habits = Habits::read(store, registry, inputs.settings.across_projects)?;
        group(habits.grouping(registry));
        Ok(only_proposals(habits, inputs, project))
    })
}

fn ask<T>(
    workspace: &Workspace,
    in_force: &InForce<'_>,
    hindsight: usize,
    question: impl FnOnce(&Inputs<'_>) -> Result<T, Error>,
) -> Result<T, Failure> {
    let inputs = Inputs {
        settings: &user_files::suggest(&workspace.paths)?,
        registry: workspace.registry()?,
        in_force: &|project, key| in_force.of(project, key),
        now: workspace.now,
        hindsight,
    };
    question(&inputs).map_err(|error| store::failure(&workspace.paths, &error))
}

/// What the hook and the status line are left of proposals for `project`, or for all of them.
pub(crate) fn left(found: &Suggestions, project: Option<&str>) -> Proposed {
    let mut habits: BTreeMap<String, Vec<Habit>> = BTreeMap::new();
    for proposal in &found.suggestions {
        let preference = proposal.preference();
        if preference.preference.answers() {
            let of_project = habits.entry(proposal.asked.project.clone()).or_default();
            of_project.push(Habit {
                key: proposal.asked.question_key.clone(),
                times: proposal.evidence.agreed as u64,
                preference,
            });
        }
    }
    Proposed {
        project: project.map(str::to_owned),
        habits,
        waiting: waiting(found),
    }
}

/// How many proposals for questions wait, of every level: the one number that all verbs show.
pub(crate) fn waiting(found: &Suggestions) -> u64 {
    (found.suggestions.len() + found.askers.len()) as u64
}
