//! What a transaction's events say beyond themselves: about questions, sessions, and the hook's own
//! errors. Gathered in memory while the log is written, and from the log when the projections are
//! computed anew.

use std::collections::HashMap;

use ahash::RandomState;
use plantune_domain::hash;

use crate::fact::Fact;
use crate::moments::{Moment, Name};
use crate::part::{Description, KINDS, Part, rank};

/// An event, as far as the projections know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saying<'a> {
    pub(crate) kind: &'a str,
    /// Microseconds since 1970, UTC.
    pub(crate) micros: i64,
    pub(crate) context: u32,
    pub(crate) wording: u32,
    pub(crate) detail: u32,
    pub(crate) session_id: &'a str,
    pub(crate) session_kind: &'a str,
    pub(crate) project: &'a str,
    pub(crate) tool_use_id: Option<&'a str>,
    pub(crate) question_index: Option<u32>,
    pub(crate) question_count: Option<u32>,
    pub(crate) question_key: Option<&'a str>,
    pub(crate) is_one_way: bool,
    pub(crate) was_auto_decided: Option<bool>,
    pub(crate) followed: Option<bool>,
    pub(crate) answer_name: Option<&'a str>,
}

impl<'a> Saying<'a> {
    /// The call and the index that identify the question that this is about; `None` when it is about
    /// none.
    pub(crate) fn asked_of(&self) -> Option<(&'a str, u32)> {
        rank(self.kind)?;
        self.question_key?;
        Some((self.tool_use_id?, self.question_index?))
    }

    /// What identifies the question that this is about; `None` when it is about none.
    pub(crate) fn question(&self) -> Option<u128> {
        self.asked_of().map(question_id)
    }
}

/// What identifies a question, of the call and the index that do.
pub(crate) fn question_id((tool_use_id, index): (&str, u32)) -> u128 {
    let digest = hash::digest(&["question", tool_use_id, &index.to_string()]);
    u128::from_be_bytes(digest)
}

/// One session of the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) id: String,
    /// The first event's time and session kind; of several, the first kind by name.
    pub(crate) first: (i64, String),
    pub(crate) last_at: i64,
    pub(crate) ended_at: Option<i64>,
}

impl Session {
    /// What two sides know of a session.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.first = self.first.min(other.first);
        self.last_at = self.last_at.max(other.last_at);
        self.ended_at = self.ended_at.max(other.ended_at);
        self
    }
}

/// A project and session kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) project: String,
    pub(crate) session_kind: String,
}

/// Questions by what identifies them.
#[derive(Default)]
pub(crate) struct Questions {
    /// Apart from the facts, so that growing moves little. By their ids, big endian: aligned as numbers
    /// these would take half as much again.
    places: HashMap<[u8; 16], u32, RandomState>,
    /// With the first half of their ids, of which theirs is the other.
    facts: Vec<(u64, Fact)>,
}

impl Questions {
    pub(crate) fn get(&self, question: u128) -> Option<&Part> {
        let place = self.places.get(&question.to_be_bytes())?;
        self.facts.get(*place as usize).map(|(_, fact)| &fact.part)
    }

    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// True when the question is met for the first time.
    fn add(&mut self, question: u128, part: Part) -> bool {
        let next = self.facts.len() as u32;
        let place = *self.places.entry(question.to_be_bytes()).or_insert(next);
        match self.facts.get_mut(place as usize) {
            Some((_, known)) => {
                known.part = known.part.and(part);
                false
            }
            None => {
                let fact = Fact::told(question as u64, part);
                self.facts.push(((question >> 64) as u64, fact));
                true
            }
        }
    }

    /// What is said of each, in the order in which they came.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.facts.iter().map(|(_, fact)| &fact.part)
    }

    /// The questions, in the order in which they came, each with the first half of its id.
    pub(crate) fn into_facts(self) -> Vec<(u64, Fact)> {
        self.facts
    }
}

/// What events say beyond themselves.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) questions: Questions,
    pub(crate) sessions: HashMap<u64, Session, RandomState>,
    pub(crate) scopes: HashMap<u64, Scope, RandomState>,
    /// Scope and question key of each series.
    pub(crate) series: HashMap<u64, (u64, String), RandomState>,
    /// When the hook failed, and in which project.
    pub(crate) hook_errors: Vec<(i64, String)>,
    /// Session and scope of a context.
    contexts: HashMap<u32, (u64, u64), RandomState>,
    /// The series of a scope's question key, by the hash of both.
    known_series: HashMap<u64, u64, RandomState>,
    /// The last event's context with its session and scope, and its scope and wording with their series:
    /// the next event is mostly of the same, and looked up for nothing.
    last_context: Option<(u32, (u64, u64))>,
    last_series: Option<((u64, u32), u64)>,
}

