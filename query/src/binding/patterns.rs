//! Patterns of texts: the words that all have in common, and what may stand between them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem;

use plantune_domain::binding::{Part, Pattern, Slot, fold_white_space};
use plantune_domain::familiar::says_which;

use super::fillers::{Filler, Fillers};
use super::tokens::tokens;
use crate::families::{mine, says_something, shared};

/// How many tokens of a text are aligned; a longer one holds as it was seen.
const MOST_TOKENS: usize = 160;

/// The shortest and the longest text that a place for any text takes, in bytes.
const SHORTEST_ANY: usize = 60;
const LONGEST_ANY: usize = 240;

/// How many words that say something must be fixed before anything beside them is open.
const LEAST_FIXED: usize = 2;

/// What it takes for a place to be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Openness {
    /// How many different fillers were seen.
    values: usize,
    /// How many fixed words say something.
    fixed: usize,
    /// How many words a topic may have although none had as many.
    words: usize,
    /// Any short text may stand in a place.
    any: bool,
}

impl Openness {
    /// For questions that only their text names.
    pub(crate) const BY_TEXT: Self = Self {
        values: 3,
        fixed: LEAST_FIXED,
        words: 1,
        any: false,
    };
    /// For questions that a marker or a rule names: its author vouches for the meaning.
    pub(crate) const BY_NAME: Self = Self {
        values: 2,
        fixed: 0,
        words: 3,
        any: false,
    };
    /// For answers that do not depend on what varies.
    pub(super) fn any(self) -> Self {
        Self {
            values: 2,
            any: true,
            ..self
        }
    }

    /// For what holds for the texts that were seen, and no others.
    pub(super) fn closed(self) -> Self {
        Self {
            values: usize::MAX,
            ..self
        }
    }

    pub(super) fn is_closed(self) -> bool {
        self.values == usize::MAX
    }

    pub(super) fn takes_any(self) -> bool {
        self.any
    }

    /// For what stands beside a text that is compared as well.
    pub(super) fn beside(self) -> Self {
        Self { fixed: 0, ..self }
    }
}

/// One pattern for each of `texts`, which describes it and, where a place is open, others like it.
///
/// Texts that only their words name are aligned with those that have half of their words: one that is
/// worded differently would leave the others nothing in common.
pub(super) fn patterns(texts: &[&str], openness: Openness, known: &Fillers) -> Vec<Pattern> {
    // Of one text everything holds as it was seen.
    if let Some(first) = texts.first()
        && texts.iter().all(|text| text == first)
    {
        return vec![Pattern::exactly(&fold_white_space(first)); texts.len()];
    }
    let folded: Vec<Cow<'_, str>> = texts.iter().map(|text| fold_white_space(text)).collect();
    let texts: Vec<Text<'_>> = folded.iter().map(|text| Text::of(text)).collect();
    let all: Vec<&Text<'_>> = texts.iter().collect();
    if openness.fixed == 0 {
        return aligned(&all, openness, known);
    }
    let words: Vec<Vec<&str>> = texts.iter().map(Text::words).collect();
    let clusters = mine(&words).of_text;
    let mut made: Vec<Option<Pattern>> = vec![None; texts.len()];
    let of_cluster = |cluster: Option<usize>| {
        let of_text = clusters.iter().enumerate();
        of_text.filter_map(move |(at, of_text)| (*of_text == cluster).then_some(at))
    };
    for cluster in clusters.iter().collect::<BTreeSet<_>>() {
        let members: Vec<usize> = of_cluster(*cluster).collect();
        let texts = members.iter().filter_map(|at| texts.get(*at));
        let patterns = aligned(&texts.collect::<Vec<_>>(), openness, known);
        for (at, pattern) in members.into_iter().zip(patterns) {
            if let Some(slot) = made.get_mut(at) {
                *slot = Some(pattern);
            }
        }
    }
    made.into_iter().flatten().collect()
}

/// A text whose white space is folded, and its tokens.
struct Text<'t> {
    text: &'t str,
    tokens: Vec<&'t str>,
}

impl<'t> Text<'t> {
    fn of(text: &'t str) -> Self {
        Self {
            text,
            tokens: tokens(text),
        }
    }

    /// Its words as they are written.
    fn words(&self) -> Vec<&'t str> {
        self.tokens.iter().map(|token| token.trim()).collect()
    }

    fn is_short(&self) -> bool {
        self.tokens.len() <= MOST_TOKENS
    }
}

