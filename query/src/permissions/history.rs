//! The prompts of the store, as evidence.

use std::collections::HashMap;
use std::path::Path;

use plantune_domain::project::worktree_root;

use super::evidence::Prompt;
use crate::{Error, Store};

impl Store {
    /// Every prompt for permission of `agent` (`None`: Claude Code), the earliest first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn prompt_history(&self, agent: Option<&str>) -> Result<Vec<Prompt>, Error> {
        let sql = include_str!("../../sql/permissions/history.sql");
        let mut prompts: Vec<Prompt> = self.rows(sql, [agent])?;
        let mut roots: HashMap<String, String> = HashMap::new();
        for prompt in &mut prompts {
            prompt.asks_all = agent.is_some();
            let root = roots.entry(prompt.cwd.clone());
            prompt
                .root
                .clone_from(root.or_insert_with_key(|cwd| root_of(cwd)));
        }
        Ok(prompts)
    }

    /// The permission mode that the person mostly works in, where it is known.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn usual_mode(&self) -> Result<Option<String>, Error> {
        let modes = self.texts(include_str!("../../sql/permissions/mode.sql"))?;
        Ok(modes.into_iter().next())
    }
}

/// The top of the worktree around `cwd`, as far as it is still there, else `cwd`.
pub(super) fn root_of(cwd: &str) -> String {
    let folder = Path::new(cwd);
    let top = match folder.is_absolute() {
        true => worktree_root(folder),
        false => None,
    };
    top.map_or_else(|| cwd.to_owned(), |top| top.to_string_lossy().into_owned())
}
