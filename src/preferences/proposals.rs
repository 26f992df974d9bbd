//! What `suggest` proposes, for every verb that shows or counts it.

use std::collections::BTreeMap;

use plantune_domain::nudge::Habit;
use plantune_query::Store;
use plantune_query::families::Habits;
use plantune_query::suggest::{Inputs, Suggestions, suggestions};

use crate::failure::Failure;
use crate::preferences::in_force::InForce;
use crate::workspace::Workspace;
use crate::workspace::findings::Proposed;
use crate::workspace::user_files;

/// What is worked out beside the proposals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth {
    /// Why other habits are not proposed: most of the work.
    pub(crate) reasons: bool,
    /// For how many proposals, what each level would have got right.
    pub(crate) hindsight: usize,
}

impl Depth {
    /// The reasons and nothing else.
    pub(crate) fn reasons() -> Self {
        Self {
            reasons: true,
            hindsight: 0,
        }
    }
}

/// The proposals for `project`, or for all of them, as deep as `depth` says. Nothing is proposed that goes no further than
/// what `in_force` holds. The habits are given to `of_habits` before they are judged.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the
/// store cannot be read.
pub(crate) fn find(
    workspace: &Workspace,
    store: &Store,
    in_force: &InForce<'_>,
    project: Option<&str>,
    depth: Depth,
    of_habits: impl FnOnce(&Habits),
) -> Result<Suggestions, Failure> {
    let registry = workspace.registry()?;
    let inputs = Inputs {
        settings: &user_files::suggest(&workspace.paths)?,
        registry,
        in_force: &|project, key| in_force.of(project, key),
        now: workspace.now,
        hindsight: depth.hindsight,
    };
    let habits = Habits::read(store, registry, inputs.settings.across_projects);
    let habits = workspace.read(habits)?;
    of_habits(&habits);
    Ok(suggestions(habits, &inputs, project, depth.reasons))
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
