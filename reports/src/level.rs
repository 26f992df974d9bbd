//! What a preference does and how it stands, in words.

use plantune_domain::preferences::{AssistMode, Level, Preference};

/// What `preference` does: `never-ask`, `never-ask, on trial`, `assist (first)`, …
pub fn policy_in_words(preference: &Preference) -> String {
    let policy = preference.preference;
    match preference.level() {
        _ if policy.assists() => {
            let mode = preference.assist.unwrap_or(AssistMode::Note);
            format!("{policy} ({mode})")
        }
        Level::Trial if policy.answers() => format!("{policy}, on trial"),
        Level::Trial | Level::Standing => policy.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::preferences::Policy;

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
        assert_eq!(words(Policy::NeverAsk, None, None), "never-ask");
        let trial = Some(Level::Trial);
        assert_eq!(words(Policy::NeverAsk, trial, None), "never-ask, on trial");
        assert_eq!(words(Policy::AlwaysAsk, trial, None), "always-ask");
        assert_eq!(words(Policy::Assist, None, None), "assist (note)");
        let first = Some(AssistMode::First);
        assert_eq!(words(Policy::Assist, None, first), "assist (first)");
    }
}
