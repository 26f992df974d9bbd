//! Policies and how they compare with the person's answers: labels, and typed answers that name a label and add to it.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use plantune_domain::recommended::{numbers_folded, option_text, strip_mark};

use crate::evidence::HumanAnswer;

/// A way of answering for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerPolicy {
    /// Choose what is recommended.
    Follow,
    /// Choose this label: without its mark, and as the person last chose it.
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
pub(crate) enum PolicyVerdict {
    /// It would have answered as the person did.
    Agree,
    /// It would have answered otherwise, or the person had more to say than a label.
    Disagree,
    /// The person named its label and added something, which it would have lost: neither for nor against it.
    Add,
    /// It would have asked.
    Abstain,
}

impl PolicyVerdict {
    /// The verdict on two answers taken as one. A disagreement outweighs an addition, that an agreement, and that an
    /// abstention.
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
pub(super) fn count(verdicts: &[PolicyVerdict], wanted: PolicyVerdict) -> usize {
    verdicts.iter().filter(|one| **one == wanted).count()
}

/// How many labels of a key get a policy of their own, the most frequent ones; rarer ones would not be proposed.
const MOST_PINS: usize = 3;

/// A label's identity: without mark, letter case and outer white space. Two labels are the same by
/// `plantune_domain::recommended::same_label` exactly if their identities are equal.
fn identity(label: &str) -> String {
    option_text(label).to_lowercase()
}

/// The same without numbers, for questions whose labels still differ then.
fn without_numbers(label: &str) -> String {
    numbers_folded(label).to_lowercase()
}

/// The answers of one key, labels reduced to their identities.
#[derive(Debug)]
pub(crate) struct Answers {
    read: Vec<ReadAnswer>,
    /// The policies to try: [`AnswerPolicy::Follow`] first, then the labels most often chosen.
    pub(crate) policies: Vec<AnswerPolicy>,
}

#[derive(Debug)]
struct ReadAnswer {
    offered: Vec<Rc<str>>,
    recommended: Option<Rc<str>>,
    /// The label, if one was chosen and nothing else was said.
    chosen: Option<Rc<str>>,
    /// The label that was named and added to.
    named: Option<Rc<str>>,
    said_more: bool,
    /// Whether its labels are compared without their numbers.
    ignores_numbers: bool,
}

/// The identities of labels, with their numbers and without. They are kept, as a key has the same labels again and again.
#[derive(Default)]
struct Identities<'a>(Vec<(&'a str, bool, Rc<str>)>);

impl<'a> Identities<'a> {
    fn of(&mut self, label: &'a str, ignores_numbers: bool) -> Rc<str> {
        let mut known = self.0.iter();
        if let Some((.., known)) = known.find(|one| (one.0, one.1) == (label, ignores_numbers)) {
            return Rc::clone(known);
        }
        let identity: Rc<str> = match ignores_numbers {
            true => without_numbers(label).into(),
            false => identity(label).into(),
        };
        self.0.push((label, ignores_numbers, Rc::clone(&identity)));
        identity
    }
}

