//! Matching the door rules against a question: which rule, and which words.

use super::english::dealings::{ACCESS, CONSENT, MONEY, PEOPLE};
use super::english::lists::{
    ALWAYS, CRITICAL_OBJECTS, FORCE, HARD_VERBS, NEVER_TOUCHED, ORDINARY_OBJECTS, PASSIVE, PHRASES,
    PRONOUNS, SOFT_VERBS, WRITINGS,
};
use super::english::phrases::{DESTRUCTION, HISTORY, RELEASE};
use std::borrow::Cow;

use super::entries::{List, list};
use super::finding::{Finding, finding};
use super::names::without_names;
use super::phrases;
use super::tokens::{Role, Token, acts_on_code, is_noun, is_stop, is_verb, push_tokens};
use super::{actions, described, languages, proposals, signs};
use crate::text::{fold, without_accents};

/// How far behind a changing verb its object may stand: "change the default *role* …".
const REACH: usize = 4;

/// How much of a text all rules read, in bytes; of the rest they read single words, phrases and signs.
const READ_IN_FULL: usize = 8 * 1024;

/// Texts that are longer together are one-way, in bytes.
const LONGEST: usize = 64 * 1024;

/// How much of a text may be an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Every word: what the text names, proposes or asks may be done.
    Whole,
    /// A label that names its own act: its verbs, what they are done to, and things that nobody touches unasked.
    Act,
    /// A value, and the sentence that asks for it: the same, but a thing alone is only what is chosen.
    Value,
    /// A text that describes: verbs at the head of a clause, and signs.
    Description,
}

/// What makes `text` one-way as far as it says what is done by itself; `None` when nothing does. A noun alone,
/// a time and a design are no act.
pub fn find_act(text: &str, reading: Reading) -> Option<Finding> {
    if reading == Reading::Whole || text.len() > READ_IN_FULL {
        return find(&[text]);
    }
    if text.is_empty() {
        return None;
    }
    let folded = [seen(text)];
    let mut words = Vec::new();
    for text in &folded {
        push_tokens(0, text, &mut words);
    }
    described::mark(&mut words);
    if reading == Reading::Description {
        quiet(&mut words);
    }
    let free = unnamed(&words);
    let is_label = reading == Reading::Act;
    let idioms: &[&'static List] = match is_label {
        true => &[&RELEASE, &HISTORY, &PEOPLE, &MONEY, &ACCESS, &CONSENT],
        false => &[],
    };
    let idiom = || (reading != Reading::Description).then(|| idiom(&free, idioms))?;
    let order = || is_label.then(|| actions::first(&words))?;
    let thing = || {
        let things = (reading == Reading::Act).then_some(&NEVER_TOUCHED)?;
        alone(&free, things, "object", is_noun)
    };
    let said = match reading {
        Reading::Description => phrase(&free, &FORCE).or_else(|| begun(&free)),
        _ => phrase(&free, &PHRASES),
    };
    said.or_else(|| always(&free))
        .or_else(thing)
        .or_else(|| pairs(&free))
        .or_else(idiom)
        .or_else(order)
        .or_else(|| signs_of(&[text], &folded))
}

/// What makes `texts` one-way by the rules that are asked at consent alone: other languages than English, and proposals
/// that name no act; `None` when none matches. Words that English has as well count for nothing where a text says by
/// itself what is done, as its `reading` says.
pub fn find_at_consent(texts: &[&str], reading: Reading) -> Option<Finding> {
    let folded: Vec<String> = texts.iter().map(|text| seen(text)).collect();
    let mut words = Vec::new();
    for (number, text) in folded.iter().enumerate() {
        push_tokens(number, cut(text).0, &mut words);
    }
    described::mark(&mut words);
    if reading == Reading::Description {
        quiet(&mut words);
    }
    let is_english = |matched: &super::finding::Matched| {
        let word = matched.word.as_str();
        [&ALWAYS, &HARD_VERBS, &SOFT_VERBS]
            .iter()
            .any(|list| list.entry(word, is_verb).is_some())
    };
    let is_whole = reading == Reading::Whole;
    let found = languages::first(&words);
    let found = found.filter(|found| is_whole || !found.matched.iter().all(is_english));
    let scripts = || {
        let mut texts = folded.iter().enumerate();
        texts.find_map(|(number, folded)| languages::first_in_script(number, folded))
    };
    let proposal = || is_whole.then(|| proposals::first(&words))?;
    found.or_else(scripts).or_else(proposal)
}