/// One pattern for each of `all`, by what all of them have in common. Equal texts have equal patterns, and add
/// nothing to what is common.
fn aligned(all: &[&Text<'_>], openness: Openness, known: &Fillers) -> Vec<Pattern> {
    let mut distinct = HashSet::new();
    let texts: Vec<&Text<'_>> = all
        .iter()
        .filter(|one| distinct.insert(one.text))
        .copied()
        .collect();
    let mut short = texts.iter().filter(|one| one.is_short());
    let first = short
        .next()
        .map_or_else(Vec::new, |first| first.tokens.clone());
    let common = short.fold(first, |common, one| shared(&common, &one.tokens));
    let telling = common.iter().filter(|token| says_something(token.trim()));
    let may_open = telling.count() >= openness.fixed;
    let fillers: Vec<Option<Vec<&str>>> = texts
        .iter()
        .map(|one| {
            one.is_short()
                .then(|| fillers(one.text, &one.tokens, &common))
        })
        .collect();
    let slots: Vec<Option<Slot>> = (0..=common.len())
        .map(|gap| {
            let seen = fillers
                .iter()
                .flatten()
                .filter_map(|fillers| fillers.get(gap).copied());
            let token = |at: usize| common.get(at).copied();
            let around = (gap.checked_sub(1).and_then(token), token(gap));
            may_open.then(|| slot(seen, around, openness, known))?
        })
        .collect();
    let pattern = |text: &str, fillers: &Option<Vec<&str>>| {
        let pattern = assemble(fillers.as_ref()?, &common, &slots, known);
        // Whatever the alignment did, a pattern describes what it was made from.
        let accepts = |slot: &Slot, filler: &str| known.accepts(slot, filler);
        pattern.describes_by(text, &accepts).then_some(pattern)
    };
    let patterns = texts.iter().zip(&fillers).map(|(one, fillers)| {
        let pattern = pattern(one.text, fillers);
        pattern.unwrap_or_else(|| Pattern::exactly(one.text))
    });
    if texts.len() == all.len() {
        return patterns.collect();
    }
    let names = texts.iter().map(|one| one.text);
    let made: HashMap<&str, Pattern> = names.zip(patterns).collect();
    let all = all.iter();
    all.filter_map(|one| made.get(one.text).cloned()).collect()
}

/// What stands in `text`, which `tokens` make up, before, between and behind those in `common`, which are all
/// in it, in order.
fn fillers<'t>(text: &'t str, tokens: &[&str], common: &[&str]) -> Vec<&'t str> {
    let mut fillers = Vec::with_capacity(common.len() + 1);
    let mut wanted = common.iter();
    let mut next = wanted.next();
    let (mut begin, mut end) = (0, 0);
    for token in tokens {
        if Some(token) == next {
            next = wanted.next();
            fillers.push(text.get(begin..end).unwrap_or_default());
            begin = end + token.len();
        }
        end += token.len();
    }
    fillers.push(text.get(begin..).unwrap_or_default());
    fillers
}

/// What may vary where `seen` stood, between the fixed tokens `before` and `next`; `None` where nothing may.
fn slot<'a>(
    seen: impl Iterator<Item = &'a str>,
    (before, next): (Option<&str>, Option<&str>),
    openness: Openness,
    known: &Fillers,
) -> Option<Slot> {
    let values: BTreeSet<&str> = seen.map(str::trim).collect();
    if values.len() < openness.values {
        return None;
    }
    if openness.any {
        let is_plain = |value: &&&str| !value.is_empty() && known.is_short(value);
        let longest = values
            .iter()
            .filter(is_plain)
            .map(|value| value.len())
            .max()?;
        return Some(Slot::Any((2 * longest).clamp(SHORTEST_ANY, LONGEST_ANY)));
    }
    let (mut topics, mut files, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let mut ids = Vec::new();
    for value in values {
        match known.filler(value) {
            Filler::Topic(words) => topics.push(words),
            Filler::Id(prefix) => ids.push(prefix),
            Filler::File(folder, ending) => files.push((folder, ending)),
            Filler::Number(number) => numbers.push(number),
            Filler::Other => {}
        }
    }
    // As the object of an act, only what was seen may stand.
    if topics.len() >= openness.values && names_a_topic(before, next) {
        let longest = topics.into_iter().max()?;
        return Some(Slot::Words(longest.max(openness.words)));
    }
    if ids.len() >= openness.values {
        return Some(Slot::Id(ids.into_iter().collect()));
    }
    if files.len() >= openness.values {
        let (folders, endings) = files.into_iter().unzip();
        return Some(Slot::File { folders, endings });
    }
    let (least, most) = (numbers.iter().min()?, numbers.iter().max()?);
    (numbers.len() >= openness.values && names_a_thing(before, next))
        .then_some(Slot::Number(*least, *most))
}

/// True where no verb acts on what stands: in front of everything ("cache: shall I …"), or behind "about".
fn names_a_topic(before: Option<&str>, next: Option<&str>) -> bool {
    match before {
        None => next.is_some_and(|next| next.trim() == ":"),
        Some(before) => matches!(before.trim(), "about" | "About"),
    }
}

/// True where a number says which ("step 3.", "PR #12"), and not how much: "3 files", "5 %", "€7" and
/// "10 GB" hold as they were seen.
fn names_a_thing(before: Option<&str>, next: Option<&str>) -> bool {
    let follows_a_name = before.is_some_and(|before| says_which(before.trim()));
    let ends = |next: &str| next.starts_with([',', '.', ';', ':', '?', '!', ')']);
    follows_a_name && next.is_none_or(ends)
}

/// The pattern of a text with `fillers` around the tokens in `common`.
fn assemble(fillers: &[&str], common: &[&str], slots: &[Option<Slot>], known: &Fillers) -> Pattern {
    let mut parts = Vec::new();
    let mut fixed = String::new();
    for (gap, filler) in fillers.iter().enumerate() {
        let value = filler.trim_start();
        let (space, _) = filler.split_at(filler.len() - value.len());
        match slots.get(gap).and_then(Option::as_ref) {
            Some(slot) if known.accepts(slot, value) => {
                fixed.push_str(space);
                parts.push(Part::Fixed(mem::take(&mut fixed)));
                parts.push(Part::Slot(slot.clone()));
            }
            _ => fixed.push_str(filler),
        }
        fixed.push_str(common.get(gap).copied().unwrap_or_default());
    }
    parts.push(Part::Fixed(fixed));
    Pattern::of(parts)
}
