//! Finds the option that a question recommends.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// `label` without a mark of recommendation and without the option's leading letter or number: `A) Grid`, `[2] Grid`,
/// `B. Grid`.
pub fn option_text(label: &str) -> &str {
    let label = strip_mark(label).0;
    let bare = label.strip_prefix('[').unwrap_or(label);
    let mut chars = bare.chars();
    let is_letter = chars
        .next()
        .is_some_and(|c| matches!(c, 'A'..='H' | '1'..='9'));
    let rest = chars.as_str();
    let rest = match bare.len() == label.len() {
        true => rest.strip_prefix([')', '.', ':']),
        false => rest.strip_prefix(']'),
    };
    match rest.filter(|_| is_letter) {
        Some(rest) if rest.starts_with(' ') && !rest.trim().is_empty() => rest.trim(),
        _ => label,
    }
}

/// The [`option_text`] of `label` with each number as `#`: `Fix # failing tests` for `Fix 3 failing tests`.
pub fn numbers_folded(label: &str) -> String {
    let mut folded = String::with_capacity(label.len());
    fold_numbers(option_text(label), &mut folded);
    folded
}

/// Adds `text` to `folded`, with each of its numbers as `#`: "1.2" and "1,200" are one number each.
pub(crate) fn fold_numbers(text: &str, folded: &mut String) {
    let mut in_number = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !in_number {
                folded.push('#');
            }
            in_number = true;
        } else {
            in_number = in_number && matches!(c, '.' | ',');
            if !in_number {
                folded.push(c);
            }
        }
    }
}

/// True if the two labels are the same, ignoring marks, leading option letters, letter case and outer white space.
pub fn same_label(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (option_text(one), option_text(other));
    // No letter is eight times as long in one case as in the other. The check avoids folding a long text for every
    // label.
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    one == other || (longer <= 8 * shorter && one.to_lowercase() == other.to_lowercase())
}

/// The index of the only option that `options` or `text` recommends; `None` if there are none or several, or if the two
/// disagree.
///
/// A mark on a label takes precedence over a `Recommendation: …` in the text, which must name exactly one option.
pub fn recommended(text: &str, options: &[String]) -> Option<usize> {
    let mut marked = options
        .iter()
        .enumerate()
        .filter(|(_, label)| strip_mark(label).1);
    match (marked.next(), marked.next()) {
        (Some((index, _)), None) => (!is_against(text, options, index)).then_some(index),
        (Some(_), Some(_)) => None,
        (None, _) => named(text, options),
    }
}

/// The number of `options` with a mark of recommendation.
pub fn marked(options: &[String]) -> usize {
    options.iter().filter(|label| strip_mark(label).1).count()
}

// A recommendation in a question's text: `Recommendation: …`.

const INTRODUCTION: &str = "recommendation:";

/// The most recommendations in a text that is read.
const MOST_SPLITS: usize = 16;

/// The words that may precede it in its sentence.
const BEFORE: [&str; 4] = ["", "my", "our", "the"];

/// The words that may follow the label in its sentence.
const REASONS: [&str; 2] = ["because", "since"];

/// Marks that may surround a label.
const MARKS: &str = "\"'`*_“”)]";

/// The option that every `Recommendation:` in the text names, without other words: "One is a bad idea" does not name
/// one.
fn named(text: &str, options: &[String]) -> Option<usize> {
    let lower = text.to_lowercase();
    if !lower.contains(INTRODUCTION) {
        return None;
    }
    let labels = lower_labels(options);
    let mut found = None;
    for (before, after) in occurrences(&lower)? {
        let index = introduces(before).then(|| named_alone(after, &labels))??;
        if *found.get_or_insert(index) != index {
            return None;
        }
    }
    found
}

/// True if the text recommends anything but the option `index`, or has too many recommendations to be read.
fn is_against(text: &str, options: &[String], index: usize) -> bool {
    let lower = text.to_lowercase();
    let labels = lower_labels(options);
    let Some(occurrences) = occurrences(&lower) else {
        return true;
    };
    let mut recommendations = occurrences.filter(|(before, _)| !is_denied(before));
    recommendations.any(|(_, after)| {
        let after = sentence(after);
        let holds = |label: &String| !label.is_empty() && holds_words(after, label);
        let mut others = labels.iter().enumerate().filter(|(at, _)| *at != index);
        !labels.get(index).is_some_and(holds) && others.any(|(_, label)| holds(label))
    })
}

