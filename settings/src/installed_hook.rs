//! The hook's binary as it is installed: one copy in plantune's data folder, which the agents' settings name. It is there
//! whatever becomes of the folder plantune was installed from, and always the hook of the plantune that ran last. It takes
//! its home from where it lies, and from the record beside it.

use std::fs::{File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, io};

use plantune_agents::claude_code::REGISTRATION;
use plantune_domain::atomic_file::{remove_unfinished, sync_folder};
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::private_file;

use crate::agents::{self, Plugin, plugins, plugins_in};
use crate::file::{Host, SettingsFile, SettingsScope, absolute};
use crate::ours::{StatusLineOwner, status_line_owner};
use crate::programs::{ProbeHome, alive, in_path, is_executable};
use crate::registration::inspect;
use crate::{HOOK, SettingsError};

// Where the hook lies: beside the running program.

/// Where the hook beside the running program is looked for, the preferred place first; there is
/// at least one, and the last is the folder the program really lies in. Nothing need be there.
///
/// The folder the program was called by goes before the one it really lies in: a package manager
/// replaces the folder of a version, and keeps the link to it.
///
/// # Errors
/// If the system does not say where the program is.
pub fn beside_us() -> io::Result<Vec<PathBuf>> {
    let real = env::current_exe()?;
    let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(&real).ok();
    let called = called_as().filter(same);
    let mut places: Vec<_> = [called.as_ref(), Some(&real)]
        .into_iter()
        .flatten()
        .map(|path| path.with_file_name(HOOK))
        .collect();
    places.dedup();
    Ok(places)
}

/// The hook beside the running program.
///
/// # Errors
/// If there is none.
pub fn our_hook() -> Result<PathBuf, SettingsError> {
    let places = beside_us()?;
    let folder = places.last().and_then(|path| path.parent());
    let missing = SettingsError::NoHook(folder.map(Path::to_owned).unwrap_or_default());
    let mut places = places.into_iter();
    places.find(|hook| is_executable(hook)).ok_or(missing)
}

/// The path this program was called by: as typed, or found through `PATH`.
fn called_as() -> Option<PathBuf> {
    let called = PathBuf::from(env::args_os().next()?);
    if called.components().count() > 1 {
        absolute(&called).ok()
    } else {
        in_path(called.as_os_str())
    }
}

/// `hook` as settings name it.
///
/// # Errors
/// For a path that JSON cannot hold.
pub fn path_text(hook: PathBuf) -> Result<String, SettingsError> {
    let text = hook.into_os_string().into_string();
    text.map_err(|path| SettingsError::PathNotUtf8(path.into()))
}

// The copy.

/// A copy that is being made; the next run replaces what a killed one left.
const NEW: &str = "plantune-hook.new";

/// The mode of the folder and the copy: nobody else's business.
const MODE: u32 = 0o700;

/// The copy below one data folder. Whoever changes it holds the lock of `install`.
#[derive(Clone, Debug)]
pub struct InstalledHook {
    folder: PathBuf,
    /// The home that is on record beside it, once [`record_home`](Self::record_home) was called.
    home: Paths,
}

/// The outcome of [`InstalledHook::bring_up_to_date`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// The copy was up to date.
    Nothing,
    /// There was no copy.
    First,
    /// Another one was there.
    Replaced,
}

impl InstalledHook {
    /// That of `paths`; it need not be there.
    pub fn of(paths: &Paths) -> Self {
        Self {
            folder: paths.bin(),
            home: paths.clone(),
        }
    }

    /// The path that is registered.
    pub fn path(&self) -> PathBuf {
        self.folder.join(HOOK)
    }

    /// True when there is a hook at the path, or its folder.
    pub fn exists(&self) -> bool {
        self.folder.is_dir()
    }

    /// True when the copy is `source` to the byte, and may be run.
    fn is_copy_of(&self, source: &Path) -> bool {
        let copy = self.path();
        let is_program = fs::symlink_metadata(&copy)
            .is_ok_and(|kind| kind.is_file() && kind.mode() & 0o777 == MODE);
        is_program && has_same_bytes(source, &copy)
    }

