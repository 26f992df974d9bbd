//! Permission rules in the texts of agents' settings: adding ours and taking exactly those out again, and which ones
//! `plantune install --guard` adds.

use std::path::Path;

use crate::document::{Edit, EditChange, Edited, RuleEffect, SettingsDocument, to_fixpoint};
use crate::file::{Host, SettingsScope};
use crate::journal::OurRules;
use crate::json::{Item, Json, quoted};
use crate::{Problem, SettingsError};

/// Where in a text rules stand, and what those rules do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleList {
    /// In the list of their effect, below `permissions`.
    Permissions(RuleEffect),
    /// In the object of OpenCode that gives each command its effect.
    Commands(RuleEffect),
    /// In plantune's own file of Gemini CLI's rules, which allows.
    Policies,
}

impl RuleList {
    /// Where the calls that run unasked stand in the file at `path`.
    pub fn allowing(path: &Path) -> Self {
        match path.file_name().and_then(|name| name.to_str()) {
            Some("opencode.json") => Self::Commands(RuleEffect::Allow),
            Some("plantune.toml") => Self::Policies,
            _ => Self::Permissions(RuleEffect::Allow),
        }
    }

    /// Every list of the file at `path`.
    pub(crate) fn all(path: &Path) -> Vec<Self> {
        match Self::allowing(path) {
            Self::Permissions(_) => RuleEffect::ALL.map(Self::Permissions).to_vec(),
            Self::Commands(_) => RuleEffect::ALL.map(Self::Commands).to_vec(),
            Self::Policies => vec![Self::Policies],
        }
    }

    /// The keys below which its rules stand in JSON.
    fn place(self) -> [&'static str; 2] {
        match self {
            Self::Commands(_) => ["permission", "bash"],
            _ => ["permissions", self.effect().word()],
        }
    }

    /// What its rules do.
    pub(crate) fn effect(self) -> RuleEffect {
        match self {
            Self::Permissions(effect) | Self::Commands(effect) => effect,
            Self::Policies => RuleEffect::Allow,
        }
    }
}

/// Makes `list` of the settings `text` hold every rule of `wanted` and none of `unwanted`; what becomes
/// empty with a rule that goes, goes too.
///
/// # Errors
/// When the text cannot be edited safely.
pub fn edit_rules(
    text: &str,
    list: RuleList,
    wanted: &[String],
    unwanted: &[String],
) -> Result<Edited, Problem> {
    if list == RuleList::Policies {
        return edit_policies(text, wanted, unwanted);
    }
    to_fixpoint(text, |text| {
        let document = SettingsDocument::read(text)?;
        if !wanted.is_empty() {
            check_lists(&document, list)?;
        }
        let there = rules(&document, list)?;
        let is_among = |rule: &Option<String>, rules: &[String]| {
            rule.as_ref().is_some_and(|rule| rules.contains(rule))
        };
        if let Some(stale) = there.iter().position(|rule| is_among(rule, unwanted)) {
            let change = EditChange::Rule("remove", list.effect());
            let edit = document.remove(&list.place(), Some(stale))?;
            return Ok(edit.map(|edit| (edit, change)));
        }
        let is_absent = |rule: &&String| !there.iter().flatten().any(|known| known == *rule);
        let Some(rule) = wanted.iter().find(is_absent) else {
            return Ok(None);
        };
        let edit = match list {
            RuleList::Commands(effect) => add_command(&document, rule, effect)?,
            _ => document.push(&list.place(), &quoted(rule))?,
        };
        let change = EditChange::Rule("add", list.effect());
        Ok(Some((edit, change)))
    })
}

/// The rules in `list` of the settings `text`.
///
/// # Errors
/// When the text is not JSON that Claude Code reads.
pub fn listed(text: &str, list: RuleList) -> Result<Vec<String>, Problem> {
    if list == RuleList::Policies {
        return Ok(policies(text));
    }
    let document = SettingsDocument::read(text)?;
    check_lists(&document, list)?;
    let rules = rules(&document, list)?;
    Ok(rules.into_iter().flatten().collect())
}

/// The rules in `list`, an item each; `None` for an item that is not a rule of it.
fn rules(document: &SettingsDocument<'_>, list: RuleList) -> Result<Vec<Option<String>>, Problem> {
    let items = document.get(&list.place())?.map(Json::items);
    let rule = |item: Item<'_>| match list {
        RuleList::Commands(effect) => {
            let is_listed = item.value.string().as_deref() == Some(effect.word());
            item.key.filter(|_| is_listed)
        }
        _ => item.value.string().filter(|_| item.key.is_none()),
    };
    Ok(items.unwrap_or_default().into_iter().map(rule).collect())
}

