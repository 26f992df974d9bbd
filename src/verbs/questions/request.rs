//! What the verbs below `questions` have in common.

use std::rc::Rc;

use plantune_query::Store;
use plantune_query::questions::{Listed, list};
use plantune_reports::Format;
use plantune_reports::questions::Terminal;
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::store;

/// The questions that are meant, and how they are shown.
pub(super) struct Request {
    pub(super) store: Option<Rc<Store>>,
    pub(super) project: Option<String>,
    pub(super) json: bool,
}

impl Request {
    pub(super) fn listed(&self, workspace: &Workspace) -> Result<Vec<Listed>, Failure> {
        self.of_project(self.project.as_deref(), workspace)
    }

    /// The questions of all projects, whichever is meant.
    pub(super) fn listed_everywhere(&self, workspace: &Workspace) -> Result<Vec<Listed>, Failure> {
        self.of_project(None, workspace)
    }

    /// Prints `document`: as JSON where that is wanted, else for a terminal; `all` of it.
    pub(super) fn show<D: Serialize>(
        &self,
        document: &D,
        all: bool,
        workspace: &Workspace,
    ) -> Result<(), Failure>
    where
        Terminal: Format<D>,
    {
        let width = usize::from(workspace.width);
        terminal::print_document(document, self.json, &Terminal { width, all })
    }

    fn of_project(
        &self,
        project: Option<&str>,
        workspace: &Workspace,
    ) -> Result<Vec<Listed>, Failure> {
        match &self.store {
            Some(store) => list(store, workspace.registry()?, project)
                .map_err(|error| store::failure(&workspace.paths, &error)),
            None => Ok(Vec::new()),
        }
    }
}
