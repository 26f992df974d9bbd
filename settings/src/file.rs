//! The file of somebody's settings: its place, and how it is changed.
//!
//! The order of a change: lock, read, show, ask, read again, back up, replace. Claude Code writes
//! the same file while we ask, so what is replaced is what was shown, or nothing.

use std::fs::{File, TryLockError};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

use chrono::{DateTime, Utc};
use plantune_agents::claude_code;
use plantune_agents::installed::Lookup;
use plantune_domain::paths::Paths;
use plantune_domain::{atomic_file, hash, paths, private_file, project};
use rustix::process::getuid;

use crate::journal::{self, Journal, JournalEntry, OurRules};
use crate::{Problem, SettingsError, shown};

/// The machine, as far as it says where settings lie.
pub struct Host<'a> {
    /// Plantune's folders.
    pub paths: &'a Paths,
    /// The variables of the environment.
    pub variable: Lookup<'a>,
    /// The current folder, if it is known.
    pub here: Option<PathBuf>,
}

/// Whose settings of Claude Code's are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingsScope {
    /// Of the person, for all projects.
    #[default]
    User,
    /// Of everybody who works on the project.
    Project,
    /// Of the person, for the project.
    Local,
}

impl SettingsScope {
    /// Every scope, that of the settings that go before the others last.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// The settings file of one scope, as read.
#[derive(Debug)]
pub struct SettingsFile {
    /// Whose it is.
    pub scope: SettingsScope,
    /// Where Claude Code looks for it.
    pub path: PathBuf,
    /// Its text; `None` if there is no file.
    pub before: Option<String>,
    /// The file itself, behind symbolic links.
    target: PathBuf,
    backups: PathBuf,
    /// Plantune's data folder, where the journal is.
    data: PathBuf,
}

impl SettingsFile {
    /// Reads the file of `scope`.
    ///
    /// # Errors
    /// When it is there and is no readable UTF-8 file; when its place is unknown.
    pub fn open(host: &Host<'_>, scope: SettingsScope) -> Result<Self, SettingsError> {
        Self::at(host, scope, of(host, scope)?)
    }

    /// Reads the file of `scope` for the project in the folder `root`.
    ///
    /// # Errors
    /// The errors of [`SettingsFile::open`]; and where a link of the project leads the file out of it.
    pub(crate) fn of_project(
        host: &Host<'_>,
        scope: SettingsScope,
        root: &Path,
    ) -> Result<Self, SettingsError> {
        Self::inside(host, scope, in_project(host, scope, root)?, root)
    }

    /// Reads the file of hooks at `path`, which is another agent's.
    ///
    /// # Errors
    /// The errors of [`SettingsFile::open`].
    pub(crate) fn of_agent(host: &Host<'_>, path: PathBuf) -> Result<Self, SettingsError> {
        Self::at(host, SettingsScope::Local, path)
    }

    /// Reads the file at `path`, which is for the project in the folder `root`.
    ///
    /// # Errors
    /// The errors of [`SettingsFile::of_project`].
    pub(crate) fn inside(
        host: &Host<'_>,
        scope: SettingsScope,
        path: PathBuf,
        root: &Path,
    ) -> Result<Self, SettingsError> {
        let file = Self::at(host, scope, path)?;
        check_inside(scope, root, &file.path, &file.target)?;
        Ok(file)
    }

    /// The files that plantune ever changed, as far as they are on record, and that hold such rules of plantune's as are
    /// `wanted`.
    ///
    /// # Errors
    /// Of each, those of [`SettingsFile::open`].
    pub fn on_record(
        host: &Host<'_>,
        wanted: impl Fn(&OurRules) -> bool,
    ) -> Vec<Result<Self, SettingsError>> {
        // The last change may not have been made.
        let may_hold = |changes: &[JournalEntry]| {
            let mut latest = changes.iter().rev().take(2);
            latest.any(|entry| wanted(entry.ours()))
                || changes.is_empty() && wanted(&OurRules::default())
        };
        let paths = Journal::settings_with(host.paths.data(), may_hold).into_iter();
        let at = |path: PathBuf| Self::at(host, scope_of(host, &path), path);
        let holds = |file: &Self| file.ours().is_ok_and(|ours| wanted(&ours));
        let files = paths.map(at);
        files
            .filter(|file| file.as_ref().map_or(true, holds))
            .collect()
    }

