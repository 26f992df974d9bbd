//! Patterns of texts: the words that all have in common, and the slots between them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plantune_domain::binding::{
    Part, Pattern, Slot, file, fold_white_space, id_prefix, number, topic,
};
use plantune_domain::familiar::says_which;

use crate::families::{mine, says_something, shared};

/// How many tokens of a text are aligned; a longer one holds as it was seen.
const MOST_TOKENS: usize = 160;

/// The shortest and the longest text that a place for any text takes, in bytes.
const SHORTEST_ANY: usize = 60;
const LONGEST_ANY: usize = 240;

/// How many words that say something must be fixed before anything beside them is open.
const LEAST_FIXED: usize = 2;

/// The conditions for a place to be open.
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
    /// For answers that do not depend on the part that varies.
    pub(super) fn any(self) -> Self {
        Self {
            values: 2,
            any: true,
            ..self
        }
    }

    /// For preferences that hold for the texts that were seen, and no others.
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

    /// For a text beside another that is compared as well.
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

/// The fillers in `text`, which `tokens` make up, before, between and behind those in `common`, which are all
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

/// The slot where `seen` stood, between the fixed tokens `before` and `next`; `None` if nothing may.
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

/// True if no verb acts on what stands: in front of everything ("cache: shall I …"), or behind "about".
fn names_a_topic(before: Option<&str>, next: Option<&str>) -> bool {
    match before {
        None => next.is_some_and(|next| next.trim() == ":"),
        Some(before) => matches!(before.trim(), "about" | "About"),
    }
}

/// True if a number says which ("step 3.", "PR #12"), and not how much: "3 files", "5 %", "€7" and
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

// Tokens: words, punctuation, and quoted texts as a whole.

/// Marks that open a quoted text, and those that close it.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('`', '`'),
    ('\'', '\''),
    ('“', '”'),
    ('«', '»'),
    ('「', '」'),
];

/// The tokens of `text`, whose white space is folded; each begins with the space in front of it, so that
/// they make up the text when put together.
///
/// A quoted text is one token: code, a command or a value holds as a whole. A quoted file is one between
/// its marks.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let after = rest.strip_prefix(' ').unwrap_or(rest);
        let space = rest.len() - after.len();
        let length = length_of_token(after, space == 0 && !found.is_empty());
        let Some((token, next)) = rest.split_at_checked(space + length) else {
            break;
        };
        push(token, space, &mut found);
        rest = next;
    }
    found
}

/// Adds `token`, which begins with `space` bytes of white space.
fn push<'t>(token: &'t str, space: usize, found: &mut Vec<&'t str>) {
    let mut chars = token.get(space..).unwrap_or_default().chars();
    let marks = chars.next().zip(chars.next_back());
    let inside = chars.as_str();
    let quoted = marks.filter(|marks| QUOTES.contains(marks) && file(inside).is_some());
    let parts = quoted.and_then(|(open, _)| {
        let (open, rest) = token.split_at_checked(space + open.len_utf8())?;
        let (inside, close) = rest.split_at_checked(inside.len())?;
        Some([open, inside, close])
    });
    match parts {
        Some(parts) => found.extend(parts),
        None => found.push(token),
    }
}

/// How long the token is that `text` begins with, in bytes; `joined` to what stands before it.
fn length_of_token(text: &str, joined: bool) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    let quote = QUOTES.iter().find(|(open, _)| *open == first);
    // An apostrophe inside a word opens nothing.
    if let Some((open, close)) = quote.filter(|_| first != '\'' || !joined)
        && let Some(end) = text
            .get(open.len_utf8()..)
            .and_then(|inside| inside.find(*close))
    {
        return open.len_utf8() + end + close.len_utf8();
    }
    if !is_of_word(first) {
        return first.len_utf8();
    }
    let chunk = text.split(' ').next().unwrap_or_default();
    let until = chunk.find(|c| QUOTES.iter().any(|(open, _)| *open == c && c != '\''));
    let chunk = chunk.get(..until.unwrap_or(chunk.len())).unwrap_or(chunk);
    // Inside a word, punctuation belongs to it: paths, addresses, versions, `don't`.
    chunk.trim_end_matches(|c| !is_of_word(c)).len()
}

/// True for a character that may begin or end a word, a path or an address.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "/~_@$%&\\<>=-+*|".contains(c)
}

// Fillers: texts that stood where others varied. A run meets the same ones again and again, and judging one takes the
// door rules, so each is judged once.

/// The kind of a filler; a text has only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filler {
    /// A topic of this many plain words.
    Topic(usize),
    /// A file in this folder, of this ending.
    File(String, String),
    /// An id with this prefix.
    Id(String),
    /// A whole number.
    Number(u32),
    /// A text that must hold as it was seen.
    Other,
}

