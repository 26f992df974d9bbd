//! Names that say that their value is a secret.

use super::rules::{NAMES, NUMBER_NAMES, OTHER_NAMES, WEAK_NAMES};
use super::words::holds;

/// How surely a name says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// Not at all.
    None,
    /// Its value is one where it looks like one: `key`, `sig`.
    Weak,
    /// Its value is one where it is a number: `cvv`.
    Number,
    /// `password`, `GITHUB_TOKEN`, `apiKey`
    Strong,
    /// The same in a name that only a header of HTTP has: `X-Api-Key`.
    Header,
    /// A scheme and a secret.
    Authorization,
    /// A list of names and secrets.
    Cookie,
}

/// How surely `name` says that its value is a secret.
pub(super) fn strength(name: &str) -> Strength {
    if name.contains('%') {
        return strength(&decoded(name));
    }
    if !(2..=100).contains(&name.len()) {
        return Strength::None;
    }
    let is_separator = |c: char| matches!(c, '_' | '-' | '.');
    let mut lower = name.to_ascii_lowercase();
    lower.retain(|c| !is_separator(c));
    let last = name.rsplit(is_separator).next().unwrap_or_default();
    if holds(OTHER_NAMES, name)
        || holds(OTHER_NAMES, &lower)
        || lower.starts_with("ask")
        || name.starts_with("no-")
    {
        return Strength::None;
    }
    if lower.ends_with("authorization") {
        return Strength::Authorization;
    }
    if lower.ends_with("cookie") {
        return Strength::Cookie;
    }
    let is_variable = !name.contains(|c: char| c.is_ascii_lowercase());
    let is_strong = NAMES.split(' ').any(|end| lower.ends_with(end));
    if is_strong || (is_variable && last == "KEY" && name != "KEY") {
        let is_header = name.contains('-') && name.starts_with(|c: char| c.is_ascii_uppercase());
        return if is_header || lower.starts_with('x') && name.contains('-') {
            Strength::Header
        } else {
            Strength::Strong
        };
    }
    let last = last.to_ascii_lowercase();
    if holds(NUMBER_NAMES, &last) || holds(NUMBER_NAMES, &lower) {
        return Strength::Number;
    }
    if holds(WEAK_NAMES, &last) || name.ends_with("Key") {
        return Strength::Weak;
    }
    Strength::None
}

/// `name` of an address without its `%41`.
fn decoded(name: &str) -> String {
    let mut parts = name.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.get(..2).unwrap_or_default();
        decoded.extend(u8::from_str_radix(digits, 16).ok().map(char::from));
        decoded.push_str(part.get(2..).unwrap_or_default());
    }
    decoded
}

/// The length of the scheme that `text` begins with (`Bearer `).
pub(super) fn has_scheme(text: &str) -> Option<usize> {
    const SCHEMES: &str = "bearer basic token digest apikey key bot negotiate geniekey";
    let (scheme, rest) = text.split_once(' ')?;
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    holds(SCHEMES, &scheme.to_ascii_lowercase()).then_some(scheme.len() + 1 + spaces)
}

/// True when `value` is no secret whatever it is called: nothing, a word of a configuration, a path.
pub(super) fn is_plain(value: &str) -> bool {
    const WORDS: &str = "true false null none nil yes no on off string required optional undefined str bytes number any await \
        lax strict stdin masked";
    // `docker build --secret id=…` names a secret, and tells none.
    const STARTS: &str = "./ ../ ~/ @ { % id= type= file: env: fd: process.env os.environ";
    let word = value.trim_end_matches('?').to_ascii_lowercase();
    let is_path =
        value.starts_with('/') && value.matches('/').count() > 1 && !value.contains(['+', '=']);
    value.is_empty()
        || is_path
        || holds(WORDS, &word)
        || STARTS.split(' ').any(|start| value.starts_with(start))
}
