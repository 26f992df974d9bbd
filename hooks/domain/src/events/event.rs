//! Events, schema 1: the lines that hooks and importers write, each one flat JSON object.
//!
//! Every field is optional for a reader except those of [`Event::new`]; unknown fields are
//! ignored, an unknown `v` is quarantined by the ingester. Field names and meanings are frozen.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::hash;
use crate::json::Text;
use crate::named::named_enum;
use crate::preferences::{Level, Policy, Scope};

/// The schema version that is written, and the only one that can be read.
pub const SCHEMA_VERSION: u32 = 1;

/// The longest line that is written, in bytes, without the newline.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

named_enum! {
    /// The kind of an event.
    pub enum Kind {
        /// The person was asked.
        Asked = "asked",
        /// A preference answered the question.
        AutoDecided = "auto_decided",
        /// An answer came back.
        Answered = "answered",
        /// The person was asked, and declined, was away, or broke off.
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
        /// The number of calls of a turn that ran without asking anybody.
        PermissionAuto = "permission_auto",
        /// A skill's text is about to run a command that it contains. The person is not asked.
        SkillCommand = "skill_command",
    }
}

named_enum! {
    /// How a question ended, according to all of its events.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
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

named_enum! {
    /// For how long the person allowed a call of a tool.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Grant {
        /// This call.
        Once = "once",
        /// Calls like it in this session.
        Session = "session",
        /// Calls like it from now on.
        Always = "always",
    }
}

named_enum! {
    /// Why a call that somebody was to be asked about did not run.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RefusalReason {
        /// The person refused it.
        Rejected = "rejected",
        /// They refused it, and wrote what to do instead.
        Feedback = "feedback",
        /// There was nobody to ask.
        Nobody = "nobody",
        /// Its prompt was waiting when the person refused another call of the same answer.
        Cancelled = "cancelled",
        /// The person refused it, or allowed it and interrupted it: the transcript does not tell.
        Unclear = "unclear",
        /// The person refused it, or interrupted a run that nobody was asked about: the transcript does not tell.
        Unknown = "unknown",
    }
}

named_enum! {
    /// Why a call was denied without asking anybody.
    pub enum DenialReason {
        /// The classifier of a mode that asks little.
        Classifier = "classifier",
        /// The permission mode.
        Mode = "mode",
        /// A rule.
        Rule = "rule",
        /// Something else.
        Other = "other",
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

/// The id of an event about one question. It is the same wherever and however often it is logged.
pub fn question_event_id(kind: Kind, tool_use_id: &str, question_index: u32) -> String {
    hash::hex(&[kind.as_str(), tool_use_id, &question_index.to_string()])
}

/// Calls the macro `$with` with every field of an event after `v`, `id` and `ts`, in order: its name, and its type, one
/// of [`types`]. This is the only list of fields. The columns of batches, sealed segments and a fleet's lake come from
/// it, too.
#[macro_export]
macro_rules! event_fields {
    ($with:ident) => {
        $with! {
            kind: Required,
            session_id: Required,
            session_kind: Required,
            project: Required,
            cwd: Required,
            permission_mode: Text,
            entrypoint: Text,
            agent_id: Text,
            /// The agent; absent for Claude Code.
            agent: Text,
            source: Required,
            tool_name: Text,
            tool_use_id: Text,
            question_index: Count,
            question_count: Count,
            question_key: Text,
            key_source: Text,
            question: Text,
            header: Text,
            options: Texts,
            descriptions: Texts,
            previews: Texts,
            recommended: Text,
            multi_select: Flag,
            door: Text,
            door_reason: Text,
            skill: Text,
            ask_reason: Text,
            answer: Texts,
            free_text: Text,
            notes: Text,
            was_auto_decided: Flag,
            /// Written as `null`, not left out, for answers whose recommendation is unknown.
            followed_recommendation: NullableFlag,
            preference: Text,
            preference_scope: Text,
            mechanism: Text,
            level: Text,
            subject: Text,
            reach: Reach,
            input: Text,
            input_digest: Text,
            suggestions: Texts,
            mcp_server: Text,
            transcript: Text,
            asked_id: Text,
            /// When the decided call was made, according to its transcript: RFC 3339, UTC.
            called_at: Text,
            grant: Text,
            /// Written as `null`, not left out, for decisions whose waiting time is unknown.
            waited_seconds: NullableSeconds,
            ambiguous: Flag,
            calls: Count,
            error: Text,
            error_kind: Text,
            /// Why a question was dismissed, a session ended, or a preference changed. For an asked question, the
            /// details of `ask_reason`.
            reason: Text,
            /// Free-form JSON text that explains a change (evidence at the time).
            detail: Text,
            truncated: Flag,
        }
    };
}

/// The types of an event's fields.
pub mod types {
    /// Text that every event has.
    pub type Required<'a> = super::Text<'a>;
    /// Text.
    pub type Text<'a> = Option<super::Text<'a>>;
    /// Several texts.
    pub type Texts<'a> = Option<Vec<super::Text<'a>>>;
    /// A whole number.
    pub type Count<'a> = Option<u32>;
    /// True or false.
    pub type Flag<'a> = Option<bool>;
    /// True, false, or `null`.
    pub type NullableFlag<'a> = Option<Option<bool>>;
    /// Seconds, or `null`.
    pub type NullableSeconds<'a> = Option<Option<f64>>;
    /// How far a prompt's call reaches.
    pub type Reach<'a> = Option<crate::permissions::Reach>;
}

/// Defines the struct.
macro_rules! event {
    ($($(#[$doc:meta])* $name:ident: $type:ident,)+) => {
        /// One event. See `docs/development/events.md` for each field.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, bound(deserialize = "'de: 'a"))]
        #[allow(
            missing_docs,
            reason = "the field list is documented as a table, in docs/development/events.md"
        )]
        pub struct Event<'a> {
            pub v: u32,
            pub id: Text<'a>,
            pub ts: Text<'a>,
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "FieldValue::is_absent")]
                pub $name: types::$type<'a>,
            )+
        }

        impl Event<'_> {
            fn cut_texts(&mut self, limit: usize) {
                $(self.$name.cut(limit);)+
                self.truncated = Some(true);
            }
        }
    };
}

