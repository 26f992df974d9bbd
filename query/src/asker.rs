//! Who asks, as it is written in the log: `/gsd:discuss-phase`, `superpowers:brainstorming`, `general-purpose`.

/// What is the same for a skill and for the command of its name that was typed: `ship` of `/ship`.
pub(crate) fn bare(asker: &str) -> &str {
    asker.strip_prefix('/').unwrap_or(asker)
}

/// The framework that `asker` belongs to, as `gsd:*`; `None` for one without a namespace.
pub(crate) fn framework(asker: &str) -> Option<String> {
    let (namespace, _) = bare(asker).split_once(':')?;
    (!namespace.is_empty()).then(|| format!("{namespace}:*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frameworks_are_namespaces_and_no_prefixes() {
        assert_eq!(framework("/gsd:discuss-phase").unwrap(), "gsd:*");
        assert_eq!(
            framework("superpowers:brainstorming").unwrap(),
            "superpowers:*"
        );
        for alone in ["/gsd-foo", "ship", "plan-eng-review", ":x", ""] {
            assert_eq!(framework(alone), None, "{alone}");
        }
    }
}
