//! The prompts of the store, as evidence.

use std::collections::HashMap;
use std::path::Path;

use duckdb::{OptionalExt as _, Row};
use plantune_domain::project::worktree_root;

use super::evidence::{Outcome, Prompt};
use crate::{Error, Store};

impl Store {
    /// Every prompt for permission of `agent` (`None`: Claude Code), the earliest first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn prompt_history(&self, agent: Option<&str>) -> Result<Vec<Prompt>, Error> {
        let mut statement = self
            .connection
            .prepare(include_str!("../../sql/permissions/history.sql"))?;
        let mut rows = statement.query([agent])?;
        let mut roots: HashMap<String, String> = HashMap::new();
        let mut prompts = Vec::new();
        while let Some(row) = rows.next()? {
            let mut prompt = prompt(row)?;
            let root = roots
                .entry(prompt.cwd.clone())
                .or_insert_with_key(|cwd| root(cwd));
            prompt.root.clone_from(root);
            prompt.asks_all = agent.is_some();
            prompts.push(prompt);
        }
        Ok(prompts)
    }

    /// The permission mode that the person mostly works in, where it is known.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn usual_mode(&self) -> Result<Option<String>, Error> {
        let mode = self
            .connection
            .query_row(include_str!("../../sql/permissions/mode.sql"), [], |row| {
                row.get(0)
            })
            .optional()?;
        Ok(mode)
    }
}

/// The top of the worktree around `cwd`, as far as it is still there, else `cwd`.
pub(super) fn root(cwd: &str) -> String {
    let folder = Path::new(cwd);
    let top = match folder.is_absolute() {
        true => worktree_root(folder),
        false => None,
    };
    top.map_or_else(|| cwd.to_owned(), |top| top.to_string_lossy().into_owned())
}

fn prompt(row: &Row<'_>) -> duckdb::Result<Prompt> {
    let (outcome, reason): (String, Option<String>) = (row.get(9)?, row.get(10)?);
    Ok(Prompt {
        at: row.get(0)?,
        day: row.get(1)?,
        project: row.get(2)?,
        cwd: row.get(3)?,
        root: String::new(),
        asks_all: false,
        session_id: row.get(4)?,
        session_kind: row.get(5)?,
        permission_mode: row.get(6)?,
        tool_name: row.get(7)?,
        input: row.get(8)?,
        outcome: match (outcome.as_str(), reason.as_deref()) {
            ("granted", _) => Outcome::Granted,
            ("refused", Some("nobody")) => Outcome::Nobody,
            ("refused", _) => Outcome::Refused,
            ("ambiguous", _) => Outcome::Ambiguous,
            _ => Outcome::Open,
        },
        waited_seconds: row.get(11)?,
        is_imported: row.get::<_, String>(12)?.starts_with("import"),
    })
}
