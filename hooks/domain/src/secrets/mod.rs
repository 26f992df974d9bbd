//! Secrets in what is written down: passwords, tokens and keys become [`MASK`], everything else stays as it was.
//! What is known of them are files, a line a rule: names (`names.tsv`), what programs are given (`programs.tsv`), how
//! tokens begin (`tokens.tsv`). What is said to be a secret is one whatever it looks like; what is only near has to look
//! like one. A mask is one plain word, never covers an operator of the shell, and leaves substitutions alone, so that
//! what is left still says what a command does; a question that only speaks of passwords stays whole, but what is
//! typed in reply to it does not.

mod fields;
mod key;
mod names;
mod programs;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
mod tokens;
mod values;
mod words;

use std::borrow::Cow;

use crate::wire::SentQuestion;
pub use key::Key;
use values::Found;

/// What stands in place of a secret.
pub const MASK: &str = "MASKED";

/// `text` with its secrets masked; masked once more it is the same.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut found = Found::new(text);
    found.programs();
    found.names();
    found.addresses();
    found.tokens();
    found.cards();
    found.phrases();
    found.replaced()
}

/// `typed`, what somebody typed in reply to a question of this `text`, without its secrets: masked whole where the
/// question names one.
pub fn masked_reply<'t>(text: &str, typed: &'t str) -> Cow<'t, str> {
    match names::names_secret(text) {
        true => MASK.into(),
        false => masked(typed),
    }
}

/// True when the text, the header or a label of `question` names a secret, which an answer in words may then be.
pub(crate) fn asks_for_secret(question: &SentQuestion) -> bool {
    let texts = [&question.text, &question.context].into_iter();
    let texts = texts.chain(&question.header).chain(&question.options);
    texts.map(String::as_str).any(names::names_secret)
}
