//! Lists of words, parted by blanks.

use memchr::memmem;

/// True where `word` is one of the words of `list`.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    let list = list.as_bytes();
    let is_end = |at: Option<usize>| {
        at.and_then(|at| list.get(at))
            .is_none_or(|byte| *byte == b' ')
    };
    !word.is_empty()
        && !word.contains(' ')
        && memmem::find_iter(list, word)
            .any(|at| is_end(at.checked_sub(1)) && is_end(Some(at + word.len())))
}
