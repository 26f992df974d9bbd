//! The session of a run: folders, clock, terminal, the user's files and the store.
//!
//! The environment is read at the start. Files, time zone and store are read when a verb first asks
//! for them, and once a run.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use chrono::NaiveDate;
use chrono_tz::Tz;
use plantune_domain::config::{Config, ReportSettings, Retention};
use plantune_domain::preferences::PreferenceFile;
use plantune_domain::registry::Registry;
use plantune_ingest::define_whole_log;
use plantune_query::questions::{Listed, LoggedDecision, WantedDecisions, list};
use plantune_query::suggest::Suggest;
use plantune_query::{Store, StoreError};
use plantune_reports::humanize;
use plantune_reports::terminal::{Clock, Terminal};

use crate::environment;
use crate::environment::Environment;
use crate::failure::{Failure, conflict};
use crate::refresh;

/// A file of preferences as it was read: `None` when there is none, or why it is not understood.
pub(crate) type LoadedPreferences = Result<Option<PreferenceFile>, String>;

/// The state of one run. Reads as its [`Environment`].
pub struct Session {
    environment: Environment,
    config: OnceCell<Config>,
    registry: OnceCell<Registry>,
    zone: OnceCell<Tz>,
    preferences: RefCell<BTreeMap<PathBuf, Rc<LoadedPreferences>>>,
    /// Whether this run brought the store up to date; `None` if it has not looked.
    has_loaded: Cell<Option<bool>>,
    store: RefCell<Option<Rc<Store>>>,
}

impl Session {
    /// A session of which nothing is read yet.
    pub(crate) fn new(environment: Environment) -> Self {
        Self {
            environment,
            config: OnceCell::new(),
            registry: OnceCell::new(),
            zone: OnceCell::new(),
            preferences: RefCell::default(),
            has_loaded: Cell::default(),
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
    pub fn report_settings(&self) -> Result<&ReportSettings, Failure> {
        understood(self.config()?.report.as_ref())
    }

    /// The table `[retention]` of `config.toml`, or the defaults without one.
    ///
    /// # Errors
    /// Conflict (exit code 3) when it is not understood.
    pub(crate) fn retention(&self) -> Result<&Retention, Failure> {
        understood(self.config()?.retention.as_ref())
    }

    /// The guards of suggestions, with those of the table `[suggest]` of `config.toml`.
    ///
    /// # Errors
    /// Conflict (exit code 3) when it is not understood.
    pub fn suggest_settings(&self) -> Result<Suggest, Failure> {
        let table = understood(self.config()?.suggest.as_ref())?;
        Ok(Suggest::from(table))
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

    /// Whose midnight ends a day: that of `--time-zone`, else see [`environment::time_zone`].
    ///
    /// # Errors
    /// Conflict (exit code 3) when config.toml is not understood or names a zone that does not exist.
    pub(crate) fn zone(&self) -> Result<Tz, Failure> {
        once(&self.zone, || match self.time_zone {
            Some(zone) => Ok(zone),
            None => environment::time_zone(self.config()?),
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
    pub fn terminal(&self) -> Terminal {
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
    /// The errors of [`refresh::refresh`], [`refresh::open_to_read`] and [`Session::report_settings`].
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
    /// The errors of [`refresh::open_to_read`] and [`Session::report_settings`].
    pub(crate) fn stale_store(&self) -> Result<Option<Rc<Store>>, Failure> {
        let store = self.configured(refresh::open_to_read(&self.paths)?)?;
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
    pub(crate) fn read<T>(&self, found: Result<T, StoreError>) -> Result<T, Failure> {
        found.map_err(|error| refresh::read_failure(&self.paths, &error))
    }

    /// The value that `ask` reads from the store, brought up to date; the default if nothing was logged yet.
    ///
    /// # Errors
    /// The errors of [`store`](Self::store) and of [`read`](Self::read).
    pub(crate) fn ask<T: Default>(
        &self,
        ask: impl FnOnce(&Store) -> Result<T, StoreError>,
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
    pub(crate) fn decisions(
        &self,
        wanted: &WantedDecisions<'_>,
    ) -> Result<Vec<LoggedDecision>, Failure> {
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

    /// The store, where this run has opened it and not closed it since.
    pub(crate) fn open_store(&self) -> Option<Rc<Store>> {
        self.store.borrow().clone()
    }

    /// Gives `store` the view `whole_log`: every event of the log.
    ///
    /// # Errors
    /// Failed when the log or the store cannot be read.
    pub(crate) fn define_whole_log(&self, store: &Store) -> Result<(), Failure> {
        define_whole_log(store.connection(), &self.paths.events())
            .map_err(|error| refresh::failure(self, &error))
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

// The questions that were asked, as every verb names them.

/// The questions of `project`, or of all projects; none of a store that is not there.
///
/// # Errors
/// Conflict for a registry that is not understood; failed when the store cannot be read.
pub fn questions(project: Option<&str>, session: &Session) -> Result<Vec<Listed>, Failure> {
    let registry = session.registry()?;
    session.ask(|store| list(store, registry, project))
}

// The files that belong to the user, read whole: what cannot be understood stops the verb.

/// The value loaded from a user's file.
///
/// # Errors
/// Conflict (exit code 3) when the file is not understood.
fn understood<T>(loaded: Result<T, impl AsRef<str>>) -> Result<T, Failure> {
    loaded.map_err(|error| conflict(error.as_ref()))
}
