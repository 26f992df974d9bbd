//! One answer: which of the offered labels were chosen, and what was typed instead.

use crate::recommended::same_label;
use crate::wire::SentQuestion;

/// What stands in an answer's place when the person only left a note.
const NOTES_ONLY: [&str; 2] = ["(notes only)", "(no option selected)"];

/// A person's (or a preference's) answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The chosen labels, exactly as offered.
    pub labels: Vec<String>,
    /// What was typed instead of, or besides, a choice.
    pub free_text: Option<String>,
    /// A note on the choice.
    pub notes: Option<String>,
}

impl Answer {
    /// True when nothing was chosen, typed or noted.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.free_text.is_none() && self.notes.is_none()
    }

    /// Whether the answer is exactly the label `recommended`, marks aside; `None` when nothing
    /// is recommended or nothing was said.
    pub fn followed(&self, recommended: Option<&str>) -> Option<bool> {
        let recommended = recommended?;
        match (self.labels.as_slice(), &self.free_text) {
            ([], None) => None,
            ([label], None) => Some(same_label(label, recommended)),
            _ => Some(false),
        }
    }
}

/// Reads an answer's text against the labels that `question` offered.
///
/// A choice among several is one string, labels joined by ", ", where labels may hold commas
/// themselves and typed text may come last: of all readings the one that leaves the least
/// unmatched text wins, longer labels first.
pub fn read_answer(question: &SentQuestion, text: &str) -> Answer {
    let trimmed = text.trim();
    if NOTES_ONLY.contains(&trimmed) {
        return Answer::default();
    }
    if let Some(label) = find_label(&question.options, trimmed) {
        return Answer {
            labels: vec![label.to_owned()],
            ..Answer::default()
        };
    }
    if question.multi_select == Some(true) {
        let mut offered: Vec<&str> = question.options.iter().map(String::as_str).collect();
        offered.sort_by_key(|label| std::cmp::Reverse(label.len()));
        let (labels, rest) = split_labels(&offered, trimmed);
        if !labels.is_empty() {
            return Answer {
                labels: labels.into_iter().map(str::to_owned).collect(),
                free_text: (!rest.is_empty()).then(|| rest.to_owned()),
                notes: None,
            };
        }
    }
    // As typed, outer white space included: it is the person's text.
    Answer {
        free_text: Some(text.to_owned()),
        ..Answer::default()
    }
}

fn find_label<'o>(options: &'o [String], text: &str) -> Option<&'o str> {
    options
        .iter()
        .find(|label| label.as_str() == text)
        .or_else(|| options.iter().find(|label| same_label(label, text)))
        .map(String::as_str)
}

/// The labels at the start of `text` and what is left, the reading with the shortest rest.
fn split_labels<'o, 't>(offered: &[&'o str], text: &'t str) -> (Vec<&'o str>, &'t str) {
    let mut best: (Vec<&'o str>, &'t str) = (Vec::new(), text);
    for (index, label) in offered.iter().enumerate() {
        let Some(after) = text.strip_prefix(label) else {
            continue;
        };
        let rest = match after.strip_prefix(", ") {
            Some(rest) => rest,
            None if after.trim().is_empty() => "",
            None => continue,
        };
        // A label is chosen once, so what remains is smaller and the recursion ends.
        let mut remaining = offered.to_vec();
        remaining.remove(index);
        let (mut labels, rest) = split_labels(&remaining, rest);
        if best.0.is_empty() || rest.len() < best.1.len() {
            labels.insert(0, label);
            best = (labels, rest);
        }
        if best.1.is_empty() {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: &[&str], multi_select: bool) -> SentQuestion {
        SentQuestion {
            options: options.iter().map(|&label| label.to_owned()).collect(),
            multi_select: Some(multi_select),
            ..SentQuestion::default()
        }
    }

    #[test]
    fn several_labels_with_commas_and_typed_text() {
        let checks = question(&["Lint", "Tests, unit", "Tests", "Bench"], true);
        let read = read_answer(&checks, "Lint, Tests, unit");
        assert_eq!(
            (read.labels, read.free_text),
            (vec!["Lint".into(), "Tests, unit".into()], None)
        );
        let read = read_answer(&checks, "Tests, Lint, and then, my own");
        assert_eq!(read.labels, ["Tests", "Lint"]);
        assert_eq!(read.free_text.as_deref(), Some("and then, my own"));
        assert_eq!(
            read_answer(&checks, "Linting").free_text.as_deref(),
            Some("Linting")
        );
    }

    #[test]
    fn suffix_on_either_side_and_notes() {
        let todos = question(&["Create it (recommended)", "Skip"], false);
        assert_eq!(
            read_answer(&todos, "Create it").labels,
            ["Create it (recommended)"]
        );
        assert_eq!(read_answer(&todos, "skip (Recommended)").labels, ["Skip"]);
        assert!(read_answer(&todos, "(notes only)").is_empty());
        assert_eq!(
            read_answer(&todos, " mine ").free_text.as_deref(),
            Some(" mine ")
        );
    }

    #[test]
    fn followed_is_unknown_when_it_cannot_be_known() {
        let chosen = |labels: &[&str]| Answer {
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            ..Answer::default()
        };
        assert_eq!(chosen(&["A (Recommended)"]).followed(Some("A")), Some(true));
        assert_eq!(chosen(&["B"]).followed(Some("A")), Some(false));
        assert_eq!(chosen(&["A", "B"]).followed(Some("A")), Some(false));
        assert_eq!(chosen(&["B"]).followed(None), None);
        assert_eq!(chosen(&[]).followed(Some("A")), None);
    }
}
