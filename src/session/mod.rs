//! The session of a run: folders, clock, terminal, the user's files and the store.
//!
//! The environment is read at the start. Files, time zone and store are read when a verb first asks
//! for them, and once a run.

pub(crate) mod default_registry;
pub(crate) mod environment;
pub(crate) mod period;
pub(crate) mod project;
pub(crate) mod refresh;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use chrono::NaiveDate;
use chrono_tz::Tz;
use plantune_domain::config::{Config, ReportSettings, Retention, Suggest};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::PreferenceFile;
use plantune_domain::registry::Registry;
use plantune_domain::teach::Habit;
use plantune_ingest::SegmentName;
use plantune_query::health::{Contents, SegmentRead};
use plantune_query::questions::{Decision, Listed, Wanted, list};
use plantune_query::{Error, Store};
use plantune_reports::humanize;
use plantune_reports::humanize::counted;
use plantune_reports::standing::StandingPreference;
use plantune_reports::terminal::{Clock, Terminal};
use plantune_reports::text::clean;

use crate::failure::{Failure, Kind};
use crate::session::environment::Environment;
use crate::terminal::sanitized;

/// A file of preferences as it was read: `None` when there is none, or why it is not understood.
pub(crate) type LoadedPreferences = Result<Option<PreferenceFile>, String>;

/// The state of one run. Reads as its [`Environment`].
pub(crate) struct Session {
    environment: Environment,
    config: OnceCell<Config>,
    report_settings: OnceCell<ReportSettings>,
    registry: OnceCell<Registry>,
    zone: OnceCell<Tz>,
    preferences: RefCell<BTreeMap<PathBuf, Rc<LoadedPreferences>>>,
    /// Whether this run brought the store up to date; `None` if it has not looked.
    has_loaded: Cell<Option<bool>>,
    findings: RefCell<RunFindings>,
    store: RefCell<Option<Rc<Store>>>,
}

