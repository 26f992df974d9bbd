//! The narrowest rules that cover one call.

use serde_json::Value;

use super::matching::is_never_asked;
use super::written::Rule;
use crate::permissions::Reach;
use crate::permissions::own::OwnReaches;
use crate::permissions::prefix::{folder_is_safe, host_is_safe};
use crate::permissions::request::{describe_with, main_field};
use crate::permissions::tools::{address, resolve};
use crate::shell::{SimpleCommand, parts};

/// A longer command gets no rule, in bytes.
const LONGEST: usize = 300;

/// The narrowest rules by which the host would not ask about a call again; `None` for a call that reaches beyond
/// the project, and for one that no rule helps with.
///
/// `cwd` counts as the root of the project.
pub fn narrowest_rules(
    tool: &str,
    input: &Value,
    cwd: &str,
    own: &OwnReaches,
) -> Option<Vec<Rule>> {
    let described = describe_with(tool, input, cwd, own);
    if described.reach == Reach::Beyond {
        return None;
    }
    let rule = |content: Option<String>, tool: &str| Rule {
        tool: tool.to_owned(),
        content,
    };
    let text = main_field(tool)
        .and_then(|field| input[field].as_str())
        .unwrap_or_default();
    let only = match tool {
        "Bash" => {
            let parts = parts(text, cwd, own)?;
            return (!goes_elsewhere(&parts, cwd)).then(|| command_rules(&parts))?;
        }
        "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
            let named = if tool == "Read" { "Read" } else { "Edit" };
            rule(Some(file_pattern(text, cwd)?), named)
        }
        "WebFetch" => {
            let (host, _) = address(text)?;
            let is_own = own.of_host(&host, Reach::Beyond).is_some();
            (is_own || host_is_safe(&host)).then(|| rule(Some(format!("domain:{host}")), tool))?
        }
        "WebSearch" => rule(None, tool),
        _ if tool.starts_with("mcp__") => rule(None, tool),
        _ => return None,
    };
    // A server may call its tools what it likes.
    let is_plain =
        Rule::parse(&only.to_string()).as_ref() == Some(&only) && !only.tool.contains('*');
    is_plain.then(|| vec![only])
}

/// The exact rule for one command; `None` where the host would read it as a pattern, or asks all the same.
pub fn exact_rule(part: &SimpleCommand) -> Option<Rule> {
    let text = part.text();
    let is_literal =
        !text.contains(['*', '(', ')', '\\', '\n', '\t', '\r']) && !text.ends_with(':');
    let is_worth = part.reach != Reach::Beyond && !part.writes_file && !part.is_aside;
    (is_literal && is_worth && text.len() <= LONGEST).then(|| Rule {
        tool: "Bash".to_owned(),
        content: Some(text),
    })
}

/// True for a line that runs in another folder than `cwd`: what is allowed there says nothing about here, and no
/// rule can name the folder.
pub fn goes_elsewhere(parts: &[SimpleCommand], cwd: &str) -> bool {
    let folder = |part: &SimpleCommand| {
        part.words
            .last()
            .map(|word| word.trim_matches(['\'', '"']).to_owned())
    };
    parts.iter().filter(|part| part.is_aside).any(|part| {
        folder(part).is_none_or(|folder| {
            let folder = folder.trim_end_matches('/');
            folder != "." && folder != cwd.trim_end_matches('/')
        })
    })
}

fn command_rules(parts: &[SimpleCommand]) -> Option<Vec<Rule>> {
    let mut rules: Vec<Rule> = Vec::new();
    let asked = |part: &&SimpleCommand| {
        !part.is_aside && (parts.len() == 1 || !is_never_asked(part) || part.writes_file)
    };
    for part in parts.iter().filter(asked) {
        let rule = exact_rule(part)?;
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    (!rules.is_empty()).then_some(rules)
}

/// The folder's files, or the file itself where the folder holds more than may be covered.
fn file_pattern(path: &str, cwd: &str) -> Option<String> {
    let resolved = resolve(path, cwd);
    let inside = resolved
        .strip_prefix(cwd.trim_end_matches('/'))?
        .strip_prefix('/')?
        .to_owned();
    if inside.contains(['*', '?', '[', ']', '!', '#', '\\', '(', ')']) {
        return None;
    }
    let folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(if folder_is_safe(folder) {
        format!("/{folder}/**")
    } else {
        format!("/{inside}")
    })
}
