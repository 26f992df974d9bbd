//! What a rule with `*` would cover, and the nearest dangerous example.

use super::entry;
use super::operand::is_secret;
use super::table::EXAMPLES;
use super::tools::{bad_host, resolve};
use super::{OwnReaches, Reach, parts};

/// Why a rule is not safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsafe {
    /// In words.
    pub reason: String,
    /// The nearest call of the third reach that the rule would cover.
    pub example: String,
}

/// Whether `Bash(PREFIX *)` covers nothing of the third reach: the highest reach that it covers. `words` are as
/// in [`SimpleCommand::words`](super::SimpleCommand::words).
///
/// It errs to the side of unsafe: only programs that do no harm with any arguments at all are safe, because
/// what comes behind the prefix is not known.
///
/// # Errors
/// Why not, with the nearest dangerous command.
pub fn prefix_is_safe(words: &[&str]) -> Result<Reach, Unsafe> {
    let prefix = words.join(" ");
    let is_literal = !prefix.contains(['*', '(', ')', '\\', '\n']);
    let reach = reach_of(&prefix);
    if let [name, rest @ ..] = words
        && let Some(covered) = entry::free(name, rest)
        && is_literal
        && reach.is_some_and(|reach| reach <= covered)
    {
        return Ok(covered);
    }
    Err(Unsafe {
        reason: format!("what follows `{prefix}` may reach beyond the project"),
        example: example(&prefix),
    })
}

/// The reach of a line of one command; `None` for another.
fn reach_of(line: &str) -> Option<Reach> {
    match parts(line, "/", &OwnReaches::default())?.as_slice() {
        [only] => Some(only.reach),
        _ => None,
    }
}

/// The nearest dangerous command that begins with `prefix`: one from the list, else what most programs take
/// for a file or an option; the prefix itself where it is dangerous alone.
fn example(prefix: &str) -> String {
    const COMMON: [&str; 3] = ["../elsewhere", "x ../elsewhere", "x --an-option-not-known"];
    let is_about = |known: &str| {
        prefix == known
            || prefix
                .strip_prefix(known)
                .is_some_and(|rest| rest.starts_with(' '))
    };
    let mut known: Vec<(&str, &str)> = EXAMPLES
        .iter()
        .copied()
        .filter(|(known, _)| is_about(known))
        .collect();
    known.sort_by_key(|(known, _)| std::cmp::Reverse(known.len()));
    let rests = known.iter().map(|(_, rest)| *rest).chain(COMMON);
    let is_dangerous = |line: &String| reach_of(line).is_none_or(|reach| reach == Reach::Beyond);
    rests
        .map(|rest| format!("{prefix} {rest}"))
        .find(is_dangerous)
        .unwrap_or_else(|| prefix.to_owned())
}

/// Whether `TOOL(/FOLDER/**)` covers nothing of the third reach, for a folder of the project.
///
/// Hidden and secret files that may lie in the folder are not looked for: the host asks about its own
/// settings and git's whatever the rules are.
///
/// # Errors
/// Why not, with the nearest dangerous file.
pub fn folder_is_safe(tool: &str, folder: &str) -> Result<Reach, Unsafe> {
    let folder = folder.trim_matches('/');
    let reach = match tool {
        "Read" | "Grep" | "Glob" => Reach::Reads,
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => Reach::Project,
        _ => {
            return Err(Unsafe {
                reason: format!("{tool} is no tool for files"),
                example: tool.to_owned(),
            });
        }
    };
    let is_hidden = folder.split('/').any(|part| part.starts_with('.'));
    let is_plain = folder
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_-./ ".contains(&byte));
    if folder.is_empty() || is_hidden || is_secret(folder) || !is_plain {
        return Err(Unsafe {
            reason: "the folder holds files that decide what is run, or secrets".to_owned(),
            example: format!(
                "{tool} {}",
                resolve(".git/hooks/pre-commit", folder).trim_start_matches('/')
            ),
        });
    }
    Ok(reach)
}

/// Whether `WebFetch(domain:HOST)` covers nothing that is always of the third reach. Addresses that carry data
/// to the host are covered all the same.
///
/// # Errors
/// Why not, with the nearest dangerous address.
pub fn host_is_safe(host: &str) -> Result<Reach, Unsafe> {
    match bad_host(host) {
        None => Ok(Reach::Project),
        Some(reason) => Err(Unsafe {
            reason: reason.to_owned(),
            example: format!("https://{host}/?data=…"),
        }),
    }
}
