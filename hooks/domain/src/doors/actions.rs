//! Sentences in which the asker proposes to act on something sensitive: "Shall I put the servers to sleep?".
//!
//! Any act counts, but those that development consists of: nobody can list all words for what must be
//! asked, but the words for what need not are few.

use super::english::actions::{
    ADVERBS, ASKING, AUXILIARIES, DOUBTFUL, IN_CODE, LEAVE, LITTLE, NEUTRAL, ORDERS, ORDINARY,
    SENSITIVE, VAGUE, VITAL, WORK,
};
use super::english::lists::WRITINGS;
use super::finding::{Finding, finding};
use super::tokens::{Role, Token, is_noun, is_stop, is_verb};

/// Within how many words the asker must appear.
const LEAD: usize = 9;

/// How far behind a verb of development its thing may stand.
const NEAR: usize = 6;

/// The first sentence of `words` that proposes such an act.
pub(super) fn first(words: &[Token<'_>]) -> Option<Finding> {
    let mut sentences = words.chunk_by(|_, next| !next.starts);
    sentences.find_map(sentence)
}

fn sentence(words: &[Token<'_>]) -> Option<Finding> {
    let word = |at: usize| words.get(at).map_or("", |word| word.word.as_ref());
    if words.is_empty() || ASKING.holds(word(0)) && !proposes_by_asking(word(0), word(1)) {
        return None;
    }
    let proposed = act(words);
    let start = proposed.or_else(|| order(words))?;
    let mut rest = words.get(start..)?;
    loop {
        let is_order = rest.first().is_some_and(|verb| ORDERS.holds(&verb.word));
        let found =
            clause(rest).filter(|found| proposed.is_some() || is_order || found.matched.len() > 1);
        if let Some(found) = found {
            return Some(found);
        }
        // "Add the column and tell the customers"
        let next = rest.iter().position(joins)?;
        rest = after_adverbs(rest.get(next + 1..)?);
        if proposed.is_some()
            && !rest
                .first()
                .is_some_and(|word| ORDERS.holds(&word.word) || DOUBTFUL.holds(&word.word))
        {
            return None;
        }
    }
}

/// True for "What if …" and "How about …", with which somebody proposes.
pub(super) fn proposes_by_asking(first: &str, second: &str) -> bool {
    matches!(
        (first, second),
        ("what", "if") | ("how" | "what", "about") | ("why", "not" | "don")
    )
}

/// An act that is not known to be one of development, and what it is done to.
fn clause(words: &[Token<'_>]) -> Option<Finding> {
    let (verb, after) = words.split_first()?;
    let is_doubtful = DOUBTFUL.entry(&verb.word, is_verb).is_some();
    let is_order = ORDERS.entry(&verb.word, is_verb).is_some();
    let is_ordinary = !is_doubtful && !is_order && ORDINARY.entry(&verb.word, is_verb).is_some();
    let next = after.first().map_or("", |next| next.word.as_ref());
    let goes_on = matches!(
        (verb.word.as_ref(), next),
        ("go" | "move" | "carry", "on" | "ahead") | ("let", "you" | "me")
    );
    if goes_on || verb.role == Role::Named {
        return None;
    }
    if is_ordinary {
        return vital(verb, after).filter(|_| NEUTRAL.entry(&verb.word, is_verb).is_some());
    }
    let end = after.iter().position(joins).unwrap_or(after.len());
    let scope = after.get(..end)?;
    let joined = scope.iter().take(NEAR).take_while(|word| !word.breaks);
    let reach = if is_doubtful { joined.count() } else { end };
    let thing = scope.iter().take(reach).enumerate().find(|(at, word)| {
        SENSITIVE.entry(&word.word, is_noun).is_some()
            && word.role != Role::Named
            && !is_of_code(after, *at)
            && !is_where(after, *at)
            && !(verb.word == "let" && chooses(after, *at))
    });
    if let Some((_, thing)) = thing {
        return Some(finding(
            format!("act: {} × {}", verb.word, thing.word),
            [verb, thing],
        ));
    }
    let is_work = |at: usize, word: &Token<'_>| {
        word.role == Role::Named
            || WORK.entry(&word.word, is_noun).is_some()
            || WRITINGS.entry(&word.word, is_noun).is_some()
            || is_of_code(after, at)
    };
    let says_little = |word: &Token<'_>| {
        is_stop(&word.word) || ADVERBS.holds(&word.word) || LITTLE.holds(&word.word)
    };
    let has_work = scope.iter().enumerate().any(|(at, word)| is_work(at, word));
    let is_vague = VAGUE.entry(&verb.word, is_verb).is_some() || scope.iter().all(says_little);
    (!has_work && !is_vague).then(|| finding(format!("act: {}", verb.word), [verb]))
}

/// A vital thing close behind `verb`.
fn vital(verb: &Token<'_>, after: &[Token<'_>]) -> Option<Finding> {
    let mut close = after
        .iter()
        .enumerate()
        .take(NEAR)
        .take_while(|(_, word)| !joins(word));
    let (_, thing) = close.find(|(at, word)| {
        VITAL.entry(&word.word, is_noun).is_some()
            && word.role != Role::Named
            && !is_of_code(after, *at)
            && !is_saved(after, *at)
    })?;
    Some(finding(
        format!("act: {} × {}", verb.word, thing.word),
        [verb, thing],
    ))
}

