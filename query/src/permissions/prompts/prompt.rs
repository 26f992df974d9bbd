//! One prompt. The names of the serialised fields are those of `prompts --json` and are frozen.

use chrono::{DateTime, NaiveDate, Utc};
use plantune_domain::permissions::Reach;
use serde::{Deserialize, Serialize};

use crate::permissions::although::Although;
use crate::permissions::evidence::Prompt as Evidence;
use crate::permissions::history::root_of;
use crate::rows::{any_utc, json, utc};

/// One prompt: what was asked, and how it was decided as far as that is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The id of the event that asked; without one, of that which decided.
    pub id: String,
    /// The call, where a decision is known.
    pub tool_use_id: Option<String>,
    /// When it was asked; without that, when it was decided (UTC).
    #[serde(with = "utc")]
    pub at: DateTime<Utc>,
    /// The day of that time in the person's time zone.
    #[serde(skip_serializing)]
    pub day: NaiveDate,
    /// The project.
    pub project: String,
    /// The folder that the session was in.
    #[serde(skip_serializing)]
    pub cwd: String,
    /// The session.
    pub session_id: String,
    /// `interactive`, `headless`, `spawned` or `unknown`.
    pub session_kind: String,
    /// The word for the agent: `claude-code`, …
    pub agent: String,
    /// The permission mode.
    pub permission_mode: Option<String>,
    /// The sub-agent that called the tool.
    pub agent_id: Option<String>,
    /// The skill in which it did.
    pub skill: Option<String>,
    /// `hook`, or what it was imported from.
    pub source: String,
    /// The tool.
    pub tool: String,
    /// The subject.
    pub subject: String,
    /// How far the call reaches.
    pub reach: Option<Reach>,
    /// The command, path, URL or query, without secrets.
    pub input: Option<String>,
    /// The rules that the dialog offered.
    #[serde(deserialize_with = "json")]
    pub suggestions: Vec<String>,
    /// When the hook saw it (UTC); `None` for a decision whose prompt no hook logged.
    #[serde(with = "any_utc")]
    pub asked_at: Option<DateTime<Utc>>,
    /// When it was decided (UTC), as far as that is known.
    #[serde(with = "any_utc")]
    pub decided_at: Option<DateTime<Utc>>,
    /// `granted`, `refused`, `ambiguous` or `open`; of what nobody was asked about `denied` or `ran`.
    pub outcome: String,
    /// `once`, `session` or `always`.
    pub grant: Option<String>,
    /// From prompt to decision, in seconds.
    pub waited_seconds: Option<f64>,
    /// Why it was refused: `rejected`, `feedback`, `nobody` or `unknown`.
    pub reason: Option<String>,
    /// The words that the person typed.
    pub free_text: Option<String>,
    /// The "don't ask again" that had been chosen before: `always` or `session`.
    pub asked_again_after: Option<String>,
    /// When that was chosen first (UTC).
    #[serde(with = "any_utc")]
    pub given_at: Option<DateTime<Utc>>,
    /// True when nobody attended the agent: a headless or spawned session, nobody to ask, or no decision a day
    /// later.
    pub unattended: bool,
    /// Why a rule of today that seems to cover it does not; `None` where none seems to, and where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub although: Option<Although>,
}

impl Prompt {
    /// The prompt as rules are held against it.
    pub fn to_evidence(&self) -> Evidence {
        Evidence {
            project: self.project.clone(),
            root: root_of(&self.cwd),
            cwd: self.cwd.clone(),
            permission_mode: self.permission_mode.clone(),
            tool_name: self.tool.clone(),
            input: self.input.clone().unwrap_or_default(),
            ..Evidence::default()
        }
    }
}
