//! Which prompt a decision is about: the hook is told of a prompt, but not of which call.

use std::collections::HashMap;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};

use super::permissions::Decided;

/// How far the clocks of host and hook may be apart.
const SLACK: TimeDelta = TimeDelta::seconds(1);

/// Prompts about one call that are no further apart are one: the hook is registered twice.
const ONE_PROMPT: TimeDelta = TimeDelta::seconds(2);

/// A prompt for permission that the hook logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The id of its event.
    pub id: String,
    /// When the person was asked.
    pub at: DateTime<Utc>,
    /// The hash of the call's input.
    pub input_digest: Option<String>,
}

/// Who asked: session, agent and tool.
type Asker = (String, Option<String>, String);

/// The prompts that no decision is known of yet.
#[derive(Debug, Default)]
pub struct Prompts {
    /// In the order of time; taken out when a decision is found.
    open: HashMap<Asker, Vec<Prompt>>,
    /// What was decided from then on, and not in the future, is left for another time: its prompt may have
    /// been logged after the others were looked up.
    looked_up: Option<DateTime<Utc>>,
}

impl Prompts {
    /// Adds a prompt of `tool` in a session, by its sub-agent or itself.
    pub fn add(&mut self, session: &str, agent: Option<&str>, tool: &str, prompt: Prompt) {
        let asker = (
            session.to_owned(),
            agent.map(str::to_owned),
            tool.to_owned(),
        );
        let open = self.open.entry(asker).or_default();
        let after = open.partition_point(|other| (other.at, &other.id) <= (prompt.at, &prompt.id));
        open.insert(after, prompt);
    }

    /// Leaves out what is decided from `looked_up` on, when the prompts were looked up.
    pub fn leave_out_since(&mut self, looked_up: DateTime<Utc>) {
        self.looked_up = Some(looked_up);
    }

    /// True for a decision that came while the transcripts were read.
    pub(super) fn is_too_new(&self, decided: &Decided) -> bool {
        let at = decided.of.at.as_deref().and_then(time);
        match (self.looked_up, at) {
            (Some(from), Some(at)) => from <= at && at <= DateTime::<Utc>::from(SystemTime::now()),
            _ => false,
        }
    }

    /// The prompt that `decided` is about, which is no other's from now on.
    pub(super) fn take(&mut self, decided: &Decided) -> Option<Prompt> {
        let of = &decided.of;
        let asker = (
            of.session_id.clone(),
            of.agent_id.clone(),
            decided.tool_name.clone(),
        );
        let open = self.open.get_mut(&asker)?;
        let to = time(of.at.as_deref()?)?;
        let from = decided.called_at.as_deref().and_then(time).unwrap_or(to);
        let is_same = |prompt: &Prompt| prompt.input_digest.as_deref() == Some(&decided.digest);
        let within = |prompt: &Prompt, slack: TimeDelta| {
            prompt.at >= from - slack && prompt.at <= to + slack
        };
        let exact = |slack| {
            open.iter()
                .position(|prompt| is_same(prompt) && within(prompt, slack))
        };
        let found = exact(TimeDelta::zero()).or_else(|| exact(SLACK));
        // A hook may have changed the input before the person saw it.
        let other = || {
            let mut inside = open.iter().enumerate();
            let mut inside = inside
                .by_ref()
                .filter(|(_, prompt)| within(prompt, TimeDelta::zero()));
            let (at, _) = inside.next()?;
            (inside.next().is_none() && !decided.has_company).then_some(at)
        };
        let prompt = open.remove(found.or_else(other)?);
        if !decided.is_ambiguous {
            open.retain(|again| {
                let is_again = again.input_digest == prompt.input_digest
                    && within(again, TimeDelta::zero())
                    && again.at - prompt.at <= ONE_PROMPT;
                !is_again
            });
        }
        Some(prompt)
    }
}

/// How long the person was asked before they decided, in seconds.
pub(super) fn waited(decided: &Decided, prompt: &Prompt) -> Option<f64> {
    let result = time(decided.of.at.as_deref()?)?;
    let seconds = (result - prompt.at).as_seconds_f64() - decided.ran_seconds?;
    (seconds >= 0.0).then_some((seconds * 1000.0).round() / 1000.0)
}

fn time(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.to_utc())
}
