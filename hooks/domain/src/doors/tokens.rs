//! The words of a text as the door rules need them: their forms, and those that only name a thing.

use std::borrow::Cow;

use super::english::lists::{
    ALWAYS, COMPOUNDS, DOCUMENTS, HARD_VERBS, HEADS, PREPOSITIONS, PROTECTED, SAFE_OBJECTS,
    SHOWING, STOP_WORDS, WIDGETS,
};

/// How many words before a head can belong to its name ("reset password *page*").
const LONGEST_NAME: usize = 3;

/// How far behind a verb its safe object may stand ("remove the *unused imports*").
const REACH: usize = 4;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    /// Which text it stands in.
    pub(super) text: usize,
    /// In lower case.
    pub(super) word: Cow<'t, str>,
    /// True when more than white space, a hyphen, an underscore or a quotation mark stands before it.
    pub(super) breaks: bool,
    /// True when a sentence begins with it.
    pub(super) starts: bool,
    /// What it may do.
    pub(super) role: Role,
}

/// What a word may be in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Role {
    /// Anything.
    Free,
    /// A verb whose object is a piece of code: it endangers critical objects only.
    Mild,
    /// Part of the name of something safe: no match.
    Named,
}

/// Adds the words of `text`, the one numbered `number`: a text folded and without accents.
pub(super) fn push_tokens<'t>(number: usize, text: &'t str, found: &mut Vec<Token<'t>>) {
    /// How many bytes a word has, with what parts it from the next.
    const USUAL: usize = 5;
    found.reserve(text.len() / USUAL);
    let first = found.len();
    for line in text.lines() {
        let (mut breaks, mut starts) = (true, true);
        for written in line.split_whitespace() {
            if is_document(written) {
                found.push(token(number, Cow::Borrowed("file"), breaks, starts));
                (breaks, starts) = (true, false);
                continue;
            }
            let before = found.len();
            breaks = push_words(number, written, breaks, found);
            if let Some(first) = found.get_mut(before) {
                first.starts = starts;
                starts = false;
            }
            starts |= written.ends_with(ENDING) || written.starts_with(DASHES);
        }
    }
    name(found.get_mut(first..).unwrap_or_default());
}

/// What may stand between two words of one name.
const JOINING: [char; 7] = ['-', '_', '\'', '"', '`', '*', '’'];

/// What a sentence ends with.
const ENDING: [char; 9] = ['.', '?', '!', ':', ';', '。', '？', '！', '…'];

/// What parts sentences, standing alone.
const DASHES: [char; 2] = ['–', '—'];

/// Adds the words of one written word; true when it ended behind a break.
fn push_words<'t>(
    number: usize,
    written: &'t str,
    mut breaks: bool,
    found: &mut Vec<Token<'t>>,
) -> bool {
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        let is_word = c.is_alphanumeric();
        let end = rest
            .find(|c: char| c.is_alphanumeric() != is_word)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if is_word {
            found.push(token(number, spelled(run), breaks, false));
            breaks = false;
        } else {
            // The dot of a hidden file begins its name.
            let is_hidden = run == "." && rest.len() == written.len();
            let joins = run.chars().all(|c| JOINING.contains(&c)) || is_hidden;
            breaks |= !joins && !is_inside_number(run, found, after);
        }
        rest = after;
    }
    breaks
}

/// True for the mark inside `5,000` and `1.2`.
fn is_inside_number(mark: &str, before: &[Token<'_>], after: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    matches!(mark, "," | ".")
        && after.starts_with(is_digit)
        && before
            .last()
            .is_some_and(|last| last.word.ends_with(is_digit))
}

/// `word`, or the verb that is written in it with digits for letters: `d3l3te`.
fn spelled(word: &str) -> Cow<'_, str> {
    let has_both = word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic());
    if !has_both {
        return Cow::Borrowed(word);
    }
    let letters = |one: char| -> String {
        let letter = |c| match c {
            '0' => 'o',
            '1' => one,
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            c => c,
        };
        word.chars().map(letter).collect()
    };
    let is_act = |word: &String| {
        HARD_VERBS.entry(word, is_verb).is_some() || ALWAYS.entry(word, is_verb).is_some()
    };
    ['l', 'i']
        .into_iter()
        .map(letters)
        .find(is_act)
        .map_or(Cow::Borrowed(word), Cow::Owned)
}

fn token(text: usize, word: Cow<'_, str>, breaks: bool, starts: bool) -> Token<'_> {
    Token {
        text,
        word,
        breaks,
        starts,
        role: Role::Free,
    }
}

/// True for the name of a document or picture: its words name no act.
fn is_document(written: &str) -> bool {
    if !written.contains('.') {
        return false;
    }
    let name = written.trim_matches(|c: char| !c.is_alphanumeric());
    name.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && DOCUMENTS.holds(ending))
}

