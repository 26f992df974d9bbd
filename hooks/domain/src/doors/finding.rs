//! Why a question is one-way, as the rules report it.

use super::tokens::Token;

/// Why a question is one-way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule: `pair: delete × table`, `verb: publish`, `object: secret`, `phrase: force push`,
    /// `word: 삭제`.
    pub reason: String,
    /// The words that it matched.
    pub matched: Vec<Matched>,
}

/// A word that a rule matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// Which of the texts it stands in.
    pub text: usize,
    /// The word, in lower case.
    pub word: String,
}

/// What a rule of this `reason` reports of the words that it matched.
pub(super) fn finding<'w>(
    reason: String,
    words: impl IntoIterator<Item = &'w Token<'w>>,
) -> Finding {
    let matched = |token: &Token<'_>| Matched {
        text: token.text,
        word: token.word.to_string(),
    };
    Finding {
        reason,
        matched: words.into_iter().map(matched).collect(),
    }
}
