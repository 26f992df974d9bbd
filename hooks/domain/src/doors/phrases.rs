//! Phrases with gaps.
//!
//! A phrase is a row of words; `a/b` stands for either, `..` for up to four words of the same clause, and
//! where the language asks for it `word*` for every word that begins so.

use super::entries::List;
use super::tokens::{Token, is_noun, is_verb, shares_stem};

/// How many words a gap may hold.
const GAP: usize = 4;

/// How a word of a text is compared with one of a phrase.
pub(super) type Is = fn(&str, &str) -> bool;

/// English: every form of a verb, every plural.
pub(super) fn english(word: &str, part: &str) -> bool {
    shares_stem(word, part) && (is_noun(word, part) || is_verb(word, part))
}

/// Other languages: the word itself, or its beginning where the phrase says `word*`.
pub(super) fn exact(word: &str, part: &str) -> bool {
    match part.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == part,
    }
}

/// The first phrase of `list` in `words`, and the words that it matched.
pub(super) fn first<'w>(
    words: &'w [Token<'w>],
    list: &'static List,
    is: Is,
) -> Option<(&'static str, Vec<&'w Token<'w>>)> {
    first_but(words, list, is, |_| false)
}

/// As [`first`], without phrases whose following words are an exception.
pub(super) fn first_but<'w>(
    words: &'w [Token<'w>],
    list: &'static List,
    is: Is,
    is_exception: fn(&[Token<'_>]) -> bool,
) -> Option<(&'static str, Vec<&'w Token<'w>>)> {
    for (at, word) in words.iter().enumerate() {
        let Some(phrases) = list.starting(&word.word) else {
            continue;
        };
        let rest = words.get(at..)?;
        for phrase in phrases {
            if let Some((matched, length)) = matches(rest, phrase, is)
                && !is_exception(rest.get(length..)?)
            {
                return Some((phrase, matched));
            }
        }
    }
    None
}

/// True when `words` begin with `phrase`.
pub(super) fn begins(words: &[Token<'_>], phrase: &'static str) -> bool {
    read(words, phrase, exact, |_| {}).is_some()
}

/// The words at the beginning of `rest` that make `phrase`, gaps left out, and how many words it takes. No phrase
/// begins with a gap.
fn matches<'w>(
    rest: &'w [Token<'w>],
    phrase: &'static str,
    is: Is,
) -> Option<(Vec<&'w Token<'w>>, usize)> {
    // Most phrases of the same beginning are not there, and need no list of words.
    let length = read(rest, phrase, is, |_| {})?;
    let mut matched = Vec::new();
    read(rest, phrase, is, |word| matched.push(word))?;
    Some((matched, length))
}

/// How many words at the beginning of `rest` make `phrase`; each but those in gaps is handed to `take`.
fn read<'w>(
    rest: &'w [Token<'w>],
    phrase: &'static str,
    is: Is,
    mut take: impl FnMut(&'w Token<'w>),
) -> Option<usize> {
    let mut at = 0;
    let mut has_gap = false;
    for part in cut(phrase, b' ') {
        if part == ".." {
            has_gap = true;
            continue;
        }
        let reach = if has_gap { GAP } else { 0 };
        let mut word = rest.get(at)?;
        let mut step = 0;
        loop {
            // A gap stays in its clause; words that follow each other may be parted by a comma.
            if at > 0 && (word.starts || has_gap && word.breaks) {
                return None;
            }
            if is_either(&word.word, part, is) {
                break;
            }
            if step == reach {
                return None;
            }
            step += 1;
            word = rest.get(at + step)?;
        }
        take(word);
        at += step + 1;
        has_gap = false;
    }
    Some(at)
}

/// Whether `word` is one of those in `part`, which bars part.
fn is_either(word: &str, part: &'static str, is: Is) -> bool {
    cut(part, b'/').any(|either| is(word, either))
}

/// The parts of `text` between bars. On a few bytes `str::split` takes several times as long.
fn cut(text: &'static str, bar: u8) -> impl Iterator<Item = &'static str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(|byte| byte == bar);
        let (part, after) = text.split_at(end.unwrap_or(text.len()));
        rest = end.and_then(|_| after.get(1..));
        Some(part)
    })
}
