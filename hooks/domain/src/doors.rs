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

use self::tokens::{DESTROYING, Role, Token, push_tokens};
use crate::named::named_enum;
use crate::text::{fold, without_accents};
use crate::words::{PhraseList, WordList};

static FORCE: PhraseList = PhraseList::doors("force");
/// Things that any change endangers.
pub(crate) static CRITICAL: WordList = WordList::doors("critical");

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
    let kind = commands::first(text)
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

/// A destroying verb and one of `things`: near it in the same sentence, or in another text, because "Delete them"
/// answers "What about the old tables?".
pub(crate) fn destroyed(words: &[Token<'_>], things: &WordList, least: Role) -> Option<String> {
    /// How far apart they may stand.
    const NEAR: usize = 8;
    let verbs = words.iter().enumerate().filter_map(|(at, word)| {
        let verb = DESTROYING.verb(&word.stem)?;
        (word.role <= least).then_some((at, word.text, verb))
    });
    let verbs: Vec<_> = verbs.collect();
    let is_near = |from: usize, to: usize| {
        let (first, last) = (from.min(to), from.max(to));
        let between = words.get(first + 1..=last).unwrap_or_default();
        last - first <= NEAR && !between.iter().any(|word| word.starts)
    };
    let mut held = words.iter().enumerate().filter_map(|(at, word)| {
        let thing = things.noun(&word.word)?;
        let mut verbs = verbs.iter();
        let (_, _, verb) =
            verbs.find(|(verb, text, _)| *text != word.text || is_near(*verb, at))?;
        Some(format!("pair: {verb} × {thing}"))
    });
    held.next()
}

/// `text` as the rules see it: each line folded, without accents.
pub(crate) fn folded(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| without_accents(&fold(line)).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}