/// Marks what only names a thing.
fn name(found: &mut [Token<'_>]) {
    for at in 0..found.len() {
        let (before, rest) = found.split_at_mut(at);
        let Some((token, after)) = rest.split_first_mut() else {
            return;
        };
        let next = after.first_mut().filter(|next| !next.breaks);
        if let Some(next) = next {
            let is_compound = |pair: &str| {
                pair.split_once(' ')
                    .is_some_and(|(one, other)| token.word == one && is_noun(&next.word, other))
            };
            let mut compounds = COMPOUNDS.starting(&token.word).into_iter().flatten();
            if compounds.any(is_compound) {
                token.role = Role::Named;
                next.role = Role::Named;
            }
        }
        if is_imitation(&token.word) {
            let rest = after.iter_mut().take(2);
            rest.take_while(|next| !next.breaks && !is_stop(&next.word))
                .for_each(|next| next.role = Role::Named);
        }
        if is_head(token) && !goes_on(after) {
            name_before(before, token);
        }
        // "Deleted" users are shown, and what "was truncated" is so already.
        let is_shown = |before: &Token<'_>| {
            SHOWING.entry(&before.word, is_verb).is_some()
                || matches!(before.word.as_ref(), "was" | "were" | "been" | "already")
        };
        if token.word.ends_with("ed") && !token.breaks && before.last().is_some_and(is_shown) {
            token.role = Role::Named;
        }
        if token.role == Role::Free
            && HARD_VERBS.entry(&token.word, is_verb).is_some()
            && acts_on_code(after)
        {
            token.role = Role::Mild;
        }
    }
}

/// True for what stands in for a real thing in tests: "the *mock* payment provider".
fn is_imitation(word: &str) -> bool {
    matches!(word, "mock" | "mocked" | "stub" | "stubbed" | "simulated")
}

fn is_head(token: &Token<'_>) -> bool {
    [&HEADS, &WIDGETS]
        .iter()
        .any(|heads| heads.entry(&token.word, is_noun).is_some())
}

/// True when the name goes on behind its head: "page *views*".
fn goes_on(after: &[Token<'_>]) -> bool {
    after
        .first()
        .is_some_and(|next| !next.breaks && !is_stop(&next.word) && !is_head(next))
}

/// Marks the words before `head` that belong to its name.
fn name_before(before: &mut [Token<'_>], head: &Token<'_>) {
    let is_widget = WIDGETS.entry(&head.word, is_noun).is_some();
    let mut joined = !head.breaks;
    let mut rest = before;
    for length in 0..LONGEST_NAME {
        let Some((last, earlier)) = rest.split_last_mut() else {
            return;
        };
        if !joined || is_stop(&last.word) || PROTECTED.holds(&last.word) {
            return;
        }
        let starts = last.breaks || earlier.last().is_none_or(|word| is_stop(&word.word));
        // "Publish landing page?" is an order; "Publish button" and "Payment form" are none.
        if starts && ALWAYS.holds(&last.word) && !(is_widget && length == 0) {
            return;
        }
        last.role = Role::Named;
        joined = !last.breaks;
        rest = earlier;
    }
}

/// True when the words behind a verb are a piece of code and then, if anything, a preposition:
/// "unused imports from all files", but not "comments and tables".
pub(super) fn acts_on_code(after: &[Token<'_>]) -> bool {
    let is_code = |word: &&Token<'_>| SAFE_OBJECTS.entry(&word.word, is_noun).is_some();
    let mut words = after.iter().take_while(|word| !word.breaks);
    words.by_ref().take(REACH).any(|word| is_code(&word))
        && words
            .find(|word| !is_code(word))
            .is_none_or(|next| PREPOSITIONS.holds(&next.word))
}

pub(super) fn is_stop(word: &str) -> bool {
    STOP_WORDS.holds(word) || PREPOSITIONS.holds(word)
}

/// What every form of `entry` has: all of it but the last byte. Most words are distinguished by this alone.
pub(super) fn shares_stem(word: &str, entry: &str) -> bool {
    let stem = entry.len().saturating_sub(1);
    let mut pairs = word.bytes().zip(entry.bytes()).take(stem);
    word.len() >= stem && pairs.all(|(one, other)| one == other)
}

/// True when `word` is `noun` or its plural.
pub(super) fn is_noun(word: &str, noun: &str) -> bool {
    if !shares_stem(word, noun) {
        return false;
    }
    if let Some(stem) = noun.strip_suffix('y')
        && word.strip_suffix("ies") == Some(stem)
    {
        return true;
    }
    word.strip_prefix(noun)
        .is_some_and(|ending| matches!(ending, "" | "s" | "es"))
}

/// True when `word` is a form of `verb`: delete, deletes, deleted, deleting, deletion; drop,
/// dropped, dropping; apply, applies, applied.
pub(super) fn is_verb(word: &str, verb: &str) -> bool {
    const ENDINGS: &[&str] = &["", "s", "es", "d", "ed", "ing", "al", "ation", "ment", "er"];
    // Comparatives, and no acts.
    if !shares_stem(word, verb) || matches!(word, "cleaner" | "clearer") {
        return false;
    }
    if word
        .strip_prefix(verb)
        .is_some_and(|ending| ENDINGS.contains(&ending))
    {
        return true;
    }
    if let Some(stem) = verb.strip_suffix('e') {
        return word.strip_prefix(stem).is_some_and(|ending| {
            matches!(
                ending,
                "ing" | "ion" | "ions" | "al" | "ation" | "or" | "ure"
            )
        });
    }
    if let Some(stem) = verb.strip_suffix('y') {
        return word
            .strip_prefix(stem)
            .is_some_and(|ending| matches!(ending, "ies" | "ied" | "ication"));
    }
    let doubled = verb
        .chars()
        .next_back()
        .and_then(|last| word.strip_prefix(verb)?.strip_prefix(last));
    doubled.is_some_and(|ending| matches!(ending, "ed" | "ing" | "er" | "al"))
}
