//! Phrases with gaps.
//!
//! A phrase is a row of words; `a/b` stands for either, `..` for up to four words of the same clause, and
//! where the language asks for it `word*` for every word that begins so.

use super::entries::List;
use super::tokens::{Token, is_noun, is_verb};

/// How many words a gap may hold.
const GAP: usize = 4;

/// How a word of a text is compared with one of a phrase.
pub(super) type Is = fn(&str, &str) -> bool;

/// English: every form of a verb, every plural.
pub(super) fn english(word: &str, part: &str) -> bool {
    is_noun(word, part) || is_verb(word, part)
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
    words: &'w [Token],
    list: &'static List,
    is: Is,
) -> Option<(&'static str, Vec<&'w Token>)> {
    first_but(words, list, is, |_| false)
}

/// As [`first`], without phrases whose following words are an exception.
pub(super) fn first_but<'w>(
    words: &'w [Token],
    list: &'static List,
    is: Is,
    is_exception: fn(&[Token]) -> bool,
) -> Option<(&'static str, Vec<&'w Token>)> {
    words.iter().enumerate().find_map(|(at, word)| {
        let rest = words.get(at..)?;
        list.starting(&word.word).find_map(|phrase| {
            let (matched, length) = matches(rest, phrase, is)?;
            (!is_exception(rest.get(length..)?)).then_some((phrase, matched))
        })
    })
}

/// The words at the beginning of `rest` that make `phrase`, gaps left out, and how many words it takes.
fn matches<'w>(rest: &'w [Token], phrase: &'static str, is: Is) -> Option<(Vec<&'w Token>, usize)> {
    let mut matched: Vec<&Token> = Vec::new();
    let mut at = 0;
    let mut has_gap = false;
    for part in pieces(phrase, b' ') {
        if part == ".." {
            has_gap = true;
            continue;
        }
        let is_part = |word: &Token| pieces(part, b'/').any(|either| is(&word.word, either));
        let reach = if has_gap { GAP } else { 0 };
        let window = rest.get(at..)?.iter().take(reach + 1);
        // A gap stays in its clause; words that follow each other may be parted by a comma.
        let clause = window.enumerate().take_while(|(step, word)| {
            !(word.starts || has_gap && *step > 0 && word.breaks) || at + step == 0
        });
        let (step, word) = clause.into_iter().find(|(_, word)| is_part(word))?;
        matched.push(word);
        at += step + 1;
        has_gap = false;
    }
    Some((matched, at))
}

/// The pieces of `text` between the bytes `bar`; quicker than a search where they are short.
fn pieces(text: &'static str, bar: u8) -> impl Iterator<Item = &'static str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let end = whole.bytes().position(|byte| byte == bar);
        rest = end.and_then(|end| whole.get(end + 1..));
        end.map_or(Some(whole), |end| whole.get(..end))
    })
}