/// The texts before and after each introduction; `None` for too many.
fn occurrences(lower: &str) -> Option<impl Iterator<Item = (&str, &str)>> {
    let found = || lower.match_indices(INTRODUCTION);
    let split = |(at, _): (usize, &str)| {
        let (before, after) = lower.split_at_checked(at)?;
        Some((before, after.get(INTRODUCTION.len()..)?))
    };
    (found().take(MOST_SPLITS + 1).count() <= MOST_SPLITS).then(|| found().filter_map(split))
}

/// True if the words before it make it a recommendation, unlike "no recommendation: one or two?".
fn introduces(before: &str) -> bool {
    let start = before.rfind(['.', '!', '?', ':', ';', '\n', '—', '–']);
    let own = start.map_or(before, |start| before.split_at(start).1);
    let own = own.trim_matches(|c: char| !c.is_alphanumeric());
    BEFORE.contains(&own)
}

/// True for "no recommendation:".
fn is_denied(before: &str) -> bool {
    let last = before.split_whitespace().next_back();
    matches!(last, Some("no" | "without" | "any"))
}

/// The only label at the start of the text, if nothing but a reason follows in its sentence.
fn named_alone(after: &str, labels: &[String]) -> Option<usize> {
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || MARKS.contains(c));
    let begins = |label: &String| {
        let rest = after.strip_prefix(label.as_str())?;
        (!label.is_empty() && !rest.starts_with(char::is_alphanumeric)).then_some(rest)
    };
    let mut named = labels
        .iter()
        .enumerate()
        .filter_map(|(index, label)| Some((index, begins(label)?)));
    match (named.next(), named.next()) {
        (Some((index, rest)), None) => ends_well(rest).then_some(index),
        _ => None,
    }
}

/// True if the sentence ends here, or continues with a reason.
fn ends_well(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c| MARKS.contains(c));
    let own = sentence(rest);
    // A question is not a recommendation.
    if rest
        .get(own.len()..)
        .is_some_and(|end| end.starts_with('?'))
    {
        return false;
    }
    let own = own.trim_matches(|c: char| !c.is_alphanumeric());
    let first = own.split_whitespace().next().unwrap_or_default();
    first.is_empty() || REASONS.contains(&first)
}

/// The text up to the end of its sentence. A full stop inside a word (`v1.2`) does not end it.
fn sentence(text: &str) -> &str {
    let is_end = |at: usize, c: char| {
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        matches!(c, '?' | '!' | '\n') || (c == '.' && !after.starts_with(char::is_alphanumeric))
    };
    let end = text.char_indices().find(|(at, c)| is_end(*at, *c));
    end.map_or(text, |(at, _)| text.split_at(at).0)
}

/// True if `text` contains `words` as whole words.
fn holds_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let after = rest.get(words.len()..).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

fn lower_labels(options: &[String]) -> Vec<String> {
    let lower = |label: &String| strip_mark(label).0.to_lowercase();
    options.iter().map(lower).collect()
}

// The mark of a recommended option, as models write it on a label: `Grid (Recommended)`, `Grid - recommended`,
// `[Recommended] Grid`, with or without an ornament.

/// The words of a mark in the form of [`without_case_and_accents`], separated by `|`. They are compared without case and accents, because
/// models often leave accents out.
const WORDS: &str = "recommended|highly recommended|strongly recommended|推奨|おすすめ|オススメ|お勧め|お薦め|推荐|推薦|建议|\
    建議|권장|추천|empfohlen|recommande|recommandee|conseille|conseillee|recomendado|recomendada|recomanat|recomanada|\
    consigliato|consigliata|raccomandato|raccomandata|aanbevolen|aanrader|рекомендуется|рекомендовано|рекомендуем|\
    рекомендую|zalecane|zalecany|zalecana|polecane|polecany|polecana|rekomendowane|onerilen|onerilir|tavsiye edilen|\
    tavsiye edilir|rekommenderas|rekommenderad|rekommenderat|anbefales|anbefalt|anbefalet|suositeltu|doporuceno|\
    doporucene|odporucane|recomandat|ajanlott|khuyen nghi|موصى به";

/// The most bytes at a label's start or end that its mark may take.
const MOST_MARK: usize = 128;

const BRACKETS: [(char, char); 4] = [('(', ')'), ('（', '）'), ('[', ']'), ('【', '】')];

/// Separators between a label and a mark without brackets: the first ones anywhere, the second ones only between
/// spaces.
const DASHES: [char; 3] = ['—', '–', '―'];
const BETWEEN_BLANKS: [char; 4] = ['-', '|', '·', '•'];

/// Separators between a leading mark and the label.
const COLONS: [char; 2] = [':', '：'];

/// Ornaments of a mark. A label's own ornaments stay, except stars next to a mark.
const STARS: [char; 4] = ['⭐', '★', '🌟', '\u{fe0f}'];
const ORNAMENTS: [char; 16] = [
    '✨', '💫', '✅', '✓', '✔', '☑', '👍', '👌', '🏆', '🥇', '🎯', '💡', '→', '*', '_', '!',
];