impl Session {
    /// A session of which nothing is read yet.
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            environment,
            config: OnceCell::new(),
            report_settings: OnceCell::new(),
            registry: OnceCell::new(),
            zone: OnceCell::new(),
            preferences: RefCell::default(),
            has_loaded: Cell::default(),
            findings: RefCell::default(),
            store: RefCell::default(),
        }
    }

    /// `config.toml`, or the defaults without one.
    ///
    /// # Errors
    /// Conflict (exit code 3) when the file is not understood.
    pub(crate) fn config(&self) -> Result<&Config, Failure> {
        once(&self.config, || {
            understood(Config::load(&self.paths.config_file()))
        })
    }

    /// The table `[report]` of `config.toml`, or the defaults without one.
    ///
    /// # Errors
    /// Conflict (exit code 3) when it is not understood.
    pub(crate) fn report_settings(&self) -> Result<&ReportSettings, Failure> {
        once(&self.report_settings, || {
            understood(ReportSettings::load(&self.paths.config_file()))
        })
    }

    /// `registry.toml`, or an empty one.
    ///
    /// # Errors
    /// Conflict (exit code 3) when the file is not understood.
    pub(crate) fn registry(&self) -> Result<&Registry, Failure> {
        once(&self.registry, || {
            understood(Registry::load(&self.paths.registry_file()))
        })
    }

    /// Whose midnight ends a day: that of `--time-zone`, else see [`environment::resolve`].
    ///
    /// # Errors
    /// Conflict (exit code 3) when config.toml is not understood or names a zone that does not exist.
    pub(crate) fn zone(&self) -> Result<Tz, Failure> {
        once(&self.zone, || match self.time_zone {
            Some(zone) => Ok(zone),
            None => environment::resolve(self.config()?),
        })
        .copied()
    }

    /// The person's date.
    ///
    /// # Errors
    /// The errors of [`Session::zone`].
    pub(crate) fn today(&self) -> Result<NaiveDate, Failure> {
        Ok(self.now.with_timezone(&self.zone()?).date_naive())
    }

    /// How times are shown: `yesterday 15:04`, `3 days ago`, in the person's time zone.
    ///
    /// # Errors
    /// The errors of [`Session::zone`].
    pub(crate) fn clock(&self) -> Result<Clock, Failure> {
        let zone = self.zone()?;
        let now = self.now.with_timezone(&zone).naive_local();
        Ok(Box::new(move |at| {
            humanize::moment(at.with_timezone(&zone).naive_local(), now)
        }))
    }

    /// An empty text for the person's terminal; times are in UTC where their zone cannot be found out, as where
    /// `doctor` has to say so.
    pub(crate) fn terminal(&self) -> Terminal {
        let text = Terminal::new(self.width, self.colour);
        match self.clock() {
            Ok(clock) => text.with_clock(clock),
            Err(_) => text,
        }
    }

    /// The file of preferences in `path`. What changes one reads it again, under the lock.
    pub(crate) fn preference_file(&self, path: &Path) -> Rc<LoadedPreferences> {
        let mut files = self.preferences.borrow_mut();
        let file = files
            .entry(path.to_owned())
            .or_insert_with(|| Rc::new(PreferenceFile::load(path)));
        Rc::clone(file)
    }

    /// The store, with what was logged just now; `None` when nothing was ever logged.
    ///
    /// # Errors
    /// The errors of [`refresh::refresh`], [`open`] and [`Session::report_settings`].
    pub(crate) fn store(&self) -> Result<Option<Rc<Store>>, Failure> {
        if let Some(store) = &*self.store.borrow() {
            return Ok(Some(Rc::clone(store)));
        }
        if self.has_loaded.get().is_some() {
            return self.stale_store();
        }
        let (store, has_loaded) = refresh::refresh(self, self.zone()?, self.registry().ok())?;
        let store = self.configured(store)?;
        self.has_loaded.set(Some(has_loaded));
        self.store.borrow_mut().clone_from(&store);
        Ok(store)
    }

    /// The store as the last run left it; `None` when there is none.
    ///
    /// # Errors
    /// The errors of [`open`] and [`Session::report_settings`].
    pub(crate) fn stale_store(&self) -> Result<Option<Rc<Store>>, Failure> {
        let store = self.configured(open(&self.paths)?)?;
        self.store.borrow_mut().clone_from(&store);
        Ok(store)
    }

    /// `store` with the person's bound for answers and their date.
    fn configured(&self, store: Option<Store>) -> Result<Option<Rc<Store>>, Failure> {
        let Some(store) = store else {
            return Ok(None);
        };
        let bound = self.report_settings()?.away_after_seconds();
        let today = self.today()?;
        let store = store.away_after(bound).and_then(|store| store.until(today));
        Ok(Some(Rc::new(self.read(store)?)))
    }

    /// The value read from the store.
    ///
    /// # Errors
    /// Says why it was not.
    pub(crate) fn read<T>(&self, found: Result<T, Error>) -> Result<T, Failure> {
        found.map_err(|error| failure(&self.paths, &error))
    }

    /// The value that `ask` reads from the store, brought up to date; the default if nothing was logged yet.
    ///
    /// # Errors
    /// The errors of [`store`](Self::store) and of [`read`](Self::read).
    pub(crate) fn ask<T: Default>(
        &self,
        ask: impl FnOnce(&Store) -> Result<T, Error>,
    ) -> Result<T, Failure> {
        match self.store()? {
            Some(store) => self.read(ask(&store)),
            None => Ok(T::default()),
        }
    }

    /// The decisions `wanted` asks for, from the store as it is brought up to date; none without a log.
    ///
    /// # Errors
    /// The errors of [`ask`](Self::ask).
    pub(crate) fn decisions(&self, wanted: &Wanted<'_>) -> Result<Vec<Decision>, Failure> {
        self.ask(|store| store.decisions(wanted))
    }

    /// Notes that this run brought the store up to date, so that it is not done again.
    pub(crate) fn note_loaded(&self) {
        self.has_loaded.set(Some(true));
    }

    /// True if this run brought the store up to date.
    pub(crate) fn has_loaded(&self) -> bool {
        self.has_loaded.get() == Some(true)
    }

    /// Notes with `add` what this run found out.
    pub(crate) fn found(&self, add: impl FnOnce(&mut RunFindings)) {
        add(&mut self.findings.borrow_mut());
    }

    /// The findings of this run.
    pub(crate) fn take_findings(&self) -> RunFindings {
        self.findings.take()
    }

    /// The store, where this run has opened it and not closed it since.
    pub(crate) fn open_store(&self) -> Option<Rc<Store>> {
        self.store.borrow().clone()
    }

    /// Lets other processes write the store, such as while the person thinks about an answer.
    pub(crate) fn close_store(&self) {
        self.store.take();
    }
}

impl Deref for Session {
    type Target = Environment;

    fn deref(&self) -> &Environment {
        &self.environment
    }
}

/// The value of `cell`, loaded if it is empty.
fn once<T>(cell: &OnceCell<T>, load: impl FnOnce() -> Result<T, Failure>) -> Result<&T, Failure> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = load()?;
    Ok(cell.get_or_init(|| value))
}

// Opening the store to read it, with what to do when that fails.

/// The remedy for a store that is in use.
const HELD: &str = "wait until it is done, or end that process, then try again";

/// The remedy for a store of a newer plantune.
const NEWER: &str =
    "a newer plantune wrote this store, and it was not changed; install that version";

