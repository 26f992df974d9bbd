//! The binding of a preference: the forms of the question that the person has seen, and the parts that may vary.
//!
//! A preference answers a question only when one of its [`Form`]s describes everything that the person would read:
//! text, header, and the options' descriptions and previews.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::doors::{find_signs, points_outside};
use crate::familiar::{Familiar, counts_to, says_something};
use crate::named::named_enum;
use crate::recommended::is_option;
pub use pattern::{Accepts, Part, Pattern, fold_white_space};

mod pattern;

/// One form in which a question was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Form {
    /// The text, without a marker.
    pub text: Pattern,
    /// The header; empty if none was shown, `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Pattern>,
    /// The descriptions in the order of the preference's options; empty if no option had one, `None` if they are not
    /// known, as in logs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub descriptions: Option<Vec<Pattern>>,
    /// The previews' digests ([`preview_digest`]), with the same rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previews: Option<Vec<String>>,
}

/// The parts of a question that the person reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// The host ([`crate::host`]) of the tool that asks; `None` if not known.
    pub tool: Option<&'a str>,
    /// The text, without a marker.
    pub text: &'a str,
    /// The header.
    pub header: Option<&'a str>,
    /// The labels.
    pub options: &'a [String],
    /// Whether several may be chosen.
    pub multi_select: bool,
    /// The descriptions, one per option or none at all; `None` if they are not known.
    pub descriptions: Option<&'a [String]>,
    /// The previews' digests, with the same rules.
    pub previews: Option<&'a [String]>,
    /// A field that no known agent shows ([`crate::wire::SentQuestion::unknown_field`]).
    pub unknown_field: Option<&'a str>,
}

named_enum! {
    /// How a question differs from the forms that were seen, compared with the closest one.
    pub enum Difference {
        /// The seen form is not known.
        NotBound = "not_bound",
        /// The tool that asks.
        Tool = "tool_differs",
        /// The labels.
        Options = "options_differ",
        /// One allows several choices, the other only one.
        MultiSelect = "multi_select_differs",
        /// The text, in its words or between them.
        Text = "text_differs",
        /// The header.
        Header = "header_differs",
        /// A preview.
        Preview = "preview_differs",
        /// A field that is not shown to the person.
        Field = "unknown_field",
        /// A new word in the question or its header.
        NewWord = "new_in_question",
        /// The kind of thing that is asked about, or the amount.
        Kind = "asks_something_else",
        /// A new word in the description of the chosen option.
        NewAct = "new_in_description",
    }
}

impl Form {
    /// A form of exactly this text. Nothing else is known about it.
    pub fn of_text(text: &str) -> Self {
        Self::of_pattern(Pattern::exactly(text))
    }

    /// A form of the texts that `text` describes. Nothing else matters.
    pub fn of_pattern(text: Pattern) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// True when the form describes `text` and the words in its slots are `familiar`.
    pub fn describes(&self, text: &str, familiar: &Familiar) -> bool {
        self.describes_by(text, familiar, &Slot::accepts)
    }

    /// [`Form::describes`] for a caller that caches [`Slot::accepts`].
    pub fn describes_by(&self, text: &str, familiar: &Familiar, accepts: Accepts<'_>) -> bool {
        self.describes_where(text, familiar, accepts, |filler| filler)
    }

    /// Like [`Form::describes`], but leading sentences may say anything. For answers that change nothing.
    pub fn describes_behind(&self, text: &str, familiar: &Familiar) -> bool {
        self.describes_where(text, familiar, &Slot::accepts, |filler| {
            match filler.ends_with('.') {
                true => "",
                false => filler.rsplit_once(". ").map_or(filler, |(_, last)| last),
            }
        })
    }

    /// True when the form describes `text`. In a slot for any text, only the part that `read` returns must be familiar.
    fn describes_where(
        &self,
        text: &str,
        familiar: &Familiar,
        accepts: Accepts<'_>,
        read: fn(&str) -> &str,
    ) -> bool {
        let accepts = |slot: &Slot, filler: &str| {
            accepts(slot, filler)
                && match slot {
                    Slot::Words(_) => familiar.knows_topic(filler),
                    Slot::Any(_) => familiar.check_words(read(filler)).is_ok(),
                    Slot::Number(..) | Slot::Id(_) | Slot::File { .. } | Slot::Seen(_) => true,
                }
        };
        self.text.describes_by(text, &accepts)
            && (!self.text.takes_any() || familiar.new_number(text).is_none())
    }
}

