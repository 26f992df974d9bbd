//! Checks that the roots are the person's own. A repository can set `PLANTUNE_HOME`, `XDG_CONFIG_HOME` or `HOME`
//! through the `env` of its `.claude/settings.json`. An installed hook does not read them; any other hook, and every
//! command, would follow the repository's preferences and reviewer without the check.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use super::paths::Paths;
use crate::private_file::{effective_user, is_of_another_owner, open_without_waiting};
use crate::project::{LONGEST_PATH, worktrees};

/// The place of a session.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    /// The working directory of the call. A relative one is ignored.
    pub cwd: &'a Path,
    /// The folder that the session was started in (`CLAUDE_PROJECT_DIR`).
    pub project_root: Option<&'a Path>,
    /// An additional home folder of the person, besides the one in the system's user list: `HOME`, if no repository has
    /// set it.
    pub home: Option<&'a Path>,
}

/// Why a root is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRefusal {
    root: PathBuf,
    why: RefusalCause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum RefusalCause {
    /// It is in this working tree of the session.
    InTree(PathBuf),
    /// Everybody may write to it. Contains its mode.
    Writable(u32),
    /// It belongs to another user, with this id.
    Owner(u32),
}

impl RootRefusal {
    /// The remedy, in words.
    pub fn remedy(&self) -> String {
        match self.why {
            RefusalCause::InTree(_) => {
                "unset PLANTUNE_HOME, XDG_DATA_HOME and XDG_CONFIG_HOME, or set them to a \
                               folder outside the repository; look for them under `env` in its \
                               .claude/settings.json"
                    .to_owned()
            }
            RefusalCause::Writable(_) => {
                format!("look through it, then chmod 700 {}", self.root.display())
            }
            RefusalCause::Owner(_) => format!(
                "use a folder of yours, or look through it, then chown {}",
                self.root.display()
            ),
        }
    }
}

/// The root and why it is refused, in one line; paths are untrusted text.
impl fmt::Display for RootRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is refused: ", self.root.display())?;
        match &self.why {
            RefusalCause::InTree(tree) => write!(
                f,
                "it lies in the working tree {}, and a repository must not bring preferences",
                tree.display()
            ),
            RefusalCause::Writable(mode) => write!(f, "everybody may write to it (mode {mode:o})"),
            RefusalCause::Owner(owner) => write!(f, "it belongs to another user ({owner})"),
        }
    }
}

impl Paths {
    /// Why these roots must not be followed in `session`; `None` if they may be.
    pub fn refusal(&self, session: &Session<'_>) -> Option<RootRefusal> {
        let data = self.refusal_of(self.data(), session);
        if self.data() == self.config() {
            return data;
        }
        data.or_else(|| self.refusal_of(self.config(), session))
    }

    fn refusal_of(&self, root: &Path, session: &Session<'_>) -> Option<RootRefusal> {
        match self.of_installed_hook() {
            true => refusal_by_mode(root),
            false => refusal(root, session),
        }
    }

    /// The roots for logging events although a root is refused: the data root if it is accepted, otherwise the default
    /// one below `HOME`. Do not read the configuration of the result.
    pub fn for_logging(&self, session: &Session<'_>) -> Option<Self> {
        [Some(self.data()), self.default_data()]
            .into_iter()
            .flatten()
            .find(|root| self.refusal_of(root, session).is_none())
            .map(|root| Self::below(root.to_owned()))
    }
}

/// Why `root` is refused in `session`; `None` if it is not. A root that does not exist yet contains nothing to follow.
pub fn refusal(root: &Path, session: &Session<'_>) -> Option<RootRefusal> {
    match session.tree_around(&[&place(root), &resolved(root)]) {
        Some(tree) => Some(RootRefusal {
            root: root.to_owned(),
            why: RefusalCause::InTree(tree),
        }),
        None => refusal_by_mode(root),
    }
}

/// Why `root` is refused in any session: it belongs to others, or they may write to it.
fn refusal_by_mode(root: &Path) -> Option<RootRefusal> {
    let kind = fs::metadata(root).ok()?;
    let why = if is_of_another_owner(&kind) {
        RefusalCause::Owner(kind.uid())
    } else if kind.mode() & 0o002 != 0 {
        RefusalCause::Writable(kind.mode() & 0o7777)
    } else {
        return None;
    };
    Some(RootRefusal {
        root: root.to_owned(),
        why,
    })
}

