//! What a rule with `*` would cover, and the nearest dangerous example.

use super::entry;
use super::operand::is_secret;
use super::table::EXAMPLES;
use super::tools::{bad_host, resolve};
use super::{OwnTiers, Tier, parts};

/// Why a rule is not safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsafe {
    /// In words.
    pub reason: String,
    /// The nearest call of the third tier that the rule would cover.
    pub example: String,
}

/// Whether `Bash(PREFIX *)` covers nothing of the third tier: the highest tier that it covers.
///
/// It errs to the side of unsafe: only programs that do no harm with any arguments at all are safe, because
/// what comes behind the prefix is not known.
///
/// # Errors
/// Why not, with the nearest dangerous command.
pub fn prefix_is_safe(words: &[&str]) -> Result<Tier, Unsafe> {
    let prefix = words.join(" ");
    let is_plain = |word: &&str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.".contains(&byte);
        word.bytes().all(is_plain)
    };
    let own = OwnTiers::default();
    let covered = match words {
        [name, rest @ ..] if words.iter().all(is_plain) => entry::free(name, rest),
        _ => None,
    };
    // The prefix itself must be what the tables say.
    let itself = parts(&prefix, "/", &own).is_some_and(|parts| parts.len() == 1);
    if let Some(tier) = covered.filter(|_| itself) {
        return Ok(tier);
    }
    Err(Unsafe {
        reason: format!("what follows `{prefix}` may reach beyond the project"),
        example: example(&prefix),
    })
}

/// The nearest dangerous command that begins with `prefix`.
fn example(prefix: &str) -> String {
    let is_about = |known: &str| {
        prefix == known
            || prefix
                .strip_prefix(known)
                .is_some_and(|rest| rest.starts_with(' '))
    };
    let known = EXAMPLES.iter().filter(|(known, _)| is_about(known));
    match known.max_by_key(|(known, _)| known.len()) {
        Some((_, rest)) => format!("{prefix} {rest}"),
        None => format!("{prefix} ../elsewhere"),
    }
}

/// Whether `TOOL(/FOLDER/**)` covers nothing of the third tier, for a folder of the project.
///
/// Hidden and secret files that may lie in the folder are not looked for: the host asks about its own
/// settings and git's whatever the rules are.
///
/// # Errors
/// Why not, with the nearest dangerous file.
pub fn folder_is_safe(tool: &str, folder: &str) -> Result<Tier, Unsafe> {
    let folder = folder.trim_matches('/');
    let tier = match tool {
        "Read" | "Grep" | "Glob" => Tier::ReadOnly,
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => Tier::Project,
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
    Ok(tier)
}

/// Whether `WebFetch(domain:HOST)` covers nothing that is always of the third tier. Addresses that carry data
/// to the host are covered all the same.
///
/// # Errors
/// Why not, with the nearest dangerous address.
pub fn host_is_safe(host: &str) -> Result<Tier, Unsafe> {
    match bad_host(host) {
        None => Ok(Tier::Project),
        Some(reason) => Err(Unsafe {
            reason: reason.to_owned(),
            example: format!("https://{host}/?data=…"),
        }),
    }
}
