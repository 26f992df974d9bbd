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

/// True where nobody is asked in `mode` about what `rule` allows.
pub(crate) fn asks_nothing(mode: Option<&str>, rule: &Rule) -> bool {
    match mode {
        Some("bypassPermissions" | "dontAsk") => true,
        Some("acceptEdits") => rule.tool == "Edit",
        _ => false,
    }
}

/// What a rule is worth in `mode`, which asks.
pub(crate) fn worth(mode: Option<&str>) -> Worth {
    let note = match mode {
        Some("auto") => {
            "You mostly work in auto mode, where a classifier decides and few prompts are left, so the rule \
             spares little there; and what it allows goes past the classifier."
        }
        _ => "",
    };
    Worth {
        mode: mode.map(str::to_owned),
        helps: note.is_empty(),
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_ask_nothing_and_little() {
        let asks = |mode, rule| !asks_nothing(Some(mode), &Rule::parse(rule).unwrap());
        assert!(asks("default", "Bash(npm test)") && asks("plan", "Bash(npm test)"));
        assert!(!asks("dontAsk", "Bash(npm test)") && !asks("bypassPermissions", "Bash(npm test)"));
        assert!(asks("acceptEdits", "Bash(npm test)") && !asks("acceptEdits", "Edit(/src/**)"));
        assert!(worth(Some("default")).helps && !worth(Some("auto")).helps);
        let unknown = worth(None);
        assert!(unknown.helps && unknown.note.is_empty());
    }
}
