//! The settings.json of a scope as a file: its place, and how it is changed.
//!
//! The order of a change: lock, read, show, ask, read again, back up, replace. Claude Code writes
//! the same file while we ask, so what is replaced is what was shown, or nothing.

mod journal;

use std::cell::OnceCell;
use std::fs::{File, TryLockError};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::Args;
use plantune_agents::claude_code;
use plantune_domain::{atomic_file, hash, paths, project};

use super::SettingsScope;
use crate::claude_settings::editor;
use crate::claude_settings::editor::{List, OurRules, Problem};
use crate::failure::Failure;
use crate::platform::wait_for;
use crate::session::Session;
use crate::terminal;
use crate::terminal::consent::{Confirmation, diff};
pub(crate) use journal::Journal;
use journal::JournalEntry;

/// The arguments of all verbs that change settings.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ChangeArguments {
    /// Whose settings to change
    #[arg(long, value_enum, default_value_t = SettingsScope::User)]
    pub(crate) scope: SettingsScope,
    /// Only show the change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// True if backups and data go with it, so that no word says where they are kept.
    #[arg(skip)]
    pub(crate) is_purge: bool,
}

/// The planned change of a settings file.
pub(crate) struct SettingsChange<'a> {
    /// The change for the person, in a sentence.
    pub(crate) sentence: &'a str,
    /// The command that they can type if they cannot be asked.
    pub(crate) command: &'a str,
    /// The file's new text; `None` removes it.
    pub(crate) after: Option<&'a str>,
    /// The permission rules of plantune's in it, this change included, for the record of the change; `None` for one
    /// that undoes the last, whose record goes.
    pub(crate) rules: Option<&'a OurRules>,
}

/// The settings file of one scope, as read.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    /// Whose it is.
    pub(crate) scope: SettingsScope,
    /// Where Claude Code looks for it.
    pub(crate) path: PathBuf,
    /// Its text; `None` if there is no file.
    pub(crate) before: Option<String>,
    /// The file itself, behind symbolic links.
    target: PathBuf,
    backups: PathBuf,
    journal: OnceCell<Journal>,
}

impl SettingsFile {
    /// Reads the file of `scope`.
    ///
    /// # Errors
    /// Conflict when it is there and is no readable UTF-8 file; failed when its place is unknown.
    pub(crate) fn open(session: &Session, scope: SettingsScope) -> Result<Self, Failure> {
        Self::at(session, scope, of(scope)?)
    }

    /// Reads the file of `scope` for the project in the folder `root`.
    ///
    /// # Errors
    /// The errors of [`SettingsFile::open`]; refused where a link of the project leads the file out of it.
    pub(crate) fn of_project(
        session: &Session,
        scope: SettingsScope,
        root: &Path,
    ) -> Result<Self, Failure> {
        let file = Self::at(session, scope, in_project(scope, root)?)?;
        check_inside(scope, root, &file.path, &file.target)?;
        Ok(file)
    }

    /// Reads the file of hooks at `path`, which is another agent's.
    ///
    /// # Errors
    /// The errors of [`SettingsFile::open`].
    pub(crate) fn of_agent(session: &Session, path: PathBuf) -> Result<Self, Failure> {
        Self::at(session, SettingsScope::Local, path)
    }

    /// Reads another agent's file at `path`, which is for the project in the folder `root`.
    ///
    /// # Errors
    /// The errors of [`SettingsFile::of_project`].
    pub(crate) fn of_agent_in(
        session: &Session,
        path: PathBuf,
        root: &Path,
    ) -> Result<Self, Failure> {
        let file = Self::at(session, SettingsScope::Project, path)?;
        check_inside(file.scope, root, &file.path, &file.target)?;
        Ok(file)
    }

    /// The files that hold rules that `suggest` added, as far as they are on record.
    ///
    /// # Errors
    /// Of each, those of [`SettingsFile::open`].
    pub(crate) fn with_allowed(session: &Session) -> Vec<Result<Self, Failure>> {
        Self::at_all(session, Journal::with_allowed(session))
    }