/// The options that were seen: always the same ones, and sometimes one of `added`.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    /// The options that are always offered.
    pub options: &'a [String],
    /// Options of which one may be added.
    pub added: &'a [String],
    /// Whether several could be chosen.
    pub multi_select: bool,
}

/// Checks that `shown` has these options, and returns the position of each in it.
///
/// # Errors
/// The difference.
pub fn check_options(offered: Offered<'_>, shown: &Shown<'_>) -> Result<Vec<usize>, Difference> {
    let order = places(offered, shown.options).ok_or(Difference::Options)?;
    match offered.multi_select == shown.multi_select {
        true => Ok(order),
        false => Err(Difference::MultiSelect),
    }
}

/// Questions with more labels than this are not answered. Nobody reads that many (the tool takes four), and comparing
/// all pairs takes quadratic time.
pub const MOST_LABELS: usize = 64;

/// The position in `shown` of each seen option. `None` unless the labels are the same, each once, ignoring marks of
/// recommendation and letter case. One of `added` may be there in addition. Also `None` with more than [`MOST_LABELS`]
/// labels.
fn places(seen: Offered<'_>, shown: &[String]) -> Option<Vec<usize>> {
    if shown.len() > MOST_LABELS {
        return None;
    }
    let mut places: Vec<usize> = Vec::with_capacity(seen.options.len());
    for label in seen.options {
        let mut same = (0..)
            .zip(shown)
            .filter(|(_, other)| is_option(label, other));
        match (same.next(), same.next()) {
            (Some((at, _)), None) if !places.contains(&at) => places.push(at),
            _ => return None,
        }
    }
    let mut others = (0..).zip(shown).filter(|(at, _)| !places.contains(at));
    let is_seen = match (others.next(), others.next()) {
        (None, _) => true,
        (Some((_, other)), None) => seen.added.iter().any(|label| is_option(label, other)),
        _ => false,
    };
    is_seen.then_some(places)
}

/// The digest of a preview: 16 hexadecimal digits, or empty for an empty preview. A question whose preview differs at
/// all is asked, so the text itself is not needed.
pub fn preview_digest(preview: &str) -> String {
    if preview.is_empty() {
        return String::new();
    }
    let mut digits = crate::hash::hex(&["preview", preview]);
    digits.truncate(16);
    digits
}

// Slots: the parts that may vary between the fixed words of a question, and their limits.

/// The longest text that a slot takes, in bytes.
const LONGEST_FILLER: usize = 240;

/// The longest topic, in bytes.
const LONGEST_TOPIC: usize = 40;

/// How many digits a number may have.
const MOST_DIGITS: usize = 9;

/// Endings of files with text or code that is only read, not executed, and that does not configure a machine.
const ENDINGS: &str = "adoc c cc cpp cs css csv ex go h hpp html java js jsx kt less md mdx php py rb rs rst scala scss svelte \
    swift ts tsx txt vue";

/// Words in the names of files that are executed, configure a tool or steer an agent, and of folders with third-party
/// code.
const STEERING: &str = "claude agents agent gemini cursor copilot codex skill skills command commands prompt prompts hook hooks \
    config conf configs settings setup conftest build makefile gulpfile gruntfile rakefile requirements \
    constraints package modules vendor third dist bin script scripts github workflow workflows rc";

/// A part of a question that varied in the evidence, by the kind of text seen there.
///
/// When the answer refers to the question, only narrow kinds are open. Everything else that varies (commands, code,
/// addresses, amounts, names of environments and branches) must match exactly, in a separate form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// A topic of at most this many plain words.
    Words(usize),
    /// A whole number from the smallest seen to twice the largest, both included: numbers of issues and steps grow.
    Number(u32, u32),
    /// An id with one of these prefixes and a number: `US-0042`.
    Id(BTreeSet<String>),
    /// A file in one of these folders, with one of these endings.
    File {
        /// The folders, relative to the project; empty for the project's folder.
        folders: BTreeSet<String>,
        /// The endings.
        endings: BTreeSet<String>,
    },
    /// One of these texts.
    Seen(BTreeSet<String>),
    /// Any text of at most this many bytes, without commands, addresses and similar. For texts that do not affect what
    /// the answer does.
    Any(usize),
}

