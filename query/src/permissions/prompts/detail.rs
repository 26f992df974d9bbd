//! The prompts of a period that need a look.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::modes::{Denied, Mode};
use super::prompt::Prompt;
use crate::rows::utc;

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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub suggestions: Vec<String>,
}

impl Detail {
    /// The lists of the `prompts`, which come the latest first.
    pub fn of(prompts: &[Prompt]) -> Self {
        let of = |is: fn(&Prompt) -> bool| prompts.iter().filter(|one| is(one)).cloned().collect();
        Self {
            refusals: of(|one| one.outcome == "refused"),
            repeated: repeated(prompts),
            blocked: of(|one| one.unattended),
            ..Self::default()
        }
    }
}

fn repeated(prompts: &[Prompt]) -> Vec<Repeated> {
    let mut found: BTreeMap<_, Repeated> = BTreeMap::new();
    for one in prompts {
        let (Some(chosen), Some(chosen_at)) = (&one.asked_again_after, one.given_at) else {
            continue;
        };
        let key = (&one.subject, &one.tool, &one.project, chosen);
        let repeated = found.entry(key).or_insert_with(|| Repeated {
            subject: one.subject.clone(),
            tool: one.tool.clone(),
            project: one.project.clone(),
            chosen: chosen.clone(),
            chosen_at,
            prompts: 0,
            suggestions: one.suggestions.clone(),
        });
        repeated.prompts += 1;
        repeated.chosen_at = repeated.chosen_at.min(chosen_at);
    }
    let mut found: Vec<Repeated> = found.into_values().collect();
    found.sort_by_key(|one| std::cmp::Reverse(one.prompts));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(subject: &str, outcome: &str, again: Option<(&str, &str)>) -> Prompt {
        Prompt {
            subject: subject.to_owned(),
            outcome: outcome.to_owned(),
            asked_again_after: again.map(|(chosen, _)| chosen.to_owned()),
            given_at: again.map(|(_, at)| at.parse().unwrap()),
            ..Prompt::default()
        }
    }

    #[test]
    fn a_prompt_may_be_in_several_lists() {
        let mut refused = prompt(
            "git push",
            "refused",
            Some(("session", "2026-11-03T00:00:00Z")),
        );
        refused.unattended = true;
        let prompts = [
            refused,
            prompt(
                "npm test",
                "granted",
                Some(("always", "2026-11-02T00:00:00Z")),
            ),
            prompt("npm test", "open", Some(("always", "2026-11-02T00:00:00Z"))),
            prompt(
                "npm test",
                "granted",
                Some(("session", "2026-11-01T00:00:00Z")),
            ),
        ];
        let detail = Detail::of(&prompts);
        assert_eq!((detail.refusals.len(), detail.blocked.len()), (1, 1));
        let counted: Vec<_> = detail
            .repeated
            .iter()
            .map(|one| (one.subject.as_str(), one.chosen.as_str(), one.prompts))
            .collect();
        assert_eq!(
            counted,
            [
                ("npm test", "always", 2),
                ("git push", "session", 1),
                ("npm test", "session", 1)
            ]
        );
    }
}
