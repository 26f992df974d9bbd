//! The words of a text, as far as a search for secrets needs them. Signs are given as texts, and what they are compared
//! with is not inlined, so that there is one such function and not one a place: the hook is to stay small.

use std::ops::Range;

/// True where one command ends and another may begin.
pub(super) fn is_end(c: char) -> bool {
    matches!(c, ';' | '|' | '&' | '\n')
}

/// True for what an unquoted value does not hold.
pub(super) fn ends_value(c: char) -> bool {
    c.is_whitespace() || is_end(c) || "<>()'\"`$".contains(c)
}

/// True for what names of variables, fields and headers are made of.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-.%".contains(c)
}

/// What `text` begins with, up to one of `ends`; a blank before the others stands for every space.
pub(super) fn until<'t>(text: &'t str, ends: &str) -> &'t str {
    let is_end = |c: char| ends.contains(c) || (c.is_whitespace() && ends.starts_with(' '));
    text.split(is_end).next().unwrap_or_default()
}

/// What `text` ends with, behind the last of `signs`.
pub(super) fn behind_last<'t>(text: &'t str, signs: &str) -> &'t str {
    let is_sign = |c| signs.contains(c);
    text.rsplit(is_sign).next().unwrap_or_default()
}

/// True for a text that begins with one of `signs`.
pub(super) fn begins(text: &str, signs: &str) -> bool {
    text.starts_with(|c| signs.contains(c))
}

/// True for a text that ends with one of `signs`.
pub(super) fn ends(text: &str, signs: &str) -> bool {
    text.ends_with(|c| signs.contains(c))
}

/// `text` without `signs` at its start.
pub(super) fn without_start<'t>(text: &'t str, signs: &str) -> &'t str {
    text.trim_start_matches(|c| signs.contains(c))
}

/// True where `part` is in `text`.
pub(super) fn has(text: &str, part: &str) -> bool {
    text.contains(part)
}

/// True where `word` stands in `list`.
pub(super) fn holds(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Where the words of commands and code stand in `text`.
pub(super) fn words(text: &str) -> impl DoubleEndedIterator<Item = Range<usize>> {
    split(text, 0, |c| ends_value(c) || "\\{}[],".contains(c))
}

/// Where the words of sentences stand in `text`, which begins at `start`: between blanks, quotes, brackets, and letters
/// of scripts that have none.
pub(super) fn spaced(text: &str, start: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    split(text, start, |c| {
        c.is_whitespace()
            || ('\u{2E80}'..'\u{FF00}').contains(&c)
            || "\"'`„“”«»‘’()[]{},".contains(c)
    })
}

fn split(
    text: &str,
    start: usize,
    is_between: fn(char) -> bool,
) -> impl DoubleEndedIterator<Item = Range<usize>> {
    // Most characters are letters, which is the quickest check.
    let is_between = move |c: char| !c.is_ascii_alphanumeric() && is_between(c);
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(move |word| {
        let at = start + word.as_ptr() as usize - text.as_ptr() as usize;
        at..at + word.len()
    })
}
