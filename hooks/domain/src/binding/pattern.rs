//! A text that was seen, with the parts that may vary.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{LONGEST_FILLER, Slot};

/// The most attempts to fit slots. Real texts take only a few.
const MOST_ATTEMPTS: usize = 4096;

/// Decides whether a text fits a slot.
pub type Accepts<'a> = &'a dyn Fn(&Slot, &str) -> bool;

/// One part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Part {
    /// Exactly this.
    Fixed(String),
    /// A part that may vary.
    Slot(Slot),
}

/// Fixed texts and the slots between them. White space is folded, nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "WrittenPattern", into = "WrittenPattern")]
pub struct Pattern {
    parts: Vec<Part>,
}

/// The form in files: just a text when nothing varies.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenPattern {
    Text(String),
    Parts(Vec<Part>),
}

impl From<WrittenPattern> for Pattern {
    fn from(written: WrittenPattern) -> Self {
        match written {
            WrittenPattern::Text(text) => Self::exactly(&text),
            WrittenPattern::Parts(parts) => Self { parts },
        }
    }
}

impl From<Pattern> for WrittenPattern {
    fn from(pattern: Pattern) -> Self {
        match <[Part; 1]>::try_from(pattern.parts) {
            Ok([Part::Fixed(text)]) => Self::Text(text),
            Ok([slot]) => Self::Parts(vec![slot]),
            Err(parts) if parts.is_empty() => Self::Text(String::new()),
            Err(parts) => Self::Parts(parts),
        }
    }
}

impl Pattern {
    /// The pattern of exactly `text`.
    pub fn exactly(text: &str) -> Self {
        Self::of(vec![Part::Fixed(fold_white_space(text).into_owned())])
    }

    /// The pattern of `parts`. Adjacent fixed parts are joined.
    pub fn of(parts: Vec<Part>) -> Self {
        let mut joined: Vec<Part> = Vec::with_capacity(parts.len());
        for part in parts {
            match (joined.last_mut(), part) {
                (_, Part::Fixed(text)) if text.is_empty() => {}
                (Some(Part::Fixed(before)), Part::Fixed(text)) => before.push_str(&text),
                (_, part) => joined.push(part),
            }
        }
        Self { parts: joined }
    }

    /// Its parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// True when something may vary.
    pub fn is_open(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Slot(_)))
    }

    /// True when it has a slot for any short text.
    pub fn takes_any(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Slot(Slot::Any(_))))
    }

    /// True when the pattern matches `text`.
    pub fn describes(&self, text: &str) -> bool {
        self.describes_by(text, &Slot::accepts)
    }

    /// [`Pattern::describes`] for a caller that remembers what [`Slot::accepts`] says.
    pub fn describes_by(&self, text: &str, accepts: Accepts<'_>) -> bool {
        let mut attempts = 0;
        fits(&self.parts, &fold_white_space(text), accepts, &mut attempts)
    }
}

impl fmt::Display for Pattern {
    /// In words: `<1 word>: shall I format the draft?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Fixed(text) => f.write_str(text),
            Part::Slot(slot) => write!(f, "{slot}"),
        })
    }
}

/// `text` trimmed, with every run of white space as one space. Code between backticks stays unchanged, because a line
/// break may end a command.
pub fn fold_white_space(text: &str) -> Cow<'_, str> {
    if is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some((before, after)) = rest.split_once('`') {
        fold_words(before, &mut folded);
        folded.push('`');
        rest = match after.split_once('`') {
            Some((code, behind)) => {
                folded.push_str(code);
                folded.push('`');
                behind
            }
            None => after,
        };
    }
    fold_words(rest, &mut folded);
    Cow::Owned(folded)
}

/// True when the only white space in `text` is single spaces between its words, as in most texts.
fn is_folded(text: &str) -> bool {
    let mut was_space = true;
    let is_single = |c: char| {
        let is_space = c.is_whitespace();
        let is_single = !is_space || c == ' ' && !was_space;
        was_space = is_space;
        is_single
    };
    text.chars().all(is_single) && !text.ends_with(' ')
}

fn fold_words(text: &str, folded: &mut String) {
    let mut was_space = false;
    for c in text.chars() {
        let is_space = c.is_whitespace();
        if !is_space {
            folded.push(c);
        } else if !was_space {
            folded.push(' ');
        }
        was_space = is_space;
    }
}

fn fits(parts: &[Part], text: &str, accepts: Accepts<'_>, attempts: &mut usize) -> bool {
    *attempts += 1;
    if *attempts > MOST_ATTEMPTS {
        return false;
    }
    let Some((first, rest)) = parts.split_first() else {
        return text.is_empty();
    };
    match first {
        Part::Fixed(fixed) => text
            .strip_prefix(fixed.as_str())
            .is_some_and(|text| fits(rest, text, accepts, attempts)),
        Part::Slot(slot) => {
            let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
            ends.take_while(|end| *end <= LONGEST_FILLER).any(|end| {
                let Some((filler, after)) = text.split_at_checked(end) else {
                    return false;
                };
                // The part after a slot is usually fixed, and checking it first is faster.
                let follows = match rest.first() {
                    Some(Part::Fixed(fixed)) => after.starts_with(fixed.as_str()),
                    Some(Part::Slot(_)) => true,
                    None => after.is_empty(),
                };
                follows && accepts(slot, filler) && fits(rest, after, accepts, attempts)
            })
        }
    }
}
