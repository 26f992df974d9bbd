//! Whether a question asks for a secret, so that what is typed in reply is masked whole, or only mentions one.

use super::fields::names_secret;
use super::prose::{is_head, names_only_parts};
use super::shapes::{Shape, has_digit, holds, is_acronym, is_measure, spaced};

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
    save share show skip sign store validate verify";

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
            match decides(sentence) || is_said && !is_asked || names_only_parts(sentence) {
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
                let is_name = names_secret(typed) && !has_digit(typed);
                let is_fact = is_measure(typed) || is_acronym(typed);
                let is_plain = is_name || is_fact || place.chars().all(is_plain);
                !typed.contains(char::is_whitespace) && !is_plain
            }
            Self::Offered => {
                let mut words = spaced(typed, 0).filter_map(|range| typed.get(range));
                let is_secret = |word| Shape::Chosen.fits(word) || Shape::Made(6).fits(word);
                typed.split_whitespace().count() < 4 || words.any(is_secret)
            }
            Self::Yes => true,
        }
    }
}

/// True if `sentence` asks what to do.
fn decides(sentence: &str) -> bool {
    let mut words = words_of(sentence);
    let first = words.next();
    // `Which hashing for passwords?`
    first.is_some_and(|word| holds(DECIDES, &word))
        || words.next().is_some_and(|word| is_head(&word))
}

/// The words of `text`, in lower case.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