    /// The files that plantune ever changed, as far as they are on record.
    ///
    /// # Errors
    /// Of each, those of [`SettingsFile::open`].
    pub(crate) fn on_record(session: &Session) -> Vec<Result<Self, Failure>> {
        Self::at_all(session, Journal::all(session))
    }

    /// The backups of settings that lie beside them, of all files that plantune ever changed.
    pub(crate) fn all_backups(session: &Session) -> Vec<PathBuf> {
        let files = Self::on_record(session).into_iter().flatten();
        let beside = files.filter(|file| file.scope == SettingsScope::User);
        let backups = beside.flat_map(|file| journal::newest_first(&file.backups, &file.path));
        backups.collect()
    }

    fn at_all(session: &Session, paths: Vec<PathBuf>) -> Vec<Result<Self, Failure>> {
        let at = |path: PathBuf| Self::at(session, scope_of(&path), path);
        paths.into_iter().map(at).collect()
    }

    fn at(session: &Session, scope: SettingsScope, path: PathBuf) -> Result<Self, Failure> {
        let target = behind_links(&path)?;
        let before = read(&path, &target)?;
        let backups = of_backups(session, scope, &path);
        Ok(Self {
            scope,
            path,
            before,
            target,
            backups,
            journal: OnceCell::new(),
        })
    }

    /// The file's text; empty when there is no file.
    pub(crate) fn text(&self) -> &str {
        self.before.as_deref().unwrap_or_default()
    }

    /// The path as it may be shown.
    pub(crate) fn name(&self) -> String {
        terminal::path(&self.path)
    }

    /// The list of calls that run unasked in it.
    pub(crate) fn allowing(&self) -> List {
        List::allowing(&self.path)
    }

    /// `problem` as a failure that names this file.
    pub(crate) fn conflict(&self, problem: &Problem) -> Failure {
        let fact = terminal::sanitized(&problem.to_string());
        Failure::conflict(format!("{}: {fact}", self.name()))
            .hint(problem.hint())
            .hint("the file was not changed")
    }

    /// The text of the file before plantune's entries were added, when it has not changed since: a backup, or
    /// (`Some(None)`) no file at all. Taking the entries out gives the same settings, but cannot distinguish
    /// two texts apart that become the same bytes. `rules` are the permission rules in it that are ours.
    pub(crate) fn origin(&self, rules: &OurRules) -> Option<Option<String>> {
        // A rule that is on record may have been there before the hook.
        let allowed = OurRules {
            allow: rules.allow.clone(),
            allowing: rules.allowing,
            ..OurRules::default()
        };
        self.origin_where(|text| {
            editor::is_origin(text, self.text())
                || editor::is_origin_with(text, self.text(), rules)
                || editor::is_origin_with(text, self.text(), &allowed)
        })
    }

    /// The newest backup that `is_origin`, or (`Some(None)`) no file where no text is.
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
    /// Conflict when the record of it is not understood.
    pub(crate) fn journal(&self, session: &Session) -> Result<&Journal, Failure> {
        if let Some(journal) = self.journal.get() {
            return Ok(journal);
        }
        let journal = Journal::open(session, &self.path)?;
        Ok(self.journal.get_or_init(|| journal))
    }

    /// Says what would change, asks, and replaces the file. True when it was done; false after `--dry-run`, which
    /// shows the diff, or a no. `first` is what must be done for the new text to be right, once the person has agreed.
    ///
    /// # Errors
    /// Refused where the person cannot be asked; conflict when the file changed meanwhile; those of `first`. The
    /// settings are untouched then.
    pub(crate) fn change(
        &self,
        session: &Session,
        arguments: &ChangeArguments,
        change: &SettingsChange<'_>,
        first: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        // What is on record must be understood before anything is asked.
        self.journal(session)?;
        let diff = self.diff(change.after, session.colour);
        if arguments.dry_run {
            terminal::print_exactly(&diff)?;
            terminal::print("nothing was written (--dry-run)\n")?;
            return Ok(false);
        }
        let confirmation = Confirmation {
            sentence: change.sentence,
            question: "Change it?",
            yes: arguments.yes,
            command: change.command,
        };
        if !confirmation.is_given(session, &diff)? {
            return Ok(false);
        }
        first()?;
        let says_backup = !arguments.is_purge;
        self.replace(session, change, says_backup)?;
        confirmation.say_done(session)?;
        Ok(true)
    }

