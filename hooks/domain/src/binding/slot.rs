//! What may vary between the fixed words of a question, and how far.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::plain_words::{is_plain_word, names_an_environment};
use crate::doors::one_way_reason;

/// The longest text that a slot takes, in bytes.
pub(super) const LONGEST_FILLER: usize = 120;

/// The longest topic, in bytes.
const LONGEST_TOPIC: usize = 40;

/// How many digits a number may have.
const MOST_DIGITS: usize = 9;

/// Endings of files that only hold text or code to be read: not what is executed, and not what
/// configures a machine.
const ENDINGS: [&str; 32] = [
    "adoc", "c", "cc", "cpp", "cs", "css", "csv", "ex", "go", "h", "hpp", "html", "java", "js",
    "jsx", "kt", "less", "md", "mdx", "php", "py", "rb", "rs", "rst", "scala", "scss", "svelte",
    "swift", "ts", "tsx", "txt", "vue",
];

/// A place where evidence varied, by the kind of what was seen there.
///
/// Only these kinds are ever open. Anything else that varies (commands, code, addresses, amounts,
/// names of environments and branches) holds exactly as it was seen, in a form of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// A topic of at most so many plain words.
    Words(usize),
    /// A whole number from the least to the greatest that was seen, both included.
    Number(u32, u32),
    /// A file below the project, of one of these endings.
    File(Vec<String>),
}

impl Slot {
    /// Whether `filler` may stand in the slot.
    pub fn accepts(&self, filler: &str) -> bool {
        match self {
            Self::Words(most) => topic(filler).is_some_and(|words| words <= *most),
            Self::Number(least, most) => {
                number(filler).is_some_and(|number| (*least..=*most).contains(&number))
            }
            Self::File(endings) => {
                file_ending(filler).is_some_and(|ending| endings.iter().any(|seen| seen == ending))
            }
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(1) => f.write_str("<one word>"),
            Self::Words(most) => write!(f, "<up to {most} words>"),
            Self::Number(least, most) => write!(f, "<{least} to {most}>"),
            Self::File(endings) => write!(f, "<file .{}>", endings.join(", .")),
        }
    }
}

/// How many words `filler` has, when it is nothing but a topic: short, of letters only, without a word
/// that negates, orders, counts or joins (but for an article in front), and without one that the door rules know.
pub fn topic(filler: &str) -> Option<usize> {
    let named = ["the ", "The ", "a ", "A ", "an ", "An "]
        .iter()
        .find_map(|article| filler.strip_prefix(article))
        .unwrap_or(filler);
    let is_topic = filler.len() <= LONGEST_TOPIC
        && !named.is_empty()
        && named.split(' ').all(is_plain_word)
        && one_way_reason(&[filler]).is_none();
    is_topic.then(|| named.split(' ').count())
}

/// The whole number that `filler` is.
pub fn number(filler: &str) -> Option<u32> {
    let plain = filler.bytes().all(|byte| byte.is_ascii_digit())
        && filler.len() <= MOST_DIGITS
        && (filler.len() == 1 || !filler.starts_with('0'));
    plain.then(|| filler.parse().ok()).flatten()
}

/// The ending of the file that `filler` names, when it is one below the project that is only read or
/// edited.
pub fn file_ending(filler: &str) -> Option<&str> {
    let (folders, name) = filler.rsplit_once('/').unwrap_or(("", filler));
    let (stem, ending) = name.rsplit_once('.')?;
    let plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let folders_are_plain = folders.is_empty() || folders.split('/').all(plain);
    let is_file = filler.len() <= LONGEST_FILLER
        && folders_are_plain
        && stem.split('.').all(plain)
        && ENDINGS.contains(&ending);
    if !is_file {
        return None;
    }
    let words: Vec<&str> = filler
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let is_safe = !words.iter().any(|word| names_an_environment(word))
        && one_way_reason(&[&words.join(" ")]).is_none();
    is_safe.then_some(ending)
}
