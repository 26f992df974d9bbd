//! Whether a question asks for a secret, so that what is typed in reply is masked whole, or only mentions one.

use super::fields::names_secret;
use super::found::is_plain as is_plain_value;
use super::identifiers::is_head;
use super::prose::names_only_parts;
use super::shapes::{Shape, holds, is_acronym, is_hex, is_measure, is_standard, spaced};

/// How a question is about a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SecretAsked {
    /// It names none.
    No,
    /// It names one, and asks about something else: whether to clear a token, where to keep it.
    Mentioned,
    /// An option says that the person types one. A sentence without one is something else.
    Offered,
    /// What is typed is the secret.
    Yes,
}

/// The first words, in lower case, of sentences that ask what to do with a secret, not for the secret.
const DECIDES: &str = "should shall do does did is are was were can could would will may might must how where when who why \
    whether if add allow cache change clear commit delete disable drop enable encrypt expire hash hide ignore invalidate \
    keep leave log mask move read redact refresh regenerate remove rename renew replace require reset reuse revoke rotate \
    save share show skip sign store validate verify wo woher wohin wann warum wie soll sollen sollte darf kann comment où pourquoi \
    quand faut doit cómo como dónde onde cuándo quando perché dove hoe waar waarom wanneer moet moeten jak gdzie skąd dlaczego \
    kiedy czy как где откуда почему когда нужно надо hur var varför när ska nasıl nerede neden";

/// Words that ask the same in languages without spaces.
const ASKS_HOW: [&str; 10] = [
    "怎么",
    "怎麼",
    "如何",
    "哪里",
    "哪裡",
    "为什么",
    "方法",
    "どこ",
    "どう",
    "어떻게",
];

/// Words behind `how` with which one asks for the secret: `Wie lautet das Passwort?`
const LYING: &str = "lautet ist heißt heisst lyder är è é er";

/// The words of a label, in lower case, with which the person says that they type something themselves.
const TYPES: &str = "enter type paste provide give supply insert send tell put set here";

impl SecretAsked {
    /// How the question with this `text`, `header`, `context` and these `labels` is about a secret.
    pub(crate) fn of(text: &str, header: &str, context: &str, labels: &[String]) -> Self {
        let by_header = match names_secret(header) {
            // A header is a topic: what is asked about it stands in the text.
            true if decides(text) => Self::Mentioned,
            true => Self::Yes,
            false => Self::No,
        };
        let of_label = |label: &String| match names_secret(label) {
            true if words_of(label).any(|word| holds(TYPES, &word)) => Self::Offered,
            true => Self::Mentioned,
            false => Self::No,
        };
        let by_label = labels.iter().map(of_label).max();
        let by_context = match names_secret(context) {
            true => Self::Mentioned,
            false => Self::No,
        };
        let by_text = Self::by_text(text).max(by_header);
        by_text.max(by_label.unwrap_or(Self::No)).max(by_context)
    }

    /// How the question with this `text` alone is about a secret.
    pub(crate) fn by_text(text: &str) -> Self {
        let sentences = text.trim_end().split_inclusive(['.', '?', '!', '\n', ';']);
        let of_sentence = |sentence: &str| {
            // A statement before the question.
            let is_said = sentence.ends_with('.') && !text.trim_end().ends_with(sentence);
            let is_asked = words_of(sentence).any(|word| holds(TYPES, &word));
            // `Can you give me …`
            let is_wanted = is_asked && words_of(sentence).nth(1).is_some_and(|word| word == "you");
            match decides(sentence) && !is_wanted
                || is_said && !is_asked
                || names_only_parts(sentence)
            {
                true => Self::Mentioned,
                false => Self::Yes,
            }
        };
        match names_secret(text) {
            // A name may go over the end of what looks like a sentence.
            true => sentences
                .filter(|sentence| names_secret(sentence))
                .map(of_sentence)
                .max()
                .unwrap_or(Self::Yes),
            false => Self::No,
        }
    }

    /// True if `typed` may be the secret. Where one is only mentioned, a secret is one word that is no plain one.
    pub(crate) fn is_answered_by(self, typed: &str) -> bool {
        let typed = typed.trim();
        // `src/auth.ts:42`
        let line = typed.trim_end_matches(|c: char| c.is_ascii_digit());
        let place = line
            .strip_suffix(':')
            .filter(|file| file.contains(['/', '.']))
            .unwrap_or(typed);
        let is_plain = |c: char| c.is_alphabetic() || "-.,/'’\"".contains(c);
        match self {
            Self::No => false,
            Self::Mentioned => {
                // `auth_tokens` is a name.
                let digits = typed.bytes().filter(u8::is_ascii_digit).count();
                let is_name = is_plain_value(typed) || names_secret(typed) && digits < 2;
                let is_commit = is_hex(typed) && matches!(typed.len(), 7..=12 | 40);
                let is_standard = names_standard(typed) && !has_secret(typed);
                let is_fact = is_measure(typed) || is_acronym(typed) || is_commit || is_standard;
                let is_plain = is_name || is_fact || place.chars().all(is_plain);
                !typed.contains(char::is_whitespace) && !is_plain
            }
            Self::Offered => typed.split_whitespace().count() < 4 || has_secret(typed),
            // `argon2id with the defaults` answers another question.
            Self::Yes => has_secret(typed) || !(names_standard(typed) || is_remark(typed)),
        }
    }
}

/// True if a word of `typed` has the shape of a secret.
fn has_secret(typed: &str) -> bool {
    let mut words = spaced(typed, 0).filter_map(|range| typed.get(range));
    words.any(|word| Shape::Chosen.fits(word) || Shape::Made(6).fits(word))
}

/// True for a sentence of several words with its signs, an address, and the name of a variable. Words alone may be a
/// passphrase.
fn is_remark(typed: &str) -> bool {
    let words = typed.split_whitespace().count();
    let is_variable = |word: &str| {
        let is_large = !word.contains(char::is_lowercase);
        word.contains('_') && (is_large || words == 1) && names_secret(word)
    };
    words > 4 && typed.contains([',', ';', '.'])
        || words == 1 && typed.contains("://")
        || typed.split_whitespace().any(is_variable)
        || typed.contains(|c| ('\u{3040}'..'\u{A000}').contains(&c))
}

/// True if `typed` names an algorithm or a standard.
fn names_standard(typed: &str) -> bool {
    let small = typed.to_lowercase();
    let mut words = spaced(&small, 0).filter_map(|range| small.get(range));
    words.any(is_standard)
}

/// True if `sentence` asks what to do.
fn decides(sentence: &str) -> bool {
    let mut words = words_of(sentence);
    let decides = words.next().is_some_and(|word| holds(DECIDES, &word));
    let next = words.next().unwrap_or_default();
    // `Which hashing for passwords?`
    decides && !holds(LYING, &next)
        || is_head(&next)
        || ASKS_HOW.iter().any(|word| sentence.contains(word))
}

/// The words of `text`, in lower case.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