/// The fillers that were judged so far.
#[derive(Debug, Default)]
pub(crate) struct Fillers {
    kinds: TextCache<Filler>,
    short: TextCache<bool>,
}

impl Fillers {
    /// The kind of `text`.
    pub(super) fn filler(&self, text: &str) -> Filler {
        self.kinds.get(text, || judge(text))
    }

    /// True if `text` may stand where any text of its length may, by the known words.
    pub(super) fn is_short(&self, text: &str) -> bool {
        let any = Slot::Any(usize::MAX);
        self.short.get(text, || any.accepts(text))
    }

    /// [`Slot::accepts`], by the known words.
    pub(super) fn accepts(&self, slot: &Slot, text: &str) -> bool {
        match slot {
            Slot::Words(most) => {
                matches!(self.filler(text), Filler::Topic(words) if words <= *most)
            }
            Slot::File { folders, endings } => {
                matches!(self.filler(text), Filler::File(folder, ending)
                    if folders.contains(&folder) && endings.contains(&ending))
            }
            Slot::Id(prefixes) => {
                matches!(self.filler(text), Filler::Id(prefix) if prefixes.contains(&prefix))
            }
            Slot::Number(..) | Slot::Seen(_) => slot.accepts(text),
            Slot::Any(most) => text.len() <= *most && self.is_short(text),
        }
    }
}

fn judge(text: &str) -> Filler {
    let file = || {
        let (folder, ending) = file(text)?;
        Some(Filler::File(folder.to_owned(), ending.to_owned()))
    };
    let found = topic(text)
        .map(Filler::Topic)
        .or_else(|| number(text).map(Filler::Number))
        .or_else(file)
        .or_else(|| id_prefix(text).map(|prefix| Filler::Id(prefix.to_owned())));
    found.unwrap_or(Filler::Other)
}

/// How many answers are remembered; after more it begins again.
const MOST: usize = 20_000;

/// Judgements by the text that they are about.
#[derive(Debug)]
pub(crate) struct TextCache<V>(Mutex<HashMap<String, V>>);

impl<V> Default for TextCache<V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<V: Clone> TextCache<V> {
    /// The judgement of `key`, worked out once.
    pub(crate) fn get(&self, key: &str, work_out: impl FnOnce() -> V) -> V {
        if let Some(known) = self.entries().get(key) {
            return known.clone();
        }
        let value = work_out();
        let mut known = self.entries();
        if known.len() == MOST {
            known.clear();
        }
        known.insert(key.to_owned(), value.clone());
        value
    }

    pub(crate) fn entries(&self) -> MutexGuard<'_, HashMap<String, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quotes_and_files() {
        for (text, expected) in [
            (
                "billing: shall I?",
                &["billing", ":", " shall", " I", "?"] as &[&str],
            ),
            (
                "Run `make lint`, now?",
                &["Run", " `make lint`", ",", " now", "?"],
            ),
            (
                "Plan at `plans/a.md`.",
                &["Plan", " at", " `", "plans/a.md", "`", "."],
            ),
            (
                "See src/a.rs, or not",
                &["See", " src/a.rs", ",", " or", " not"],
            ),
            ("don't (v1.2)", &["don't", " (", "v1.2", ")"]),
            ("the \"old\" one", &["the", " \"old\"", " one"]),
            ("a `b", &["a", " `", "b"]),
            ("", &[]),
        ] {
            let found = tokens(text);
            assert_eq!(found, expected, "{text}");
            assert_eq!(found.concat(), text);
        }
    }

    #[test]
    fn accepts_what_the_slot_accepts() {
        let fillers = Fillers::default();
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let files = |endings: &[&str]| Slot::File {
            folders: owned(&["", "plans"]),
            endings: owned(endings),
        };
        let slots = [
            Slot::Words(1),
            Slot::Words(3),
            Slot::Number(2, 40),
            files(&["md"]),
            files(&["rs", "txt"]),
            Slot::Seen(owned(&["billing"])),
            Slot::Any(20),
            Slot::Id(owned(&["US"])),
        ];
        let texts = [
            "",
            " ",
            "billing",
            "the billing",
            "search index page",
            "search index pages here",
            "production",
            "delete",
            "format",
            "not",
            "e",
            "1",
            "2",
            "40",
            "41",
            "007",
            "0",
            "a.md",
            "plans/a.rs",
            "US-0042",
            "PLAN-7",
            "us-1",
            "../a.md",
            ".a.md",
            "drop/a.md",
            "a.sh",
            "größe",
            "billing ",
            "2 ",
        ];
        for slot in &slots {
            for text in texts.iter().chain(&texts) {
                assert_eq!(
                    fillers.accepts(slot, text),
                    slot.accepts(text),
                    "{slot} {text:?}"
                );
            }
        }
        assert_eq!(fillers.kinds.entries().len(), texts.len());
    }
}