crate::event_fields!(event);

/// The value of a field.
trait FieldValue {
    /// True for a value that a line leaves out.
    fn is_absent(&self) -> bool {
        false
    }

    /// Shortens texts that are longer than `limit` bytes.
    fn cut(&mut self, _limit: usize) {}
}

impl FieldValue for u32 {}
impl FieldValue for bool {}
impl FieldValue for f64 {}
impl FieldValue for crate::permissions::Reach {}

impl FieldValue for Text<'_> {
    fn cut(&mut self, limit: usize) {
        if self.len() > limit {
            let end = self.floor_char_boundary(limit);
            self.0.to_mut().truncate(end);
        }
    }
}

impl FieldValue for Vec<Text<'_>> {
    fn cut(&mut self, limit: usize) {
        self.iter_mut().for_each(|text| text.cut(limit));
        self.truncate(limit.max(4));
    }
}

impl<T: FieldValue> FieldValue for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn cut(&mut self, limit: usize) {
        self.iter_mut().for_each(|value| value.cut(limit));
    }
}

impl Event<'_> {
    /// The event as a line of the spool, newline included.
    ///
    /// If the line does not fit [`MAX_LINE_BYTES`], texts are cut to a limit that is halved until it fits, and
    /// `truncated` is set.
    ///
    /// # Errors
    /// The errors of the serialiser. None are expected for this type.
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
}

// Decisions about a question: an answer, or that it is asked, and why.

named_enum! {
    /// Why a question is asked.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AskReason {
        /// No preference decides it.
        NoPreference = "no_preference",
        /// A preference for always asking.
        AlwaysAsk = "always_ask",
        /// It can't be undone.
        OneWay = "one_way",
        /// Preferences disagree or give no single answer, or something in the question is new.
        Ambiguous = "ambiguous",
        /// Another question of the same call must be asked.
        PartialCall = "partial_call",
        /// It is one option of a split question.
        Split = "split",
        /// A preference could have answered; the person is asked to see whether it is still right.
        SpotCheck = "spot_check",
        /// The agent's own check has just denied an action: the question may ask for the consent that was missing.
        AfterDenial = "after_denial",
        /// Deciding is switched off.
        Disabled = "disabled",
    }
}

/// Why a call that contains the model's own answers is asked. Its result is not evidence of what the person wants.
pub const ANSWERS_IN_INPUT: &str = "answers_in_input";

/// The agent does not wait for the answer.
pub const NOT_AWAITED: &str = "not_awaited";

named_enum! {
    /// How an answer was given for the person.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Mechanism {
        /// The tool call was allowed, with the answer in its input.
        Allow = "allow",
        /// The tool call was denied, with the answer as the reason.
        Deny = "deny",
        /// The reviewer answered or denied.
        Reviewer = "reviewer",
    }
}

