//! Sentences that propose something without naming the act: "Is today the day?", "Should the whole team see
//! this?", "The tag is wrong. Move it?".
//!
//! Nobody can list the idioms for letting something out or go. But such a sentence names a time, or whom it
//! reaches, or stands behind one that names what it is done to; and it holds no word of code.

use super::actions::after_adverbs;
use super::english::actions::{ASKING, DOUBTFUL, LITTLE, ORDINARY};
use super::english::proposals::{ELLIPSES, HOLDINGS, MATTER, OUTSIDERS, TIMES};
use super::matching::{Finding, finding};
use super::phrases;
use super::tokens::{Role, Token, is_noun, is_stop, is_verb};

/// Longer sentences with a pronoun say what they do.
const SHORT: usize = 7;

/// The first of `words` that proposes so.
pub(super) fn first(words: &[Token]) -> Option<Finding> {
    let mut held: Option<&Token> = None;
    let mut open: Option<&[Token]> = None;
    for sentence in words.chunk_by(|_, next| !next.starts) {
        if is_of_code(sentence) {
            continue;
        }
        if let Some(found) = at_a_time(sentence).or_else(|| reaching(sentence)) {
            return Some(found);
        }
        if is_short_proposal(sentence) {
            open = open.or(Some(sentence));
        } else {
            held = held.or_else(|| holding(sentence));
        }
    }
    let verb = open?.first()?;
    Some(finding(
        format!("proposal: {} × {}", verb.word, held?.word),
        [verb, held?],
    ))
}

fn is_of_code(sentence: &[Token]) -> bool {
    sentence
        .iter()
        .any(|word| word.role == Role::Named || MATTER.entry(&word.word, is_noun).is_some())
}

fn is_question_of_what(sentence: &[Token]) -> bool {
    sentence
        .first()
        .is_some_and(|first| first.word != "who" && ASKING.holds(&first.word))
}

/// A time at which something is to happen: "before the weekend".
fn at_a_time(sentence: &[Token]) -> Option<Finding> {
    if is_question_of_what(sentence) {
        return None;
    }
    let (time, matched) = phrases::first(sentence, &TIMES, phrases::exact)?;
    Some(finding(format!("time: {time}"), matched))
}

/// A question whether somebody outside gets, sees or loses something: "Should the agency see this?".
fn reaching(sentence: &[Token]) -> Option<Finding> {
    let (first, rest) = sentence.split_first()?;
    let asks = matches!(
        first.word.as_str(),
        "should"
            | "shall"
            | "can"
            | "could"
            | "may"
            | "do"
            | "does"
            | "did"
            | "is"
            | "are"
            | "would"
            | "will"
            | "who"
            | "must"
            | "might"
            | "time"
            | "ok"
            | "okay"
            | "ready"
            | "want"
    );
    let is_ordinary = || rest.iter().any(|word| ORDINARY.holds(&word.word));
    let thing = || {
        rest.iter()
            .find(|word| OUTSIDERS.entry(&word.word, is_noun).is_some())
    };
    let thing = if asks { thing()? } else { return None };
    (!is_ordinary()).then(|| finding(format!("reaches: {}", thing.word), [thing]))
}

/// "Proceed?", "Let it?", "Move it to the others": what it is done to stands elsewhere.
fn is_short_proposal(sentence: &[Token]) -> bool {
    if sentence.len() > SHORT {
        return false;
    }
    let is_ellipsis = sentence.first().is_some_and(|first| {
        ELLIPSES.starting(&first.word).any(|phrase| {
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
fn is_act_on_pronoun(sentence: &[Token]) -> bool {
    let rest = after_adverbs(sentence);
    let [verb, object, after @ ..] = rest else {
        return false;
    };
    let is_pronoun = matches!(
        object.word.as_str(),
        "it" | "them"
            | "him"
            | "her"
            | "those"
            | "everything"
            | "all"
            | "both"
            | "half"
            | "one"
            | "their"
            | "this"
    );
    let is_ordinary = ORDINARY.holds(&verb.word) && DOUBTFUL.entry(&verb.word, is_verb).is_none();
    is_pronoun
        && !is_ordinary
        && !is_stop(&verb.word)
        && after.iter().all(|word| {
            is_stop(&word.word) || LITTLE.holds(&word.word) || word.word.ends_with("ly")
        })
}

/// A running or stored thing, or somebody, in `sentence`.
fn holding(sentence: &[Token]) -> Option<&Token> {
    sentence
        .iter()
        .find(|word| HOLDINGS.entry(&word.word, is_noun).is_some())
}