/// What in `text` is a command with an effect, SQL that writes, money, an address or a path outside the project;
/// `None` where nothing is.
pub fn find_signs(text: &str) -> Option<Finding> {
    signs::first(0, text, &seen(text))
}

/// True for a text that names an address or a path outside the project, also where no verb of it goes there.
pub fn points_outside(text: &str) -> bool {
    signs::points_outside(&seen(text))
}

/// What in `text` no word of the person's opens: a sign ([`find_signs`]), force, and a destroying verb on what any
/// change endangers; `None` where nothing is.
pub fn find_hard(text: &str) -> Option<Finding> {
    let folded = seen(text);
    let mut words = Vec::new();
    push_tokens(0, &folded, &mut words);
    described::mark(&mut words);
    let free = unnamed(&words);
    phrase(&free, &FORCE)
        .or_else(|| hard_pair(&free, &CRITICAL_OBJECTS, Role::Mild))
        .or_else(|| find_signs(text))
}

/// Words behind which a description says what is done.
static LEADING: List =
    list!(" and then to will also i we now it is are be gets get automatically immediately auto ");

/// Words that a condition or a time begins with: behind it the act may begin anywhere ("Once approved deploy").
pub(crate) static CONDITIONS: List =
    list!(" if when whenever once after as before until unless while ");