    /// Makes the copy one of `source`. It is renamed into place, so that a call finds the old hook or the new one, and a
    /// hook that runs keeps its file.
    ///
    /// # Errors
    /// When `source` cannot be read or does not work as a copy, or the folder cannot be written. Then the copy is as it
    /// was.
    pub fn bring_up_to_date(&self, source: &Path) -> Result<Copied, SettingsError> {
        if self.is_copy_of(source) {
            return Ok(Copied::Nothing);
        }
        let is_there = self.path().symlink_metadata().is_ok();
        let failed = |error: io::Error| SettingsError::NotCopied(self.folder.clone(), error);
        let bytes = fs::read(source).map_err(failed)?;
        create_private_dir(&self.folder).map_err(failed)?;
        // A folder that is there keeps its mode otherwise.
        fs::set_permissions(&self.folder, Permissions::from_mode(MODE)).map_err(failed)?;
        let new = self.folder.join(NEW);
        let made = write_program(&new, &bytes).map_err(failed);
        let made = made.and_then(|()| works(&new));
        let made = made.and_then(|()| fs::rename(&new, self.path()).map_err(failed));
        if made.is_err() {
            // The error that led here is the one to report.
            let _ = fs::remove_file(&new);
        }
        made?;
        sync_folder(&self.folder);
        Ok(match is_there {
            true => Copied::Replaced,
            false => Copied::First,
        })
    }

    /// The home that the copy uses; `None` if it goes by the environment, since none is on record.
    pub fn recorded_home(&self) -> Option<Paths> {
        Paths::of_installed(&self.path())
    }

    /// Has the copy use this home, whatever the environment says. Returns the folder of the configuration that it used
    /// before, if it is another one.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn record_home(&self) -> Result<Option<PathBuf>, SettingsError> {
        let before = self.recorded_home().map(|home| home.config().to_owned());
        if before.as_deref() == Some(self.home.config()) {
            return Ok(None);
        }
        let (record, content) = self.home.installed_record();
        let failed = |error: io::Error| SettingsError::NotCopied(self.folder.clone(), error);
        create_private_dir(&self.folder).map_err(failed)?;
        private_file::replace(&record, &content).map_err(failed)?;
        Ok(before)
    }

    /// Removes the copy.
    ///
    /// # Errors
    /// The errors of the file system.
    pub fn remove(&self) -> io::Result<()> {
        remove_if_there(&self.path())?;
        let (record, _) = self.home.installed_record();
        remove_if_there(&record)?;
        remove_if_there(&self.folder.join(NEW))?;
        // A run that is not this one was killed: it held the lock.
        remove_unfinished(&record, Duration::ZERO);
        // If another file is in it, the folder stays.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }
}

/// Makes sure that the copy `new` starts from its folder, and prints nothing if it has nothing to say.
fn works(new: &Path) -> Result<(), SettingsError> {
    let home = ProbeHome::new()?;
    let folder = new.parent().unwrap_or(new);
    alive(new, &home).map_err(|fact| SettingsError::BrokenCopy(folder.to_owned(), fact))
}

/// True when the two are files of the same bytes.
pub fn has_same_bytes(one: &Path, other: &Path) -> bool {
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

// Whether anything calls a hook of plantune's here.

/// The settings and plugins that call a hook of plantune's in this folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Registered {
    /// Nothing calls one.
    Nowhere,
    /// It is this plantune's, or a plugin or a shared file leaves open which one.
    Well,
    /// Settings name one that is gone, or that is not this plantune's.
    Badly(&'static str),
}

/// The settings and plugins that call a hook here. Settings that cannot be read name no hook.
pub fn registered(host: &Host<'_>) -> Registered {
    let files = SettingsScope::ALL.map(|scope| SettingsFile::open(host, scope));
    let mut programs: Vec<String> = files
        .iter()
        .flatten()
        .filter_map(|file| inspect(&REGISTRATION, file.text()).ok())
        .flat_map(|found| found.registrations)
        .map(|entry| entry.program)
        .chain(agents::found(host.variable).flat_map(|found| found.programs(host)))
        .collect();
    programs.dedup();
    let plugins = plugins_in(files.iter().flatten());
    if programs.is_empty() && plugins.is_empty() {
        return Registered::Nowhere;
    }
    // A plugin without a hook of its own starts the copy where there is one.
    let starts_it = plugins.iter().any(Plugin::starts_the_copy);
    let copy = InstalledHook::of(host.paths).path();
    let copy = (starts_it && copy.exists()).then_some(copy);
    let mut paths = programs.into_iter().map(PathBuf::from).chain(copy);
    let bad = paths.find_map(|path| path.is_absolute().then(|| fault(&path)).flatten());
    bad.map_or(Registered::Well, Registered::Badly)
}

/// The fault of the hook at `path`, if it has one.
fn fault(path: &Path) -> Option<&'static str> {
    if !is_executable(path) {
        return Some("the hook that is registered is gone");
    }
    let is_other = our_hook().is_ok_and(|ours| !has_same_bytes(&ours, path));
    is_other.then_some("the hook that is registered is not the one of this plantune")
}

