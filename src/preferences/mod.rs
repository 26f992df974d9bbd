//! The preferences: every file read as far as it can be, what is decided already, and how a preference is shown.
//! Beside it: where one holds (`scope`), its name and its changes (`in_words`), how it goes (`standing`), the one
//! writer, and what `suggest` proposes.

pub(crate) mod in_words;
pub(crate) mod proposals;
pub(crate) mod renamed;
pub mod scope;
pub(crate) mod standing;
pub(crate) mod writer;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

use chrono::DateTime;
use plantune_domain::gate::check_preference;
use plantune_domain::preferences::{Policy, Preference, PreferenceFile, Scope};
use plantune_domain::private_file;
use plantune_domain::registry::Registry;
use plantune_domain::state::{Cause, State};
use plantune_query::habits::{EVERYWHERE, Grouping};
use plantune_query::questions::names;
use plantune_query::suggest::PriorDecision;
use plantune_reports::humanize;
use plantune_reports::standing::{
    StandingPreference, Stored, policy_in_words, since_in_words, state_in_words,
};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::text::one_line;
use serde_json::{Value, json};

use self::renamed::renamed;
use self::scope::PreferenceScope;
use self::standing::review;
use crate::failure::Failure;
use crate::failure::conflict;
use crate::projects::project_files;
use crate::session::{LoadedPreferences, Session};

// Every file of preferences, read as far as it can be.

/// How much of a value is shown, in characters.
const SHOWN_VALUE: usize = 60;

/// One file of preferences that is there.
pub(crate) struct FoundFile {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Where it holds.
    pub(crate) scope: Scope,
    /// The project that it names; unknown in a file that does not say.
    pub(crate) project: Option<String>,
    /// Its preferences, also when the hook ignores them.
    pub(crate) preferences: BTreeMap<String, Preference>,
    /// Why the hook ignores all of it.
    pub(crate) problem: Option<String>,
}

/// The files of `scopes` that are there.
pub(crate) fn of(session: &Session, scopes: &[PreferenceScope]) -> Vec<FoundFile> {
    let found = |scope: &PreferenceScope| {
        let project = scope.project().map(str::to_owned);
        read(session, scope.file(&session.paths), scope.kind(), project)
    };
    scopes.iter().filter_map(found).collect()
}

/// All files: those of the projects, in the order of their projects, and the global one.
pub(crate) fn all(session: &Session) -> Vec<FoundFile> {
    let files = project_files(&session.paths);
    let mut found: Vec<FoundFile> = files
        .filter_map(|path| read(session, path, Scope::Project, None))
        .collect();
    for file in &mut found {
        // The hook goes by the path: a file that names another project holds for nobody.
        let misplaced = file
            .project
            .as_deref()
            .is_none_or(|project| session.paths.project_preferences(project) != file.path);
        if misplaced && file.problem.is_none() {
            file.problem = Some(format!(
                "{}: this is not the place for preferences of the project it names",
                file.path.display()
            ));
        }
    }
    found.sort_by(|one, other| (&one.project, &one.path).cmp(&(&other.project, &other.path)));
    found.extend(of(session, &[PreferenceScope::Global]));
    found
}

/// The preference for `key` in `scope`, whether the hook obeys it or not.
///
/// # Errors
/// Conflict (exit code 3) for a file that is not understood.
pub fn preference(
    session: &Session,
    scope: &PreferenceScope,
    key: &str,
) -> Result<Option<Preference>, Failure> {
    let file = session.preference_file(&scope.file(&session.paths));
    let file = file.as_ref().as_ref().map_err(|error| conflict(error))?;
    Ok(file
        .as_ref()
        .and_then(|file| file.preferences.get(key).cloned()))
}

fn read(
    session: &Session,
    path: PathBuf,
    scope: Scope,
    project: Option<String>,
) -> Option<FoundFile> {
    let (file, problem) = match &*session.preference_file(&path) {
        Ok(file) => (Some(file.clone()?), None),
        // What others may write is still worth seeing.
        Err(problem) => (
            private_file::read(&path, u64::MAX)
                .and_then(|bytes| serde_json::from_slice::<PreferenceFile>(&bytes).ok()),
            Some(problem.clone()),
        ),
    };
    let named = file.as_ref().and_then(|file| file.project.clone());
    Some(FoundFile {
        path,
        scope,
        // What a global file says of a project says nothing: the hook goes by the path.
        project: match scope {
            Scope::Project => project.or(named),
            Scope::Global => None,
        },
        preferences: file.map(|file| file.preferences).unwrap_or_default(),
        problem,
    })
}

impl FoundFile {
    /// Why the hook does not obey `preference` of this file, if it does not.
    pub(crate) fn inert_reason(
        &self,
        key: &str,
        preference: &Preference,
        registry: &Registry,
    ) -> Option<String> {
        self.problem
            .clone()
            .or_else(|| Self::ignored(key, preference, registry))
            .or_else(|| {
                let renamed = renamed(key, preference, registry)?;
                renamed.wholly.then(|| renamed.reason())
            })
    }

