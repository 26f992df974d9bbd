//! The prompts of a period that need a look.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::modes::{Denied, Mode};
use super::prompt::Prompt;
use crate::rows::{json, utc};

/// The prompts that need a look; one may be in several lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Detail {
    /// Refused, the latest first.
    pub refusals: Vec<Prompt>,
    /// Asked again although "don't ask again" had been chosen, the most frequent first.
    pub repeated: Vec<Repeated>,
    /// Those of agents that nobody attended, the latest first.
    pub blocked: Vec<Prompt>,
    /// Under which permission modes calls ran, the most frequent first.
    pub modes: Vec<Mode>,
    /// What the classifier of auto mode denied, the most frequent first.
    pub denied_in_auto_mode: Vec<Denied>,
}

impl Detail {
    /// The projects that it names, so that they can be called otherwise.
    pub fn projects(&mut self) -> impl Iterator<Item = &mut String> {
        let refusals = self.refusals.iter_mut().map(|one| &mut one.project);
        refusals
            .chain(self.repeated.iter_mut().map(|one| &mut one.project))
            .chain(self.blocked.iter_mut().map(|one| &mut one.project))
            .chain(
                self.denied_in_auto_mode
                    .iter_mut()
                    .map(|one| &mut one.project),
            )
    }
}

/// A subject that was asked again although "don't ask again" had been chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    /// The subject.
    pub subject: String,
    /// The tool.
    pub tool: String,
    /// The project.
    pub project: String,
    /// What had been chosen: `always` or `session`.
    pub chosen: String,
    /// When that was chosen first (UTC).
    #[serde(with = "utc")]
    pub chosen_at: DateTime<Utc>,
    /// How many prompts came after it.
    pub prompts: u64,
    /// The rules that the dialog offered last.
    #[serde(deserialize_with = "json")]
    pub suggestions: Vec<String>,
}

impl Detail {
    /// The refused and blocked ones of the `prompts`, which come the latest first.
    pub fn of(prompts: &[Prompt]) -> Self {
        let of = |is: fn(&Prompt) -> bool| prompts.iter().filter(|one| is(one)).cloned().collect();
        Self {
            refusals: of(|one| one.outcome == "refused"),
            blocked: of(|one| one.unattended),
            ..Self::default()
        }
    }
}