impl Slot {
    /// True when `filler` fits the slot.
    pub fn accepts(&self, filler: &str) -> bool {
        match self {
            Self::Words(most) => topic(filler).is_some_and(|words| words <= *most),
            Self::Number(least, most) => {
                number(filler).is_some_and(|number| (*least..=counts_to(*most)).contains(&number))
            }
            Self::File { folders, endings } => file(filler).is_some_and(|(folder, ending)| {
                folders.contains(folder) && endings.contains(ending)
            }),
            Self::Id(prefixes) => id_prefix(filler).is_some_and(|prefix| prefixes.contains(prefix)),
            Self::Seen(texts) => texts.contains(filler),
            // A text of grammar words only is the beginning of another sentence, not context.
            Self::Any(most) => {
                filler.len() <= *most && is_short_text(filler) && says_something(filler)
            }
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |texts: &BTreeSet<String>, by: &str| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            texts.join(by)
        };
        match self {
            Self::Words(1) => f.write_str("<one word>"),
            Self::Words(most) => write!(f, "<up to {most} words>"),
            Self::Number(least, most) => write!(f, "<{least} to {}>", counts_to(*most)),
            Self::File { folders, endings } => {
                let folders = join(folders, ", ");
                let place = if folders.is_empty() {
                    "the project"
                } else {
                    &folders
                };
                write!(f, "<file .{} in {place}>", join(endings, ", ."))
            }
            Self::Seen(texts) => write!(f, "<{}>", join(texts, " | ")),
            Self::Id(prefixes) => write!(f, "<{}-…>", join(prefixes, "-…, ")),
            Self::Any(_) => f.write_str("…"),
        }
    }
}

/// The prefix of an id of capital letters and a number, without the hyphen: `US` of `US-0042`.
pub fn id_prefix(filler: &str) -> Option<&str> {
    const LONGEST: usize = 6;
    let (prefix, number) = filler.split_once('-')?;
    let is_prefix = (1..=LONGEST).contains(&prefix.len())
        && prefix.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_number =
        (1..=LONGEST).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_prefix && is_number).then_some(prefix)
}

/// True for a one-line text without commands, amounts of money, addresses or places outside the project, also inside
/// its quotes.
fn is_short_text(filler: &str) -> bool {
    const QUOTES: [char; 6] = ['"', '\'', '“', '”', '«', '»'];
    filler.len() <= LONGEST_FILLER
        && !filler.contains("://")
        && !filler.contains('\n')
        && !points_outside(filler)
        && find_signs(filler).is_none()
        && (!filler.contains(QUOTES)
            || filler
                .split(QUOTES)
                .all(|quoted| find_signs(quoted.trim()).is_none()))
}

/// The number of words in `filler`, if it can be a topic: short, with letters only. The preference decides whether its
/// words are familiar.
pub fn topic(filler: &str) -> Option<usize> {
    let named = ["the ", "The ", "a ", "A ", "an ", "An "]
        .iter()
        .find_map(|article| filler.strip_prefix(article))
        .unwrap_or(filler);
    let is_topic = filler.len() <= LONGEST_TOPIC && named.split(' ').all(is_plain_word);
    is_topic.then(|| named.split(' ').count())
}

/// True for an ordinary word: at least two letters, in one case or with a capital first letter; hyphens are allowed
/// between parts.
fn is_plain_word(word: &str) -> bool {
    let is_written_plainly = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next();
        let rest = letters.as_str();
        let is_upper = !part.chars().any(char::is_lowercase);
        first.is_some()
            && part.chars().all(char::is_alphabetic)
            && (is_upper || !rest.chars().any(char::is_uppercase))
    };
    word.chars().count() >= 2 && word.split('-').all(is_written_plainly)
}

/// `filler` as a whole number.
pub fn number(filler: &str) -> Option<u32> {
    let plain = filler.bytes().all(|byte| byte.is_ascii_digit())
        && filler.len() <= MOST_DIGITS
        && (filler.len() == 1 || !filler.starts_with('0'));
    plain.then(|| filler.parse().ok()).flatten()
}

/// The folder and ending of the file that `filler` names, if the file is in the project and is only read or edited: it
/// is not executed, configures no tool and steers no agent.
pub fn file(filler: &str) -> Option<(&str, &str)> {
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
        && ENDINGS.split(' ').any(|one| one == ending);
    if !is_file {
        return None;
    }
    let words: Vec<&str> = filler
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let steers = |word: &&&str| {
        let word = word.to_lowercase();
        STEERING.split(' ').any(|one| one == word)
    };
    let is_safe = words.iter().find(steers).is_none();
    is_safe.then_some((folders, ending))
}

#[cfg(test)]
mod tests;
