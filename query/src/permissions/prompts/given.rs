//! Where the person had chosen "don't ask again".

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

use super::event::Counted;

/// When "don't ask again" was chosen first, by what it was chosen for.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// By project, tool and subject.
    always: HashMap<[String; 3], DateTime<Utc>>,
    /// By session, tool and subject.
    session: HashMap<[String; 3], DateTime<Utc>>,
}

impl Given {
    /// What was chosen in the `prompts`.
    pub(super) fn of(prompts: &[Counted]) -> Self {
        let mut given = Self::default();
        for one in prompts {
            let (Some(grant), Some(at)) = (one.grant.as_deref(), one.decided_at) else {
                continue;
            };
            let (times, place) = match grant {
                "always" => (&mut given.always, &one.project),
                "session" => (&mut given.session, &one.session_id),
                _ => continue,
            };
            let first = times
                .entry(key(place, &one.tool, &one.subject))
                .or_insert(at);
            *first = at.min(*first);
        }
        given
    }

    /// What had been chosen for a prompt like this before it was shown, `always` or `session`, and when.
    pub(super) fn before(
        &self,
        [project, session, tool, subject]: [&str; 4],
        shown_at: DateTime<Utc>,
    ) -> Option<(&'static str, DateTime<Utc>)> {
        let found = |times: &HashMap<[String; 3], DateTime<Utc>>, place| {
            let at = times.get(&key(place, tool, subject)).copied();
            at.filter(|at| *at < shown_at)
        };
        let always = found(&self.always, project).map(|at| ("always", at));
        always.or_else(|| found(&self.session, session).map(|at| ("session", at)))
    }
}

fn key(place: &str, tool: &str, subject: &str) -> [String; 3] {
    [place, tool, subject].map(str::to_owned)
}

/// When a prompt was shown: where no hook saw that, as long before its decision as it waited.
pub(super) fn shown_at(
    asked_at: Option<DateTime<Utc>>,
    at: DateTime<Utc>,
    waited_seconds: Option<f64>,
) -> DateTime<Utc> {
    // A conversion from a float saturates.
    let waited = (waited_seconds.unwrap_or(0.0).max(0.0) * 1000.0) as i64;
    let before =
        TimeDelta::try_milliseconds(waited).and_then(|waited| at.checked_sub_signed(waited));
    asked_at.unwrap_or_else(|| before.unwrap_or(at))
}