impl Session<'_> {
    /// The working tree of this session that contains one of `paths`.
    fn tree_around(&self, paths: &[&Path]) -> Option<PathBuf> {
        let holds = |tree: &Path| paths.iter().any(|path| path.starts_with(tree));
        let mut trees = Vec::new();
        if is_path(self.cwd) {
            let cwd = resolved(self.cwd);
            let around = cwd.ancestors().filter(|folder| holds(folder));
            trees.extend(around.filter(|folder| is_tree(folder)).map(Path::to_owned));
            trees.extend((holds(&cwd) && has_settings(&cwd)).then(|| cwd.clone()));
        }
        if let Some(project) = self.project_root.filter(|root| is_path(root)) {
            trees.push(resolved(project));
        }
        // Every worktree of the session's repository contains the repository's files, wherever it is.
        let places = [Some(self.cwd), self.project_root].into_iter().flatten();
        let places = places.filter(|place| is_path(place));
        let ours: Vec<PathBuf> = places
            .filter_map(|place| Some(worktrees(&resolved(place))?.1))
            .collect();
        let of_repository = |path: &&Path| worktrees(path).filter(|(_, main)| ours.contains(main));
        trees.extend(
            paths
                .iter()
                .filter_map(of_repository)
                .map(|(worktree, _)| worktree),
        );
        trees.extend(ours);
        trees.retain(|tree| holds(tree));
        // A home folder that is a repository, or in which a session starts, contains only the person's files. A
        // repository can set `HOME`, but not the system's user list.
        let mut homes = Vec::new();
        if !trees.is_empty() {
            homes.extend(account_home().map(|home| resolved(&home)));
            homes.extend(self.home.map(resolved));
        }
        let is_ours = |tree: &Path| {
            tree.parent().is_none() || homes.iter().any(|home| home.starts_with(tree))
        };
        trees.into_iter().find(|tree| !is_ours(tree))
    }
}

/// True for a path that can name a folder here. Resolving an overlong path would take quadratic time.
fn is_path(path: &Path) -> bool {
    path.is_absolute() && path.as_os_str().len() <= LONGEST_PATH
}

/// True for the root folder of a repository.
fn is_tree(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok()
}

/// True for a folder with settings that Claude Code reads when started there.
fn has_settings(folder: &Path) -> bool {
    let is_home = std::env::var_os("HOME").is_some_and(|home| Path::new(&home) == folder);
    let settings = folder.join(".claude");
    let has = |name| settings.join(name).exists();
    !is_home && (has("settings.json") || has("settings.local.json"))
}

/// The location of `path` itself, which may be a link.
fn place(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => resolved(parent).join(name),
        _ => path.to_owned(),
    }
}

/// `path` with links resolved, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => place(path),
        resolved => resolved.unwrap_or_else(|_| path.to_owned()),
    }
}

/// The size limit of a system's user list, in bytes.
const LONGEST_PASSWD: u64 = 1024 * 1024;

