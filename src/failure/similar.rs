//! "Did you mean …?", for what a person may mistype.

use plantune_reports::text::one_line;

use crate::failure::Failure;

/// How alike two words must be, from 0 to 1 (Jaro-Winkler).
const ALIKE: f64 = 0.8;

/// How much of a word is shown, in characters.
const SHOWN: usize = 100;

/// The one of `known` that is most like `word`, if one is like it at all.
pub(crate) fn similar<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    let rated = known
        .into_iter()
        .map(|one| (strsim::jaro_winkler(&word, &one.to_lowercase()), one));
    let alike = rated.filter(|(likeness, _)| *likeness >= ALIKE);
    alike
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, one)| one)
}

impl Failure {
    /// The same failure with a hint at the one of `known` that is like `word`, if there is one.
    pub(crate) fn did_you_mean<'k>(
        self,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) -> Self {
        match similar(word, known) {
            Some(found) => self.hint(format!("did you mean {}?", one_line(found, SHOWN))),
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognized_and_another_word_is_not() {
        let known = ["test-scope", "next-area", "Full suite"];
        assert_eq!(similar("test-scpoe", known), Some("test-scope"));
        assert_eq!(similar("full suit", known), Some("Full suite"));
        assert_eq!(similar("deploy", known), None);
        assert_eq!(similar("", known), None);
    }
}
