//! Languages other than English that part their words: stems, and phrases.
//!
//! All are compared at once: a text does not say which language it is in. What is weak alone (verbs of
//! giving, sending, moving) needs a thing of the same language in the same text.

mod dutch;
mod french;
mod german;
mod italian;
mod language;
mod polish;
mod portuguese;
mod russian;
mod scripts;
mod spanish;
mod turkish;

pub(super) use scripts::first as first_in_script;

use language::Language;

use super::entries::{List, list};
use super::finding::{Finding, finding};
use super::phrases;
use super::tokens::{Role, Token};

/// Those that are written in Latin letters.
static LATIN: [&Language; 8] = [
    &german::WORDS,
    &french::WORDS,
    &spanish::WORDS,
    &portuguese::WORDS,
    &italian::WORDS,
    &dutch::WORDS,
    &polish::WORDS,
    &turkish::WORDS,
];

/// Short English words.
static ENGLISH: List = list!(
    " the should shall which what would with this these those your you and how where when from \
        have has could not it if my our they them does is are will want by of to for be or can may \
        we us on at a an in that there than any its within into only ",
);

/// The first rule of any language that matches, in one text after the other; a thing alone where that counts.
pub(super) fn first(words: &[Token<'_>], things_count: bool) -> Option<Finding> {
    let mut texts = words.chunk_by(|one, other| one.text == other.text);
    texts.find_map(|text| in_text(text, things_count))
}

/// True for a word, without accents, that destroys, changes or releases in one of the languages.
pub(super) fn knows(word: &str) -> bool {
    let mut languages = LATIN.into_iter().chain([&russian::WORDS]);
    languages.any(|language| {
        let lists = [&language.alone, &language.hard];
        lists.iter().any(|list| list.entry(word, is_stem).is_some())
    })
}

fn in_text(words: &[Token<'_>], things_count: bool) -> Option<Finding> {
    let count = |list: &'static List| words.iter().filter(|word| list.holds(&word.word)).count();
    let is_cyrillic = |word: &Token<'_>| word.word.starts_with(|c| matches!(c, 'а'..='я'));
    if words.iter().any(is_cyrillic) {
        let russian = &russian::WORDS;
        if let Some(found) = russian
            .strong(words)
            .or_else(|| russian.thing(words).filter(|_| things_count))
        {
            return Some(found);
        }
    }
    let latin = || LATIN.into_iter();
    let marks_of = LATIN.map(|language| count(&language.marks));
    let marks = marks_of.into_iter().max().unwrap_or_default();
    let english = count(&ENGLISH);
    if english > marks {
        return None;
    }
    let strong = latin().find_map(|language| language.strong(words));
    strong.or_else(|| {
        if !things_count || english == marks || marks == 0 {
            return None;
        }
        let mut likely = latin().zip(marks_of).filter(|(_, count)| *count == marks);
        likely.find_map(|(language, _)| language.thing(words))
    })
}

impl Language {
    /// Words and phrases that need no others.
    fn strong(&'static self, words: &[Token<'_>]) -> Option<Finding> {
        if let Some((stem, word)) = Self::entry(&self.alone, words) {
            return Some(finding(format!("word: {stem}"), [word]));
        }
        let phrase = phrases::first(words, &self.phrases, phrases::exact);
        let phrase = phrase.map(|(phrase, matched)| finding(format!("phrase: {phrase}"), matched));
        phrase.or_else(|| self.hard(words))
    }

    fn entry<'w>(
        list: &'static List,
        words: &'w [Token<'w>],
    ) -> Option<(&'static str, &'w Token<'w>)> {
        let free = words.iter().filter(|word| word.role != Role::Named);
        free.into_iter()
            .find_map(|word| Some((list.entry(&word.word, is_stem)?, word)))
    }

    fn hard(&'static self, text: &[Token<'_>]) -> Option<Finding> {
        let (stem, word) = Self::entry(&self.hard, text)?;
        let only_code =
            Self::entry(&self.code, text).is_some() && Self::entry(&self.things, text).is_none();
        (!only_code).then(|| finding(format!("word: {stem}"), [word]))
    }

    /// A thing in a text that is not about development.
    fn thing(&'static self, text: &[Token<'_>]) -> Option<Finding> {
        let (stem, word) = Self::entry(&self.things, text)?;
        let is_ordinary = [&self.ordinary, &self.code]
            .into_iter()
            .any(|list| Self::entry(list, text).is_some());
        (!is_ordinary).then(|| finding(format!("thing: {stem}"), [word]))
    }
}

/// True when `word` begins with `stem`, or is it, where the stem ends in `$`.
fn is_stem(word: &str, stem: &str) -> bool {
    match stem.strip_suffix('$') {
        Some(whole) => word == whole,
        None => word.starts_with(stem),
    }
}
