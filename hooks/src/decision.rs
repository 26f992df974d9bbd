//! Deciding a call: all or nothing, and silence whenever in doubt.

use crate::doors::Door;
use crate::keys::is_split;
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::recommended::same_label;
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
            Self::Disabled => "disabled",
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
}

/// Decides every question of a call. Either all are answered, or none: then the second value
/// holds the reason for each.
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
) -> Result<Vec<Choice>, Vec<AskReason>> {
    let unique = |question: &Question| {
        questions
            .iter()
            .filter(|other| other.sent.text == question.sent.text)
            .count()
            == 1
    };
    let mut verdicts: Vec<Result<Choice, AskReason>> = questions
        .iter()
        .zip(standing)
        .map(|(question, standing)| {
            let choice = decide_one(question, standing, registry)?;
            // Answers are keyed by question text, so two questions of one text cannot be told apart.
            if unique(question) {
                Ok(choice)
            } else {
                Err(AskReason::Ambiguous)
            }
        })
        .collect();
    if verdicts.is_empty() || verdicts.iter().any(Result::is_err) {
        return Err(verdicts
            .drain(..)
            .map(|verdict| verdict.err().unwrap_or(AskReason::PartialCall))
            .collect());
    }
    Ok(verdicts.into_iter().flatten().collect())
}

fn decide_one(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<Choice, AskReason> {
    let Some((first, others)) = standing.split_first() else {
        return Err(if is_split(&question.key) {
            AskReason::Split
        } else {
            AskReason::NoPreference
        });
    };
    if is_split(&question.key) {
        return Err(AskReason::Split);
    }
    // A family is asked as soon as it is worded otherwise than when the person decided about it.
    if !standing.iter().all(|(_, entry)| entry.fits(&question.text)) {
        return Err(AskReason::Ambiguous);
    }
    if standing
        .iter()
        .any(|(_, entry)| entry.preference == Policy::AlwaysAsk)
    {
        return Err(AskReason::AlwaysAsk);
    }
    let inert =
        |(_, entry): &(Scope, Preference)| entry.inert_reason(&question.key, registry).is_some();
    if question.door == Door::OneWay || standing.iter().any(inert) {
        return Err(AskReason::OneWay);
    }
    let label = answer_of(question, &first.1)?;
    let agrees = |(_, entry): &(Scope, Preference)| answer_of(question, entry) == Ok(label);
    if !others.iter().all(agrees) {
        return Err(AskReason::Ambiguous);
    }
    if question.one_way_reason(Some(label), registry).is_some() {
        return Err(AskReason::OneWay);
    }
    Ok(Choice {
        label: label.to_owned(),
        policy: first.1.preference,
        scope: first.0,
    })
}

/// The one label that `entry` answers with. A pinned label that is not offered, or offered twice,
/// gives none: the person meant that label and nothing else.
fn answer_of<'q>(question: &'q Question, entry: &Preference) -> Result<&'q str, AskReason> {
    let options = &question.sent.options;
    match &entry.answer {
        None => question.recommended_label().ok_or(AskReason::Ambiguous),
        Some(pinned) => {
            let mut offered = options.iter().filter(|label| same_label(label, pinned));
            match (offered.next(), offered.next()) {
                (Some(label), None) => Ok(label),
                _ => Err(AskReason::Ambiguous),
            }
        }
    }
}
