//! The agents beside Claude Code as they are found on this machine: registering the hook in their settings, taking it
//! out, and the guard in their rules.

use std::path::PathBuf;

use plantune_agents::installed::{Guard, Lookup};
use plantune_agents::{Installed, OTHERS};

use crate::editor::{EditChange, Edited, Inspection, List, Matcher, OurRules, RegisteredHook};
use crate::file::{Host, SettingsFile, SettingsScope};
use crate::{Problem, SettingsError, editor, guard};

/// An agent that is there.
pub struct FoundAgent {
    /// What is known of it.
    pub agent: &'static dyn Installed,
    /// Where it keeps its configuration.
    pub folder: PathBuf,
}

/// The words for all agents.
pub fn names() -> impl Iterator<Item = &'static str> {
    plantune_agents::AGENTS.iter().map(|agent| agent.name())
}

/// The agent of that name, which must be there.
///
/// # Errors
/// When its folder is not there.
pub fn named(name: &str, variable: Lookup<'_>) -> Result<FoundAgent, SettingsError> {
    let agent = OTHERS.iter().find(|agent| agent.name() == name);
    let title = agent.map_or(name, |agent| agent.title());
    found(variable)
        .find(|found| found.agent.name() == name)
        .ok_or_else(|| SettingsError::NoAgent(title.to_owned()))
}

/// The agents whose folder is there.
pub fn found(variable: Lookup<'_>) -> impl Iterator<Item = FoundAgent> {
    let folder = move |agent: &'static dyn Installed| {
        let folder = agent.facts().folder.find(variable)?;
        folder.is_dir().then_some(FoundAgent { agent, folder })
    };
    OTHERS.iter().copied().filter_map(folder)
}

/// Where `agent` keeps its history; `None` when no variable gives it.
pub fn history_root(agent: &dyn Installed, variable: Lookup<'_>) -> Option<PathBuf> {
    let facts = agent.facts();
    let place = facts.history.place.as_ref().unwrap_or(&facts.folder);
    place.find(variable)
}

impl FoundAgent {
    /// Its file of hooks.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn settings(&self, host: &Host<'_>) -> Result<SettingsFile, SettingsError> {
        let path = self.folder.join(self.agent.facts().registration.file);
        SettingsFile::of_agent(host, std::path::absolute(path)?)
    }

    /// The file of its rules; `None` for an agent that has none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn rules(&self, host: &Host<'_>) -> Result<Option<SettingsFile>, SettingsError> {
        let file = match self.agent.facts().guard {
            Guard::List(file) | Guard::Commands(file) | Guard::Own(file, _) => file,
            Guard::Nowhere => return Ok(None),
        };
        let path = std::path::absolute(self.folder.join(file))?;
        SettingsFile::of_agent(host, path).map(Some)
    }

    /// The hooks that it calls; none if its file cannot be read.
    pub fn programs(&self, host: &Host<'_>) -> Vec<String> {
        let file = self.settings(host).ok();
        let inspected = file.and_then(|file| inspect(self.agent, file.text()).ok());
        let entries = inspected
            .map(|found| found.registrations)
            .unwrap_or_default();
        entries.into_iter().map(|entry| entry.program).collect()
    }

    /// Removes the subfolder that was made for `file`, if it is empty now.
    pub fn remove_folder_of(&self, file: &SettingsFile) {
        let folder = file.path.parent();
        if let Some(folder) = folder.filter(|one| *one != self.folder && !file.path.exists()) {
            // One that holds anything else stays.
            let _ = std::fs::remove_dir(folder);
        }
    }

    /// The text of `file` before the hook was registered, when it has not changed since: a backup, or (`Some(None)`) no
    /// file at all.
    pub fn origin(&self, file: &SettingsFile) -> Option<Option<String>> {
        let found = inspect(self.agent, file.text()).ok()?;
        let program = &found.registrations.first()?.program;
        file.origin_where(|text| {
            let is_without_ours =
                inspect(self.agent, text).is_ok_and(|found| found.registrations.is_empty());
            let installed = install(self.agent, text, program);
            is_without_ours && installed.is_ok_and(|edited| edited.text == file.text())
        })
    }
}

// The guard of `plantune install --guard` in the rules of the agents beside Claude Code: what an agent may not do in its
// user's name. What their rules cannot name, plantune refuses by itself inside a session.

/// How a file of plantune's own begins.
const MARK: &str = "# plantune's: ";

/// The list of OpenCode's commands that are refused.
const REFUSED: List = List::Commands("deny");

impl FoundAgent {
    /// The text of `file`, that of its rules, with the guard in it, and the rules of plantune's that it then has.
    ///
    /// # Errors
    /// When the file cannot be edited safely, or is somebody else's; when a folder cannot be named in a rule.
    pub fn guarded(
        &self,
        host: &Host<'_>,
        file: &SettingsFile,
    ) -> Result<(String, OurRules), SettingsError> {
        let mut ours = file.ours()?;
        let after = match self.agent.facts().guard {
            Guard::List(_) => {
                let wanted = guard::rules(host, SettingsScope::User)?;
                denied(file, List::Deny, wanted, &mut ours)?
            }
            Guard::Commands(_) => denied(file, REFUSED, guard::commands().collect(), &mut ours)?,
            Guard::Own(_, text) if file.text().is_empty() || file.text().starts_with(MARK) => {
                text(&guard::commands().collect::<Vec<_>>())
            }
            Guard::Own(..) => return Err(SettingsError::NotOurs(file.path.clone())),
            Guard::Nowhere => String::new(),
        };
        Ok((after, ours))
    }

