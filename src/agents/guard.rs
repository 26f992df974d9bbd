//! The guard of `plantune install --guard` in the rules of the agents beside Claude Code: what an agent may not do in its
//! user's name. What their rules cannot name, plantune refuses by itself inside a session.

use plantune_agents::installed::Guard;

use super::Found;
use crate::claude_settings::editor::{self, List, OurRules};
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile};
use crate::claude_settings::guard;
use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// How a file of plantune's own begins.
const MARK: &str = "# plantune's: ";

/// The list of OpenCode's commands that are refused.
const REFUSED: List = List::Commands("deny");

impl Found {
    /// The file of its rules.
    fn rules(&self, workspace: &Workspace) -> Result<SettingsFile, Failure> {
        let (Guard::List(file) | Guard::Commands(file) | Guard::Own(file, _)) =
            self.agent.facts().guard;
        SettingsFile::of_agent(workspace, std::path::absolute(self.folder.join(file))?)
    }

    /// Adds the rules, after showing the change and asking.
    ///
    /// # Errors
    /// Conflict when the file cannot be edited safely; usage when a folder cannot be named in a rule; refused where the
    /// person cannot be asked.
    pub(crate) fn guard(
        &self,
        workspace: &Workspace,
        arguments: &ChangeArguments,
    ) -> Result<(), Failure> {
        let (file, title) = (self.rules(workspace)?, self.agent.title());
        let mut ours = file.journal(workspace)?.rules().unwrap_or_default();
        let after = match self.agent.facts().guard {
            Guard::List(_) => {
                let wanted = guard::rules(workspace, SettingsScope::User)?;
                denied(&file, List::Deny, wanted, &mut ours)?
            }
            Guard::Commands(_) => denied(&file, REFUSED, guard::commands().collect(), &mut ours)?,
            Guard::Own(_, text) if file.text().is_empty() || file.text().starts_with(MARK) => {
                text(&guard::commands().collect::<Vec<_>>())
            }
            Guard::Own(..) => {
                let fact = format!("{}: this is not plantune's file", file.name());
                return Err(Failure::conflict(fact).hint("move it away, then run this again"));
            }
        };
        if after == file.text() {
            return terminal::print(&format!("already guarded in {title}: {}\n", file.name()));
        }
        let change = SettingsChange {
            sentence: &format!(
                "From the next session on {title} refuses commands that would change your preferences ({}). \
                 `plantune uninstall` takes that out.",
                file.name()
            ),
            command: &format!("plantune install --guard --agent {}", self.agent.name()),
            after: Some(&after),
            rules: Some(&ours),
        };
        file.change(workspace, arguments, &change, || Ok(()))?;
        Ok(())
    }

    /// Takes the rules out, likewise; false when there are none. A file that is as it was left becomes what it was, byte
    /// for byte.
    ///
    /// # Errors
    /// Those of [`Found::guard`].
    pub(crate) fn unguard(
        &self,
        workspace: &Workspace,
        arguments: &ChangeArguments,
    ) -> Result<bool, Failure> {
        let file = self.rules(workspace)?;
        let ours = file.journal(workspace)?.rules().unwrap_or_default();
        let list = match self.agent.facts().guard {
            Guard::List(_) => Some(List::Deny),
            Guard::Commands(_) => Some(REFUSED),
            Guard::Own(..) => None,
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
        file.change(workspace, arguments, &change, || Ok(()))?;
        // The folder was made for the file; one that holds anything else stays.
        if let (true, Some(folder)) = (list.is_none() && !file.path.exists(), file.path.parent()) {
            let _ = std::fs::remove_dir(folder);
        }
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
