//! Reaches that the person gives in `registry.toml`.

use super::Reach;

/// The reaches that a person gave to commands, hosts and tools.
#[derive(Clone, Debug, Default)]
pub struct OwnReaches {
    entries: Vec<OwnReach>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnReach {
    /// What it is about.
    pub about: About,
    /// The reach it gives.
    pub reach: Reach,
    /// The person's reason.
    pub reason: Option<String>,
}

/// What a person's reach is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A command: program, subcommand, and what follows; a `*` at the end for any words.
    Command(String),
    /// A host of `WebFetch`.
    Host(String),
    /// A tool: `mcp__server__tool`, or with `*` at the end.
    Tool(String),
}

impl OwnReaches {
    /// The reaches of `entries`, in the order of the file.
    pub fn new(entries: Vec<OwnReach>) -> Self {
        Self { entries }
    }

    /// True when the person gave none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The reach of the command `words` when it is not `reach`, and why. Raised by its first words; lowered
    /// only for exactly these words, and never for what goes beyond the project.
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

    /// The reach of a host, when it is not `reach`.
    pub(super) fn of_host(&self, host: &str, reach: Reach) -> Option<(Reach, String)> {
        self.strongest(reach, |about| match about {
            About::Host(wanted) => named(wanted, host),
            _ => (false, false),
        })
    }

    /// The reach of a tool, when it is not `reach`.
    pub(super) fn of_tool(&self, tool: &str, reach: Reach) -> Option<(Reach, String)> {
        self.strongest(reach, |about| match about {
            About::Tool(wanted) => named(wanted, tool),
            _ => (false, false),
        })
    }

    /// The longest reach of the entries that are about a call, and why. `is_about` says whether one may raise its
    /// `reach`, and whether it may lower it.
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

/// A pattern raises, an exact name lowers as well.
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
