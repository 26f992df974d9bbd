//! Doors: an answer that cannot be taken back is `one-way`.
//!
//! Here is what holds whatever the person agreed to, and is looked for by the hook: commands with an effect, SQL that
//! writes, money, addresses and paths outside the project, force, and destroyed data. What words alone say is judged
//! when a preference is proposed or set, by [`crate::consent`].

mod commands;
mod money;
pub(crate) mod phrases;
mod places;
pub(crate) mod tokens;

use serde::Deserialize;

use self::tokens::{ALWAYS, DESTROYING, Role, Token, is_stop, push_tokens};
use crate::named::named_enum;
use crate::text::{fold, without_accents};
use crate::words::{PhraseList, WordList};

static FORCE: PhraseList = PhraseList::doors("force");
/// Things that any change endangers.
pub(crate) static CRITICAL: WordList = WordList::doors("critical");
/// Verbs that change or release.
pub(crate) static CHANGING: WordList = WordList::verbs("changing");
static PASSIVE: WordList = WordList::doors("passive");
static PRONOUNS: WordList = WordList::doors("pronouns");
/// Things that only a destroying verb endangers.
pub(crate) static COMMON: WordList = WordList::doors("common");

named_enum! {
    /// Whether an answer can be taken back.
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Door {
        /// Destructive, security, consent, payment, publication: always asked.
        OneWay = "one-way",
        /// Anything else.
        TwoWay = "two-way",
    }
}

/// What in `text` is a command with an effect, SQL that writes, money, an address or a path outside the project;
/// `None` where nothing is.
pub fn find_signs(text: &str) -> Option<String> {
    let folded = folded(text);
    let kind = commands::first_command(text)
        .or_else(|| money::holds_amount(&folded).then(|| "money".to_owned()))
        .or_else(|| places::first(&folded).map(str::to_owned))?;
    Some(format!("sign: {kind}"))
}

/// True for a text that names an address or a path outside the project, also where no verb of it goes there.
pub fn points_outside(text: &str) -> bool {
    places::points_outside(&folded(text))
}

/// What in `text` no word of the person's opens: a sign ([`find_signs`]), force, and a destroying verb on what any
/// change endangers; `None` where nothing is.
pub fn find_hard(text: &str) -> Option<String> {
    let folded = folded(text);
    let mut words = Vec::new();
    push_tokens(0, &folded, &mut words);
    words.retain(|word| word.role != Role::Named);
    phrases::first(&words, &FORCE)
        .map(|phrase| format!("phrase: {phrase}"))
        .or_else(|| destroyed(&words, &CRITICAL, Role::Mild))
        .or_else(|| find_signs(text))
}

/// What in `texts`, read together, plainly cannot be taken back: all of [`find_hard`] but its signs, a destroying verb on
/// anything that is stored, a changing one on what any change endangers, and a verb that always reaches others. The person's word at consent opens these.
pub fn find_plain(texts: &[&str]) -> Option<String> {
    let folded: Vec<String> = texts.iter().map(|text| folded(text)).collect();
    let mut words = Vec::new();
    for (number, text) in folded.iter().enumerate() {
        push_tokens(number, text, &mut words);
    }
    words.retain(|word| word.role != Role::Named);
    let always = || words.iter().find_map(|word| ALWAYS.verb(&word.stem));
    phrases::first(&words, &FORCE)
        .map(|phrase| format!("phrase: {phrase}"))
        .or_else(|| destroyed(&words, &CRITICAL, Role::Mild))
        .or_else(|| destroyed(&words, &COMMON, Role::Free))
        .or_else(|| changed(&words))
        .or_else(|| always().map(|verb| format!("verb: {verb}")))
}

/// A destroying verb and one of `things`: near it in the same sentence, or in another text, because "Delete them"
/// answers "What about the old tables?".
pub(crate) fn destroyed(words: &[Token<'_>], things: &WordList, least: Role) -> Option<String> {
    /// How far apart they may stand.
    const NEAR: usize = 8;
    let verb_of = |word: &Token<'_>| {
        let verb = DESTROYING.verb(&word.stem)?;
        (word.role <= least).then_some(verb)
    };
    let verbs = || {
        words
            .iter()
            .filter_map(|word| Some((word.text, verb_of(word)?)))
    };
    // The first verb, and the first one of a later text: one of them stands in another text than any thing.
    let first = verbs().next()?;
    let other = verbs().find(|(text, _)| *text != first.0);
    words.iter().enumerate().find_map(|(at, word)| {
        let thing = things.noun(&word.word)?;
        let elsewhere = || {
            let verbs = [Some(first), other].into_iter().flatten();
            let mut verbs = verbs.filter(|(text, _)| *text != word.text);
            verbs.next().map(|(_, verb)| verb)
        };
        let behind = || {
            let rest = words.get(at + 1..)?.iter().take(NEAR);
            rest.take_while(|word| !word.starts).find_map(verb_of)
        };
        let before = || {
            let from = at.saturating_sub(NEAR);
            let near = words.get(from..=at)?;
            let begins = near.iter().rposition(|word| word.starts);
            words
                .get(from + begins.unwrap_or(0)..at)?
                .iter()
                .find_map(verb_of)
        };
        let verb = before().or_else(behind).or_else(elsewhere)?;
        Some(format!("pair: {verb} × {thing}"))
    })
}

/// A changing verb and a critical thing: close behind it, before a passive, or in another text when the verb stands
/// for the whole answer ("Merge it", "Change them now").
pub(crate) fn changed(words: &[Token<'_>]) -> Option<String> {
    /// "Change the default *role* …"
    const REACH: usize = 4;
    /// "Should the *schema* of the shop be changed?"
    const BEFORE: usize = 12;
    let thing_in = |words: &[Token<'_>]| words.iter().find_map(|word| CRITICAL.noun(&word.word));
    let mut texts = words.chunk_by(|one, other| one.text == other.text);
    let (verb, thing) = texts.find_map(|text| {
        let inside = text.iter().enumerate().find_map(|(at, word)| {
            let verb = CHANGING.verb(&word.stem)?;
            let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
            let close = after.iter().take(REACH).take_while(|word| !word.breaks);
            let close = after.get(..close.count())?;
            let is_passive = before.last().is_some_and(|word| PASSIVE.holds(&word.word));
            let before = before.get(before.len().saturating_sub(BEFORE)..)?;
            let thing = thing_in(close).or_else(|| is_passive.then(|| thing_in(before))?)?;
            Some((verb, thing))
        });
        inside.or_else(|| whole_answer(text).and_then(|verb| Some((verb, thing_in(words)?))))
    })?;
    Some(format!("pair: {verb} × {thing}"))
}

/// The changing verb of a text that holds nothing else but words like "it" and "now".
fn whole_answer(text: &[Token<'_>]) -> Option<&'static str> {
    /// Longer answers say more.
    const LONGEST: usize = 12;
    if text.len() > LONGEST {
        return None;
    }
    text.iter().enumerate().find_map(|(at, word)| {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let is_whole = before.iter().all(|word| is_stop(&word.word))
            && after.iter().all(|word| PRONOUNS.holds(&word.word));
        let verb = CHANGING
            .verb(&word.stem)
            .filter(|_| CHANGING.holds(&word.word));
        verb.filter(|_| is_whole)
    })
}

/// `text` as the rules see it: each line folded, without accents.
pub(crate) fn folded(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| without_accents(&fold(line)).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}