/// Makes sure that a rule can be added to `list`, as far as its form is known here.
///
/// # Errors
/// The first thing that is in the way.
fn check_lists(document: &SettingsDocument<'_>, list: RuleList) -> Result<(), Problem> {
    let RuleList::Permissions(effect) = list else {
        return Ok(());
    };
    let permissions = document.get(&["permissions"])?;
    if let Some(other) = permissions.filter(|permissions| !permissions.is_object()) {
        return Err(other
            .problem("`permissions` is not an object")
            .remedy("it is an object of lists: {\"allow\": […], \"deny\": […]}"));
    }
    if let Some(other) = document.get(&list.place())?.filter(|list| !list.is_array()) {
        return Err(other
            .problem(format!("`permissions.{}` is not an array", effect.word()))
            .remedy("it is an array of rules: [\"Edit(~/.ssh/**)\", …]"));
    }
    Ok(())
}

/// The edit that gives `command` that `effect`, in OpenCode's object of commands.
fn add_command(
    document: &SettingsDocument<'_>,
    command: &str,
    effect: RuleEffect,
) -> Result<Edit, Problem> {
    let [outer, key] = RuleList::Commands(effect).place();
    let value = quoted(effect.word());
    // A rule that refuses may be added to any word, as it takes no question away from the person. One that allows may
    // only be added to `ask`.
    let is_denied = effect == RuleEffect::Deny;
    match document.get(&[outer, key])? {
        Some(commands) if commands.is_object() => document.insert(&[outer, key, command], &value),
        // One word stands for every command. In an object the last rule that fits a command counts.
        Some(word) if word.string().is_some_and(|word| word == "ask" || is_denied) => {
            let all = quoted(&word.string().unwrap_or_default());
            let both = format!("{{\"*\":{all},{}:{value}}}", quoted(command));
            Ok(document.style.replace(word, &both, &[]))
        }
        None if is_denied => document.insert(&[outer, key, command], &value),
        _ => Err(document
            .problem("`permission.bash` is neither \"ask\" nor an object of commands")
            .remedy(
                "your rules are elsewhere, and a rule here could override them: add the command to \
                 the object that says so, by hand, after `\"*\": \"ask\"`",
            )),
    }
}

// Gemini CLI's rules, in a file of plantune's own beside those of the person.

/// The comment before each rule, with the command that it is for.
const MARK: &str = "# plantune allows: ";

/// Characters with a meaning in a regular expression.
const IN_PATTERNS: &str = "\\^$.|?*+()[]{}";

/// The commands that `text` allows.
fn policies(text: &str) -> Vec<String> {
    let marked = text.lines().filter_map(|line| line.strip_prefix(MARK));
    marked.map(str::to_owned).collect()
}

/// `text` with a rule for each command of `wanted` and for none of `unwanted`.
///
/// # Errors
/// If plantune did not write the text.
fn edit_policies(text: &str, wanted: &[String], unwanted: &[String]) -> Result<Edited, Problem> {
    let mut commands = policies(text);
    let written = |commands: &[String]| commands.iter().map(|one| policy(one)).collect::<String>();
    if written(&commands) != text {
        let problem = Problem::at(text, 0, "this has changed since plantune wrote it");
        return Err(problem.remedy("move the file away, then run this again"));
    }
    let mut changes = Vec::new();
    commands.retain(|one| {
        let stays = !unwanted.contains(one);
        changes.extend((!stays).then_some(EditChange::Rule("remove", RuleEffect::Allow)));
        stays
    });
    for one in wanted {
        if !commands.contains(one) {
            commands.push(one.clone());
            changes.push(EditChange::Rule("add", RuleEffect::Allow));
        }
    }
    Ok(Edited {
        text: written(&commands),
        changes,
    })
}

/// The rule for `command`, word for word and in the session's own folder, below all rules of the person. A pattern is
/// looked for in the call's arguments as JSON, where quotes within a text are escaped.
fn policy(command: &str) -> String {
    let argument = format!("\"command\":{}", serde_json::Value::from(command));
    let mut pattern = String::new();
    for c in argument.chars() {
        pattern.extend(IN_PATTERNS.contains(c).then_some('\\'));
        pattern.push(c);
    }
    // A string of JSON is one of TOML.
    let pattern = serde_json::Value::from(pattern + "(?!.*\"dir_path\":\")");
    format!(
        "{MARK}{command}\n[[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = {pattern}\ndecision = \"allow\"\n\
         priority = 0\nmodes = [\"default\", \"autoEdit\", \"yolo\"]\n\n"
    )
}

// The permission rules of `plantune install --guard`: what an agent may not do in its user's name.
//
// Inside a session plantune refuses to change preferences by itself; the rules hold where an agent writes
// the files with other tools, or takes away the variables that show it.

