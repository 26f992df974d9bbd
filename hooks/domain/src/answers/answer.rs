//! One answer: the chosen labels, and the text typed instead.

use serde_json::Value;

use crate::recommended::{same_label, strip_mark};
use crate::sanitize::is_dangerous;
use crate::secrets::MASK;
use crate::wire::{SentQuestion, mask};

/// The placeholders for an answer when the person only left a note.
const NOTES_ONLY: [&str; 2] = ["(notes only)", "(no option selected)"];

/// A person's (or a preference's) answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The chosen labels, exactly as offered.
    pub labels: Vec<String>,
    /// The text typed instead of, or in addition to, a choice.
    pub free_text: Option<String>,
    /// A note on the choice.
    pub notes: Option<String>,
}

impl Answer {
    /// True when nothing was chosen, typed or noted.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.free_text.is_none() && self.notes.is_none()
    }

    /// The answer without blank texts, which nobody typed; `None` when nothing is left.
    pub fn unless_blank(mut self) -> Option<Self> {
        let is_blank = |text: &String| text.chars().all(|c| c.is_whitespace() || is_dangerous(c));
        self.free_text = self.free_text.filter(|text| !is_blank(text));
        self.notes = self.notes.filter(|text| !is_blank(text));
        (!self.is_empty()).then_some(self)
    }

    /// Masks its secrets, or all typed text when that `is_secret`.
    pub(crate) fn mask(&mut self, is_secret: bool) {
        for label in &mut self.labels {
            mask(label);
        }
        for text in [&mut self.free_text, &mut self.notes].into_iter().flatten() {
            match is_secret {
                true => MASK.clone_into(text),
                false => drop(mask(text)),
            }
        }
    }

    /// Whether the answer is exactly the label `recommended`, ignoring marks; `None` without a recommendation or an
    /// answer.
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
/// A multiple choice is one string of labels joined by ", ". Labels may contain commas, and typed text may come last.
/// The reading that leaves the least unmatched text wins, trying longer labels first. Since some version before
/// 2.1.330, a text that contains ", " or quotes is quoted as in JSON, even a single label.
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
    if question.multi_select != Some(false) {
        let mut found = chosen_labels(&question.options, trimmed, ", ");
        if !found.1.is_empty() {
            // A list that a host gave is joined without the space. Only labels come so.
            let (labels, rest) = chosen_labels(&question.options, trimmed, ",");
            if rest.is_empty() {
                found = (labels, rest);
            }
        }
        let (labels, rest) = found;
        // Without `multi_select` a comma may just be a comma.
        let is_list = question.multi_select == Some(true) || (rest.is_empty() && labels.len() > 1);
        if is_list && !labels.is_empty() {
            return Answer {
                labels: labels.into_iter().map(str::to_owned).collect(),
                free_text: (!rest.is_empty()).then(|| unquoted(rest)),
                notes: None,
            };
        }
    }
    // Exactly as typed, with outer white space: it is the person's text.
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

/// The most readings of one answer that are tried. A model could write labels with exponentially many readings.
const MOST_READINGS: u32 = 10_000;

/// Lists with more labels than this are not searched for multiple choices: nobody chooses among that many, and the
/// search takes quadratic time.
const MOST_LABELS: usize = 256;

/// The labels at the start of `text`, joined by `comma`, and the rest, in the reading with the shortest rest.
fn chosen_labels<'o, 't>(
    options: &'o [String],
    text: &'t str,
    comma: &str,
) -> (Vec<&'o str>, &'t str) {
    if options.len() > MOST_LABELS {
        return (Vec::new(), text);
    }
    let mut offered: Vec<&str> = options.iter().map(String::as_str).collect();
    offered.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
    offered.dedup();
    split_labels(&offered, text, comma, &mut MOST_READINGS.clone())
}