impl Told {
    /// Takes in an event, about the question that [`Saying::question`] names; true when that is met for
    /// the first time.
    pub(crate) fn add(
        &mut self,
        saying: &Saying<'_>,
        question: Option<u128>,
        names: &RandomState,
    ) -> bool {
        let (session, scope) = self.context(saying);
        if let Some(session) = self.sessions.get_mut(&session) {
            let at = saying.micros;
            if (at, saying.session_kind) < (session.first.0, &session.first.1) {
                session.first = (at, saying.session_kind.to_owned());
            }
            session.last_at = session.last_at.max(at);
            if saying.kind == "session_ended" {
                session.ended_at = session.ended_at.max(Some(at));
            }
        }
        if saying.kind == "hook_error" {
            self.hook_errors
                .push((saying.micros, saying.project.to_owned()));
        }
        match question.zip(self.part(saying, session, scope, names)) {
            Some((question, part)) => self.questions.add(question, part),
            None => false,
        }
    }

    /// The session and the scope of an event; 0 for an event of no session.
    fn context(&mut self, saying: &Saying<'_>) -> (u64, u64) {
        if let Some((context, known)) = self.last_context
            && context == saying.context
        {
            return known;
        }
        let found = self.find_context(saying);
        self.last_context = Some((saying.context, found));
        found
    }

    fn find_context(&mut self, saying: &Saying<'_>) -> (u64, u64) {
        if let Some(known) = self.contexts.get(&saying.context) {
            return *known;
        }
        let scope = short(&["scope", saying.project, saying.session_kind]);
        let session = if saying.session_id.is_empty() {
            0
        } else {
            short(&["session", saying.session_id])
        };
        self.contexts.insert(saying.context, (session, scope));
        self.scopes.entry(scope).or_insert_with(|| Scope {
            project: saying.project.to_owned(),
            session_kind: saying.session_kind.to_owned(),
        });
        if session != 0 {
            self.sessions.entry(session).or_insert_with(|| Session {
                id: saying.session_id.to_owned(),
                first: (saying.micros, saying.session_kind.to_owned()),
                last_at: saying.micros,
                ended_at: None,
            });
        }
        (session, scope)
    }

    fn series(&mut self, scope: u64, key: &str, names: &RandomState) -> u64 {
        let place = names.hash_one((scope, key));
        if let Some(series) = self.known_series.get(&place)
            && let Some((known_scope, known_key)) = self.series.get(series)
            && (*known_scope, known_key.as_str()) == (scope, key)
        {
            return *series;
        }
        let series = short(&["series", &scope.to_string(), key]);
        self.known_series.insert(place, series);
        self.series
            .entry(series)
            .or_insert_with(|| (scope, key.to_owned()));
        series
    }

    fn part(
        &mut self,
        saying: &Saying<'_>,
        session: u64,
        scope: u64,
        names: &RandomState,
    ) -> Option<Part> {
        let rank = rank(saying.kind)?;
        let key = saying.question_key?;
        let place = (scope, saying.wording);
        let series = match self.last_series {
            Some((last, series)) if last == place => series,
            _ => self.series(scope, key, names),
        };
        self.last_series = Some((place, series));
        let moment = Moment {
            at: saying.micros,
            detail: saying.detail,
        };
        let moments = (0..KINDS.len()).map(|other| (other == rank).then_some(moment));
        let name = saying.answer_name.map(|name| Name::new(name, names));
        let is = |kind: &str| saying.kind == kind;
        Some(Part {
            description: Description {
                rank: u8::try_from(rank).ok()?,
                context: saying.context,
                wording: saying.wording,
                series,
                scope,
                session,
                index: saying.question_index?,
                count: saying.question_count,
                is_one_way: saying.is_one_way,
            },
            moments: moments.collect(),
            was_auto_decided: saying.was_auto_decided.filter(|_| is("answered")),
            followed: saying.followed.filter(|_| is("answered")),
            decided_name: name.filter(|_| is("auto_decided")),
            answer_name: name.filter(|_| is("answered")),
        })
    }
}

/// 64 bits that stand for what `parts` name.
fn short(parts: &[&str]) -> u64 {
    let digest = u128::from_be_bytes(hash::digest(parts));
    (digest >> 64) as u64
}
