//! What the person chose, as one change of their files: shown as a whole, then written as a whole.

use std::collections::BTreeMap;

use plantune_reports::text::pieces;

use crate::failure::Failure;
use crate::permission_rules::writer::{self as rules, Accepted, Addition, RuleTarget};
use crate::preferences::change::Change;
use crate::preferences::writer::{self as preferences, Proposed};
use crate::terminal;
use crate::terminal::frame::{Line, Style};
use crate::verbs::suggest::permissions::{SettingsChoice, accepted, place};
use crate::verbs::suggest::proposal::report;
use crate::verbs::suggest::reply::Reply;
use crate::verbs::suggest::review::item::Item;
use crate::workspace::Workspace;

/// What was chosen: changes of preferences in the order of the list, and rules by where they go.
pub(super) struct Decided {
    changes: Vec<Change>,
    rules: Vec<(RuleTarget, Vec<Accepted>)>,
}

/// What is to be written, worked out against the files as they are.
pub(super) struct Plan<'a> {
    workspace: &'a Workspace,
    command: &'a str,
    changes: &'a [Change],
    preferences: Proposed<'a>,
    rules: Vec<Addition<'a>>,
}

impl Decided {
    /// What `choices`, one of each of `items`, change.
    ///
    /// # Errors
    /// Usage for a choice of `settings` that does not fit.
    pub(super) fn of(
        items: &[Item<'_>],
        choices: &[Option<Reply>],
        settings: Option<SettingsChoice>,
        workspace: &Workspace,
    ) -> Result<Self, Failure> {
        let mut changes = Vec::new();
        let mut places: BTreeMap<RuleTarget, Vec<Accepted>> = BTreeMap::new();
        for (item, reply) in items.iter().zip(choices) {
            let Some(reply) = reply else { continue };
            if let Some(proposal) = item.proposal() {
                changes.extend(reply.changes(proposal, workspace)?);
            }
            if let (Some(rule), Reply::Yes) = (item.rule(), reply) {
                let place = place(rule, settings)?;
                places.entry(place).or_default().push(accepted(rule)?);
            }
        }
        Ok(Self {
            changes,
            rules: places.into_iter().collect(),
        })
    }

    /// The same against the files; nothing is shown or written.
    ///
    /// # Errors
    /// Refused for an unsafe preference and a folder that is not the person's; conflict for a file that is not
    /// understood.
    pub(super) fn plan<'a>(
        &'a self,
        workspace: &'a Workspace,
        command: &'a str,
    ) -> Result<Plan<'a>, Failure> {
        let of_place = |(place, accepted): &'a (RuleTarget, Vec<Accepted>)| {
            rules::plan(workspace, place, accepted)
        };
        Ok(Plan {
            workspace,
            command,
            changes: &self.changes,
            preferences: preferences::plan(workspace, &self.changes)?,
            rules: self.rules.iter().map(of_place).collect::<Result<_, _>>()?,
        })
    }
}

impl Plan<'_> {
    /// What is to be written, for a screen `columns` columns wide.
    pub(super) fn lines(&self, columns: usize) -> Vec<Line> {
        let rules = self.rules.iter().map(|one| one.diff(false));
        let diff: String = std::iter::once(self.preferences.diff())
            .chain(rules)
            .collect();
        let lines = diff.lines().flat_map(|line| {
            let style = match line.as_bytes().first() {
                Some(b'+') => Style::Good,
                Some(b'-') => Style::Bad,
                Some(b'@') => Style::Place,
                _ => Style::Plain,
            };
            // All of it is shown: what is longer than a line goes on in the next one.
            let mut parts = pieces(line, columns);
            if parts.is_empty() {
                parts.push(String::new());
            }
            parts.into_iter().map(move |part| Line::of(part, style))
        });
        lines.collect()
    }

    /// Writes it, as the person was shown and has confirmed; the diffs stay on the terminal as in the line form,
    /// and so does how each is taken back.
    ///
    /// # Errors
    /// Conflict for a file that changed meanwhile; nothing is written into it then.
    pub(super) fn write(&self) -> Result<(), Failure> {
        if !self.changes.is_empty() {
            terminal::print_exactly(&self.preferences.diff())?;
            self.preferences.make()?;
            self.changes.iter().try_for_each(report)?;
        }
        for addition in &self.rules {
            terminal::print_exactly(&addition.diff(self.workspace.colour))?;
            addition.make(self.workspace, self.command)?;
        }
        Ok(())
    }
}
