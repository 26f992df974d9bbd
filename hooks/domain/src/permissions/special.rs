//! What needs more than a line of the tables: names of scripts, little languages, addresses of this machine.

use super::Reach;
use super::table::{BESIDE, CHANGING, CHECKING};
use crate::commands::Word;

fn is_listed(table: &str, name: &str) -> bool {
    !name.is_empty() && table.split(' ').any(|one| one == name)
}

/// The reach of a script or target, by the parts of its name; `None` when one of them is not known.
pub(super) fn script(word: &Word) -> Option<Reach> {
    let mut reach = None;
    if word.is_open {
        return None;
    }
    let lower = word.text.to_ascii_lowercase();
    for part in lower.split(['-', '_', ':', '.']) {
        let of_part = if is_listed(CHECKING, part) {
            Some(Reach::Reads)
        } else if is_listed(CHANGING, part) {
            Some(Reach::Project)
        } else if is_listed(BESIDE, part)
            || !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
        {
            None
        } else {
            return None;
        };
        reach = reach.max(of_part);
    }
    reach
}

/// The operand that is more than a plain print, filter or request to this machine.
pub(super) fn odd_operand<'a>(name: &str, operands: &[&'a Word]) -> Option<&'a Word> {
    let first = *operands.first()?;
    let text = first.text.as_str();
    let is_plain = match name {
        "sed" | "gsed" => is_plain_sed(text),
        "awk" | "gawk" | "mawk" => is_plain_awk(text),
        // `env` and `$ENV` are the environment.
        "jq" => !text.to_ascii_lowercase().contains("env") && !text.contains("input"),
        "date" => text.starts_with('+') && operands.len() == 1,
        "ps" => matches!(text, "aux" | "ax") && operands.len() == 1,
        "curl" => operands.iter().all(|word| is_here(&word.text)),
        _ => false,
    };
    (!is_plain || first.is_open).then_some(first)
}

/// The operands that are paths.
pub(super) fn paths<'a, 'b>(name: &str, operands: &'b [&'a Word]) -> &'b [&'a Word] {
    match name {
        "curl" | "date" | "ps" => &[],
        _ => operands.get(1..).unwrap_or_default(),
    }
}

/// `10,20p`, `$p`, `s/a/b/g`.
fn is_plain_sed(script: &str) -> bool {
    let prints = |script: &str| {
        script
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b",$p;d ".contains(&byte))
    };
    let substitutes = |script: &str| {
        let mut parts = script.split('/');
        parts.next() == Some("s")
            && parts.next().is_some_and(|pattern| !pattern.is_empty())
            && parts.next().is_some()
            && parts
                .next()
                .is_some_and(|flags| flags.bytes().all(|flag| b"gpI0123456789".contains(&flag)))
            && parts.next().is_none()
            && !script.contains(['\n', '\\'])
    };
    prints(script) || substitutes(script)
}

/// `{print $1, $2}` and nothing else.
fn is_plain_awk(program: &str) -> bool {
    let fields = program
        .trim()
        .strip_prefix("{print")
        .and_then(|rest| rest.strip_suffix('}'));
    fields.is_some_and(|fields| {
        fields
            .replace("NF", "")
            .replace("NR", "")
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"$, ".contains(&byte))
    })
}

/// True for an address of this machine, without a user's name in it.
fn is_here(address: &str) -> bool {
    let rest = address
        .strip_prefix("http://")
        .or_else(|| address.strip_prefix("https://"));
    let rest = rest.unwrap_or(address);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = host.split_once(':').unwrap_or((host, ""));
    matches!(host, "localhost" | "127.0.0.1")
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-./?=&".contains(&byte))
}
