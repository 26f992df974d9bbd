//! Events, schema 1: what the hooks and the importers write, one flat JSON object a line.
//!
//! Every field is optional for a reader except those of [`Event::new`]; unknown fields are
//! ignored, an unknown `v` is quarantined by the ingester. Field names and meanings are frozen.

use std::borrow::Cow;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::hash;
use crate::named::named_enum;

/// The schema version written, and the only one understood.
pub const SCHEMA_VERSION: u32 = 1;

/// The longest line written, in bytes, newline not counted.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// Text that is borrowed from the line it was read from wherever that line holds it unescaped.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self(text)
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text)))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

named_enum! {
    /// What happened.
    pub enum Kind {
        /// The person was asked.
        Asked = "asked",
        /// A preference answered the question.
        AutoDecided = "auto_decided",
        /// An answer came back.
        Answered = "answered",
        /// The person was asked, and declined, was away, or broke it off.
        Dismissed = "dismissed",
        /// The question could not be shown, or its answer was lost.
        Failed = "failed",
        /// A session of the agent began or was resumed.
        SessionStarted = "session_started",
        /// A session of the agent ended.
        SessionEnded = "session_ended",
        /// The person changed a preference.
        PreferenceChanged = "preference_changed",
        /// The hook could not do its work.
        HookError = "hook_error",
        /// The person was asked whether a tool may run.
        PermissionAsked = "permission_asked",
        /// They allowed it.
        PermissionGranted = "permission_granted",
        /// They did not.
        PermissionRefused = "permission_refused",
        /// The host refused it without asking anybody.
        PermissionDenied = "permission_denied",
        /// How many calls of a turn ran without anybody being asked.
        PermissionAuto = "permission_auto",
    }
}

named_enum! {
    /// How a question ended, over all of its events.
    pub enum QuestionOutcome {
        /// Nothing is known yet.
        Open = "open",
        /// The person answered.
        Answered = "answered",
        /// It was answered for the person.
        AutoDecided = "auto_decided",
        /// It could not be shown, or its answer was lost.
        Failed = "failed",
        /// The person was asked and did not answer.
        Dismissed = "dismissed",
    }
}

impl Kind {
    /// True for the kinds of event about one question of one call.
    pub fn is_of_question(self) -> bool {
        matches!(
            self,
            Self::Asked | Self::AutoDecided | Self::Answered | Self::Dismissed | Self::Failed
        )
    }
}

/// The id of an event about one question: the same wherever and however often it is logged.
pub fn question_event_id(kind: Kind, tool_use_id: &str, question_index: u32) -> String {
    hash::hex(&[kind.as_str(), tool_use_id, &question_index.to_string()])
}

