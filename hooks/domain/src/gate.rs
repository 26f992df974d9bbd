//! The gate: whether a question may be answered for the person. The hook, `suggest`, the backtest
//! and `prefs` all go through [`check`]; nothing else reads doors to decide.

mod away;

use std::fmt;

use crate::decision::{Ask, AskReason, Choice};
use crate::doors::{Door, one_way_reason};
use crate::keys::is_split;
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::recommended::{marked, same_label, strip_mark};
use crate::registry::Registry;
use crate::text::look_alike;

pub use away::answer_away;

/// An answer that somebody proposes to a question: a preference, a policy, a reviewer.
#[derive(Clone, Copy, Debug)]
pub struct ProposedAnswer<'a> {
    /// The question's key.
    pub key: &'a str,
    /// Its text, without a marker.
    pub text: &'a str,
    /// Its header.
    pub header: Option<&'a str>,
    /// Its labels.
    pub options: &'a [String],
    /// The label that would be chosen; `None` where it is not known yet.
    pub label: Option<&'a str>,
    /// What that option is described with; empty where there is nothing, or it is not known.
    pub description: &'a str,
    /// Its preview, likewise.
    pub preview: &'a str,
}

impl<'a> ProposedAnswer<'a> {
    /// `label` as the answer to `question`.
    pub fn to(question: &'a Question, label: &'a str) -> Self {
        Self {
            key: &question.key,
            text: &question.text,
            header: question.sent.header.as_deref(),
            options: &question.sent.options,
            label: Some(label),
            description: question.of_label(label, &question.sent.descriptions),
            preview: question.of_label(label, &question.sent.previews),
        }
    }

    /// What `preference` for `key` proposes, for the question that it was set for.
    fn of<'p: 'a>(key: &'a str, preference: &'p Preference) -> Self {
        Self {
            key,
            text: preference.question.as_deref().unwrap_or_default(),
            header: preference.header.as_deref(),
            options: preference.options.as_deref().unwrap_or_default(),
            label: preference.answer.as_deref(),
            description: "",
            preview: "",
        }
    }
}

/// Why a question must be asked, whatever the preferences are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is one option of a split question.
    Split,
    /// A rule of `registry.toml` makes it one-way: `registry`, or `registry: <category>`.
    Registry(String),
    /// The word lists make it one-way: which words.
    Words(String),
}

impl Refusal {
    /// The door's reason, as events carry it; `None` where the question has no door.
    pub fn door_reason(&self) -> Option<&str> {
        match self {
            Self::Split => None,
            Self::Registry(reason) | Self::Words(reason) => Some(reason),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Split => f.write_str("options of a split question are always asked"),
            Self::Registry(_) => f.write_str("one-way by registry.toml"),
            Self::Words(reason) => write!(f, "one-way ({reason})"),
        }
    }
}

/// Whether a question may be answered as proposed, as far as the question itself goes.
///
/// # Errors
/// Why it must be asked.
pub fn check(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    let ProposedAnswer {
        key,
        text,
        header,
        options,
        label,
        description,
        preview,
    } = *proposed;
    check_key(key, registry)?;
    if let Some(rule) = registry.one_way_rule(key, text, header, options) {
        return Err(Refusal::Registry(rule.reason()));
    }
    let texts = [
        key,
        text,
        header.unwrap_or_default(),
        label.map_or("", |label| strip_mark(label).0),
        description,
        preview,
    ];
    one_way_reason(&texts).map_or(Ok(()), |reason| Err(Refusal::Words(reason)))
}

/// Whether questions called `key` may be answered at all: the part of [`check`] that holds for all of
/// them.
///
/// # Errors
/// Why they must be asked.
pub fn check_key(key: &str, registry: &Registry) -> Result<(), Refusal> {
    if is_split(key) {
        return Err(Refusal::Split);
    }
    let mut rules = registry.rules_of(key);
    match rules.find(|rule| rule.door == Some(Door::OneWay)) {
        Some(rule) => Err(Refusal::Registry(rule.reason())),
        None => Ok(()),
    }
}

