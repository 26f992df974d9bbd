//! Deciding a call: all or nothing, and silence whenever in doubt.

use std::borrow::Cow;

use crate::doors::Door;
use crate::event::Event;
use crate::keys::is_split;
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::recommended::{marked, same_label};
use crate::registry::Registry;

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

/// Decides every question of a call. Either all are answered, or none: then the error holds the
/// reason for each.
///
/// `standing` are the preferences found for each question, those of the project and those that
/// hold everywhere.
///
/// # Errors
/// Why each question is asked.
pub fn decide(
    questions: &[Question],
    standing: &[Vec<(Scope, Preference)>],
    registry: &Registry,
) -> Result<Vec<Choice>, Vec<Ask>> {
    let unique = |question: &Question| {
        questions
            .iter()
            .filter(|other| other.sent.text == question.sent.text)
            .count()
            == 1
    };
    let verdicts: Vec<Result<Choice, Ask>> = questions
        .iter()
        .zip(standing)
        .map(|(question, standing)| {
            let choice = decide_one(question, standing, registry)?;
            // Answers are keyed by question text, so two questions of one text cannot be told apart.
            if unique(question) {
                Ok(choice)
            } else {
                Err(Ask::because(AskReason::Ambiguous, "same_text_twice"))
            }
        })
        .collect();
    let refused = verdicts
        .iter()
        .enumerate()
        .find_map(|(index, verdict)| Some((index, verdict.as_ref().err()?.reason.name())));
    let Some((index, name)) = refused else {
        let choices: Vec<Choice> = verdicts.into_iter().flatten().collect();
        // A call without questions is none to answer.
        return if choices.is_empty() {
            Err(Vec::new())
        } else {
            Ok(choices)
        };
    };
    let partial = Ask::because(
        AskReason::PartialCall,
        format!("question {} is asked: {name}", index + 1),
    );
    Err(verdicts
        .into_iter()
        .map(|verdict| verdict.err().unwrap_or_else(|| partial.clone()))
        .collect())
}

fn decide_one(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<Choice, Ask> {
    if is_split(&question.key) {
        return Err(AskReason::Split.into());
    }
    let Some((first, others)) = standing.split_first() else {
        return Err(AskReason::NoPreference.into());
    };
    if question.is_named_twice {
        return Err(Ask::because(AskReason::Ambiguous, "several_markers"));
    }
    // A family is asked as soon as it is worded otherwise than when the person decided about it.
    if !standing.iter().all(|(_, entry)| entry.fits(&question.text)) {
        return Err(Ask::because(AskReason::Ambiguous, "worded_otherwise"));
    }
    if standing
        .iter()
        .any(|(_, entry)| entry.preference == Policy::AlwaysAsk)
    {
        return Err(AskReason::AlwaysAsk.into());
    }
    if question.door == Door::OneWay {
        // The event holds the door's reason.
        return Err(AskReason::OneWay.into());
    }
    let one_way = |reason: String| Ask::because(AskReason::OneWay, reason);
    let inert = |(_, entry): &(Scope, Preference)| entry.inert_reason(&question.key, registry);
    if let Some(reason) = standing.iter().find_map(inert) {
        return Err(one_way(reason));
    }
    let ambiguous = |because: &'static str| Ask::because(AskReason::Ambiguous, because);
    let label = answer_of(question, &first.1).map_err(ambiguous)?;
    let agrees = |(_, entry): &(Scope, Preference)| answer_of(question, entry) == Ok(label);
    if !others.iter().all(agrees) {
        return Err(ambiguous("preferences_disagree"));
    }
    if let Some(reason) = question.one_way_reason(Some(label), registry) {
        return Err(one_way(reason));
    }
    Ok(Choice {
        label: label.to_owned(),
        policy: first.1.preference,
        scope: first.0,
        set_at: first.1.set_at.clone(),
        instead: None,
    })
}

/// The one label that `entry` answers with. A pinned label that is not offered, or offered twice,
/// gives none: the person meant that label and nothing else.
///
/// # Errors
/// Why it gives none.
fn answer_of<'q>(question: &'q Question, entry: &Preference) -> Result<&'q str, &'static str> {
    let options = &question.sent.options;
    match &entry.answer {
        None => question.recommended_label().ok_or_else(|| {
            if marked(options) > 1 {
                "several_recommended"
            } else {
                "none_recommended"
            }
        }),
        Some(pinned) => {
            let mut offered = options.iter().filter(|label| same_label(label, pinned));
            match (offered.next(), offered.next()) {
                (Some(label), None) => Ok(label),
                (None, _) => Err("pinned_not_offered"),
                (Some(_), Some(_)) => Err("pinned_offered_twice"),
            }
        }
    }
}
