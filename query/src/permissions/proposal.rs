//! A proposed permission rule: its evidence, its benefit, and what else it would allow.

use crate::suggest::Suggest;
use chrono::{NaiveDate, NaiveDateTime};
use plantune_agents::claude_code;
use plantune_domain::permissions::{OwnReaches, Reach, Rule};
use serde::Serialize;

use crate::suggest::Level;

/// A rule that the person has.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownRule {
    /// The rule.
    pub rule: Rule,
    /// Its effect.
    pub behaviour: Behaviour,
    /// The project's folder whose settings hold it; `None` for the person's own, which hold everywhere.
    pub root: Option<String>,
    /// The settings file, as it may be shown.
    pub file: String,
    /// Since when it is there (UTC); `None` if that is not known.
    pub since: Option<NaiveDateTime>,
}

impl KnownRule {
    /// True if it holds in the project whose folder is `root`.
    pub(crate) fn holds_in(&self, root: &str) -> bool {
        self.root.as_deref().is_none_or(|own| own == root)
    }
}

/// The effect of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// It lets a call run.
    Allow,
    /// It asks about a call, or refuses it, even if another rule allows it.
    Stop,
}

/// The inputs beside the prompts.
#[derive(Clone, Copy)]
pub struct RuleInputs<'a> {
    /// The guards.
    pub settings: &'a Suggest,
    /// The word for the agent.
    pub agent: &'static str,
    /// The moment of the run (UTC).
    pub now: NaiveDateTime,
    /// The reaches that the person gave.
    pub own: &'a OwnReaches,
    /// The rules that are there already.
    pub known: &'a [KnownRule],
    /// The permission mode that the person mostly works in, if known.
    pub mode: Option<&'a str>,
    /// The contents of a folder of a project: of the project's folder and one below it; `None` if that was not looked
    /// at.
    pub holds: &'a dyn Fn(&str, &str) -> Option<Holds>,
}

/// The contents of a folder that a rule for it takes in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// How many files were found.
    pub files: usize,
    /// Some of them, by their path below the folder.
    pub examples: Vec<String>,
    /// A file that no rule should cover: a secret, or one that steers a deployment.
    pub sensitive: Option<String>,
}

/// Whose settings a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Settings {
    /// The person's own, in every project.
    User,
    /// The person's, in one project.
    Local,
}

/// The evidence of a proposal. Counts are of prompts, dates are local days. Serialised, it is what suggestions and
/// events hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RuleEvidence {
    /// The distinct sessions in which it was allowed.
    pub sessions: usize,
    /// Its distinct days.
    pub days: usize,
    /// The prompts that were read from transcripts alone.
    pub imported: usize,
    /// The day of the first prompt.
    pub first: NaiveDate,
    /// The day of the last prompt.
    pub last: NaiveDate,
    /// The skill that was at work at every one of the prompts; `None` if another one was, or none. A rule holds whoever
    /// is at work.
    pub only_skill: Option<String>,
}

/// A rule that the person could have.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The rule, as Claude Code would have it.
    pub rule: Rule,
    /// The word for the agent whose settings it is for.
    pub agent: &'static str,
    /// The subject that makes its prompts the same.
    pub subject: String,
    /// How far the allowed calls reach; never beyond the project.
    pub reach: Reach,
    /// The project; [`EVERYWHERE`] for all of them.
    pub project: String,
    /// The projects that the prompts come from.
    pub projects: Vec<String>,
    /// The folder of the project whose settings it is for, where the last prompt came; empty for everywhere.
    pub root: String,
    /// Whose settings it is for.
    pub settings: Settings,
    /// The decided prompts that it would take part in allowing.
    pub prompts: usize,
    /// How many of these the person refused.
    pub refused: usize,
    /// Seconds of waiting that it spares in a week; `None` if no wait is known.
    pub seconds_saved_per_week: Option<f64>,
    /// How many prompts a week it spares.
    pub prompts_per_week: f64,
    /// The calls that it would also allow and that were never asked about, in words.
    pub also_allows: String,
    /// How sure the evidence is: on trial or standing.
    pub level: Level,
    /// The share (0–1) of such prompts that the person allows, at least.
    pub confidence: f64,
    /// The evidence.
    pub evidence: RuleEvidence,
    /// Its worth in the mode that the person mostly works in.
    pub worth: Worth,
}

impl Proposal {
    /// The rule in the form of the agent's settings.
    pub fn name(&self) -> String {
        match (&self.rule.content, self.agent == claude_code::NAME) {
            (Some(command), false) => command.clone(),
            _ => self.rule.to_string(),
        }
    }

    /// The calls that it would allow, in words behind `The rule covers`.
    pub fn covers(&self) -> String {
        let mut letters = self.also_allows.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }
}

/// The proposed rules, and how many prompts are left to the person, by why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposals {
    /// The proposals: the greatest saving first.
    pub proposals: Vec<Proposal>,
    /// The prompts that no proposal covers.
    pub left: Left,
}

/// The decided prompts that no proposal spares, by the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Left {
    /// They reach beyond the project, or nothing certain is known about them.
    pub beyond: usize,
    /// No rule can be written for them.
    pub no_rule: usize,
    /// Rules that are there allow them, or keep them asked.
    pub known: usize,
    /// The mode that the person mostly works in asks about nothing like it.
    pub mode: usize,
    /// The person refused it, or another of its kind.
    pub refused: usize,
    /// Allowed often, in other words each time.
    pub varied: usize,
    /// Not allowed often enough yet.
    pub unsure: usize,
}

