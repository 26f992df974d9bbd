//! The words of a text, as far as a search for secrets needs them.

use std::ops::Range;

/// True where one command ends and another may begin.
pub(super) fn is_end(c: char) -> bool {
    matches!(c, ';' | '|' | '&' | '\n')
}

/// True for what no word of [`words`] holds.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || is_end(c) || "<>()'\"`$\\{}[],".contains(c)
}

/// True for what an unquoted value does not hold.
pub(super) fn ends_value(c: char) -> bool {
    c.is_whitespace() || is_end(c) || "<>()'\"`$".contains(c)
}

/// True for what names of variables, fields and headers are made of.
pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '%')
}

/// True for what follows `$` in the name of a variable.
pub(super) fn is_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '{' | '}')
}

/// One bit for the two letters or digits that a word begins with, capitals as small ones.
const fn beginning(one: u8, other: u8) -> u64 {
    let (one, other) = (
        one.to_ascii_lowercase() as u32,
        other.to_ascii_lowercase() as u32,
    );
    1 << ((one * 31 + other) % 64)
}

/// The bits of how the words of `list` begin, up to its first blank: most texts have none of them, which is known without
/// a look at the words. All bits where one begins otherwise than with two letters or digits.
#[allow(clippy::indexing_slicing, reason = "the compiler checks the bounds")]
pub(super) const fn beginnings_of(list: &str) -> u64 {
    let (bytes, mut at, mut bits) = (list.as_bytes(), 0, 0);
    let mut starts = true;
    while at < bytes.len() && bytes[at] != b' ' {
        if starts && bytes[at] != b'^' {
            let is_pair = at + 1 < bytes.len()
                && bytes[at].is_ascii_alphanumeric()
                && bytes[at + 1].is_ascii_alphanumeric();
            if !is_pair {
                return u64::MAX;
            }
            bits |= beginning(bytes[at], bytes[at + 1]);
            starts = false;
        }
        starts = starts && bytes[at] == b'^' || bytes[at] == b'|';
        at += 1;
    }
    bits
}

/// The bits of how the words in `text` begin.
pub(super) fn beginnings_in(text: &str) -> u64 {
    let (mut before, mut bits) = (0, 0);
    let next = text.bytes().skip(1).chain(std::iter::once(0));
    for (byte, next) in text.bytes().zip(next) {
        if !u8::is_ascii_alphanumeric(&before) {
            bits |= beginning(byte, next);
        }
        before = byte;
    }
    bits
}

/// `text` without the spaces that it begins with. Not inlined, as what follows: the hook is to stay small.
#[inline(never)]
pub(super) fn unspaced(text: &str) -> &str {
    without_start(text, " \t")
}

/// True for what begins with a quote.
#[inline(never)]
pub(super) fn is_quoted(text: &str) -> bool {
    begins(text, "\"'")
}

/// What `text` begins with, up to one of `ends`; a blank among them stands for every space. Signs are given as texts
/// here and below, so that there is one such function and not one a place.
#[inline(never)]
pub(super) fn until<'t>(text: &'t str, ends: &str) -> &'t str {
    let is_end = |c: char| ends.contains(c) || (c.is_whitespace() && ends.starts_with(' '));
    text.split(is_end).next().unwrap_or_default()
}

/// What `text` ends with, behind the last of `signs`.
#[inline(never)]
pub(super) fn behind_last<'t>(text: &'t str, signs: &str) -> &'t str {
    text.rsplit(|c| signs.contains(c))
        .next()
        .unwrap_or_default()
}

/// True for a text that begins with one of `signs`.
#[inline(never)]
pub(super) fn begins(text: &str, signs: &str) -> bool {
    text.chars().next().is_some_and(|c| signs.contains(c))
}

/// True for a text that ends with one of `signs`.
#[inline(never)]
pub(super) fn ends(text: &str, signs: &str) -> bool {
    text.chars().next_back().is_some_and(|c| signs.contains(c))
}

/// `text` without `signs` at its start.
#[inline(never)]
pub(super) fn without_start<'t>(text: &'t str, signs: &str) -> &'t str {
    text.trim_start_matches(|c| signs.contains(c))
}

/// `text` without `signs` at its end.
#[inline(never)]
pub(super) fn without_end<'t>(text: &'t str, signs: &str) -> &'t str {
    text.trim_end_matches(|c| signs.contains(c))
}

/// True where `part` is in `text`.
#[inline(never)]
pub(super) fn has(text: &str, part: &str) -> bool {
    text.contains(part)
}

/// Where `part` stands in `text`.
#[inline(never)]
pub(super) fn places(text: &str, part: &str) -> Vec<usize> {
    text.match_indices(part).map(|(at, _)| at).collect()
}

/// True where `word` stands in `list`.
#[inline(never)]
pub(super) fn holds(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Where the words of `text` stand.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split(is_separator).filter_map(move |word| {
        let range = at..at + word.len();
        // Separators are one byte or more; whitespace may be three.
        at = range.end
            + text
                .get(range.end..)?
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        (!word.is_empty()).then_some(range)
    })
}

/// In which quotes a byte of a command stands.
#[derive(Default)]
pub(super) struct Quotes {
    open: Option<u8>,
    is_escaped: bool,
}

impl Quotes {
    /// Goes past `byte`, the next one.
    pub(super) fn pass(&mut self, byte: u8) {
        if self.is_escaped {
            self.is_escaped = false;
            return;
        }
        match (byte, self.open) {
            (b'\\', None | Some(b'"')) => self.is_escaped = true,
            (b'\'' | b'"', None) => self.open = Some(byte),
            (byte, Some(open)) if byte == open => self.open = None,
            _ => {}
        }
    }

    /// True outside of quotes.
    pub(super) fn are_closed(&self) -> bool {
        self.open.is_none()
    }

    /// True when `rest`, what follows, begins with the end of the quoted text, and not with a quoted value.
    /// An apostrophe may have been taken for a quote: what goes on in the same word is a value after all.
    pub(super) fn close(&self, rest: &str) -> bool {
        let after = self
            .open
            .and_then(|quote| rest.strip_prefix(char::from(quote)));
        after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
    }
}
