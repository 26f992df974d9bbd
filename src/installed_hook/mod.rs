//! The hook's binary as it is installed: a copy in plantune's data folder, `bin/<version>/plantune-hook`, and the
//! link `bin/plantune-hook` to it, which Claude Code's settings name. The link is there from the first
//! installation on and always leads to a whole program, so that a session that was started long ago calls a
//! hook whatever became of the folder plantune was installed from (docs/development/installed-hook.md).

pub(crate) mod probe;

use std::cmp::Ordering;
use std::fs::{File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fmt, fs, io};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::atomic_file::sync_folder;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::release::stated_in;
use plantune_reports::text::shell_word;

use self::probe::alive;
use crate::claude_settings::editor::{STATUS_LINE_ARGUMENT, StatusLineOwner};
use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::plugins::Plugin;
use crate::claude_settings::{HOOK, SettingsScope, editor, plugins};
use crate::failure::Failure;
use crate::platform::is_executable;
use crate::terminal::sanitized;
use crate::workspace::Workspace;
use crate::{agents, platform};

/// A copy, and a link, that are being made; what a killed run left of them is replaced by the next.
const NEW: &str = "plantune-hook.new";

/// The mode of the folders and the copies: nobody else's business.
const MODE: u32 = 0o700;

/// The copies below one data folder. Whoever changes them holds the lock of `install`.
#[derive(Clone, Debug)]
pub(crate) struct InstalledHook {
    folder: PathBuf,
}

/// The outcome of [`InstalledHook::bring_up_to_date`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    /// Nothing: it was this plantune's.
    Nothing,
    /// There was none.
    First,
    /// In the place of one of this release.
    Replaced(Release),
}

impl InstalledHook {
    /// Those of `paths`; nothing need be there.
    pub(crate) fn of(paths: &Paths) -> Self {
        Self {
            folder: paths.data().join("bin"),
        }
    }

    /// The path that is registered.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(HOOK)
    }

    /// The copy of this plantune's version, behind the link once it is installed.
    fn copy(&self) -> PathBuf {
        self.folder.join(CURRENT).join(HOOK)
    }

    /// True when there is a hook at the path, or a folder that may hold copies.
    pub(crate) fn exists(&self) -> bool {
        self.folder.is_dir()
    }

    /// The link at [`InstalledHook::path`], where it leads to a copy beside it.
    pub(crate) fn link(&self) -> Option<PathBuf> {
        self.linked().map(|_| self.path())
    }

    /// True when the path leads to a copy of this plantune's version that is `source` to the byte.
    pub(crate) fn is_copy_of(&self, source: &Path) -> bool {
        self.linked().as_deref() == Some(self.copy().as_path()) && is_same(source, &self.copy())
    }

    /// The copy that the link leads to, whether it is there or not.
    fn linked(&self) -> Option<PathBuf> {
        let target = fs::read_link(self.path()).ok()?;
        let mut parts = target.components();
        let is_beside = parts.next().is_some_and(is_name)
            && parts.next().is_some_and(|part| part.as_os_str() == HOOK)
            && parts.next().is_none();
        is_beside.then(|| self.folder.join(target))
    }

    /// Makes the path lead to a copy of `source`, the hook of this plantune. At every moment it leads to the
    /// old copy or the new one, whole; the old one stays beside it for a while ([`InstalledHook::remove_old`]).
    ///
    /// # Errors
    /// When `source` is of another release or does not work, where it lies or as a copy; when the folder
    /// cannot be written.
    pub(crate) fn bring_up_to_date(
        &self,
        source: &Path,
        now: DateTime<Utc>,
    ) -> Result<Copied, Failure> {
        of_this_release(source)?;
        if self.is_copy_of(source) {
            return Ok(Copied::Nothing);
        }
        let is_there = self.path().symlink_metadata().is_ok();
        let before = is_there.then(|| Release::of(&self.path()));
        let failed = |error: io::Error| {
            let folder = sanitized(&self.folder.display().to_string());
            Failure::failed(format!("the hook cannot be copied to {folder}: {error}"))
                .hint("make it a folder that you may write, or register another with --hook-path")
        };
        let copy = self.copy();
        if !is_same(source, &copy) {
            let new = copy.with_file_name(NEW);
            let bytes = fs::read(source).map_err(failed)?;
            self.make_folders().map_err(failed)?;
            let made = write_program(&new, &bytes).map_err(failed);
            let made = made.and_then(|()| works(&new));
            let made = made.and_then(|()| fs::rename(&new, &copy).map_err(failed));
            if made.is_err() {
                // The error that led here is the one to report.
                let _ = fs::remove_file(&new);
            }
            made?;
            copy.parent().map(sync_folder);
        }
        self.lead_to_copy(now).map_err(failed)?;
        Ok(before.map_or(Copied::First, Copied::Replaced))
    }

    /// The outcome, in a line for a person; empty where nothing was.
    pub(crate) fn report(&self, copied: &Copied) -> String {
        let path = sanitized(&self.path().display().to_string());
        match copied {
            Copied::Nothing => String::new(),
            Copied::First => format!("copied the hook of {CURRENT} to {path}\n"),
            Copied::Replaced(before) => {
                format!("copied the hook of {CURRENT} to {path}; the one before was {before}\n")
            }
        }
    }

    fn make_folders(&self) -> io::Result<()> {
        create_private_dir(&self.folder)?;
        create_private_dir(&self.folder.join(CURRENT))?;
        // A folder that is there keeps its mode otherwise.
        fs::set_permissions(&self.folder, Permissions::from_mode(MODE))
    }

    /// Puts a link to this version's copy in the place of what is there.
    fn lead_to_copy(&self, now: DateTime<Utc>) -> io::Result<()> {
        if self.linked().as_deref() == Some(self.copy().as_path()) {
            return Ok(());
        }
        // From here on the old copy counts as replaced.
        if let Some(old) = self.linked().and_then(|old| File::open(old).ok()) {
            old.set_modified(now.into())?;
        }
        let new = self.folder.join(NEW);
        remove_if_there(&new)?;
        platform::link(&Path::new(CURRENT).join(HOOK), &new)?;
        fs::rename(&new, self.path())?;
        sync_folder(&self.folder);
        Ok(())
    }
}

