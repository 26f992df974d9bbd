//! The proposals of `suggest`, for every verb that shows or counts them: what would be proposed, and what the person has
//! decided about already.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use plantune_domain::preferences::Policy;
use plantune_domain::state::State;
use plantune_domain::teach::Habit;
use plantune_query::Store;
use plantune_query::backtest::hindsight;
use plantune_query::evidence::KeyEvidence;
use plantune_query::habits::{EVERYWHERE, Habits};
use plantune_query::suggest::{Inputs, PriorDecision, Suggestions, suggestions};
use plantune_reports::standing::StandingPreference;

use crate::document::LeftProposals;
use crate::failure::{Failure, conflict};
use crate::preferences::PreferenceScope;
use crate::session::Session;
use crate::standing::review;

/// The depth of the search: the details worked out beside the proposals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth {
    /// Why other habits are not proposed: most of the work.
    pub(crate) reasons: bool,
    /// For how many proposals, what each level would have got right.
    pub(crate) hindsight: usize,
}

/// The proposals for `project`, or for all of them, as deep as `depth` says, and the first file of preferences that was not
/// understood: it counts as one that decides about every question. The habits are given to `of_habits` before they are
/// judged.
///
/// # Errors
/// Conflict (exit code 3) for a config.toml or registry.toml that is not understood; failed when the
/// store cannot be read.
pub(crate) fn find(
    session: &Session,
    store: &Store,
    project: Option<&str>,
    depth: Depth,
    of_habits: impl FnOnce(&Habits),
) -> Result<(Suggestions, Option<Failure>), Failure> {
    let registry = session.registry()?;
    let settings = session.suggest_settings()?;
    let of_answers = |key: &KeyEvidence| hindsight(key, &settings, registry);
    let decided = DecidedQuestions {
        session,
        problems: RefCell::default(),
        reviewed: OnceCell::new(),
    };
    let inputs = Inputs {
        settings: &settings,
        registry,
        in_force: &|project, key| decided.about(project, key),
        now: session.now,
        hindsight: (depth.hindsight > 0).then_some((depth.hindsight, &of_answers)),
    };
    let habits = Habits::read(store, registry, inputs.settings.across_projects);
    let habits = session.read(habits)?;
    of_habits(&habits);
    let found = suggestions(habits, &inputs, project, depth.reasons);
    let problem = decided.problems.into_inner().pop_first();
    Ok((found, problem.map(|(_, problem)| conflict(&problem))))
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

// What the person has decided about already.

/// The decisions in the preference files by key; a file is read when it is first asked for.
struct DecidedQuestions<'a> {
    session: &'a Session,
    /// Why files were not understood.
    problems: RefCell<BTreeMap<PreferenceScope, String>>,
    /// How the preferences stand, once it was asked.
    reviewed: OnceCell<Vec<StandingPreference>>,
}

impl DecidedQuestions<'_> {
    /// The decision of the person about `key` in `project`, there or everywhere; of [`EVERYWHERE`], what
    /// they have decided for all projects.
    fn about(&self, project: &str, key: &str) -> PriorDecision {
        let everywhere = self.in_scope(PreferenceScope::Global, key);
        match project {
            EVERYWHERE => everywhere,
            project => {
                let here = PreferenceScope::Project(project.to_owned());
                self.in_scope(here, key).max(everywhere)
            }
        }
    }

    fn in_scope(&self, scope: PreferenceScope, key: &str) -> PriorDecision {
        let path = scope.file(&self.session.paths);
        let policy = match &*self.session.preference_file(&path) {
            Ok(file) => file
                .as_ref()
                .and_then(|file| Some(file.preferences.get(key)?.preference)),
            Err(problem) => {
                let mut problems = self.problems.borrow_mut();
                problems.insert(scope, problem.clone());
                return PriorDecision::AlwaysAsk;
            }
        };
        match policy {
            None => PriorDecision::None,
            Some(Policy::AlwaysAsk) => PriorDecision::AlwaysAsk,
            Some(Policy::NeverAsk | Policy::AskOnlyForOneWay) => match self.state(&scope, key) {
                Some(State::OnTrial) => PriorDecision::Trial,
                Some(State::Stopped) => PriorDecision::Stopped,
                // One that is not obeyed is decided about all the same.
                Some(State::On) | None => PriorDecision::Standing,
            },
        }
    }

    /// How the preference for `key` stands that the hook answers by.
    fn state(&self, scope: &PreferenceScope, key: &str) -> Option<State> {
        let reviewed = self
            .reviewed
            .get_or_init(|| review(self.session).unwrap_or_default());
        let mut reviewed = reviewed.iter();
        let found = reviewed.find(|one| one.is_of(key, scope.project()))?;
        Some(found.standing.state)
    }
}
