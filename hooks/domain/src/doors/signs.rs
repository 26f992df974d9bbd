//! Signs that need no vocabulary of acts: commands, SQL, money, addresses, paths, versions.

mod code;
mod money;
mod places;

use super::matching::{Finding, Matched};

/// The first sign in `text`, the one numbered `number`. `folded` is the text as the words see it.
pub(super) fn first(number: usize, text: &str, folded: &str) -> Option<Finding> {
    let (kind, what) = code::first(text)
        .or_else(|| money::first(folded))
        .or_else(|| places::first(folded))?;
    Some(Finding {
        reason: format!("sign: {kind}"),
        matched: vec![Matched {
            text: number,
            word: what,
        }],
    })
}

/// What a sign is called, and the part of the text that is one.
type Sign = (String, String);

/// True when one of `words` stands in `text` as a word.
fn has_word(text: &str, words: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| !word.is_empty() && words.split_ascii_whitespace().any(|one| one == word))
}
