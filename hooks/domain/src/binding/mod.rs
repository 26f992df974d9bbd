//! What a preference was given for: the askings that its owner has seen, and what may vary in them.
//!
//! A standing preference answers a question only when one of its [`Form`]s describes everything that
//! the person would read: text, header, and the options' descriptions and previews.

mod pattern;
mod slot;

use serde::{Deserialize, Serialize};

use crate::familiar::Familiar;
use crate::named::named_enum;
use crate::recommended::is_option;

pub use pattern::{Accepts, Part, Pattern, fold_white_space};
pub use slot::{Slot, file, id_prefix, number, topic};

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

#[cfg(test)]
mod tests;
