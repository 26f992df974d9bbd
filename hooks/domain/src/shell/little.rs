//! Little languages and forms of operands: programs for `sed`, `awk` and `jq` that only print, formats of dates,
//! addresses of this machine.

/// A filter that shows neither the environment nor other files.
pub(super) fn is_plain_jq(filter: &str) -> bool {
    let lower = filter.to_ascii_lowercase();
    !["env", "input", "import", "include", "$__"]
        .iter()
        .any(|word| lower.contains(word))
}

/// `+%Y-%m-%d`.
pub(super) fn is_date_format(text: &str) -> bool {
    text.starts_with('+')
}

/// `aux`.
pub(super) fn is_process_selection(text: &str) -> bool {
    matches!(text, "aux" | "ax" | "auxww" | "axo")
}

/// `10,20p`, `/a/,/b/p`, `s/a/b/g`: prints, deletes from what is printed, and substitutes, without the commands
/// and flags that write and run.
pub(super) fn is_plain_sed(script: &str) -> bool {
    let mut rest = script.trim_start_matches([' ', ';']);
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let Some(after) = sed_command(rest) else {
            return false;
        };
        rest = after.trim_start_matches([' ', ';']);
    }
    true
}

/// What follows the first command of `script`.
fn sed_command(script: &str) -> Option<&str> {
    let mut rest = sed_address(script)?;
    if let Some(second) = rest.strip_prefix(',') {
        rest = sed_address(second.trim_start_matches('+'))?;
    }
    rest = rest.trim_start_matches(['!', ' ']);
    let command = rest.chars().next()?;
    rest = rest.strip_prefix(command)?;
    match command {
        'p' | 'd' | '=' => Some(rest),
        'q' => Some(rest.trim_start_matches(|c: char| c.is_ascii_digit())),
        's' => {
            let delimiter = rest.chars().next().filter(char::is_ascii_punctuation)?;
            rest = until(rest.strip_prefix(delimiter)?, delimiter)?;
            rest = until(rest, delimiter)?;
            Some(rest.trim_start_matches(|c: char| "gpIi".contains(c) || c.is_ascii_digit()))
        }
        _ => None,
    }
    .filter(|rest| rest.is_empty() || rest.starts_with([';', ' ']))
}

/// What follows the address that `script` may begin with.
fn sed_address(script: &str) -> Option<&str> {
    match script.strip_prefix('/') {
        Some(pattern) => until(pattern, '/'),
        None => Some(script.trim_start_matches(|c: char| c == '$' || c.is_ascii_digit())),
    }
}

/// What follows the first `delimiter` of one line that no backslash stands before.
fn until(text: &str, delimiter: char) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => drop(chars.next()?),
            c if c == delimiter => return text.get(at + c.len_utf8()..),
            _ => {}
        }
    }
    None
}

/// `{print $1, $2}` and nothing else.
pub(super) fn is_plain_awk(program: &str) -> bool {
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
pub(super) fn is_this_machine(address: &str) -> bool {
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
