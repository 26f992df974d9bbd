//! Gemini CLI's rules, in a file of plantune's own beside those of the person.

use super::edited::{Change, Edited, List, Problem};

/// What stands before each rule, with the command that it is for.
const MARK: &str = "# plantune allows: ";

/// What a regular expression takes for something else.
const SPECIAL: &str = "\\^$.|?*+()[]{}";

/// The commands that `text` allows.
pub(super) fn listed(text: &str) -> Vec<String> {
    let marked = text.lines().filter_map(|line| line.strip_prefix(MARK));
    marked.map(str::to_owned).collect()
}

/// `text` with a rule for each command of `wanted` and for none of `unwanted`.
///
/// # Errors
/// For a text that is not what plantune wrote.
pub(super) fn edit(text: &str, wanted: &[String], unwanted: &[String]) -> Result<Edited, Problem> {
    let mut commands = listed(text);
    let written = |commands: &[String]| commands.iter().map(|one| rule(one)).collect::<String>();
    if written(&commands) != text {
        let problem = Problem::at(text, 0, "this is not as plantune wrote it");
        return Err(problem.remedy("move the file away, then run this again"));
    }
    let mut changes = Vec::new();
    commands.retain(|one| {
        let stays = !unwanted.contains(one);
        changes.extend((!stays).then_some(Change::RuleRemoved(List::Policies)));
        stays
    });
    for one in wanted {
        if !commands.contains(one) {
            commands.push(one.clone());
            changes.push(Change::RuleAdded(List::Policies));
        }
    }
    Ok(Edited {
        text: written(&commands),
        changes,
    })
}

/// The rule for `command`, word for word and in the session's own folder, below all rules of the person's. A pattern is
/// looked for in the call's arguments as JSON, where quotes within a text are escaped.
fn rule(command: &str) -> String {
    let argument = format!("\"command\":{}", serde_json::Value::from(command));
    let mut pattern = String::new();
    for c in argument.chars() {
        pattern.extend(SPECIAL.contains(c).then_some('\\'));
        pattern.push(c);
    }
    // A string of JSON is one of TOML.
    let pattern = serde_json::Value::from(pattern + "(?!.*\"dir_path\":\")");
    format!(
        "{MARK}{command}\n[[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = {pattern}\ndecision = \"allow\"\n\
         priority = 0\nmodes = [\"default\", \"autoEdit\", \"yolo\"]\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pattern_holds_stands_for_itself() {
        let text = rule("npm run a.b -- \"[x]+\"");
        let read: toml::Table = toml::from_str(&text).unwrap();
        let pattern = read["rule"][0]["argsPattern"].as_str().unwrap();
        let alone = pattern.strip_suffix("(?!.*\"dir_path\":\")").unwrap();
        let regex = regex::Regex::new(alone).unwrap();
        let arguments = |command: &str| serde_json::json!({ "command": command }).to_string();
        assert!(regex.is_match(&arguments("npm run a.b -- \"[x]+\"")));
        for other in [
            "npm run aXb -- \"[x]+\"",
            "npm run a.b -- \"xx\"",
            "npm run a.b -- \"[x]+\" more",
            "x npm run a.b -- \"[x]+\"",
        ] {
            assert!(!regex.is_match(&arguments(other)), "{other}");
        }
        let edited = edit(&text, &["npm test".to_owned()], &[]).unwrap();
        assert_eq!(listed(&edited.text).len(), 2);
        let edited = edit(&edited.text, &[], &["npm test".to_owned()]).unwrap();
        assert_eq!(edited.text, text);
        assert!(edit("[[rule]]\n", &[], &[]).is_err());
    }
}
