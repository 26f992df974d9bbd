//! Patterns with `*`, and how rules with them are read.

/// How a rule is read where the host's reading is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Only what is certain counts.
    Certain,
    /// All that is possible counts.
    Possible,
}

/// True when `pattern`, in which `*` is any run of characters, is all of `text`.
pub fn wildcard(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some((_, after)) = text.split_once(part) else {
            return part.is_empty();
        };
        text = if part.is_empty() { text } else { after };
    }
    true
}
