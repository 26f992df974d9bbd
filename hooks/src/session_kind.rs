//! Whether a human can answer, told from the environment.

use std::ffi::OsString;

/// `spawned`, `headless` or `interactive`: the first rule that matches the variables `lookup`
/// gives, where a variable that is set but empty does not count.
///
/// A wrong `headless` stops a real human; a wrong `interactive` only prints prose nobody reads.
pub fn session_kind(lookup: impl Fn(&str) -> Option<OsString>) -> &'static str {
    let set = |name: &&str| lookup(name).is_some_and(|value| !value.is_empty());
    let terminal = || lookup("CLAUDE_CODE_ENTRYPOINT").is_some_and(|value| value == "cli");
    if set(&"OPENCLAW_SESSION") {
        "spawned"
    } else if ["PLANTUNE_HEADLESS", "GSTACK_HEADLESS"].iter().any(set) {
        "headless"
    } else if ["CONDUCTOR_WORKSPACE_PATH", "CONDUCTOR_PORT"]
        .iter()
        .any(set)
        || terminal()
    {
        "interactive"
    } else if ["CI", "GITHUB_ACTIONS"].iter().any(set) {
        "headless"
    } else {
        "interactive"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(variables: &[(&str, &str)]) -> &'static str {
        session_kind(|name| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.into())
        })
    }

    #[test]
    fn first_match_wins() {
        assert_eq!(kind(&[]), "interactive");
        assert_eq!(kind(&[("CI", "true")]), "headless");
        assert_eq!(kind(&[("CI", "")]), "interactive");
        assert_eq!(
            kind(&[("CI", "true"), ("CLAUDE_CODE_ENTRYPOINT", "cli")]),
            "interactive"
        );
        assert_eq!(
            kind(&[("CI", "true"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]),
            "headless"
        );
        assert_eq!(kind(&[("CI", "1"), ("CONDUCTOR_PORT", "1")]), "interactive");
        assert_eq!(
            kind(&[("GSTACK_HEADLESS", "1"), ("CONDUCTOR_PORT", "1")]),
            "headless"
        );
        assert_eq!(
            kind(&[("OPENCLAW_SESSION", "x"), ("PLANTUNE_HEADLESS", "1")]),
            "spawned"
        );
    }
}
