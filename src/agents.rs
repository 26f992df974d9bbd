//! The agents beside Claude Code as they are found on this machine: registering the hook in their settings, taking it
//! out, and the guard in their rules.

use std::path::PathBuf;

use plantune_agents::installed::Guard;
use plantune_agents::{Installed, OTHERS};

use crate::claude_settings::editor::{
    EditChange, Edited, Inspection, List, Matcher, OurRules, Problem, Registration,
};
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile};
use crate::claude_settings::{SettingsScope, editor};
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::consent;
use crate::{claude_settings, terminal};

/// An agent that is there.
pub(crate) struct FoundAgent {
    pub(crate) agent: &'static dyn Installed,
    /// Where it keeps its configuration.
    pub(crate) folder: PathBuf,
}

/// The words for all agents.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    plantune_agents::AGENTS.iter().map(|agent| agent.name())
}

/// The agent of that name, which must be there.
///
/// # Errors
/// Failed when its folder is not there.
pub(crate) fn named(name: &str) -> Result<FoundAgent, Failure> {
    let agent = OTHERS.iter().find(|agent| agent.name() == name);
    let title = agent.map_or(name, |agent| agent.title());
    found()
        .find(|found| found.agent.name() == name)
        .ok_or_else(|| {
            Failure::failed(format!("{title} was never started here: it has no folder"))
                .hint(format!("start {title} once, then run this again"))
        })
}

/// The agents whose folder is there.
pub(crate) fn found() -> impl Iterator<Item = FoundAgent> {
    let folder = |agent: &'static dyn Installed| {
        let folder = agent.facts().folder.find(&|name| std::env::var_os(name))?;
        folder.is_dir().then_some(FoundAgent { agent, folder })
    };
    OTHERS.iter().copied().filter_map(folder)
}

/// Where `agent` keeps its history; `None` when no variable gives it.
pub(crate) fn history_root(agent: &dyn Installed) -> Option<PathBuf> {
    let facts = agent.facts();
    let place = facts.history.place.as_ref().unwrap_or(&facts.folder);
    place.find(&|name| std::env::var_os(name))
}

impl FoundAgent {
    /// Its file of hooks.
    ///
    /// # Errors
    /// Conflict when it is there and cannot be read.
    pub(crate) fn settings(&self, session: &Session) -> Result<SettingsFile, Failure> {
        let path = self.folder.join(self.agent.facts().registration.file);
        SettingsFile::of_agent(session, std::path::absolute(path)?)
    }

    /// The hooks that it calls; none if its file cannot be read.
    pub(crate) fn programs(&self, session: &Session) -> Vec<String> {
        let file = self.settings(session).ok();
        let inspected = file.and_then(|file| inspect(self.agent, file.text()).ok());
        let entries = inspected
            .map(|found| found.registrations)
            .unwrap_or_default();
        entries.into_iter().map(|entry| entry.program).collect()
    }

    /// Registers the hook at `program`, after showing the change and asking; `first` puts the hook there.
    ///
    /// # Errors
    /// Conflict when the file cannot be edited safely; refused where the person cannot be asked.
    pub(crate) fn install(
        &self,
        session: &Session,
        arguments: &ChangeArguments,
        program: &str,
        first: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (file, title) = (self.settings(session)?, self.agent.title());
        let edited = install(self.agent, file.text(), program);
        let edited = edited.map_err(|problem| file.conflict(&problem))?;
        let again = format!("plantune install --agent {}", self.agent.name());
        if edited.changes.is_empty() {
            if !arguments.dry_run {
                consent::is_person(session, &again)?;
                first()?;
            }
            return terminal::print(&format!("already installed for {title}: {}\n", file.name()));
        }
        let (name, changes) = (file.name(), terminal::sanitized(&edited.summary()));
        let change = SettingsChange {
            sentence: &format!(
                "From the next session on, {title} calls plantune's hook, which logs what you are asked and answers \
                 what you set ({name}: {changes}). `plantune uninstall` takes it out."
            ),
            command: &again,
            after: Some(&edited.text),
            rules: Some(&file.journal(session)?.rules().unwrap_or_default()),
        };
        if file.change(session, arguments, &change, first)?
            && let Some(words) = self.agent.facts().to_be_done
        {
            terminal::print(&format!("note: {words}\n"))?;
        }
        Ok(())
    }

    /// Takes the hook out, likewise; false when it is not there. A file that plantune made, or that is as it was left,
    /// becomes what it was, byte for byte.
    ///
    /// # Errors
    /// The errors of [`FoundAgent::install`].
    pub(crate) fn uninstall(
        &self,
        session: &Session,
        arguments: &ChangeArguments,
    ) -> Result<bool, Failure> {
        let file = self.settings(session)?;
        let edited = uninstall(self.agent, file.text());
        let edited = edited.map_err(|problem| file.conflict(&problem))?;
        if edited.changes.is_empty() {
            return Ok(false);
        }
        let rest = || Some(edited.text.clone()).filter(|_| self.agent.facts().plugin.is_none());
        let after = self.origin(&file).unwrap_or_else(rest);
        let name = file.name();
        let sentence = match after {
            Some(_) => format!(
                "plantune's hook is taken out of {name} ({}).",
                terminal::sanitized(&edited.summary())
            ),
            None => format!("{name} is removed: nothing but plantune's hook was in it."),
        };
        let change = SettingsChange {
            sentence: &sentence,
            command: "plantune uninstall",
            after: after.as_deref(),
            rules: Some(&OurRules::default()),
        };
        file.change(session, arguments, &change, || Ok(()))?;
        self.remove_folder_of(&file);
        Ok(true)
    }

