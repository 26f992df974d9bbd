//! What the signs share.

/// What a sign is called, and the part of the text that is one.
pub(super) type Sign = (String, String);

/// True when one of `words` stands in `text` as a word.
pub(super) fn has_word(text: &str, words: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| !word.is_empty() && words.split_ascii_whitespace().any(|one| one == word))
}
