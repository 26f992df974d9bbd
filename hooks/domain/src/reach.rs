//! How far a call of a tool reaches, and the reaches that the person sets in `registry.toml`.

use serde::{Deserialize, Serialize};

/// How far a call of a tool reaches at most. In events and JSON, it is the name in lower case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// It reads: lists, prints, searches, tests, lints, builds in the project.
    Reads,
    /// It changes the project: edits, formatters, local commits, installs from a lock file.
    Project,
    /// A program, script or tool that plantune does not know.
    Unknown,
    /// It leaves the project, destroys, runs what others wrote, or could not be read.
    #[default]
    #[serde(other)]
    Beyond,
}

impl Reach {
    /// All reaches, the shortest first.
    pub const ALL: [Self; 4] = [Self::Reads, Self::Project, Self::Unknown, Self::Beyond];

    /// The name in events: `reads`, `project`, `unknown` or `beyond`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Project => "project",
            Self::Unknown => "unknown",
            Self::Beyond => "beyond",
        }
    }
}

/// The reaches that a person set for commands, hosts and tools.
#[derive(Clone, Debug, Default)]
pub struct OwnReaches {
    entries: Vec<OwnReach>,
}

/// One reach that the person set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnReach {
    /// The command, host or tool.
    pub(crate) about: About,
    /// Its reach.
    pub(crate) reach: Reach,
    /// The person's reason.
    pub(crate) reason: Option<String>,
}

/// The target of a reach that the person set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A command: program, subcommand and further words, with `*` at the end for any words.
    Command(String),
    /// A host of `WebFetch`.
    Host(String),
    /// A tool: `mcp__server__tool`, or with `*` at the end.
    Tool(String),
}

impl OwnReaches {
    /// The reaches of `entries`, in the order of the file.
    pub(crate) fn new(entries: Vec<OwnReach>) -> Self {
        Self { entries }
    }

    /// The reach that the person set for the command `words`, if it is not `reach`, and why. An entry with its first
    /// words raises the reach. Only an entry with exactly these words lowers it, and never for a command that goes
    /// beyond the project.
    pub(crate) fn of_command(&self, words: &[&str], reach: Reach) -> Option<(Reach, String)> {
        self.strongest(reach, |about| {
            let About::Command(command) = about else {
                return (false, false);
            };
            let wanted = command.split_ascii_whitespace();
            let wanted: Vec<&str> = wanted.filter(|word| *word != "*").collect();
            let is_exact = wanted == words && !command.ends_with('*');
            let covers = !wanted.is_empty() && words.starts_with(&wanted);
            (covers, is_exact && reach < Reach::Beyond)
        })
    }

    /// The reach that the person set for a host, if it is not `reach`.
    pub(crate) fn of_host(&self, host: &str, reach: Reach) -> Option<(Reach, String)> {
        self.strongest(reach, |about| match about {
            About::Host(wanted) => named(wanted, host),
            _ => (false, false),
        })
    }

    /// The reach that the person set for a tool, if it is not `reach`.
    pub(crate) fn of_tool(&self, tool: &str, reach: Reach) -> Option<(Reach, String)> {
        self.strongest(reach, |about| match about {
            About::Tool(wanted) => named(wanted, tool),
            _ => (false, false),
        })
    }

    /// The longest reach of the entries that apply to a call, and why. `is_about` returns whether an entry may raise
    /// the `reach`, and whether it may lower it.
    fn strongest(
        &self,
        reach: Reach,
        is_about: impl Fn(&About) -> (bool, bool),
    ) -> Option<(Reach, String)> {
        let given = self.entries.iter().filter(|entry| {
            let (raises, lowers) = is_about(&entry.about);
            raises && entry.reach > reach || lowers && entry.reach < reach
        });
        given.map(|entry| (entry.reach, entry.why())).max()
    }
}

/// Whether an entry may raise and lower: a pattern only raises, an exact name also lowers.
fn named(wanted: &str, name: &str) -> (bool, bool) {
    let is_exact = wanted.eq_ignore_ascii_case(name);
    let starts = |start| name.starts_with(start);
    let ends = |end| name.ends_with(end);
    let covers =
        wanted.strip_suffix('*').is_some_and(starts) || wanted.strip_prefix('*').is_some_and(ends);
    (is_exact || covers, is_exact)
}

impl OwnReach {
    fn why(&self) -> String {
        let reason = self.reason.as_ref();
        reason.map_or("registry".to_owned(), |reason| {
            format!("registry: {reason}")
        })
    }
}