/// `label` without its mark of recommendation, and whether it had one. White space around the label is also removed.
pub fn strip_mark(label: &str) -> (&str, bool) {
    let label = label.trim();
    let unmarked = behind(label).or_else(|| in_front(label));
    match unmarked.map(bare).filter(|unmarked| !unmarked.is_empty()) {
        Some(unmarked) => (unmarked, true),
        None => (label, false),
    }
}

/// The label before its mark. Only the end of a long label is searched, since it may come from anywhere.
fn behind(label: &str) -> Option<&str> {
    let end = label.get(label.ceil_char_boundary(label.len().saturating_sub(MOST_MARK))..)?;
    let text = end.trim_end_matches(is_ornament);
    let brackets = BRACKETS.iter().find(|(_, close)| text.ends_with(*close));
    let (at, mark) = if let Some((open, close)) = brackets {
        let at = text.rfind(*open)?;
        let inside = text.get(at + open.len_utf8()..)?;
        (at, inside.strip_suffix(*close)?)
    } else {
        let is_star = |c: char| STARS.contains(&c) && c != '\u{fe0f}';
        let is_separator =
            |c: char| DASHES.contains(&c) || BETWEEN_BLANKS.contains(&c) || is_star(c);
        let at = text.rfind(is_separator)?;
        let (before, mark) = text.split_at_checked(at)?;
        let separator = mark.chars().next()?;
        let mark = mark.get(separator.len_utf8()..)?;
        let is_apart =
            before.ends_with(char::is_whitespace) && mark.starts_with(char::is_whitespace);
        if BETWEEN_BLANKS.contains(&separator) && !is_apart {
            return None;
        }
        (at, mark)
    };
    let length = label.len() - end.len() + at;
    is_mark(mark).then(|| label.get(..length))?
}

/// The label after its mark. Only the start of a long label is searched.
fn in_front(label: &str) -> Option<&str> {
    let start = label.get(..label.floor_char_boundary(MOST_MARK))?;
    let text = start.trim_start_matches(is_ornament);
    let brackets = BRACKETS.iter().find(|(open, _)| text.starts_with(*open));
    let (mark, rest) = match brackets {
        Some((open, close)) => text.strip_prefix(*open)?.split_once(*close)?,
        None => text.split_once(COLONS)?,
    };
    let length = start.len() - rest.len();
    is_mark(mark).then(|| label.get(length..))?
}

/// True for the words of a mark, with any ornaments.
fn is_mark(text: &str) -> bool {
    let word = text.trim_matches(is_ornament);
    if word.is_empty() {
        return false;
    }
    let word = without_case_and_accents(word);
    WORDS.split('|').any(|one| one == word)
}

/// The rest of a label without its mark, and without the mark's stars.
fn bare(label: &str) -> &str {
    label.trim_matches(|c: char| c.is_whitespace() || STARS.contains(&c))
}

fn is_ornament(c: char) -> bool {
    c.is_whitespace() || STARS.contains(&c) || ORNAMENTS.contains(&c)
}

