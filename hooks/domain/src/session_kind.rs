//! Whether a human can answer, told from the environment.

use std::ffi::OsString;

/// The rules, in their order: a variable, the value it must have (any but the empty one when
/// `None`), and what it says.
const RULES: [(&str, Option<&str>, &str); 8] = [
    ("OPENCLAW_SESSION", None, "spawned"),
    ("PLANTUNE_HEADLESS", None, "headless"),
    ("GSTACK_HEADLESS", None, "headless"),
    ("CONDUCTOR_WORKSPACE_PATH", None, "interactive"),
    ("CONDUCTOR_PORT", None, "interactive"),
    ("CLAUDE_CODE_ENTRYPOINT", Some("cli"), "interactive"),
    ("CI", None, "headless"),
    ("GITHUB_ACTIONS", None, "headless"),
];

/// `spawned`, `headless` or `interactive`: the first rule that matches the variables `lookup`
/// gives, where a variable that is set but empty does not count.
///
/// A wrong `headless` stops a real human; a wrong `interactive` only prints prose nobody reads.
pub fn session_kind(lookup: impl Fn(&str) -> Option<OsString>) -> &'static str {
    told_by(lookup).0
}

/// [`session_kind`], and the variable that said so; `None` where none did and a human is assumed.
pub fn told_by(lookup: impl Fn(&str) -> Option<OsString>) -> (&'static str, Option<&'static str>) {
    let matches = |name: &str, wanted: Option<&str>| {
        lookup(name).is_some_and(|value| match wanted {
            Some(wanted) => value == wanted,
            None => !value.is_empty(),
        })
    };
    RULES
        .iter()
        .find(|(name, wanted, _)| matches(name, *wanted))
        .map_or(("interactive", None), |(name, _, kind)| (kind, Some(name)))
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