/// The shell line by which Claude Code has `hook` print its status line.
pub(crate) fn status_line_command(hook: &str) -> String {
    format!("{} {STATUS_LINE_ARGUMENT}", shell_word(hook))
}

/// That `source` is the hook of this plantune's release.
fn of_this_release(source: &Path) -> Result<(), Failure> {
    let name = sanitized(&source.display().to_string());
    match Release::of(source) {
        Release::Stated(version) if version == CURRENT => Ok(()),
        other => Err(
            Failure::failed(format!("{name} is {other}, and this is plantune {CURRENT}")).hint(
                "nothing was changed; install plantune again, so that both are of one release",
            ),
        ),
    }
}

/// That the copy `new` starts where it lies, and keeps silent where it has nothing to say.
fn works(new: &Path) -> Result<(), Failure> {
    let home = probe::Home::new()?;
    alive(new, &home).map_err(|fact| {
        let folder = new.parent().unwrap_or(new);
        Failure::failed(format!("the copy of the hook {fact}"))
            .hint(format!(
                "nothing was changed; `findmnt -T {}` says whether the file system there is mounted noexec, so \
                 that no program may be run from it",
                shell_word(&folder.to_string_lossy())
            ))
            .hint(
                "then set PLANTUNE_HOME to a folder elsewhere, wherever Claude Code is started, too; or register \
                 a hook that lies elsewhere, without a copy: --hook-path PATH",
            )
    })
}

fn is_name(part: std::path::Component<'_>) -> bool {
    matches!(part, std::path::Component::Normal(_))
}

/// True when the two are files of the same bytes, and `copy` is no link and may be run.
fn is_same(source: &Path, copy: &Path) -> bool {
    let is_program =
        fs::symlink_metadata(copy).is_ok_and(|kind| kind.is_file() && kind.mode() & 0o777 == MODE);
    is_program && has_same_bytes(source, copy)
}