/// `text` in lower case, without accents.
fn without_case_and_accents(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let bare = text.nfkd().filter(|c| !is_combining_mark(*c));
    bare.nfc().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|&label| label.to_owned()).collect()
    }

    #[test]
    fn marks_and_look_alikes() {
        for label in [
            "A (Recommended)",
            "A (recommended) ",
            "A（推荐）",
            "A (推奨)",
            "A (Recommandé)",
            "A (권장)",
            "A (Empfohlen)",
            "A (Recomendado)",
            "A (recomanat)",
            "A [RECOMMENDED]",
            "A【推荐】",
            // Without accents, and with ornaments.
            "A (Recommande)",
            "A (recommandée)",
            "A (Onerilen)",
            "A (Recommended ⭐)",
            "A (⭐ Recommended)",
            "A (✅ recommended!)",
            "A (**Recommended**)",
            "A (Recommended) ⭐",
            "⭐ A (Recommended)",
            "A ⭐ Recommended",
            "A (Highly recommended)",
            // Without brackets, and before the label.
            "A - recommended",
            "A — Recommended",
            "A – empfohlen ⭐️",
            "A | Recommended",
            "A—推荐",
            "[Recommended] A",
            "(Recommended) A",
            "⭐ Recommended: A",
            "推荐：A",
        ] {
            assert_eq!(strip_mark(label), ("A", true), "{label}");
        }
        for label in [
            "ECDH (ECIES)",
            "Pro (current plan)",
            "512 (标准)",
            "(Recommended)",
            "Recommended",
            "A (not recommended)",
            "A (nicht empfohlen)",
            "A（不推荐）",
            "A (formerly recommended)",
            "A (Recommended) (slow)",
            "A (Recommended",
            // A Cyrillic letter, and a zero-width character.
            "A (Rec\u{43e}mmended)",
            "A (Recommended)\u{200b}",
            "A-recommended",
            "A - not recommended",
            "A - recommended by nobody",
            "A (Recommended?)",
            "A (❌ Recommended)",
            "A ⭐",
            "⭐⭐⭐",
            "Recommended settings",
            "Recommended: ",
            "Not recommended: A",
            " - recommended",
            "⭐ (Recommended)",
        ] {
            assert_eq!(strip_mark(label), (label.trim(), false), "{label}");
        }
    }

    #[test]
    fn letters_in_front_of_options_are_none_of_the_label() {
        for (label, text) in [
            ("A) Grid", "Grid"),
            ("[B] Grid (Recommended)", "Grid"),
            ("2. Grid", "Grid"),
            ("C: Grid", "Grid"),
            ("A", "A"),
            ("A) ", "A)"),
            ("3.5 seconds", "3.5 seconds"),
            ("I) Grid", "I) Grid"),
        ] {
            assert_eq!(option_text(label), text, "{label}");
        }
        assert!(same_label("A) Grid", "B) grid (Recommended)"));
    }

    #[test]
    fn each_number_of_an_option_is_one_sign() {
        assert_eq!(
            numbers_folded("A) Fix 1,200 of 3 (Recommended)"),
            "Fix # of #"
        );
    }

    #[test]
    fn at_most_one_recommendation() {
        assert_eq!(
            recommended("?", &options(&["A", "B (Recommended)"])),
            Some(1)
        );
        assert_eq!(
            recommended("?", &options(&["A (recommended)", "B (Recommended)"])),
            None
        );
    }

    #[test]
    fn mark_and_text_must_agree() {
        let marked = options(&["One (Recommended)", "Two"]);
        for agrees in [
            "?",
            "Recommendation: One.",
            "I have no recommendation: which?",
            "Recommendation: choose One because it is first",
        ] {
            assert_eq!(recommended(agrees, &marked), Some(0), "{agrees}");
        }
        for disagrees in [
            "Recommendation: Two",
            "Recommendation: go with Two, it is newer",
            "My recommendation: **Two**. Which?",
            "Recommendation: One. No, recommendation: Two.",
        ] {
            assert_eq!(recommended(disagrees, &marked), None, "{disagrees}");
        }
    }
}

#[cfg(test)]
mod in_text_tests {
    use super::*;

    fn named_of(text: &str, labels: &[&str]) -> Option<usize> {
        let options: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        named(text, &options)
    }

    #[test]
    fn recommendations() {
        for text in [
            "x. Recommendation: B, because it is quick",
            "Recommendation: B. In short: recommendation: **B**.",
            "Which?\nMy recommendation: B since A is old",
            "(Recommendation: \"B\")",
            "**Recommendation:** B",
            "recommendation: B\n\nA is slower.",
        ] {
            assert_eq!(named_of(text, &["A", "B"]), Some(1), "{text}");
        }
        assert_eq!(named_of("Recommendation: v1.2!", &["v1.2", "v2"]), Some(0));
    }

    #[test]
    fn no_recommendations() {
        for text in [
            "Which?",
            "I have no recommendation: one or two?",
            "Without any recommendation: one",
            "Recommendation: One is a bad idea",
            "Recommendation: one?",
            "Recommendation: one, never two",
            "Recommendation: one (not really)",
            "Recommendation: one-off work",
            "Recommendation: one or two",
            "Recommendation: not one",
            "Recommendation: ones",
            "Recommendation: One, at night recommendation: Two",
            "Recommendation: Two. My recommendation: neither.",
            "His former recommendation: one",
        ] {
            assert_eq!(named_of(text, &["One", "Two"]), None, "{text}");
        }
        let two_begin_so = named_of("Recommendation: Skip tests", &["Skip", "Skip tests"]);
        assert_eq!(two_begin_so, None);
        assert_eq!(named_of("Recommendation: v1.2", &["v1", "v2"]), None);
        let often = "recommendation: one. ".repeat(MOST_SPLITS + 1);
        assert_eq!(named_of(&often, &["One", "Two"]), None);
    }
}

#[cfg(test)]
mod mark_tests {
    use super::*;

    #[test]
    fn words_are_as_labels_are_folded() {
        for word in WORDS.split('|') {
            assert_eq!(without_case_and_accents(word), word);
            assert!(strip_mark(&format!("A ({word})")).1, "{word}");
        }
    }
}
