//! Templates: the words that the texts of a family have in common, in their order.
//!
//! Mined as log templates are, by longest common subsequences of words: Du and Li, "Spell: Streaming
//! Parsing of System Event Logs" (ICDM 2016). A text belongs to the template that shares most with
//! it, if that is at least half of the longer of the two, and the template shrinks to what is shared.

use super::words::says_something;

/// How many words of a text are looked at.
const MOST_WORDS: usize = 48;

/// How many words that say something a template must keep, beside those that any question has.
const LEAST_WORDS: usize = 2;

/// The templates found, and which of them each text belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Clusters<W> {
    pub(crate) templates: Vec<Vec<W>>,
    pub(crate) of_text: Vec<Option<usize>>,
}

/// Mines templates from `texts`, which are words each, in the order of time.
pub(crate) fn mine<'t>(texts: &[Vec<&'t str>]) -> Clusters<&'t str> {
    let mut clusters = Clusters {
        templates: Vec::new(),
        of_text: Vec::with_capacity(texts.len()),
    };
    let mut initials: Vec<Initials> = Vec::new();
    for text in texts {
        let text = shortened(text);
        let own = Initials::of(text);
        let mut best: Option<(usize, Vec<&str>)> = None;
        for (index, template) in clusters.templates.iter().enumerate() {
            // Of equals the first.
            let more = best.as_ref().map_or(0, |(_, shared)| shared.len()) + 1;
            let least = template.len().max(text.len()).div_ceil(2).max(more);
            let known = initials.get(index).copied().unwrap_or_default();
            if known.at_most(text) < least || own.at_most(template) < least {
                continue;
            }
            let shared = shared(template, text);
            if shared.len() >= least && is_telling(&shared) {
                best = Some((index, shared));
            }
        }
        let cluster = match best {
            Some((index, shared)) => {
                if let Some(known) = initials.get_mut(index) {
                    *known = Initials::of(&shared);
                }
                if let Some(template) = clusters.templates.get_mut(index) {
                    *template = shared;
                }
                Some(index)
            }
            None if is_telling(text) => {
                clusters.templates.push(text.to_vec());
                initials.push(own);
                Some(clusters.templates.len() - 1)
            }
            None => None,
        };
        clusters.of_text.push(cluster);
    }
    clusters
}

/// How some words begin, and how long they are, as a set of bits: enough to see that two texts share little without
/// comparing them word by word.
#[derive(Clone, Copy, Debug, Default)]
struct Initials(u64);

impl Initials {
    fn of(words: &[&str]) -> Self {
        Self(words.iter().fold(0, |bits, word| bits | Self::bit(word)))
    }

    fn bit(word: &str) -> u64 {
        let first = word.bytes().next().unwrap_or_default();
        1 << ((usize::from(first) + 11 * word.len()) % 64)
    }

    /// How many of `words` may be among those that it was made of, at most.
    fn at_most(self, words: &[&str]) -> usize {
        let may_be = |word: &&&str| self.0 & Self::bit(word) != 0;
        words.iter().filter(may_be).count()
    }
}

/// The words that all of `texts` have in common, in their order; none when what is common says
/// nothing of its own.
pub(super) fn common<W: AsRef<str> + Clone + PartialEq>(texts: &[Vec<W>]) -> Vec<W> {
    let mut texts = texts.iter().map(|text| shortened(text));
    let Some(first) = texts.next() else {
        return Vec::new();
    };
    let common = texts.fold(first.to_vec(), |common, text| shared(&common, text));
    if is_telling(&common) {
        common
    } else {
        Vec::new()
    }
}

fn shortened<W>(text: &[W]) -> &[W] {
    text.get(..MOST_WORDS).unwrap_or(text)
}

fn is_telling<W: AsRef<str>>(words: &[W]) -> bool {
    let telling = words.iter().filter(|word| says_something(word.as_ref()));
    telling.take(LEAST_WORDS).count() == LEAST_WORDS
}

/// A longest common subsequence of `one` and `other`, by dynamic programming (Wagner and Fischer,
/// "The string-to-string correction problem", JACM 21 (1974) 168–173).
pub(crate) fn shared<W: Clone + PartialEq>(one: &[W], other: &[W]) -> Vec<W> {
    // What both begin with is part of it: only the rest needs the table.
    let same = one
        .iter()
        .zip(other)
        .take_while(|(left, right)| left == right);
    let (beginning, one) = one.split_at(same.count());
    let other = other.get(beginning.len()..).unwrap_or_default();
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
    shared
}

#[cfg(test)]
mod tests {
    use plantune_domain::family::words;

    use super::*;

    fn texts(texts: &[&str]) -> Vec<Vec<String>> {
        texts.iter().map(|text| words(text)).collect()
    }

    /// The templates as sentences, and which of them each text belongs to.
    fn mined(of: &[&str]) -> (Vec<String>, Vec<Option<usize>>) {
        let owned = texts(of);
        let words = owned
            .iter()
            .map(|text| text.iter().map(String::as_str).collect());
        let found = mine(&words.collect::<Vec<_>>());
        let templates = found.templates.iter().map(|words| words.join(" "));
        (templates.collect(), found.of_text)
    }

    #[test]
    fn what_varies_falls_out() {
        let (templates, of_text) = mined(&[
            "billing: shall I run the linter?",
            "Overwrite the generated schema?",
            "search index: shall I run the linter?",
            "Shall I now run the linter on `x`?",
        ]);
        assert_eq!(of_text, [Some(0), Some(1), Some(0), Some(0)]);
        assert_eq!(templates[0], "shall i run the linter");
    }

    #[test]
    fn few_words_in_common_are_no_template() {
        let (_, of_text) = mined(&[
            "Proceed with the migration?",
            "Proceed with the release?",
            "Proceed?",
        ]);
        assert_eq!(of_text, [None, None, None]);
        assert_eq!(
            common(&texts(&["Now the tests?", "Now the docs?"])),
            [""; 0]
        );
        assert_eq!(common::<String>(&[]), [""; 0]);
    }

    #[test]
    fn a_template_fits_what_it_was_mined_from() {
        let all = [
            "Plan ready at `a/b.md`. How to go on with the implementation?",
            "Plan updated at `c.md` to use settings. How to go on with the implementation?",
        ];
        let template = common(&texts(&all));
        assert_eq!(template.first().map(String::as_str), Some("plan"));
        for text in all {
            assert!(plantune_domain::family::fits(&template, text));
        }
    }
}