/// True when the two are files of the same bytes.
pub(crate) fn has_same_bytes(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map(|file| file.len()).ok();
    length(one) == length(other)
        && matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

fn write_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    remove_if_there(path)?;
    let mut options = File::options();
    let options = options.write(true).create_new(true).mode(MODE);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    // Whatever the umask took away.
    fs::set_permissions(path, Permissions::from_mode(MODE))?;
    file.sync_all()
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

// Copies that are not needed any more.

/// For how long a copy stays after another took its place. No settings of plantune's making name it; a process
/// or a script of somebody's may.
const STAYS: TimeDelta = TimeDelta::days(14);

impl InstalledHook {
    /// Removes the copies that were replaced two weeks ago or earlier, and what killed runs left. Returns how
    /// many copies went.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn remove_old(&self, now: DateTime<Utc>) -> io::Result<usize> {
        let linked = self.linked();
        let is_old = |copy: &PathBuf| {
            let replaced = fs::symlink_metadata(copy).and_then(|file| file.modified());
            let replaced = replaced.unwrap_or(SystemTime::UNIX_EPOCH);
            now - DateTime::<Utc>::from(replaced) >= STAYS
        };
        remove_if_there(&self.folder.join(NEW))?;
        let copies = self.copies()?.into_iter();
        let old: Vec<_> = copies
            .filter(|copy| linked.as_ref() != Some(copy))
            .filter(is_old)
            .collect();
        old.iter().try_for_each(|copy| remove_copy(copy))?;
        Ok(old.len())
    }

    /// Removes the link, and then every copy.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn remove_all(&self) -> io::Result<()> {
        let copies = self.copies()?;
        remove_if_there(&self.path())?;
        remove_if_there(&self.folder.join(NEW))?;
        copies.iter().try_for_each(|copy| remove_copy(copy))?;
        // What is not plantune's stays, and its folder with it.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }

    /// The places of copies, whole or half: one for each folder of a version.
    fn copies(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut copies = Vec::new();
        for entry in entries {
            let entry = entry?;
            let starts_as_version = entry
                .file_name()
                .to_string_lossy()
                .starts_with(|c: char| c.is_ascii_digit());
            if starts_as_version && entry.file_type()?.is_dir() {
                copies.push(entry.path().join(HOOK));
            }
        }
        Ok(copies)
    }
}

/// Removes one copy and its folder, if nothing else is in it.
fn remove_copy(copy: &Path) -> io::Result<()> {
    remove_if_there(&copy.with_file_name(NEW))?;
    remove_if_there(copy)?;
    if let Some(folder) = copy.parent() {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

// Of which release a hook is.

/// This plantune's version.
pub(crate) const CURRENT: &str = env!("CARGO_PKG_VERSION");

/// The release of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Release {
    /// It states this version.
    Stated(String),
    /// It states none: it is older than hooks that do, or no hook of plantune's.
    Unstated,
    /// The file cannot be read.
    Unreadable,
}

impl Release {
    /// That of the program at `path`.
    pub(crate) fn of(path: &Path) -> Self {
        let Ok(bytes) = fs::read(path) else {
            return Self::Unreadable;
        };
        stated_in(&bytes).map_or(Self::Unstated, |version| Self::Stated(version.to_owned()))
    }

    /// How it stands to this plantune's; `None` where that is not known.
    pub(crate) fn order(&self) -> Option<Ordering> {
        match self {
            Self::Stated(version) => Some(compare(version, CURRENT)),
            Self::Unstated | Self::Unreadable => None,
        }
    }
}

/// In words that follow "is": `of release 0.1.0`.
impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stated(version) => write!(f, "of release {version}"),
            Self::Unstated => f.write_str("of a release that it does not state"),
            Self::Unreadable => f.write_str("not readable"),
        }
    }
}

/// The order of two versions as semantic versioning has it, as far as numbers and the presence of a
/// pre-release decide; else that of their texts. Build metadata does not count.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    parts(one).cmp(&parts(other))
}

/// The numbers of a version, whether it is no pre-release, and what is said of one.
fn parts(version: &str) -> (Vec<u64>, bool, &str) {
    let version = version.split('+').next().unwrap_or_default();
    let (numbers, early) = version.split_once('-').unwrap_or((version, ""));
    let numbers = numbers.split('.').map(|part| part.parse().unwrap_or(0));
    (numbers.collect(), !version.contains('-'), early)
}

// Whether anything calls a hook of plantune's here.

/// The settings and plugins that call a hook of plantune's in this folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Registered {
    Nowhere,
    /// It is this plantune's, or a plugin or a shared file leaves open which one.
    Well,
    /// Settings name one that is not there, or of another release.
    Badly(String),
}

/// The settings and plugins that call a hook here. Settings that cannot be read name no hook.
pub(crate) fn registered(workspace: &Workspace) -> Registered {
    let files = SettingsScope::ALL.map(|scope| SettingsFile::open(workspace, scope));
    let mut programs: Vec<String> = files
        .iter()
        .flatten()
        .filter_map(|file| editor::inspect(file.text()).ok())
        .flat_map(|found| found.registrations)
        .map(|entry| entry.program)
        .chain(agents::found().flat_map(|found| found.programs(workspace)))
        .collect();
    programs.dedup();
    let plugins = plugins::ours_in(files.iter().flatten());
    if programs.is_empty() && plugins.is_empty() {
        return Registered::Nowhere;
    }
    // A plugin without a hook of its own starts the copy where there is one.
    let starts_it = plugins.iter().any(Plugin::starts_the_copy);
    let copy = InstalledHook::of(&workspace.paths).path();
    let copy = (starts_it && copy.exists()).then_some(copy);
    let mut paths = programs.into_iter().map(PathBuf::from).chain(copy);
    let bad = paths.find_map(|path| path.is_absolute().then(|| fault(&path)).flatten());
    bad.map_or(Registered::Well, Registered::Badly)
}

