//! Which option a question recommends.

mod in_text;

/// Words that mark a recommended option when they stand alone in brackets at a label's end.
/// Lower case; compared without regard to case.
const MARKS: [&str; 27] = [
    "recommended",
    "推奨",
    "おすすめ",
    "オススメ",
    "推荐",
    "推薦",
    "建议",
    "建議",
    "권장",
    "추천",
    "empfohlen",
    "recommandé",
    "recommandée",
    "conseillé",
    "recomendado",
    "recomendada",
    "recomanat",
    "recomanada",
    "consigliato",
    "consigliata",
    "raccomandato",
    "aanbevolen",
    "рекомендуется",
    "рекомендовано",
    "zalecane",
    "önerilen",
    "rekommenderas",
];

const BRACKETS: [(char, char); 4] = [('(', ')'), ('（', '）'), ('[', ']'), ('【', '】')];

/// `label` without its mark of recommendation, and whether it had one. White space around the
/// label goes as well.
pub fn strip_mark(label: &str) -> (&str, bool) {
    let label = label.trim();
    for (open, close) in BRACKETS {
        let Some((head, mark)) = label
            .strip_suffix(close)
            .and_then(|inside| inside.rsplit_once(open))
        else {
            continue;
        };
        let mark = mark.trim().to_lowercase();
        if !head.trim().is_empty() && MARKS.contains(&mark.as_str()) {
            return (head.trim_end(), true);
        }
    }
    (label, false)
}

/// True when the two labels are the same but for marks, letter case and outer white space.
pub fn same_label(one: &str, other: &str) -> bool {
    let (one, other) = (strip_mark(one).0, strip_mark(other).0);
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
        ] {
            assert_eq!(strip_mark(label), (label, false), "{label}");
        }
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
