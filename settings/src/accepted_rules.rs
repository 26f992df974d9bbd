//! The permission rules that the person accepted from `suggest`, in the file of the agent that they are for.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_agents::claude_code;
use plantune_domain::permissions::Rule;

use crate::document::RuleEffect;
use crate::file::{Host, SettingsFile, SettingsScope, is_project};
use crate::journal::OurRules;
use crate::ours::origin;
use crate::rules::{RuleList, edit_rules, listed};
use crate::{SettingsError, agents};

/// Where rules are written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleTarget {
    agent: &'static str,
    /// Whose settings.
    pub scope: SettingsScope,
    /// The project's folder; `None` for the person's own settings.
    pub root: Option<PathBuf>,
}

impl RuleTarget {
    /// The settings of `agent` for the project in the folder `root`, or the person's own. Gemini CLI has only these, and
    /// everybody who works on a project shares OpenCode's.
    pub fn of(agent: &'static str, scope: SettingsScope, root: Option<PathBuf>) -> Self {
        let (scope, root) = match (agent, root) {
            (claude_code::NAME, root) => (scope, root),
            ("opencode", Some(root)) => (SettingsScope::Project, Some(root)),
            _ => (SettingsScope::User, None),
        };
        Self { agent, scope, root }
    }

    fn open(&self, host: &Host<'_>) -> Result<SettingsFile, SettingsError> {
        match &self.root {
            Some(root) if !is_project(root) => Err(SettingsError::NoProject(root.clone())),
            root => open(host, self.agent, self.scope, root.as_deref()),
        }
    }

    /// Computes the change of adding `rules`; changes nothing yet.
    ///
    /// # Errors
    /// For a file that is not understood, and for a folder that is not there or not the person's.
    pub fn add(&self, host: &Host<'_>, rules: &[String]) -> Result<RuleAddition, SettingsError> {
        let file = self.open(host)?;
        let list = RuleList::allowing(&file.path);
        let there = file.apply(|text| listed(text, list))?;
        let after = file.apply(|text| edit_rules(text, list, rules, &[]))?.text;
        let mut ours = file.ours()?;
        // What the person had allowed before is theirs, and stays when ours go.
        let added: Vec<String> = rules
            .iter()
            .filter(|rule| !there.contains(rule))
            .cloned()
            .collect();
        ours.allow.retain(|rule| there.contains(rule));
        ours.allow.extend(added.iter().cloned());
        Ok(RuleAddition {
            file,
            after,
            added,
            ours,
        })
    }
}

/// Rules that are to be added to one file, as it was read.
pub struct RuleAddition {
    /// The file.
    pub file: SettingsFile,
    /// Its text with them.
    pub after: String,
    /// Those that it did not have.
    pub added: Vec<String>,
    /// The rules of plantune's in it then.
    pub ours: OurRules,
}

/// The file for rules of `agent`: the person's own, or that of the project in the folder `root`.
///
/// # Errors
/// If the agent is not there; the errors of [`SettingsFile::of_project`].
pub fn open(
    host: &Host<'_>,
    agent: &str,
    scope: SettingsScope,
    root: Option<&Path>,
) -> Result<SettingsFile, SettingsError> {
    let file = match agent {
        claude_code::NAME => {
            return match root {
                Some(root) => SettingsFile::of_project(host, scope, root),
                None => SettingsFile::open(host, SettingsScope::User),
            };
        }
        "gemini" => "policies/plantune.toml",
        _ => "opencode.json",
    };
    if let Some(root) = root {
        return SettingsFile::inside(host, SettingsScope::Project, root.join(file), root);
    }
    let path = agents::named(agent, host.variable)?.folder.join(file);
    SettingsFile::of_agent(host, std::path::absolute(path)?)
}

/// The files that hold `rule` if plantune added it. Files that cannot be read are left out.
pub fn holding(host: &Host<'_>, rule: &str) -> Vec<SettingsFile> {
    let holds = |ours: &OurRules| ours.allow.iter().any(|one| one == rule);
    let files = SettingsFile::on_record(host, holds).into_iter();
    files.flatten().collect()
}

/// The settings files that hold rules which plantune added, with these.
pub fn added(host: &Host<'_>) -> Vec<(SettingsFile, Vec<String>)> {
    let files = SettingsFile::on_record(host, |ours| !ours.allow.is_empty()).into_iter();
    let with_rules = |file: SettingsFile| {
        let rules = file.ours().ok()?.allow;
        Some((file, rules))
    };
    files.flatten().filter_map(with_rules).collect()
}

/// A rule that was taken out of a text.
pub struct RuleRemoval {
    /// The new text; `None` removes the file.
    pub after: Option<String>,
    /// The rules of plantune's that stay.
    pub ours: OurRules,
}

