//! The paths of plantune's files, and the command with which the person starts plantune.

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::{env, io};

use super::private_file;
use crate::hash;

/// The two roots, and every path below them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    data: PathBuf,
    config: PathBuf,
    /// The data root if only `HOME` were set.
    default_data: Option<PathBuf>,
    /// True if an installed hook found them where it lies.
    of_installed: bool,
}

/// The hook's second word by which also an installed one takes its home from the environment, to be tried out.
pub const HOME_FROM_ENVIRONMENT: &str = "--home-from-environment";

/// The file beside an installed hook that names the folder of the configuration.
const CONFIG_FOLDER: &str = "config-folder";

/// The size limit of [`CONFIG_FOLDER`] in bytes: no path is longer.
const LONGEST_FOLDER: usize = 4096;

impl Paths {
    /// The roots of the hook that lies at `program`, if `plantune install` put it there: the folder above its own for the
    /// data, and the one that was recorded beside it for the configuration. `None` for any other hook.
    ///
    /// The environment has no say: a repository can set it, in the `env` of its `.claude/settings.json`.
    pub fn of_installed(program: &Path) -> Option<Self> {
        let bin = program.parent()?;
        let mut named = [0; LONGEST_FOLDER];
        let named = match private_file::open_without_waiting(&bin.join(CONFIG_FOLDER)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            opened => {
                let length = opened.and_then(|mut file| file.read(&mut named));
                named.get(..length.unwrap_or_default())?
            }
        };
        let named = Path::new(OsStr::from_bytes(
            named.strip_suffix(b"\n").unwrap_or(named),
        ));
        let data = bin.parent()?;
        // What names no folder must not lead back to the environment.
        let config = if named.is_absolute() { named } else { data };
        Some(Self {
            of_installed: true,
            ..Self::of(data.to_owned(), config.to_owned())
        })
    }

    /// What [`of_installed`](Self::of_installed) must find beside the hook: the file and its content.
    pub fn installed_record(&self) -> (PathBuf, Vec<u8>) {
        let content = [self.config.as_os_str().as_bytes(), b"\n"].concat();
        (self.bin().join(CONFIG_FOLDER), content)
    }

    /// The roots from the environment: `PLANTUNE_HOME` for both, otherwise the XDG folders, otherwise the XDG defaults
    /// below `HOME`. `None` if none of them is set, or if `PLANTUNE_HOME` is relative: it would mean a different folder
    /// in every repository, possibly with somebody else's files.
    pub fn from_environment() -> Option<Self> {
        let set = |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty());
        let default_data = set("HOME")
            .map(|home| Path::new(&home).join(".local/share/plantune"))
            .filter(|root| root.is_absolute());
        if let Some(home) = set("PLANTUNE_HOME") {
            let home = PathBuf::from(home);
            return home.is_absolute().then(|| Self {
                default_data,
                ..Self::below(home)
            });
        }
        // The XDG specification: a relative path in these variables is invalid and is ignored.
        let xdg = |name: &str, default: &str| {
            set(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
                .or_else(|| set("HOME").map(|home| Path::new(&home).join(default)))
                .map(|root| root.join("plantune"))
        };
        Some(Self {
            data: xdg("XDG_DATA_HOME", ".local/share")?,
            config: xdg("XDG_CONFIG_HOME", ".config")?,
            default_data,
            of_installed: false,
        })
    }

    /// Both roots in one folder.
    pub fn below(root: PathBuf) -> Self {
        Self::of(root.clone(), root)
    }

    /// A root for the data and one for the configuration.
    pub fn of(data: PathBuf, config: PathBuf) -> Self {
        Self {
            data,
            config,
            default_data: None,
            of_installed: false,
        }
    }

    /// True for the roots of an installed hook, which no repository can have set.
    pub(crate) fn of_installed_hook(&self) -> bool {
        self.of_installed
    }

    /// The data root if only `HOME` were set.
    pub(crate) fn default_data(&self) -> Option<&Path> {
        self.default_data.as_deref()
    }

    /// The root of the data.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The root of the configuration.
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// The folder of the installed hook.
    pub fn bin(&self) -> PathBuf {
        self.data.join("bin")
    }

    /// The spool: one JSONL segment per UTC day.
    pub fn events(&self) -> PathBuf {
        self.data.join("events")
    }

    /// The count of the events that could not be logged.
    pub fn lost_events(&self) -> PathBuf {
        self.data.join("lost-events")
    }

    /// The key of the digests of tools' inputs.
    pub(crate) fn digest_key(&self) -> PathBuf {
        self.data.join("digest.key")
    }

    /// The folder of short-lived marks.
    pub fn sessions(&self) -> PathBuf {
        self.data.join("sessions")
    }

