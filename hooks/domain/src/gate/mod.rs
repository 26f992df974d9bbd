//! The gate: whether a question may be answered for the person. The hook, `suggest`, the backtest
//! and `prefs` all go through [`check`]; nothing else reads doors to decide.

mod away;
mod choose;

use std::fmt;

use crate::binding::Form;
use crate::commitment::Act;
use crate::consent;
use crate::doors::Door;
use crate::keys::is_split;
use crate::preferences::{Coverage, Policy, Preference};
use crate::question::Question;
use crate::registry::Registry;

pub use away::answer_away;
pub use choose::{answer, decide, one_way_together, usual_answer};

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
        // A mask hides nothing from the rules.
        let (sent, text) = match question.as_sent.as_deref() {
            Some(sent) => (sent, &sent.text),
            None => (&question.sent, &question.text),
        };
        Self {
            key: &question.key,
            text,
            header: sent.header.as_deref(),
            options: &sent.options,
            label: question.label_as_sent(label).or(Some(label)),
            description: question.of_label(label, &sent.descriptions),
            preview: question.of_label(label, &sent.previews),
        }
    }

    /// What `preference` for `key` proposes, for the question that it was set for.
    ///
    /// Where its texts vary, each asking is judged when it comes, and the last says nothing of the next.
    fn of<'p: 'a>(key: &'a str, preference: &'p Preference) -> Self {
        let is_open = |form: &Form| form.text.is_open();
        let varies = preference.coverage == Some(Coverage::Options)
            || preference.binding.len() > 1
            || preference.binding.iter().any(is_open);
        Self {
            key,
            text: preference
                .question
                .as_deref()
                .filter(|_| !varies)
                .unwrap_or_default(),
            header: preference.header.as_deref(),
            options: preference.options.as_deref().unwrap_or_default(),
            label: preference.answer.as_deref(),
            description: "",
            preview: "",
        }
    }

    /// What it makes the agent do.
    fn act(&self) -> Act<'a> {
        Act::of(
            self.key,
            self.text,
            self.header.unwrap_or_default(),
            self.label,
            self.description,
            self.preview,
        )
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

/// Whether a question may be answered as proposed, as far as the question itself goes. Asked when something is
/// proposed or set: it judges words.
///
/// # Errors
/// Why it must be asked.
pub fn check(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    check_rules(proposed, registry)?;
    let act = proposed.act();
    refuse(match is_opened(proposed, registry) {
        true => act.hard_reason(),
        false => consent::reason(&act),
    })
}

/// The refusal of an act, where there is a reason.
fn refuse(reason: Option<String>) -> Result<(), Refusal> {
    reason.map_or(Ok(()), |reason| Err(Refusal::Words(reason)))
}

/// Whether a rule of the registry opens the question of `proposed`.
fn is_opened(proposed: &ProposedAnswer<'_>, registry: &Registry) -> bool {
    registry.opens(
        proposed.key,
        proposed.text,
        proposed.header,
        proposed.options,
    )
}

/// Whether an answer may be given that the person has agreed to: rules of the registry, and signs of what cannot be
/// taken back, hold whatever was agreed to.
///
/// # Errors
/// Why it must be asked.
pub fn check_hard(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    check_rules(proposed, registry)?;
    refuse(proposed.act().hard_reason())
}

/// Whether the rules of the registry let the question of `proposed` be answered.
fn check_rules(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    let (key, text) = (proposed.key, proposed.text);
    check_key(key, registry)?;
    match registry.one_way_rule(key, text, proposed.header, proposed.options) {
        Some(rule) => Err(Refusal::Registry(rule.reason())),
        None => Ok(()),
    }
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

/// Whether `preference` for `key` may be set at all, by the question that it is set for: one function for the writer,
/// which refuses, and the readers, which say so.
///
/// # Errors
/// Why not.
pub fn check_preference(
    key: &str,
    preference: &Preference,
    registry: &Registry,
) -> Result<(), Refusal> {
    let proposed = ProposedAnswer::of(key, preference);
    if preference.preference == Policy::AlwaysAsk {
        return Ok(());
    }
    // Where the texts vary no rule for a text can be held against them: each is when it comes.
    check_rules(&proposed, registry)?;
    let act = proposed.act();
    refuse(match registry.door_of(key) {
        Some(Door::TwoWay) => act.hard_reason(),
        _ => consent::reason(&act),
    })
}

/// [`check_preference`] by the few lists that the hook has, for what the person typed for exactly the question before
/// them.
///
/// # Errors
/// Why not.
pub fn check_typed(key: &str, preference: &Preference, registry: &Registry) -> Result<(), Refusal> {
    let proposed = ProposedAnswer::of(key, preference);
    match (preference.preference, registry.door_of(key)) {
        (Policy::AlwaysAsk, _) => Ok(()),
        (_, Some(Door::TwoWay)) => check_hard(&proposed, registry),
        _ => check_plain(&proposed, registry),
    }
}

/// Whether an answer may be given that no preference gives: what plainly cannot be taken back is asked.
///
/// # Errors
/// Why it must be asked.
pub fn check_plain(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    check_rules(proposed, registry)?;
    let act = proposed.act();
    refuse(match is_opened(proposed, registry) {
        true => act.hard_reason(),
        false => act.plain_reason(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [[question]]
        key = "gate"
        door = "one-way"
        [[question]]
        key = "tidy"
        door = "two-way"
        [[question]]
        key = "landing"
        text = "The work on * is done. Next?"
        door = "two-way"
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
                "one-way (pair: delete × user)",
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
    fn the_person_opens_words_and_no_sign() {
        let registry = Registry::parse(RULES).unwrap();
        let refused = |key, label, text| {
            let proposed = ProposedAnswer {
                key,
                text,
                header: None,
                options: &[],
                label: Some(label),
                description: "",
                preview: "",
            };
            check(&proposed, &registry).is_err()
        };
        assert!(refused("x", "Merge and go on", "Next?"));
        assert!(!refused("tidy", "Merge and go on", "Next?"));
        for (label, text) in [
            ("Yes", "Run `git push --force`?"),
            ("Force push", "Next?"),
            ("Yes", "Spend $40 on it?"),
            ("Drop the database", "Next?"),
        ] {
            assert!(refused("tidy", label, text), "{label}");
        }
        // With patterns it holds for what they match, whatever a marker calls anything else.
        assert!(!refused(
            "landing",
            "Merge and go on",
            "The work on login is done. Next?"
        ));
        assert!(refused(
            "landing",
            "Merge and go on",
            "The site is live. Next?"
        ));
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