/// The worth of a rule in a mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// The mode that the person mostly works in, as the host calls it; `None` if it is not known.
    pub mode: Option<String>,
    /// False if the rule would spare next to nothing there.
    pub helps: bool,
    /// Why, in words; empty if there is nothing to say.
    pub note: &'static str,
}

/// True if nobody is asked in `mode` about what `rule` allows.
pub(crate) fn asks_nothing(mode: Option<&str>, rule: &Rule) -> bool {
    match mode {
        Some("bypassPermissions" | "dontAsk") => true,
        Some("acceptEdits") => rule.tool == "Edit",
        _ => false,
    }
}

/// The worth of a rule in `mode`, which asks.
pub(crate) fn worth(mode: Option<&str>) -> Worth {
    let note = match mode {
        Some("auto") => {
            "You mostly work in auto mode, where a classifier decides and few prompts come. The rule saves little \
             there, and its calls skip the classifier."
        }
        _ => "",
    };
    Worth {
        mode: mode.map(str::to_owned),
        helps: note.is_empty(),
        note,
    }
}

/// Programs that run commands from the project, and the files that hold these.
const RUNNERS: &[(&str, &str)] = &[
    ("npm pnpm yarn bun", "package.json"),
    ("npx", "node_modules"),
    ("jest vitest", "the project's tests and configuration"),
    ("make just task", "the Makefile, justfile or Taskfile.yml"),
    ("cargo", "build.rs, the tests and the dependencies"),
    ("go", "the project's tests and generators"),
    (
        "pip pip3",
        "the files of requirements and the packages that they name",
    ),
    (
        "uv poetry",
        "pyproject.toml, the lock file and the packages that they name",
    ),
    (
        "pytest tox nox",
        "the tests, conftest.py, tox.ini or noxfile.py",
    ),
    ("mvn gradle gradlew", "pom.xml or build.gradle"),
    ("dotnet mix", "the project file and the tests"),
    ("rake bundle", "the Rakefile or Gemfile"),
    ("composer", "composer.json"),
    ("pre-commit", ".pre-commit-config.yaml"),
];

/// Programs that stand before the one that they start.
const WRAPPERS: [&str; 5] = ["timeout", "time", "nice", "env", "stdbuf"];

/// The words for a rule for a program, script or tool that the tables do not have.
const UNKNOWN: &str = " plantune does not know what this does.";

/// The calls that `rule`, for calls that reach so far, would allow beside what it was asked about; `holds` is what its folder
/// holds, where that was looked at.
pub(crate) fn also_allows(
    rule: &Rule,
    settings: Settings,
    reach: Reach,
    holds: Option<&Holds>,
) -> String {
    let unknown = if reach == Reach::Unknown { UNKNOWN } else { "" };
    let content = rule.content.as_deref();
    let what = match (rule.tool.as_str(), content) {
        ("Bash", Some(content)) => command(content),
        ("Edit", Some(content)) => match content.strip_suffix("/**") {
            Some(folder) => format!(
                "Every file below {folder}{}, new ones too: {folder}/.env, or a script that a build runs.",
                holds.map_or_else(String::new, in_words)
            ),
            None => "Only this file, with any content.".to_owned(),
        },
        ("WebFetch", Some(content)) => {
            let host = content.strip_prefix("domain:").unwrap_or(content);
            format!(
                "Every page of {host}, with anything in the address: https://{host}/?q=<what the agent has read>."
            )
        }
        (tool, _) => format!("Every call of {tool}, with any input."),
    };
    match settings {
        Settings::Local => format!("{what}{unknown}"),
        Settings::User => {
            format!("{what} In every project, even one you just cloned.{unknown}")
        }
    }
}

fn in_words(holds: &Holds) -> String {
    match holds.files {
        0 => String::new(),
        1 => format!(" (1 file today: {})", holds.examples.join(", ")),
        files => format!(
            " ({files} files today, among them {})",
            holds.examples.join(", ")
        ),
    }
}

fn command(content: &str) -> String {
    let prefix = content.strip_suffix(" *");
    let words = prefix.unwrap_or(content);
    let what = match prefix {
        None => "Nothing but these words.".to_owned(),
        Some(words) => {
            format!(
                "Anything after `{words}`. plantune knows of nothing there that reaches further."
            )
        }
    };
    let program = words
        .split_once(" -m ")
        .filter(|(before, _)| before.starts_with("python"))
        .map_or(words, |(_, module)| module);
    let is_before = |word: &&str| {
        WRAPPERS.contains(word)
            || word.contains('=')
            || word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
    };
    let path = program.split(' ').find(|word| !is_before(word));
    let is_script = path.is_some_and(|path| path.contains('/'));
    let program = path
        .and_then(|path| path.rsplit('/').next())
        .unwrap_or_default();
    match RUNNERS
        .iter()
        .find(|(names, _)| names.split(' ').any(|name| name == program))
    {
        Some((_, file)) => format!(
            "{what} `{words}` runs what it finds in {file}: if that changes to `curl … | sh`, nobody asks you."
        ),
        None if is_script => {
            format!("{what} If the script changes, the new one runs without asking.")
        }
        None => what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_ask_nothing_and_little() {
        let asks = |mode, rule| !asks_nothing(Some(mode), &Rule::parse(rule).unwrap());
        assert!(asks("default", "Bash(npm test)") && asks("plan", "Bash(npm test)"));
        assert!(!asks("dontAsk", "Bash(npm test)") && !asks("bypassPermissions", "Bash(npm test)"));
        assert!(asks("acceptEdits", "Bash(npm test)") && !asks("acceptEdits", "Edit(/src/**)"));
        assert!(worth(Some("default")).helps && !worth(Some("auto")).helps);
        let unknown = worth(None);
        assert!(unknown.helps && unknown.note.is_empty());
    }
}