// Who still calls the installed hook.

/// Who calls the installed hook, in words for a person: settings that count here or that plantune ever
/// changed, and plugins. Settings that cannot be read may name it as well, and are among them.
pub fn users(host: &Host<'_>, hook: &InstalledHook) -> Vec<String> {
    let here = SettingsScope::ALL.map(|scope| SettingsFile::open(host, scope));
    let here = here.into_iter().flatten();
    let on_record = SettingsFile::on_record(host, |_| true)
        .into_iter()
        .flatten();
    let mut users: Vec<String> = here
        .chain(on_record)
        .filter(|file| names(file.text(), hook))
        .map(|file| file.name())
        .collect();
    let plugins = plugins(host).into_iter();
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
    match (inspect(&REGISTRATION, text), status_line_owner(text)) {
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
    use std::os::unix::fs::symlink;

    /// A data folder, and a folder plantune was installed to.
    struct TwoFolders(tempfile::TempDir);

    impl TwoFolders {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn installed(&self) -> InstalledHook {
            InstalledHook::of(&Paths::below(self.0.path().join("data")))
        }

        /// A hook that does what `content` says, and ends well.
        fn hook(&self, content: &str) -> PathBuf {
            let path = self.0.path().join("plantune-hook");
            write_program(&path, format!("#!/bin/sh\n{content}\nexit 0\n").as_bytes()).unwrap();
            path
        }
    }

    fn read(path: PathBuf) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn it_is_copied_once_and_again_when_it_differs() {
        let world = TwoFolders::new();
        let installed = world.installed();
        let hook = world.hook("");
        let copy = || installed.bring_up_to_date(&hook).unwrap();
        assert_eq!(copy(), Copied::First);
        assert_eq!(copy(), Copied::Nothing);
        assert!(installed.is_copy_of(&hook));
        let mode = fs::metadata(installed.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        world.hook("true");
        assert_eq!(copy(), Copied::Replaced);
        assert_eq!(read(installed.path()), read(hook.clone()));
        // A mode that somebody took away, and a link in its place, are repaired; what the link leads to stays.
        fs::set_permissions(installed.path(), Permissions::from_mode(0o600)).unwrap();
        assert_eq!(copy(), Copied::Replaced);
        let other = world.0.path().join("other");
        fs::rename(installed.path(), &other).unwrap();
        symlink(&other, installed.path()).unwrap();
        world.hook("false");
        assert_eq!(copy(), Copied::Replaced);
        assert!(installed.is_copy_of(&hook) && !has_same_bytes(&other, &hook));
    }

    #[test]
    fn a_hook_that_does_not_work_changes_nothing() {
        let world = TwoFolders::new();
        let installed = world.installed();
        installed.bring_up_to_date(&world.hook("")).unwrap();
        let before = read(installed.path());
        for (content, fact) in [
            ("exit 7", "ends with exit status: 7"),
            ("echo hello", "prints something"),
        ] {
            let failure = installed
                .bring_up_to_date(&world.hook(content))
                .unwrap_err();
            assert!(failure.to_string().contains(fact), "{failure}");
            assert_eq!(read(installed.path()), before);
            assert!(!installed.folder.join(NEW).exists());
        }
        let absent = world.0.path().join("absent");
        let failure = installed.bring_up_to_date(&absent).unwrap_err();
        assert!(
            failure.to_string().contains("cannot be copied"),
            "{failure}"
        );
    }

    #[test]
    fn what_a_killed_run_left_is_in_nobodys_way_and_goes() {
        let world = TwoFolders::new();
        let installed = world.installed();
        installed.remove().unwrap();
        create_private_dir(&installed.folder).unwrap();
        write_program(&installed.folder.join(NEW), b"half a hook").unwrap();
        let hook = world.hook("");
        assert_eq!(installed.bring_up_to_date(&hook).unwrap(), Copied::First);
        write_program(&installed.folder.join("mine"), b"").unwrap();
        installed.remove().unwrap();
        assert!(installed.folder.join("mine").exists() && !installed.path().exists());
        fs::remove_file(installed.folder.join("mine")).unwrap();
        installed.remove().unwrap();
        assert!(!installed.folder.exists());
    }
}
