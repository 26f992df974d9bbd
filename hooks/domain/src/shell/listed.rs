//! Lists of words, parted by blanks.

/// True where `word` is one of the words of `list`.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    let mut words = list.as_bytes().split(|byte| *byte == b' ');
    !word.is_empty() && words.any(|one| one == word.as_bytes())
}