/// `file` without `rule`, which plantune added; `None` when it is gone already. A file that is as it was left becomes
/// what it was, byte for byte.
///
/// # Errors
/// For a file that is not understood.
pub fn without(file: &SettingsFile, rule: &str) -> Result<Option<RuleRemoval>, SettingsError> {
    let unwanted = [rule.to_owned()];
    let list = RuleList::allowing(&file.path);
    let edited = file.apply(|text| edit_rules(text, list, &[], &unwanted))?;
    if edited.changes.is_empty() {
        return Ok(None);
    }
    let mut ours = file.ours()?;
    let alone = OurRules {
        allow: unwanted.to_vec(),
        ..OurRules::default()
    };
    let rest = Some(edited.text).filter(|text| !text.is_empty());
    let after = origin(file, &alone).unwrap_or(rest);
    ours.allow.retain(|one| one != rule);
    Ok(Some(RuleRemoval { after, ours }))
}

// Rules of the person's that could go.

/// `file` without the rules `unwanted`; of those that are also in `kept`, one stays. Returns its new text, and what is on
/// record then.
///
/// # Errors
/// For a file that is not understood.
pub fn tidied(
    file: &SettingsFile,
    unwanted: &[String],
    kept: &[String],
) -> Result<(String, OurRules), SettingsError> {
    let list = RuleList::allowing(&file.path);
    let without = file.apply(|text| edit_rules(text, list, &[], unwanted))?;
    let after = file.apply(|_| edit_rules(&without.text, list, kept, &[]))?;
    let mut ours = file.ours()?;
    let goes = |rule: &&String| !kept.contains(rule);
    let gone: Vec<&String> = unwanted.iter().filter(goes).collect();
    ours.allow.retain(|rule| !gone.contains(&rule));
    ours.tidied.retain(|rule| !gone.contains(&rule));
    ours.tidied.extend(gone.into_iter().cloned());
    Ok((after.text, ours))
}

/// The files that `rule` was tidied out of. Files that cannot be read are left out.
pub fn tidied_out_of(host: &Host<'_>, rule: &str) -> Vec<SettingsFile> {
    let held = |ours: &OurRules| ours.tidied.iter().any(|one| one == rule);
    let files = SettingsFile::on_record(host, held).into_iter();
    files.flatten().collect()
}

/// `file` with `rule` again, which was tidied out of it. Returns its new text, and what is on record then.
///
/// # Errors
/// For a file that is not understood.
pub fn with_again(file: &SettingsFile, rule: &str) -> Result<(String, OurRules), SettingsError> {
    let list = RuleList::allowing(&file.path);
    let wanted = [rule.to_owned()];
    let after = file.apply(|text| edit_rules(text, list, &wanted, &[]))?;
    let mut ours = file.ours()?;
    ours.tidied.retain(|one| one != rule);
    Ok((after.text, ours))
}

/// The project's folder whose file of rules this is; `None` for the person's own.
pub fn root_of<'f>(host: &Host<'_>, file: &'f SettingsFile) -> Option<&'f Path> {
    let folder = file.path.parent();
    match (RuleList::allowing(&file.path), file.scope) {
        (RuleList::Commands(_), _) => folder.filter(|folder| {
            let own = agents::named("opencode", host.variable);
            own.is_ok_and(|own| own.folder.as_path() != *folder)
        }),
        (RuleList::Policies, _) | (_, SettingsScope::User) => None,
        // <root>/.claude/settings.json
        (_, SettingsScope::Project | SettingsScope::Local) => folder.and_then(Path::parent),
    }
}

/// A rule that stands in a file.
pub struct ListedRule {
    /// What it is for.
    pub rule: Rule,
    /// True if it allows; false if it asks or refuses.
    pub allows: bool,
    /// Since when, if plantune added it.
    pub since: Option<DateTime<Utc>>,
}

/// The rules in `file`.
///
/// # Errors
/// For a file that is not understood.
pub fn rules_of(file: &SettingsFile) -> Result<Vec<ListedRule>, SettingsError> {
    // A record that is not understood is reported by whoever changes the file.
    let journal = file.journal().ok();
    let mut known = Vec::new();
    for list in RuleList::all(&file.path) {
        let rules = file.apply(|text| listed(text, list))?;
        known.extend(rules.iter().filter_map(|text| {
            Some(ListedRule {
                rule: as_rule(list, text)?,
                allows: list.effect() == RuleEffect::Allow,
                since: journal.as_ref().and_then(|journal| journal.since(text)),
            })
        }));
    }
    Ok(known)
}

/// The rule `text` of `list`; `None` if it is not a rule. OpenCode's default of asking is not one.
fn as_rule(list: RuleList, text: &str) -> Option<Rule> {
    match list {
        RuleList::Commands(RuleEffect::Ask) if text == "*" => None,
        RuleList::Commands(_) | RuleList::Policies => Some(Rule {
            tool: "Bash".to_owned(),
            // One character of any kind is taken for several.
            content: Some(text.replace('?', "*")),
        }),
        RuleList::Permissions(_) => Rule::parse(text),
    }
}
