//! What a preference would have answered, held against what the person did.

use std::collections::HashMap;
use std::rc::Rc;

use plantune_domain::recommended::{numbers_folded, option_text, strip_mark};

use super::addition::added_to;
use crate::evidence::HumanAnswer;

/// A way of answering for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerPolicy {
    /// Choose what is recommended.
    Follow,
    /// Choose this label, in the person's choice of it that came last, without its mark.
    Pin(String),
}

impl AnswerPolicy {
    /// The label to answer with; `None` for the recommended one.
    pub(crate) fn answer(&self) -> Option<&str> {
        match self {
            Self::Follow => None,
            Self::Pin(label) => Some(label),
        }
    }
}

/// How a policy stands to one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It would have answered as the person did.
    Agree,
    /// It would have answered otherwise, or the person had more to say than a label.
    Disagree,
    /// The person named its label and added something, which it would have lost: neither of both.
    Add,
    /// It would have asked.
    Abstain,
}

impl Verdict {
    /// The verdict on two answers as one: a disagreement stands for both, an addition for an agreement,
    /// an agreement for silence.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Disagree, _) | (_, Self::Disagree) => Self::Disagree,
            (Self::Add, _) | (_, Self::Add) => Self::Add,
            (Self::Agree, _) | (_, Self::Agree) => Self::Agree,
            (Self::Abstain, Self::Abstain) => Self::Abstain,
        }
    }
}

/// How many of `verdicts` are the one that is `wanted`.
pub(super) fn count(verdicts: &[Verdict], wanted: Verdict) -> usize {
    verdicts.iter().filter(|one| **one == wanted).count()
}

/// How many labels of a key are worth a policy of their own; the rarer ones cannot qualify.
const MOST_PINS: usize = 3;

/// A label's identity: without mark, letter case and outer white space. Two labels are the same by
/// `plantune_domain::recommended::same_label` exactly if their identities are equal.
fn identity(label: &str) -> String {
    option_text(label).to_lowercase()
}

/// The same, numbers aside: for labels of one question that are others then, too.
fn without_numbers(label: &str) -> String {
    numbers_folded(label).to_lowercase()
}

/// The answers of one key, labels reduced to their identities.
#[derive(Debug)]
pub(crate) struct Answers {
    read: Vec<Read>,
    /// The policies to try: [`AnswerPolicy::Follow`] first, then the labels most often chosen.
    pub(crate) policies: Vec<AnswerPolicy>,
}

#[derive(Debug)]
struct Read {
    offered: Vec<Rc<str>>,
    recommended: Option<Rc<str>>,
    /// The label, if one was chosen and nothing else was said.
    chosen: Option<Rc<str>>,
    /// The label that was named and added to.
    named: Option<Rc<str>>,
    said_more: bool,
    /// Whether its labels are compared without their numbers.
    folds: bool,
}

/// The identities of labels, with their numbers and without; those of one key are the same again and again.
#[derive(Default)]
struct Identities<'a>(Vec<(&'a str, bool, Rc<str>)>);

impl<'a> Identities<'a> {
    fn of(&mut self, label: &'a str, folds: bool) -> Rc<str> {
        let mut known = self.0.iter();
        if let Some((.., known)) = known.find(|one| (one.0, one.1) == (label, folds)) {
            return Rc::clone(known);
        }
        let identity: Rc<str> = match folds {
            true => without_numbers(label).into(),
            false => identity(label).into(),
        };
        self.0.push((label, folds, Rc::clone(&identity)));
        identity
    }
}

impl Answers {
    /// Reads `answers`, which are in the order of time.
    pub(crate) fn of(answers: &[HumanAnswer]) -> Self {
        let mut known = Identities::default();
        let read: Vec<Read> = answers.iter().map(|one| read(one, &mut known)).collect();
        let mut times: HashMap<&str, (usize, usize)> = HashMap::new();
        for (at, chosen) in read.iter().enumerate() {
            if let Some(chosen) = &chosen.chosen {
                let entry = times.entry(chosen).or_default();
                *entry = (entry.0 + 1, at);
            }
        }
        let mut times: Vec<(usize, usize)> = times.into_values().collect();
        // The most frequent first, of these the latest.
        times.sort_unstable_by(|one, other| other.cmp(one));
        let shown = |(_, at): &(usize, usize)| {
            let label = answers.get(*at)?.labels.first()?;
            Some(AnswerPolicy::Pin(strip_mark(label).0.to_owned()))
        };
        let pins = times.iter().take(MOST_PINS).filter_map(shown);
        let policies = std::iter::once(AnswerPolicy::Follow).chain(pins).collect();
        Self { read, policies }
    }

    /// How `policy` stands to each answer.
    ///
    /// Typed text and notes count against every policy, whatever label came with them: a note can
    /// reverse a choice, and no preference would have said it. Only text that surely adds to the label
    /// of the policy counts neither for it nor against it ([`added_to`]).
    pub(crate) fn verdicts(&self, policy: &AnswerPolicy) -> Vec<Verdict> {
        let pinned = policy.answer();
        let pinned = pinned.map(|label| [identity(label), without_numbers(label)].map(Rc::from));
        self.read
            .iter()
            .map(|read| {
                let proposed = match &pinned {
                    None => read.recommended.as_ref(),
                    Some([literal, folded]) => Some(if read.folds { folded } else { literal }),
                };
                // The hook answers with a label that is offered exactly once, or not at all.
                let offers = |label: &&Rc<str>| {
                    read.offered
                        .iter()
                        .filter(|offered| offered == label)
                        .count()
                        == 1
                };
                let proposed = proposed.filter(offers);
                if read.said_more {
                    let adds = proposed.is_some() && proposed == read.named.as_ref();
                    return if adds {
                        Verdict::Add
                    } else {
                        Verdict::Disagree
                    };
                }
                match proposed {
                    None => Verdict::Abstain,
                    Some(label) if Some(label) == read.chosen.as_ref() => Verdict::Agree,
                    Some(_) => Verdict::Disagree,
                }
            })
            .collect()
    }
}

