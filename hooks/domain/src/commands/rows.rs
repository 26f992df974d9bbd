//! Looking a program and its arguments up in the tables.

use super::class::Class;
use super::shell::Word;
use super::tables::{LOCAL, SHOWING, SUBCOMMANDS};

/// What the tables say.
pub(super) fn listed(name: &str, arguments: &[Word]) -> Option<Class> {
    let arguments = without_global_options(name, arguments);
    let by_subcommand = SUBCOMMANDS.lines().find_map(|line| {
        let (kind, rest) = line.split_once(' ')?;
        fits(rest, name, arguments).then_some(if kind == "R" {
            Class::ReadOnly
        } else {
            Class::Local
        })
    });
    let showing = || SHOWING.lines().any(|line| fits(line, name, arguments));
    let local = || LOCAL.lines().any(|line| fits(line, name, arguments));
    by_subcommand
        .or_else(|| showing().then_some(Class::ReadOnly))
        .or_else(|| local().then_some(Class::Local))
}

/// Options before the subcommand that change nothing but where it looks.
fn without_global_options<'a>(name: &str, mut arguments: &'a [Word]) -> &'a [Word] {
    while let [first, rest @ ..] = arguments {
        arguments = match (name, first.text.as_str()) {
            ("git", "--no-pager" | "-P")
            | ("npm" | "cargo", "-s" | "--silent" | "-q" | "--quiet" | "--offline" | "--locked") => {
                rest
            }
            ("cargo", text) if text.starts_with('+') => rest,
            ("git", "-C")
            | ("kubectl" | "helm", "-n" | "--namespace" | "--context")
            | ("npm", "-w" | "--workspace") => rest.get(1..).unwrap_or_default(),
            _ => return arguments,
        };
    }
    arguments
}

/// True when a line of a table is about this program with these arguments, and allows them.
fn fits(line: &str, name: &str, arguments: &[Word]) -> bool {
    let Some(rest) = line
        .strip_prefix(name)
        .filter(|rest| rest.is_empty() || rest.starts_with(' '))
    else {
        return false;
    };
    let parts = rest.split(' ').filter(|part| !part.is_empty());
    let mut left = arguments;
    let mut allowed: Option<Vec<&str>> = None;
    for part in parts {
        if let Some(option) = part.strip_prefix('!') {
            if left.iter().any(|word| is_option(&word.text, option)) {
                return false;
            }
        } else if let Some(first) = part.strip_prefix(':') {
            allowed = Some(vec![first]);
        } else if let Some(allowed) = &mut allowed {
            allowed.push(part);
        } else {
            let Some((first, rest)) = left.split_first().filter(|(first, _)| first.text == part)
            else {
                return false;
            };
            left = if first.is_open { return false } else { rest };
        }
    }
    let is_restricted = allowed.is_some();
    let allowed = allowed.unwrap_or_default();
    let fits = |word: &Word| allowed.contains(&word.text.as_str());
    !is_restricted || left.iter().all(fits)
}

/// True when `text` gives `option`: itself, with a value, or in a cluster of short ones.
fn is_option(text: &str, option: &str) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    if name == option {
        return true;
    }
    let letter = option.strip_prefix('-').filter(|rest| rest.len() == 1);
    letter.is_some_and(|letter| {
        text.starts_with('-') && !text.starts_with("--") && text.contains(letter)
    })
}