/// True for the project as the place of what is done, and for a team of agents that does it: "Copy to the project",
/// "Execute with team".
fn is_where(words: &[Token<'_>], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|word| word.word.as_ref());
    let before = |steps: usize| at.checked_sub(steps).and_then(word);
    let leads = |word: Option<&str>| matches!(word, Some("to" | "into" | "in"));
    let is_article = matches!(before(1), Some("the" | "this" | "your" | "my" | "our"));
    word(at) == Some("team") && before(1) == Some("with")
        || word(at) == Some("project") && (leads(before(1)) || is_article && leads(before(2)))
}

/// True for the disk that something is written "to".
fn is_saved(words: &[Token<'_>], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|word| word.word.as_ref());
    word(at) == Some("disk") && at.checked_sub(1).and_then(word) == Some("to")
}

/// True for "let *users choose* the theme": what the product will do.
fn chooses(words: &[Token<'_>], at: usize) -> bool {
    let next = words.get(at + 1).filter(|next| !next.breaks);
    next.is_some_and(|next| ORDINARY.holds(&next.word))
}

/// True when the thing at `at` only belongs to a piece of code: "users *table*", "*dev* server".
fn is_of_code(words: &[Token<'_>], at: usize) -> bool {
    let is_code = |word: Option<&Token<'_>>| {
        word.is_some_and(|word| IN_CODE.entry(&word.word, is_noun).is_some())
    };
    let next = words.get(at + 1).filter(|next| !next.breaks);
    is_code(next) || is_code(at.checked_sub(1).and_then(|before| words.get(before)))
}

/// Where the act begins in a sentence whose asker proposes to do it: behind "shall I", "OK to",
/// "do you want me to".
fn act(words: &[Token<'_>]) -> Option<usize> {
    let word = |at: usize| words.get(at).map_or("", |word| word.word.as_ref());
    let last = (0..LEAD.min(words.len())).rev().find(|at| {
        let (one, two) = (word(*at), word(at + 1));
        let asks = |one: &str| AUXILIARIES.holds(one) || matches!(one, "do" | "if");
        // "Any objection to me switching …", "How about I drain …"
        let does = || word(at + 2).ends_with("ing");
        (matches!(one, "to" | "with" | "mind" | "about" | "of")
            && matches!(two, "me" | "us" | "my" | "our")
            && does())
            || (matches!(one, "about" | "t") && matches!(two, "i" | "we"))
            || (asks(one) && matches!(two, "i" | "we"))
            || (LEAVE.holds(one) && two == "to")
            || (one == "let" && matches!(two, "me" | "us" | "s"))
            || (one == "ahead" && two == "and")
    })?;
    let rest = words.get(last + 2..)?;
    let act = after_adverbs(rest);
    Some(words.len() - act.len())
}

/// Where the act of an order begins: "Send the report to the customers".
fn order(words: &[Token<'_>]) -> Option<usize> {
    let rest = after_adverbs(words);
    let first = rest.first()?;
    let is_auxiliary = matches!(first.word.as_ref(), "do" | "have" | "get" | "say");
    let is_order = DOUBTFUL.holds(&first.word) && !is_auxiliary
        || ORDERS.holds(&first.word)
        || NEUTRAL.holds(&first.word);
    is_order.then_some(words.len() - rest.len())
}

/// True for what joins two acts.
fn joins(word: &Token<'_>) -> bool {
    matches!(word.word.as_ref(), "and" | "or" | "then")
}

pub(super) fn after_adverbs<'w>(words: &'w [Token<'w>]) -> &'w [Token<'w>] {
    let skipped = words
        .iter()
        .take_while(|word| ADVERBS.holds(&word.word))
        .count();
    words.get(skipped..).unwrap_or_default()
}
