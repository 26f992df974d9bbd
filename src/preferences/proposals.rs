//! The proposals of `suggest`, for every verb that shows or counts them, and the habits that the hook may point out.

use std::collections::BTreeMap;
use std::{fs, io};

use plantune_domain::paths::create_private_dir;
use plantune_domain::teach::{Habit, day_mark, folder, habits_file, is_day_mark};
use plantune_domain::{atomic_file, clock};
use plantune_query::Store;
use plantune_query::backtest::hindsight;
use plantune_query::evidence::KeyEvidence;
use plantune_query::habits::Habits;
use plantune_query::suggest::{Inputs, Suggestions, suggestions};

use super::InForce;
use crate::document::LeftProposals;
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal;

/// The depth of the search: the details worked out beside the proposals.
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
    session: &Session,
    store: &Store,
    in_force: &InForce<'_>,
    project: Option<&str>,
    depth: Depth,
    of_habits: impl FnOnce(&Habits),
) -> Result<Suggestions, Failure> {
    let registry = session.registry()?;
    let settings = session.suggest_settings()?;
    let of_answers = |key: &KeyEvidence| hindsight(key, &settings, registry);
    let inputs = Inputs {
        settings: &settings,
        registry,
        in_force: &|project, key| in_force.of(project, key),
        now: session.now,
        hindsight: (depth.hindsight > 0).then_some((depth.hindsight, &of_answers)),
    };
    let habits = Habits::read(store, registry, inputs.settings.across_projects);
    let habits = session.read(habits)?;
    of_habits(&habits);
    Ok(suggestions(habits, &inputs, project, depth.reasons))
}

/// The summary left for the hook and the status line, of proposals for `project`, or for all of them.
pub(crate) fn left(found: &Suggestions, project: Option<&str>) -> LeftProposals {
    let mut habits: BTreeMap<String, Vec<Habit>> = BTreeMap::new();
    for proposal in &found.suggestions {
        let of_project = habits.entry(proposal.asked.project.clone()).or_default();
        of_project.push(Habit {
            key: proposal.asked.question_key.clone(),
            times: proposal.evidence.agreed as u64,
            preference: proposal.preference(),
        });
    }
    LeftProposals {
        project: project.map(str::to_owned),
        habits,
        waiting: found.suggestions.len() as u64,
    }
}

// The habits that the hook may point out: what `report` and `suggest` propose, in a file a project.

/// Leaves the habits of `proposed` for the hook, which opens no store. Where they are those of one project, the
/// others' are left as they are. A failure is reported on standard error and stops nothing.
pub(crate) fn update_nudges(session: &Session, proposed: &LeftProposals) {
    write_nudges(session, proposed).unwrap_or_else(|error| {
        let folder = terminal::path(&folder(&session.paths));
        terminal::say(&format!("plantune: {folder}: {error}\n"));
    });
}

fn write_nudges(session: &Session, proposed: &LeftProposals) -> io::Result<()> {
    let paths = &session.paths;
    let mut current = Vec::new();
    for (project, habits) in &proposed.habits {
        create_private_dir(&folder(paths))?;
        let file = habits_file(paths, project);
        let bytes = serde_json::to_vec(habits)?;
        if fs::read(&file).ok().as_ref() != Some(&bytes) {
            atomic_file::replace(&file, &bytes, 0o600)?;
        }
        current.push(file);
    }
    let now = clock::timestamp(session.now);
    current.push(day_mark(paths, now.split('T').next().unwrap_or_default()));
    let meant = proposed.project.as_deref();
    let meant = meant.map(|project| habits_file(paths, project));
    for entry in fs::read_dir(folder(paths)).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_habits = path.extension().is_some_and(|ending| ending == "json");
        let is_meant = is_habits && meant.as_ref().is_none_or(|file| *file == path);
        if !current.contains(&path) && (is_day_mark(&path) || is_meant) {
            // What stays behind is removed the next time.
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}
