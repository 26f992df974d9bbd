//! Prompts as far as counting needs them, joined from the events that ask and those that decide: what the view
//! `permission_prompts` does, without the time that DuckDB takes to plan it.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use plantune_domain::permissions::Reach;
use serde::Deserialize;

use crate::rows::utc;

/// An event about permissions.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Logged {
    pub(super) kind: String,
    pub(super) id: String,
    pub(super) asked_id: Option<String>,
    #[serde(with = "utc")]
    pub(super) at: DateTime<Utc>,
    pub(super) day: NaiveDate,
    pub(super) project: String,
    pub(super) session_id: String,
    pub(super) session_kind: String,
    pub(super) tool: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) reach: Option<Reach>,
    pub(super) grant: Option<String>,
    pub(super) waited_seconds: Option<f64>,
    /// The person was away for as long.
    pub(super) while_away: bool,
    pub(super) ambiguous: bool,
    pub(super) reason: Option<String>,
    pub(super) calls: u64,
    pub(super) agent_id: Option<String>,
    pub(super) asker: Option<String>,
    pub(super) input_digest: Option<String>,
}

/// How a prompt was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Granted,
    Refused,
    Ambiguous,
    Open,
}

/// A prompt.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) day: NaiveDate,
    pub(super) at: DateTime<Utc>,
    pub(super) asked_at: Option<DateTime<Utc>>,
    pub(super) decided_at: Option<DateTime<Utc>>,
    pub(super) project: String,
    pub(super) session_id: String,
    pub(super) session_kind: String,
    pub(super) tool: String,
    pub(super) subject: String,
    pub(super) asker: Option<String>,
    pub(super) reach: Option<Reach>,
    pub(super) outcome: Outcome,
    /// Of one that was allowed: `once`, `session` or `always`.
    pub(super) grant: Option<String>,
    pub(super) waited_seconds: Option<f64>,
    pub(super) while_away: bool,
    pub(super) reason: Option<String>,
}

/// The prompts that `events` ask or decide, each once.
pub(super) fn joined(events: &[Logged]) -> Vec<Counted> {
    let asked = events.iter().filter(|one| one.kind == "permission_asked");
    let asked: HashMap<&str, &Logged> = asked.map(|one| (one.id.as_str(), one)).collect();
    let is_decision = |one: &&Logged| {
        matches!(
            one.kind.as_str(),
            "permission_granted" | "permission_refused"
        )
    };
    let mut decided = HashSet::new();
    let mut prompts = Vec::new();
    for decision in events.iter().filter(is_decision) {
        let of = decision.asked_id.as_deref().and_then(|id| asked.get(id));
        decided.extend(of.map(|one| one.id.as_str()));
        prompts.push(counted(of.copied(), Some(decision)));
    }
    let again = logged_again(asked.values().copied().collect());
    let is_open = |id: &str| !decided.contains(id) && !again.contains(id);
    let open = asked.values().filter(|one| is_open(&one.id));
    prompts.extend(open.map(|one| counted(Some(one), None)));
    prompts
}

/// The ids of prompts that a hook registered twice logged a second time: the same call within two seconds.
fn logged_again(mut asked: Vec<&Logged>) -> HashSet<&str> {
    let call = |one: &Logged| {
        let names = [&one.agent_id, &one.tool, &one.input_digest].map(Clone::clone);
        (one.session_id.clone(), names)
    };
    asked.sort_by_cached_key(|one| (call(one), one.at, one.id.clone()));
    let pairs = asked.iter().zip(asked.iter().skip(1));
    let again = pairs.filter(|(first, second)| {
        call(first) == call(second) && second.at - first.at <= TimeDelta::seconds(2)
    });
    again.map(|(_, second)| second.id.as_str()).collect()
}

/// The prompt of its two events, at least one of which is there.
fn counted(asked: Option<&Logged>, decision: Option<&Logged>) -> Counted {
    let none = Logged::default();
    let first = asked.or(decision).unwrap_or(&none);
    let either = |of: fn(&Logged) -> &Option<String>| {
        let value = asked.and_then(|one| of(one).clone());
        value.or_else(|| decision.and_then(|one| of(one).clone()))
    };
    let tool = either(|one| &one.tool);
    let subject = either(|one| &one.subject);
    let outcome = match decision {
        None => Outcome::Open,
        Some(one) if one.ambiguous => Outcome::Ambiguous,
        Some(one) if one.kind == "permission_granted" => Outcome::Granted,
        Some(_) => Outcome::Refused,
    };
    let unknown = || "?".to_owned();
    Counted {
        day: first.day,
        at: first.at,
        asked_at: asked.map(|one| one.at),
        decided_at: decision.map(|one| one.at),
        project: first.project.clone(),
        session_id: first.session_id.clone(),
        session_kind: first.session_kind.clone(),
        subject: subject.or_else(|| tool.clone()).unwrap_or_else(unknown),
        tool: tool.unwrap_or_else(unknown),
        // The transcript knows of skills that the hook does not see.
        asker: [decision, asked]
            .into_iter()
            .flatten()
            .find_map(|one| one.asker.clone()),
        reach: asked
            .and_then(|one| one.reach)
            .or_else(|| decision.and_then(|one| one.reach)),
        outcome,
        grant: decision
            .filter(|_| outcome == Outcome::Granted)
            .and_then(|one| one.grant.clone()),
        waited_seconds: decision.and_then(|one| one.waited_seconds),
        while_away: decision.is_some_and(|one| one.while_away),
        reason: decision.and_then(|one| one.reason.clone()),
    }
}

/// True for the prompt of an agent that nobody attended: in a headless or spawned session, refused because
/// nobody was there, or left without a decision before the day `open_from`.
pub(super) fn is_unattended(
    [session_kind, outcome, reason]: [&str; 3],
    day: NaiveDate,
    open_from: Option<NaiveDate>,
) -> bool {
    matches!(session_kind, "headless" | "spawned")
        || outcome == "refused" && reason == "nobody"
        || outcome == "open" && open_from.is_some_and(|from| day < from)
}

impl Outcome {
    /// Its name in JSON.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::Refused => "refused",
            Self::Ambiguous => "ambiguous",
            Self::Open => "open",
        }
    }
}
