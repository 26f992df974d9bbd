//! Consent: whether a habit may be proposed, or a preference set, without the person having to type that the words are
//! misjudged. Only the command line uses it, where there is time, memory and a person; the hook does not link it.
//!
//! More text never makes an answer safer: rules only find reasons, and none cancels another's.

use std::borrow::Cow;

use crate::commitment::{Act, Commitment, SAFEGUARDS, is_form_of_verb, is_verb, without_refusals};
use crate::doors;
use crate::doors::tokens::{ALWAYS, DESTROYING, Role, Token, acts_on_code, is_stop, push_tokens};
use crate::doors::{CHANGING, COMMON, CRITICAL, beginning, changed, destroyed, folded};
use crate::familiar::is_thing;
use crate::words::{PhraseList, WordList};

mod outward;
mod proposals;

/// English grammar words that do not exist in other languages with the same letters.
static ENGLISH: WordList = WordList::grammar("english");

/// Why the answer's act can't be undone; `None` if it can.
pub fn reason(act: &Act<'_>) -> Option<String> {
    let description = without_refusals(act.description);
    let together: Vec<&str> = act.together.iter().map(AsRef::as_ref).collect();
    let reading = match act.commitment {
        Commitment::Value => TextPart::Value,
        Commitment::LeavesThings => TextPart::Description,
        _ => TextPart::Act,
    };
    let alone = || {
        let mut alone = act.alone.iter();
        alone.find_map(|text| find_act(text, reading))
    };
    let beside = || {
        let mut beside = [&*description, act.preview].into_iter();
        beside.find_map(|text| find_act(text, TextPart::Description))
    };
    act.hard_reason()
        .or_else(|| outward::find(act.question, act.label, act.description, act.commitment))
        .or_else(|| find(&together))
        .or_else(alone)
        .or_else(beside)
        .or_else(|| is_unread(act).then(|| "words: not in English".to_owned()))
}

/// True for an answer that cannot be judged: one of its words has non-English letters, or an asking sentence is in
/// another language. If the question varies, each form was judged by itself.
fn is_unread(act: &Act<'_>) -> bool {
    let mut texts = [act.question, act.label, act.description, act.preview].into_iter();
    let is_foreign = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphabetic());
        words.any(|word| !word.is_ascii())
    };
    let questions: Vec<&str> = act.question.split_inclusive(['?', '\n']).collect();
    let mut asked = questions
        .iter()
        .filter(|text| text.trim_end().ends_with('?'));
    let is_strange = |text: &&str| sentences(text).last().is_some_and(|last| is_unknown(last));
    let all = sentences(act.question);
    texts.any(is_foreign)
        || asked.any(is_strange)
        || !all.is_empty() && all.iter().all(|sentence| is_unknown(sentence))
}

/// True for a sentence without an English grammar word, without a verb at its start, and with few known words.
fn is_unknown(sentence: &[String]) -> bool {
    let is_order = || sentence.first().is_some_and(|first| is_verb(first));
    let has_grammar = || sentence.iter().any(|word| ENGLISH.holds(word));
    let known = || sentence.iter().filter(|word| is_known(word)).count();
    sentence.len() > 1 && !has_grammar() && !is_order() && 3 * known() <= sentence.len()
}

