//! Whether a human can answer, by the environment.

use std::ffi::OsString;

use crate::named::named_enum;
use SessionKind::{Headless, Interactive, Spawned};

named_enum! {
    /// Whether a human can answer in a session.
    pub enum SessionKind {
        /// A person sits there.
        Interactive = "interactive",
        /// Nobody does: CI, or a script.
        Headless = "headless",
        /// Another program runs the session.
        Spawned = "spawned",
    }
}

/// The rules, in their order: a variable, the value it must have (any but the empty one when
/// `None`), and the kind.
const RULES: [(&str, Option<&str>, SessionKind); 8] = [
    ("OPENCLAW_SESSION", None, Spawned),
    ("PLANTUNE_HEADLESS", None, Headless),
    ("GSTACK_HEADLESS", None, Headless),
    ("CONDUCTOR_WORKSPACE_PATH", None, Interactive),
    ("CONDUCTOR_PORT", None, Interactive),
    ("CLAUDE_CODE_ENTRYPOINT", Some("cli"), Interactive),
    ("CI", None, Headless),
    ("GITHUB_ACTIONS", None, Headless),
];

/// The kind by the first rule that matches the variables that `lookup` gives, where a variable that
/// is set but empty does not count; interactive without one.
///
/// A wrong `headless` stops a real human; a wrong `interactive` only prints prose nobody reads.
pub fn session_kind(lookup: impl Fn(&str) -> Option<OsString>) -> SessionKind {
    with_variable(lookup).0
}

/// [`session_kind`], and the variable that decided it; `None` where none did.
pub fn with_variable(
    lookup: impl Fn(&str) -> Option<OsString>,
) -> (SessionKind, Option<&'static str>) {
    let matches = |name: &str, wanted: Option<&str>| {
        lookup(name).is_some_and(|value| match wanted {
            Some(wanted) => value == wanted,
            None => !value.is_empty(),
        })
    };
    RULES
        .iter()
        .find(|(name, wanted, _)| matches(name, *wanted))
        .map_or((Interactive, None), |(name, _, kind)| (*kind, Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(variables: &[(&str, &str)]) -> SessionKind {
        session_kind(|name| {
            variables
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.into())
        })
    }

    #[test]
    fn first_match_wins() {
        assert_eq!(kind(&[]), Interactive);
        assert_eq!(kind(&[("CI", "true")]), Headless);
        assert_eq!(kind(&[("CI", "")]), Interactive);
        assert_eq!(
            kind(&[("CI", "true"), ("CLAUDE_CODE_ENTRYPOINT", "cli")]),
            Interactive
        );
        assert_eq!(
            kind(&[("CI", "true"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]),
            Headless
        );
        assert_eq!(kind(&[("CI", "1"), ("CONDUCTOR_PORT", "1")]), Interactive);
        assert_eq!(
            kind(&[("GSTACK_HEADLESS", "1"), ("CONDUCTOR_PORT", "1")]),
            Headless
        );
        assert_eq!(
            kind(&[("OPENCLAW_SESSION", "x"), ("PLANTUNE_HEADLESS", "1")]),
            Spawned
        );
    }
}
