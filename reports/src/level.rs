//! What a preference does and how it stands, in words.

use plantune_domain::preferences::Preference;

/// What `preference` does, in a word or two: `always asked`, `hint`, `trial` or `automatic`.
pub fn policy_in_words(preference: &Preference) -> &'static str {
    let level = preference.level().as_str();
    word(preference.preference.as_str(), Some(level))
}

/// The same by the names of a preference and its level in JSON; another name stays as it is.
pub fn word<'a>(preference: &'a str, level: Option<&str>) -> &'a str {
    match (preference, level) {
        ("always-ask", _) => "always asked",
        ("assist", _) => "hint",
        ("never-ask" | "ask-only-for-one-way", Some("trial")) => "trial",
        ("never-ask" | "ask-only-for-one-way", _) => "automatic",
        (other, _) => other,
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::preferences::{AssistMode, Level, Policy};

    use super::*;

    #[test]
    fn levels_and_modes_are_named() {
        let words = |policy, level, assist| {
            policy_in_words(&Preference {
                level,
                assist,
                ..Preference::of(policy)
            })
        };
        assert_eq!(words(Policy::NeverAsk, None, None), "automatic");
        let trial = Some(Level::Trial);
        assert_eq!(words(Policy::NeverAsk, trial, None), "trial");
        assert_eq!(words(Policy::AlwaysAsk, trial, None), "always asked");
        let first = Some(AssistMode::First);
        assert_eq!(words(Policy::Assist, None, first), "hint");
    }
}
