//! Sentences that propose something without naming the act: "Is today the day?", "Should the whole team see
//! this?", "The tag is wrong. Move it?".
//!
//! Nobody can list the idioms for letting something out or go. But such a sentence names a time, or whom it
//! reaches, or stands behind one that names what it is done to; and it holds no word of code.

use super::actions::{after_adverbs, proposes_by_asking};
use super::english::actions::{ASKING, DOUBTFUL, ORDERS, ORDINARY, SENSITIVE};
use super::english::lists::{CRITICAL_OBJECTS, ORDINARY_OBJECTS, WRITINGS};
use super::english::proposals::{
    DESIGNS, ELLIPSES, ENDINGS, HOLDINGS, MATTER, OUTSIDERS, POWERS, TIMES,
};
use super::entries::{List, list};
use super::finding::{Finding, finding};
use super::phrases;
use super::tokens::{Role, Token, is_noun, is_stop, is_verb};

/// Longer sentences with a pronoun say what they do.
const SHORT: usize = 9;

/// The first of `words` that proposes so.
pub(super) fn first(words: &[Token<'_>]) -> Option<Finding> {
    let mut held: Option<&Token<'_>> = None;
    let mut open: Option<&[Token<'_>]> = None;
    for sentence in words.chunk_by(|_, next| !next.starts) {
        if let Some(found) = many(sentence, true) {
            return Some(found);
        }
        if is_of_code(sentence) {
            continue;
        }
        let found = at_a_time(sentence)
            .or_else(|| reaching(sentence))
            .or_else(|| to_all(sentence))
            .or_else(|| on_others(sentence))
            .or_else(|| many(sentence, false));
        if let Some(found) = found {
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

fn is_question_of_what(sentence: &[Token<'_>]) -> bool {
    let word = |at: usize| sentence.get(at).map_or("", |word| word.word.as_ref());
    word(0) != "who" && ASKING.holds(word(0)) && !proposes_by_asking(word(0), word(1))
}

/// A time at which something is to happen: "before the weekend".
fn at_a_time(sentence: &[Token<'_>]) -> Option<Finding> {
    if is_question_of_what(sentence) {
        return None;
    }
    let (time, matched) = phrases::first(sentence, &TIMES, phrases::exact)?;
    // "Stop here for today": the session's own end.
    let is_end = |pair: &[Token<'_>]| matches!(pair, [one, other] if one.word == "for" && other.word == "today");
    if time == "today" && sentence.windows(2).any(is_end) {
        return None;
    }
    Some(finding(format!("time: {time}"), matched))
}

/// A question whether somebody outside gets, sees or loses something: "Should the agency see this?".
fn reaching(sentence: &[Token<'_>]) -> Option<Finding> {
    let (first, rest) = sentence.split_first()?;
    let allows = rest
        .iter()
        .any(|word| matches!(word.word.as_ref(), "may" | "allowed" | "gets" | "receives"));
    if !(ASKS.contains(&first.word.as_ref()) || allows)
        || rest.iter().any(|word| DESIGNS.holds(&word.word))
    {
        return None;
    }
    let is = |word: &&Token<'_>, list: &'static List| list.entry(&word.word, is_noun).is_some();
    let outsider = || rest.iter().find(|word| is(word, &OUTSIDERS));
    let power = || {
        let power = rest.iter().find(|word| POWERS.holds(&word.word));
        power.filter(|_| first.word == "who")
    };
    let is_ordinary = || rest.iter().any(|word| ORDINARY.holds(&word.word));
    // What the asker does is judged as an act.
    let is_asker = rest
        .first()
        .is_some_and(|subject| matches!(subject.word.as_ref(), "i" | "we" | "you"));
    let is_modal = matches!(
        first.word.as_ref(),
        "should" | "shall" | "may" | "can" | "could"
    );
    let is_they = is_modal && rest.get(1).is_some_and(|verb| verb.word != "be");
    let they = || {
        rest.first().filter(|word| {
            is_they && !is_ordinary() && matches!(word.word.as_ref(), "they" | "he" | "she")
        })
    };
    let thing = if is_asker {
        outsider().filter(|_| !is_ordinary())?
    } else {
        // "Is a record better?" and "Does the host matter?" ask what is.
        let proposes = is_modal || first.word == "must";
        let ending = || {
            rest.iter()
                .find(|word| proposes && ENDINGS.holds(&word.word))
        };
        let holding = || {
            let holding = rest.iter().find(|word| is(word, &HOLDINGS));
            holding.filter(|_| proposes && !is_ordinary())
        };
        outsider()
            .or_else(they)
            .or_else(power)
            .or_else(ending)
            .or_else(holding)?
    };
    Some(finding(format!("reaches: {}", thing.word), [thing]))
}

/// What a question begins with that proposes.
const ASKS: [&str; 21] = [
    "should", "shall", "can", "could", "may", "do", "does", "did", "is", "are", "would", "will",
    "who", "must", "might", "time", "ok", "okay", "ready", "want", "am",
];

/// "500 gems to all".
fn to_all(sentence: &[Token<'_>]) -> Option<Finding> {
    if let [all] = sentence
        && matches!(all.word.as_ref(), "everyone" | "everybody")
    {
        return Some(finding(format!("reaches: {}", all.word), [all]));
    }
    let [.., before, last] = sentence else {
        return None;
    };
    let is_all = matches!(
        last.word.as_ref(),
        "all" | "everyone" | "everybody" | "anyone"
    ) && matches!(before.word.as_ref(), "to" | "for" | "with" | "by");
    is_all.then(|| finding(format!("reaches: {}", last.word), [before, last]))
}

/// "End their run": an act on what is somebody else's.
fn on_others(sentence: &[Token<'_>]) -> Option<Finding> {
    let [verb, whose, _, ..] = after_adverbs(sentence) else {
        return None;
    };
    let is_theirs = matches!(
        whose.word.as_ref(),
        "their" | "his" | "her" | "someone" | "somebody"
    );
    (is_theirs && sentence.len() <= SHORT && !is_stop(&verb.word) && !ORDINARY.holds(&verb.word))
        .then(|| {
            finding(
                format!("act: {} × {}", verb.word, whose.word),
                [verb, whose],
            )
        })
}

/// A count and what is counted: "all 60 field devices", "the 300 blocked orders".
fn many(sentence: &[Token<'_>], only_all: bool) -> Option<Finding> {
    if is_question_of_what(sentence) {
        return None;
    }
    sentence.iter().enumerate().find_map(|(at, count)| {
        let is_count = count.word.len() > 1 && count.word.bytes().all(|byte| byte.is_ascii_digit());
        let is_all = || at.checked_sub(1).and_then(|before| sentence.get(before));
        (is_count && (!only_all || is_all().is_some_and(|all| all.word == "all"))).then_some(())?;
        // "0.16.0" counts nothing.
        let next = sentence.get(at + 1)?;
        if next.word.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let close = sentence
            .get(at + 1..)?
            .iter()
            .take(NEAR)
            .take_while(|word| !word.breaks && !is_stop(&word.word));
        let thing = close.into_iter().find(|word| {
            [&HOLDINGS, &OUTSIDERS]
                .iter()
                .any(|list| list.entry(&word.word, is_noun).is_some())
                || matches!(
                    word.word.as_ref(),
                    "users" | "players" | "traffic" | "calls" | "items"
                )
        })?;
        Some(finding(
            format!("many: {} × {}", count.word, thing.word),
            [count, thing],
        ))
    })
}

/// How far behind a count the thing that is counted may stand.
const NEAR: usize = 4;

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

/// What stands for things named elsewhere.
static PRONOUNS: List = list!(" it them him her those everything all both half one this ");

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
    let is_pronoun = PRONOUNS.holds(&object.word);
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
