//! What a preference was given for: the askings that its owner has seen, and what may vary in them.
//!
//! A standing preference answers a question only when one of its [`Form`]s describes everything that
//! the person would read: text, header, and the options' descriptions and previews.

use std::collections::BTreeSet;
use std::fmt;

pub use pattern::{Accepts, Part, Pattern, fold_white_space};
use serde::{Deserialize, Serialize};

use crate::doors::{find_signs, points_outside};
use crate::familiar::{Familiar, counts_to, says_something};
use crate::named::named_enum;
use crate::recommended::is_option;

mod pattern;

/// One way in which a question was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Form {
    /// The text, without a marker.
    pub text: Pattern,
    /// The header, empty where none was shown; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Pattern>,
    /// The descriptions in the order of the preference's options, none where no option had one;
    /// absent where they are not known, as in logs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub descriptions: Option<Vec<Pattern>>,
    /// The previews' digests ([`preview_digest`]), likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previews: Option<Vec<String>>,
}

/// What the person would read of a question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// The host ([`crate::host`]) of the tool that asks; `None` where that is not known.
    pub tool: Option<&'a str>,
    /// The text, without a marker.
    pub text: &'a str,
    /// The header.
    pub header: Option<&'a str>,
    /// The labels.
    pub options: &'a [String],
    /// Whether several may be chosen.
    pub multi_select: bool,
    /// The descriptions, one an option or none at all; `None` where they are not known.
    pub descriptions: Option<&'a [String]>,
    /// The previews' digests, likewise.
    pub previews: Option<&'a [String]>,
    /// A field that no agent is known to show ([`crate::wire::SentQuestion::unknown_field`]).
    pub unknown_field: Option<&'a str>,
}

named_enum! {
    /// What a question differs in from what was seen; from the form that describes most of it.
    pub enum Difference {
        /// It is not known what was seen.
        NotBound = "not_bound",
        /// The tool that asks.
        Tool = "tool_differs",
        /// The labels.
        Options = "options_differ",
        /// Several options may be chosen in one of the two, and one alone in the other.
        MultiSelect = "multi_select_differs",
        /// The text, in words or in what stands between them.
        Text = "text_differs",
        /// The header.
        Header = "header_differs",
        /// A preview.
        Preview = "preview_differs",
        /// A field that nobody is shown.
        Field = "unknown_field",
        /// A word of the question or its header.
        NewWord = "new_in_question",
        /// What kind of thing is asked, or how much.
        Kind = "asks_something_else",
        /// A word of what the chosen option does.
        NewAct = "new_in_description",
    }
}

impl Form {
    /// A form of exactly this text, of which nothing else is known.
    pub fn of_text(text: &str) -> Self {
        Self::of_pattern(Pattern::exactly(text))
    }

    /// A form of texts that `text` describes, of which nothing else counts.
    pub fn of_pattern(text: Pattern) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Whether the form describes `text`, where the words in its open places are `familiar`.
    pub fn describes(&self, text: &str, familiar: &Familiar) -> bool {
        self.describes_by(text, familiar, &Slot::accepts)
    }

    /// [`Form::describes`] for a caller that remembers what [`Slot::accepts`] says.
    pub fn describes_by(&self, text: &str, familiar: &Familiar, accepts: Accepts<'_>) -> bool {
        self.describes_where(text, familiar, accepts, |filler| filler)
    }

    /// [`Form::describes`], where sentences in front may say anything: for answers that leave things as they are.
    pub fn describes_behind(&self, text: &str, familiar: &Familiar) -> bool {
        self.describes_where(text, familiar, &Slot::accepts, |filler| {
            match filler.ends_with('.') {
                true => "",
                false => filler.rsplit_once(". ").map_or(filler, |(_, last)| last),
            }
        })
    }

    /// Whether the form describes `text`, where of what stands in a place for any text the part that is `read` is
    /// familiar.
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

/// The options that were seen: always these, and now and then one of `added` beside them.
#[derive(Clone, Copy, Debug)]
pub struct Offered<'a> {
    /// Those that are always offered.
    pub options: &'a [String],
    /// Those of which one may be added.
    pub added: &'a [String],
    /// Whether several could be chosen.
    pub multi_select: bool,
}