/// Makes names of the verbs that stand where a description only speaks of something: "security review before the
/// merge". A verb that says what is done stands at the head of a clause or behind a word that leads to it.
fn quiet(words: &mut [Token<'_>]) {
    let mut before: Option<String> = None;
    let mut is_conditional = false;
    for word in words {
        let begins = word.starts || word.breaks || before.is_none();
        if begins {
            is_conditional = CONDITIONS.holds(&word.word);
        }
        let led = before
            .as_deref()
            .is_some_and(|before| LEADING.holds(before));
        let is_act = [&ALWAYS, &HARD_VERBS, &SOFT_VERBS]
            .iter()
            .any(|list| list.entry(&word.word, is_verb).is_some());
        if is_act && !(begins || led || is_conditional) {
            word.role = Role::Named;
        }
        before = Some(word.word.to_string());
    }
}

/// What makes `texts` (key, question, header, chosen option, its description, its preview, or some of
/// them) one-way; `None` when no rule matches.
///
/// Takes time linear in the length of the texts.
pub fn find(texts: &[&str]) -> Option<Finding> {
    if texts.iter().map(|text| text.len()).sum::<usize>() > LONGEST {
        return Some(Finding {
            reason: format!("too long to judge: more than {LONGEST} bytes"),
            matched: Vec::new(),
        });
    }
    let folded: Vec<String> = texts.iter().map(|text| seen(text)).collect();
    let (mut words, mut tail) = (Vec::new(), Vec::new());
    for (number, text) in folded.iter().enumerate() {
        let (head, rest) = cut(text);
        push_tokens(number, head, &mut words);
        if !rest.is_empty() {
            push_tokens(number, rest, &mut tail);
        }
    }
    described::mark(&mut words);
    described::mark(&mut tail);
    english(&unnamed(&words))
        .or_else(|| proposals::approval(&words))
        .or_else(|| actions::first(&words))
        .or_else(|| signs_of(texts, &folded))
        .or_else(|| named(&tail))
}

/// `text` as the rules see it: each line folded, without accents.
fn seen(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for line in text.lines() {
        if !seen.is_empty() {
            seen.push('\n');
        }
        seen.push_str(&without_accents(&fold(&without_names(line))));
    }
    seen
}

/// The part of `text` that is read in full, and the rest, which begins a little earlier, at a blank.
fn cut(text: &str) -> (&str, &str) {
    const OVERLAP: usize = 128;
    if text.len() <= READ_IN_FULL {
        return (text, "");
    }
    let (head, _) = text.split_at(text.floor_char_boundary(READ_IN_FULL));
    let (_, rest) = text.split_at(text.floor_char_boundary(READ_IN_FULL - OVERLAP));
    (head, rest)
}

/// The rules in English.
fn english(words: &[Token<'_>]) -> Option<Finding> {
    named(words).or_else(|| pairs(words)).or_else(|| {
        let lists = [&RELEASE, &HISTORY, &PEOPLE, &MONEY, &ACCESS, &CONSENT];
        idiom(words, &lists)
    })
}

/// Verbs and what they are done to.
fn pairs(words: &[Token<'_>]) -> Option<Finding> {
    hard_pair(words, &CRITICAL_OBJECTS, Role::Mild)
        .or_else(|| hard_pair(words, &ORDINARY_OBJECTS, Role::Free))
        .or_else(|| counted(words))
        .or_else(|| glued(words))
        .or_else(|| soft_pair(words))
}

/// The words that name nothing safe, without the approvals that another rule reads.
fn unnamed<'w>(words: &'w [Token<'w>]) -> Cow<'w, [Token<'w>]> {
    let is_read = |word: &Token<'_>| word.role != Role::Named;
    let mut texts = words.chunk_by(|one, other| one.text == other.text);
    if words.iter().all(is_read) && texts.all(|text| proposals::lone_approval(text).is_none()) {
        return Cow::Borrowed(words);
    }
    let texts = words.chunk_by(|one, other| one.text == other.text);
    let texts = texts.filter(|text| proposals::lone_approval(text).is_none());
    Cow::Owned(
        texts
            .flatten()
            .filter(|word| is_read(word))
            .cloned()
            .collect(),
    )
}

/// Phrases, and words that need no other.
fn named(words: &[Token<'_>]) -> Option<Finding> {
    phrase(words, &PHRASES)
        .or_else(|| always(words))
        .or_else(|| alone(words, &NEVER_TOUCHED, "object", is_noun))
}

fn idiom(words: &[Token<'_>], lists: &[&'static List]) -> Option<Finding> {
    // "Get rid of the duplication": code comes back.
    let destruction = phrases::first_but(words, &DESTRUCTION, phrases::english, acts_on_code);
    destruction
        .map(|(phrase, matched)| finding(format!("phrase: {phrase}"), matched))
        .or_else(|| lists.iter().find_map(|list| phrase(words, list)))
}

/// A phrase that a clause begins with: "Tear down the session".
fn begun(words: &[Token<'_>]) -> Option<Finding> {
    let mut clauses = words.chunk_by(|_, next| !next.starts && !next.breaks);
    clauses.find_map(|clause| {
        let mut phrases = PHRASES.starting(&clause.first()?.word)?;
        let phrase = phrases.find(|phrase| phrases::begins(clause, phrase))?;
        Some(finding(format!("phrase: {phrase}"), clause.first()))
    })
}

fn phrase(words: &[Token<'_>], list: &'static List) -> Option<Finding> {
    let (phrase, matched) = phrases::first(words, list, phrases::english)?;
    Some(finding(format!("phrase: {phrase}"), matched))
}

/// Signs in the texts as written.
fn signs_of(texts: &[&str], folded: &[String]) -> Option<Finding> {
    texts
        .iter()
        .zip(folded)
        .enumerate()
        .filter(|(_, (text, _))| !text.is_empty())
        .find_map(|(number, (text, folded))| signs::first(number, text, folded))
}

/// Who thinks for the asker, and what they do.
static THINKERS: List =
    list!(" experts analyzers analysers reviewers subagents specialist specialists analysis ");
static THINKING: List =
    list!(" analyze analyse map compare assess evaluate explore research investigate ");

/// True for those who are deployed to think something through: "three experts to compare them", and where nothing is
/// said behind them: "all experts".
pub(crate) fn are_to_think<'w>(behind: impl Iterator<Item = &'w str>) -> bool {
    const NEAR: usize = 8;
    let thinks = |word: &str| THINKERS.holds(word.rsplit('-').next().unwrap_or_default());
    let mut behind = behind.take(NEAR).skip_while(|word| !thinks(word));
    match (behind.next(), behind.next()) {
        (Some(last), None) => last != "analysis",
        (Some(_), Some("for")) => true,
        (Some(_), Some("to")) => behind.next().is_some_and(|word| THINKING.holds(word)),
        _ => false,
    }
}

/// A verb that makes a question one-way whatever it acts on. To approve of a plan or a text is none, nor to deploy
/// those who think.
fn always(words: &[Token<'_>]) -> Option<Finding> {
    const NEAR: usize = 6;
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let entry = ALWAYS.entry(&word.word, is_verb)?;
        let behind = words.iter().skip(at + 1);
        let mut behind = behind.take_while(|next| next.text == word.text);
        let of_writing = entry == "approve"
            && behind
                .by_ref()
                .take(NEAR)
                .any(|next| WRITINGS.entry(&next.word, is_noun).is_some());
        let is_harmless = of_writing
            || entry == "deploy"
                && are_to_think(
                    behind
                        .take_while(|next| !next.starts && !next.breaks)
                        .map(|next| next.word.as_ref()),
                );
        (!is_harmless).then_some((entry, word))
    });
    let (entry, word) = found?;
    Some(finding(format!("verb: {entry}"), [word]))
}

fn alone(
    words: &[Token<'_>],
    list: &'static List,
    kind: &str,
    is: fn(&str, &str) -> bool,
) -> Option<Finding> {
    let (entry, word) = first_of(words, list, is)?;
    Some(finding(format!("{kind}: {entry}"), [word]))
}

fn first_of<'w>(
    words: &'w [Token<'w>],
    list: &'static List,
    is: fn(&str, &str) -> bool,
) -> Option<(&'static str, &'w Token<'w>)> {
    words
        .iter()
        .find_map(|word| Some((list.entry(&word.word, is)?, word)))
}

fn pair(verb: (&str, &Token<'_>), object: (&str, &Token<'_>)) -> Finding {
    finding(
        format!("pair: {} × {}", verb.0, object.0),
        [verb.1, object.1],
    )
}

/// A destroying verb and an object, wherever they stand.
fn hard_pair(words: &[Token<'_>], objects: &'static List, least: Role) -> Option<Finding> {
    let verb = words
        .iter()
        .filter(|word| word.role <= least)
        .find_map(|word| Some((HARD_VERBS.entry(&word.word, is_verb)?, word)))?;
    Some(pair(verb, first_of(words, objects, is_noun)?))
}

/// A destroying verb and a large count close behind it, whatever is counted: "delete 340 comments".
fn counted(words: &[Token<'_>]) -> Option<Finding> {
    const LARGE: usize = 3;
    words.iter().enumerate().find_map(|(at, word)| {
        let verb = HARD_VERBS.entry(&word.word, is_verb)?;
        let close = words.get(at + 1..)?.iter().take(REACH);
        let is_large = |word: &&Token<'_>| {
            word.word.len() >= LARGE && word.word.bytes().all(|byte| byte.is_ascii_digit())
        };
        let count = close.take_while(|word| !word.breaks).find(is_large)?;
        Some(pair((verb, word), (&count.word, count)))
    })
}

/// A verb and its object written as one word: `dropTables`, `deleteUser`.
fn glued(words: &[Token<'_>]) -> Option<Finding> {
    words.iter().find_map(|word| {
        HARD_VERBS.starting(&word.word)?.find_map(|verb| {
            let rest = word.word.strip_prefix(verb)?;
            let mut lists = [&CRITICAL_OBJECTS, &ORDINARY_OBJECTS].into_iter();
            let object = lists.find_map(|list| list.entry(rest, is_noun))?;
            (object.len() > 2).then(|| finding(format!("pair: {verb} × {object}"), [word]))
        })
    })
}

/// A changing verb and a critical object: the object close behind, or before a passive, or in
/// another text when the verb stands for the whole answer ("Merge it", "Change them now").
fn soft_pair(words: &[Token<'_>]) -> Option<Finding> {
    let object_in = |words| first_of(words, &CRITICAL_OBJECTS, is_noun);
    words
        .chunk_by(|one, other| one.text == other.text)
        .find_map(|text| {
            let answer = || whole_answer(text).and_then(|verb| Some(pair(verb, object_in(words)?)));
            let mut object_before = None;
            let inside = text.iter().enumerate().find_map(|(at, word)| {
                let is_passive = at.checked_sub(1).and_then(|before| text.get(before));
                let is_passive = is_passive.is_some_and(|before| PASSIVE.holds(&before.word));
                if object_before.is_none() {
                    object_before = CRITICAL_OBJECTS
                        .entry(&word.word, is_noun)
                        .map(|object| (object, word));
                }
                let verb = SOFT_VERBS.entry(&word.word, is_verb)?;
                let close = text
                    .get(at + 1..)?
                    .iter()
                    .take(REACH)
                    .take_while(|word| !word.breaks);
                let close = text.get(at + 1..at + 1 + close.count())?;
                let object = object_in(close).or_else(|| object_before.filter(|_| is_passive))?;
                Some(pair((verb, word), object))
            });
            inside.or_else(answer)
        })
}

/// The changing verb of a text that holds nothing else but words like "it" and "now".
fn whole_answer<'w>(text: &'w [Token<'w>]) -> Option<(&'static str, &'w Token<'w>)> {
    /// Longer answers say more.
    const LONGEST: usize = 12;
    if text.len() > LONGEST {
        return None;
    }
    text.iter().enumerate().find_map(|(at, word)| {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let is_whole = before.iter().all(|word| is_stop(&word.word))
            && after.iter().all(|word| PRONOUNS.holds(&word.word));
        SOFT_VERBS.holds(&word.word).then_some(())?;
        is_whole.then_some((SOFT_VERBS.entry(&word.word, is_verb)?, word))
    })
}
