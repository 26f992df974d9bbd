//! Secrets in what is written down: passwords, tokens and keys become [`MASK`], everything else stays as it was.
//! What is known of them is a table, a line of data each (`rules.rs`): names, the words of programs that are given
//! one, how tokens begin. What is said to be a secret is one whatever it looks like; what is only near has to look
//! like one. A mask is one plain word, never covers an operator of the shell, and leaves substitutions alone, so that
//! what is left still says what a command does; a question that only speaks of passwords stays whole, but what is
//! typed in reply to it does not (`asked.rs`).

mod asked;
mod commands;
mod fields;
mod key;
mod names;
mod rules;
mod sentences;
mod shapes;
#[cfg(test)]
mod tests;
mod values;
mod words;

use std::borrow::Cow;

pub(crate) use asked::asks_for_secret;
pub use key::Key;
use values::Found;

/// `typed`, what somebody typed in reply to a question of this `text`, without its secrets: masked whole where the
/// question names one.
pub fn masked_reply<'t>(text: &str, typed: &'t str) -> Cow<'t, str> {
    match asked::names_secret(text) {
        true => MASK.into(),
        false => masked(typed),
    }
}

/// What stands in place of a secret.
pub const MASK: &str = "MASKED";

/// `text` with its secrets masked; masked once more it is the same.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut found = Found::new(text);
    found.fields();
    found.commands();
    found.sentences();
    found.addresses();
    found.tokens();
    found.phrases();
    found.replaced()
}
