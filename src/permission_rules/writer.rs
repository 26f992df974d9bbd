//! Writing accepted rules into the agents' settings, taking them out again, and the events about it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_domain::event::{ChangeReason, Event};
use plantune_domain::project::project_key;
use plantune_domain::sanitize::shell_word as quoted;
use serde_json::{Value, json};

use super::is_project;
use crate::claude_settings::editor::{List, OurRules};
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile, lock};
use crate::claude_settings::{SettingsScope, editor};
use crate::failure::Failure;
use crate::session::Session;
use crate::{agents, change_record, terminal};

/// A rule and its evidence.
pub(crate) struct Accepted {
    pub(crate) rule: String,
    pub(crate) evidence: Value,
}

/// Where rules are written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RuleTarget {
    agent: &'static str,
    scope: SettingsScope,
    /// The project's folder; `None` for the person's own settings.
    root: Option<PathBuf>,
}

impl RuleTarget {
    /// The settings of `agent` for the project in the folder `root`, or the person's own. Gemini CLI has only these, and
    /// everybody who works on a project shares OpenCode's.
    pub(crate) fn of(agent: &'static str, scope: SettingsScope, root: Option<PathBuf>) -> Self {
        let (scope, root) = match (agent, root) {
            (claude_code::NAME, root) => (scope, root),
            ("opencode", Some(root)) => (SettingsScope::Project, Some(root)),
            _ => (SettingsScope::User, None),
        };
        Self { agent, scope, root }
    }

    /// # Errors
    /// Refused for a folder that is not there or not the person's; conflict for a file that is not understood.
    fn open(&self, session: &Session) -> Result<SettingsFile, Failure> {
        if let Some(root) = &self.root
            && !is_project(&root.to_string_lossy())
        {
            let root = terminal::path(root);
            let fact = format!("{root}: the folder is gone, or it is not yours");
            return Err(Failure::refused(fact)
                .hint("--settings user writes the rule into your own settings instead"));
        }
        open(session, self.agent, self.scope, self.root.as_deref())
    }
}

/// The file for rules of `agent`: the person's own, or that of the project in the folder `root`.
///
/// # Errors
/// Failed if the agent is not there; the errors of [`SettingsFile::of_project`].
pub(super) fn open(
    session: &Session,
    agent: &str,
    scope: SettingsScope,
    root: Option<&Path>,
) -> Result<SettingsFile, Failure> {
    let file = match agent {
        claude_code::NAME => {
            return match root {
                Some(root) => SettingsFile::of_project(session, scope, root),
                None => SettingsFile::open(session, SettingsScope::User),
            };
        }
        "gemini" => "policies/plantune.toml",
        _ => "opencode.json",
    };
    if let Some(root) = root {
        return SettingsFile::of_agent_in(session, root.join(file), root);
    }
    let path = agents::named(agent)?.folder.join(file);
    SettingsFile::of_agent(session, std::path::absolute(path)?)
}

/// The agent whose file has such a list.
fn title(list: List) -> &'static str {
    match list {
        List::Commands(_) => "OpenCode",
        List::Policies => "Gemini CLI",
        _ => "Claude Code",
    }
}

/// Rules that are to be added to one file, as it was read.
pub(crate) struct Addition<'a> {
    place: &'a RuleTarget,
    accepted: &'a [Accepted],
    file: SettingsFile,
    /// The file's text with them.
    after: String,
    /// Those of `accepted` that it did not have.
    added: Vec<&'a Accepted>,
    /// The rules of plantune's in it then.
    ours: OurRules,
}

/// Computes the change of adding `accepted` to the settings of `place`; shows nothing yet.
///
/// # Errors
/// Conflict for a file that is not understood; refused for a folder that is not the person's.
pub(crate) fn plan<'a>(
    session: &Session,
    place: &'a RuleTarget,
    accepted: &'a [Accepted],
) -> Result<Addition<'a>, Failure> {
    let file = place.open(session)?;
    let conflict = |problem| file.conflict(&problem);
    let list = file.allowing();
    let there = editor::listed(file.text(), list).map_err(conflict)?;
    let rules: Vec<String> = accepted.iter().map(|one| one.rule.clone()).collect();
    let edited = editor::rule(file.text(), list, &rules, &[]).map_err(conflict)?;
    let after = match edited.changes.is_empty() {
        true => file.text().to_owned(),
        false => edited.text,
    };
    let mut ours = file.journal(session)?.rules().unwrap_or_default();
    // What the person had allowed before is theirs, and stays when ours go.
    let new = |rule: &String| !there.contains(rule);
    ours.allow.retain(|rule| there.contains(rule));
    ours.allow
        .extend(rules.iter().filter(|rule| new(rule)).cloned());
    Ok(Addition {
        place,
        accepted,
        added: accepted.iter().filter(|one| new(&one.rule)).collect(),
        ours,
        file,
        after,
    })
}

