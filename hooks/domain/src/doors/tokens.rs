//! The words of a text for the rules: with their stems, and with marks on words that only name a thing.

use std::borrow::Cow;

use crate::words::{WordList, has_word, stem_of};

/// Verbs that destroy their object.
pub(crate) static DESTROYING: WordList = WordList::verbs("destroying");
/// Verbs that reach others or end something, with any object.
pub(crate) static ALWAYS: WordList = WordList::verbs("always");
static ABLE: WordList = WordList::doors("able");
static COMPOUNDS: WordList = WordList::doors("compounds");
static SCREENS: WordList = WordList::doors("screens");
static WIDGETS: WordList = WordList::doors("widgets");
static PARTS: WordList = WordList::doors("parts");
static QUALIFYING: WordList = WordList::doors("qualifying");
static PROTECTED: WordList = WordList::doors("protected");
static SAFE: WordList = WordList::doors("safe");
static DOCUMENTS: WordList = WordList::doors("documents");
static LOOKING: WordList = WordList::doors("looking");
static STOP: WordList = WordList::doors("stop");
static PREPOSITIONS: WordList = WordList::doors("prepositions");

/// How many words before a head can belong to its name ("reset password *page*").
const LONGEST_NAME: usize = 3;

/// How many words after a verb its safe object may be ("remove the *unused imports*").
const REACH: usize = 4;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    /// The index of its text.
    pub(crate) text: usize,
    /// In lower case.
    pub(crate) word: Cow<'t, str>,
    /// The common part of all its forms.
    pub(crate) stem: String,
    /// True when there is more than white space, a hyphen, an underscore or a quotation mark before it.
    pub(crate) breaks: bool,
    /// True when it begins a sentence.
    pub(crate) starts: bool,
    /// Its role in the rules.
    pub(crate) role: Role,
}

/// The role that a word may have in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Role {
    /// Anything.
    Free,
    /// A verb whose object is a piece of code: it endangers critical objects only.
    Mild,
    /// Part of the name of something safe: no match.
    Named,
}

/// Adds the words of `text`, the text with the index `number`. It must be folded and without accents.
pub(crate) fn push_tokens<'t>(number: usize, text: &'t str, found: &mut Vec<Token<'t>>) {
    /// The usual bytes per word, including the separator.
    const USUAL: usize = 5;
    found.reserve(text.len() / USUAL);
    let first = found.len();
    for line in text.lines() {
        let (mut breaks, mut starts) = (true, true);
        for written in line.split_whitespace() {
            if is_document(written) {
                found.push(token(number, Cow::Borrowed("file"), breaks, starts));
                (breaks, starts) = (true, written.ends_with(ENDING));
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

/// Characters that may separate two words of one name.
const JOINING: [char; 7] = ['-', '_', '\'', '"', '`', '*', '’'];

/// Characters that end a sentence.
const ENDING: [char; 9] = ['.', '?', '!', ':', ';', '。', '？', '！', '…'];

/// Characters that separate sentences when they stand alone.
const DASHES: [char; 2] = ['–', '—'];

/// Adds the words of one written word. True when it ended after a break.
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
            // The dot of a hidden file is part of its name.
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

/// `word`, or the verb that it spells with digits for letters: `d3l3te`.
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
        let stem = stem_of(word);
        DESTROYING
            .verb(&stem)
            .or_else(|| ALWAYS.verb(&stem))
            .is_some()
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
        stem: stem_of(&word),
        word,
        breaks,
        starts,
        role: Role::Free,
    }
}

/// True for the name of a document or picture. Its words do not name an act.
fn is_document(written: &str) -> bool {
    if !written.contains('.') {
        return false;
    }
    let name = written.trim_matches(|c: char| !c.is_alphanumeric());
    name.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && DOCUMENTS.holds(ending))
}

