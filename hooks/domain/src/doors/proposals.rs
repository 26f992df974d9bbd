//! Sentences that leave the act to another one: "The tag is wrong. Move it?".
//!
//! Nobody can list the idioms for letting something out or go. But such a sentence stands behind one that names what
//! it is done to, and holds no word of code.

use super::actions::{act, after_adverbs};
use super::english::actions::{DOUBTFUL, ORDERS, ORDINARY, SENSITIVE};
use super::english::lists::{CRITICAL_OBJECTS, ORDINARY_OBJECTS, WRITINGS};
use super::english::proposals::{ELLIPSES, HOLDINGS, MATTER, OUTSIDERS};
use super::finding::{Finding, finding};
use super::tokens::{Role, Token, is_noun, is_stop, is_verb};

/// Longer sentences with a pronoun say what they do.
const SHORT: usize = 9;

/// The first of `words` that proposes so.
pub(super) fn first(words: &[Token<'_>]) -> Option<Finding> {
    let mut held: Option<&Token<'_>> = None;
    let mut open: Option<&[Token<'_>]> = None;
    for sentence in words.chunk_by(|_, next| !next.starts) {
        if is_of_code(sentence) {
            continue;
        }
        if is_short_proposal(sentence) {
            open = open.or(Some(sentence));
        } else if act(sentence).is_none() {
            // What the asker proposes to do is judged as an act.
            held = held.or_else(|| holding(sentence));
        }
    }
    let verb = open?.first()?;
    Some(finding(
        format!("proposal: {} × {}", verb.word, held?.word),
        [verb, held?],
    ))
}

/// "Approve" as a whole text, and in another what is not to be approved unasked. A plan or a design may be.
pub(super) fn approval(words: &[Token<'_>]) -> Option<Finding> {
    let mut texts = words.chunk_by(|one, other| one.text == other.text);
    let approval = texts.find_map(|text| lone_approval(text))?;
    let others = words.iter().filter(|word| word.text != approval.text);
    let is_writing = |word: &&Token<'_>| WRITINGS.entry(&word.word, is_noun).is_some();
    if others.clone().any(|word| is_writing(&word)) {
        return None;
    }
    let lists = [
        &HOLDINGS,
        &OUTSIDERS,
        &SENSITIVE,
        &CRITICAL_OBJECTS,
        &ORDINARY_OBJECTS,
    ];
    let thing = others.into_iter().find(|word| {
        lists
            .iter()
            .any(|list| list.entry(&word.word, is_noun).is_some())
    })?;
    Some(finding(
        format!("act: approve × {}", thing.word),
        [approval, thing],
    ))
}

/// The only word of a text, when it is "approve" or "approved".
pub(super) fn lone_approval<'w>(text: &'w [Token<'w>]) -> Option<&'w Token<'w>> {
    let [word] = text else { return None };
    matches!(word.word.as_ref(), "approve" | "approved").then_some(word)
}

fn is_of_code(sentence: &[Token<'_>]) -> bool {
    sentence
        .iter()
        .any(|word| word.role == Role::Named || MATTER.entry(&word.word, is_noun).is_some())
}

/// What a question begins with that proposes.
const ASKS: [&str; 21] = [
    "should", "shall", "can", "could", "may", "do", "does", "did", "is", "are", "would", "will",
    "who", "must", "might", "time", "ok", "okay", "ready", "want", "am",
];

/// "Proceed?", "Let it?", "Move it to the others": what it is done to stands elsewhere.
fn is_short_proposal(sentence: &[Token<'_>]) -> bool {
    if sentence.len() > SHORT {
        return false;
    }
    let is_ellipsis = sentence.first().is_some_and(|first| {
        let mut ellipses = ELLIPSES.starting(&first.word).into_iter().flatten();
        ellipses.any(|phrase| {
            phrase.split(' ').count() == sentence.len()
                && phrase
                    .split(' ')
                    .zip(sentence)
                    .all(|(part, word)| part == word.word)
        })
    });
    is_ellipsis || is_act_on_pronoun(sentence)
}

/// "Claim it", "Blank them remotely": a verb that is none of development, and a pronoun behind it.
fn is_act_on_pronoun(sentence: &[Token<'_>]) -> bool {
    let rest = match sentence {
        [asks, asker, rest @ ..]
            if matches!(asker.word.as_ref(), "i" | "we") && ASKS.contains(&asks.word.as_ref()) =>
        {
            rest
        }
        _ => sentence,
    };
    let [verb, object, ..] = after_adverbs(rest) else {
        return false;
    };
    let is_pronoun = matches!(
        object.word.as_ref(),
        "it" | "them"
            | "him"
            | "her"
            | "those"
            | "everything"
            | "all"
            | "both"
            | "half"
            | "one"
            | "this"
    );
    let is_outward = DOUBTFUL.entry(&verb.word, is_verb).is_some() || ORDERS.holds(&verb.word);
    let is_ordinary = ORDINARY.holds(&verb.word) && !is_outward;
    is_pronoun && !is_ordinary && (verb.word == "let" || !is_stop(&verb.word))
}

/// A running or stored thing, or somebody, in `sentence`.
fn holding<'w>(sentence: &'w [Token<'w>]) -> Option<&'w Token<'w>> {
    sentence
        .iter()
        .find(|word| HOLDINGS.entry(&word.word, is_noun).is_some())
}