    /// The text of `file`, that of its rules, without the guard (`Some(None)`: no file); `None` when it has none. A file
    /// that is as it was left becomes what it was, byte for byte.
    ///
    /// # Errors
    /// When the file cannot be edited safely.
    pub fn unguarded(&self, file: &SettingsFile) -> Result<Option<Option<String>>, SettingsError> {
        let list = match self.agent.facts().guard {
            Guard::List(_) => List::Deny,
            Guard::Commands(_) => REFUSED,
            Guard::Own(..) | Guard::Nowhere => {
                return Ok(file.text().starts_with(MARK).then_some(None));
            }
        };
        let deny = file.ours()?.deny;
        if deny.is_empty() {
            return Ok(None);
        }
        let edited = editor::rule(file.text(), list, &[], &deny);
        let edited = edited.map_err(|problem| file.conflict(problem))?;
        let is_origin = |text: &str| {
            let guarded = editor::rule(text, list, &deny, &[]);
            guarded.is_ok_and(|guarded| guarded.text == file.text())
        };
        let rest = Some(edited.text).filter(|text| !text.is_empty());
        Ok(Some(file.origin_where(is_origin).unwrap_or(rest)))
    }
}

/// The text of `file` with all of `wanted` in `list`; those that it did not have become `ours`.
fn denied(
    file: &SettingsFile,
    list: List,
    wanted: Vec<String>,
    ours: &mut OurRules,
) -> Result<String, SettingsError> {
    let conflict = |problem| file.conflict(problem);
    let there = editor::listed(file.text(), list).map_err(conflict)?;
    // What a former version added, and this one does not want.
    let stale: Vec<String> = ours
        .deny
        .iter()
        .filter(|rule| !wanted.contains(rule))
        .cloned()
        .collect();
    let edited = editor::rule(file.text(), list, &wanted, &stale).map_err(conflict)?;
    ours.deny.retain(|rule| wanted.contains(rule));
    let new = wanted.into_iter().filter(|rule| !there.contains(rule));
    ours.deny.extend(new);
    Ok(edited.text)
}

// The hook in an agent's file: entries among others in a file of hooks, or a plugin, which is a file of its own.

/// The placeholder for the hook's path in a plugin.
const PROGRAM: &str = "\"plantune-hook\"";

/// Registers the hook at `program` in the `text` of the file of `agent`.
///
/// # Errors
/// When the text cannot be edited safely, or is somebody else's.
pub fn install(agent: &dyn Installed, text: &str, program: &str) -> Result<Edited, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return editor::install(&agent.facts().registration, text, program);
    };
    let name = agent.facts().registration.file;
    let wanted = with_program(plugin, program);
    let changes = match text {
        _ if text == wanted => Vec::new(),
        "" => vec![EditChange::of("add", name)],
        _ if is_ours(plugin, text) => vec![EditChange::of("update", name)],
        _ => {
            let problem = Problem::at(text, 0, "this is not plantune's plugin");
            return Err(problem.remedy("move the file away, then run this again"));
        }
    };
    Ok(Edited {
        text: wanted,
        changes,
    })
}

/// Takes the hook out of the `text` of the file of `agent`; of a plugin of ours nothing is left.
///
/// # Errors
/// When the text cannot be edited safely.
pub fn uninstall(agent: &dyn Installed, text: &str) -> Result<Edited, Problem> {
    match agent.facts().plugin {
        None => editor::uninstall(text),
        Some(plugin) if is_ours(plugin, text) => Ok(Edited {
            text: String::new(),
            changes: vec![EditChange::of("remove", agent.facts().registration.file)],
        }),
        Some(_) => Ok(Edited::unchanged(text)),
    }
}

/// The registrations in the `text` of the file of `agent`.
///
/// # Errors
/// When the text is not understood.
pub fn inspect(agent: &dyn Installed, text: &str) -> Result<Inspection, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return editor::inspect_for(&agent.facts().registration, text);
    };
    let mut found = Inspection::default();
    if is_ours(plugin, text) {
        let program = program(plugin, text).unwrap_or_default();
        found.registrations.push(RegisteredHook {
            event: agent.facts().registration.file.to_owned(),
            form_ok: with_program(plugin, &program) == text,
            program,
            matcher: Matcher::All,
            place_ok: true,
        });
    }
    Ok(found)
}

fn with_program(plugin: &str, program: &str) -> String {
    plugin.replacen(PROGRAM, &serde_json::Value::from(program).to_string(), 1)
}

/// True for what begins as our plugin does, of whatever release.
fn is_ours(plugin: &str, text: &str) -> bool {
    plugin.lines().next() == text.lines().next()
}

/// The program in the plugin `text`.
fn program(plugin: &str, text: &str) -> Option<String> {
    let (before, _) = plugin.split_once(PROGRAM)?;
    let start = before.lines().last()?;
    let mut lines = text.lines();
    let word = lines.find_map(|line| line.strip_prefix(start))?;
    serde_json::from_str(word).ok()
}