    /// Removes the subfolder that was made for `file`, if it is empty now.
    fn remove_folder_of(&self, file: &SettingsFile) {
        let folder = file.path.parent();
        if let Some(folder) = folder.filter(|one| *one != self.folder && !file.path.exists()) {
            // One that holds anything else stays.
            let _ = std::fs::remove_dir(folder);
        }
    }

    /// The text of `file` before the hook was registered, when it has not changed since: a backup, or (`Some(None)`) no
    /// file at all.
    fn origin(&self, file: &SettingsFile) -> Option<Option<String>> {
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
    /// The file of its rules; `None` for an agent that has none.
    fn rules(&self, session: &Session) -> Result<Option<SettingsFile>, Failure> {
        let file = match self.agent.facts().guard {
            Guard::List(file) | Guard::Commands(file) | Guard::Own(file, _) => file,
            Guard::Nowhere => return Ok(None),
        };
        let path = std::path::absolute(self.folder.join(file))?;
        SettingsFile::of_agent(session, path).map(Some)
    }

    /// Adds the rules, after showing the change and asking.
    ///
    /// # Errors
    /// Conflict when the file cannot be edited safely; usage when a folder cannot be named in a rule; refused where the
    /// person cannot be asked.
    pub(crate) fn guard(
        &self,
        session: &Session,
        arguments: &ChangeArguments,
    ) -> Result<(), Failure> {
        let title = self.agent.title();
        let Some(file) = self.rules(session)? else {
            return terminal::print(&format!(
                "note: {title} has no rules that refuse commands; plantune itself refuses them in its sessions\n"
            ));
        };
        let mut ours = file.journal(session)?.rules().unwrap_or_default();
        let after = match self.agent.facts().guard {
            Guard::List(_) => {
                let wanted = claude_settings::rules(session, SettingsScope::User)?;
                denied(&file, List::Deny, wanted, &mut ours)?
            }
            Guard::Commands(_) => denied(
                &file,
                REFUSED,
                claude_settings::commands().collect(),
                &mut ours,
            )?,
            Guard::Own(_, text) if file.text().is_empty() || file.text().starts_with(MARK) => {
                text(&claude_settings::commands().collect::<Vec<_>>())
            }
            Guard::Own(..) => {
                let fact = format!("{}: this is not plantune's file", file.name());
                return Err(Failure::conflict(fact).hint("move it away, then run this again"));
            }
            Guard::Nowhere => String::new(),
        };
        if after == file.text() {
            return terminal::print(&format!("already guarded in {title}: {}\n", file.name()));
        }
        let change = SettingsChange {
            sentence: &format!(
                "From the next session on, {title} refuses commands that would change your preferences ({}). \
                 `plantune uninstall` takes that out.",
                file.name()
            ),
            command: &format!("plantune install --guard --agent {}", self.agent.name()),
            after: Some(&after),
            rules: Some(&ours),
        };
        file.change(session, arguments, &change, || Ok(()))?;
        Ok(())
    }

    /// Takes the rules out, likewise; false when there are none. A file that is as it was left becomes what it was, byte
    /// for byte.
    ///
    /// # Errors
    /// The errors of [`FoundAgent::guard`].
    pub(crate) fn unguard(
        &self,
        session: &Session,
        arguments: &ChangeArguments,
    ) -> Result<bool, Failure> {
        let Some(file) = self.rules(session)? else {
            return Ok(false);
        };
        let ours = file.journal(session)?.rules().unwrap_or_default();
        let list = match self.agent.facts().guard {
            Guard::List(_) => Some(List::Deny),
            Guard::Commands(_) => Some(REFUSED),
            Guard::Own(..) | Guard::Nowhere => None,
        };
        let after = match list {
            None if file.text().starts_with(MARK) => None,
            Some(list) if !ours.deny.is_empty() => {
                let conflict = |problem| file.conflict(&problem);
                let edited = editor::rule(file.text(), list, &[], &ours.deny).map_err(conflict)?;
                let is_origin = |text: &str| {
                    let guarded = editor::rule(text, list, &ours.deny, &[]);
                    guarded.is_ok_and(|guarded| guarded.text == file.text())
                };
                let rest = Some(edited.text).filter(|text| !text.is_empty());
                file.origin_where(is_origin).unwrap_or(rest)
            }
            _ => return Ok(false),
        };
        let change = SettingsChange {
            sentence: &format!("plantune's guard is taken out of {}.", file.name()),
            command: "plantune uninstall",
            after: after.as_deref(),
            rules: Some(&OurRules {
                deny: Vec::new(),
                ..ours.clone()
            }),
        };
        file.change(session, arguments, &change, || Ok(()))?;
        self.remove_folder_of(&file);
        Ok(true)
    }
}

/// The text of `file` with all of `wanted` in `list`; those that it did not have become `ours`.
fn denied(
    file: &SettingsFile,
    list: List,
    wanted: Vec<String>,
    ours: &mut OurRules,
) -> Result<String, Failure> {
    let conflict = |problem| file.conflict(&problem);
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
pub(crate) fn install(agent: &dyn Installed, text: &str, program: &str) -> Result<Edited, Problem> {
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
fn uninstall(agent: &dyn Installed, text: &str) -> Result<Edited, Problem> {
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
pub(crate) fn inspect(agent: &dyn Installed, text: &str) -> Result<Inspection, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return editor::inspect_for(&agent.facts().registration, text);
    };
    let mut found = Inspection::default();
    if is_ours(plugin, text) {
        let program = program(plugin, text).unwrap_or_default();
        found.registrations.push(Registration {
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
