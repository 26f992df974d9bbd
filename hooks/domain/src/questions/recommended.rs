//! Which option a question recommends.

mod in_text;
mod mark;

pub use mark::strip_mark;

/// `label` without a mark of recommendation and without the letter or number that askers put in front of
/// options: `A) Grid`, `[2] Grid`, `B. Grid`.
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

/// `label` with each of its numbers as `#`, and without what [`option_text`] leaves out: `Fix 3 failing tests` as
/// `Fix # failing tests`.
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

/// True when `offered` is the option `seen`, in which a `#` stands for numbers that varied.
pub fn is_option(seen: &str, offered: &str) -> bool {
    same_label(seen, offered) || seen.contains('#') && same_label(seen, &numbers_folded(offered))
}

/// True when the two labels are the same but for marks, the letters in front of options, letter case and outer
/// white space.
pub fn same_label(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (option_text(one), option_text(other));
    // No letter is eight times as long in one case as in the other. A long text is not folded once
    // for every label.
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    one == other || (longer <= 8 * shorter && one.to_lowercase() == other.to_lowercase())
}

/// The index of the one option that `options` or `text` recommends; `None` without one, when there are
/// several, or when the two disagree.
///
/// A mark on a label comes first; else a `Recommendation: …` in the text that names exactly one
/// option.
pub fn recommended(text: &str, options: &[String]) -> Option<usize> {
    let mut marked = options
        .iter()
        .enumerate()
        .filter(|(_, label)| strip_mark(label).1);
    match (marked.next(), marked.next()) {
        (Some((index, _)), None) => (!in_text::is_against(text, options, index)).then_some(index),
        (Some(_), Some(_)) => None,
        (None, _) => in_text::named(text, options),
    }
}

/// How many of `options` bear a mark of recommendation.
pub fn marked(options: &[String]) -> usize {
    options.iter().filter(|label| strip_mark(label).1).count()
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
            // Accents are left out, and ornaments put in.
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
            // Without brackets, and in front.
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
            // A Cyrillic letter, and a character that takes no room.
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
    fn numbers_of_an_option_may_vary_where_they_did() {
        assert_eq!(
            numbers_folded("A) Fix 1,200 of 3 (Recommended)"),
            "Fix # of #"
        );
        assert!(is_option("Fix # tests", "Fix 12 tests"));
        assert!(!is_option("Fix 3 tests", "Fix 12 tests"));
        assert!(!is_option("Fix # tests", "Skip 12 tests"));
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