/// Whether what is `shown` has these options; where in it each of them stands.
///
/// # Errors
/// What differs.
pub fn check_options(offered: Offered<'_>, shown: &Shown<'_>) -> Result<Vec<usize>, Difference> {
    let order = places(offered, shown.options).ok_or(Difference::Options)?;
    match offered.multi_select == shown.multi_select {
        true => Ok(order),
        false => Err(Difference::MultiSelect),
    }
}

/// Nobody reads a question with more labels than this (the tool takes four), so none is answered: to compare each with
/// each takes the square of their number.
pub const MOST_LABELS: usize = 64;

/// Where in `shown` each option that was seen stands; `None` unless they are the same labels, each once, marks
/// of recommendation and letter case aside, but for one that may be added, and no more than [`MOST_LABELS`].
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

/// What is kept of a preview: 16 hexadecimal digits, or nothing of an empty one. A preview that differs
/// in anything is asked, so that its text is of no use.
pub fn preview_digest(preview: &str) -> String {
    if preview.is_empty() {
        return String::new();
    }
    let mut digits = crate::hash::hex(&["preview", preview]);
    digits.truncate(16);
    digits
}

// What may vary between the fixed words of a question, and how far.

/// The longest text that a slot takes, in bytes.
const LONGEST_FILLER: usize = 240;

/// The longest topic, in bytes.
const LONGEST_TOPIC: usize = 40;

/// How many digits a number may have.
const MOST_DIGITS: usize = 9;

/// Endings of files that only hold text or code to be read: not what is executed, and not what
/// configures a machine.
const ENDINGS: &str = "adoc c cc cpp cs css csv ex go h hpp html java js jsx kt less md mdx php py rb rs rst scala scss svelte \
    swift ts tsx txt vue";

/// Words of names of files that are executed, configure a tool or steer an agent, and of folders of other people's
/// code.
const STEERING: &str = "claude agents agent gemini cursor copilot codex skill skills command commands prompt prompts hook hooks \
    config conf configs settings setup conftest build makefile gulpfile gruntfile rakefile requirements \
    constraints package modules vendor third dist bin script scripts github workflow workflows rc";

/// A place where evidence varied, by the kind of what was seen there.
///
/// Where the answer refers to the question only narrow kinds are ever open. Anything else that varies
/// (commands, code, addresses, amounts, names of environments and branches) holds exactly as it was seen, in
/// a form of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// A topic of at most so many plain words.
    Words(usize),
    /// A whole number from the least that was seen to twice the greatest, both included: issues and steps are counted up.
    Number(u32, u32),
    /// An id with one of these prefixes and a number: `US-0042`.
    Id(BTreeSet<String>),
    /// A file below one of these folders, of one of these endings.
    File {
        /// The folders, from the project on; empty for its own.
        folders: BTreeSet<String>,
        /// The endings.
        endings: BTreeSet<String>,
    },
    /// One of these texts.
    Seen(BTreeSet<String>),
    /// Any text of at most so many bytes, without commands, addresses and the like: where what the answer does
    /// does not depend on it.
    Any(usize),
}

impl Slot {
    /// Whether `filler` may stand in the slot.
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
            // Grammar alone is the beginning of another sentence, and no context.
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

/// True for a text of one line that holds nothing to be run, paid, or sent to, and no place outside the project; nor
/// does anything that it quotes.
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

/// How many words `filler` has, when it may be a topic: short, of letters only. Whether its words are familiar, the
/// preference says.
pub fn topic(filler: &str) -> Option<usize> {
    let named = ["the ", "The ", "a ", "A ", "an ", "An "]
        .iter()
        .find_map(|article| filler.strip_prefix(article))
        .unwrap_or(filler);
    let is_topic = filler.len() <= LONGEST_TOPIC && named.split(' ').all(is_plain_word);
    is_topic.then(|| named.split(' ').count())
}

/// True for a word as words are written: at least two letters in one case, or with a capital in front, hyphens between
/// them.
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

/// The whole number that `filler` is.
pub fn number(filler: &str) -> Option<u32> {
    let plain = filler.bytes().all(|byte| byte.is_ascii_digit())
        && filler.len() <= MOST_DIGITS
        && (filler.len() == 1 || !filler.starts_with('0'));
    plain.then(|| filler.parse().ok()).flatten()
}

/// The folder and the ending of the file that `filler` names, when it is one below the project that is only
/// read or edited: it is not executed, configures no tool and steers no agent.
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
