//! Names: what a question is called in every verb. Its text, with `…` for what varies from one asking to the next.

use std::collections::BTreeMap;

use plantune_domain::keys::{KeySource, says_something};
use plantune_domain::recommended::option_text;

use crate::evidence::KeyEvidence;

/// How many words of a text are looked at.
const MOST_WORDS: usize = 48;

/// How many words a name must keep that say something of the question, not words that any question has.
const LEAST_WORDS: usize = 2;

/// The names of the questions of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionNames {
    by_key: BTreeMap<String, String>,
}

impl QuestionNames {
    /// The names of the questions with the answers `own`, project by project, or else `everywhere`. A question has the
    /// same name in every project.
    pub(super) fn of_series(own: &[KeyEvidence], everywhere: &[KeyEvidence]) -> Self {
        let mut series: BTreeMap<&str, Vec<&KeyEvidence>> = BTreeMap::new();
        for one in own {
            series.entry(&one.question_key).or_default().push(one);
        }
        for one in everywhere {
            series.entry(&one.question_key).or_insert_with(|| vec![one]);
        }
        let named = series.into_iter().filter_map(|(key, series)| {
            let name = name(&series)?;
            Some((key.to_owned(), name))
        });
        Self {
            by_key: named.collect(),
        }
    }

    /// The name of the question `key`, whose text is `text` where nothing else is known.
    pub fn of(&self, key: &str, text: &str) -> String {
        let name = self.by_key.get(key);
        name.map_or_else(|| text.to_owned(), Clone::clone)
    }
}

/// The name of the question with the answers `series`: the words that all texts share; without such words the options, if
/// the question is known by them, else the text that came most often.
fn name(series: &[&KeyEvidence]) -> Option<String> {
    let answers = || series.iter().flat_map(|one| &one.answers);
    let mut texts: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in answers().filter(|answer| answer.undone.is_none()) {
        *texts.entry(asking_part(&answer.question)).or_default() += 1;
    }
    let is_by_options = |one: &&KeyEvidence| one.key_source == KeySource::Options.as_str();
    if texts.len() > 1 {
        let words: Vec<Vec<String>> = texts.keys().map(|text| words(text)).collect();
        let shared = common(&words);
        if !shared.is_empty() {
            let names = texts.into_iter();
            return most_frequent(names.map(|(text, times)| (shown(&shared, text), times)));
        }
        if series.iter().any(is_by_options) {
            let labels = answers().last()?.options.iter();
            let labels: Vec<String> = labels
                .map(|label| format!("\"{}\"", option_text(label)))
                .collect();
            return Some(format!("any question with {}", labels.join(", ")));
        }
    }
    let texts = texts.into_iter();
    most_frequent(texts.map(|(text, times)| (text.to_owned(), times)))
}

/// The most frequent of `texts`; of equally frequent ones the first by name.
fn most_frequent(texts: impl Iterator<Item = (String, usize)>) -> Option<String> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (text, times) in texts {
        *found.entry(text).or_default() += times;
    }
    let most = found.into_iter().rev().max_by_key(|(_, times)| *times);
    most.map(|(text, _)| text)
}

/// True if a person who types `word` means the question of this `name`: the name as it is shown, or its beginning and `…`;
/// punctuation and case do not matter.
pub fn is_called(name: &str, word: &str) -> bool {
    let said = words(word);
    if !said.is_empty() && words(name) == said {
        return true;
    }
    let start = word.trim().strip_suffix('…').map(str::to_lowercase);
    start.is_some_and(|start| !start.is_empty() && name.to_lowercase().starts_with(&start))
}

