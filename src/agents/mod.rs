//! The agents beside Claude Code as they are found on this machine, and the hook in their settings.

mod guard;
mod hooks_of;

use std::path::PathBuf;

use plantune_agents::{Installed, OTHERS};

use crate::claude_settings::editor::OurRules;
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile};
use crate::failure::Failure;
use crate::terminal::{self, consent};
use crate::workspace::Workspace;

pub(crate) use hooks_of::{inspect, install};

/// An agent that is there.
pub(crate) struct Found {
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
pub(crate) fn named(name: &str) -> Result<Found, Failure> {
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
pub(crate) fn found() -> impl Iterator<Item = Found> {
    let folder = |agent: &'static dyn Installed| {
        let folder = agent.facts().folder.find(&|name| std::env::var_os(name))?;
        folder.is_dir().then_some(Found { agent, folder })
    };
    OTHERS.iter().copied().filter_map(folder)
}

impl Found {
    /// Its file of hooks.
    ///
    /// # Errors
    /// Conflict when it is there and cannot be read.
    pub(crate) fn settings(&self, workspace: &Workspace) -> Result<SettingsFile, Failure> {
        let path = self.folder.join(self.agent.facts().registration.file);
        SettingsFile::of_agent(workspace, std::path::absolute(path)?)
    }

    /// The hooks that it calls; none where its file cannot be read.
    pub(crate) fn programs(&self, workspace: &Workspace) -> Vec<String> {
        let file = self.settings(workspace).ok();
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
        workspace: &Workspace,
        arguments: &ChangeArguments,
        program: &str,
        first: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (file, title) = (self.settings(workspace)?, self.agent.title());
        let edited = install(self.agent, file.text(), program);
        let edited = edited.map_err(|problem| file.conflict(&problem))?;
        let again = format!("plantune install --agent {}", self.agent.name());
        if edited.changes.is_empty() {
            if !arguments.dry_run {
                consent::is_person(workspace, &again)?;
                first()?;
            }
            return terminal::print(&format!("already installed for {title}: {}\n", file.name()));
        }
        let (name, changes) = (file.name(), terminal::sanitized(&edited.summary()));
        let change = SettingsChange {
            sentence: &format!(
                "From the next session on {title} calls plantune's hook, which logs what you are asked and answers \
                 what you set ({name}: {changes}). `plantune uninstall` takes it out."
            ),
            command: &again,
            after: Some(&edited.text),
            rules: Some(&file.journal(workspace)?.rules().unwrap_or_default()),
        };
        if file.change(workspace, arguments, &change, first)?
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
    /// Those of [`Found::install`].
    pub(crate) fn uninstall(
        &self,
        workspace: &Workspace,
        arguments: &ChangeArguments,
    ) -> Result<bool, Failure> {
        let file = self.settings(workspace)?;
        let edited = hooks_of::uninstall(self.agent, file.text());
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
        file.change(workspace, arguments, &change, || Ok(()))?;
        Ok(true)
    }

    /// What `file` was before the hook was registered, when it has not changed since: a backup, or (`Some(None)`) no
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