impl Answers {
    /// Reads `answers`, which are in the order of time.
    pub(crate) fn of(answers: &[Arc<HumanAnswer>]) -> Self {
        let mut known = Identities::default();
        let read: Vec<ReadAnswer> = answers.iter().map(|one| read(one, &mut known)).collect();
        let mut times: HashMap<&str, (usize, usize)> = HashMap::new();
        for (at, chosen) in read.iter().enumerate() {
            if let Some(chosen) = &chosen.chosen {
                let entry = times.entry(chosen).or_default();
                *entry = (entry.0 + 1, at);
            }
        }
        let mut times: Vec<(usize, usize)> = times.into_values().collect();
        // The most frequent first; of equals, the one chosen last.
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
    pub(crate) fn verdicts(&self, policy: &AnswerPolicy) -> Vec<PolicyVerdict> {
        let pinned = policy.answer();
        let pinned = pinned.map(|label| [identity(label), without_numbers(label)].map(Rc::from));
        self.read
            .iter()
            .map(|read| {
                let proposed = match &pinned {
                    None => read.recommended.as_ref(),
                    Some([whole, numberless]) => Some(match read.ignores_numbers {
                        true => numberless,
                        false => whole,
                    }),
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
                        PolicyVerdict::Add
                    } else {
                        PolicyVerdict::Disagree
                    };
                }
                match proposed {
                    None => PolicyVerdict::Abstain,
                    Some(label) if Some(label) == read.chosen.as_ref() => PolicyVerdict::Agree,
                    Some(_) => PolicyVerdict::Disagree,
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

fn read<'a>(answer: &'a HumanAnswer, known: &mut Identities<'a>) -> ReadAnswer {
    let numberless: Vec<Rc<str>> = answer
        .options
        .iter()
        .map(|label| known.of(label, true))
        .collect();
    // Options that differ only by a number must keep it.
    let mut labels = numberless.iter().enumerate();
    let are_distinct =
        labels.all(|(at, label)| !numberless.iter().take(at).any(|one| one == label));
    let ignores_numbers = are_distinct && answer.labels.len() == 1;
    let chosen = answer
        .chosen()
        .map(|label| known.of(label, ignores_numbers));
    let offered = answer.options.iter();
    ReadAnswer {
        ignores_numbers,
        offered: offered
            .map(|label| known.of(label, ignores_numbers))
            .collect(),
        recommended: answer
            .recommended
            .as_deref()
            .map(|label| known.of(label, ignores_numbers)),
        chosen: chosen.filter(|_| !answer.said_more),
        named: named(answer).map(Into::into),
        said_more: answer.said_more,
    }
}

// Rules, not a model, read typed answers that name one offered label and add to it, such as "yes work on it now, but keep
// the tests". What is not certain stays a typed answer.

/// Words that may stand in front of a label, without changing what is meant.
const AFFIRMING: &str = "\
    yes|yep|yeah|ok|okay|sure|please|let's|lets|i choose|i'd say|go with|option|do|ja|gerne|\
    bitte|klar|oui|d'accord|sí|si|vale|claro|sì|va bene|sim|да|хорошо|tak|evet|是的|是|好的|好|可以|はい|\
    네|예";

/// Words that an addition begins with, where no punctuation mark stands between it and the label.
const ADDING: &str = "\
    and but with also plus then though und aber mit auch dann et mais avec aussi puis y pero \
    con también además e ma anche mas com também en maar met ook и но также i ale ve ama 但 不过 \
    并且 而且 另外 同时 然后 でも ただし そして あと 하지만 그리고 다만";

/// Words that take a choice back when they stand anywhere behind it.
const REVERSING: &str = "\
    instead|rather|unless|wait|actually|cancel|except|only if|on second thought|stattdessen|\
    sondern|lieber|außer|nur wenn|doch nicht|plutôt|au lieu|sauf|à moins|en vez|salvo|mejor|\
    a menos|invece|piuttosto|a meno|em vez|exceto|melhor|in plaats|behalve|liever|вместо|лучше|\
    кроме|zamiast|yerine|不要|不用|而不是|算了|除非|やめ|代わり|しない|말고|대신|아니";

/// Words that take a choice back when they stand right behind it.
const NEGATING: &str = "\
    not no nope never don't dont isn't doesn't won't can't cannot nicht nein kein keine pas non \
    ne nunca não nao niet nee geen не нет nie hayır değil";

/// How many words behind the label may not negate it.
const NEGATION_WITHIN: usize = 4;

/// The offered label, as sent, that `typed` names and adds to; `None` for anything else.
///
/// The label stands first, or behind a word that only affirms; punctuation or a word that adds follows;
/// nothing behind it negates, reverses or asks; and no other label is named anywhere.
pub(super) fn added_to<'o>(typed: &str, offered: &'o [String]) -> Option<&'o str> {
    let typed = plain_lowercase(typed);
    let labels: Vec<String> = offered
        .iter()
        .map(|label| plain_lowercase(strip_mark(label).0))
        .collect();
    let (chosen, from, to) = named_first(&typed, &labels)?;
    let (before, rest) = (typed.get(..from)?, typed.get(to..)?);
    let is_named = |label: &str| {
        let texts = [before, rest];
        !label.is_empty() && texts.iter().any(|text| find(text, label).is_some())
    };
    let label = labels.get(chosen)?;
    let mut others = labels
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != chosen);
    if others.any(|(_, other)| other == label || is_named(other)) || !adds(rest) {
        return None;
    }
    offered.get(chosen).map(String::as_str)
}

/// The longest label that `typed` begins with, affirmations aside: its index, and where it begins and
/// ends.
fn named_first(typed: &str, labels: &[String]) -> Option<(usize, usize, usize)> {
    let mut at = 0;
    loop {
        let rest = typed.get(at..)?;
        let named =
            |label: &&String| label.contains(char::is_alphanumeric) && find(rest, label) == Some(0);
        let longest = labels
            .iter()
            .enumerate()
            .filter(|(_, label)| named(label))
            .max_by_key(|(_, label)| label.len());
        if let Some((index, label)) = longest {
            return Some((index, at, at + label.len()));
        }
        let word = AFFIRMING.split('|');
        let word = word.filter(|word| find(rest, word) == Some(0));
        at += word.map(str::len).max()?;
        let is_between = |c: char| c.is_whitespace() || PUNCTUATION.contains(&c);
        at += typed.get(at..)?.len() - typed.get(at..)?.trim_start_matches(is_between).len();
    }
}

/// Punctuation that may stand between a label and what is added.
const PUNCTUATION: [char; 18] = [
    ',', '.', ';', ':', '-', '–', '—', '(', '+', '&', '!', '，', '。', '、', '；', '：', '（', '！',
];

/// True when `rest`, which follows a label, only adds to it.
fn adds(rest: &str) -> bool {
    let text = rest.trim_start();
    let begins =
        text.starts_with(PUNCTUATION) || ADDING.split(' ').any(|word| find(text, word) == Some(0));
    let first: Vec<&str> = words(text).take(NEGATION_WITHIN).collect();
    begins
        && text.contains(char::is_alphanumeric)
        && !text.contains(['?', '？'])
        && !REVERSING.split('|').any(|word| find(text, word).is_some())
        && !NEGATING.split(' ').any(|word| first.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
}

/// `text` in lower case, without markup and quotation marks, with one space between words.
fn plain_lowercase(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !"`*_\"“”„«»「」".contains(*c))
        .map(|c| if c == '’' { '\'' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where `phrase` first stands in `text` as whole words. In scripts without spaces any place will do.
fn find(text: &str, phrase: &str) -> Option<usize> {
    let is_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    let inner = (phrase.chars().next(), phrase.chars().next_back());
    text.match_indices(phrase).map(|(at, _)| at).find(|at| {
        let before = text
            .get(..*at)
            .and_then(|before| before.chars().next_back());
        let after = text
            .get(at + phrase.len()..)
            .and_then(|after| after.chars().next());
        let is_joined = is_of_word(inner.0) && is_of_word(before);
        let goes_on = is_of_word(inner.1) && is_of_word(after);
        !is_joined && !goes_on
    })
}

/// True for letters of Chinese, Japanese and Korean, whose words need no spaces.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use plantune_domain::recommended::same_label;

    use super::*;
    use crate::evidence::tests::answer;

    fn read_all(answers: &[HumanAnswer]) -> Answers {
        let shared: Vec<Arc<HumanAnswer>> = answers.iter().cloned().map(Arc::new).collect();
        Answers::of(&shared)
    }

    fn verdicts(policy: &AnswerPolicy, answers: &[HumanAnswer]) -> Vec<PolicyVerdict> {
        read_all(answers).verdicts(policy)
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
        use PolicyVerdict::{Abstain, Agree, Disagree};
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
            [
                PolicyVerdict::Agree,
                PolicyVerdict::Abstain,
                PolicyVerdict::Abstain
            ]
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
            assert_eq!(verdicts(&policy, &answers), [PolicyVerdict::Disagree; 3]);
        }
        assert_eq!(read_all(&answers).policies, [AnswerPolicy::Follow]);
    }

    #[test]
    fn what_adds_to_a_label_is_neither_for_its_policy_nor_against_it() {
        let mut added = answer(&["A it (Recommended)", "B"], &[]);
        added.said_more = true;
        added.typed = Some("Yes, a it, and be quick".to_owned());
        let chosen = answer(&["A it (Recommended)", "B"], &["B"]);
        let answers = [added, chosen];
        for (policy, verdict) in [
            (AnswerPolicy::Follow, PolicyVerdict::Add),
            (AnswerPolicy::Pin("A it".into()), PolicyVerdict::Add),
            (AnswerPolicy::Pin("B".into()), PolicyVerdict::Disagree),
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
            read_all(&answers).policies,
            [
                AnswerPolicy::Follow,
                AnswerPolicy::Pin("A".into()),
                AnswerPolicy::Pin("B".into())
            ]
        );
    }

    fn named(typed: &str, labels: &[&str]) -> Option<String> {
        let offered: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        added_to(typed, &offered).map(str::to_owned)
    }

    const TODO: [&str; 3] = ["Work on it now", "Defer", "Delete the todo"];
    const AREA: [&str; 2] = ["More questions", "Next area (Recommended)"];

    #[test]
    fn label_with_an_addition_is_read() {
        for typed in [
            "yes work on it now, but you can keep the tests as they are",
            "Work on it now. Start with the parser",
            "**Work on it now** and tell me when it is done",
            "Yes, please: work on it now - keep it short",
        ] {
            assert_eq!(
                named(typed, &TODO).as_deref(),
                Some("Work on it now"),
                "{typed}"
            );
        }
        let next = named("Next area, and note that the schema is final", &AREA);
        assert_eq!(next.as_deref(), Some("Next area (Recommended)"));
        // The longer of two labels that begin alike.
        let longer = named("Next area, with a summary", &["Next", "Next area"]);
        assert_eq!(longer.as_deref(), Some("Next area"));
    }

    #[test]
    fn several_languages() {
        for (typed, labels) in [
            (
                "Ja, jetzt bearbeiten, aber die Tests behalten",
                ["Jetzt bearbeiten", "Später"],
            ),
            (
                "oui continuer mais avec un résumé",
                ["Continuer", "Arrêter"],
            ),
            ("Sí, continuar y añade un resumen", ["Continuar", "Parar"]),
            (
                "да, продолжить, и добавь тесты",
                ["Продолжить", "Остановить"],
            ),
            ("好的，继续，另外请补充测试", ["继续", "停止"]),
            ("はい、続ける。ただしテストも書いて", ["続ける", "停止"]),
            ("네, 계속 그리고 테스트도 추가해", ["계속", "중지"]),
        ] {
            assert_eq!(named(typed, &labels).as_deref(), Some(labels[0]), "{typed}");
        }
        for (typed, labels) in [
            (
                "Jetzt bearbeiten, nein, doch nicht",
                ["Jetzt bearbeiten", "Später"],
            ),
            ("Continuar, pero mejor mañana", ["Continuar", "Parar"]),
            ("继续，算了", ["继续", "停止"]),
        ] {
            assert_eq!(named(typed, &labels), None, "{typed}");
        }
    }

    #[test]
    fn doubt_stays_unexplained() {
        for typed in [
            "if you feel you have everything you need",
            "Next area",
            "next areas, and so on",
            "Next area? I am not sure",
            "Next area, no wait",
            "Next area is wrong",
            "Next area, but not yet",
            "Next area, but more questions about auth first",
            "the next area, and quickly",
            "Not next area, but stop",
            "Next area, unless something is open",
            "Next area, ...",
            "",
        ] {
            assert_eq!(named(typed, &AREA), None, "{typed}");
        }
        assert_eq!(named("Go, and be quick", &["Go", "go"]), None);
        assert_eq!(named("--, and be quick", &["--", "Go"]), None);
        assert_eq!(named("anything", &[]), None);
    }
}
