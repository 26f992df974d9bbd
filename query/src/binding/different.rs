//! The texts that show best how far a binding reaches: those that differ most.

use std::collections::BTreeSet;

use plantune_domain::family::words;

/// Up to `count` of `texts`, the last of them first, then each time the one that has least in common with those
/// that were taken.
pub(crate) fn most_different(texts: &[&str], count: usize) -> Vec<String> {
    let mut known = BTreeSet::new();
    let distinct = texts.iter().rev().filter(|text| known.insert(**text));
    let mut left: Vec<(&str, BTreeSet<String>)> = distinct
        .map(|text| (*text, words(text).into_iter().collect()))
        .collect();
    let mut taken: Vec<(&str, BTreeSet<String>)> = Vec::new();
    while taken.len() < count {
        let nearest = |(_, one): &(&str, BTreeSet<String>)| {
            let near = taken.iter().map(|(_, other)| alike(one, other));
            near.fold(0.0, f64::max)
        };
        let near: Vec<f64> = left.iter().map(nearest).collect();
        let all = near.iter().enumerate();
        let Some((next, _)) = all.min_by(|one, other| one.1.total_cmp(other.1)) else {
            break;
        };
        taken.push(left.remove(next));
    }
    taken.into_iter().map(|(text, _)| text.to_owned()).collect()
}

/// The share (0–1) of the words of both that both have: Jaccard, "The distribution of the flora in the alpine zone",
/// New Phytologist 11 (1912).
#[allow(clippy::cast_precision_loss, reason = "texts have a few hundred words")]
fn alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let both = one.intersection(other).count() as f64;
    both / (one.len() as f64 + other.len() as f64 - both).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_and_those_that_have_least_in_common() {
        let texts = [
            "Format the draft of billing?",
            "Rename the widget in search?",
            "Format the draft of login?",
            "Format the draft of billing?",
            "Format the draft of search?",
        ];
        assert_eq!(
            most_different(&texts, 3),
            [
                "Format the draft of search?",
                "Rename the widget in search?",
                "Format the draft of billing?"
            ]
        );
        assert_eq!(most_different(&texts[..1], 3), [texts[0]]);
        assert_eq!(most_different(&[], 3), [""; 0]);
    }
}
