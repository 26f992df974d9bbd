//! Phrases: several words in a row, of which some may be parted by others.

use super::tokens::Token;
use crate::words::{Phrase, PhraseList};

/// How many words a gap may hold.
const GAP: usize = 4;

/// The first phrase of `list` in `words`.
pub(crate) fn first(words: &[Token<'_>], list: &PhraseList) -> Option<&'static str> {
    first_but(words, list, |_| false)
}

/// As [`first`], without phrases whose following words are an exception.
pub(crate) fn first_but(
    words: &[Token<'_>],
    list: &PhraseList,
    is_exception: fn(&[Token<'_>]) -> bool,
) -> Option<&'static str> {
    (0..words.len()).find_map(|at| {
        let rest = words.get(at..)?;
        let mut phrases = list.starting(&rest.first()?.stem).iter();
        let found = phrases.find(|phrase| {
            let length = length(rest, phrase);
            length.is_some_and(|length| !is_exception(rest.get(length..).unwrap_or_default()))
        });
        found.map(|phrase| phrase.text)
    })
}

/// The phrase of `list` that `words` begin with.
pub(crate) fn beginning(words: &[Token<'_>], list: &PhraseList) -> Option<&'static str> {
    let phrases = list.starting(&words.first()?.stem);
    let mut phrases = phrases.iter();
    let found = phrases.find(|phrase| length(words, phrase).is_some());
    found.map(|phrase| phrase.text)
}

/// How many words at the beginning of `words` make `phrase`.
fn length(words: &[Token<'_>], phrase: &Phrase) -> Option<usize> {
    let mut at = 0;
    for (stem, has_gap) in &phrase.parts {
        let reach = if *has_gap { GAP } else { 0 };
        let step = (0..=reach).find_map(|step| {
            let word = words.get(at + step)?;
            // A gap stays in its clause; words that follow each other may be parted by a comma.
            let is_parted = at > 0 && (word.starts || *has_gap && word.breaks);
            match (is_parted, word.stem == *stem) {
                (true, _) => Some(None),
                (false, true) => Some(Some(step)),
                (false, false) => None,
            }
        });
        at += step.flatten()? + 1;
    }
    Some(at)
}
