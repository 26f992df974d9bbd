//! Evidence: calls that a rule could allow, judged, and the person's own decisions about them.

use std::collections::HashMap;
use std::path::Path;

use chrono::{NaiveDate, NaiveDateTime};
use plantune_domain::permissions::{
    Action, CallParts, EDITORS, Grantable, OwnReaches, Reach, call_parts,
};
use plantune_domain::project::worktree_root;
use serde::Deserialize;

/// How a prompt was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
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
    /// `interactive`, `headless`, `spawned` or `unknown`.
    pub session_kind: String,
    /// The permission mode that the session was in.
    pub permission_mode: Option<String>,
    /// The skill or slash command at work, if one was.
    pub skill: Option<String>,
    /// The tool.
    pub tool_name: String,
    /// The command, path or URL, as far as it was logged.
    pub input: String,
    /// How it was decided.
    pub outcome: Outcome,
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
        self.session_kind == "interactive"
            && matches!(self.outcome, Outcome::Granted | Outcome::Refused)
    }

    /// True when the person allowed it.
    pub fn is_granted(&self) -> bool {
        self.outcome == Outcome::Granted
    }
}

/// One thing that a rule would have to allow for a prompt not to come.
#[derive(Clone, Debug)]
pub(crate) struct PromptPart<'a> {
    pub(crate) prompt: &'a DecidedPrompt,
    /// The subject that makes it the same as another one.
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    pub(crate) action: Action,
    /// How many such things the prompt is about.
    pub(crate) of: usize,
}

/// A judged prompt, with the parts that a rule would have to allow; empty if no rule can.
pub(crate) struct JudgedPrompt<'a> {
    pub(crate) prompt: &'a DecidedPrompt,
    pub(crate) reach: Reach,
    /// True for a line that runs in another folder.
    pub(crate) elsewhere: bool,
    pub(crate) units: Vec<PromptPart<'a>>,
}

/// `prompts`, judged with the reaches that the person gave. The same words are judged once.
pub(crate) fn judged<'a>(prompts: &'a [DecidedPrompt], own: &OwnReaches) -> Vec<JudgedPrompt<'a>> {
    let mut known: HashMap<(&str, &str, &str), CallParts> = HashMap::new();
    let mut all = Vec::with_capacity(prompts.len());
    for prompt in prompts {
        let (tool, input) = (&*prompt.tool_name, &*prompt.input);
        // A command runs in its folder; a file lies in the project, wherever one works in it.
        let folder = match EDITORS.contains(&tool) {
            true => &*prompt.root,
            false => &*prompt.cwd,
        };
        let call = known
            .entry((tool, input, folder))
            .or_insert_with(|| call_parts(tool, input, folder, own, prompt.asks_all));
        let unit = |thing: &Grantable| PromptPart {
            prompt,
            subject: thing.subject.clone(),
            reach: thing.reach,
            action: thing.action.clone(),
            of: call.grantables.len(),
        };
        all.push(JudgedPrompt {
            prompt,
            reach: call.reach,
            elsewhere: call.elsewhere,
            units: call.grantables.iter().map(unit).collect(),
        });
    }
    all
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
