//! Rules and what they cover: the narrowest that cover what was allowed, what a rule allows, and rules of the person
//! that allow more than they were used for.

use std::collections::BTreeMap;

use plantune_domain::permissions::{
    Action, OwnReaches, Reach, Rule, call_parts, covers_command, folder_rule, host_is_safe,
    prefix_danger,
};
use serde_json::{Value, json};

use super::evidence::{DecidedPrompt, JudgedPrompt, PromptPart, judged};
use super::proposal::{Behaviour, KnownRule};

/// The rule for exactly these words, if it can be written; also for one part of a line.
pub(crate) fn exact(unit: &PromptPart<'_>) -> Option<Rule> {
    unit.action.rule(&unit.prompt.tool_name)
}

/// The one rule for all that was allowed of `granted`, of one subject, if more than one thing was, if it is known
/// what they do, and if nothing that the rule also allows could reach further: `Edit(/src/**)`, for the deepest folder
/// below the project that all files lie in, and never the project itself. What follows the words that commands have in
/// common is not known.
pub(crate) fn wide(granted: &[&PromptPart<'_>]) -> Option<Rule> {
    let is_unknown = granted.iter().any(|unit| unit.reach >= Reach::Unknown);
    let paths = granted.iter().map(|unit| match &unit.action {
        Action::Edit(path) => Some(path.as_str()),
        _ => None,
    });
    let paths: Option<Vec<&str>> = paths.collect();
    folder_rule(paths.filter(|_| !is_unknown)?.into_iter())
}

/// `units` in groups: commands by their subject, files by the folder below the project.
pub(crate) fn groups<'u, 'a>(
    units: impl Iterator<Item = &'u PromptPart<'a>>,
) -> BTreeMap<(String, String), Vec<&'u PromptPart<'a>>>
where
    'a: 'u,
{
    let mut groups: BTreeMap<(String, String), Vec<&PromptPart<'_>>> = BTreeMap::new();
    for unit in units {
        groups.entry(group_of(unit)).or_default().push(unit);
    }
    groups
}

/// The group of `unit`.
pub(crate) fn group_of(unit: &PromptPart<'_>) -> (String, String) {
    let (kind, name) = match &unit.action {
        Action::Command(_) => ("Bash", unit.subject.as_str()),
        Action::Edit(path) => (
            "Edit",
            path.split_once('/').map_or(path.as_str(), |(top, _)| top),
        ),
        Action::Fetch(host) => ("WebFetch", host.as_str()),
        Action::Tool => ("", unit.prompt.tool_name.as_str()),
    };
    (kind.to_owned(), name.to_owned())
}

// How the host reads its rules is known to `plantune_domain::permissions`; here every command of a line is held
// against them by itself.

/// True if the host would not ask about `prompt` if it had `rules`; `own` are the reaches that the person gave.
/// It always asks about what it cannot read (substitutions, loops, here-documents).
pub fn allows(rules: &[&Rule], prompt: &DecidedPrompt, own: &OwnReaches) -> bool {
    let prompts = std::slice::from_ref(prompt);
    judged(prompts, own)
        .iter()
        .all(|one| allows_judged(rules, one))
}

pub(crate) fn allows_judged(rules: &[&Rule], judged: &JudgedPrompt<'_>) -> bool {
    let is_allowed = |unit| rules.iter().any(|rule| takes(rule, unit));
    !judged.units.is_empty() && judged.units.iter().all(is_allowed)
}

/// True where `rule` allows `unit`.
pub(crate) fn takes(rule: &Rule, unit: &PromptPart<'_>) -> bool {
    let matches = |tool: &str, input: &Value| rule.matches(tool, input, &unit.prompt.root);
    match &unit.action {
        Action::Command(command) => {
            let content = rule.content.as_deref();
            rule.tool == "Bash" && content.is_none_or(|content| covers_command(content, command))
        }
        // Looked at first, because there may be thousands of files.
        Action::Edit(_) if !matches!(rule.tool.as_str(), "Edit" | "Write") => false,
        Action::Edit(path) => matches("Edit", &json!({ "file_path": path })),
        Action::Fetch(host) => {
            rule.tool == "WebFetch"
                && matches("WebFetch", &json!({ "url": format!("https://{host}/") }))
        }
        Action::Tool => rule.content.is_none() && matches(&unit.prompt.tool_name, &Value::Null),
    }
}

// Rules that the person has and that allow more than they were used for, as far as that can be known.
//
// Calls that a rule allows are not prompts, and are not logged one by one. So all that is known of a rule
// is which prompts it would have spared: those from before it was there, and those of other projects.

/// How many narrower rules are named for one.
const MOST_INSTEAD: usize = 10;

/// A rule that could be narrower, or go.
#[derive(Clone, Debug, PartialEq)]
pub struct Tighten {
    /// The rule.
    pub rule: Rule,
    /// The settings file that holds it, as it may be shown.
    pub file: String,
    /// The project's folder whose settings hold it; `None` for the person's own.
    pub root: Option<String>,
    /// The narrower rules that the history needs, the most used first; none if nothing is known of its use.
    pub instead: Vec<Rule>,
    /// How many decided prompts in the history it would have spared.
    pub used: usize,
    /// The nearest dangerous thing that it allows, if known to allow one.
    pub danger: Option<String>,
}

impl Tighten {
    /// The words for something unknown.
    pub fn unknown(&self) -> &'static str {
        match self.used {
            0 => {
                "No prompt in the log matches them. They may still be in use: plantune does not log \
                 the calls that a rule allows."
            }
            _ => {
                "\"Used\" counts prompts from before the rule, or from other folders. plantune does not log the \
                 calls that a rule allows."
            }
        }
    }
}

/// Those of the rules `known` that allow what reaches beyond the project, and those that no prompt of
/// `prompts` is for; the dangerous ones first.
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
    let prompts = judged.iter().filter(here);
    let of = |one: &JudgedPrompt<'_>| one.units.iter().any(|unit| takes(&known.rule, unit));
    let used: Vec<&JudgedPrompt<'_>> = prompts.filter(|one| of(one)).collect();
    let units = used.iter().flat_map(|one| &one.units);
    let units: Vec<&PromptPart<'_>> = units.filter(|unit| takes(&known.rule, unit)).collect();
    Tighten {
        rule: known.rule.clone(),
        file: known.file.clone(),
        root: known.root.clone(),
        instead: instead(&known.rule, &units),
        used: used.len(),
        danger: danger(&known.rule),
    }
}

/// The narrowest rules for what was allowed of `units` and never refused.
fn instead(rule: &Rule, units: &[&PromptPart<'_>]) -> Vec<Rule> {
    let mut counts: BTreeMap<Rule, usize> = BTreeMap::new();
    let allowed = |unit: &&PromptPart<'_>| unit.prompt.is_granted() && unit.reach < Reach::Beyond;
    let refused: Vec<&&PromptPart<'_>> = units.iter().filter(|unit| !allowed(unit)).collect();
    for group in groups(units.iter().copied().filter(|unit| allowed(unit))).into_values() {
        let is_kept = |rule: &Rule| !refused.iter().any(|unit| takes(rule, unit));
        match wide(&group).filter(is_kept) {
            Some(wide) => *counts.entry(wide).or_default() += group.len(),
            None => {
                for narrow in group.iter().filter_map(|unit| exact(unit)).filter(is_kept) {
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

/// The nearest dangerous thing that `rule` allows; `None` for one that is as narrow as it can be, and for what
/// nothing is known about.
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