/// One event. See `docs/development/events.md` for each field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(
    missing_docs,
    reason = "the field list is documented as a table, in docs/development/events.md"
)]
pub struct Event<'a> {
    pub v: u32,
    #[serde(borrow)]
    pub id: Text<'a>,
    #[serde(borrow)]
    pub ts: Text<'a>,
    #[serde(borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub session_id: Text<'a>,
    #[serde(borrow)]
    pub session_kind: Text<'a>,
    #[serde(borrow)]
    pub project: Text<'a>,
    #[serde(borrow)]
    pub cwd: Text<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Text<'a>>,
    /// Which agent it is; absent for Claude Code.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Text<'a>>,
    #[serde(borrow)]
    pub source: Text<'a>,

    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question_index: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question_count: Option<u32>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub question_key: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub key_source: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub question: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub header: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Text<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub descriptions: Option<Vec<Text<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub previews: Option<Vec<Text<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub recommended: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multi_select: Option<bool>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub door: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub door_reason: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub skill: Option<Text<'a>>,

    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub ask_reason: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Vec<Text<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub free_text: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_auto_decided: Option<bool>,
    /// Written as `null`, and not left out, on answers whose recommendation is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub followed_recommendation: Option<Option<bool>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub preference: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub preference_scope: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub level: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assisted: Option<bool>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Text<'a>>,

    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<crate::permissions::Reach>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub input: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub input_digest: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<Text<'a>>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub mcp_server: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub asked_id: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Text<'a>>,
    /// Written as `null`, and not left out, on decisions whose waiting time is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_seconds: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ambiguous: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,

    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub error: Option<Text<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<Text<'a>>,
    /// Why a question was dismissed, a session ended, or a preference changed; why a question was
    /// asked, where `ask_reason` leaves that open.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text<'a>>,
    /// Free-form JSON text that explains a change (evidence at the time).
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Text<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl Event<'_> {
    /// The event as a line of the spool, newline included.
    ///
    /// Texts are cut, longest allowed length halved step by step, until the line fits
    /// [`MAX_LINE_BYTES`]; `truncated` is set then.
    ///
    /// # Errors
    /// Those of the serialiser; none is known for this type.
    pub fn to_line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        let mut limit = MAX_LINE_BYTES / 4;
        let mut shorter;
        while line.len() > MAX_LINE_BYTES && limit > 0 {
            shorter = self.clone();
            shorter.cut_texts(limit);
            line = serde_json::to_vec(&shorter)?;
            limit /= 2;
        }
        line.push(b'\n');
        Ok(line)
    }

    fn cut_texts(&mut self, limit: usize) {
        self.truncated = true;
        let required = [
            &mut self.session_id,
            &mut self.session_kind,
            &mut self.project,
            &mut self.cwd,
            &mut self.source,
        ];
        let optional = [
            &mut self.permission_mode,
            &mut self.entrypoint,
            &mut self.agent_id,
            &mut self.tool_name,
            &mut self.tool_use_id,
            &mut self.question_key,
            &mut self.question,
            &mut self.header,
            &mut self.recommended,
            &mut self.door_reason,
            &mut self.skill,
            &mut self.shown,
            &mut self.subject,
            &mut self.input,
            &mut self.mcp_server,
            &mut self.transcript,
            &mut self.free_text,
            &mut self.notes,
            &mut self.error,
            &mut self.reason,
            &mut self.detail,
        ];
        let lists = [
            &mut self.options,
            &mut self.descriptions,
            &mut self.previews,
            &mut self.answer,
            &mut self.suggestions,
        ];
        required
            .into_iter()
            .chain(optional.into_iter().flatten())
            .for_each(|text| cut(text, limit));
        for list in lists.into_iter().flatten() {
            list.iter_mut().for_each(|text| cut(text, limit));
            list.truncate(limit.max(4));
        }
    }
}

fn cut(text: &mut Text<'_>, limit: usize) {
    if text.len() > limit {
        let end = text.floor_char_boundary(limit);
        text.0.to_mut().truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_to_fit() {
        let event = Event {
            v: SCHEMA_VERSION,
            question: Some("ü".repeat(MAX_LINE_BYTES).into()),
            options: Some(vec!["\u{1}".repeat(30_000).into(); 4]),
            ..Event::default()
        };
        let line = event.to_line().unwrap();
        assert!(line.len() <= MAX_LINE_BYTES + 1);
        let read: Event<'_> = serde_json::from_slice(&line).unwrap();
        assert!(read.truncated);
        assert!(read.question.unwrap().starts_with('ü'));
    }

    #[test]
    fn bytes_are_frozen() {
        let event = Event {
            v: SCHEMA_VERSION,
            id: question_event_id(Kind::Answered, "toolu_1", 1).into(),
            ts: "2026-11-20T10:00:00.000Z".into(),
            kind: Kind::Answered.as_str().into(),
            session_id: "s".into(),
            session_kind: "interactive".into(),
            project: "github.com/o/r".into(),
            cwd: "/w".into(),
            source: "hook".into(),
            tool_use_id: Some("toolu_1".into()),
            question_index: Some(1),
            answer: Some(vec!["A".into()]),
            followed_recommendation: Some(None),
            ..Event::default()
        };
        assert_eq!(
            String::from_utf8(event.to_line().unwrap()).unwrap(),
            concat!(
                r#"{"v":1,"id":"96342d17f5804a03149dca7d22ac00be","ts":"2026-11-20T10:00:00.000Z","#,
                r#""kind":"answered","session_id":"s","session_kind":"interactive","#,
                r#""project":"github.com/o/r","cwd":"/w","source":"hook","tool_use_id":"toolu_1","#,
                r#""question_index":1,"answer":["A"],"followed_recommendation":null}"#,
                "\n"
            )
        );
    }
}