/// Marks the words that only name a thing.
fn name(found: &mut [Token<'_>]) {
    for at in 0..found.len() {
        let (before, rest) = found.split_at_mut(at);
        let Some((token, after)) = rest.split_first_mut() else {
            return;
        };
        let next = after.first_mut().filter(|next| !next.breaks);
        if let Some(next) = next {
            // "The delete endpoint", "the publish pipeline": the name of a thing.
            let is_verb = DESTROYING.holds(&token.word) || ALWAYS.holds(&token.word);
            if is_verb && PARTS.noun(&next.word).is_some() {
                token.role = Role::Named;
            }
            let pair = [&*token.word, " ", &*next.word].concat();
            if COMPOUNDS.noun(&pair).is_some() {
                token.role = Role::Named;
                next.role = Role::Named;
            }
        }
        if is_head(token) && !goes_on(after) {
            name_before(before, token);
        }
        // "Main stays clean", "a clear error": a quality.
        let is_quality = matches!(token.word.as_ref(), "clean" | "clear" | "empty");
        if is_quality
            && before
                .last()
                .is_some_and(|before| !token.breaks && QUALIFYING.holds(&before.word))
        {
            token.role = Role::Named;
        }
        // "Deleted" users are only shown, and data that "was truncated" already is.
        let is_shown = |before: &Token<'_>| {
            LOOKING.verb(&before.stem).is_some()
                || matches!(before.word.as_ref(), "was" | "were" | "been" | "already")
        };
        if token.word.ends_with("ed") && !token.breaks && before.last().is_some_and(is_shown) {
            token.role = Role::Named;
        }
        if lets_others(before, token) {
            token.role = Role::Named;
        }
        if token.role == Role::Free && DESTROYING.verb(&token.stem).is_some() && acts_on_code(after)
        {
            token.role = Role::Mild;
        }
    }
}

/// True for an act that the program allows others: "users could *delete* what others need".
fn lets_others(before: &[Token<'_>], token: &Token<'_>) -> bool {
    let [.., subject, able] = before else {
        return false;
    };
    matches!(able.word.as_ref(), "can" | "could" | "might")
        && ABLE.holds(&subject.word)
        && !able.breaks
        && !token.breaks
}

fn is_head(token: &Token<'_>) -> bool {
    SCREENS.noun(&token.word).is_some() || WIDGETS.noun(&token.word).is_some()
}

/// True when the name continues after its head: "page *views*".
fn goes_on(after: &[Token<'_>]) -> bool {
    after
        .first()
        .is_some_and(|next| !next.breaks && !is_stop(&next.word) && !is_head(next))
}

/// Marks the words before `head` that belong to its name.
fn name_before(before: &mut [Token<'_>], head: &Token<'_>) {
    let is_widget = WIDGETS.noun(&head.word).is_some();
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
        // "Publish landing page?" is an order; "Publish button" and "Payment form" are not.
        if starts && ALWAYS.holds(&last.word) && !(is_widget && length == 0) {
            return;
        }
        last.role = Role::Named;
        joined = !last.breaks;
        rest = earlier;
    }
}

/// True when the words after a verb are a piece of code, followed by nothing or a preposition:
/// "unused imports from all files", but not "comments and tables".
pub(crate) fn acts_on_code(after: &[Token<'_>]) -> bool {
    let is_code = |word: &&Token<'_>| SAFE.noun(&word.word).is_some();
    let mut words = after.iter().take_while(|word| !word.breaks);
    words.by_ref().take(REACH).any(|word| is_code(&word))
        && words
            .find(|word| !is_code(word))
            .is_none_or(|next| PREPOSITIONS.holds(&next.word))
}

pub(crate) fn is_stop(word: &str) -> bool {
    STOP.holds(word) || PREPOSITIONS.holds(word)
}

// Addresses to send to, paths outside the project, devices, versions to release.

static SENDING: WordList = WordList::doors("sending");

static ADDRESSING: WordList = WordList::doors("addressing");

static WRITING: WordList = WordList::doors("writing");

/// Folders of the system, and the person's home folder.
const OUTSIDE: &str = "/etc /usr /bin /sbin /lib /var /opt /home /root /users/ /boot /sys /proc /mnt /media /srv /library \
    /system /applications /private ~/ $home";

static RELEASING: WordList = WordList::doors("releasing");

/// True for a text that names an address or a path outside the project, in any context.
pub(in crate::doors) fn points_outside(folded: &str) -> bool {
    let mut words = folded.split_whitespace().filter(|word| has_mark(word));
    words.any(|word| {
        let word = word.trim_matches(MARKS_AROUND);
        word.contains("://") || is_mail(word) || is_outside(word) || word.starts_with("../")
    })
}

/// Characters around a word that are not part of it.
const MARKS_AROUND: [char; 20] = [
    '"', '\'', '(', ')', '[', ']', '{', '}', ',', ';', ':', '!', '<', '>', '?', '“', '”', '«', '»',
    '`',
];

pub(super) fn first(folded: &str) -> Option<&'static str> {
    let words = folded.split_whitespace().filter(|word| has_mark(word));
    words.into_iter().find_map(|word| {
        let word = word.trim_matches(|c: char| "\"'()[]{},;:!?<>“”«»".contains(c));
        address(word, folded)
            .or_else(|| path(word, folded))
            .or_else(|| version(word, folded))
    })
}

/// True for a word with a character that every address, path or version contains.
fn has_mark(word: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b'/' | b'\\' | b'~' | b'$' | b'@' | b'0'..=b'9');
    word.bytes().any(is_mark)
}

fn address(word: &str, folded: &str) -> Option<&'static str> {
    if !word.contains(['/', '@']) {
        return None;
    }
    const HERE: &str = "localhost 127.0.0.1 [::1] 0.0.0.0 example.com/api";
    const STORES: &str = "s3:// gs:// ssh:// ftp:// sftp:// scp:// smb://";
    let is_local = || HERE.split(' ').any(|here| word.contains(here));
    let is_store = STORES.split(' ').any(|start| word.starts_with(start));
    let is_url =
        word.starts_with("https://") || word.starts_with("http://") || word.starts_with("wss://");
    if is_store || (is_url && !is_local() && has_word(folded, &SENDING)) {
        return Some("an address to send to");
    }
    let is_handle = word.strip_prefix('@').is_some_and(|name| {
        name.len() > 1
            && !name.contains(['/', '(', '.'])
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    (is_mail(word) || is_handle)
        .then_some("somebody to write to")
        .filter(|_| has_word(folded, &ADDRESSING))
}

fn is_mail(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && !name.contains('/')
            && host.contains('.')
            && !host.starts_with('.')
            && !host.starts_with(|c: char| c.is_ascii_digit())
            && !host.contains('/')
    })
}

