//! What can be decided about a question: an answer, or that it is asked, and why.

use std::borrow::Cow;

use crate::event::{Event, Text};
use crate::named::named_enum;
use crate::preferences::{Level, Policy, Scope};

named_enum! {
    /// Why a question is asked.
    pub enum AskReason {
        /// Nothing was decided about it.
        NoPreference = "no_preference",
        /// A preference for always asking.
        AlwaysAsk = "always_ask",
        /// It cannot be taken back.
        OneWay = "one_way",
        /// Preferences disagree, or no single answer follows from them.
        Ambiguous = "ambiguous",
        /// Another question of the same call must be asked.
        PartialCall = "partial_call",
        /// It is one option of a split question.
        Split = "split",
        /// A preference could have answered; the person is asked to see whether it is still right.
        SpotCheck = "spot_check",
        /// Deciding is switched off.
        Disabled = "disabled",
    }
}

/// Why a call is asked that came with answers of the model's own: whatever comes back for it is no
/// evidence of what the person wants.
pub const ANSWERS_IN_INPUT: &str = "answers_in_input";

/// The agent does not wait for the answer.
pub const NOT_AWAITED: &str = "not_awaited";

named_enum! {
    /// How an answer was given for the person.
    pub enum Mechanism {
        /// The tool call was allowed, with the answer in its input.
        Allow = "allow",
        /// The tool call was denied, with the answer as the reason.
        Deny = "deny",
        /// The reviewer answered or denied.
        Reviewer = "reviewer",
    }
}

/// What answers, and at which level, while the person is away.
pub const AWAY: &str = "away";

/// What in particular, of a question that was answered on record and asked after all, because the
/// answer could not be printed: it counts as asked ([`AskReason::Ambiguous`]).
pub const NOT_PRINTED: &str = "not_printed";

/// Why one question is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which of the reasons.
    pub reason: AskReason,
    /// What in particular, where the reason leaves that open (`docs/development/events.md`).
    pub because: Option<Cow<'static, str>>,
}

impl Ask {
    /// For `reason`, and `because` of that in particular.
    pub fn because(reason: AskReason, because: impl Into<Cow<'static, str>>) -> Self {
        Self {
            reason,
            because: Some(because.into()),
        }
    }
}

impl From<AskReason> for Ask {
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
    /// What gives it.
    pub by: By,
}

/// What gives an answer for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A preference.
    Preference {
        /// What the preference does.
        policy: Policy,
        /// Where it holds.
        scope: Scope,
        /// When it was set.
        set_at: Option<String>,
        /// Whether it is on trial.
        level: Level,
        /// What its question is called, where that was written with it.
        name: Option<String>,
    },
    /// The person, earlier in this session.
    Session,
    /// The person's reviewer.
    Reviewer,
    /// The question, by what it recommends, while the person is away: in one project, or everywhere.
    Away(Scope),
}

impl Choice {
    /// The label, as the question has it without its secrets.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What the person is told was answered: what the question `text` is called by the preference that does, else
    /// the text itself.
    pub fn called<'a>(&'a self, text: &'a str) -> &'a str {
        match &self.by {
            By::Preference { name, .. } => name.as_deref().unwrap_or(text),
            By::Session | By::Reviewer | By::Away(_) => text,
        }
    }

    /// The field `level` of events: a preference's, or that the person is away.
    pub fn level(&self) -> Option<&'static str> {
        match &self.by {
            By::Preference { level, .. } => Some(level.as_str()),
            By::Away(_) => Some(AWAY),
            By::Session | By::Reviewer => None,
        }
    }

    /// The fields `preference` and `preference_scope` of events.
    pub fn names(&self) -> (&'static str, &'static str) {
        match &self.by {
            By::Preference { policy, scope, .. } => (policy.as_str(), scope.as_str()),
            By::Session => ("reask", "session"),
            By::Reviewer => ("reviewer", "global"),
            By::Away(scope) => (AWAY, scope.as_str()),
        }
    }

    /// Writes what is answered, and by what, into `event`.
    pub fn describe<'a>(&'a self, event: &mut Event<'a>) {
        event.answer = Some(vec![self.label().into()]);
        let (preference, scope) = self.names();
        event.preference = Some(preference.into());
        event.preference_scope = Some(scope.into());
        event.level = self.level().map(Text::from);
    }
}