/// Whether `preference` for `key` may be obeyed at all, by the question that it was set for: one
/// function for the writer, which refuses, and the readers, which ignore.
///
/// # Errors
/// Why not.
pub fn check_preference(
    key: &str,
    preference: &Preference,
    registry: &Registry,
) -> Result<(), Refusal> {
    match preference.preference {
        Policy::AlwaysAsk => Ok(()),
        Policy::NeverAsk | Policy::AskOnlyForOneWay | Policy::Assist => {
            check(&ProposedAnswer::of(key, preference), registry)
        }
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
            let choice = answer(question, standing, registry)?;
            // Answers are keyed by question text, so two questions of one text cannot be distinguished.
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
        .find_map(|(index, verdict)| Some((index, verdict.as_ref().err()?.reason.as_str())));
    let Some((index, name)) = refused else {
        let choices: Vec<Choice> = verdicts.into_iter().flatten().collect();
        let labels: Vec<&str> = choices.iter().map(Choice::label).collect();
        return match one_way_together(questions, &labels) {
            // A call without questions is none to answer.
            _ if choices.is_empty() => Err(Vec::new()),
            Some(reason) => Err(vec![
                Ask::because(AskReason::OneWay, reason);
                questions.len()
            ]),
            None => Ok(choices),
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

/// Why the questions of a call are one-way when they are read together with the answers to them (empty
/// for one that has none), as the person would: one may name what another acts on.
pub fn one_way_together(questions: &[Question], labels: &[&str]) -> Option<String> {
    if questions.len() < 2 {
        return None;
    }
    let mut texts: Vec<&str> = Vec::with_capacity(2 * questions.len());
    for (question, label) in questions.iter().zip(labels) {
        texts.extend([question.text.as_str(), label]);
    }
    one_way_reason(&texts)
}

/// The answer that the preferences `standing` give to one question.
///
/// # Errors
/// Why it is asked.
pub fn answer(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<Choice, Ask> {
    let (label, (scope, preference)) = label(question, standing, registry, Policy::answers)?;
    Ok(Choice::Preference {
        label: label.to_owned(),
        policy: preference.preference,
        scope: *scope,
        set_at: preference.set_at.clone(),
        level: preference.level(),
    })
}

/// The label that the preferences of `standing` show as the person's usual answer to one question that is
/// asked, and the preference that does: under the conditions under which one that answers would answer.
pub fn usual_answer<'q, 'p>(
    question: &'q Question,
    standing: &'p [(Scope, Preference)],
    registry: &Registry,
) -> Option<(&'q str, &'p (Scope, Preference))> {
    label(question, standing, registry, Policy::assists).ok()
}

/// The label that those preferences of `standing` that do what is `wanted` give to one question.
///
/// # Errors
/// Why there is none.
fn label<'q, 'p>(
    question: &'q Question,
    standing: &'p [(Scope, Preference)],
    registry: &Registry,
    wanted: fn(Policy) -> bool,
) -> Result<(&'q str, &'p (Scope, Preference)), Ask> {
    if is_split(&question.key) {
        return Err(AskReason::Split.into());
    }
    if standing.is_empty() {
        return Err(AskReason::NoPreference.into());
    }
    if question.has_several_ids {
        return Err(Ask::because(AskReason::Ambiguous, "several_markers"));
    }
    let always_asks =
        |entry: &Preference| entry.preference == Policy::AlwaysAsk && entry.fits(&question.text);
    if standing.iter().any(|(_, entry)| always_asks(entry)) {
        return Err(AskReason::AlwaysAsk.into());
    }
    if question.door_reason.is_some() {
        // The event holds the door's reason.
        return Err(AskReason::OneWay.into());
    }
    let ambiguous = |because: &'static str| Ask::because(AskReason::Ambiguous, because);
    if has_look_alikes(&question.sent.options) {
        return Err(ambiguous("look_alike_options"));
    }
    let shown = question.shown();
    let mut choice: Option<(&str, &(Scope, Preference))> = None;
    let mut difference = None;
    for standing in standing {
        let entry = &standing.1;
        if !wanted(entry.preference) {
            // What does something else, or always asks another family of the same options.
            continue;
        }
        // What was given for something else says nothing here.
        if let Err(other) = entry.covers(&shown) {
            difference.get_or_insert(other);
            continue;
        }
        let label = answer_of(question, entry).map_err(ambiguous)?;
        if choice.is_some_and(|(chosen, _)| chosen != label) {
            return Err(ambiguous("preferences_disagree"));
        }
        choice.get_or_insert((label, standing));
    }
    let Some((label, preference)) = choice else {
        return Err(
            difference.map_or(AskReason::NoPreference.into(), |difference| {
                ambiguous(difference.as_str())
            }),
        );
    };
    let one_way = |refusal: Refusal| {
        let reason = refusal.door_reason().unwrap_or_default().to_owned();
        Ask::because(AskReason::OneWay, reason)
    };
    check_key(&question.key, registry).map_err(one_way)?;
    // The recommended label was read with the question when it was identified.
    if question.recommended_label() != Some(label) {
        check(&ProposedAnswer::to(question, label), registry).map_err(one_way)?;
    }
    Ok((label, preference))
}

/// True when a reader could take one label for another: they look the same and are not.
fn has_look_alikes(labels: &[String]) -> bool {
    labels.iter().enumerate().any(|(index, label)| {
        let mut others = labels.iter().skip(index + 1);
        others.any(|other| {
            !same_label(label, other) && look_alike(strip_mark(label).0, strip_mark(other).0)
        })
    })
}

/// The one label that `entry`, which covers the question, answers with. A pinned label that is not
/// offered gives none: the person meant that label and nothing else.
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
            // The options are those of the preference, each once.
            let mut offered = options.iter().filter(|label| same_label(label, pinned));
            offered
                .next()
                .map(String::as_str)
                .ok_or("pinned_not_offered")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [[question]]
        key = "gate"
        door = "one-way"
        [[question]]
        key = "ledger"
        text = "*ledger*"
        door = "one-way"
        category = "money"
    "#;

    fn preference(question: &str, answer: Option<&str>) -> Preference {
        Preference {
            answer: answer.map(str::to_owned),
            question: Some(question.to_owned()),
            ..Preference::of(Policy::NeverAsk)
        }
    }

    #[test]
    fn unsafe_preferences_are_refused() {
        let registry = Registry::parse(RULES).unwrap();
        for (key, question, answer, refused) in [
            (
                "x-split-2",
                "Create it?",
                None,
                "options of a split question are always asked",
            ),
            ("gate", "Create it?", None, "one-way by registry.toml"),
            ("x", "Close the ledger?", None, "one-way by registry.toml"),
            (
                "x",
                "Old tables?",
                Some("Drop them"),
                "one-way (pair: drop × table)",
            ),
            (
                "delete-user-data",
                "Fine?",
                None,
                "one-way (phrase: user data)",
            ),
            ("x", "Create it?", Some("Skip"), ""),
        ] {
            let mut entry = preference(question, answer);
            let refusal = check_preference(key, &entry, &registry).err();
            let refusal = refusal.map_or_else(String::new, |refusal| refusal.to_string());
            assert_eq!(refusal, refused, "{key}: {question}");
            entry.preference = Policy::AlwaysAsk;
            assert_eq!(check_preference(key, &entry, &registry), Ok(()), "{key}");
        }
    }

    #[test]
    fn proposed_label_counts_for_the_door() {
        let registry = Registry::parse(RULES).unwrap();
        let refused = |label, text| {
            let proposed = ProposedAnswer {
                key: "x",
                text,
                header: None,
                options: &[],
                label,
                description: "",
                preview: "",
            };
            check(&proposed, &registry).err()
        };
        assert_eq!(refused(None, "Old tables?"), None);
        assert_eq!(refused(Some("Keep them"), "Old tables?"), None);
        assert!(matches!(
            refused(Some("Drop them"), "Old tables?"),
            Some(Refusal::Words(_))
        ));
        let money = Refusal::Registry("registry: money".to_owned());
        assert_eq!(refused(Some("No"), "The ledger?"), Some(money));
    }
}
