//! Words of which people make the names of classes, fields and files: what consists of them is no password.

use super::words::ODD;
use crate::tsv::{TsvFile, lines, starts};

const FILE: &str = include_str!("identifiers.tsv");

/// Words of which the names of identifiers are made, in lower case; `head` stands behind those that make the name of a
/// secret the name of something else: `password policy`.
static WORDS: TsvFile = TsvFile::new(FILE, &starts::<{ lines(FILE) }>(FILE));

pub(super) fn is_of_identifiers(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_known = |word: &str| !WORDS.of_words(word).is_empty();
    word.len() > 1 && (is_known(&word) || is_known(word.trim_end_matches('s')))
}

/// True for a word that makes the name of a secret the name of something else.
pub(super) fn is_head(word: &str) -> bool {
    let mut found = WORDS.of_words(word);
    found.any(|at| WORDS.line(at).1 == "head")
}

/// The words of which `text` is made: `my`, `Token` and `v` of `myToken_v2`.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphabetic());
    words.filter(|word| !word.is_empty()).flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let mut last = rest.chars().next()?;
            let hump = rest.char_indices().skip(1).find(|(at, c)| {
                let next = rest.get(at + c.len_utf8()..).unwrap_or_default();
                // `my` `Token`, `DB` `Name`
                let is_hump = c.is_uppercase()
                    && (last.is_lowercase() || next.starts_with(char::is_lowercase));
                last = *c;
                is_hump
            });
            let (part, behind) = rest.split_at(hump.map_or(rest.len(), |(at, _)| at));
            rest = behind;
            Some(part)
        })
    })
}

/// True for a word that has a word of which identifiers are made as a part, and neither an odd sign nor a year.
pub(super) fn is_identifier(word: &str) -> bool {
    let is_chosen = word.contains(|c| ODD.contains(c))
        || word.len() - word.trim_end_matches(|c: char| c.is_ascii_digit()).len() > 3
            && word.contains(char::is_lowercase);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    !is_chosen && letters >= 3 * parts(word).count() && parts(word).any(is_of_identifiers)
}
