//! What the events session_started and session_ended say of a session. Merging does not depend on the
//! order, and may be done twice.

use std::collections::HashMap;

use plantune_domain::event::Event;

use super::words;
use crate::store::columns::{Columns, Type, Value};

/// The columns of the table `sessions`, in its order.
pub(crate) const COLUMNS: Columns = &[
    ("session_id", Type::Text),
    ("session_kind", Type::Text),
    ("project", Type::Text),
    ("first_at", Type::Time),
    ("last_at", Type::Time),
    ("ended_at", Type::Time),
];

/// One session, short of its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    /// The first event's time (microseconds since 1970, UTC), session kind and project; of several at
    /// one time, the first by name.
    pub(crate) first: (i64, &'static str, String),
    pub(crate) last_at: i64,
    pub(crate) ended_at: Option<i64>,
}

/// Sessions by their ids.
pub(crate) type Sessions = HashMap<String, Session>;

impl Session {
    /// The session of `event`, logged at `ts`; `None` for other events and those of no session.
    pub(crate) fn of(event: &Event<'_>, ts: i64) -> Option<Self> {
        let is_end = &*event.kind == "session_ended";
        let is_about_session = is_end || &*event.kind == "session_started";
        (is_about_session && !event.session_id.is_empty()).then(|| Self {
            first: (
                ts,
                words::session_kind(&event.session_kind),
                event.project.to_string(),
            ),
            last_at: ts,
            ended_at: is_end.then_some(ts),
        })
    }

    /// What both say of the same session.
    pub(crate) fn merge(&mut self, other: Self) {
        if other.first < self.first {
            self.first = other.first;
        }
        self.last_at = self.last_at.max(other.last_at);
        self.ended_at = self.ended_at.max(other.ended_at);
    }

    /// The values of its row.
    pub(crate) fn values<'s>(&'s self, id: &'s str) -> [Value<'s>; COLUMNS.len()] {
        let (first_at, kind, project) = &self.first;
        [
            Value::Text(Some(id)),
            Value::Text(Some(kind)),
            Value::Text(Some(project)),
            Value::Time(Some(*first_at)),
            Value::Time(Some(self.last_at)),
            Value::Time(self.ended_at),
        ]
    }
}

/// Adds `session` to what is known of `id`.
pub(crate) fn add(sessions: &mut Sessions, id: &str, session: Session) {
    match sessions.get_mut(id) {
        Some(known) => known.merge(session),
        None => {
            sessions.insert(id.to_owned(), session);
        }
    }
}