    /// The change from replacing the file by `after`, as a unified diff sanitized for a terminal.
    pub(crate) fn diff(&self, after: Option<&str>, colour: bool) -> String {
        diff(
            &self.name(),
            Some(self.text()),
            after.unwrap_or_default(),
            colour,
        )
    }

    /// Replaces the file, or removes it, as the person was shown and has confirmed; names the backup where it
    /// `says_backup`.
    ///
    /// # Errors
    /// Conflict when the file changed meanwhile; failed when it cannot be written.
    pub(crate) fn replace(
        &self,
        session: &Session,
        change: &SettingsChange<'_>,
        says_backup: bool,
    ) -> Result<(), Failure> {
        let SettingsChange { command, after, .. } = *change;
        let journal = self.journal(session)?.clone();
        if read(&self.path, &self.target)? != self.before {
            return Err(self.changed_meanwhile(command));
        }
        let backup = self.back_up(session)?;
        if says_backup && let Some(backup) = &backup {
            terminal::print(&format!("backup: {}\n", terminal::path(backup)))?;
        }
        self.write(after)
            .map_err(|error| unwritable(&self.target, &error))?;
        let texts = (self.before.as_deref(), after);
        match change.rules {
            Some(rules) => journal.push(JournalEntry::new(session, command, texts, backup, rules)),
            None => journal.pop(),
        }
        .map_err(|error| {
            unwritable(session.paths.data(), &error)
                .hint("the settings were changed; only the record for --rollback is missing")
        })
    }

    /// The error that the file has changed since the person saw it.
    pub(crate) fn changed_meanwhile(&self, command: &str) -> Failure {
        Failure::conflict(format!(
            "another program changed {} at the same time",
            self.name()
        ))
        .hint(format!("run `{command}` again"))
    }

    /// Keeps the text that is about to be replaced.
    fn back_up(&self, session: &Session) -> Result<Option<PathBuf>, Failure> {
        let Some(before) = &self.before else {
            return Ok(None);
        };
        let backup = journal::write(&self.backups, &self.path, before, session.now)
            .map_err(|error| unwritable(&self.backups, &error))?;
        Ok(Some(backup))
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

/// Keeps other installers away until it is dropped.
///
/// # Errors
/// When another one is at work for too long, or the lock cannot be made.
pub(crate) fn lock(session: &Session) -> Result<File, Failure> {
    let folder = session.paths.data();
    let path = folder.join("install.lock");
    let mut private = File::options();
    private.create(true).append(true).mode(0o600);
    let file = paths::create_private_dir(folder)
        .and_then(|()| private.open(&path))
        .map_err(|error| unwritable(&path, &error))?;
    let is_held = || match file.try_lock() {
        Ok(()) => Ok(Some(())),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(unwritable(&path, &error)),
    };
    match wait_for(is_held)? {
        Some(()) => Ok(file),
        None => Err(
            Failure::failed("another plantune install or uninstall is running")
                .hint("finish that one, then run this again"),
        ),
    }
}

/// The text of `target`; `None` when there is no such file.
fn read(path: &Path, target: &Path) -> Result<Option<String>, Failure> {
    let conflict = |fact: String| {
        let path = terminal::path(path);
        Failure::conflict(format!("{path}: {fact}")).hint("the file was not changed")
    };
    // A device or a pipe must be neither read nor replaced.
    match fs::metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if !metadata.is_file() => {
            return Err(conflict("this is not a file".to_owned()));
        }
        _ => {}
    }
    let bytes = fs::read(target).map_err(|error| conflict(error.to_string()))?;
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let start = error
            .as_bytes()
            .get(..error.utf8_error().valid_up_to())
            .unwrap_or_default();
        let line = String::from_utf8_lossy(start).matches('\n').count() + 1;
        conflict(format!("line {line}: not UTF-8")).hint("save it as UTF-8, then run this again")
    })
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let path = terminal::path(path);
    let failure = Failure::failed(format!("cannot write {path}: {error}"));
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => failure.hint(
            "if another program makes this file (home-manager, a dotfiles tool), add the entries \
             that --dry-run shows there",
        ),
        _ => failure,
    }
}

