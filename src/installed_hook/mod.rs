//! The hook's binary as it is installed: a copy in plantune's data folder, `bin/<version>/plantune-hook`, and the
//! link `bin/plantune-hook` to it, which Claude Code's settings name. The link is there from the first
//! installation on and always leads to a whole program, so that a session that was started long ago calls a
//! hook whatever became of the folder plantune was installed from (docs/development/installed-hook.md).

pub(crate) mod alive;
mod old;
pub(crate) mod probe;
pub(crate) mod process;
pub(crate) mod registered;
pub(crate) mod release;
pub(crate) mod users;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::platform::{has_mode, set_mode, sync_folder, with_mode};
use plantune_reports::text::shell_word;

use crate::claude_settings::editor::STATUS_LINE_ARGUMENT;
use crate::claude_settings::hook_binary::HOOK;
use crate::failure::Failure;
use crate::platform;
use crate::terminal::sanitized;
use alive::alive;
use release::{CURRENT, Release};

/// A copy, and a link, that are being made; what a killed run left of them is replaced by the next.
const NEW: &str = "plantune-hook.new";

/// The mode of the folders and the copies: nobody else's business.
const MODE: u32 = 0o700;

/// The copies below one data folder. Whoever changes them holds the lock of `install`.
#[derive(Clone, Debug)]
pub(crate) struct InstalledHook {
    folder: PathBuf,
}

/// What [`InstalledHook::bring_up_to_date`] did.
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

    /// What was done, in a line for a person; empty where nothing was.
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
        set_mode(&self.folder, MODE)
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
    let home = probe::Home::new(0)?;
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
        fs::symlink_metadata(copy).is_ok_and(|kind| kind.is_file() && has_mode(&kind, MODE));
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
    let options = with_mode(options.write(true).create_new(true), MODE);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    // Whatever the umask took away.
    set_mode(path, MODE)?;
    file.sync_all()
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
