//! The words of closed sets as the store has them: what this version does not know is `unknown`.

/// `word` if it is among `known`.
fn known(word: &str, words: &[&'static str]) -> &'static str {
    words
        .iter()
        .find(|known| **known == word)
        .copied()
        .unwrap_or("unknown")
}

pub(crate) fn session_kind(word: &str) -> &'static str {
    known(word, &["interactive", "headless", "spawned"])
}

/// Events of early versions have no key source, and were found by their fingerprint.
pub(crate) fn key_source(word: Option<&str>) -> &'static str {
    word.map_or("fingerprint", |word| {
        known(word, &["marker", "registry", "family", "fingerprint"])
    })
}

pub(crate) fn door(word: Option<&str>) -> &'static str {
    word.map_or("two-way", |word| known(word, &["two-way", "one-way"]))
}

pub(crate) fn ask_reason(word: &str) -> &'static str {
    known(
        word,
        &[
            "no_preference",
            "always_ask",
            "one_way",
            "ambiguous",
            "partial_call",
            "split",
            "spot_check",
            "disabled",
        ],
    )
}