    /// The files of which the log does not have all changes.
    pub fn unlogged(host: &Host<'_>) -> Vec<Self> {
        let is_unlogged = |changes: &[JournalEntry]| !changes.iter().all(JournalEntry::is_logged);
        let paths = Journal::settings_with(host.paths.data(), is_unlogged).into_iter();
        let at = |path: PathBuf| Self::at(host, scope_of(host, &path), path);
        paths.filter_map(|path| at(path).ok()).collect()
    }

    /// The backups of settings that lie beside them, of all files that plantune ever changed.
    pub fn all_backups(host: &Host<'_>) -> Vec<PathBuf> {
        let files = Self::on_record(host, |_| true).into_iter().flatten();
        let beside = files.filter(|file| file.scope == SettingsScope::User);
        let backups = beside.flat_map(|file| journal::newest_first(&file.backups, &file.path));
        backups.collect()
    }

    fn at(host: &Host<'_>, scope: SettingsScope, path: PathBuf) -> Result<Self, SettingsError> {
        let target = behind_links(&path)?;
        let before = read(&path, &target)?;
        let backups = of_backups(host.paths.data(), scope, &path);
        Ok(Self {
            scope,
            path,
            before,
            target,
            backups,
            data: host.paths.data().to_owned(),
        })
    }

    /// The file's text; empty when there is no file.
    pub fn text(&self) -> &str {
        self.before.as_deref().unwrap_or_default()
    }

    /// The path, sanitized for a terminal.
    pub fn name(&self) -> String {
        shown(&self.path)
    }

    /// What `edit` makes of its text.
    ///
    /// # Errors
    /// The problem that `edit` has with the text, with this file's name.
    pub fn apply<T>(
        &self,
        edit: impl FnOnce(&str) -> Result<T, Problem>,
    ) -> Result<T, SettingsError> {
        edit(self.text()).map_err(|problem| SettingsError::Text(self.path.clone(), problem))
    }

    /// The text before plantune's entries were added, where nothing else has changed since: the newest backup that
    /// `is_origin`, or (`Some(None)`) no file at all.
    pub(crate) fn origin_where(&self, is_origin: impl Fn(&str) -> bool) -> Option<Option<String>> {
        // A backup of what is there now has ours in it.
        let is_origin = |text: &str| text != self.text() && is_origin(text);
        let backups = journal::newest_first(&self.backups, &self.path).into_iter();
        let mut texts = backups.filter_map(|path| fs::read_to_string(path).ok());
        let found = texts.find(|text| is_origin(text));
        found.map(Some).or_else(|| is_origin("").then_some(None))
    }

    /// The journal of this file.
    ///
    /// # Errors
    /// When the record of it is not understood.
    pub fn journal(&self) -> Result<Journal, SettingsError> {
        Journal::open(&self.data, &self.path, self.before.as_deref())
    }

    /// The rules in it that plantune added, as far as they are on record.
    ///
    /// # Errors
    /// When the record of it is not understood.
    pub fn ours(&self) -> Result<OurRules, SettingsError> {
        Ok(self.journal()?.rules().unwrap_or_default())
    }

    /// Keeps the text that is about to be replaced, and returns where; `None` when there is no file.
    ///
    /// # Errors
    /// When the file is another one than was read; when the copy cannot be written.
    pub fn back_up(&self, now: DateTime<Utc>) -> Result<Option<PathBuf>, SettingsError> {
        if read(&self.path, &self.target)? != self.before {
            return Err(SettingsError::ChangedMeanwhile(self.path.clone()));
        }
        let Some(before) = &self.before else {
            return Ok(None);
        };
        let backup = journal::write(&self.backups, &self.path, before, now)
            .map_err(|error| SettingsError::NotWritten(self.backups.clone(), error))?;
        Ok(Some(backup))
    }

