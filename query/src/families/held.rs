//! How much of a habit must be asked.

/// The askings of a habit that must be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// How many of the answers looked at.
    pub askings: usize,
    /// How many were looked at.
    pub of: usize,
    /// Why the latest of them must be asked.
    pub reason: String,
}

impl std::fmt::Display for Held {
    /// `9 of 24 are always asked ("user data"); the other 15 could be answered`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { askings, of, .. } = self;
        let words = door_words(&self.reason);
        if askings == of {
            return match self.reason.starts_with("words: ") {
                true => write!(f, "all {of} are always asked: {words}"),
                false => write!(
                    f,
                    "all {of} are always asked: {words} may be hard to take back"
                ),
            };
        }
        let rest = of - askings;
        write!(
            f,
            "{askings} of {of} are always asked ({words}); the other {rest} could be answered"
        )
    }
}

/// What a door's `reason` was found in, for a person: `"clear … cache"` for `pair: clear × cache`.
pub fn door_words(reason: &str) -> String {
    let Some((kind, found)) = reason.split_once(": ") else {
        return reason.to_owned();
    };
    let words = match kind {
        "sign" => return found.to_owned(),
        "registry" => return format!("your rule {found}"),
        // A question in another language, which no list reads.
        "words" => return format!("it is {found}"),
        _ => found.replace(" × ", " … ").replace("...", "…"),
    };
    format!("\"{words}\"")
}

#[cfg(test)]
mod tests {
    use super::door_words;

    #[test]
    fn reasons_as_a_person_reads_them() {
        for (reason, shown) in [
            ("pair: clear × cache", "\"clear … cache\""),
            ("phrase: cancel ... order", "\"cancel … order\""),
            ("words: not in English", "it is not in English"),
            ("sign: money", "money"),
            ("registry: billing", "your rule billing"),
            ("declines a safeguard", "declines a safeguard"),
        ] {
            assert_eq!(door_words(reason), shown);
        }
    }
}
