//! The texts that show best how far a binding reaches: those that differ most.

use std::collections::BTreeSet;

use plantune_domain::family::words;

/// Up to `count` of `texts`, the last of them first, then each time the one that has least in common with those
/// that were taken.
pub(crate) fn most_different(texts: &[&str], count: usize) -> Vec<String> {
    let mut distinct: Vec<&str> = texts.iter().rev().copied().collect();
    let mut known = BTreeSet::new();
    distinct.retain(|text| known.insert(*text));
    let words: Vec<BTreeSet<String>> = distinct
        .iter()
        .map(|text| words(text).into_iter().collect())
        .collect();
    let mut taken: Vec<usize> = Vec::new();
    let nearest = |at: usize, taken: &[usize]| {
        let near = taken
            .iter()
            .map(|other| alike(words.get(at), words.get(*other)));
        near.fold(0.0, f64::max)
    };
    while taken.len() < count.min(distinct.len()) {
        let left = (0..distinct.len()).filter(|at| !taken.contains(at));
        let next =
            left.min_by(|one, other| nearest(*one, &taken).total_cmp(&nearest(*other, &taken)));
        taken.extend(next);
    }
    let taken = taken.iter().filter_map(|at| distinct.get(*at));
    taken.map(|text| (*text).to_owned()).collect()
}

/// The share (0–1) of the words of both that both have: Jaccard, "The distribution of the flora in the alpine zone",
/// New Phytologist 11 (1912).
#[allow(clippy::cast_precision_loss, reason = "texts have a few hundred words")]
fn alike(one: Option<&BTreeSet<String>>, other: Option<&BTreeSet<String>>) -> f64 {
    let (Some(one), Some(other)) = (one, other) else {
        return 0.0;
    };
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