/// The words of each sentence of `text`, in lower case, without names of files, numbers and single letters.
fn sentences(text: &str) -> Vec<Vec<String>> {
    // The sentence continues after a closing bracket.
    let is_end = |c: char| matches!(c, '.' | '?' | '!' | ':' | ';' | '(');
    let mut sentences = vec![Vec::new()];
    for written in text.split_inclusive(char::is_whitespace) {
        let word = written.trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = word.contains(['/', '.', '_', '\\']);
        if !is_name && word.chars().filter(|c| c.is_alphabetic()).count() > 1 {
            let last = sentences.last_mut();
            last.into_iter()
                .for_each(|last| last.extend(word.split('-').map(str::to_lowercase)));
        }
        if written.ends_with('\n') || written.trim_end().ends_with(is_end) {
            sentences.push(Vec::new());
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// True for a form of a verb, and for a noun from software work.
fn is_known(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    is_form_of_verb(word) || is_thing(word) || is_thing(singular)
}

// Words for acts that can't be undone: phrases, verbs, and verbs with their objects.

/// How many words after a destroying verb a count may be.
const REACH: usize = 4;

/// The size limit of the texts together, in bytes. Longer ones cannot be judged.
const LONGEST: usize = 64 * 1024;

static WRITINGS: WordList = WordList::things("writings");
static NEVER_TOUCHED: WordList = WordList::things("never touched");
static ARTICLES: WordList = WordList::grammar("articles");
static SPITE: WordList = WordList::grammar("spite");
static FAILURES: WordList = WordList::things("failures");
static LED: WordList = WordList::grammar("led");
static CONDITIONS: WordList = WordList::grammar("conditions");
static THINKERS: WordList = WordList::grammar("thinkers");
static THINKING: WordList = WordList::grammar("thinking");

static NAMED: PhraseList = PhraseList::of("named");
static FORCE: PhraseList = PhraseList::doors("force");
static DESTRUCTION: PhraseList = PhraseList::of("destruction");
/// Releases, histories, and interactions with others.
static DEALINGS: [PhraseList; 6] = [
    PhraseList::of("release"),
    PhraseList::of("history"),
    PhraseList::of("people"),
    PhraseList::of("money"),
    PhraseList::of("access"),
    PhraseList::of("consent"),
];

/// How a text is read for acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextPart {
    /// A label that names its own act: its verbs, what they are done to, and things that nobody touches unasked.
    Act,
    /// A value, and the sentence that asks for it: the same, but a thing alone is only the chosen value.
    Value,
    /// A description: verbs at the start of a clause, and signs.
    Description,
}

/// The reason why `texts`, read together, are one-way: question, header and label, if the label refers to the question.
fn find(texts: &[&str]) -> Option<String> {
    if texts.iter().map(|text| text.len()).sum::<usize>() > LONGEST {
        return Some(format!("too long to judge: more than {LONGEST} bytes"));
    }
    let folded: Vec<String> = texts.iter().map(|text| folded(text)).collect();
    let mut words = Vec::new();
    for (number, text) in folded.iter().enumerate() {
        push_tokens(number, text, &mut words);
    }
    let free = unnamed(&words);
    phrase(&free, &NAMED)
        .or_else(|| always(&free))
        .or_else(|| alone(&free))
        .or_else(|| pairs(&free))
        .or_else(|| in_spite(&words))
        .or_else(|| idiom(&free, &DEALINGS))
        .or_else(|| proposals::first(&words))
}

/// The one-way act that `text` names by itself, if any. A noun alone, a time or a design is not an act.
fn find_act(text: &str, reading: TextPart) -> Option<String> {
    if text.len() > LONGEST {
        return find(&[text]);
    }
    let folded = folded(text);
    let mut words = Vec::new();
    push_tokens(0, &folded, &mut words);
    if reading == TextPart::Description {
        quiet(&mut words);
    }
    let free = unnamed(&words);
    let is_label = reading == TextPart::Act;
    let idioms = if is_label { DEALINGS.as_slice() } else { &[] };
    let said = match reading {
        TextPart::Description => phrase(&free, &FORCE).or_else(|| begun(&free)),
        TextPart::Act | TextPart::Value => phrase(&free, &NAMED),
    };
    said.or_else(|| always(&free))
        .or_else(|| is_label.then(|| alone(&free))?)
        .or_else(|| pairs(&free))
        .or_else(|| (reading != TextPart::Description).then(|| idiom(&free, idioms))?)
        .or_else(|| is_label.then(|| proposals::first_act(&words))?)
}

/// Marks verbs as names where a description only mentions something: "security review before the merge". A verb that
/// says what is done is at the start of a clause or after a word that introduces it.
fn quiet(words: &mut [Token<'_>]) {
    let mut before: Option<String> = None;
    let mut is_conditional = false;
    for word in words {
        let begins = word.starts || word.breaks || before.is_none();
        if begins {
            is_conditional = CONDITIONS.holds(&word.word);
        }
        let led = before.as_deref().is_some_and(|before| LED.holds(before));
        let mut verbs = [&ALWAYS, &DESTROYING, &CHANGING].into_iter();
        let is_act = verbs.any(|list| list.verb(&word.stem).is_some());
        if is_act && !(begins || led || is_conditional) {
            word.role = Role::Named;
        }
        before = Some(word.word.to_string());
    }
}

/// The words that are not only names.
fn unnamed<'w>(words: &'w [Token<'w>]) -> Cow<'w, [Token<'w>]> {
    let is_read = |word: &&Token<'_>| word.role != Role::Named;
    match words.iter().all(|word| is_read(&word)) {
        true => Cow::Borrowed(words),
        false => Cow::Owned(words.iter().filter(is_read).cloned().collect()),
    }
}

fn phrase(words: &[Token<'_>], list: &PhraseList) -> Option<String> {
    doors::first(words, list).map(|phrase| format!("phrase: {phrase}"))
}

/// A phrase at the start of a clause: "Tear down the session".
fn begun(words: &[Token<'_>]) -> Option<String> {
    let mut clauses = words.chunk_by(|_, next| !next.starts && !next.breaks);
    let found = clauses.find_map(|clause| beginning(clause, &NAMED))?;
    Some(format!("phrase: {found}"))
}

fn idiom(words: &[Token<'_>], lists: &[PhraseList]) -> Option<String> {
    // "Get rid of the duplication": code can be restored.
    let destruction = doors::first_but(words, &DESTRUCTION, acts_on_code);
    destruction
        .map(|phrase| format!("phrase: {phrase}"))
        .or_else(|| lists.iter().find_map(|list| phrase(words, list)))
}

/// A verb that makes a question one-way, whatever its object. Exceptions are approving a plan or a text, and deploying
/// agents that only think.
fn always(words: &[Token<'_>]) -> Option<String> {
    const NEAR: usize = 6;
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let verb = ALWAYS.verb(&word.stem)?;
        let behind = words.iter().skip(at + 1);
        let behind = behind.take_while(|next| next.text == word.text);
        let is_writing = |next: &Token<'_>| WRITINGS.noun(&next.word).is_some();
        let is_harmless = match verb {
            "approve" => behind.take(NEAR).any(is_writing),
            "deploy" => {
                let clause = behind.take_while(|next| !next.starts && !next.breaks);
                let clause: Vec<&str> = clause.map(|next| next.word.as_ref()).collect();
                // "Deploy locally" starts it here.
                let is_here = || matches!(clause.first(), Some(&("local" | "locally")));
                are_to_think(clause.iter().copied()) || is_here() || is_thing_at(words, at)
            }
            _ => is_thing_at(words, at),
        };
        (!is_harmless).then_some(verb)
    });
    found.map(|verb| format!("verb: {verb}"))
}

/// True when the verb at `at` is used as a noun: "the publish pipeline", "after a deploy".
fn is_thing_at(words: &[Token<'_>], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at));
    let is_named = word(at.checked_sub(1)).is_some_and(|before| ARTICLES.holds(&before.word));
    let next = word(Some(at + 1)).filter(|next| !next.breaks);
    let goes_on = next.is_some_and(|next| !is_stop(&next.word));
    let is_time = word(at.checked_sub(2))
        .is_some_and(|lead| matches!(lead.word.as_ref(), "after" | "before" | "during" | "since"));
    let is_bare = word(Some(at)).is_some_and(|word| ALWAYS.holds(&word.word));
    is_named && (goes_on || is_time) && is_bare
}

/// True for agents deployed only to think: "three experts to compare them", or with nothing after them: "all experts".
fn are_to_think<'w>(behind: impl Iterator<Item = &'w str>) -> bool {
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

/// "Proceed anyway", when something has failed or would be lost.
fn in_spite(words: &[Token<'_>]) -> Option<String> {
    let spite = words.iter().find(|word| SPITE.holds(&word.word))?;
    let failure = words.iter().find_map(|word| {
        FAILURES
            .verb(&word.stem)
            .or_else(|| SAFEGUARDS.noun(&word.word))
    })?;
    Some(format!("pair: {} × {failure}", spite.word))
}

fn alone(words: &[Token<'_>]) -> Option<String> {
    let thing = words.iter().find_map(|word| NEVER_TOUCHED.noun(&word.word));
    thing.map(|thing| format!("object: {thing}"))
}

/// Verbs with their objects.
fn pairs(words: &[Token<'_>]) -> Option<String> {
    destroyed(words, &CRITICAL, Role::Mild)
        .or_else(|| destroyed(words, &COMMON, Role::Free))
        .or_else(|| counted(words))
        .or_else(|| changed(words))
}

/// A destroying verb shortly followed by a large count of anything: "delete 340 comments".
fn counted(words: &[Token<'_>]) -> Option<String> {
    const LARGE: usize = 3;
    words.iter().enumerate().find_map(|(at, word)| {
        let verb = DESTROYING.verb(&word.stem)?;
        let mut close = words.iter().skip(at + 1).take(REACH);
        let is_large = |word: &Token<'_>| {
            word.word.len() >= LARGE && word.word.bytes().all(|byte| byte.is_ascii_digit())
        };
        let count = close.find(|word| is_large(word))?;
        Some(format!("pair: {verb} × {}", count.word))
    })
}