/// `text` with all of `wanted` refused in `list`, and without those of `ours` that a former version wanted. What the
/// person refused before is theirs, and stays when the guard goes: it does not become one of `ours`.
///
/// # Errors
/// When the text cannot be edited safely.
pub fn add_guard(
    text: &str,
    list: RuleList,
    wanted: Vec<String>,
    ours: &mut OurRules,
) -> Result<Edited, Problem> {
    let there = listed(text, list)?;
    let (kept, stale): (Vec<_>, Vec<_>) = std::mem::take(&mut ours.deny)
        .into_iter()
        .partition(|rule| wanted.contains(rule));
    let edited = edit_rules(text, list, &wanted, &stale)?;
    ours.deny = kept;
    for rule in wanted {
        if !there.contains(&rule) && !ours.deny.contains(&rule) {
            ours.deny.push(rule);
        }
    }
    Ok(edited)
}

/// Verbs of plantune's that change what is answered or what that rests on, or undo the guard itself. A `*` stands
/// for anything, spaces included: a path or `env -u CLAUDECODE` before the program, a version behind it
/// (`npx plantune@latest`), flags wherever they are taken.
const VERBS: [&str; 6] = [
    "* prefs* set *",
    "* prefs* clear *",
    "* suggest* --apply*",
    "* fleet* adopt *",
    "-fleet* adopt *",
    "* import *",
];

/// Verbs that are ordinary words and appear in many commands: right after the program, or after flags.
const WORDS: [&str; 4] = ["undo*", "away*", "install* --*", "uninstall*"];

/// The text between the program and such a word.
const BEFORE_WORDS: [&str; 3] = [" ", " -* ", "@* "];

/// The hook itself: its standard input passes for the person's actions.
const HOOK_PROGRAMS: [&str; 2] = ["*plantune-hook", "*plantune-hook *"];

/// The commands that are denied, as rules of the shell tool name them.
pub(crate) fn guarded_commands() -> impl Iterator<Item = String> {
    let verbs = VERBS.iter().map(|verb| format!("*plantune{verb}"));
    let words = WORDS.iter().flat_map(|word| {
        let rule = move |before: &&str| format!("*plantune{before}{word}");
        BEFORE_WORDS.iter().map(rule)
    });
    verbs.chain(words).chain(HOOK_PROGRAMS.map(str::to_owned))
}

/// Characters with a meaning in a rule: a folder with one of them in its name cannot be guarded.
const IN_RULES: [char; 8] = ['*', '?', '[', ']', '(', ')', '!', '\\'];

/// The rules for the settings of `scope`, in the order in which they are added.
///
/// Settings that a team shares get the folders that everybody has, named from the home.
///
/// # Errors
/// When a folder's name cannot stand in a rule.
pub fn guard_rules(host: &Host<'_>, scope: SettingsScope) -> Result<Vec<String>, SettingsError> {
    let folders = match scope {
        SettingsScope::Project => vec![
            "~/.config/plantune".to_owned(),
            "~/.local/share/plantune".to_owned(),
        ],
        SettingsScope::User | SettingsScope::Local => {
            let mut folders = vec![folder_in_rule(host, host.paths.config())?];
            let data = folder_in_rule(host, host.paths.data())?;
            if !folders.contains(&data) {
                folders.push(data);
            }
            folders
        }
    };
    let edits = folders.iter().map(|folder| format!("Edit({folder}/**)"));
    let commands = guarded_commands().map(|command| format!("Bash({command})"));
    Ok(edits.chain(commands).collect())
}

/// `folder` as a rule names it: from the home on, else from the root on with two slashes.
fn folder_in_rule(host: &Host<'_>, folder: &Path) -> Result<String, SettingsError> {
    let folder = std::path::absolute(folder)?;
    let home = (host.variable)("HOME");
    let home = home.as_deref().map(Path::new);
    let below = home
        .filter(|home| home.is_absolute())
        .and_then(|home| folder.strip_prefix(home).ok());
    let text = match below {
        Some(below) => format!("~/{}", below.display()),
        None => format!("/{}", folder.display()),
    };
    if text.contains(IN_RULES) || text.chars().any(char::is_control) {
        return Err(SettingsError::Unnamable(text));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pattern_holds_stands_for_itself() {
        let text = policy("npm run a.b -- \"[x]+\"");
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
        let edited = edit_policies(&text, &["npm test".to_owned()], &[]).unwrap();
        assert_eq!(policies(&edited.text).len(), 2);
        let edited = edit_policies(&edited.text, &[], &["npm test".to_owned()]).unwrap();
        assert_eq!(edited.text, text);
        assert!(edit_policies("[[rule]]\n", &[], &[]).is_err());
    }
}
