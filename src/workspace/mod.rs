//! What a run works with: folders, clock, terminal, the user's files and the store.
//!
//! The environment is read at the start. Files, time zone and store are read when a verb first asks
//! for them, and once a run.

pub(crate) mod default_registry;
pub(crate) mod period;
pub(crate) mod refresh;
pub(crate) mod store;
pub(crate) mod time_zone;
pub(crate) mod user_files;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use plantune_domain::config::Config;
use plantune_domain::preferences::PreferenceFile;
use plantune_domain::registry::Registry;
use plantune_domain::{clock, paths::Paths};
use plantune_query::Store;

use crate::failure::Failure;

/// A file of preferences as it was read: `None` when there is none, or why it is not understood.
pub(crate) type LoadedPreferences = Result<Option<PreferenceFile>, String>;

/// The resolved surroundings of one run.
pub(crate) struct Workspace {
    /// Where data and configuration lie.
    pub(crate) paths: Paths,
    /// The moment the run started (`PLANTUNE_NOW` fixes it).
    pub(crate) now: DateTime<Utc>,
    /// True inside a coding agent's session, where no change of preferences may happen.
    pub(crate) agent_session: bool,
    /// True when colour may be used on standard output.
    pub(crate) colour: bool,
    /// Columns to fill: `COLUMNS`, else the terminal's, else 80.
    pub(crate) width: u16,
    /// How much of the spool a transaction takes, in bytes, where `PLANTUNE_TRANSACTION_BYTES` says
    /// otherwise than the ingester: tests want many transactions of a small spool.
    pub(crate) transaction_bytes: Option<u64>,
    config: OnceCell<Config>,
    registry: OnceCell<Registry>,
    zone: OnceCell<Tz>,
    preferences: RefCell<BTreeMap<PathBuf, Rc<LoadedPreferences>>>,
    is_refreshed: Cell<bool>,
    store: RefCell<Option<Rc<Store>>>,
}

impl Workspace {
    /// Reads the environment.
    ///
    /// # Errors
    /// When neither `PLANTUNE_HOME` nor a home directory is known, or `PLANTUNE_HOME` is relative.
    pub(crate) fn from_environment() -> Result<Self, Failure> {
        let paths = Paths::from_environment().ok_or_else(|| {
            let fact = match std::env::var_os("PLANTUNE_HOME").filter(|home| !home.is_empty()) {
                Some(home) => format!(
                    "PLANTUNE_HOME is {home:?}, which names another folder in every other one"
                ),
                None => {
                    "no place for plantune's data: neither HOME nor PLANTUNE_HOME is set".into()
                }
            };
            Failure::failed(fact)
                .hint("set PLANTUNE_HOME to the absolute path of a folder of yours")
        })?;
        let stdout_is_terminal = std::io::stdout().is_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let columns = number("COLUMNS").and_then(|columns| u16::try_from(columns).ok());
        let colour = stdout_is_terminal
            && !set("NO_COLOR")
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let width = columns
            .or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0))
            .unwrap_or(80)
            .clamp(40, 200);
        Ok(Self {
            agent_session: set("CLAUDECODE"),
            transaction_bytes: number("PLANTUNE_TRANSACTION_BYTES"),
            ..Self::new(paths, clock::now(), colour, width)
        })
    }

    /// A workspace of which no file is read yet, outside of any agent's session.
    pub(crate) fn new(paths: Paths, now: DateTime<Utc>, colour: bool, width: u16) -> Self {
        Self {
            paths,
            now,
            agent_session: false,
            colour,
            width,
            transaction_bytes: None,
            config: OnceCell::new(),
            registry: OnceCell::new(),
            zone: OnceCell::new(),
            preferences: RefCell::default(),
            is_refreshed: Cell::new(false),
            store: RefCell::default(),
        }
    }

    /// `config.toml`, or the defaults without one.
    ///
    /// # Errors
    /// Conflict (exit code 3) when the file is not understood.
    pub(crate) fn config(&self) -> Result<&Config, Failure> {
        once(&self.config, || user_files::config(&self.paths))
    }

    /// `registry.toml`, or an empty one.
    ///
    /// # Errors
    /// Conflict (exit code 3) when the file is not understood.
    pub(crate) fn registry(&self) -> Result<&Registry, Failure> {
        once(&self.registry, || user_files::registry(&self.paths))
    }

    /// Whose midnight ends a day; see [`time_zone::resolve`].
    ///
    /// # Errors
    /// Conflict (exit code 3) when config.toml is not understood or names a zone that does not exist.
    pub(crate) fn zone(&self) -> Result<Tz, Failure> {
        once(&self.zone, || time_zone::resolve(self.config()?)).copied()
    }

    /// How moments are shown: day, hour and minute in the person's time zone.
    ///
    /// # Errors
    /// Those of [`Workspace::zone`].
    pub(crate) fn clock(&self) -> Result<impl Fn(DateTime<Utc>) -> String + use<>, Failure> {
        let zone = self.zone()?;
        Ok(move |at: DateTime<Utc>| at.with_timezone(&zone).format("%Y-%m-%d %H:%M").to_string())
    }

    /// The file of preferences in `path`. What changes one reads it again, under the lock.
    pub(crate) fn preference_file(&self, path: &Path) -> Rc<LoadedPreferences> {
        let mut files = self.preferences.borrow_mut();
        let file = files
            .entry(path.to_owned())
            .or_insert_with(|| Rc::new(PreferenceFile::load(path)));
        Rc::clone(file)
    }

    /// The store, with what was logged a moment ago; `None` when nothing was ever logged.
    ///
    /// # Errors
    /// Those of [`refresh::refresh`] and [`store::open`].
    pub(crate) fn store(&self) -> Result<Option<Rc<Store>>, Failure> {
        if let Some(store) = &*self.store.borrow() {
            return Ok(Some(Rc::clone(store)));
        }
        if !self.is_refreshed.get() {
            refresh::refresh(self)?;
            self.is_refreshed.set(true);
        }
        self.stale_store()
    }

    /// The store as the last run left it; `None` when there is none.
    ///
    /// # Errors
    /// Those of [`store::open`].
    pub(crate) fn stale_store(&self) -> Result<Option<Rc<Store>>, Failure> {
        let store = store::open(&self.paths)?.map(Rc::new);
        self.store.borrow_mut().clone_from(&store);
        Ok(store)
    }

    /// Lets other processes write the store, such as while the person thinks about an answer.
    pub(crate) fn close_store(&self) {
        self.store.take();
    }
}

/// What `cell` holds, loaded if it is empty.
fn once<T>(cell: &OnceCell<T>, load: impl FnOnce() -> Result<T, Failure>) -> Result<&T, Failure> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = load()?;
    Ok(cell.get_or_init(|| value))
}
