//! Permission prompts: how many and how they were decided, what the person allowed every time, and which
//! rules of the host follow from it.
//!
//! [`propose::proposals`] and [`rules::tighten`] are pure: from prompts to rules. Nothing is applied here.
//! [`backtest::backtest`] replays the prompts with the rules that would have been proposed.

pub mod auto_mode;
pub mod backtest;
pub mod certainty;
pub mod near_miss;
pub mod prompts;
pub mod propose;
pub mod rules;
#[cfg(test)]
mod tests;
pub mod tidy;

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::permissions::{CallParts, EDITORS, Grantable, OwnReaches, call_parts};
use plantune_domain::project::worktree_root;
use plantune_domain::session_kind::SessionKind;
use serde::{Deserialize, Serialize};

use crate::{Named, Store, StoreError};

/// How a prompt was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptOutcome {
    /// It is not known.
    #[default]
    Open,
    /// Allowed.
    Granted,
    /// Refused by the person.
    Refused,
    /// Refused because nobody was there to ask.
    Nobody,
    /// Identical concurrent calls were decided differently.
    Ambiguous,
}

/// One permission prompt.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct DecidedPrompt {
    /// When it came (UTC).
    pub at: NaiveDateTime,
    /// The day of that moment in the person's time zone.
    pub day: NaiveDate,
    /// The project's key.
    pub project: String,
    /// The folder that the session was in.
    pub cwd: String,
    /// The folder that `.claude` of the project lies in: the top of the worktree around `cwd`, else `cwd`.
    #[serde(skip)]
    pub root: String,
    /// The session.
    pub session_id: String,
    /// Whether a person was in the session.
    pub session_kind: Named<SessionKind>,
    /// The permission mode that the session was in.
    pub permission_mode: Option<String>,
    /// The skill or slash command at work, if one was.
    pub skill: Option<String>,
    /// The tool.
    pub tool_name: String,
    /// The command, path or URL, as far as it was logged.
    pub input: String,
    /// How it was decided.
    pub outcome: PromptOutcome,
    /// How long the person was waited for, in seconds, if known.
    pub waited_seconds: Option<f64>,
    /// True if the agent asks about any command; Claude Code has some that it never asks about.
    #[serde(skip)]
    pub asks_all: bool,
    /// True when it was read from a transcript alone, and not logged by the hook.
    pub is_imported: bool,
}

impl DecidedPrompt {
    /// True if it shows what the person wants: their own decision in their own session. What a sub-agent
    /// called and the person was shown in their session is their decision, too; what nobody decided, what
    /// cannot be told apart and what another program decided is not.
    pub fn is_evidence(&self) -> bool {
        self.session_kind == SessionKind::Interactive
            && matches!(
                self.outcome,
                PromptOutcome::Granted | PromptOutcome::Refused
            )
    }

    /// True when the person allowed it.
    pub fn is_granted(&self) -> bool {
        self.outcome == PromptOutcome::Granted
    }
}

/// A prompt with what its call does, as far as that can be known.
pub(crate) struct JudgedPrompt<'a> {
    pub(crate) prompt: &'a DecidedPrompt,
    pub(crate) call: Rc<CallParts>,
}

/// One thing that a rule would have to allow for a prompt not to come.
#[derive(Clone, Copy)]
pub(crate) struct PromptPart<'a> {
    pub(crate) prompt: &'a DecidedPrompt,
    pub(crate) thing: &'a Grantable,
    /// How many such things the prompt is about.
    pub(crate) of: usize,
}

impl JudgedPrompt<'_> {
    /// The things that a rule would have to allow; none if no rule can.
    pub(crate) fn parts(&self) -> impl Iterator<Item = PromptPart<'_>> {
        let things = &self.call.grantables;
        things.iter().map(|thing| PromptPart {
            prompt: self.prompt,
            thing,
            of: things.len(),
        })
    }
}

/// `prompts`, judged with the reaches that the person gave. The same words are judged once.
pub(crate) fn judged<'a>(prompts: &'a [DecidedPrompt], own: &OwnReaches) -> Vec<JudgedPrompt<'a>> {
    let mut known: HashMap<(&str, &str, &str), Rc<CallParts>> = HashMap::new();
    let judged = prompts.iter().map(|prompt| {
        let (tool, input) = (&*prompt.tool_name, &*prompt.input);
        // A command runs in its folder; a file lies in the project, wherever one works in it.
        let folder = match EDITORS.contains(&tool) {
            true => &*prompt.root,
            false => &*prompt.cwd,
        };
        let call = known.entry((tool, input, folder)).or_insert_with(|| {
            let call = call_parts(tool, input, folder, own, prompt.asks_all);
            Rc::new(call)
        });
        JudgedPrompt {
            prompt,
            call: Rc::clone(call),
        }
    });
    judged.collect()
}

/// The top of the worktree around `cwd`, if it still exists, else `cwd`.
pub(super) fn root_of(cwd: &str) -> String {
    let folder = Path::new(cwd);
    let top = match folder.is_absolute() {
        true => worktree_root(folder),
        false => None,
    };
    top.map_or_else(|| cwd.to_owned(), |top| top.to_string_lossy().into_owned())
}

impl Store {
    /// Every permission prompt of `agent` (`None`: Claude Code), the earliest first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn prompt_history(&self, agent: Option<&str>) -> Result<Vec<DecidedPrompt>, StoreError> {
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
    pub fn usual_mode(&self) -> Result<Option<String>, StoreError> {
        let modes = self.texts(include_str!("../../sql/permissions/mode.sql"))?;
        Ok(modes.into_iter().next())
    }
}
