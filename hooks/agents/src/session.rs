//! Whether an agent started this process: by the variables that its sessions set, and by the processes above this one.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Formatter};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use crate::{AGENTS, AgentProfile};

/// The evidence that an agent started this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// This variable is set.
    Variable(&'static str),
    /// An ancestor process is the agent with this title.
    Started(&'static str),
}

impl Display for Sign {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(formatter, "{name} is set"),
            Self::Started(title) => write!(formatter, "{title} started it"),
        }
    }
}

/// A variable that agents of several makers set. A person who has set it by hand is asked to unset it.
const OF_ANY: &str = "AI_AGENT";

/// Programs that run scripts.
const INTERPRETERS: [&str; 3] = ["node", "bun", "deno"];

/// The folder of npm packages.
const PACKAGES: &str = "node_modules";

/// The evidence that an agent started this process; `None` without any. An empty variable does not count.
pub fn sign() -> Option<Sign> {
    by_variable(|name| std::env::var_os(name)).or_else(|| by_processes(&ancestors()))
}

fn by_variable(lookup: impl Fn(&str) -> Option<OsString>) -> Option<Sign> {
    let all = profiles().flat_map(|profile| profile.session_variables.iter().copied());
    let is_set = |name: &&str| lookup(name).is_some_and(|value| !value.is_empty());
    all.chain([OF_ANY]).find(is_set).map(Sign::Variable)
}

fn by_processes(ancestors: &[Process]) -> Option<Sign> {
    let of = |process: &Process| profiles().find(|profile| is_of(process, profile));
    let agent = ancestors.iter().find_map(of)?;
    Some(Sign::Started(agent.title))
}

fn profiles() -> impl Iterator<Item = &'static AgentProfile> {
    AGENTS.iter().map(|agent| agent.profile())
}

/// Whether `process` is the agent `profile`. Only the program itself counts, or a script that an interpreter runs: an
/// editor that has a file of that name open does not count.
fn is_of(process: &Process, profile: &AgentProfile) -> bool {
    let called = process.words.first();
    let is_named = |path: &PathBuf, name: &str| path.file_stem().is_some_and(|stem| stem == name);
    let programs = || process.program.iter().chain(called);
    if programs().any(|path| is_named(path, profile.program)) {
        return true;
    }
    let is_script = programs().any(|path| INTERPRETERS.iter().any(|name| is_named(path, name)));
    let mut words = process.words.iter().skip(1);
    let script = words.find(|word| !word.as_os_str().as_encoded_bytes().starts_with(b"-"));
    script.filter(|_| is_script).is_some_and(|script| {
        // The entry in PATH is a link into the package.
        let target = script.canonicalize().unwrap_or_else(|_| script.clone());
        is_named(script, profile.program) || lies_in(&target, profile.package)
    })
}

/// Whether `path` leads through the package's folder.
fn lies_in(path: &Path, package: &str) -> bool {
    let folder: Vec<_> = [PACKAGES].into_iter().chain(package.split('/')).collect();
    let parts: Vec<_> = path.components().map(Component::as_os_str).collect();
    let mut places = parts.windows(folder.len());
    places.any(|place| place.iter().zip(&folder).all(|(part, name)| part == name))
}

/// A running process.
#[derive(Debug)]
struct Process {
    /// The id of its parent process.
    parent: u32,
    /// The file that it runs, if the system reports it.
    program: Option<PathBuf>,
    /// Its command line: the program as it was called, and its arguments.
    words: Vec<PathBuf>,
}

/// The most ancestors to follow, more than ever occur.
const MOST_ANCESTORS: usize = 64;

/// The ancestors of this process, the nearest first, as far as the system reports them. Development builds leave out
/// the process with the id in `PLANTUNE_ANCESTORS_UNTIL` and those above it, so that tests behave the same whoever runs
/// them.
fn ancestors() -> Vec<Process> {
    let last = last_ancestor();
    let mut found = Vec::new();
    let mut next = process(std::process::id()).map_or(0, |one| one.parent);
    while next > 1 && Some(next) != last && found.len() < MOST_ANCESTORS {
        let Some(one) = process(next) else { break };
        next = one.parent;
        found.push(one);
    }
    found
}

#[cfg(debug_assertions)]
fn last_ancestor() -> Option<u32> {
    std::env::var("PLANTUNE_ANCESTORS_UNTIL").ok()?.parse().ok()
}

#[cfg(not(debug_assertions))]
fn last_ancestor() -> Option<u32> {
    None
}

/// The process `id`, from `/proc`, or from `ps` on a system without `/proc`; `None` when neither reports it.
fn process(id: u32) -> Option<Process> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The evidence in a chain of command lines, the nearest first.
    fn shown(lines: &[&str]) -> Option<Sign> {
        let process = |line: &&str| Process {
            parent: 1,
            program: None,
            words: line.split(' ').map(PathBuf::from).collect(),
        };
        by_processes(&lines.iter().map(process).collect::<Vec<_>>())
    }

    #[test]
    fn each_agents_variables_and_programs_show_it() {
        let variables = |set: &'static str| by_variable(|name| (name == set).then(|| "1".into()));
        for agent in AGENTS {
            let profile = agent.profile();
            for name in profile.session_variables {
                assert_eq!(variables(name), Some(Sign::Variable(name)));
            }
            let (program, package) = (profile.program, profile.package);
            let started = Some(Sign::Started(profile.title));
            assert_eq!(
                shown(&["bash", &format!("/opt/bin/{program} --resume")]),
                started
            );
            let script =
                format!("node --max-old-space-size=1 /usr/lib/node_modules/{package}/cli.js");
            assert_eq!(shown(&["/bin/sh -c true", &script]), started);
            assert_eq!(
                shown(&[&format!("/usr/bin/node /usr/bin/{program}")]),
                started
            );
        }
        assert_eq!(variables("AI_AGENT"), Some(Sign::Variable("AI_AGENT")));
        assert_eq!(by_variable(|_| Some("".into())), None);
    }

    #[test]
    fn a_person_in_an_editors_terminal_is_no_agent() {
        for lines in [
            &[
                "-bash",
                "/usr/share/code/code --type=utility",
                "/usr/share/code/code",
                "systemd --user",
            ][..],
            &[
                "bash",
                "nvim /usr/lib/node_modules/@google/gemini-cli/README.md",
                "tmux",
            ],
            &["bash", "vim claude", "-zsh", "sshd: dev"],
            &[
                "zsh",
                "node /home/dev/.vscode-server/out/server-main.js --start-server",
                "sh",
            ],
            &["zsh", "/Applications/Claude.app/Contents/MacOS/Claude"],
            &[
                "bash --init-file /home/dev/codex/shell.sh",
                "emacs",
                "node /srv/opencode/index.js",
            ],
            &[
                "zsh",
                "node /home/dev/node_modules/@google/gemini-cli-core/x.js",
            ],
        ] {
            assert_eq!(shown(lines), None, "{lines:?}");
        }
        for name in [
            "CODEX_HOME",
            "GEMINI_API_KEY",
            "GEMINI_CLI_IDE_SERVER_PORT",
            "OPENCODE_CONFIG",
            "QWEN_CODE_IDE_SERVER_PORT",
            "CLAUDE_CODE_SSE_PORT",
            "AGENT",
            "CI",
        ] {
            assert_eq!(
                by_variable(|asked| (asked == name).then(|| "1".into())),
                None,
                "{name}"
            );
        }
    }

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
}
