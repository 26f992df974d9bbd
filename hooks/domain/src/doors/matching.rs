//! Matching the door rules against a question: which rule, and which words.

use super::entries::{List, Pairs};
use super::lists::{
    ALWAYS, CRITICAL_OBJECTS, HARD_VERBS, NEVER_TOUCHED, ORDINARY_OBJECTS, PASSIVE, PHRASES,
    PRONOUNS, SOFT_VERBS, STEMS,
};
use super::tokens::{Role, Token, is_noun, is_stop, is_verb, tokens};

/// How far behind a changing verb its object may stand: "change the default *role* …".
const REACH: usize = 4;

/// Why a question is one-way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule: `pair: delete × table`, `verb: publish`, `object: secret`, `phrase: force push`,
    /// `word: 삭제`.
    pub reason: String,
    /// The words that it matched.
    pub matched: Vec<Matched>,
}

/// A word that a rule matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// Which of the texts it stands in.
    pub text: usize,
    /// The word, in lower case.
    pub word: String,
}

/// What makes `texts` (question, header, chosen option) one-way; `None` when no rule matches.
pub fn find(texts: &[&str]) -> Option<Finding> {
    stem(texts).or_else(|| {
        let mut words = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            words.extend(tokens(number, text));
        }
        words.retain(|word| word.role != Role::Named);
        phrase(&words)
            .or_else(|| alone(&words, &ALWAYS, "verb", is_verb))
            .or_else(|| alone(&words, &NEVER_TOUCHED, "object", is_noun))
            .or_else(|| hard_pair(&words, &CRITICAL_OBJECTS, Role::Mild))
            .or_else(|| hard_pair(&words, &ORDINARY_OBJECTS, Role::Free))
            .or_else(|| glued(&words))
            .or_else(|| soft_pair(&words))
    })
}

fn finding<'w>(reason: String, words: impl IntoIterator<Item = &'w Token>) -> Finding {
    let matched = |token: &Token| Matched {
        text: token.text,
        word: token.word.clone(),
    };
    Finding {
        reason,
        matched: words.into_iter().map(matched).collect(),
    }
}

/// Word stems of other languages, found inside words, because not every language parts its words.
fn stem(texts: &[&str]) -> Option<Finding> {
    texts.iter().enumerate().find_map(|(text, written)| {
        let lower = written.to_lowercase();
        let mut there = Pairs::NONE;
        for pair in lower.as_bytes().windows(2) {
            if let [one, other] = *pair {
                there.add(one, other);
            }
        }
        let stem = STEMS.split('|').find(|stem| match *stem.as_bytes() {
            [one, other, ..] => there.has(one, other) && lower.contains(stem),
            _ => false,
        })?;
        Some(Finding {
            reason: format!("word: {stem}"),
            matched: vec![Matched {
                text,
                word: stem.to_owned(),
            }],
        })
    })
}

fn phrase(words: &[Token]) -> Option<Finding> {
    words.iter().enumerate().find_map(|(at, first)| {
        let rest = words.get(at..)?;
        PHRASES.starting(&first.word).find_map(|phrase| {
            let parts = phrase.split(' ');
            let window = rest.get(..parts.clone().count())?;
            let is_part = |(word, part): (&Token, &str)| {
                is_noun(&word.word, part) || is_verb(&word.word, part)
            };
            let all = window.iter().zip(parts).all(is_part);
            all.then(|| finding(format!("phrase: {phrase}"), window.iter()))
        })
    })
}

fn alone(
    words: &[Token],
    list: &'static List,
    kind: &str,
    is: fn(&str, &str) -> bool,
) -> Option<Finding> {
    let (entry, word) = first_of(words, list, is)?;
    Some(finding(format!("{kind}: {entry}"), [word]))
}

fn first_of<'w>(
    words: &'w [Token],
    list: &'static List,
    is: fn(&str, &str) -> bool,
) -> Option<(&'static str, &'w Token)> {
    words
        .iter()
        .find_map(|word| Some((list.entry(&word.word, is)?, word)))
}

fn pair(verb: (&str, &Token), object: (&str, &Token)) -> Finding {
    finding(
        format!("pair: {} × {}", verb.0, object.0),
        [verb.1, object.1],
    )
}

/// A destroying verb and an object, wherever they stand.
fn hard_pair(words: &[Token], objects: &'static List, least: Role) -> Option<Finding> {
    let verb = words
        .iter()
        .filter(|word| word.role <= least)
        .find_map(|word| Some((HARD_VERBS.entry(&word.word, is_verb)?, word)))?;
    Some(pair(verb, first_of(words, objects, is_noun)?))
}

/// A verb and its object written as one word: `dropTables`, `deleteUser`.
fn glued(words: &[Token]) -> Option<Finding> {
    words.iter().find_map(|word| {
        HARD_VERBS.starting(&word.word).find_map(|verb| {
            let rest = word.word.strip_prefix(verb)?;
            let mut lists = [&CRITICAL_OBJECTS, &ORDINARY_OBJECTS].into_iter();
            let object = lists.find_map(|list| list.entry(rest, is_noun))?;
            (object.len() > 2).then(|| finding(format!("pair: {verb} × {object}"), [word]))
        })
    })
}

/// A changing verb and a critical object: the object close behind, or before a passive, or in
/// another text when the verb stands for the whole answer ("Merge it", "Change them now").
fn soft_pair(words: &[Token]) -> Option<Finding> {
    words.iter().enumerate().find_map(|(at, word)| {
        let verb = SOFT_VERBS.entry(&word.word, is_verb)?;
        let (before, rest) = words.split_at_checked(at)?;
        let after = rest.get(1..)?;
        let same = |other: &&Token| other.text == word.text;
        let rest_of_text = after.get(..after.iter().take_while(same).count())?;
        let joined = rest_of_text.iter().take_while(|word| !word.breaks);
        let close = rest_of_text.get(..joined.count().min(REACH))?;
        let begins = before.len() - before.iter().rev().take_while(same).count();
        let mine = before.get(begins..)?;
        let passive = mine.last().is_some_and(|word| PASSIVE.holds(&word.word));
        let whole = word.word == verb
            && mine.iter().all(|word| is_stop(&word.word))
            && rest_of_text.iter().all(|word| PRONOUNS.holds(&word.word));
        let object_in = |words| first_of(words, &CRITICAL_OBJECTS, is_noun);
        let object = object_in(close)
            .or_else(|| object_in(mine).filter(|_| passive))
            .or_else(|| object_in(words).filter(|_| whole))?;
        Some(pair((verb, word), object))
    })
}
