//! Permission prompts: how many and how they were decided, what the person allowed every time, and which
//! rules of the host follow from it.
//!
//! [`propose::proposals`] and [`rules::tighten`] are pure: from prompts to rules. Nothing is applied here.
//! [`backtest::backtest`] replays the prompts with the rules that would have been proposed.

pub mod backtest;
pub mod evidence;
pub mod near_miss;
pub mod prompts;
mod proposal;
pub mod propose;
pub mod rules;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use self::evidence::{DecidedPrompt, root_of};
use crate::{Error, Store};

impl Store {
    /// Every permission prompt of `agent` (`None`: Claude Code), the earliest first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn prompt_history(&self, agent: Option<&str>) -> Result<Vec<DecidedPrompt>, Error> {
        let sql = include_str!("../../sql/permissions/history.sql");
        let mut prompts: Vec<DecidedPrompt> = self.rows(sql, [agent])?;
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

    /// The permission mode that the person mostly works in, if known.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn usual_mode(&self) -> Result<Option<String>, Error> {
        let modes = self.texts(include_str!("../../sql/permissions/mode.sql"))?;
        Ok(modes.into_iter().next())
    }
}