    /// Puts `entry` on record and replaces the file by `after`, or removes it; without an entry, the last change on record
    /// is undone by this.
    ///
    /// # Errors
    /// When the record is not understood or cannot be written, and nothing was changed; when the file cannot be written.
    pub fn replace(
        &self,
        after: Option<&str>,
        entry: Option<JournalEntry>,
    ) -> Result<(), SettingsError> {
        let not_recorded = |error| SettingsError::NotRecorded(self.data.clone(), error);
        let mut journal = self.journal()?;
        let is_new = entry.is_some();
        if let Some(entry) = entry {
            let texts = (self.before.as_deref(), after);
            journal.push(entry, texts).map_err(not_recorded)?;
        }
        if let Err(error) = self.write(after) {
            // Otherwise the next one sees that it was not made.
            let _ = is_new.then(|| journal.pop());
            return Err(SettingsError::NotWritten(self.target.clone(), error));
        }
        match is_new {
            true => Ok(()),
            false => journal.pop().map_err(not_recorded),
        }
    }

    /// Remembers that the log has all changes of the file, which is `now` as the last one left it.
    ///
    /// # Errors
    /// When the record is not understood or cannot be written.
    pub fn logged(&self, now: Option<&str>) -> Result<(), SettingsError> {
        let journal = Journal::open(&self.data, &self.path, now)?;
        let logged = journal.logged();
        logged.map_err(|error| SettingsError::NotRecorded(self.data.clone(), error))
    }

    fn write(&self, after: Option<&str>) -> io::Result<()> {
        let Some(after) = after else {
            return fs::remove_file(&self.target);
        };
        // What a team shares is for the team to read; the person's own settings can hold keys.
        let shared = self.scope == SettingsScope::Project;
        if let Some(folder) = self.target.parent() {
            match self.scope {
                SettingsScope::User => paths::create_private_dir(folder)?,
                SettingsScope::Project | SettingsScope::Local => fs::create_dir_all(folder)?,
            }
        }
        atomic_file::replace(
            &self.target,
            after.as_bytes(),
            if shared { 0o644 } else { 0o600 },
        )
    }
}

/// How often the lock is tried, and how long is waited in between: five seconds in all.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other installers away until it is dropped; `data` is plantune's data folder.
///
/// # Errors
/// When another one is at work for too long, or the lock cannot be made.
pub fn lock(data: &Path) -> Result<File, SettingsError> {
    let path = data.join("install.lock");
    let unwritable = |error| SettingsError::NotWritten(path.clone(), error);
    let file = paths::create_private_dir(data)
        .and_then(|()| private_file::append(&path))
        .map_err(unwritable)?;
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        }
    }
    Err(SettingsError::Busy)
}

/// The text of `target`; `None` when there is no such file.
fn read(path: &Path, target: &Path) -> Result<Option<String>, SettingsError> {
    let unreadable = |fact: String| SettingsError::Unreadable(path.to_owned(), fact);
    // A device or a pipe must be neither read nor replaced.
    match fs::metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if !metadata.is_file() => {
            return Err(unreadable("this is not a file".to_owned()));
        }
        _ => {}
    }
    let bytes = fs::read(target).map_err(|error| unreadable(error.to_string()))?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let start = error
            .as_bytes()
            .get(..error.utf8_error().valid_up_to())
            .unwrap_or_default();
        let line = String::from_utf8_lossy(start).matches('\n').count() + 1;
        SettingsError::NotUtf8(path.to_owned(), line)
    })
}

// Where the settings of a scope lie, and where their backups go.

/// Links that are followed before they count as a circle.
const MOST_LINKS: usize = 40;

/// The path at which Claude Code reads the settings of `scope`.
fn of(host: &Host<'_>, scope: SettingsScope) -> Result<PathBuf, SettingsError> {
    match scope {
        SettingsScope::User => user(host),
        SettingsScope::Project | SettingsScope::Local => {
            let here = host.here.as_ref().ok_or(SettingsError::NoFolder)?;
            let root = project::worktree_root(here);
            in_project(host, scope, root.as_ref().unwrap_or(here))
        }
    }
}

