//! The gate: whether a question may be answered for the person. The hook, `suggest`, the backtest
//! and `prefs` all go through [`check`]; nothing else decides by doors.

use std::fmt;

use super::act::Act;
use super::agreement::{Asking, Consent, MOST_OPTIONS, NoveltyKind};
use super::read::{ReadAsking, act_of};
use super::signs::outward;
use super::text::Reading;
use crate::doors::Door;
use crate::event::{AnsweredBy, AskReason, Choice, WhyAsked};
use crate::keys::is_split;
use crate::preferences::{Policy, Preference, Scope};
use crate::question::Question;
use crate::recommended::{same_label, strip_mark};
use crate::registry::Registry;
use crate::text::look_alike;

/// An answer that a preference, a policy or a reviewer proposes for a question.
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
    /// The label that would be chosen; `None` if not known yet.
    pub label: Option<&'a str>,
    /// That option's description; empty if it has none or it is not known.
    pub description: &'a str,
    /// That option's preview; empty if it has none or it is not known.
    pub preview: &'a str,
}

impl<'a> ProposedAnswer<'a> {
    /// `label` as the answer to `question`.
    pub fn to(question: &'a Question, label: &'a str) -> Self {
        // The rules see the text as it was sent, without masks.
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

    /// The answer that `preference` for `key` proposes to the question that it was set for.
    ///
    /// If its texts vary, the text is left out: each question is judged when it comes.
    fn of<'p: 'a>(key: &'a str, preference: &'p Preference) -> Self {
        let varies = preference
            .agreement
            .as_ref()
            .is_some_and(|agreed| agreed.texts.len() > 1);
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

    /// Its texts, read together.
    fn read(&self) -> ReadAsking {
        ReadAsking::of(
            self.text,
            self.header.unwrap_or_default(),
            self.label.unwrap_or_default(),
            self.description,
            self.preview,
        )
    }
}

/// Why a question must be asked in spite of all preferences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is one option of a split question.
    Split,
    /// A rule in `registry.toml` makes it one-way: `registry`, or `registry: <category>`.
    Registry(String),
    /// The act can't be undone: the words that say so.
    Act(String),
}

impl Refusal {
    /// The door's reason in the form of events; `None` for a question without a door.
    pub fn door_reason(&self) -> Option<&str> {
        match self {
            Self::Split => None,
            Self::Registry(reason) | Self::Act(reason) => Some(reason),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Split => f.write_str("options of a split question are always asked"),
            Self::Registry(_) => f.write_str("registry.toml says it can't be undone"),
            Self::Act(reason) => write!(f, "it can't be undone ({reason})"),
        }
    }
}

/// Checks whether a question may get the proposed answer at all.
///
/// # Errors
/// Why it must be asked.
pub fn check(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    check_rules(proposed, registry)?;
    let is_opened = registry.opens(
        proposed.key,
        proposed.text,
        proposed.header,
        proposed.options,
    );
    match proposed.read().never(is_opened) {
        Some(reason) => Err(Refusal::Act(reason.to_owned())),
        None => Ok(()),
    }
}

/// How the person confirms that `proposed` is answered for them from now on, and why never, if so.
pub fn consent(proposed: &ProposedAnswer<'_>, registry: &Registry) -> (Consent, Option<Refusal>) {
    match check(proposed, registry) {
        Err(refusal) => (Consent::Never, Some(refusal)),
        Ok(()) if proposed.read().is_plain() => (Consent::Yes, None),
        Ok(()) => (Consent::Type, None),
    }
}

/// Checks whether the rules of the registry allow the question of `proposed` to be answered.
fn check_rules(proposed: &ProposedAnswer<'_>, registry: &Registry) -> Result<(), Refusal> {
    let (key, text) = (proposed.key, proposed.text);
    check_key(key, registry)?;
    match registry.one_way_rule(key, text, proposed.header, proposed.options) {
        Some(rule) => Err(Refusal::Registry(rule.reason())),
        None => Ok(()),
    }
}

/// Checks whether questions with the key `key` may be answered at all: the part of [`check`] that applies to all of
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

/// Checks whether `preference` for `key` may be set at all, judging by the question that it is set for. The writer uses
/// it to refuse, and readers to report the refusal.
///
/// # Errors
/// Why it may not be set.
pub fn check_preference(
    key: &str,
    preference: &Preference,
    registry: &Registry,
) -> Result<(), Refusal> {
    match preference.preference {
        Policy::AlwaysAsk => Ok(()),
        // If the texts vary, rules for a text cannot apply here. They apply when each question comes.
        _ => check(&ProposedAnswer::of(key, preference), registry),
    }
}

// The answers of preferences to the questions of a call: one label each, or why there is none.

/// Decides every question of a call. Either all are answered, or none; then the error contains the reason for each.
///
/// `standing` contains the preferences found for each question: the project's and the global ones.
///
/// # Errors
/// Why each question is asked.
pub fn decide(
    questions: &[Question],
    standing: &[Vec<(Scope, Preference)>],
    registry: &Registry,
) -> Result<Vec<Choice>, Vec<WhyAsked>> {
    let verdicts: Vec<Result<Choice, WhyAsked>> = questions
        .iter()
        .zip(standing)
        .map(|(question, standing)| {
            let choice = answer(question, standing, registry)?;
            // Answers are keyed by question text, so two questions with the same text cannot be distinguished.
            if question.is_alone_in(questions) {
                Ok(choice)
            } else {
                Err(WhyAsked::because(AskReason::Ambiguous, "same_text_twice"))
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
            // A call without questions cannot be answered.
            _ if choices.is_empty() => Err(Vec::new()),
            Some(reason) => Err(vec![
                WhyAsked::because(AskReason::OneWay, reason);
                questions.len()
            ]),
            None => Ok(choices),
        };
    };
    let partial = WhyAsked::because(
        AskReason::PartialCall,
        format!("question {} is asked: {name}", index + 1),
    );
    Err(verdicts
        .into_iter()
        .map(|verdict| verdict.err().unwrap_or_else(|| partial.clone()))
        .collect())
}

/// Why the questions of a call are one-way when read together with their answers, as the person would read them: one
/// question may name the thing that another acts on. `None` when no answer refers to its question, because then each
/// answer says by itself what it does.
pub fn one_way_together(questions: &[Question], labels: &[&str]) -> Option<String> {
    let act = |(question, label): (&Question, &&str)| act_of(&question.text, label);
    if questions.len() < 2
        || !questions
            .iter()
            .zip(labels)
            .any(|one| act(one) == Act::Refers)
    {
        return None;
    }
    let texts = questions
        .iter()
        .zip(labels)
        .flat_map(|(question, label)| [question.text.as_str(), label]);
    outward(
        Reading::of(&texts.collect::<Vec<_>>().join(" "))
            .tokens
            .iter(),
    )
}

/// The answer of the preferences `standing` to one question.
///
/// # Errors
/// Why it is asked.
pub fn answer(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
) -> Result<Choice, WhyAsked> {
    let (label, (scope, preference)) = label(question, standing, registry)?;
    Ok(Choice {
        label: label.to_owned(),
        by: AnsweredBy::Preference {
            policy: preference.preference,
            scope: *scope,
            set_at: preference.set_at.clone(),
            level: preference.level(),
            name: preference.name().map(str::to_owned),
        },
    })
}

/// The label that the preferences in `standing` give to one question.
///
/// # Errors
/// The reason if there is none.
fn label<'q, 'p>(
    question: &'q Question,
    standing: &'p [(Scope, Preference)],
    registry: &Registry,
) -> Result<(&'q str, &'p (Scope, Preference)), WhyAsked> {
    if is_split(&question.key) {
        return Err(AskReason::Split.into());
    }
    if standing.is_empty() {
        return Err(question.unanswered_reason().into());
    }
    if question.has_several_ids {
        return Err(WhyAsked::because(AskReason::Ambiguous, "several_markers"));
    }
    let always_asks = |(_, entry): &(Scope, Preference)| entry.preference == Policy::AlwaysAsk;
    if standing.iter().any(always_asks) {
        return Err(AskReason::AlwaysAsk.into());
    }
    let ambiguous = |because: &'static str| WhyAsked::because(AskReason::Ambiguous, because);
    if has_look_alikes(&question.sent.options) {
        return Err(ambiguous("look_alike_options"));
    }
    let header = question.sent.header.as_deref();
    let asking = Asking {
        is_opened: registry.opens(
            &question.key,
            &question.text,
            header,
            &question.sent.options,
        ),
        ..question.asking()
    };
    let mut choice: Option<(&str, &(Scope, Preference))> = None;
    let mut new: Option<WhyAsked> = None;
    for standing in standing {
        let entry = &standing.1;
        if !entry.preference.answers() {
            continue;
        }
        let covered = entry.covers(&asking).and_then(|at| {
            question
                .sent
                .options
                .get(at)
                .ok_or(NoveltyKind::Options.is(""))
        });
        let label = match covered {
            Ok(label) => label.as_str(),
            Err(what) => {
                new.get_or_insert_with(|| match what.what {
                    NoveltyKind::Never => WhyAsked::because(AskReason::OneWay, what.which.clone()),
                    _ => WhyAsked::because(AskReason::Ambiguous, what.to_string()),
                });
                continue;
            }
        };
        if choice.is_some_and(|(chosen, _)| chosen != label) {
            return Err(ambiguous("preferences_disagree"));
        }
        choice.get_or_insert((label, standing));
    }
    let Some((label, preference)) = choice else {
        // The event contains the door's reason.
        let reason = question.unanswered_reason();
        return Err(match (new, reason) {
            (Some(new), AskReason::NoPreference) => new,
            (_, reason) => reason.into(),
        });
    };
    let one_way = |refusal: Refusal| match refusal.door_reason() {
        Some(reason) if question.door_reason.as_deref() != Some(reason) => {
            WhyAsked::because(AskReason::OneWay, reason.to_owned())
        }
        _ => AskReason::OneWay.into(),
    };
    let proposed = ProposedAnswer::to(question, label);
    // The agreement has judged the same texts already, unless secrets in them are masked or there is a preview.
    let is_read = question.as_sent.is_none() && proposed.preview.is_empty();
    let checked = match is_read {
        true => check_rules(&proposed, registry),
        false => check(&proposed, registry),
    };
    checked.map_err(one_way)?;
    Ok((label, preference))
}

/// True when a reader could confuse two labels because they are or look the same, or when there are too many labels to
/// check.
fn has_look_alikes(labels: &[String]) -> bool {
    let is_too_many = labels.len() > MOST_OPTIONS;
    is_too_many
        || labels.iter().enumerate().any(|(index, label)| {
            let mut others = labels.iter().skip(index + 1);
            others.any(|other| {
                same_label(label, other) || look_alike(strip_mark(label).0, strip_mark(other).0)
            })
        })
}

// Answers while the person is away: only those that leave things as they are.

/// The recommended label as the answer to `question`, which its preferences `standing` do not answer. `scope` is the
/// scope for which the person is away.
///
/// # Errors
/// Why it must wait for the person: the answer may do something that they never agreed to, several options may be
/// chosen, no single option is recommended, or they have given another instruction for it.
pub fn answer_away(
    question: &Question,
    standing: &[(Scope, Preference)],
    registry: &Registry,
    scope: Scope,
) -> Result<Choice, WhyAsked> {
    let ambiguous = |because: &'static str| WhyAsked::because(AskReason::Ambiguous, because);
    if question.has_several_ids {
        return Err(ambiguous("several_markers"));
    }
    let always_asks = |(_, entry): &(Scope, Preference)| entry.preference == Policy::AlwaysAsk;
    if standing.iter().any(always_asks) {
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
    // A preference for exactly this question that does not answer it is still the person's instruction.
    let asking = question.asking();
    let given = |entry: &Preference| entry.preference.answers() && entry.covers(&asking).is_ok();
    if standing.iter().any(|(_, entry)| given(entry)) {
        return Err(ambiguous("preferences_disagree"));
    }
    let label = question.recommended_or_why().map_err(ambiguous)?;
    check_unasked(question, label, registry)?;
    Ok(Choice {
        label: label.to_owned(),
        by: AnsweredBy::Away(scope),
    })
}

/// Checks whether `label` may be given as the answer to `question` without the person.
///
/// # Errors
/// Why it must be asked.
fn check_unasked(question: &Question, label: &str, registry: &Registry) -> Result<(), WhyAsked> {
    let proposed = ProposedAnswer::to(question, label);
    check(&proposed, registry).map_err(|refusal| match refusal {
        Refusal::Split => AskReason::Split.into(),
        refusal => WhyAsked::because(
            AskReason::OneWay,
            refusal.door_reason().unwrap_or_default().to_owned(),
        ),
    })?;
    match proposed.read().leaves() && proposed.preview.is_empty() {
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
            (
                "gate",
                "Create it?",
                None,
                "registry.toml says it can't be undone",
            ),
            (
                "x",
                "Close the ledger?",
                None,
                "registry.toml says it can't be undone",
            ),
            (
                "x",
                "Old tables?",
                Some("Drop them"),
                "it can't be undone (drop)",
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
        for label in ["Force push", "Drop the database"] {
            assert!(refused("x", label, "Next?"), "{label}");
            assert!(!refused("tidy", label, "Next?"), "{label}");
        }
        for (label, text) in [
            ("Yes", "Run `git push --force`?"),
            ("Yes", "Spend $40 on it?"),
            ("Yes", "Run `psql -c 'drop table users'`?"),
        ] {
            assert!(refused("tidy", label, text), "{label}");
        }
        // With patterns, the rule applies only to matching texts, whatever a marker names.
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
            Some(Refusal::Act(_))
        ));
        let money = Refusal::Registry("registry: money".to_owned());
        assert_eq!(refused(Some("No"), "The ledger?"), Some(money));
    }
}
