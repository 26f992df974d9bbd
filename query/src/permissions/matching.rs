//! What a rule of the host allows, of one thing that is asked for.
//!
//! How the host reads its rules is known to [`plantune_domain::permissions`]; here every command of a line is
//! held against them by itself.

use plantune_domain::permissions::{OwnReaches, Rule, covers_command};
use serde_json::{Value, json};

use super::evidence::{Judged, Prompt, Unit, judged};
use super::parts::What;

/// True where the host would not ask about `prompt` if it had `rules`; `own` are the reaches that the person gave.
/// What it cannot read (substitutions, loops, here-documents) it asks about whatever the rules say.
pub fn allows(rules: &[&Rule], prompt: &Prompt, own: &OwnReaches) -> bool {
    let prompts = std::slice::from_ref(prompt);
    judged(prompts, own)
        .iter()
        .all(|one| allows_judged(rules, one))
}

pub(crate) fn allows_judged(rules: &[&Rule], judged: &Judged<'_>) -> bool {
    let is_allowed = |unit| rules.iter().any(|rule| takes(rule, unit));
    !judged.units.is_empty() && judged.units.iter().all(is_allowed)
}

/// True where `rule` allows `unit`.
pub(crate) fn takes(rule: &Rule, unit: &Unit<'_>) -> bool {
    let matches = |tool: &str, input: &Value| rule.matches(tool, input, &unit.prompt.root);
    match &unit.what {
        What::Command(command) => {
            let content = rule.content.as_deref();
            rule.tool == "Bash" && content.is_none_or(|content| covers_command(content, command))
        }
        // Looked at first, because there may be thousands of files.
        What::Edit(_) if !matches!(rule.tool.as_str(), "Edit" | "Write") => false,
        What::Edit(path) => matches("Edit", &json!({ "file_path": path })),
        What::Fetch(host) => {
            rule.tool == "WebFetch"
                && matches("WebFetch", &json!({ "url": format!("https://{host}/") }))
        }
        What::Tool => rule.content.is_none() && matches(&unit.prompt.tool_name, &Value::Null),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(rules: &[&str], tool: &str, input: &str) -> bool {
        let rules: Vec<Rule> = rules
            .iter()
            .map(|text| Rule::parse(text).unwrap())
            .collect();
        let prompt = Prompt {
            tool_name: tool.to_owned(),
            input: input.to_owned(),
            cwd: "/p/src".to_owned(),
            root: "/p".to_owned(),
            ..Prompt::default()
        };
        let rules: Vec<&Rule> = rules.iter().collect();
        allows(&rules, &prompt, &OwnReaches::default())
    }

    #[test]
    fn every_command_of_a_line_must_be_allowed() {
        let both = ["Bash(npm test)", "Bash(npm run lint *)"];
        assert!(allowed(&both, "Bash", "npm test && npm run lint --fix"));
        assert!(!allowed(&both, "Bash", "npm test && npm run lints"));
        assert!(!allowed(&both, "Bash", "npm test $(npm test)"));
        assert!(!allowed(&["Bash(*)"], "Bash", "npm test > out.txt"));
        assert!(allowed(&["Bash"], "Bash", "rm -rf /tmp/x"));
    }

    #[test]
    fn paths_are_of_the_project_and_not_of_the_folder_one_works_in() {
        assert!(allowed(&["Edit(/src/**)"], "Edit", "/p/src/a/b.rs"));
        assert!(allowed(&["Edit(/src/**)"], "Write", "/p/src/a.rs"));
        assert!(!allowed(&["Edit(/src/**)"], "Edit", "/p/lib/a.rs"));
        assert!(!allowed(&["Edit(/src/**)"], "Edit", "/q/src/a.rs"));
        assert!(!allowed(&["Read(/src/**)"], "Edit", "/p/src/a.rs"));
    }

    #[test]
    fn hosts_and_tools() {
        assert!(allowed(
            &["WebFetch(domain:docs.rs)"],
            "WebFetch",
            "https://docs.rs/a"
        ));
        assert!(!allowed(
            &["WebFetch(domain:docs.rs)"],
            "WebFetch",
            "https://docs.rs.example/a"
        ));
        assert!(allowed(&["mcp__tracker"], "mcp__tracker__create_issue", ""));
        assert!(!allowed(&["mcp__track"], "mcp__tracker__create_issue", ""));
    }
}
