//! Names that say that a secret stands beside them, in the languages that plantune reads questions in.

use std::ops::Range;

use super::table::{Table, lines, starts};
use super::words::without_start;
use crate::text::without_accents;

const FILE: &str = include_str!("names.tsv");

/// Names as [`letter`] reads them, a blank for whatever stands between their words; how they name a secret in a sentence,
/// its shape in a field (`any`, `list`: `a=1; b=2`, `map`: names and values, `-`: none), and whether the name stands at the
/// `start` or `end` of a word or is a whole `word`. In a sentence, a name
///
/// - `asks`, and nothing says so: what is made up near it is meant, and a question with it asks for one
/// - `capitals`: a question with it asks for one where it is in capitals
/// - `tied`: what is made up near it is meant
/// - `loose`: only what is next to it
/// - `sign`: only what is next to it and has a sign between
/// - `field`: says nothing
/// - `none`: is one of nothing at all: `compass`
///
/// Behind `path`, of an address, whatever follows is one, and behind `login` a user and a password.
static NAMES: Table = Table::new(FILE, &starts::<{ lines(FILE) }>(FILE));

/// A name in a text.
pub(super) struct Name {
    pub(super) range: Range<usize>,
    pub(super) shape: &'static str,
    pub(super) sentence: &'static str,
}

/// The names in `text`, one behind the other.
pub(super) fn names(text: &str) -> impl Iterator<Item = Name> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = next(text, at)?;
        at = found.range.end;
        Some(found)
    })
}

/// The first name that begins at `at` or later. Not inlined: the hook is to stay small.
#[inline(never)]
fn next(text: &str, at: usize) -> Option<Name> {
    (at..text.len()).find_map(|at| name_at(text, at))
}

/// The longest name that begins at `at`.
fn name_at(text: &str, at: usize) -> Option<Name> {
    let is_there = |name: &str| matched(name, text, at).is_some();
    let rows = NAMES.rows(pair(text, at)?, &is_there).into_iter();
    let found = rows.filter_map(|[name, sentence, shape, edges]| {
        let end = matched(name, text, at)?;
        let starts_word = matches!(edges, "start" | "word");
        let ends_word = matches!(edges, "end" | "word");
        let is_it = (!starts_word || is_edge(text, at)) && (!ends_word || is_edge(text, end));
        let or = |column: &'static str, usual| if column.is_empty() { usual } else { column };
        is_it.then_some(Name {
            range: at..end,
            shape: or(shape, "any"),
            sentence: or(sentence, "asks"),
        })
    });
    found.max_by_key(|name| name.range.end)
}

/// The first two bytes of the text at `at` as they are in a table; `None` within a character.
pub(super) fn pair(text: &str, at: usize) -> Option<[u8; 2]> {
    if let Some([one, other]) = text.as_bytes().get(at..at + 2)
        && one.is_ascii()
        && other.is_ascii()
        && *one != b'%'
        && *other != b'%'
    {
        return Some([one.to_ascii_lowercase(), other.to_ascii_lowercase()]);
    }
    let (one, next) = letter(text, at)?;
    let mut bytes = [0; 8];
    let length = one.encode_utf8(&mut bytes).len();
    if let Some((other, _)) = letter(text, next) {
        other.encode_utf8(bytes.get_mut(length..)?);
    }
    Some([bytes[0], bytes[1]])
}

/// The letter of the text at `at`, small and without accents, and where the next one begins; `%41` of an address is one.
fn letter(text: &str, at: usize) -> Option<(char, usize)> {
    let mut letters = text.get(at..)?.char_indices();
    let (before, c) = letters.find(|(_, c)| !('\u{300}'..'\u{370}').contains(c))?;
    let start = at + before + c.len_utf8();
    let code = text.get(start..start + 2).filter(|_| c == '%');
    if let Some(code) = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        return Some((char::from(code.to_ascii_lowercase()), start + 2));
    }
    let small = c.to_lowercase().next()?;
    if !('\u{80}'..'\u{250}').contains(&small) {
        return Some((small, start));
    }
    let plain = without_accents(small.encode_utf8(&mut [0; 4]))
        .chars()
        .next();
    Some((plain.unwrap_or(small), start))
}

/// Where `name` ends if it stands in `text` at `at`.
fn matched(name: &str, text: &str, at: usize) -> Option<usize> {
    name.chars().try_fold(at, |at, wanted| match wanted {
        ' ' => Some(text.len() - without_start(text.get(at..)?, " _-.'’/").len()),
        _ => {
            let (letter, next) = letter(text, at)?;
            (letter == wanted).then_some(next)
        }
    })
}

/// True where a word begins or ends: `xToken`, `token2`.
fn is_edge(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let (Some(before), Some(after)) = (before.chars().next_back(), after.chars().next()) else {
        return true;
    };
    let is_hump = before.is_lowercase() && after.is_uppercase();
    !before.is_alphanumeric() || !after.is_alphabetic() || is_hump
}

/// True for a text that names a secret.
pub(super) fn names_secret(text: &str) -> bool {
    let is_small = |range: Range<usize>| {
        text.get(range)
            .unwrap_or_default()
            .contains(char::is_lowercase)
    };
    names(text).any(|name| match name.sentence {
        "capitals" => !is_small(name.range),
        sentence => sentence == "asks",
    })
}

/// True where `word`, the name of a variable or a field, ends with the name of a secret.
pub(super) fn is_of_secret(word: &str) -> bool {
    names(word).any(|name| name.shape == "any" && name.range.end == word.len())
}
