//! Which sentences of a question propose what is done, and which only speak of something.

use std::borrow::Cow;

use super::words;
use crate::words::WordList;

/// The sentences of `text` that ask, or else its last one.
pub(crate) fn asking_sentences(text: &str) -> Vec<&str> {
    let sentences = sentences(text);
    let last = sentences.last().copied();
    let asking: Vec<&str> = sentences
        .into_iter()
        .filter(|one| one.ends_with('?'))
        .collect();
    match asking.is_empty() {
        true => last.into_iter().collect(),
        false => asking,
    }
}

/// The sentences of `text`; a mark inside a word ends none.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let is_end = matches!(byte, b'\n')
            || matches!(byte, b'.' | b'?' | b'!')
                && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        if is_end {
            found.extend(text.get(start..=at).map(str::trim));
            start = at + 1;
        }
    }
    found.extend(text.get(start..).map(str::trim));
    found.retain(|sentence| !sentence.is_empty());
    found
}

static PRODUCT: WordList = WordList::labels("product");

static THINGS: WordList = WordList::labels("made things");

static BECOMING: WordList = WordList::labels("becoming");

static DESIGN: WordList = WordList::labels("design");

/// `question` without the sentences that ask what the product shall do: "Should users be able to delete old
/// versions?".
pub(crate) fn without_design(question: &str) -> Cow<'_, str> {
    without(question, &sentences(question), is_design)
}

static MATCHING: WordList = WordList::labels("matching");

/// True for a question about a text: "Do these match what you hear from customers?".
fn confirms(words: &[String]) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    matches!(word(0), "do" | "does" | "is" | "are")
        && matches!(word(1), "this" | "that" | "these" | "those" | "it" | "the")
        && words
            .iter()
            .skip(2)
            .take(3)
            .any(|word| MATCHING.holds(word))
}

fn is_design(sentence: &str) -> bool {
    let words = words(sentence);
    if confirms(&words) {
        return true;
    }
    let asks = words.first().is_some_and(|word| {
        matches!(
            word.as_str(),
            "should" | "can" | "may" | "must" | "do" | "does" | "will" | "would"
        )
    });
    let is_agents =
        |word: &String| matches!(word.as_str(), "i" | "we" | "me" | "us" | "now" | "today");
    if !asks || words.iter().any(is_agents) {
        return false;
    }
    let subject = words.iter().take(6).position(|word| PRODUCT.holds(word));
    subject.is_some_and(|at| {
        let behind = || words.iter().skip(at + 1).take(4);
        let is_thing = words.get(at).is_some_and(|word| THINGS.holds(word));
        let becomes = |word: &String| BECOMING.holds(word);
        behind().any(|word| DESIGN.holds(word)) || is_thing && !behind().any(becomes)
    })
}

static REFUSING: WordList = WordList::labels("refusing");

static NOT_YET: WordList = WordList::labels("not yet");

/// `text` without what its clauses say is not done, or not yet: "continue without creating a ticket".
pub(crate) fn without_refusals(text: &str) -> Cow<'_, str> {
    let is_end = |c: char| matches!(c, ',' | ';' | '.' | ':' | '—' | '–' | '\n' | '(' | ')');
    let mut kept = String::new();
    let (mut is_refused, mut left_out, mut is_head) = (false, false, true);
    let mut written = text
        .split_inclusive(|c: char| c.is_whitespace() || is_end(c))
        .peekable();
    while let Some(piece) = written.next() {
        let word = piece
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
            .replace('’', "'");
        let next = written.peek().map_or("", |next| next.trim());
        // What is said behind is read again, though it may be refused as well.
        if matches!(word.as_str(), "but" | "and" | "then") {
            is_refused = false;
        }
        // "Not only …" refuses nothing.
        is_refused |= REFUSING.holds(&word) && !matches!(next, "only" | "just");
        is_refused |= NOT_YET.holds(&word) && !is_head;
        match is_refused {
            true => left_out = true,
            false => kept.push_str(piece),
        }
        is_head = piece.ends_with(is_end) || is_head && word.is_empty();
        is_refused &= !piece.ends_with(is_end);
    }
    match left_out {
        true => Cow::Owned(kept),
        false => Cow::Borrowed(text),
    }
}

/// `text` without those of its `parts` that are `left_out`.
fn without<'t>(text: &'t str, parts: &[&'t str], left_out: fn(&str) -> bool) -> Cow<'t, str> {
    let kept: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !left_out(part))
        .collect();
    match kept.len() == parts.len() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(kept.join(" ")),
    }
}
