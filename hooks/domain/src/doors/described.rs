//! Sentences that only describe code, a text or a picture: "How should the test for the refund handler be
//! named?". Their words propose nothing.
//!
//! Such a sentence has a piece of code as its subject, nobody in it acts, and it names nothing outside the
//! code. What stands in other sentences and texts counts as ever.

use super::english::actions::{ASKING, DOUBTFUL, ORDERS, ORDINARY};
use super::english::lists::{ALWAYS, HARD_VERBS, SOFT_VERBS};
use super::english::proposals::{BEWARE, STATES, TOPICS};
use super::entries::{List, list};
use super::tokens::{Role, Token, is_noun, is_stop, is_verb};

/// Longer sentences say more.
const LONGEST: usize = 30;

/// How many words may stand before the auxiliary: "In which order should".
const LEAD: usize = 4;

/// How many words a name may have before its head: "the local unit *test*".
const NAME: usize = 4;

static AUXILIARIES: List = list!(" should does do will would must can could is are ");

static ARTICLES: List = list!(" the this our its each a an these ");

/// Marks the words of such sentences as names.
pub(super) fn mark(words: &mut [Token<'_>]) {
    for sentence in words.chunk_by_mut(|_, next| !next.starts) {
        if is_description(sentence) {
            for word in sentence {
                word.role = Role::Named;
            }
        }
    }
}

fn is_description(words: &[Token<'_>]) -> bool {
    if words.len() > LONGEST || words.iter().all(|word| word.role == Role::Named) {
        return false;
    }
    let words = main_clause(words);
    subject(words).is_some_and(|at| nobody_acts(words.get(at..).unwrap_or_default()))
}

/// The sentence without a first "For the docs diagram,".
fn main_clause<'w>(words: &'w [Token<'w>]) -> &'w [Token<'w>] {
    let opens = words
        .first()
        .is_some_and(|first| matches!(first.word.as_ref(), "for" | "in" | "on"));
    let comma = words
        .iter()
        .skip(1)
        .take(NAME + LEAD)
        .position(|word| word.breaks);
    comma
        .filter(|_| opens)
        .and_then(|at| words.get(at + 1..))
        .unwrap_or(words)
}

/// Where the piece of code that a sentence is about stands in it: "How detailed should the unit *test* …",
/// "Which *name* …".
fn subject(words: &[Token<'_>]) -> Option<usize> {
    let first = words.first()?;
    let auxiliary = words
        .iter()
        .take(LEAD)
        .position(|word| AUXILIARIES.holds(&word.word));
    let is_question = ASKING.holds(&first.word) || first.word == "in";
    if let Some(at) = auxiliary.filter(|at| *at == 0 || is_question) {
        let article = words.get(at + 1).filter(|word| ARTICLES.holds(&word.word));
        if article.is_some() {
            return head(words, at + 2);
        }
    }
    matches!(first.word.as_ref(), "which" | "what" | "whose").then(|| head(words, 1))?
}

/// The end of the name that begins at `from`, when it is a piece of code and a verb or a preposition follows.
fn head(words: &[Token<'_>], from: usize) -> Option<usize> {
    let name = words.get(from..)?.iter().take(NAME + 1);
    let name = name.take_while(|word| !is_stop(&word.word));
    let ends = |at: usize| {
        words.get(at).is_some_and(|next| {
            next.breaks
                || is_stop(&next.word)
                || matches!(next.word.as_ref(), "that" | "which")
                || STATES.holds(&next.word)
                || is_any_verb(&next.word)
        })
    };
    name.enumerate()
        .filter(|(_, word)| TOPICS.entry(&word.word, is_noun).is_some())
        .map(|(at, _)| from + at + 1)
        .find(|next| ends(*next))
}

fn is_any_verb(word: &str) -> bool {
    [&ORDINARY, &DOUBTFUL, &HARD_VERBS, &SOFT_VERBS]
        .iter()
        .any(|list| list.holds(word))
}

/// True when neither the asker nor a second verb acts, and nothing outside the code is named.
fn nobody_acts(words: &[Token<'_>]) -> bool {
    let word = |at: usize| words.get(at).map_or("", |word| word.word.as_ref());
    let is_outside = |at: usize| match word(at) {
        "i" | "we" => !matches!(word(at + 1), "use" | "pick" | "choose" | "write" | "give"),
        "you" | "me" | "us" | "let" | "please" => true,
        "and" | "then" | "or" => is_act(word(at + 1)),
        "be" | "get" | "being" => {
            let is = |list: &'static List| list.entry(word(at + 1), is_verb).is_some();
            is(&ALWAYS) || is(&HARD_VERBS) || is(&SOFT_VERBS)
        }
        "live" => is_stop(word(at.wrapping_sub(1))),
        one => {
            BEWARE.entry(one, is_noun).is_some()
                || one.bytes().all(|byte| byte.is_ascii_digit()) && one.len() > 2
        }
    };
    !(0..words.len()).any(is_outside)
}

/// True for a verb that acts, as an order has it.
fn is_act(word: &str) -> bool {
    [&ORDERS, &HARD_VERBS, &SOFT_VERBS, &ALWAYS]
        .iter()
        .any(|list| list.holds(word))
}
