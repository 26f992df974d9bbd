//! Linux, macOS and their kin.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

use super::Process;
use super::identity::Identity;

/// The variable that names the person's home folder.
pub const HOME: &str = "HOME";

/// Where programs keep their data and their configuration below it, if no variable says so.
pub const DATA: &str = ".local/share";
/// plantune's own folder there.
pub const OWN_DATA: &str = ".local/share/plantune";
/// See [`DATA`].
pub const CONFIG: &str = ".config";

/// More than a system's list of users holds.
const LONGEST_PASSWD: u64 = 1024 * 1024;

/// Bytes that nobody can guess.
///
/// # Errors
/// Those of the file system.
pub fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// What `options` create has these Unix permission bits, where there are such.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// The folders that `builder` creates are the person's alone.
pub fn private_folder(builder: &mut DirBuilder) {
    builder.mode(0o700);
}

/// Gives the file or folder in `path` these Unix permission bits, where there are such.
///
/// # Errors
/// Those of the file system.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Opens `path` as `options` say; a symbolic link in its place is an error ([`is_link_error`]).
///
/// # Errors
/// Those of the file system.
pub fn open_itself(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.custom_flags(libc::O_NOFOLLOW).open(path)
}

/// Opens `path` to append to it, like [`open_itself`]; [`has_name`] says whether it was removed meanwhile.
///
/// # Errors
/// Those of the file system.
pub fn open_to_append(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    open_itself(options, path)
}

/// Opens `path` to read it, like [`open_itself`]; a pipe is not waited on.
///
/// # Errors
/// Those of the file system.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
}

/// Whether it was a link that [`open_itself`] did not follow.
pub fn is_link_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

/// Opens what stands for `folder` in locks: the folder itself, so that nothing is left behind.
///
/// # Errors
/// Those of the file system.
pub fn open_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Reads from `offset` on into `buffer`; returns how much was read.
///
/// # Errors
/// Those of the file system.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Fills `buffer` with what stands from `offset` on.
///
/// # Errors
/// `UnexpectedEof` when the file ends before, and those of the file system.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// True while the open file still has a name.
///
/// # Errors
/// Those of the file system.
pub fn has_name(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.nlink() > 0)
}

/// Which file it is, in which state; `None` where the system does not say.
pub fn identity(file: &Metadata) -> Option<Identity> {
    Some(Identity {
        file: (file.dev(), file.ino()),
        modified: (file.mtime(), file.mtime_nsec()),
        changed: (file.ctime(), file.ctime_nsec()),
    })
}

/// When the file was last modified, in nanoseconds since 1970.
pub fn modified_ns(file: &Metadata) -> i64 {
    let seconds = file.mtime().saturating_mul(1_000_000_000);
    seconds.saturating_add(file.mtime_nsec())
}

/// Unix permission bits; 0 where there are none.
pub fn mode(file: &Metadata) -> u32 {
    file.mode() & 0o7777
}

/// True where the file has these Unix permission bits, and where there are none.
pub fn has_mode(file: &Metadata, bits: u32) -> bool {
    mode(file) & 0o777 == bits
}

/// True when somebody may run the file.
pub fn is_executable(file: &Metadata) -> bool {
    file.is_file() && file.mode() & 0o111 != 0
}

/// The number of the user that the file belongs to; 0 where users have none.
pub fn owner(file: &Metadata) -> u32 {
    file.uid()
}

/// Whether the file or folder belongs to neither this user nor root, who may write everything.
pub fn is_of_another_owner(file: &Metadata) -> bool {
    file.uid() != effective_user() && file.uid() != 0
}

/// Whether somebody else may write the file: by its mode, or because it is theirs.
pub fn others_may_write(file: &Metadata) -> bool {
    is_of_another_owner(file) || file.mode() & 0o022 != 0
}

/// Whether everybody may write to the folder.
pub fn everybody_may_write(folder: &Metadata) -> bool {
    folder.mode() & 0o002 != 0
}

/// The user that this process acts as.
#[allow(
    unsafe_code,
    reason = "the standard library has no call for the effective user"
)]
fn effective_user() -> u32 {
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { libc::geteuid() }
}

/// The home folder that the system has for this user, whatever the environment says; `None` where it has none.
pub fn account_home() -> Option<PathBuf> {
    let file = open_without_waiting(Path::new("/etc/passwd")).ok()?;
    let mut users = Vec::new();
    file.take(LONGEST_PASSWD).read_to_end(&mut users).ok()?;
    let user = effective_user().to_string();
    let users = String::from_utf8_lossy(&users);
    let fields = users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>());
    let mut homes = fields.filter_map(|fields| match fields.as_slice() {
        [_, _, uid, _, _, home, ..] if *uid == user => Some(PathBuf::from(home)),
        _ => None,
    });
    homes.next()
}

/// Whether `is_it` is true of one of the folders in `path`, the value of `PATH`.
pub fn any_folder(path: &OsStr, is_it: impl Fn(&Path) -> bool) -> bool {
    let mut folders = path.as_bytes().split(|byte| *byte == b':');
    folders.any(|folder| is_it(Path::new(OsStr::from_bytes(folder))))
}

/// The process `id`, by `/proc`, or by `ps` where a system has no such folder; `None` where neither says.
pub fn process(id: u32) -> Option<Process> {
    let folder = Path::new("/proc").join(id.to_string());
    let Ok(stat) = std::fs::read_to_string(folder.join("stat")) else {
        return by_ps(id);
    };
    // The name in brackets may hold anything, brackets too.
    let (_, rest) = stat.rsplit_once(')')?;
    let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
    let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
    let words = line
        .split(|byte| *byte == 0)
        .filter(|word| !word.is_empty());
    Some(Process {
        parent,
        program: std::fs::read_link(folder.join("exe")).ok(),
        words: words
            .map(|word| PathBuf::from(OsStr::from_bytes(word)))
            .collect(),
    })
}

fn by_ps(id: u32) -> Option<Process> {
    let mut ps = std::process::Command::new("/bin/ps");
    ps.args(["-ww", "-o", "ppid=,args=", "-p", &id.to_string()]);
    let listed = ps.stdin(std::process::Stdio::null()).output().ok()?.stdout;
    let listed = String::from_utf8_lossy(&listed);
    let mut words = listed.split_whitespace();
    Some(Process {
        parent: words.next()?.parse().ok()?,
        program: None,
        words: words.map(PathBuf::from).collect(),
    })
}

/// Seconds since the machine started, the time that it slept included; `None` where the system does not
/// say. Nobody can set it back.
#[allow(
    unsafe_code,
    reason = "the standard library's clock stands still while the machine sleeps"
)]
pub fn uptime_seconds() -> Option<u64> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_BOOTTIME;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to `time`, which outlives it.
    let done = unsafe { libc::clock_gettime(CLOCK, &raw mut time) };
    u64::try_from(time.tv_sec).ok().filter(|_| done == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_with_its_parent() {
        let by_folder = process(std::process::id()).unwrap();
        assert_eq!(by_folder.parent, std::os::unix::process::parent_id());
        assert_eq!(
            by_folder.words[0].file_name(),
            std::env::current_exe().unwrap().file_name()
        );
        if let Some(by_ps) = by_ps(std::process::id()) {
            assert_eq!(by_ps.parent, by_folder.parent);
            assert_eq!(by_ps.words[0].file_name(), by_folder.words[0].file_name());
        }
        assert!(process(u32::MAX).is_none());
    }

    #[test]
    fn uptime_goes_on() {
        let before = uptime_seconds().unwrap();
        assert!(uptime_seconds().unwrap() >= before);
    }
}
