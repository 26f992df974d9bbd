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

/// The first rule of any language that matches, in one text after the other.
pub(super) fn first(words: &[Token<'_>]) -> Option<Finding> {
    let mut texts = words.chunk_by(|one, other| one.text == other.text);
    texts.find_map(in_text)
}

fn in_text(words: &[Token<'_>]) -> Option<Finding> {
    let is_naming_any = words.chunk_by(|_, next| !next.starts).any(is_naming);
    if is_naming_any {
        let sentences = words.chunk_by(|_, next| !next.starts);
        let others: Vec<Token<'_>> = sentences
            .filter(|one| !is_naming(one))
            .flatten()
            .cloned()
            .collect();
        return in_words(&others);
    }
    in_words(words)
}

/// What a sentence begins with that asks for a name.
static NAMING: List = list!(
    "|comment nommer|comment appeler|quel nom|comment s appelle|wie soll .. heissen|\
    welchen namen|como llamar|como llamamos|que nombre|como chamar|como nomear|que nome|\
    qual nome|come chiamare|come chiamiamo|che nome|quale nome|как назвать|как называть|\
    как назовем|какое имя|какое название|jak nazwac|jaka nazwe|hoe noem*|welke naam|\
    vad ska .. heta|vilket namn|hangi isim|",
);

/// True for "Как назвать тест для удаления?": one clause, in which a name is asked for and nothing else.
fn is_naming(sentence: &[Token<'_>]) -> bool {
    const LONGEST: usize = 16;
    let joins = |word: &Token<'_>| {
        matches!(
            word.word.as_ref(),
            "et" | "und" | "y" | "e" | "и" | "i" | "en" | "och" | "ve"
        )
    };
    sentence.len() <= LONGEST
        && sentence
            .iter()
            .skip(1)
            .all(|word| !word.breaks && !joins(word))
        && sentence.first().is_some_and(|first| {
            let mut naming = NAMING.starting(&first.word).into_iter().flatten();
            naming.any(|phrase| phrases::begins(sentence, phrase))
        })
}

fn in_words(words: &[Token<'_>]) -> Option<Finding> {
    let count = |list: &'static List| words.iter().filter(|word| list.holds(&word.word)).count();
    let is_cyrillic = |word: &Token<'_>| word.word.starts_with(|c| matches!(c, 'а'..='я'));
    if words.iter().any(is_cyrillic) {
        let russian = &russian::WORDS;
        if let Some(found) = russian.strong(words).or_else(|| russian.weak(words, true)) {
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
        if english > 0 && english == marks {
            return None;
        }
        let mut likely = latin().zip(marks_of).filter(|(_, count)| *count == marks);
        likely.find_map(|(language, _)| language.weak(words, marks > 0))
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

    /// Pairs, and where the text is known to be of this language things alone.
    fn weak(&'static self, words: &[Token<'_>], is_known: bool) -> Option<Finding> {
        self.pair(words)
            .or_else(|| self.thing(words).filter(|_| is_known))
            .or_else(|| self.time(words).filter(|_| is_known))
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

    /// True for what is about development.
    fn is_ordinary(&'static self, text: &[Token<'_>]) -> bool {
        let mut lists = [&self.ordinary, &self.code].into_iter();
        lists.any(|list| Self::entry(list, text).is_some())
    }

    /// A thing in a text that is not about development.
    fn thing(&'static self, text: &[Token<'_>]) -> Option<Finding> {
        let (stem, word) = Self::entry(&self.things, text)?;
        (!self.is_ordinary(text)).then(|| finding(format!("thing: {stem}"), [word]))
    }

    /// A time in a sentence that is not about development.
    fn time(&'static self, text: &[Token<'_>]) -> Option<Finding> {
        text.chunk_by(|_, next| !next.starts).find_map(|sentence| {
            let (stem, word) = Self::entry(&self.times, sentence)?;
            (!self.is_ordinary(sentence)).then(|| finding(format!("time: {stem}"), [word]))
        })
    }

    fn pair(&'static self, text: &[Token<'_>]) -> Option<Finding> {
        let verb = Self::entry(&self.verbs, text)?;
        let thing = Self::entry(&self.things, text)?;
        (!std::ptr::eq(verb.1, thing.1))
            .then(|| finding(format!("pair: {} × {}", verb.0, thing.0), [verb.1, thing.1]))
    }
}

/// True when `word` begins with `stem`, or is it, where the stem ends in `$`.
fn is_stem(word: &str, stem: &str) -> bool {
    match stem.strip_suffix('$') {
        Some(whole) => word == whole,
        None => word.starts_with(stem),
    }
}