/// The same for the project in the folder `root`.
fn in_project(
    host: &Host<'_>,
    scope: SettingsScope,
    root: &Path,
) -> Result<PathBuf, SettingsError> {
    let name = match scope {
        SettingsScope::User => return user(host),
        SettingsScope::Project => "settings.json",
        SettingsScope::Local => "settings.local.json",
    };
    let path = root.join(claude_code::FOLDER).join(name);
    // In the home folder the project's settings and the user's are one file.
    match user(host) {
        Ok(user) if same(&user, &path) => Err(SettingsError::AreUsers),
        _ => Ok(path),
    }
}

/// Whose settings the file at `path` is, which plantune changed before.
fn scope_of(host: &Host<'_>, path: &Path) -> SettingsScope {
    let is_user = user(host).is_ok_and(|user| same(&user, path));
    match path.file_name().and_then(|name| name.to_str()) {
        _ if is_user => SettingsScope::User,
        Some("settings.local.json") => SettingsScope::Local,
        _ => SettingsScope::Project,
    }
}

/// Makes sure that `target`, the file behind `path`'s links, lies in the folder `root`: where links lead is
/// for the person to say in their own settings, and for nobody in a project.
///
/// # Errors
/// If it does not.
fn check_inside(
    scope: SettingsScope,
    root: &Path,
    path: &Path,
    target: &Path,
) -> Result<(), SettingsError> {
    let real = |folder: &Path| {
        // The folder itself may not be there yet; then its parent says.
        let existing = folder.ancestors().find(|one| one.exists())?;
        fs::canonicalize(existing).ok()
    };
    let inside = match (fs::canonicalize(root), target.parent().and_then(real)) {
        (Ok(root), Some(folder)) => folder.starts_with(root),
        _ => false,
    };
    if scope == SettingsScope::User || inside {
        return Ok(());
    }
    Err(SettingsError::LeadsOut(path.to_owned()))
}

fn user(host: &Host<'_>) -> Result<PathBuf, SettingsError> {
    let folder = claude_code::folder(host.variable).ok_or(SettingsError::NoHome)?;
    Ok(std::path::absolute(folder)?.join("settings.json"))
}

/// True when the two name one place, though its folder may not be there yet.
fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        let folder = path.parent()?;
        let above = fs::canonicalize(folder.parent()?).ok()?;
        Some(above.join(folder.file_name()?).join(path.file_name()?))
    };
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}

/// The file behind `path`'s symbolic links, which need not exist: a link to a file that is not
/// there yet is still the person's choice of where it shall be.
fn behind_links(path: &Path) -> Result<PathBuf, SettingsError> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let link = match fs::read_link(&target) {
            Ok(link) => link,
            // Not a link, or not there.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::NotFound
                ) =>
            {
                return Ok(target);
            }
            Err(error) => {
                return Err(SettingsError::Unreadable(
                    path.to_owned(),
                    error.to_string(),
                ));
            }
        };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    let fact = "its symbolic links lead in a circle".to_owned();
    Err(SettingsError::Unreadable(path.to_owned(), fact))
}

/// The folder for backups of `path`: beside it, save in a project, where they would be committed
/// and could carry keys along; those go to plantune's own data.
fn of_backups(data: &Path, scope: SettingsScope, path: &Path) -> PathBuf {
    match (scope, path.parent()) {
        (SettingsScope::User, Some(folder)) => folder.to_owned(),
        _ => {
            let project = hash::hex(&["settings", &path.to_string_lossy()]);
            data.join("backups").join(project)
        }
    }
}

/// `path` from the root on, without `..`, its symbolic links kept where there is none.
///
/// # Errors
/// The errors of the file system.
pub fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name))
            if path.components().any(|part| part == Component::ParentDir) =>
        {
            Ok(fs::canonicalize(folder)?.join(name))
        }
        _ => Ok(path),
    }
}

/// True if the folder exists and is the person's own: the log alone is no reason to trust it.
pub fn is_project(root: &Path) -> bool {
    let is_own = |folder: &fs::Metadata| folder.uid() == getuid().as_raw();
    root.is_absolute() && fs::metadata(root).is_ok_and(|folder| folder.is_dir() && is_own(&folder))
}