    /// Why a preference is not obeyed, or not for some of its questions, and what to do; the file itself is.
    pub(crate) fn remark(
        &self,
        key: &str,
        preference: &Preference,
        registry: &Registry,
    ) -> Option<String> {
        let renamed = renamed(key, preference, registry).map(|renamed| {
            let word = in_words::word_among(key, preference, &self.preferences);
            let remedy = renamed.remedy(&word, preference, &self.preference_scope());
            format!("{}; {remedy}", renamed.reason())
        });
        Self::ignored(key, preference, registry).or(renamed)
    }

    /// Why it is not obeyed, for what it says itself.
    fn ignored(key: &str, preference: &Preference, registry: &Registry) -> Option<String> {
        let refusal = check_preference(key, preference, registry).err();
        let refusal = refusal.map(|refusal| refusal.to_string());
        refusal
            .or_else(|| unknown(preference))
            .or_else(|| unbound(preference))
    }

    /// How its preference for `key` stands, among `all`.
    pub(crate) fn standing<'s>(
        &self,
        key: &str,
        all: &'s [StandingPreference],
    ) -> Option<&'s StandingPreference> {
        let is_scope = |one: &StandingPreference| one.scope == self.scope;
        let project = self.project.as_deref();
        all.iter()
            .find(|one| is_scope(one) && one.is_of(key, project))
    }

    /// The scope it holds in, as far as the file says.
    pub(crate) fn preference_scope(&self) -> PreferenceScope {
        self.project
            .clone()
            .map_or(PreferenceScope::Global, PreferenceScope::Project)
    }
}

/// Why a preference that does not say what it was given for is not obeyed.
fn unbound(preference: &Preference) -> Option<String> {
    (preference.preference.answers() && preference.agreement().is_none())
        .then(|| "it does not say what it was given for; set it again".to_owned())
}

/// Why a preference is not read, for a value that no plantune writes there. What always asks is asked either way.
fn unknown(preference: &Preference) -> Option<String> {
    let (field, value) = preference.unknown_value()?;
    preference.preference.answers().then(|| {
        let value = one_line(value, SHOWN_VALUE);
        format!("its `{field}` is \"{value}\", which plantune does not know; set it again")
    })
}

// Which questions the person has decided about already.

/// The decisions in the preference files by key; a file is read when it is first asked for.
pub(crate) struct InForce<'a> {
    session: &'a Session,
    unreadable: RefCell<BTreeSet<PreferenceScope>>,
    /// How the preferences stand, once it was asked.
    reviewed: OnceCell<Vec<StandingPreference>>,
}

impl<'a> InForce<'a> {
    /// Nothing is read yet.
    pub(crate) fn new(session: &'a Session) -> Self {
        Self {
            session,
            unreadable: RefCell::default(),
            reviewed: OnceCell::new(),
        }
    }

    /// The decision of the person about `key` in `project`, there or everywhere; of [`EVERYWHERE`], what
    /// they have decided for all projects. A file that cannot be read counts as one that decides
    /// everything; [`InForce::check`] reports it.
    pub(crate) fn of(&self, project: &str, key: &str) -> PriorDecision {
        let here = (project != EVERYWHERE).then(|| PreferenceScope::Project(project.to_owned()));
        let scopes = here.into_iter().chain([PreferenceScope::Global]);
        scopes
            .map(|scope| match &*self.file(&scope) {
                Ok(Some(file)) => {
                    let found = file.preferences.get_key_value(key);
                    found.map_or(PriorDecision::None, |(key, one)| {
                        self.decided(&scope, key, one)
                    })
                }
                Ok(None) => PriorDecision::None,
                Err(_) => {
                    self.unreadable.borrow_mut().insert(scope);
                    PriorDecision::AlwaysAsk
                }
            })
            .max()
            .unwrap_or_default()
    }