/// The words of `text` as names compare them: in lower case, without punctuation.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The asking part of `text`: from its last paragraph with a question mark on, if there are paragraphs of context
/// before it; otherwise its last paragraph, or all of it.
fn asking_part(text: &str) -> &str {
    const FEWEST_WORDS: usize = 2;
    // Without a question mark, the last paragraph must have enough words.
    const FEWEST_UNMARKED: usize = 6;
    let mut at = 0;
    let mut asking = text;
    if !text.contains('?')
        && let Some((_, last)) = text.trim_end().rsplit_once("\n\n")
        && words(last).len() >= FEWEST_UNMARKED
    {
        return last.trim_start();
    }
    while let Some(gap) = text.get(at..).and_then(|rest| rest.find("\n\n")) {
        at += gap + 2;
        let rest = text.get(at..).unwrap_or_default();
        let paragraph = rest.split("\n\n").next().unwrap_or_default();
        if paragraph.contains('?') && words(paragraph).len() >= FEWEST_WORDS {
            asking = rest.trim_start();
        }
    }
    asking
}

/// The words that all of `texts` have in common, in their order; none when what is common says
/// nothing of its own.
fn common(texts: &[Vec<String>]) -> Vec<String> {
    let mut texts = texts.iter().map(|text| shortened(text));
    let Some(first) = texts.next() else {
        return Vec::new();
    };
    let common = texts.fold(first.to_vec(), |common, text| shared(&common, text));
    let telling = common.iter().filter(|word| says_something(word));
    match telling.take(LEAST_WORDS).count() == LEAST_WORDS {
        true => common,
        false => Vec::new(),
    }
}

fn shortened(text: &[String]) -> &[String] {
    text.get(..MOST_WORDS).unwrap_or(text)
}

