//! A recommendation in a question's text: `Recommendation: …`.

use super::mark::strip_mark;

const INTRODUCTION: &str = "recommendation:";

/// A text that recommends more often than this is not read.
const MOST_SPLITS: usize = 16;

/// What may stand before it in its sentence.
const BEFORE: [&str; 4] = ["", "my", "our", "the"];

/// What may follow the label in its sentence.
const REASONS: [&str; 2] = ["because", "since"];

/// Marks that may stand around a label.
const MARKS: &str = "\"'`*_“”)]";

/// The option that every `Recommendation:` of the text names, and nothing beside it: "One is a bad
/// idea" names none.
pub(super) fn named(text: &str, options: &[String]) -> Option<usize> {
    let lower = text.to_lowercase();
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

/// True when the text recommends something other than the option `index`: another one, or so often
/// that it is not read.
pub(super) fn is_against(text: &str, options: &[String], index: usize) -> bool {
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

/// What stands before and behind each introduction; `None` for too many.
fn occurrences(lower: &str) -> Option<impl Iterator<Item = (&str, &str)>> {
    let found = || lower.match_indices(INTRODUCTION);
    let split = |(at, _): (usize, &str)| {
        let (before, after) = lower.split_at_checked(at)?;
        Some((before, after.get(INTRODUCTION.len()..)?))
    };
    (found().take(MOST_SPLITS + 1).count() <= MOST_SPLITS).then(|| found().filter_map(split))
}

/// True when the words before it make it a recommendation: "no recommendation: one or two?" is none.
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

/// The one label that begins the text, when nothing follows in its sentence but a reason.
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

/// True when the sentence ends here, or goes on with a reason.
fn ends_well(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c| MARKS.contains(c));
    let own = sentence(rest);
    // A question recommends nothing.
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

/// The text up to the end of its sentence. A full stop inside a word (`v1.2`) ends none.
fn sentence(text: &str) -> &str {
    let is_end = |at: usize, c: char| {
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        matches!(c, '?' | '!' | '\n') || (c == '.' && !after.starts_with(char::is_alphanumeric))
    };
    let end = text.char_indices().find(|(at, c)| is_end(*at, *c));
    end.map_or(text, |(at, _)| text.split_at(at).0)
}

/// True when `words` stand in `text`, and no longer word does.
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

#[cfg(test)]
mod tests {
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
