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
        let mut result = None;
        for entry in &self.entries {
            let About::Command(command) = &entry.about else {
                continue;
            };
            let wanted: Vec<&str> = command
                .split_ascii_whitespace()
                .filter(|word| *word != "*")
                .collect();
            let is_exact = wanted == words && !command.ends_with('*');
            let covers = !wanted.is_empty() && words.starts_with(&wanted);
            if entry.reach > reach && covers
                || entry.reach < reach && is_exact && reach < Reach::Beyond
            {
                result = result.max(Some((entry.reach, entry.why())));
            }
        }
        result
    }

    /// The reach of a host, when it is not `reach`.
    pub(super) fn of_host(&self, host: &str, reach: Reach) -> Option<(Reach, String)> {
        self.named(reach, |about| match about {
            About::Host(wanted) => Some((wanted, host)),
            _ => None,
        })
    }

    /// The reach of a tool, when it is not `reach`.
    pub(super) fn of_tool(&self, tool: &str, reach: Reach) -> Option<(Reach, String)> {
        self.named(reach, |about| match about {
            About::Tool(wanted) => Some((wanted, tool)),
            _ => None,
        })
    }

    /// A pattern raises, an exact name lowers as well.
    fn named<'a>(
        &'a self,
        reach: Reach,
        pair: impl Fn(&'a About) -> Option<(&'a String, &'a str)>,
    ) -> Option<(Reach, String)> {
        let mut result = None;
        for entry in &self.entries {
            let Some((wanted, name)) = pair(&entry.about) else {
                continue;
            };
            let is_exact = wanted.eq_ignore_ascii_case(name);
            let covers = wanted
                .strip_suffix('*')
                .is_some_and(|start| name.starts_with(start))
                || wanted
                    .strip_prefix('*')
                    .is_some_and(|end| name.ends_with(end));
            if is_exact && entry.reach != reach || covers && entry.reach > reach {
                result = result.max(Some((entry.reach, entry.why())));
            }
        }
        result
    }
}

impl OwnReach {
    fn why(&self) -> String {
        let reason = self.reason.as_ref();
        reason.map_or("registry".to_owned(), |reason| {
            format!("registry: {reason}")
        })
    }
}