/// The fault of the hook at `path`, if it has one.
fn fault(path: &Path) -> Option<String> {
    if !is_executable(path) {
        return Some("the hook that is registered is gone".to_owned());
    }
    let release = Release::of(path);
    (release != Release::Stated(CURRENT.to_owned()))
        .then(|| format!("the hook that is registered is {release}"))
}

// Who still calls the installed hook.

/// Who calls the installed hook, in words for a person: settings that count here or that plantune ever
/// changed, and plugins. Settings that cannot be read may name it as well, and are among them.
pub(crate) fn of(workspace: &Workspace, hook: &InstalledHook) -> Vec<String> {
    let here = SettingsScope::ALL.map(|scope| SettingsFile::open(workspace, scope));
    let here = here.into_iter().flatten();
    let on_record = SettingsFile::on_record(workspace).into_iter().flatten();
    let mut users: Vec<String> = here
        .chain(on_record)
        .filter(|file| names(file.text(), hook))
        .map(|file| file.name())
        .collect();
    let plugins = plugins::ours(workspace).into_iter();
    let plugins = plugins.filter(Plugin::starts_the_copy);
    users.extend(plugins.map(|plugin| format!("the plugin {}", plugin.id)));
    users.sort();
    users.dedup();
    users
}

/// True when the settings `text` call `hook`.
fn names(text: &str, hook: &InstalledHook) -> bool {
    let path = hook.path();
    let path = path.to_string_lossy();
    match (editor::inspect(text), editor::status_line_owner(text)) {
        (Ok(found), Ok(owner)) => {
            let mut entries = found.registrations.iter();
            let is_status_line =
                matches!(owner, StatusLineOwner::Ours(command) if command.contains(&*path));
            entries.any(|entry| entry.program == path) || is_status_line
        }
        _ => text.contains(&*path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;
    use plantune_domain::release::STATEMENT;
    use std::fs::Permissions;
    use std::os::unix::fs::symlink;

    #[test]
    fn versions_are_numbers_and_an_early_one_comes_before() {
        let ordered = ["0.1.0", "0.2.0-rc.1", "0.2.0", "0.10.0", "1.0.0"];
        for (at, one) in ordered.iter().enumerate() {
            for (other_at, other) in ordered.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&other_at), "{one} {other}");
            }
        }
        assert_eq!(compare("1.0.0+linux", "1.0.0+mac"), Ordering::Equal);
    }

    /// A data folder, and a folder plantune was installed to.
    struct World(tempfile::TempDir);

    impl World {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn installed(&self) -> InstalledHook {
            InstalledHook::of(&Paths::below(self.0.path().join("data")))
        }

        /// A hook that keeps silent, states `statement`, and holds `content` as well.
        fn hook(&self, statement: &str, content: &str) -> PathBuf {
            let path = self.0.path().join("plantune-hook");
            let script = format!("#!/bin/sh\n{content}\nexit 0\n# {statement}\n");
            write_program(&path, script.as_bytes()).unwrap();
            path
        }

        fn copies(&self) -> Vec<String> {
            let copies = self.installed().copies().unwrap().into_iter();
            let folder = |copy: PathBuf| copy.parent().unwrap().file_name().unwrap().to_owned();
            let mut names: Vec<_> = copies
                .map(|copy| folder(copy).into_string().unwrap())
                .collect();
            names.sort();
            names
        }

        /// A copy of `version` that the link leads to.
        fn earlier(&self, version: &str) {
            let installed = self.installed();
            let folder = installed.folder.join(version);
            create_private_dir(&folder).unwrap();
            let hook = format!("#!/bin/sh\n# plantune-hook of release {version};\n");
            write_program(&folder.join(HOOK), hook.as_bytes()).unwrap();
            remove_if_there(&installed.path()).unwrap();
            symlink(Path::new(version).join(HOOK), installed.path()).unwrap();
        }
    }

    fn now() -> DateTime<Utc> {
        "2026-11-20T10:00:00Z".parse().unwrap()
    }

    fn read(path: PathBuf) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn it_is_copied_once_and_again_when_it_differs() {
        let world = World::new();
        let installed = world.installed();
        let hook = world.hook(STATEMENT, "");
        let copy = || installed.bring_up_to_date(&hook, now()).unwrap();
        assert_eq!(copy(), Copied::First);
        assert_eq!(copy(), Copied::Nothing);
        assert!(installed.is_copy_of(&hook) && installed.link().is_some());
        let mode = fs::metadata(installed.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        // A developer's next build has the same version.
        world.hook(STATEMENT, "true");
        let same = Release::Stated(CURRENT.to_owned());
        assert_eq!(copy(), Copied::Replaced(same.clone()));
        assert_eq!(read(installed.path()), read(hook.clone()));
        // A mode that somebody took away is repaired.
        fs::set_permissions(installed.path(), Permissions::from_mode(0o600)).unwrap();
        assert_eq!(copy(), Copied::Replaced(same));
        // Whatever somebody put in the link's place.
        fs::remove_file(installed.path()).unwrap();
        write_program(&installed.path(), b"#!/bin/sh\n").unwrap();
        assert_eq!(copy(), Copied::Replaced(Release::Unstated));
        assert!(installed.is_copy_of(&hook));
    }

    #[test]
    fn what_is_not_this_release_or_does_not_run_changes_nothing() {
        let world = World::new();
        let installed = world.installed();
        world.earlier("0.0.1");
        let before = read(installed.path());
        for (statement, content, fact) in [
            (
                "plantune-hook of release 99.0.0;",
                "",
                "is of release 99.0.0, and this",
            ),
            ("nothing", "", "does not state"),
            (STATEMENT, "exit 7", "ends with exit status: 7"),
            (STATEMENT, "echo hello", "prints something"),
        ] {
            let hook = world.hook(statement, content);
            let failure = installed.bring_up_to_date(&hook, now()).unwrap_err();
            assert!(failure.message().contains(fact), "{failure}");
            assert!(!failure.hints().is_empty());
            assert_eq!(read(installed.path()), before);
            assert!(!installed.copy().exists() && !installed.copy().with_file_name(NEW).exists());
        }
        let absent = world.0.path().join("absent");
        let failure = installed.bring_up_to_date(&absent, now()).unwrap_err();
        assert!(failure.message().contains("not readable"), "{failure}");
    }

    #[test]
    fn what_a_killed_run_left_is_in_nobodys_way() {
        let world = World::new();
        let installed = world.installed();
        let hook = world.hook(STATEMENT, "");
        installed.make_folders().unwrap();
        write_program(&installed.copy().with_file_name(NEW), b"half a hook").unwrap();
        symlink("nowhere", installed.folder.join(NEW)).unwrap();
        assert_eq!(
            installed.bring_up_to_date(&hook, now()).unwrap(),
            Copied::First
        );
        assert!(installed.is_copy_of(&hook));
        // Killed between the copy and the link: the old one is called until the next run.
        world.earlier("0.0.1");
        assert!(installed.copy().exists() && !installed.is_copy_of(&hook));
        installed.bring_up_to_date(&hook, now()).unwrap();
        assert!(installed.is_copy_of(&hook));
        installed.remove_old(now()).unwrap();
        assert!(!installed.folder.join(NEW).exists());
    }

    #[test]
    fn an_old_copy_stays_for_two_weeks_after_it_was_replaced() {
        let world = World::new();
        let installed = world.installed();
        world.earlier("0.0.1");
        world.earlier("0.0.2");
        let later = now() + TimeDelta::days(300);
        installed
            .bring_up_to_date(&world.hook(STATEMENT, ""), later)
            .unwrap();
        // The one that nothing led to was not replaced just now.
        assert_eq!(installed.remove_old(later).unwrap(), 1);
        assert_eq!(world.copies(), ["0.0.2", CURRENT]);
        let almost = later + TimeDelta::days(14) - TimeDelta::seconds(1);
        assert_eq!(installed.remove_old(almost).unwrap(), 0);
        assert_eq!(
            installed.remove_old(later + TimeDelta::days(14)).unwrap(),
            1
        );
        assert_eq!(world.copies(), [CURRENT]);
        // The one that is called never goes.
        assert_eq!(
            installed.remove_old(later + TimeDelta::days(999)).unwrap(),
            0
        );
        assert!(installed.path().exists());
    }

    #[test]
    fn everything_of_ours_goes_and_nothing_else() {
        let world = World::new();
        let installed = world.installed();
        installed.remove_all().unwrap();
        world.earlier("0.0.1");
        installed
            .bring_up_to_date(&world.hook(STATEMENT, ""), now())
            .unwrap();
        write_program(&installed.folder.join("mine"), b"").unwrap();
        installed.remove_all().unwrap();
        let left: Vec<_> = fs::read_dir(&installed.folder).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        fs::remove_file(installed.folder.join("mine")).unwrap();
        installed.remove_all().unwrap();
        assert!(!installed.folder.exists());
    }
}
