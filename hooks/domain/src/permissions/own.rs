//! Tiers that the person gives in `registry.toml`.

use super::Tier;
use super::operand::is_name;
use super::table::is_fixed;

/// Words that make a command one that nothing lowers.
const NEVER: &str =
    " push publish deploy destroy delete drop release apply rm prune purge reset login ";

/// The tiers that a person gave to commands, hosts and tools.
#[derive(Clone, Debug, Default)]
pub struct OwnTiers {
    entries: Vec<OwnTier>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTier {
    /// What it is about.
    pub about: About,
    /// The tier it gives.
    pub tier: Tier,
    /// The person's reason.
    pub reason: Option<String>,
}

/// What a person's tier is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A command: program, subcommand, and what follows; a `*` at the end for any words.
    Command(String),
    /// A host of `WebFetch`.
    Host(String),
    /// A tool: `mcp__server__tool`, or with `*` at the end.
    Tool(String),
}

impl OwnTiers {
    /// The tiers of `entries`, in the order of the file.
    pub fn new(entries: Vec<OwnTier>) -> Self {
        Self { entries }
    }

    /// True when the person gave none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The tier of the command `words` when it is not `tier`, and why. Raised by its first words; lowered
    /// only for exactly these words, and never for what always reaches beyond.
    pub(super) fn of_command(&self, words: &[&str], tier: Tier) -> Option<(Tier, String)> {
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
            if entry.tier > tier && covers || entry.tier < tier && is_exact && may_lower(words) {
                result = result.max(Some((entry.tier, entry.why("registry"))));
            }
        }
        result
    }

    /// The tier of a host, when it is not `tier`.
    pub(super) fn of_host(&self, host: &str, tier: Tier) -> Option<(Tier, String)> {
        self.named(tier, |about| match about {
            About::Host(wanted) => Some((wanted, host)),
            _ => None,
        })
    }

    /// The tier of a tool, when it is not `tier`.
    pub(super) fn of_tool(&self, tool: &str, tier: Tier) -> Option<(Tier, String)> {
        self.named(tier, |about| match about {
            About::Tool(wanted) => Some((wanted, tool)),
            _ => None,
        })
    }

    /// A pattern raises, an exact name lowers as well.
    fn named<'a>(
        &'a self,
        tier: Tier,
        pair: impl Fn(&'a About) -> Option<(&'a String, &'a str)>,
    ) -> Option<(Tier, String)> {
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
            if is_exact && entry.tier != tier || covers && entry.tier > tier {
                result = result.max(Some((entry.tier, entry.why("registry"))));
            }
        }
        result
    }
}

impl OwnTier {
    fn why(&self, source: &str) -> String {
        match &self.reason {
            Some(reason) => format!("{source}: {reason}"),
            None => source.to_owned(),
        }
    }
}

/// True for a program with its subcommand, or a script of the project, that a person may call harmless.
fn may_lower(words: &[&str]) -> bool {
    let [program, rest @ ..] = words else {
        return false;
    };
    let is_script = program.strip_prefix("./").is_some_and(is_name);
    let is_never = |word: &&str| {
        word.split(['-', ':', '_', '.', '/']).any(|part| {
            !part.is_empty()
                && NEVER
                    .split(' ')
                    .any(|never| never == part.to_ascii_lowercase())
        })
    };
    (is_script || is_name(program) && !rest.is_empty() && !is_fixed(program))
        && rest.iter().all(|word| is_name(word))
        && !words.iter().any(is_never)
}
