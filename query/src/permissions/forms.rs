//! The narrowest rules that cover what was allowed.

use std::collections::{BTreeMap, BTreeSet};

use plantune_domain::permissions::{Reach, Rule, folder_is_safe, host_is_safe};
use plantune_domain::secrets::MASK;

use super::evidence::Unit;
use super::parts::What;

/// A longer command is no rule that anybody can read, in bytes.
const LONGEST: usize = 200;

/// What has another meaning in a rule, or in a shell before the command runs, so that a rule with it would
/// be for something else than what it says.
const SPECIAL: [char; 9] = ['*', '?', '\\', '(', ')', '$', '`', '<', '>'];

/// The rule for exactly these words, if it can be written; also for one part of a line.
pub(crate) fn exact(unit: &Unit<'_>) -> Option<Rule> {
    let content = match &unit.what {
        What::Command(words) => Some(words.clone()),
        What::Edit(path) => Some(format!("/{}", plain_path(path)?)),
        What::Fetch(host) => Some(format!("domain:{}", host_is_safe(host).then_some(host)?)),
        What::Tool => None,
    };
    let tool = match &unit.what {
        What::Edit(_) => "Edit",
        _ => &unit.prompt.tool_name,
    };
    if unit.what == What::Tool && !is_one_tool(tool) {
        return None;
    }
    let rule = Rule {
        tool: tool.to_owned(),
        content,
    };
    (rule.content.as_deref().is_none_or(is_writable)
        && Rule::parse(&rule.to_string()).as_ref() == Some(&rule))
    .then_some(rule)
}

/// True for the name of one tool that a rule may allow whatever it is called with: a server's, by how its name
/// was judged, and the search. A plan is left, a skill started and an agent sent only when the person says so.
fn is_one_tool(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let of_server = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"));
    let is_whole = of_server.is_some_and(|(server, tool)| !server.is_empty() && !tool.is_empty());
    name.chars().all(is_plain) && (is_whole || name == "WebSearch")
}

/// The one rule for all that was allowed of `granted`, of one subject, if more than one thing was, if it is known
/// what they do, and if nothing that the rule also allows could reach further: `Edit(/src/**)`, for the deepest folder
/// below the project that all files lie in, and never the project itself. What follows the words that commands have in
/// common is not known.
pub(crate) fn wide(granted: &[&Unit<'_>]) -> Option<Rule> {
    let different: BTreeSet<&str> = granted.iter().map(|unit| unit.what.words()).collect();
    let is_unknown = granted.iter().any(|unit| unit.reach >= Reach::Unknown);
    if different.len() < 2 || is_unknown {
        return None;
    }
    let mut common: Option<Vec<&str>> = None;
    for unit in granted {
        let What::Edit(path) = &unit.what else {
            return None;
        };
        let (folder, _) = plain_path(path)?.rsplit_once('/')?;
        let parts = folder.split('/');
        common = Some(match common {
            None => parts.collect(),
            Some(before) => {
                let same = before.iter().zip(parts).take_while(|(a, b)| *a == b);
                same.map(|(a, _)| *a).collect()
            }
        });
    }
    let folder = common.filter(|parts| !parts.is_empty())?.join("/");
    (folder_is_safe(&folder) && is_writable(&folder)).then(|| Rule {
        tool: "Edit".to_owned(),
        content: Some(format!("/{folder}/**")),
    })
}

/// `path`, unless it means something else in a rule, or lies among files that programs start or obey.
fn plain_path(path: &str) -> Option<&str> {
    let has_meaning = |c: char| "*?[]{}!#".contains(c);
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    (!is_hidden && !path.contains(has_meaning)).then_some(path)
}

/// True for a text that stands in a rule for itself.
fn is_writable(text: &str) -> bool {
    let is_plain = |c: char| (' '..='~').contains(&c) && !SPECIAL.contains(&c);
    !text.is_empty()
        && text.len() <= LONGEST
        && text.trim() == text
        && !text.contains("  ")
        && !text.contains(MASK)
        && text.chars().all(is_plain)
}

/// `units` by what belongs together: a command by its subject, a file by the folder below the project.
pub(crate) fn groups<'u, 'a>(
    units: impl Iterator<Item = &'u Unit<'a>>,
) -> BTreeMap<(String, String), Vec<&'u Unit<'a>>>
where
    'a: 'u,
{
    let mut groups: BTreeMap<(String, String), Vec<&Unit<'_>>> = BTreeMap::new();
    for unit in units {
        groups.entry(group_of(unit)).or_default().push(unit);
    }
    groups
}

/// What `unit` belongs to, likewise.
pub(crate) fn group_of(unit: &Unit<'_>) -> (String, String) {
    let (kind, name) = match &unit.what {
        What::Command(_) => ("Bash", unit.subject.as_str()),
        What::Edit(path) => (
            "Edit",
            path.split_once('/').map_or(path.as_str(), |(top, _)| top),
        ),
        What::Fetch(host) => ("WebFetch", host.as_str()),
        What::Tool => ("", unit.prompt.tool_name.as_str()),
    };
    (kind.to_owned(), name.to_owned())
}
