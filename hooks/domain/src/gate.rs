//! The gate: whether a question may be answered for the person. The hook, `suggest`, the backtest
//! and `prefs` all go through [`check`]; nothing else reads doors to decide.

use std::fmt;

use crate::binding::{Form, MOST_LABELS};
use crate::commitment::{Act, Commitment, commitment, leaves_things};
use crate::consent;
use crate::doors::{Door, find_plain};
use crate::event::{Ask, AskReason, By, Choice};
use crate::keys::is_split;
use crate::preferences::{Coverage, Policy, Preference, Scope};
use crate::question::Question;
use crate::recommended::{is_option, same_label, strip_mark};
use crate::registry::Registry;
use crate::text::look_alike;

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

// What preferences answer to the questions of a call: one label each, or why there is none.

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
    let verdicts: Vec<Result<Choice, Ask>> = questions
        .iter()
        .zip(standing)
        .map(|(question, standing)| {
            let choice = answer(question, standing, registry)?;
            // Answers are keyed by question text, so two questions of one text cannot be distinguished.
            if question.is_alone_in(questions) {
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
/// for one that has none), as the person would: one may name what another acts on. Where no answer refers to
/// its question, each says by itself what it does.
pub fn one_way_together(questions: &[Question], labels: &[&str]) -> Option<String> {
    let refers = |(question, label): (&Question, &&str)| {
        commitment(&question.text, label) == Commitment::RefersToQuestion
    };
    if questions.len() < 2 || !questions.iter().zip(labels).any(refers) {
        return None;
    }
    let mut texts: Vec<&str> = Vec::with_capacity(2 * questions.len());
    for (question, label) in questions.iter().zip(labels) {
        texts.extend([question.text.as_str(), label]);
    }
    find_plain(&texts)
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
    Ok(Choice {
        label: label.to_owned(),
        by: By::Preference {
            policy: preference.preference,
            scope: *scope,
            set_at: preference.set_at.clone(),
            level: preference.level(),
            name: preference.name().map(str::to_owned),
        },
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
        return Err(question.unanswered_reason().into());
    }
    if question.has_several_ids {
        return Err(Ask::because(AskReason::Ambiguous, "several_markers"));
    }
    let always_asks =
        |entry: &Preference| entry.preference == Policy::AlwaysAsk && entry.fits(&question.text);
    if standing.iter().any(|(_, entry)| always_asks(entry)) {
        return Err(AskReason::AlwaysAsk.into());
    }
    let ambiguous = |because: &'static str| Ask::because(AskReason::Ambiguous, because);
    if has_look_alikes(&question.sent.options) {
        return Err(ambiguous("look_alike_options"));
    }
    let shown = question.shown();
    let mut choice: Option<(&str, &(Scope, Preference))> = None;
    let mut difference: Option<String> = None;
    for standing in standing {
        let entry = &standing.1;
        if !wanted(entry.preference) {
            // What does something else, or always asks another family of the same options.
            continue;
        }
        // What was given for something else says nothing here.
        if let Err(differs) = entry.compare(&shown) {
            difference.get_or_insert_with(|| differs.to_string());
            continue;
        }
        let label = answer_of(question, entry).map_err(ambiguous)?;
        if choice.is_some_and(|(chosen, _)| chosen != label) {
            return Err(ambiguous("preferences_disagree"));
        }
        choice.get_or_insert((label, standing));
    }
    let Some((label, preference)) = choice else {
        // The event holds the door's reason.
        let reason = question.unanswered_reason();
        let difference = difference.filter(|_| reason == AskReason::NoPreference);
        return Err(difference.map_or(reason.into(), |one| Ask::because(AskReason::Ambiguous, one)));
    };
    let one_way = |refusal: Refusal| match refusal.door_reason() {
        Some(reason) if question.door_reason.as_deref() != Some(reason) => {
            Ask::because(AskReason::OneWay, reason.to_owned())
        }
        _ => AskReason::OneWay.into(),
    };
    // What the person agreed to is familiar, whatever its words; signs and rules hold all the same.
    check_hard(&ProposedAnswer::to(question, label), registry).map_err(one_way)?;
    Ok((label, preference))
}

/// True when a reader could take one label for another: they look the same and are not, or there are too many to tell.
fn has_look_alikes(labels: &[String]) -> bool {
    let is_too_many = labels.len() > MOST_LABELS;
    is_too_many
        || labels.iter().enumerate().any(|(index, label)| {
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
        None => question.recommended_or_why(),
        Some(pinned) => {
            // The options are those of the preference, each once.
            // Where its numbers varied, the option that the label is one of.
            let seen = entry.options.iter().flatten();
            let seen = seen.into_iter().find(|seen| is_option(seen, pinned));
            let seen = seen.map_or(pinned.as_str(), String::as_str);
            let mut offered = options.iter().filter(|label| is_option(seen, label));
            offered
                .next()
                .map(String::as_str)
                .ok_or("pinned_not_offered")
        }
    }
}

// What may be answered while the person is away: only what leaves things as they are, and what the person has
// answered so before.

/// The recommended label as the answer to `question`, whose preferences `standing` do not answer it;
/// `scope` is where the person is away.
///
/// # Errors
/// Why it is asked, and waits: it may do something that the person never agreed to, several may be chosen, nothing or
/// more than one thing is recommended, or the person has said something else about it.
pub fn answer_away(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
    scope: Scope,
) -> Result<Choice, Ask> {
    let ambiguous = |because: &'static str| Ask::because(AskReason::Ambiguous, because);
    if question.has_several_ids {
        return Err(ambiguous("several_markers"));
    }
    let always_asks =
        |entry: &Preference| entry.preference == Policy::AlwaysAsk && entry.fits(&question.text);
    if standing.iter().any(|(_, entry)| always_asks(entry)) {
        return Err(AskReason::AlwaysAsk.into());
    }
    if question.door_reason.is_some() {
        return Err(AskReason::OneWay.into());
    }
    if has_look_alikes(&question.sent.options) {
        return Err(ambiguous("look_alike_options"));
    }
    if question.sent.multi_select == Some(true) {
        return Err(ambiguous("multi_select"));
    }
    // What was given for this very question, and does not answer it, is the person's word all the same.
    let shown = question.shown();
    let given = |entry: &Preference| entry.preference.answers() && entry.covers(&shown).is_ok();
    if standing.iter().any(|(_, entry)| given(entry)) {
        return Err(ambiguous("preferences_disagree"));
    }
    let label = question.recommended_or_why().map_err(ambiguous)?;
    check_unasked(question, label, standing, registry)?;
    Ok(Choice {
        label: label.to_owned(),
        by: By::Away(scope),
    })
}

/// Whether `label` may be the answer to `question` without the person.
///
/// # Errors
/// Why it must be asked.
fn check_unasked(
    question: &Question,
    label: &str,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<(), Ask> {
    let proposed = ProposedAnswer::to(question, label);
    check_hard(&proposed, registry).map_err(|refusal| match refusal {
        Refusal::Split => AskReason::Split.into(),
        refusal => Ask::because(
            AskReason::OneWay,
            refusal.door_reason().unwrap_or_default().to_owned(),
        ),
    })?;
    let usual = usual_answer(question, standing, registry);
    let is_usual = usual.is_some_and(|(usual, _)| usual == label);
    let leaves = commitment(proposed.text, label) == Commitment::LeavesThings
        && leaves_things(proposed.description)
        && proposed.preview.is_empty();
    match is_usual || leaves {
        true => Ok(()),
        false => Err(AskReason::OneWay.into()),
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