impl Addition<'_> {
    /// True if the file has all of them.
    pub(crate) fn is_empty(&self) -> bool {
        self.after == self.file.text()
    }

    /// The unified diff of the file, sanitized for a terminal.
    pub(crate) fn diff(&self, colour: bool) -> String {
        self.file.diff(Some(&self.after), colour)
    }

    /// Adds the rules, as the person has confirmed; with `yes` as `--yes` confirms, whatever the file has become
    /// meanwhile. `command` is the one to run again.
    ///
    /// # Errors
    /// Conflict when the file changed meanwhile; failed when it cannot be written.
    pub(crate) fn make(&self, session: &Session, command: &str, yes: bool) -> Result<(), Failure> {
        let _lock = lock(session)?;
        // The record of what is ours may have changed, too, while they looked.
        let now = plan(session, self.place, self.accepted)?;
        if !yes && (&now.file.before, &now.after) != (&self.file.before, &self.after) {
            return Err(self.file.changed_meanwhile(command));
        }
        if now.is_empty() {
            return terminal::print(&format!("{} has it already.\n", now.file.name()));
        }
        let change = SettingsChange {
            sentence: "",
            command,
            after: Some(&now.after),
            rules: Some(&now.ours),
        };
        now.file.replace(session, &change, true)?;
        now.log(session, yes)
    }

    /// The meaning of the rules, and the command that takes each back, in a sentence or several.
    pub(crate) fn sentence(&self) -> String {
        let whom = match (&self.place.root, self.place.scope) {
            (Some(_), SettingsScope::Project) => "anybody",
            _ => "you",
        };
        let place = self.place();
        let agent = title(self.file.allowing());
        let of = |one: &Accepted| {
            let rule = terminal::sanitized(&one.rule);
            let undo = terminal::sanitized(&quoted(&one.rule));
            format!(
                "From now on, {agent} runs {rule} {place} without asking {whom}.\nTo undo: `plantune undo {undo}`\n"
            )
        };
        self.accepted.iter().map(of).collect()
    }

    /// Their scope in words: `in any project`, or `in` the project's folder.
    pub(crate) fn place(&self) -> String {
        let root = self.place.root.as_deref();
        root.map_or_else(
            || "in any project".to_owned(),
            |root| format!("in {}", terminal::path(root)),
        )
    }

    /// Logs the added rules.
    fn log(&self, session: &Session, yes: bool) -> Result<(), Failure> {
        let changes = self.added.iter().map(|one| RuleChange {
            rule: &one.rule,
            root: self.place.root.as_deref(),
            file: &self.file.path,
            reason: ChangeReason::SuggestRule,
            evidence: Some(one.evidence.clone()),
        });
        log(session, &changes.collect::<Vec<_>>(), yes)?;
        if self.place.scope == SettingsScope::Local && self.file.before.is_none() {
            let name = self.file.name();
            terminal::print(&format!(
                "note: {name} is for you alone. Have git ignore it, if it does not yet.\n"
            ))?;
        }
        Ok(())
    }
}

/// The files that hold `rule` if plantune added it. Files that cannot be read are left out.
pub(crate) fn holding(session: &Session, rule: &str) -> Vec<SettingsFile> {
    let files = added(session).into_iter();
    files
        .filter(|(_, rules)| rules.iter().any(|one| one == rule))
        .map(|(file, _)| file)
        .collect()
}

/// The settings files that hold rules which plantune added, with these.
pub(crate) fn added(session: &Session) -> Vec<(SettingsFile, Vec<String>)> {
    let files = SettingsFile::with_allowed(session).into_iter().flatten();
    files
        .filter_map(|file| {
            let rules = file.journal(session).ok()?.rules()?.allow;
            Some((file, rules))
        })
        .collect()
}