/// A longest common subsequence of `one` and `other`, by dynamic programming (Wagner and Fischer,
/// "The string-to-string correction problem", JACM 21 (1974) 168–173).
fn shared<W: Clone + PartialEq>(one: &[W], other: &[W]) -> Vec<W> {
    // What both begin and end with is part of it: only the rest needs the table.
    let same = |(left, right): &(&W, &W)| left == right;
    let start = one.iter().zip(other).take_while(same).count();
    let (beginning, one) = one.split_at(start);
    let other = other.get(start..).unwrap_or_default();
    let end = one.iter().rev().zip(other.iter().rev());
    let end = end.take_while(same).count();
    let (one, ending) = one.split_at(one.len() - end);
    let other = other.get(..other.len() - end).unwrap_or_default();
    let mut shared = beginning.to_vec();
    let width = other.len() + 1;
    // The length for the ends of both: from `row` of the one and `column` of the other on.
    let mut lengths = vec![0_usize; (one.len() + 1) * width];
    let at = |lengths: &[usize], row: usize, column: usize| {
        lengths.get(row * width + column).copied().unwrap_or(0)
    };
    for (row, left) in one.iter().enumerate().rev() {
        for (column, right) in other.iter().enumerate().rev() {
            let length = if left == right {
                at(&lengths, row + 1, column + 1) + 1
            } else {
                at(&lengths, row + 1, column).max(at(&lengths, row, column + 1))
            };
            if let Some(cell) = lengths.get_mut(row * width + column) {
                *cell = length;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    while let (Some(left), Some(right)) = (one.get(row), other.get(column)) {
        if left == right {
            shared.push(left.clone());
            (row, column) = (row + 1, column + 1);
        } else if at(&lengths, row + 1, column) >= at(&lengths, row, column + 1) {
            row += 1;
        } else {
            column += 1;
        }
    }
    shared.extend_from_slice(ending);
    shared
}

/// The sign for words that vary.
const GAP: &str = "…";

/// The words that all of `series` have in common as a text: `text`, which is one of theirs, with `…` for what varies.
fn shown(shared: &[String], text: &str) -> String {
    let mut shown = NameBuilder::default();
    let mut rest = shared.iter().peekable();
    for token in text.split_whitespace() {
        let words = words(token);
        if words.is_empty() && !token.contains(char::is_alphanumeric) && !token.contains('/') {
            shown.between(token);
            continue;
        }
        let mut ahead = rest.clone();
        let is_whole = |word: &String| ahead.next() == Some(word);
        if !words.is_empty() && words.iter().all(is_whole) {
            rest = ahead;
            shown.word(token);
        } else {
            shown.gap(token);
        }
    }
    match rest.peek() {
        None => shown.text,
        // Words that stand in the middle of what varies: without the text's own punctuation.
        Some(_) => format!("{GAP} {} {GAP}", shared.join(" ")),
    }
}

#[derive(Default)]
struct NameBuilder {
    text: String,
    is_gap: bool,
}

impl NameBuilder {
    fn word(&mut self, token: &str) {
        self.push(token);
        self.is_gap = false;
    }

    /// A dash and the like belongs to the words before it.
    fn between(&mut self, token: &str) {
        if !self.is_gap {
            self.push(token);
        }
    }

    /// A gap for words that vary, with the punctuation that ends it: of several words in a row one gap is left.
    fn gap(&mut self, token: &str) {
        if self.is_gap {
            let kept = self.text.rfind(GAP).map_or(0, |at| at + GAP.len());
            self.text.truncate(kept);
        } else {
            self.push(GAP);
        }
        let end = token.trim_end_matches([',', '.', ';', ':', '?', '!', '？', '。', '、']);
        self.text.push_str(token.get(end.len()..).unwrap_or(""));
        self.is_gap = true;
    }

    fn push(&mut self, token: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(token);
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::keys::typed;

    use super::*;

    fn named(texts: &[&str]) -> Option<String> {
        let words: Vec<Vec<String>> = texts.iter().map(|text| words(asking_part(text))).collect();
        let shared = common(&words);
        (!shared.is_empty()).then(|| shown(&shared, texts[0]))
    }

    #[test]
    fn what_varies_is_left_out_and_punctuation_stays() {
        for (texts, name) in [
            (
                [
                    "More questions about login flows, or move to the search index?",
                    "More questions about the cart, or move to billing?",
                ],
                Some("More questions about …, or move to …?"),
            ),
            (
                [
                    "search index: shall I run the linter?",
                    "cart: shall I run the linter?",
                ],
                Some("…: shall I run the linter?"),
            ),
            (
                [
                    "Plan ready at `plans/a.md` – shall I format it?",
                    "Plan ready at docs/b.md, shall I format it?",
                ],
                Some("Plan ready at … shall I format it?"),
            ),
            (
                [
                    "Release the 3.1.4 build now?",
                    "Release the second build now?",
                ],
                Some("Release the … build now?"),
            ),
            (["Now the tests?", "Now the docs?"], None),
        ] {
            assert_eq!(named(&texts).as_deref(), name);
        }
    }

    #[test]
    fn context_in_front_is_no_part_of_what_asks() {
        for (text, asking) in [
            ("Proceed?", "Proceed?"),
            ("Is it so?\n\nWe looked.", "Is it so?\n\nWe looked."),
            (
                "On main.\n\nA is quick.\n\nWhich version bump?",
                "Which version bump?",
            ),
            (
                "Ready?\n\nWhich area next?\n\nA: one",
                "Which area next?\n\nA: one",
            ),
            ("Bump the version.\n\nOK?", "Bump the version.\n\nOK?"),
            (
                "We are on main.\n\nThe notes differ from what was planned.",
                "The notes differ from what was planned.",
            ),
            (
                "We are on main.\n\nPick one.",
                "We are on main.\n\nPick one.",
            ),
        ] {
            assert_eq!(asking_part(text), asking);
        }
    }

    #[test]
    fn a_name_is_accepted_as_it_is_shown() {
        let name = "…: shall I review the new tests?";
        for word in [
            name,
            "shall I review the new tests",
            "…: shall I rev…",
            "… Shall i review  the new tests …",
        ] {
            assert!(is_called(name, word), "{word}");
        }
        for other in ["", "…", "shall I review", "shall I review the tests?"] {
            assert!(!is_called(name, other), "{other}");
        }
        assert_eq!(typed("opt-1", name), name);
        assert_eq!(typed("entry", name), "entry");
    }
}