fn path(word: &str, folded: &str) -> Option<&'static str> {
    const DEVICES: &str =
        "/dev/sd /dev/nvme /dev/disk /dev/hd /dev/vd /dev/mapper /dev/mmcblk /dev/rdisk";
    if word.contains('/') && DEVICES.split(' ').any(|device| word.contains(device)) {
        return Some("a device");
    }
    let is_outside = is_outside(word) || word == "/" && names_the_root(folded);
    (is_outside && has_word(folded, &WRITING)).then_some("a path outside the project")
}

/// True for a path outside the project. The root alone does not count: `/` may separate two words.
fn is_outside(word: &str) -> bool {
    let under = |folder: &str| {
        word.strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
    };
    word.starts_with(['/', '~', '$']) && OUTSIDE.split(' ').any(under)
        || word == "~"
        || word.starts_with("../../")
        || word.get(1..3).is_some_and(|drive| drive == ":\\")
}

/// True unless every separate slash stands between two words: "human: 1 day / agent: 20 min".
fn names_the_root(folded: &str) -> bool {
    const BEFORE: &str = "in to on from of under at into";
    let mut words = folded.split_whitespace().peekable();
    let mut before = "";
    while let Some(word) = words.next() {
        let is_named = before.starts_with('-')
            || words.peek().is_none()
            || BEFORE.split(' ').any(|word| word == before)
            || has_word(before, &WRITING);
        if word == "/" && is_named {
            return true;
        }
        before = word;
    }
    false
}

/// `v2.0`, `1.4.0`.
fn version(word: &str, folded: &str) -> Option<&'static str> {
    let number = word.strip_prefix('v').unwrap_or(word);
    let mut parts = number.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let starts = parts.next().is_some_and(is_number);
    let is_version = starts
        && (number.len() < word.len() || number.contains('.'))
        && parts.clone().count() <= 3
        && parts.all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    (is_version && has_word(folded, &RELEASING)).then_some("a version to release")
}
