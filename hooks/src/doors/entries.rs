//! Looking words up in the lists.

use memchr::memmem;

/// The entry of `list` (entries of one word) of which `word` is a form, as `is` tells.
pub(super) fn entry(
    list: &'static str,
    word: &str,
    is: fn(&str, &str) -> bool,
) -> Option<&'static str> {
    starting(list, b' ', word).find(|entry| is(word, entry))
}

/// True when `word` itself is an entry of `list`.
pub(super) fn holds(list: &'static str, word: &str) -> bool {
    entry(list, word, |word, entry| word == entry).is_some()
}

/// The entries of `list`, parted by `bar`, that start like `word`: every form of a word keeps its
/// first two letters.
pub(super) fn starting<'w>(
    list: &'static str,
    bar: u8,
    word: &'w str,
) -> impl Iterator<Item = &'static str> + use<'w> {
    let mut needle = [bar; 3];
    for (byte, letter) in needle.iter_mut().skip(1).zip(word.bytes()) {
        *byte = letter;
    }
    let length = 1 + word.len().min(2);
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = list.as_bytes().get(from..)?;
        let at = from + memmem::find(rest, needle.get(..length)?)? + 1;
        let entry = list.get(at..)?.split(char::from(bar)).next()?;
        from = at;
        Some(entry)
    })
}
