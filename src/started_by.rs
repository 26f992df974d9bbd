//! By what the person started plantune, and so what they can type to start it again.

/// What a launcher sets: `npx`, `pnpm`, `yarn` or `bun` where it fetched plantune for one run; anything else,
/// such as `npm`, where `plantune` is in `PATH` (docs/upgrades.md).
pub(crate) const VARIABLE: &str = "PLANTUNE_STARTED_BY";

/// The command line of `words`, a verb with its options, as the person can type it.
pub(crate) fn command(words: &str) -> String {
    format!(
        "{} {words}",
        program(std::env::var(VARIABLE).ok().as_deref())
    )
}

/// What stands before the verb. The variable's own text is never shown.
fn program(started_by: Option<&str>) -> &'static str {
    match started_by {
        Some("npx") => "npx plantune",
        Some("pnpm") => "pnpm dlx plantune",
        Some("yarn") => "yarn dlx plantune",
        Some("bun") => "bunx plantune",
        _ => "plantune",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_once_is_named() {
        assert_eq!(program(Some("npx")), "npx plantune");
        for other in [None, Some("npm"), Some(""), Some("NPX"), Some("\u{1b}[31m")] {
            assert_eq!(program(other), "plantune", "{other:?}");
        }
    }
}
