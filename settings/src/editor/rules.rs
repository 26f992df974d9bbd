//! The permission rules of the lists below `permissions`, of OpenCode's object below `permission`, and of Gemini CLI's
//! file: adding ours, and taking exactly those out again.

use super::document::{Item, Json, quoted};
use super::view::View;
use super::{EditChange, Edited, List, Step};
use crate::Problem;

/// The place of the rules of `list`.
fn keys(list: List) -> [&'static str; 2] {
    match list {
        List::Commands(_) => ["permission", "bash"],
        _ => ["permissions", list.key()],
    }
}

/// The next step so that every rule of `wanted` is in `list` and none of `unwanted`.
///
/// # Errors
/// When `permissions` or the list is not what Claude Code reads.
pub(super) fn step(
    view: &View<'_>,
    list: List,
    wanted: &[String],
    unwanted: &[String],
) -> Result<Option<Step>, Problem> {
    let there = rules(view, list)?;
    let is_stale =
        |rule: &Option<String>| rule.as_ref().is_some_and(|rule| unwanted.contains(rule));
    if let Some(stale) = there.iter().position(is_stale) {
        let change = EditChange::RuleRemoved(list);
        let edit = view.remove(&keys(list), Some(stale))?;
        return Ok(edit.map(|edit| Step { edit, change }));
    }
    let is_absent = |rule: &&String| !there.iter().flatten().any(|known| known == *rule);
    let Some(rule) = wanted.iter().find(is_absent) else {
        return Ok(None);
    };
    let edit = match list {
        List::Commands(value) => {
            let [outer, key] = keys(list);
            // What is refused ends nobody's asking.
            let is_denied = value == List::Deny.key();
            match view.get(&[outer, key])? {
                Some(commands) if commands.is_object() => {
                    view.insert(&[outer, key, rule], &quoted(value))?
                }
                // One word is for every command; of what fits a command the last counts.
                Some(word) if word.string().is_some_and(|word| word == "ask" || is_denied) => {
                    let all = quoted(&word.string().unwrap_or_default());
                    let both = format!("{{\"*\":{all},{}:{}}}", quoted(rule), quoted(value));
                    view.style.replace(word, &both, &[])
                }
                None if is_denied => view.insert(&[outer, key, rule], &quoted(value))?,
                _ => {
                    let fact = "`permission.bash` is neither \"ask\" nor an object of commands";
                    return Err(Problem::at(view.text, 0, fact).remedy(
                        "your rules are elsewhere, and a rule here could override them: add the command to \
                         the object that says so, by hand, after `\"*\": \"ask\"`",
                    ));
                }
            }
        }
        _ => view.push(&keys(list), &quoted(rule))?,
    };
    Ok(Some(Step {
        edit,
        change: EditChange::RuleAdded(list),
    }))
}

/// The rules in `list` of `view`, an item each; `None` for an item that is not a rule.
///
/// # Errors
/// When `permissions` or the list is not what Claude Code reads.
pub(super) fn rules(view: &View<'_>, list: List) -> Result<Vec<Option<String>>, Problem> {
    let [outer, key] = keys(list);
    let (permissions, rules) = (view.get(&[outer])?, view.get(&[outer, key])?);
    if let List::Commands(value) = list {
        let is_listed = |item: &Item<'_>| item.value.string().as_deref() == Some(value);
        let rules = rules.map(Json::items).unwrap_or_default().into_iter();
        return Ok(rules
            .map(|item| item.key.clone().filter(|_| is_listed(&item)))
            .collect());
    }
    if let Some(other) = permissions.filter(|permissions| !permissions.is_object()) {
        return Err(other
            .problem("`permissions` is not an object")
            .remedy("it is an object of lists: {\"allow\": […], \"deny\": […]}"));
    }
    if let Some(other) = rules.filter(|rules| !rules.is_array()) {
        return Err(other
            .problem(format!("`permissions.{key}` is not an array"))
            .remedy("it is an array of rules: [\"Edit(~/.ssh/**)\", …]"));
    }
    let rules = rules.map(Json::items).unwrap_or_default().into_iter();
    Ok(rules.map(|item| item.value.string()).collect())
}

// Gemini CLI's rules, in a file of plantune's own beside those of the person.

/// The comment before each rule, with the command that it is for.
const MARK: &str = "# plantune allows: ";

/// Characters with a meaning in a regular expression.
const SPECIAL: &str = "\\^$.|?*+()[]{}";

/// The commands that `text` allows.
pub(super) fn listed(text: &str) -> Vec<String> {
    let marked = text.lines().filter_map(|line| line.strip_prefix(MARK));
    marked.map(str::to_owned).collect()
}

/// `text` with a rule for each command of `wanted` and for none of `unwanted`.
///
/// # Errors
/// If plantune did not write the text.
pub(super) fn edit(text: &str, wanted: &[String], unwanted: &[String]) -> Result<Edited, Problem> {
    let mut commands = listed(text);
    let written = |commands: &[String]| commands.iter().map(|one| rule(one)).collect::<String>();
    if written(&commands) != text {
        let problem = Problem::at(text, 0, "this has changed since plantune wrote it");
        return Err(problem.remedy("move the file away, then run this again"));
    }
    let mut changes = Vec::new();
    commands.retain(|one| {
        let stays = !unwanted.contains(one);
        changes.extend((!stays).then_some(EditChange::RuleRemoved(List::Policies)));
        stays
    });
    for one in wanted {
        if !commands.contains(one) {
            commands.push(one.clone());
            changes.push(EditChange::RuleAdded(List::Policies));
        }
    }
    Ok(Edited {
        text: written(&commands),
        changes,
    })
}

/// The rule for `command`, word for word and in the session's own folder, below all rules of the person. A pattern is
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
