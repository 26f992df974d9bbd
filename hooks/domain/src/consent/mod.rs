//! Consent: whether a habit may be proposed, or a preference set, without asking the person to type that the words
//! are wrong. Asked by the command line, where there is time, room and a person; the hook does not link it.
//!
//! Another text never makes an answer safer: every rule finds something, and none takes back what another found.

mod outward;
mod proposals;
mod rules;

use crate::commitment::sentences::without_refusals;
use crate::commitment::{Act, Commitment, is_form_of_verb, is_verb};
use crate::familiar::is_thing;

use self::rules::{Reading, find, find_act};
use crate::words::WordList;

/// Words of grammar that no other language has that is written with the same letters.
static ENGLISH: WordList = WordList::grammar("english");

/// Why the answer's act cannot be taken back; `None` where it can.
pub fn reason(act: &Act<'_>) -> Option<String> {
    let description = without_refusals(act.description);
    let together: Vec<&str> = act.together.iter().map(AsRef::as_ref).collect();
    let reading = match act.commitment {
        Commitment::Value => Reading::Value,
        Commitment::LeavesThings => Reading::Description,
        _ => Reading::Act,
    };
    let alone = || {
        let mut alone = act.alone.iter();
        alone.find_map(|text| find_act(text, reading))
    };
    let beside = || {
        let mut beside = [&*description, act.preview].into_iter();
        beside.find_map(|text| find_act(text, Reading::Description))
    };
    act.hard_reason()
        .or_else(|| outward::find(act.question, act.label, act.description, act.commitment))
        .or_else(|| find(&together))
        .or_else(alone)
        .or_else(beside)
        .or_else(|| is_unread(act).then(|| "words: not in English".to_owned()))
}

/// True for an answer that is not read: a word of it is not written in the letters of English, or a sentence that asks
/// is in another language. Where the question varies, each asking was read by itself.
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

/// True for a sentence without an English word of grammar that begins with no verb, and names hardly anything known.
fn is_unknown(sentence: &[String]) -> bool {
    let is_order = || sentence.first().is_some_and(|first| is_verb(first));
    let has_grammar = || sentence.iter().any(|word| ENGLISH.holds(word));
    let known = || sentence.iter().filter(|word| is_known(word)).count();
    sentence.len() > 1 && !has_grammar() && !is_order() && 3 * known() <= sentence.len()
}

/// The words of each sentence of `text`, in lower case, without names of files, numbers and single letters.
fn sentences(text: &str) -> Vec<Vec<String>> {
    // What stands behind brackets goes on.
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

/// True for a form of a verb, and for a thing of software work.
fn is_known(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    is_form_of_verb(word) || is_thing(word) || is_thing(singular)
}
