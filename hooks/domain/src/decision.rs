//! What can be decided about a question: an answer, or that it is asked, and why.

use std::borrow::Cow;

use crate::event::Event;
use crate::preferences::{Policy, Scope};

/// Why a question is put to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskReason {
    /// Nothing was decided about it.
    NoPreference,
    /// A preference says so.
    AlwaysAsk,
    /// It cannot be taken back.
    OneWay,
    /// Preferences disagree, or no single answer follows from them.
    Ambiguous,
    /// Another question of the same call must be asked.
    PartialCall,
    /// It is one option of a split question.
    Split,
    /// A preference could have answered; the person is asked to see whether it is still right.
    SpotCheck,
    /// Deciding is switched off.
    Disabled,
}

impl AskReason {
    /// The name in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoPreference => "no_preference",
            Self::AlwaysAsk => "always_ask",
            Self::OneWay => "one_way",
            Self::Ambiguous => "ambiguous",
            Self::PartialCall => "partial_call",
            Self::Split => "split",
            Self::SpotCheck => "spot_check",
            Self::Disabled => "disabled",
        }
    }
}

/// Why one question is put to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which of the reasons.
    pub reason: AskReason,
    /// What in particular, where the reason leaves that open (`docs/events.md`).
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
    /// The label, exactly as sent.
    pub label: String,
    /// What the preference says.
    pub policy: Policy,
    /// Where it holds.
    pub scope: Scope,
    /// When it was set.
    pub set_at: Option<String>,
    /// Whose answer it is, where it is no preference's; `policy` and `scope` say nothing then.
    pub instead: Option<Instead>,
}

/// Who answered where no preference did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The person, earlier in this session.
    Reask,
    /// The person's reviewer.
    Reviewer,
}

impl Choice {
    /// An answer that is no preference's.
    pub fn instead(label: String, instead: Instead) -> Self {
        Self {
            label,
            policy: Policy::NeverAsk,
            scope: Scope::Project,
            set_at: None,
            instead: Some(instead),
        }
    }

    /// What events say in `preference` and in `preference_scope`.
    pub fn names(&self) -> (&'static str, &'static str) {
        match self.instead {
            None => (self.policy.name(), self.scope.name()),
            Some(Instead::Reask) => ("reask", "session"),
            Some(Instead::Reviewer) => ("reviewer", "global"),
        }
    }

    /// Writes what is answered, and by what, into `event`.
    pub fn describe<'a>(&'a self, event: &mut Event<'a>) {
        event.answer = Some(vec![self.label.as_str().into()]);
        let (preference, scope) = self.names();
        event.preference = Some(preference.into());
        event.preference_scope = Some(scope.into());
    }
}