// Where the settings of a scope lie, and where their backups go.

/// Links that are followed before they count as a circle.
const MOST_LINKS: usize = 40;

/// The path at which Claude Code reads the settings of `scope`.
fn of(scope: SettingsScope) -> Result<PathBuf, Failure> {
    match scope {
        SettingsScope::User => user(),
        SettingsScope::Project | SettingsScope::Local => in_project(scope, &project_root()?),
    }
}

/// The same for the project in the folder `root`.
fn in_project(scope: SettingsScope, root: &Path) -> Result<PathBuf, Failure> {
    let user = user();
    let project = |name: &str| {
        let path = root.join(claude_code::FOLDER).join(name);
        // In the home folder the project's settings and the user's are one file.
        if user.as_ref().is_ok_and(|user| same(user, &path)) {
            return Err(
                Failure::usage("this folder's settings are your user settings")
                    .hint("use --scope user"),
            );
        }
        Ok(path)
    };
    match scope {
        SettingsScope::User => user,
        SettingsScope::Project => project("settings.json"),
        SettingsScope::Local => project("settings.local.json"),
    }
}

/// Whose settings the file at `path` is, which plantune changed before.
fn scope_of(path: &Path) -> SettingsScope {
    let is_user = user().is_ok_and(|user| same(&user, path));
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
/// Refused (exit code 4) if it does not.
fn check_inside(
    scope: SettingsScope,
    root: &Path,
    path: &Path,
    target: &Path,
) -> Result<(), Failure> {
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
    let path = terminal::path(path);
    Err(
        Failure::refused(format!("{path}: a link leads out of the project"))
            .hint("nothing was changed; --settings user writes your own settings instead"),
    )
}

fn user() -> Result<PathBuf, Failure> {
    let variable = claude_code::CONFIG_DIR;
    let folder = claude_code::folder(|name| env::var_os(name)).ok_or_else(|| {
        Failure::failed(format!(
            "HOME and {variable} are not set, so your settings can't be found"
        ))
        .hint(format!("set {variable}, or use --scope local"))
    })?;
    Ok(std::path::absolute(folder)?.join("settings.json"))
}

/// The top of the git worktree around the current folder, else that folder.
fn project_root() -> Result<PathBuf, Failure> {
    let here = env::current_dir()
        .map_err(|error| Failure::failed(format!("the current folder is unknown: {error}")))?;
    Ok(project::worktree_root(&here).unwrap_or(here))
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
fn behind_links(path: &Path) -> Result<PathBuf, Failure> {
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
                let fact = format!("{}: {error}", path.display());
                return Err(Failure::conflict(fact));
            }
        };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    let fact = format!("{}: its symbolic links lead in a circle", path.display());
    Err(Failure::conflict(fact))
}

/// The folder for backups of `path`: beside it, save in a project, where they would be committed
/// and could carry keys along; those go to plantune's own data.
fn of_backups(session: &Session, scope: SettingsScope, path: &Path) -> PathBuf {
    match (scope, path.parent()) {
        (SettingsScope::User, Some(folder)) => folder.to_owned(),
        _ => {
            let project = hash::hex(&["settings", &path.to_string_lossy()]);
            session.paths.data().join("backups").join(project)
        }
    }
}