fn split_labels<'o, 't>(
    offered: &[&'o str],
    text: &'t str,
    comma: &str,
    readings: &mut u32,
) -> (Vec<&'o str>, &'t str) {
    let mut best: (Vec<&'o str>, &'t str) = (Vec::new(), text);
    for (index, label) in offered.iter().enumerate() {
        let Some(rest) = after_label(text, label, comma) else {
            continue;
        };
        let Some(left) = readings.checked_sub(1) else {
            break;
        };
        *readings = left;
        // A label is chosen only once, so the list shrinks and the recursion ends.
        let mut remaining = offered.to_vec();
        remaining.remove(index);
        let (mut labels, rest) = split_labels(&remaining, rest, comma, readings);
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

/// The text after `label` and the `comma` behind it, if `text` starts with the label, with or without its mark. The answer was
/// trimmed, and so may be the label's outer white space.
fn after_label<'t>(text: &'t str, label: &str, comma: &str) -> Option<&'t str> {
    let forms = [label, label.trim_end(), label.trim(), strip_mark(label).0];
    let quoted = text.starts_with('"').then(|| forms.map(quoted));
    let quoted = quoted.iter().flatten().flatten().map(String::as_str);
    forms.into_iter().chain(quoted).find_map(|label| {
        let after = text.strip_prefix(label)?;
        match after.strip_prefix(comma) {
            Some(rest) => Some(rest),
            None => after.trim().is_empty().then_some(""),
        }
    })
}

/// The two quoted forms of a label in a list, which differ in how they write a backslash.
fn quoted(label: &str) -> [String; 2] {
    [
        format!("\"{}\"", label.replace('"', "\\\"")),
        Value::from(label).to_string(),
    ]
}

/// The typed text, without the quotes that it gets after several labels when it contains ", " or quotes.
fn unquoted(text: &str) -> String {
    let inside = || text.strip_prefix('"')?.strip_suffix('"');
    match serde_json::from_str::<String>(text) {
        Ok(typed) => typed,
        Err(_) => inside().map_or_else(|| text.to_owned(), |typed| typed.replace("\\\"", "\"")),
    }
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
        // A host joins without the space, labels alone.
        let read = read_answer(&checks, "Tests, unit,Lint");
        assert_eq!(read.labels, ["Tests, unit", "Lint"]);
        let read = read_answer(&checks, "Lint,my own");
        assert_eq!(
            (read.labels.len(), read.free_text.as_deref()),
            (0, Some("Lint,my own"))
        );
        let spaced = question(&[" A (Recommended)", " B\n"], true);
        let read = read_answer(&spaced, " A (Recommended),  B\n");
        assert_eq!((read.labels.len(), read.free_text), (2, None));
        assert_eq!(
            read_answer(&checks, "Linting").free_text.as_deref(),
            Some("Linting")
        );
    }

    #[test]
    fn labels_and_typed_text_in_quotes() {
        let checks = question(
            &["Lint", "Tests, unit", "Say \"hi\"", "a,b", "C:\\x, y"],
            true,
        );
        for (text, labels, typed) in [
            (
                r#"Lint, "Tests, unit", "Say \"hi\"", a,b, "x, y: always""#,
                &["Lint", "Tests, unit", "Say \"hi\"", "a,b"][..],
                Some("x, y: always"),
            ),
            (r#""Tests, unit""#, &["Tests, unit"], None),
            (r#""C:\x, y", Lint"#, &["C:\\x, y", "Lint"], None),
            (r#""C:\\x, y""#, &["C:\\x, y"], None),
            (r#"Lint, say "hi""#, &["Lint"], Some(r#"say "hi""#)),
            (
                r#"Lint, "my \"own\", too""#,
                &["Lint"],
                Some(r#"my "own", too"#),
            ),
            // No offered label comes before it, so all of it was typed.
            (r#""x, y""#, &[], Some(r#""x, y""#)),
        ] {
            let read = read_answer(&checks, text);
            assert_eq!(read.labels, labels, "{text}");
            assert_eq!(read.free_text.as_deref(), typed, "{text}");
        }
    }

    #[test]
    fn commas_without_multi_select() {
        let mut unknown = question(&["A", "B", "C (Recommended)"], false);
        unknown.multi_select = None;
        assert_eq!(
            read_answer(&unknown, "A, C").labels,
            ["A", "C (Recommended)"]
        );
        assert_eq!(
            read_answer(&unknown, "A, but later").free_text.as_deref(),
            Some("A, but later")
        );
        unknown.multi_select = Some(false);
        assert_eq!(
            read_answer(&unknown, "A, B").free_text.as_deref(),
            Some("A, B")
        );
    }

    #[test]
    fn crafted_labels_take_bounded_time() {
        let labels: Vec<String> = (1..60).map(|n| vec!["a"; n].join(", ")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let text = format!("{}, z", vec!["a"; 300].join(", "));
        assert!(
            !read_answer(&question(&labels, true), &text)
                .labels
                .is_empty()
        );
        let labels: Vec<String> = (0..5_000).map(|n| format!("a{n}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let all = labels.join(", ");
        let read = read_answer(&question(&labels, true), &all);
        assert_eq!(read.free_text.as_deref(), Some(all.as_str()));
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
    fn followed_is_unknown_without_recommendation_or_answer() {
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
