//! Templates: the words that the texts of a family have in common, in their order.
//!
//! Mined as log templates are, by longest common subsequences of words: Du and Li, "Spell: Streaming
//! Parsing of System Event Logs" (ICDM 2016). A text belongs to the template that shares most with
//! it, if that is at least half of the longer of the two, and the template shrinks to what is shared.

use std::collections::HashSet;
use std::sync::LazyLock;

use plantune_domain::family;
use plantune_domain::keys::option_set;

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

/// The sign for words that vary.
const GAP: &str = "…";

/// The family of `template` as a text: `text`, which is one of its texts, with `…` for the words that
/// vary; for a family whose texts share too little, its `options`.
pub fn template_text(template: &[String], text: &str, options: &[String]) -> String {
    if template.is_empty() {
        let labels: Vec<String> = options.iter().map(|label| format!("\"{label}\"")).collect();
        return format!("any question with {}", labels.join(", "));
    }
    let asking = family::asking_part(text);
    let text = if family::fits(template, asking) {
        asking
    } else {
        text
    };
    let mut shown = TemplateText::default();
    let mut rest = template.iter().peekable();
    for token in text.split_whitespace() {
        let words = family::words(token);
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
        Some(_) => format!("{GAP} {} {GAP}", template.join(" ")),
    }
}

#[derive(Default)]
struct TemplateText {
    text: String,
    is_gap: bool,
}

impl TemplateText {
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

/// Words that may stand in any question, and in its answers.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "\
    a an the this that these those it its them they i me my we us our you your is are was be \
    been do does did have has to of in on at by for from with without as and or but not no if \
    so then there here now what which how when where who why can could should shall would will \
    may might must let lets i'd i'll let's don't before after all any some both either none \
    neither more most else again first want like prefer choose select pick please next ready \
    sure think about question option options choice approach step way yes yep yeah nope ok okay \
    fine good great looks sounds correct right wrong true false approve approved accept reject \
    decline deny allow confirm cancel abort stop quit exit continue proceed go going ahead keep \
    leave skip retry undo revise change changes edit modify adjust needed needs required other \
    another something different later wait maybe never always once done start begin open close \
    off enable disable default custom auto manual current new old full partial minimal simple \
    small medium large low high basic advanced only everything nothing hybrid mixed it's \
    discuss explain ja nein weiter abbrechen oui non continuer annuler sí si continuar cancelar \
    sim não да нет продолжить отмена はい いいえ 続ける 中止 是 否 继续 取消 예 네 아니오 아니요 승인 거부 \
    수정 필요 계속 취소"
    .split(' ')
    .collect()
});

/// True for a word that is not one of those that any question or answer could hold.
pub(crate) fn says_something(word: &str) -> bool {
    let trimmed = word.trim_matches(|c: char| !c.is_alphanumeric());
    trimmed.chars().filter(|c| c.is_alphabetic()).count() > 1 && !COMMON.contains(trimmed)
}

/// True when the labels alone identify what was asked: at least two of them, and half of all, are more than
/// one word and say something of their own. In doubt a set is a general one.
pub fn is_specific(options: &[String]) -> bool {
    let mut set = option_set(options);
    let all = set.len();
    set.dedup();
    let speaking = set.iter().filter(|label| {
        let words: Vec<&str> = label.split(' ').collect();
        words.len() > 1 && words.iter().any(|word| says_something(word))
    });
    let speaking = speaking.count();
    set.len() == all && speaking >= 2 && speaking * 2 >= all
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
            assert!(family::fits(&template, text));
        }
    }

    fn shown(template: &str, text: &str) -> String {
        template_text(&words(template), text, &[])
    }

    #[test]
    fn what_varies_is_left_out_and_punctuation_stays() {
        assert_eq!(
            shown(
                "more questions about or move to",
                "More questions about login flows, or move to the search index?"
            ),
            "More questions about …, or move to …?"
        );
        assert_eq!(
            shown(
                "shall i run the linter",
                "search index: shall I run the linter?"
            ),
            "…: shall I run the linter?"
        );
        assert_eq!(
            shown("plan ready at go", "Plan ready at `plans/a.md` – go?"),
            "Plan ready at … go?"
        );
        assert_eq!(
            shown("release the now", "Release the 3.1.4 build now?"),
            "Release the … now?"
        );
    }

    #[test]
    fn what_cannot_be_found_again_is_shown_as_words() {
        assert_eq!(
            shown("read-me first please", "read-me/first, please"),
            "… read-me first please …"
        );
        let options = ["More questions", "Next area"].map(str::to_owned);
        assert_eq!(
            template_text(&[], "Anything else?", &options),
            "any question with \"More questions\", \"Next area\""
        );
    }

    fn specific(labels: &[&str]) -> bool {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        is_specific(&labels)
    }

    #[test]
    fn sets_that_carry_themselves() {
        for labels in [
            &["More questions", "Next area"][..],
            &["Format draft (Recommended)", "Leave draft alone"],
            &[
                "Open plan in editor",
                "Run /plan_review",
                "Simplify",
                "Start /workflows:work",
            ],
            &["Pre-built binaries", "Build from source"],
        ] {
            assert!(specific(labels), "{labels:?}");
        }
    }

    #[test]
    fn sets_that_could_be_of_any_question() {
        for labels in [
            &["Yes", "No"][..],
            &["Yes, go ahead", "No, cancel", "Something else"],
            &["Option 1", "Option 2"],
            &["Fix `a.rs` first", "Fix `b.rs` first"],
            &["Grid", "List"],
            &["승인", "수정 필요"],
            &["Minimal", "Full", "Custom"],
            &["Commit the files", "Later"],
            &[],
        ] {
            assert!(!specific(labels), "{labels:?}");
        }
    }
}