/// Takes `rule`, which plantune added, out of `file`, after asking; false when the person
/// said no, or it is gone already.
///
/// # Errors
/// Conflict for a file that is not understood or changes meanwhile; refused if the person cannot be asked.
pub(crate) fn remove(
    session: &Session,
    file: &SettingsFile,
    rule: &str,
    yes: bool,
    command: &str,
) -> Result<bool, Failure> {
    let unwanted = [rule.to_owned()];
    let edited = editor::rule(file.text(), file.allowing(), &[], &unwanted)
        .map_err(|problem| file.conflict(&problem))?;
    if edited.changes.is_empty() {
        terminal::print(&format!("{} no longer has it.\n", file.name()))?;
        return Ok(false);
    }
    let mut ours = file.journal(session)?.rules().unwrap_or_default();
    let alone = OurRules {
        allow: unwanted.to_vec(),
        allowing: Some(file.allowing()),
        ..OurRules::default()
    };
    let rest = Some(edited.text).filter(|text| !text.is_empty());
    let after = file.origin(&alone).unwrap_or(rest);
    ours.allow.retain(|one| one != rule);
    let sentence = format!(
        "From now on, {} asks again before {}. It comes out of {}.",
        title(file.allowing()),
        terminal::sanitized(rule),
        file.name()
    );
    let change = SettingsChange {
        sentence: &sentence,
        command,
        after: after.as_deref(),
        rules: Some(&ours),
    };
    let arguments = ChangeArguments {
        scope: file.scope,
        dry_run: false,
        yes,
        ..ChangeArguments::default()
    };
    if !file.change(session, &arguments, &change, || Ok(()))? {
        return Ok(false);
    }
    let folder = file.path.parent();
    let root = match (file.allowing(), file.scope) {
        (List::Commands(_), _) => folder.filter(|folder| {
            let own = agents::named("opencode");
            own.is_ok_and(|own| own.folder.as_path() != *folder)
        }),
        (List::Policies, _) | (_, SettingsScope::User) => None,
        // <root>/.claude/settings.json
        (_, SettingsScope::Project | SettingsScope::Local) => folder.and_then(Path::parent),
    };
    let change = RuleChange {
        rule,
        root,
        file: &file.path,
        reason: ChangeReason::UndoRule,
        evidence: None,
    };
    log(session, &[change], yes)?;
    Ok(true)
}

// Changes of permission rules as events.

/// The value of `preference` in an event about a permission rule.
const PREFERENCE: &str = "permission-rule";

/// One rule that was written or taken out.
pub(crate) struct RuleChange<'a> {
    /// The rule.
    pub(crate) rule: &'a str,
    /// The project's folder; `None` for the person's own settings.
    pub(crate) root: Option<&'a Path>,
    /// The settings file.
    pub(crate) file: &'a Path,
    /// Why.
    pub(crate) reason: ChangeReason,
    /// Its evidence.
    pub(crate) evidence: Option<Value>,
}

/// Logs `changes`; `yes` when `--yes` stood in for the person's answer. They are about no question, so that
/// nothing that reads the answers to one comes across them.
///
/// # Errors
/// The errors of the file system; the settings are changed by then.
pub(crate) fn log<'a>(
    session: &Session,
    changes: &[RuleChange<'a>],
    yes: bool,
) -> Result<(), Failure> {
    let files: Vec<_> = changes
        .iter()
        .map(|one| one.file.to_string_lossy())
        .collect();
    let event = |(change, file): (&RuleChange<'a>, &Cow<'_, str>)| {
        let mut evidence = change.evidence.clone().unwrap_or_else(|| json!({}));
        if let Some(evidence) = evidence.as_object_mut() {
            evidence.insert("file".to_owned(), file.as_ref().into());
        }
        Event {
            project: change.root.map(project_key).unwrap_or_default().into(),
            preference: Some(PREFERENCE.into()),
            preference_scope: Some(change.root.map_or("global", |_| "project").into()),
            answer: Some(vec![change.rule.into()]),
            detail: Some(change_record::detail(Some(&evidence), yes)),
            ..change_record::event(session, change.reason, &[file, change.rule])
        }
    };
    let events: Vec<Event<'_>> = changes.iter().zip(&files).map(event).collect();
    let kept = "the settings were changed; only the record of it is missing";
    change_record::log(session, &events, kept)
}