    /// The counts of the calls that preferences could answer, for spot checks.
    pub fn checks(&self) -> PathBuf {
        self.data.join("checks")
    }

    /// The corrections that agents have not been informed of yet: answers that the person changed.
    pub fn corrections(&self) -> PathBuf {
        self.data.join("corrections")
    }

    /// A summary of the answers given while the person was away, until they have seen it.
    pub fn away_answers(&self) -> PathBuf {
        self.data.join("away-answers")
    }

    /// The DuckDB file.
    pub fn store(&self) -> PathBuf {
        self.data.join("plantune.duckdb")
    }

    /// Projects and question keys, for a shell's completions.
    pub fn names(&self) -> PathBuf {
        self.data.join("summaries/names.json")
    }

    /// The transcripts that were read, and their lengths at that time.
    pub fn transcripts(&self) -> PathBuf {
        self.data.join("summaries/transcripts.json")
    }

    /// This week's numbers for the status line, as saved by the last command.
    pub fn status_line(&self) -> PathBuf {
        self.data.join("summaries/status-line.json")
    }

    /// The launcher that started plantune when it was installed, if it is not in `PATH`.
    pub fn launcher(&self) -> PathBuf {
        self.data.join("launcher")
    }

    /// Thresholds, time zone, switches.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// Known questions: key, match rules, door.
    pub fn registry_file(&self) -> PathBuf {
        self.config.join("registry.toml")
    }

    /// The period for which the person is away.
    pub fn away_file(&self) -> PathBuf {
        self.config.join("away.json")
    }

    /// Global preferences.
    pub fn global_preferences(&self) -> PathBuf {
        self.config.join("preferences.json")
    }

    /// Preferences of one project. The project key comes from a repository, so it is hashed.
    pub fn project_preferences(&self, project: &str) -> PathBuf {
        self.config
            .join("projects")
            .join(hash::hex(&["project", project]))
            .join("preferences.json")
    }
}

/// Creates `dir` and its missing parents, readable only by the user (mode 0700).
///
/// # Errors
/// File system errors. An existing folder is not an error.
pub fn create_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700).create(dir)
}

// The launcher: how plantune was started if it is not in `PATH`, and so what to type to start it again. `install` saves
// it for the hook.

/// The size limit of the launcher's name, in bytes.
const LONGEST: u64 = 16;

/// The words before a verb if `launcher` fetched plantune for one run; `None` for anything else.
pub fn program(launcher: &str) -> Option<&'static str> {
    match launcher {
        "npx" => Some("npx plantune"),
        "pnpm" => Some("pnpm dlx plantune"),
        "yarn" => Some("yarn dlx plantune"),
        "bun" => Some("bunx plantune"),
        _ => None,
    }
}

/// `message`, in which each command follows a colon, with the commands in the form that the person can type.
pub fn typed(message: String, paths: &Paths) -> String {
    const COMMAND: &str = ": plantune ";
    if !message.contains(COMMAND) {
        return message;
    }
    let left = private_file::read(&paths.launcher(), LONGEST);
    match left.and_then(|word| program(std::str::from_utf8(&word).ok()?)) {
        Some(program) => message.replace(COMMAND, &format!(": {program} ")),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_hook_says_by_itself_where_its_home_is() {
        let folder = tempfile::tempdir().unwrap();
        let [data, config] = ["data", "config"].map(|name| folder.path().join(name));
        let installed = Paths::of(data.clone(), config.clone());
        let program = installed.bin().join("plantune-hook");
        create_private_dir(&installed.bin()).unwrap();
        assert_eq!(Paths::of_installed(&program), None, "no copy of install's");
        let (record, content) = installed.installed_record();
        let found = |content: &[u8]| {
            crate::atomic_file::replace(&record, content, 0o600).unwrap();
            let found = Paths::of_installed(&program).unwrap();
            assert!(found.of_installed_hook() && found.default_data().is_none());
            (found.data().to_owned(), found.config().to_owned())
        };
        assert_eq!(found(&content), (data.clone(), config));
        // A name may end in a newline, too.
        let odd = Paths::of(data.clone(), folder.path().join("a\n"));
        let (_, content) = odd.installed_record();
        assert_eq!(found(&content), (data.clone(), folder.path().join("a\n")));
        for broken in [&b""[..], b"config\n", b"\n", &[b'x'; 9000]] {
            assert_eq!(found(broken), (data.clone(), data.clone()));
        }
        std::fs::remove_file(&record).unwrap();
        std::fs::create_dir(&record).unwrap();
        let found = Paths::of_installed(&program).unwrap();
        assert_eq!(found.config(), data);
    }
}
