//! What is known of a language.

use crate::doors::entries::List;

/// The words of one language, without accents. A word is a beginning of words, or with `$` at its end
/// all of one.
pub(in crate::doors) struct Language {
    /// Short words that identify the language.
    pub(super) marks: List,
    /// Makes a question one-way wherever it stands.
    pub(super) alone: List,
    /// Destroys: one-way, but with pieces of code alone in the same text.
    pub(super) hard: List,
    /// What any act endangers: alone one-way, where nothing of development stands beside it.
    pub(super) things: List,
    /// Pieces of code.
    pub(super) code: List,
    /// Question words and what development does: without one, a thing makes a question one-way.
    pub(super) ordinary: List,
    /// Phrases, one-way wherever they stand.
    pub(super) phrases: List,
}