    fn decided(
        &self,
        scope: &PreferenceScope,
        key: &str,
        preference: &Preference,
    ) -> PriorDecision {
        match preference.preference {
            Policy::AlwaysAsk => PriorDecision::AlwaysAsk,
            Policy::NeverAsk | Policy::AskOnlyForOneWay => match self.state(scope, key) {
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
        let mut of_key = reviewed
            .iter()
            .filter(|one| one.is_of(key, scope.project()));
        of_key.next().map(|one| one.standing.state)
    }

    fn file(&self, scope: &PreferenceScope) -> Rc<LoadedPreferences> {
        let path = scope.file(&self.session.paths);
        self.session.preference_file(&path)
    }

    /// Reports the first file that could not be read.
    ///
    /// # Errors
    /// Conflict (exit code 3).
    pub(crate) fn check(self) -> Result<(), Failure> {
        let Some(scope) = self.unreadable.into_inner().pop_first() else {
            return Ok(());
        };
        let path = scope.file(&self.session.paths);
        match &*self.session.preference_file(&path) {
            Err(error) => Err(conflict(error)),
            Ok(_) => Ok(()),
        }
    }
}

// A preference as it is shown.

/// How much of a text from a preferences file is shown.
const SHOWN: usize = 400;

/// `preference` of `file` as it is shown; `standing` is how one that answers stands, where that could be read.
///
/// # Errors
/// Conflict for a registry.toml or a time zone that cannot be read.
pub(crate) fn stored(
    file: &FoundFile,
    key: &str,
    preference: &Preference,
    standing: Option<&StandingPreference>,
    session: &Session,
) -> Result<Stored, Failure> {
    let registry = session.registry()?;
    let policy = preference.preference;
    let answers = policy.answers();
    let answer = match answers {
        true => match preference.answer {
            Some(_) => format!(", {}", answer_in_words(preference.answer.as_deref())),
            None => ", as recommended".to_owned(),
        },
        false => String::new(),
    };
    let name = in_words::name(key, preference);
    let word = in_words::word_among(key, preference, &file.preferences);
    let mut remarks = Vec::new();
    let scope = file.preference_scope();
    let kept = || standing::standing(&session.paths, &scope, key, preference);
    let of_store = standing.map(|one| one.standing.clone());
    let stands = answers.then(|| of_store.unwrap_or_else(kept));
    if let Some(stands) = &stands {
        // What is on because it was set says so by when that was.
        if (stands.state, stands.reason) != (State::On, Cause::Set) {
            remarks.push(since_in_words(stands));
        }
        if stands.state == State::Stopped {
            let clear = scope.prefs("clear", &word);
            remarks.push(format!("you are asked every time; to remove it: `{clear}`"));
        }
    }
    let does = stands
        .as_ref()
        .map_or(policy_in_words(preference), |stands| {
            state_in_words(stands.state)
        });
    let reason = file.remark(key, preference, registry);
    let reason = reason.map(|reason| one_line(&reason, 2 * SHOWN));
    remarks.extend(reason.map(|reason| format!("ignored: {reason}")));
    Ok(Stored {
        question_key: key.to_owned(),
        name,
        word,
        preference: policy,
        level: answers.then_some(preference.level()),
        answer: preference.answer.clone(),
        scope: file.scope,
        project: file.project.clone(),
        question: preference.question.clone(),
        state: stands
            .filter(|_| standing.is_none())
            .map(|stands| stands.state),
        set_at: preference.set_at.clone(),
        set_by: preference.set_by.clone(),
        evidence: preference.evidence.clone(),
        inert: file.inert_reason(key, preference, registry),
        does: format!("{does}{answer}"),
        set: set(preference, session)?,
        remarks,
    })
}

/// When it was set and what set it, as far as its file says so.
fn set(preference: &Preference, session: &Session) -> Result<String, Failure> {
    let (zone, today) = (session.zone()?, session.today()?);
    let day = preference.set_at.as_deref().and_then(|at| {
        let at = DateTime::parse_from_rfc3339(at).ok()?;
        let day = at.with_timezone(&zone).date_naive();
        Some(format!(" {}", humanize::day(day, today)))
    });
    let by = preference.set_by.as_deref();
    let by = by.map(|by| format!(" by {}", one_line(by, SHOWN)));
    let words: String = [day, by].into_iter().flatten().collect();
    Ok(match words.is_empty() {
        true => words,
        false => format!(" (set{words})"),
    })
}

// What the log says about a question when its preference is changed, for the record of the change.

/// The evidence known now about the question `key` in `scope`, for the record of a change:
/// `answered` (the person's answers by name and how often), and for a preference that stands there
/// `auto_decided`, `spot_checks` and `spot_checks_agreed`. `None` when the store cannot be read.
pub(crate) fn evidence_now(session: &Session, key: &str, scope: &PreferenceScope) -> Option<Value> {
    // A change must not fail because the store is in use: then what it holds is good enough.
    let store = session.store().or_else(|_| session.stale_store()).ok()??;
    let grouping = Grouping::read(&store, session.registry().ok()?).ok()?;
    let names = names(&store, &grouping, key, scope.project()).ok()?;
    let answers = store.answers_by_name(&names.logged, scope.project()).ok()?;
    let answered: serde_json::Map<String, Value> = answers
        .into_iter()
        .map(|(name, times)| (name, times.into()))
        .collect();
    let mut evidence = json!({ "answered": answered });
    let rows = review(session).ok()?;
    let mine = |row: &&StandingPreference| row.is_of(key, scope.project());
    if let (Some(row), Some(evidence)) = (rows.iter().find(mine), evidence.as_object_mut()) {
        let counts = [
            ("auto_decided", row.standing.decided),
            ("spot_checks", row.standing.spot_checks),
            ("spot_checks_agreed", row.standing.agreed),
        ];
        evidence.extend(counts.map(|(name, count)| (name.to_owned(), count.into())));
    }
    Some(evidence)
}
