//! Rules and what they cover: the narrowest that cover what was allowed, what a rule allows, and rules of the person
//! that allow more than they were used for.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDateTime;
use plantune_domain::permissions::{
    Action, OwnReaches, Reach, Rule, call_parts, covers_command, folder_rule, host_is_safe,
    prefix_danger, shown_by_all,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{DecidedPrompt, JudgedPrompt, PromptPart, judged};
use crate::store::displayed;

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

/// The rule for exactly these words, if it can be written; also for one part of a line.
pub(crate) fn exact(part: &PromptPart<'_>) -> Option<Rule> {
    part.thing.action.rule(&part.prompt.tool_name)
}

/// The different arguments that a person must have allowed for a rule for all of them.
const LEAST_ARGUMENTS: usize = 3;

/// One rule for more than was allowed in `granted`, which are of one group: `Edit(/src/**)`, for the deepest folder below
/// the project that holds all files, never for the project itself; `Bash(gh pr view *)`, where no argument can do harm.
/// `None` for a single thing, and where a reach is unknown.
pub(crate) fn wide(granted: &[PromptPart<'_>]) -> Option<Rule> {
    let is_unknown = |part: &PromptPart<'_>| part.thing.reach >= Reach::Unknown;
    let first = granted
        .first()
        .filter(|_| !granted.iter().any(is_unknown))?;
    if let Action::Command(_) = first.thing.action {
        return for_all_arguments(&first.thing.subject, granted);
    }
    let paths = granted.iter().map(|part| match &part.thing.action {
        Action::Edit(path) => Some(path.as_str()),
        _ => None,
    });
    let paths: Option<Vec<&str>> = paths.collect();
    folder_rule(paths?.into_iter())
}

/// The rule for `command` with any arguments, if these show no more than they say and several were allowed.
fn for_all_arguments(command: &str, granted: &[PromptPart<'_>]) -> Option<Rule> {
    shown_by_all(command)?;
    let rule = Rule {
        tool: "Bash".to_owned(),
        content: Some(format!("{command} *")),
    };
    let taken = granted.iter().filter(|part| takes(&rule, part));
    let different: BTreeSet<&str> = taken.map(|part| part.thing.action.words()).collect();
    (different.len() >= LEAST_ARGUMENTS).then_some(rule)
}

/// A kind of action, and which of its kind: what parts must have in common to be one rule.
pub(crate) type RuleGroup = (&'static str, String);

/// The group of `part`: commands by their subject, files by the folder below the project.
pub(crate) fn group_of(part: &PromptPart<'_>) -> RuleGroup {
    let (kind, name) = match &part.thing.action {
        Action::Command(_) => ("Bash", part.thing.subject.as_str()),
        Action::Edit(path) => (
            "Edit",
            path.split_once('/').map_or(path.as_str(), |(top, _)| top),
        ),
        Action::Fetch(host) => ("WebFetch", host.as_str()),
        Action::Tool => ("", part.prompt.tool_name.as_str()),
    };
    (kind, name.to_owned())
}

// How Claude Code reads its rules stands in `plantune_domain::permissions`. Here each command of a line is checked by
// itself.

/// True if the host would not ask about `prompt` if it had `rules`; `own` are the reaches that the person gave.
/// It always asks about what it cannot read (substitutions, loops, here-documents).
pub fn allows(rules: &[&Rule], prompt: &DecidedPrompt, own: &OwnReaches) -> bool {
    let prompts = std::slice::from_ref(prompt);
    judged(prompts, own)
        .iter()
        .all(|one| allows_judged(rules, one))
}

pub(crate) fn allows_judged(rules: &[&Rule], judged: &JudgedPrompt<'_>) -> bool {
    let is_allowed = |part| rules.iter().any(|rule| takes(rule, &part));
    !judged.call.grantables.is_empty() && judged.parts().all(is_allowed)
}

/// True where `rule` allows `part`.
pub(crate) fn takes(rule: &Rule, part: &PromptPart<'_>) -> bool {
    let matches = |tool: &str, input: &Value| rule.matches(tool, input, &part.prompt.root);
    match &part.thing.action {
        Action::Command(command) => {
            let content = rule.content.as_deref();
            rule.tool == "Bash" && content.is_none_or(|content| covers_command(content, command))
        }
        // Checked first because it is cheap, and there may be thousands of files.
        Action::Edit(_) if !matches!(rule.tool.as_str(), "Edit" | "Write") => false,
        Action::Edit(path) => matches("Edit", &json!({ "file_path": path })),
        Action::Fetch(host) => {
            rule.tool == "WebFetch"
                && matches("WebFetch", &json!({ "url": format!("https://{host}/") }))
        }
        Action::Tool => rule.content.is_none() && matches(&part.prompt.tool_name, &Value::Null),
    }
}

// Rules that the person has and that allow more than they were used for, as far as that can be known.
//
// The calls that a rule allows are not logged. So all that is known of a rule is which prompts it would have spared: those
// from before it was there, and those of other projects.

/// How many narrower rules are named for one.
const MOST_INSTEAD: usize = 10;

/// A rule that could be narrower, or go. Serialised, it is an entry of `tighten` in `suggest --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tighten {
    /// The rule.
    #[serde(serialize_with = "displayed")]
    pub rule: Rule,
    /// The narrower rules that the history needs, the most used first; none if nothing is known of its use.
    #[serde(serialize_with = "all_displayed")]
    pub instead: Vec<Rule>,
    /// How many decided prompts in the history it would have spared.
    pub used: usize,
    /// True if that is none.
    pub never_used: bool,
    /// The settings file that holds it, as it may be shown.
    pub file: String,
    /// The project's folder whose settings hold it; `None` for the person's own.
    #[serde(skip)]
    pub root: Option<String>,
    /// The nearest dangerous thing that it allows, if known to allow one.
    pub danger: Option<String>,
    /// The words for what is not known.
    pub unknown: &'static str,
}

fn all_displayed<S: Serializer>(rules: &[Rule], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(rules.iter().map(ToString::to_string))
}

/// The note below rules that no prompt of the log matches, and below those that some match.
const NEVER_USED: &str = "No prompt in the log matches them. They may still be in use: plantune does not log the calls \
                          that a rule allows.";
const USED: &str = "\"Used\" counts prompts from before the rule, or from other folders. plantune does not log the calls \
                    that a rule allows.";

/// Those of the rules `known` that allow something beyond the project, and those that would have allowed none of
/// `prompts`; the dangerous ones first.
pub fn tighten(prompts: &[DecidedPrompt], known: &[KnownRule], own: &OwnReaches) -> Vec<Tighten> {
    let judged = judged(prompts, own);
    let mut found: Vec<Tighten> = known
        .iter()
        .filter(|one| one.behaviour == Behaviour::Allow)
        .map(|one| of_rule(one, &judged))
        .filter(|one| one.danger.is_some() || one.used == 0)
        .collect();
    found.sort_by(|one, other| {
        (other.danger.is_some().cmp(&one.danger.is_some()))
            .then_with(|| other.used.cmp(&one.used))
            .then_with(|| (&one.file, &one.rule).cmp(&(&other.file, &other.rule)))
    });
    found
}

fn of_rule(known: &KnownRule, judged: &[JudgedPrompt<'_>]) -> Tighten {
    let here =
        |one: &&JudgedPrompt<'_>| one.prompt.is_evidence() && known.holds_in(&one.prompt.root);
    let is_taken = |part: &PromptPart<'_>| takes(&known.rule, part);
    let prompts = judged.iter().filter(here);
    let used: Vec<&JudgedPrompt<'_>> = prompts
        .filter(|one| one.parts().any(|part| is_taken(&part)))
        .collect();
    let parts = used.iter().flat_map(|one| one.parts()).filter(is_taken);
    Tighten {
        rule: known.rule.clone(),
        instead: instead(&known.rule, &parts.collect::<Vec<_>>()),
        used: used.len(),
        never_used: used.is_empty(),
        file: known.file.clone(),
        root: known.root.clone(),
        danger: danger(&known.rule),
        unknown: if used.is_empty() { NEVER_USED } else { USED },
    }
}

/// The narrowest rules for what was allowed of `parts` and never refused.
fn instead(rule: &Rule, parts: &[PromptPart<'_>]) -> Vec<Rule> {
    let mut counts: BTreeMap<Rule, usize> = BTreeMap::new();
    let is_allowed =
        |part: &PromptPart<'_>| part.prompt.is_granted() && part.thing.reach < Reach::Beyond;
    let (allowed, refused): (Vec<PromptPart<'_>>, Vec<PromptPart<'_>>) =
        parts.iter().partition(|part| is_allowed(part));
    let mut groups: BTreeMap<RuleGroup, Vec<PromptPart<'_>>> = BTreeMap::new();
    for part in allowed {
        groups.entry(group_of(&part)).or_default().push(part);
    }
    for group in groups.into_values() {
        let is_kept = |rule: &Rule| !refused.iter().any(|part| takes(rule, part));
        match wide(&group).filter(is_kept) {
            Some(wide) => *counts.entry(wide).or_default() += group.len(),
            None => {
                for narrow in group.iter().filter_map(exact).filter(is_kept) {
                    *counts.entry(narrow).or_default() += 1;
                }
            }
        }
    }
    counts.remove(rule);
    let mut rules: Vec<(Rule, usize)> = counts.into_iter().collect();
    rules.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let rules = rules.into_iter().map(|(rule, _)| rule);
    rules.take(MOST_INSTEAD).collect()
}

/// An example of what `rule` allows that it should not; `None` for a rule that is as narrow as it can be, and where
/// nothing is known.
fn danger(rule: &Rule) -> Option<String> {
    let content = rule.content.as_deref();
    match rule.tool.as_str() {
        "Bash" => of_bash(content.unwrap_or("*")),
        "Edit" | "Write" => match content {
            None | Some("**" | "*" | "/**" | "//**" | "~/**" | "./**") => {
                Some("~/.bashrc, or a hook below .git".to_owned())
            }
            _ => None,
        },
        "Read" => match content {
            None | Some("//**" | "~/**") => Some("~/.ssh/id_rsa".to_owned()),
            _ => None,
        },
        "WebFetch" => match content {
            None | Some("domain:*") => {
                Some("https://elsewhere.example/?q=<what the agent has read>".to_owned())
            }
            Some(content) => {
                let host = content.strip_prefix("domain:")?;
                (!host_is_safe(host)).then(|| format!("https://{host}/?data=…"))
            }
        },
        server if is_server(server) => {
            Some("every tool of this server, also one that deletes".to_owned())
        }
        _ => None,
    }
}

/// A rule for all tools of an MCP server.
fn is_server(tool: &str) -> bool {
    tool.strip_prefix("mcp__")
        .is_some_and(|rest| !rest.contains("__") || rest.ends_with("__*"))
}

fn of_bash(content: &str) -> Option<String> {
    let Some((before, after)) = content.split_once('*') else {
        // A rule without a star is for these words alone: dangerous if they are.
        let call = call_parts("Bash", content, "/project", &OwnReaches::default(), false);
        return (call.reach == Reach::Beyond).then(|| content.to_owned());
    };
    let prefix = before.trim_end_matches([' ', ':']);
    if prefix.is_empty() {
        return Some("rm -rf ~".to_owned());
    }
    let is_prefix = after.is_empty() && before.ends_with([' ', ':']);
    match prefix_danger(prefix) {
        None if is_prefix => None,
        None => Some(format!("{prefix}… with anything in the place of the star")),
        danger => danger,
    }
}

// What a rule allows beside what was asked about, in words.

/// Whose settings a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleScope {
    /// The person's own, in every project.
    User,
    /// The person's, in one project.
    Local,
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

/// What is said of a program, script or tool that the tables do not have.
const UNKNOWN: &str = " plantune does not know what this does.";

/// What `rule` would allow beside the calls that were asked about, in words; `holds` is what its folder holds, where
/// that was looked at.
pub(crate) fn also_allows(
    rule: &Rule,
    scope: RuleScope,
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
    match scope {
        RuleScope::Local => format!("{what}{unknown}"),
        RuleScope::User => {
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
        None => "These words alone, in any folder of the project (`cd vendor && …`), also behind timeout, nice and the like, \
                 and with variables such as NODE_ENV."
            .to_owned(),
        Some(words) => format!(
            "`{words}` with any arguments: {}.",
            shown_by_all(words).unwrap_or("anything")
        ),
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

/// The folder of the project whose files `rule` lets be edited, `src` of `Edit(/src/**)`.
pub(super) fn folder_of(rule: &Rule) -> Option<&str> {
    let content = rule.content.as_deref().filter(|_| rule.tool == "Edit")?;
    content.strip_prefix('/')?.strip_suffix("/**")
}

/// True for a rule that allows more than the very words that were asked about.
pub(super) fn is_wide(rule: &Rule) -> bool {
    match rule.tool.as_str() {
        "Bash" | "Edit" => rule
            .content
            .as_ref()
            .is_none_or(|content| content.contains('*')),
        "WebFetch" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(rules: &[&str], tool: &str, input: &str) -> bool {
        let rules: Vec<Rule> = rules
            .iter()
            .map(|text| Rule::parse(text).unwrap())
            .collect();
        let prompt = DecidedPrompt {
            tool_name: tool.to_owned(),
            input: input.to_owned(),
            cwd: "/p/src".to_owned(),
            root: "/p".to_owned(),
            ..DecidedPrompt::default()
        };
        let rules: Vec<&Rule> = rules.iter().collect();
        allows(&rules, &prompt, &OwnReaches::default())
    }

    #[test]
    fn every_command_of_a_line_must_be_allowed() {
        let both = ["Bash(npm test)", "Bash(npm run lint *)"];
        assert!(allowed(&both, "Bash", "npm test && npm run lint --fix"));
        assert!(!allowed(&both, "Bash", "npm test && npm run lints"));
        assert!(!allowed(&both, "Bash", "npm test $(npm test)"));
        assert!(!allowed(&["Bash(*)"], "Bash", "npm test > out.txt"));
        assert!(allowed(&["Bash"], "Bash", "rm -rf /tmp/x"));
    }

    #[test]
    fn paths_are_of_the_project_and_not_of_the_folder_one_works_in() {
        assert!(allowed(&["Edit(/src/**)"], "Edit", "/p/src/a/b.rs"));
        assert!(allowed(&["Edit(/src/**)"], "Write", "/p/src/a.rs"));
        assert!(!allowed(&["Edit(/src/**)"], "Edit", "/p/lib/a.rs"));
        assert!(!allowed(&["Edit(/src/**)"], "Edit", "/q/src/a.rs"));
        assert!(!allowed(&["Read(/src/**)"], "Edit", "/p/src/a.rs"));
    }

    #[test]
    fn hosts_and_tools() {
        assert!(allowed(
            &["WebFetch(domain:docs.rs)"],
            "WebFetch",
            "https://docs.rs/a"
        ));
        assert!(!allowed(
            &["WebFetch(domain:docs.rs)"],
            "WebFetch",
            "https://docs.rs.example/a"
        ));
        assert!(allowed(&["mcp__tracker"], "mcp__tracker__create_issue", ""));
        assert!(!allowed(&["mcp__track"], "mcp__tracker__create_issue", ""));
    }
}