/// True when `answer` names `label` and adds something to it.
pub(crate) fn adds_to(answer: &HumanAnswer, label: &str) -> bool {
    named(answer).is_some_and(|named| named == identity(label))
}

/// The label that `answer` names and adds to, where nothing was chosen.
fn named(answer: &HumanAnswer) -> Option<String> {
    let typed = answer.typed.as_deref().filter(|_| answer.labels.is_empty());
    added_to(typed?, &answer.options).map(identity)
}

fn read<'a>(answer: &'a HumanAnswer, known: &mut Identities<'a>) -> Read {
    let folded: Vec<Rc<str>> = answer
        .options
        .iter()
        .map(|label| known.of(label, true))
        .collect();
    // Options that differ in a number alone are others.
    let mut labels = folded.iter().enumerate();
    let are_distinct = labels.all(|(at, label)| !folded.iter().take(at).any(|one| one == label));
    let folds = are_distinct && answer.labels.len() == 1;
    let chosen = answer.chosen().map(|label| known.of(label, folds));
    let offered = answer.options.iter();
    Read {
        folds,
        offered: offered.map(|label| known.of(label, folds)).collect(),
        recommended: answer
            .recommended
            .as_deref()
            .map(|label| known.of(label, folds)),
        chosen: chosen.filter(|_| !answer.said_more),
        named: named(answer).map(Into::into),
        said_more: answer.said_more,
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::recommended::same_label;

    use super::*;
    use crate::evidence::tests::answer;

    fn verdicts(policy: &AnswerPolicy, answers: &[HumanAnswer]) -> Vec<Verdict> {
        Answers::of(answers).verdicts(policy)
    }

    #[test]
    fn identities_are_same_label() {
        let labels = [
            "A",
            "a (Recommended)",
            " A ",
            "B",
            "A（推荐）",
            "A (ECIES)",
            "Ä",
            "ä",
        ];
        for one in labels {
            for other in labels {
                assert_eq!(
                    identity(one) == identity(other),
                    same_label(one, other),
                    "{one} {other}"
                );
            }
        }
    }

    #[test]
    fn following_abstains_without_a_recommendation() {
        let answers = [
            answer(&["A (Recommended)", "B"], &["A (Recommended)"]),
            answer(&["A", "B (recommended)"], &["A"]),
            answer(&["A", "B"], &["A"]),
        ];
        use Verdict::{Abstain, Agree, Disagree};
        assert_eq!(
            verdicts(&AnswerPolicy::Follow, &answers),
            [Agree, Disagree, Abstain]
        );
        assert_eq!(
            verdicts(&AnswerPolicy::Pin("a".into()), &answers),
            [Agree; 3]
        );
    }

    #[test]
    fn a_pin_abstains_where_its_label_is_not_offered_or_offered_twice() {
        let answers = [
            answer(&["A", "B"], &["A"]),
            answer(&["B", "C"], &["C"]),
            answer(&["A", "a"], &["a"]),
        ];
        assert_eq!(
            verdicts(&AnswerPolicy::Pin("A".into()), &answers),
            [Verdict::Agree, Verdict::Abstain, Verdict::Abstain]
        );
    }

    #[test]
    fn typed_text_notes_and_several_labels_are_disagreement() {
        let mut noted = answer(&["A (Recommended)", "B"], &["A (Recommended)"]);
        noted.said_more = true;
        let mut typed = noted.clone();
        typed.labels.clear();
        let both = answer(&["A (Recommended)", "B"], &["A (Recommended)", "B"]);
        let answers = [noted, typed, both];
        for policy in [AnswerPolicy::Follow, AnswerPolicy::Pin("A".into())] {
            assert_eq!(verdicts(&policy, &answers), [Verdict::Disagree; 3]);
        }
        assert_eq!(Answers::of(&answers).policies, [AnswerPolicy::Follow]);
    }

    #[test]
    fn what_adds_to_a_label_is_neither_for_its_policy_nor_against_it() {
        let mut added = answer(&["A it (Recommended)", "B"], &[]);
        added.said_more = true;
        added.typed = Some("Yes, a it, and be quick".to_owned());
        let chosen = answer(&["A it (Recommended)", "B"], &["B"]);
        let answers = [added, chosen];
        for (policy, verdict) in [
            (AnswerPolicy::Follow, Verdict::Add),
            (AnswerPolicy::Pin("A it".into()), Verdict::Add),
            (AnswerPolicy::Pin("B".into()), Verdict::Disagree),
        ] {
            assert_eq!(verdicts(&policy, &answers)[0], verdict);
        }
    }

    #[test]
    fn pins_are_tried_by_frequency_as_last_written() {
        let answers = [
            answer(&["a", "B"], &["a"]),
            answer(&["A (Recommended)", "B"], &["A (Recommended)"]),
            answer(&["A", "B"], &["B"]),
        ];
        assert_eq!(
            Answers::of(&answers).policies,
            [
                AnswerPolicy::Follow,
                AnswerPolicy::Pin("A".into()),
                AnswerPolicy::Pin("B".into())
            ]
        );
    }
}
