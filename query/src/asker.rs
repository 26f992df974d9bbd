//! Who asks, as it is written in the log: `/gsd:discuss-phase`, `superpowers:brainstorming`, `general-purpose`.

/// What is the same for a skill and for the command of its name that was typed: `ship` of `/ship`.
pub(crate) fn bare(asker: &str) -> &str {
    asker.strip_prefix('/').unwrap_or(asker)
}