/// The store, or `None` when there is none yet.
///
/// # Errors
/// Failed when it cannot be opened or is of another version.
pub(crate) fn open(paths: &Paths) -> Result<Option<Store>, Failure> {
    match Store::open(&paths.store()) {
        Ok(store) => Ok(Some(store)),
        Err(Error::Missing(_)) => Ok(None),
        Err(error) => Err(failure(paths, &error)),
    }
}

/// The failure of a read of the store, for the person.
pub(crate) fn failure(paths: &Paths, error: &Error) -> Failure {
    if let Error::Broken(error) = error {
        return broken(paths, error);
    }
    let failure = Failure::failed(format!("{}: {error}", paths.store().display()));
    match error {
        Error::Held(_) => failure.hint(HELD),
        Error::Version { found, known } if found > known => failure.hint(NEWER),
        Error::Version { .. } => failure.hint("run `plantune report` to update it"),
        Error::Missing(_) => failure.hint("run `plantune import claude-code` to make one"),
        Error::Broken(_) | Error::DuckDb(_) => {
            failure.hint("run `plantune doctor` to see what is wrong with it")
        }
    }
}

/// A store's file that is none or damaged, in DuckDB's words `why`.
fn broken(paths: &Paths, why: &impl Display) -> Failure {
    let why = why.to_string();
    let why = clean(why.lines().next().unwrap_or_default());
    let message = format!("{} is damaged: {why}", paths.store().display());
    Failure::new(Kind::DamagedStore, message)
        .hint("run `plantune report`, which rebuilds the store from the log")
}

// The questions that were asked, as every verb names them.

/// The questions of `project`, or of all projects; none of a store that is not there.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub(crate) fn questions(project: Option<&str>, session: &Session) -> Result<Vec<Listed>, Failure> {
    let registry = session.registry()?;
    session.ask(|store| list(store, registry, project))
}

// What a run found out on its way that the hook, the status line and shells are left: they open no store.

/// The findings of a run; `None` for what it was not asked.
#[derive(Default)]
pub(crate) struct RunFindings {
    /// How every preference stands.
    pub(crate) standing: Option<Vec<StandingPreference>>,
    /// The proposals.
    pub(crate) proposed: Option<LeftProposals>,
    /// The seconds that were saved in the last seven days, in all projects.
    pub(crate) seconds_saved: Option<f64>,
    /// True when the run changed a preference: what was proposed before is no longer so.
    pub(crate) is_outdated: bool,
}

/// The proposals, as far as others need them.
pub(crate) struct LeftProposals {
    /// The project that was asked about; `None` for all.
    pub(crate) project: Option<String>,
    /// The habits that would be answered, by project.
    pub(crate) habits: BTreeMap<String, Vec<Habit>>,
    /// How many proposals wait.
    pub(crate) waiting: u64,
}

// Segments of the log that the store was computed from and that are gone: somebody deleted them, and with
// them the only copy of their events.

/// The segments that the store has read and that are not there any more, each in words:
/// `2026-11-19.jsonl, with 2 events of 2026-11-19`.
pub(crate) fn segments(paths: &Paths, contents: &Contents) -> Vec<String> {
    let events = paths.events();
    let is_gone = |read: &&SegmentRead| events.join(&read.segment).symlink_metadata().is_err();
    let gone = contents.segments.iter().filter(is_gone);
    gone.map(in_words).collect()
}

fn in_words(read: &SegmentRead) -> String {
    let count = counted(read.events, "event", "events");
    let name = SegmentName::parse(&read.segment);
    let day = name.as_ref().and_then(|name| Some(name.day()?.to_string()));
    let month = || Some(name.as_ref()?.month()?.format("%Y-%m").to_string());
    let of = day.or_else(month);
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    clean(&format!("{}, with {count}{of}", read.segment))
}

// The files that belong to the user, read whole: what cannot be understood stops the verb.

/// The table `[retention]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(crate) fn retention(paths: &Paths) -> Result<Retention, Failure> {
    understood(Retention::load(&paths.config_file()))
}

/// The table `[suggest]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(crate) fn suggest(paths: &Paths) -> Result<Suggest, Failure> {
    understood(Suggest::load(&paths.config_file()))
}

/// The value loaded from a user's file.
///
/// # Errors
/// Conflict (exit code 3) when the file is not understood.
fn understood<T>(loaded: Result<T, String>) -> Result<T, Failure> {
    loaded.map_err(|error| conflict(&error))
}

/// A failure about a user's file that `error` names; it was left as it is.
pub(crate) fn conflict(error: &str) -> Failure {
    Failure::conflict(sanitized(error.trim_end()))
        .hint("nothing was changed; repair the file or move it away, then try again")
}
