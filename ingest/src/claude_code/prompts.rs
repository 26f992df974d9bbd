//! Which prompt a decision is about: the hook gets a prompt, but not the id of its call.

use std::collections::HashMap;
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::secrets::Key;

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
    key: Option<Key>,
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

    /// Has the calls' inputs digested with `key`, as the hook does.
    #[must_use]
    pub fn with_key(self, key: Option<Key>) -> Self {
        Self { key, ..self }
    }

    /// True when a prompt of the session is open.
    pub(crate) fn are_of(&self, session: &str) -> bool {
        self.open.keys().any(|(of, ..)| of == session)
    }

    /// The digest of the call's input, as it is logged; `None` without a key.
    pub(super) fn digest(&self, decided: &Decided) -> Option<String> {
        Some(self.key.as_ref()?.digest(&[&decided.digest]))
    }

    /// Leaves out what is decided from `looked_up` on, when the prompts were looked up.
    pub fn leave_out_since(&mut self, looked_up: DateTime<Utc>) {
        self.looked_up = Some(looked_up);
    }

    /// Leaves nothing out.
    pub(crate) fn with_all(self) -> Self {
        Self {
            looked_up: None,
            ..self
        }
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
        let digest = self.digest(decided);
        let asker = (
            of.session_id.clone(),
            of.agent_id.clone(),
            decided.tool_name.clone(),
        );
        let open = self.open.get_mut(&asker)?;
        let to = time(of.at.as_deref()?)?;
        let from = decided.called_at.as_deref().and_then(time).unwrap_or(to);
        // A hook of an earlier version had no key.
        let is_same = |prompt: &Prompt| {
            let logged = prompt.input_digest.as_deref();
            logged
                .is_some_and(|logged| logged == decided.digest || Some(logged) == digest.as_deref())
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::event::Kind;
    use plantune_domain::permissions::describe;
    use serde_json::json;

    use crate::claude_code::permissions::MayPrompt;
    use crate::claude_code::place::Place;

    fn decided(called: &str, at: &str) -> Decided {
        let time = |seconds: &str| format!("2026-11-21T10:00:{seconds}Z");
        Decided {
            kind: Kind::PermissionRefused,
            word: "rejected",
            feedback: None,
            of: Place {
                at: Some(time(at)),
                session_id: "s".to_owned(),
                ..Place::default()
            },
            tool_use_id: "t".to_owned(),
            tool_name: "Bash".to_owned(),
            called_at: Some(time(called)),
            skill: None,
            described: describe("Bash", &json!({"command": "npm test"}), "/"),
            digest: "same".to_owned(),
            ran_seconds: Some(0.0),
            prompt: MayPrompt::Yes,
            is_ambiguous: false,
            has_company: false,
        }
    }

    fn prompts(all: &[(&str, &str)]) -> Prompts {
        let mut prompts = Prompts::default();
        for (seconds, digest) in all {
            let prompt = Prompt {
                id: (*seconds).to_owned(),
                at: time(&format!("2026-11-21T10:00:{seconds}Z")).unwrap(),
                input_digest: Some((*digest).to_owned()),
            };
            prompts.add("s", None, "Bash", prompt);
        }
        prompts
    }

    fn taken(prompts: &mut Prompts, decided: &Decided) -> Option<String> {
        prompts.take(decided).map(|prompt| prompt.id)
    }

    #[test]
    fn calls_take_the_prompts_between_call_and_result() {
        let all = [("01.500", "same"), ("12.000", "same"), ("30.000", "same")];
        let mut open = prompts(&all);
        let mut other = decided("01.000", "05.000");
        other.of.agent_id = Some("agent".to_owned());
        assert_eq!(taken(&mut open, &other), None);
        assert_eq!(
            taken(&mut open, &decided("11.900", "20.000")).unwrap(),
            "12.000"
        );
        assert_eq!(
            taken(&mut open, &decided("01.000", "05.000")).unwrap(),
            "01.500"
        );
        assert_eq!(taken(&mut open, &decided("01.000", "05.000")), None);
        // The clocks are a little apart.
        assert_eq!(
            taken(&mut open, &decided("30.400", "31.000")).unwrap(),
            "30.000"
        );
    }

    #[test]
    fn one_prompt_logged_twice() {
        let all = [("01.000", "same"), ("01.200", "same"), ("04.000", "same")];
        let mut open = prompts(&all);
        let whole = decided("00.900", "09.000");
        assert_eq!(taken(&mut open, &whole).unwrap(), "01.000");
        assert_eq!(taken(&mut open, &whole).unwrap(), "04.000");
        // Of calls that are the same each has its own.
        let mut open = prompts(&all);
        let ambiguous = Decided {
            is_ambiguous: true,
            ..whole
        };
        assert_eq!(taken(&mut open, &ambiguous).unwrap(), "01.000");
        assert_eq!(taken(&mut open, &ambiguous).unwrap(), "01.200");
    }

    #[test]
    fn an_input_that_a_hook_changed() {
        let alone = decided("01.000", "05.000");
        assert_eq!(
            taken(&mut prompts(&[("02.000", "other")]), &alone).unwrap(),
            "02.000"
        );
        let both = [("02.000", "other"), ("03.000", "third")];
        assert_eq!(taken(&mut prompts(&both), &alone), None);
        let beside = Decided {
            has_company: true,
            ..alone
        };
        assert_eq!(taken(&mut prompts(&[("02.000", "other")]), &beside), None);
    }

    #[test]
    fn how_long_it_was_asked() {
        let at = |seconds: &str| prompts(&[(seconds, "same")]).take(&decided("01.000", "09.000"));
        let seconds = |prompt: &str, ran| {
            let decided = Decided {
                ran_seconds: ran,
                ..decided("01.000", "09.000")
            };
            waited(&decided, &at(prompt).unwrap())
        };
        assert_eq!(seconds("02.500", Some(0.0)), Some(6.5));
        assert_eq!(seconds("02.500", Some(1.25)), Some(5.25));
        assert_eq!(seconds("02.500", Some(7.0)), None);
        assert_eq!(seconds("02.500", None), None);
    }

    #[test]
    fn what_is_decided_meanwhile_is_left_for_later() {
        let mut open = Prompts::default();
        let decided = decided("01.000", "09.000");
        assert!(!open.is_too_new(&decided));
        open.leave_out_since(time("2026-11-21T10:00:10Z").unwrap());
        assert!(!open.is_too_new(&decided));
        open.leave_out_since(time("2000-01-01T00:00:00Z").unwrap());
        let mut past = decided.clone();
        past.of.at = Some("2001-01-01T00:00:00Z".to_owned());
        assert!(open.is_too_new(&past));
        past.of.at = Some("2999-01-01T00:00:00Z".to_owned());
        assert!(!open.is_too_new(&past));
    }
}
