//! What a rule is worth in the permission mode that the person mostly works in.

use plantune_domain::permissions::Rule;
use serde::Serialize;

/// What a rule is worth in a mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// The mode that the person mostly works in, as the host calls it; `None` where it is not known.
    pub mode: Option<String>,
    /// False where the rule would spare next to nothing there.
    pub helps: bool,
    /// Why, in words; empty where there is nothing to say.
    pub note: &'static str,
}

/// What `rule` is worth in `mode`.
pub(crate) fn worth(mode: Option<&str>, rule: &Rule) -> Worth {
    let (helps, note) = match mode {
        Some("auto") => (
            false,
            "You mostly work in auto mode, where a classifier decides and few prompts are left, so the rule \
             spares little there; and what it allows goes past the classifier.",
        ),
        Some("bypassPermissions") => (
            false,
            "You mostly work without permission prompts, so the rule spares nothing there.",
        ),
        Some("acceptEdits") if rule.tool == "Edit" => (
            false,
            "You mostly work in accept-edits mode, where edits run unasked anyway.",
        ),
        Some("dontAsk") => (
            true,
            "You mostly work in don't-ask mode, where what no rule allows is refused: the rule lets it run.",
        ),
        _ => (true, ""),
    };
    Worth {
        mode: mode.map(str::to_owned),
        helps,
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_ask_little_make_rules_worth_little() {
        let of = |mode, rule| worth(Some(mode), &Rule::parse(rule).unwrap()).helps;
        assert!(of("default", "Bash(npm test)") && of("plan", "Bash(npm test)"));
        assert!(!of("auto", "Bash(npm test)") && !of("bypassPermissions", "Bash(npm test)"));
        assert!(of("acceptEdits", "Bash(npm test)") && !of("acceptEdits", "Edit(/src/**)"));
        let unknown = worth(None, &Rule::parse("Bash(npm test)").unwrap());
        assert!(unknown.helps && unknown.note.is_empty());
    }
}