/// The home folder in the system's user list for this user, independent of the environment; `None` if it has none.
fn account_home() -> Option<PathBuf> {
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn in_tree(root: &Path, cwd: &Path, project_root: Option<&Path>) -> bool {
        let found = refusal(
            root,
            &Session {
                cwd,
                project_root,
                home: None,
            },
        );
        found.is_some_and(|found| matches!(found.why, RefusalCause::InTree(_)))
    }

    fn repository(folder: &Path) {
        fs::create_dir_all(folder.join(".git")).unwrap();
        put(&folder.join(".git/HEAD"), "ref: refs/heads/main\n");
    }

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        crate::atomic_file::replace(path, text.as_bytes(), 0o600).unwrap();
    }

    #[test]
    fn root_in_the_working_tree() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let (repository_at, deep) = (top.join("r"), top.join("r/src/deep"));
        repository(&repository_at);
        fs::create_dir_all(&deep).unwrap();
        symlink(&repository_at, top.join("link")).unwrap();
        for root in [
            "r",
            "r/.plantune",
            "r/src/deep/x",
            "link/.plantune",
            "r/../r/x",
        ] {
            assert!(in_tree(&top.join(root), &deep, None), "{root}");
            assert!(
                in_tree(&top.join(root), &top.join("link/src"), None),
                "{root}"
            );
        }
        for root in ["plantune", "r2", "r/../elsewhere"] {
            assert!(!in_tree(&top.join(root), &deep, None), "{root}");
        }
        // A link in the repository leads to a place that the repository chose.
        let outside = top.join("outside");
        fs::create_dir_all(&outside).unwrap();
        symlink(&outside, repository_at.join("out")).unwrap();
        assert!(in_tree(&repository_at.join("out"), &deep, None));
    }

    #[test]
    fn root_in_the_main_worktree_or_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        let (main, linked) = (top.join("main"), top.join("linked"));
        repository(&main);
        let git_dir = main.join(".git/worktrees/linked");
        put(&git_dir.join("commondir"), "../..\n");
        put(&git_dir.join("HEAD"), "ref: refs/heads/x\n");
        put(
            &linked.join(".git"),
            &format!("gitdir: {}\n", git_dir.display()),
        );
        assert!(in_tree(&main.join("p"), &linked, None));
        assert!(in_tree(&linked.join("p"), &linked, None));
        // From the main worktree, and from another linked one: a worktree anywhere has the repository's files.
        let other = top.join("elsewhere/other");
        let git_dir = main.join(".git/worktrees/other");
        put(&git_dir.join("commondir"), "../..\n");
        put(&git_dir.join("HEAD"), "ref: refs/heads/y\n");
        let link = "gitdir: ../../main/.git/worktrees/other\n";
        put(&other.join(".git"), link);
        for cwd in [&main, &other, &main.join("src")] {
            let home = linked.join("home/.local/share/plantune");
            assert!(in_tree(&home, cwd, None), "{}", cwd.display());
            assert!(in_tree(&home, &top, Some(cwd)), "{}", cwd.display());
        }
        let stranger = top.join("stranger");
        repository(&stranger);
        assert!(!in_tree(&linked.join("p"), &stranger, None));
        let (project, other) = (top.join("tarball"), top.join("other"));
        fs::create_dir_all(&project).unwrap();
        assert!(!in_tree(&project.join("p"), &project, None));
        assert!(in_tree(&project.join("p"), &other, Some(&project)));
        put(&project.join(".claude/settings.json"), "{}");
        assert!(in_tree(&project.join("p"), &project, None));
    }

    #[test]
    fn own_home_is_no_foreign_tree() {
        let Some(home) = account_home().map(|home| resolved(&home)) else {
            return;
        };
        assert!(!in_tree(&home.join(".config/plantune"), &home, Some(&home)));
        let root = Path::new("/");
        assert!(!in_tree(&home.join(".config/plantune"), root, Some(root)));
    }

    #[test]
    fn home_of_a_command_is_no_foreign_tree() {
        let folder = tempfile::tempdir().unwrap();
        repository(folder.path());
        let mut session = Session {
            cwd: folder.path(),
            project_root: None,
            home: None,
        };
        assert!(refusal(folder.path(), &session).is_some());
        session.home = Some(folder.path());
        assert_eq!(refusal(folder.path(), &session), None);
    }

    #[test]
    fn root_that_others_may_write() {
        let folder = tempfile::tempdir().unwrap();
        let session = Session {
            cwd: Path::new("/"),
            project_root: None,
            home: None,
        };
        let refused = || refusal(folder.path(), &session).map(|found| found.why);
        for (mode, why) in [
            (0o700, None),
            (0o755, None),
            (0o777, Some(RefusalCause::Writable(0o777))),
            (0o1777, Some(RefusalCause::Writable(0o1777))),
        ] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(refused(), why);
        }
        assert_eq!(refusal(&folder.path().join("absent"), &session), None);
        let given = std::os::unix::fs::chown(folder.path(), Some(65_533), None);
        if given.is_ok() {
            assert_eq!(refused(), Some(RefusalCause::Owner(65_533)));
        }
    }

    #[test]
    fn what_is_logged_goes_where_it_is_safe() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(folder.path()).unwrap();
        repository(&top.join("r"));
        let cwd = top.join("r");
        let session = Session {
            cwd: &cwd,
            project_root: None,
            home: None,
        };
        let paths = Paths::below(cwd.join("p"));
        assert!(paths.refusal(&session).is_some());
        assert_eq!(paths.for_logging(&session), None);
        let config_only = Paths::of(top.join("data"), cwd.join("p"));
        assert!(config_only.refusal(&session).is_some());
        assert_eq!(
            config_only.for_logging(&session),
            Some(Paths::below(top.join("data")))
        );
    }
}
