//! Events as tests log them.

use chrono::{DateTime, Utc};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::hash;

/// An event about a question of a call, or about a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestEvent {
    pub(crate) kind: Kind,
    pub(crate) at: DateTime<Utc>,
    /// Empty for none.
    pub(crate) session: String,
    pub(crate) project: String,
    pub(crate) call: u32,
    pub(crate) index: u32,
    pub(crate) key: String,
    pub(crate) answer: &'static str,
    pub(crate) was_auto_decided: Option<bool>,
    pub(crate) error_kind: Option<&'static str>,
    pub(crate) is_imported: bool,
    /// True for an id that other programs would give: any.
    pub(crate) has_foreign_id: bool,
}

impl TestEvent {
    /// About the first question of `call`, in the one session of the one project.
    pub(crate) fn new(kind: Kind, call: u32, at: &str) -> Self {
        Self {
            kind,
            at: at.parse().unwrap(),
            session: "session".to_owned(),
            project: "shop".to_owned(),
            call,
            index: 0,
            key: "key".to_owned(),
            answer: "Yes",
            was_auto_decided: None,
            error_kind: None,
            is_imported: false,
            has_foreign_id: false,
        }
    }

    pub(crate) fn in_session(mut self, session: &str) -> Self {
        self.session = session.to_owned();
        self
    }

    pub(crate) fn id(&self) -> String {
        let (call, ts) = (self.tool_use_id(), timestamp(self.at));
        match (self.kind.is_of_question(), self.has_foreign_id) {
            (true, false) => question_event_id(self.kind, &call, self.index),
            (true, true) => {
                let index = self.index.to_string();
                hash::hex(&[self.kind.as_str(), &call, &index, &ts, &self.session])
            }
            (false, _) => hash::hex(&[self.kind.as_str(), &self.session, &ts]),
        }
    }

    fn tool_use_id(&self) -> String {
        format!("toolu_{}", self.call)
    }

    pub(crate) fn line(&self) -> Vec<u8> {
        let kind = self.kind;
        let event = Event {
            v: SCHEMA_VERSION,
            id: self.id().into(),
            ts: timestamp(self.at).into(),
            kind: kind.as_str().into(),
            session_id: self.session.clone().into(),
            session_kind: if self.session.ends_with('1') {
                "headless"
            } else {
                "interactive"
            }
            .into(),
            project: self.project.clone().into(),
            cwd: "/w".into(),
            source: if self.is_imported {
                "import:claude-code"
            } else {
                "hook"
            }
            .into(),
            error_kind: self
                .error_kind
                .filter(|_| matches!(kind, Kind::Failed | Kind::HookError))
                .map(Into::into),
            ..Event::default()
        };
        let event = if kind.is_of_question() {
            self.about_question(event)
        } else {
            event
        };
        event.to_line().unwrap()
    }

    fn about_question<'e>(&'e self, event: Event<'e>) -> Event<'e> {
        let is_answered = self.kind == Kind::Answered;
        let has_answer = is_answered || self.kind == Kind::AutoDecided;
        Event {
            tool_name: Some("AskUserQuestion".into()),
            tool_use_id: Some(self.tool_use_id().into()),
            question_index: Some(self.index),
            question_count: Some(2),
            question_key: Some(self.key.as_str().into()),
            key_source: Some("marker".into()),
            // Each kind words it otherwise, so that a mixed description would show.
            question: Some(format!("{} of {}?", self.kind.as_str(), self.call).into()),
            header: (self.kind == Kind::Asked).then(|| "Header".into()),
            options: Some(vec!["Yes (Recommended)".into(), "No".into()]),
            recommended: Some("Yes".into()),
            door: Some("two-way".into()),
            ask_reason: (self.kind == Kind::Asked).then(|| "no_preference".into()),
            answer: has_answer.then(|| vec![self.answer.into()]),
            was_auto_decided: self.was_auto_decided.filter(|_| is_answered),
            followed_recommendation: is_answered.then_some(Some(self.answer == "Yes")),
            reason: (self.kind == Kind::Dismissed).then(|| "rejected".into()),
            ..event
        }
    }
}