/// The name of the mechanism, and of the level, for answers while the person is away.
pub const AWAY: &str = "away";

named_enum! {
    /// Why the person changed something: the `reason` of a `preference_changed` event.
    pub enum ChangeReason {
        /// They taught it in a dialog.
        Dialog = "dialog",
        /// They accepted a proposal.
        Suggest = "suggest",
        /// They want to be asked instead of what was proposed.
        SuggestNever = "suggest never",
        /// They accepted a permission rule.
        SuggestRule = "suggest rule",
        /// `prefs set`.
        PrefsSet = "prefs set",
        /// `prefs set --agents`.
        PrefsAgents = "prefs agents",
        /// `prefs clear`, and `undo` of a whole preference.
        PrefsClear = "prefs clear",
        /// They answered something new as the preference would, often enough.
        AgreedTo = "agreed to",
        /// They took over what others answer.
        FleetAdopt = "fleet adopt",
        /// They took back an answer, with the preference that gave it.
        Undo = "undo",
        /// They took back an answer given while they were away.
        UndoAway = "undo away",
        /// They took out a permission rule that plantune added, or put one back that was tidied away.
        UndoRule = "undo rule",
        /// They took out permission rules that could go.
        TidyRules = "tidy rules",
        /// They went away.
        Away = "away",
        /// They are back.
        Back = "back",
    }
}

/// The detail of [`AskReason::Ambiguous`] for a question that was logged as answered but asked after all, because the
/// answer could not be printed. It counts as asked.
pub const NOT_PRINTED: &str = "not_printed";

/// Why one question is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyAsked {
    /// Which of the reasons.
    pub reason: AskReason,
    /// The detail, for reasons that have one (`docs/development/events.md`).
    pub because: Option<Cow<'static, str>>,
}

impl WhyAsked {
    /// For `reason`, and `because` of that in particular.
    pub fn because(reason: AskReason, because: impl Into<Cow<'static, str>>) -> Self {
        Self {
            reason,
            because: Some(because.into()),
        }
    }
}

impl From<AskReason> for WhyAsked {
    fn from(reason: AskReason) -> Self {
        Self {
            reason,
            because: None,
        }
    }
}

/// An answer given for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The label as sent, without secrets.
    pub label: String,
    /// The source of the answer.
    pub by: AnsweredBy,
}

/// The source of an answer given for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnsweredBy {
    /// A preference.
    Preference {
        /// The preference's policy.
        policy: Policy,
        /// The preference's scope.
        scope: Scope,
        /// When it was set.
        set_at: Option<String>,
        /// Whether it is on trial.
        level: Level,
        /// The name of its question, if it was saved with the preference.
        name: Option<String>,
    },
    /// The person, earlier in this session.
    Session,
    /// The person's reviewer.
    Reviewer,
    /// The question's own recommendation, while the person is away: in one project, or everywhere.
    Away(Scope),
}

impl Choice {
    /// The label, as in the question without its secrets.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The question's name in messages for the person: the name in the preference that answers, otherwise its `text`.
    pub fn called<'a>(&'a self, text: &'a str) -> &'a str {
        match &self.by {
            AnsweredBy::Preference { name, .. } => name.as_deref().unwrap_or(text),
            AnsweredBy::Session | AnsweredBy::Reviewer | AnsweredBy::Away(_) => text,
        }
    }

    /// The field `level` of events: the preference's level, or "away".
    pub fn level(&self) -> Option<&'static str> {
        match &self.by {
            AnsweredBy::Preference { level, .. } => Some(level.as_str()),
            AnsweredBy::Away(_) => Some(AWAY),
            AnsweredBy::Session | AnsweredBy::Reviewer => None,
        }
    }

    /// The fields `preference` and `preference_scope` of events.
    pub fn names(&self) -> (&'static str, &'static str) {
        match &self.by {
            AnsweredBy::Preference { policy, scope, .. } => (policy.as_str(), scope.as_str()),
            AnsweredBy::Session => ("reask", "session"),
            AnsweredBy::Reviewer => ("reviewer", "global"),
            AnsweredBy::Away(scope) => (AWAY, scope.as_str()),
        }
    }

    /// Writes the answer and its source into `event`.
    pub fn describe<'a>(&'a self, event: &mut Event<'a>) {
        event.answer = Some(vec![self.label().into()]);
        let (preference, scope) = self.names();
        event.preference = Some(preference.into());
        event.preference_scope = Some(scope.into());
        event.level = self.level().map(Text::from);
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
        assert_eq!(read.truncated, Some(true));
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
