//! The act that an answer stands for, and why it must be asked.

use std::borrow::Cow::{self, Borrowed};

use super::label::{Commitment, clauses, commitment, names_nothing, proposes_protection};
use super::outward::{self, outward_act};
use super::sentences::{asking_sentence, without_design, without_refusals};
use super::words::{self, NEGATIVE, words};
use crate::doors::entries::{List, list};
use crate::doors::{
    Reading, find_act, find_at_consent, find_hard, find_signs, one_way_reason, points_outside,
};
use crate::recommended::option_text;

/// The texts of an answer that say what it makes the agent do.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// What it commits to.
    pub commitment: Commitment,
    question: &'a str,
    /// What the door rules read whole: key, question, header and label, where the label refers to them.
    whole: Vec<Cow<'a, str>>,
    /// What says by itself what is done, and how it is read.
    parts: Vec<(Cow<'a, str>, Reading)>,
    /// The label with what stands beside it, in which signs are looked for: also where it says that something is
    /// not done, which words alone are believed to say.
    beside: [&'a str; 3],
    /// The outward or final act that the label names by itself.
    outward: Option<String>,
}

impl<'a> Act<'a> {
    /// What choosing `label` in answer to `question` does; without a label, what the question proposes.
    pub fn of(
        key: &'a str,
        question: &'a str,
        header: &'a str,
        label: Option<&'a str>,
        description: &'a str,
        preview: &'a str,
    ) -> Self {
        let commitment = label.map_or(Commitment::RefersToQuestion, |label| {
            commitment(question, label)
        });
        let label = label.map_or("", option_text);
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        match commitment {
            Commitment::LeavesThings => parts.push((without_refusals(label), Reading::Description)),
            Commitment::OwnAct => parts.push((without_refusals(label), Reading::Act)),
            Commitment::Value => {
                let asked = asking_sentence(question);
                parts.push((Borrowed(label), Reading::Value));
                let asked = without_design(asked);
                let asked = without_refusals(&asked).into_owned();
                parts.push((Cow::Owned(asked), Reading::Value));
            }
            Commitment::NamesProposal | Commitment::RefersToQuestion => {
                whole.extend([
                    Borrowed(key),
                    without_design(question),
                    Borrowed(header),
                    without_refusals(without_yes(label)),
                ]);
            }
        }
        parts.push((without_refusals(description), Reading::Description));
        parts.push((Borrowed(preview), Reading::Description));
        Self {
            commitment,
            question,
            whole,
            parts,
            beside: [label, description, preview],
            outward: outward_act(label, &[question, description])
                .or_else(|| described(label, description, commitment))
                .or_else(|| lets(question, label, commitment))
                .or_else(|| destroys(question, commitment))
                .or_else(|| declines(question, label))
                .or_else(|| trusts(question, commitment))
                .or_else(|| runs_live(question, label, commitment))
                .or_else(|| exposes(question, label, commitment)),
        }
    }

    /// Why the act must be asked; `None` where it need not be. Words are soft: the person may say that they do not
    /// hold for a question, which `is_opened` then ([`Registry::opens`](crate::registry::Registry::opens)). Signs
    /// hold whatever is said.
    pub fn reason_to_ask(&self, is_opened: bool) -> Option<String> {
        match is_opened {
            true => self.hard_reason(),
            false => self.one_way_reason(),
        }
    }

    /// What holds whatever the person says of a key: commands with an effect, SQL that writes, money, addresses,
    /// force, and destroyed data, in the act; `None` where nothing does.
    pub fn hard_reason(&self) -> Option<String> {
        let parts = self.parts.iter().map(|(text, _)| text);
        let mut texts = self.whole.iter().chain(parts);
        let finding = texts.find_map(|text| find_hard(text));
        finding
            .map(|finding| finding.reason)
            .or_else(|| self.sign())
    }

    /// The sign in the label or beside it.
    fn sign(&self) -> Option<String> {
        let finding = self.beside.iter().find_map(|text| find_signs(text));
        // "Where should I write it?" "~/.bashrc"
        let filled = || match self.commitment {
            Commitment::Value if points_outside(self.beside[0]) => {
                find_signs(&[asking_sentence(self.question), self.beside[0]].join(" "))
            }
            _ => None,
        };
        finding.or_else(filled).map(|finding| finding.reason)
    }

    /// Why the act cannot be taken back, by the rules that are asked at consent alone; `None` where it can.
    pub fn reason_at_consent(&self) -> Option<String> {
        let whole: Vec<&str> = self.whole.iter().map(AsRef::as_ref).collect();
        let of_parts = || {
            let mut parts = self.parts.iter();
            parts.find_map(|(text, reading)| find_at_consent(&[text], *reading))
        };
        let found = find_at_consent(&whole, Reading::Whole).or_else(of_parts);
        found.map(|found| found.reason)
    }

    /// Why the act cannot be taken back; `None` where it can.
    pub fn one_way_reason(&self) -> Option<String> {
        self.outward.clone().or_else(|| {
            let whole: Vec<&str> = self.whole.iter().map(AsRef::as_ref).collect();
            let of_parts = || {
                self.parts
                    .iter()
                    .find_map(|(text, reading)| find_act(text, *reading))
                    .map(|finding| finding.reason)
            };
            one_way_reason(&whole)
                .or_else(of_parts)
                .or_else(|| self.sign())
                .or_else(|| proposed(self.question, self.commitment))
        })
    }
}

/// `label` without a word of consent in front: what is consented to is judged.
fn without_yes(label: &str) -> &str {
    let end = label
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(label.len());
    let (first, rest) = label.split_at(end);
    // "Accept the risk" is no mere yes.
    let first = first.to_lowercase();
    match words::YES.holds(&first) && first != "accept" && !rest.is_empty() {
        true => rest,
        false => label,
    }
}

/// An outward act that the description of `label` names. What is described of leaving things alone is what happens
/// anyway, but for what is done all the same.
fn described(label: &str, description: &str, commitment: Commitment) -> Option<String> {
    if let Some(found) = outward::ends_something(description) {
        return Some(found);
    }
    let asks = words(label).first().is_some_and(|word| word == "ask");
    let done = match commitment {
        Commitment::LeavesThings if !asks => return outward::all_the_same(description),
        Commitment::Value => Cow::Owned(outward::orders(description)),
        _ => Borrowed(description),
    };
    let act = outward_act(&without_lists(&without_refusals(&done)), &[]);
    act.or_else(|| outward::gives_up(description))
}

/// `description` as an order, without the single words of a list: "emails, posts, notes".
fn without_lists(description: &str) -> String {
    let parts = description.split([',', '/', ';']);
    let several = parts.clone().count() > 1;
    let parts = parts.map(words).filter(|part| !several || part.len() > 1);
    let ordered = parts.map(|part| match part.split_first() {
        Some((head, rest)) => [outward::as_order(head), &rest.join(" ")].join(" "),
        None => String::new(),
    });
    ordered.collect::<Vec<String>>().join(",")
}

/// A value that names what is destroyed: "Which files should I delete?".
fn destroys(question: &str, commitment: Commitment) -> Option<String> {
    static LEADING: List = list!(" to i we should shall be can must may let me ");
    let words = asked_words(question);
    if commitment != Commitment::Value || words.iter().any(|word| outward::is_written(word)) {
        return None;
    }
    let mut before = None;
    words.iter().find_map(|word| {
        let leads = before
            .replace(word)
            .is_none_or(|before| LEADING.holds(before));
        (leads && outward::is_destroying(word)).then(|| format!("outward: {word}"))
    })
}

/// The outward act that the question proposes and the answer accepts.
fn proposed(question: &str, commitment: Commitment) -> Option<String> {
    let accepts = matches!(
        commitment,
        Commitment::NamesProposal | Commitment::RefersToQuestion
    );
    accepts.then(|| outward_act(&without_refusals(asking_sentence(question)), &[]))?
}

/// A value that lets the agent act outside: "When should it push?".
fn lets(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    static MODAL: List = list!(" should shall can may will to could ");
    static LET: List = list!(" push merge publish release send post deploy submit email notify ");
    let words = asked_words(question);
    let is_modal = |at: &usize| words.get(*at).is_some_and(|word| MODAL.holds(word));
    let at = words.iter().position(|word| LET.holds(word))?;
    let refused = matches!(
        label.to_lowercase().as_str(),
        "never" | "manual" | "manually" | "off"
    );
    let follows = (at.saturating_sub(4)..at).any(|at| is_modal(&at));
    let word = words.get(at)?;
    (commitment == Commitment::Value && follows && !refused).then(|| format!("outward: {word}"))
}

/// "No" to keeping, asking or verifying: what was to be kept goes.
fn declines(question: &str, label: &str) -> Option<String> {
    let clauses = clauses(label);
    let first = clauses.first()?;
    let declines = |word: &String| {
        NEGATIVE.holds(word) || matches!(word.as_str(), "skip" | "off" | "disable" | "disabled")
    };
    let is_bare = first.first().is_some_and(declines) && names_nothing(first) && clauses.len() == 1;
    (is_bare && proposes_protection(question)).then(|| "declines a safeguard".to_owned())
}

/// A value for how much is left to the agent: what it may do unasked is nothing to be answered unasked.
fn trusts(question: &str, commitment: Commitment) -> Option<String> {
    let asked = asked_words(question);
    let trust = asked.iter().find(|word| {
        matches!(
            word.as_str(),
            "trust" | "autonomy" | "autonomous" | "autonomously" | "permission" | "permissions"
        )
    });
    trust
        .filter(|_| commitment == Commitment::Value)
        .map(|word| format!("outward: {word}"))
}

/// What runs for others, chosen as the place where something is done: "Which environment?" "Production".
fn runs_live(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    static PLACES: List =
        list!(" environment env database db server cluster target stage where run ");
    let is_live = matches!(
        label.to_lowercase().as_str(),
        "production" | "prod" | "live"
    );
    let asks = || asked_words(question).iter().any(|word| PLACES.holds(word));
    (commitment == Commitment::Value && is_live && asks())
        .then(|| format!("outward: {}", label.to_lowercase()))
}

/// Everybody, chosen as those who get to something: "Repository visibility?" "Public".
fn exposes(question: &str, label: &str, commitment: Commitment) -> Option<String> {
    static EVERYBODY: List =
        list!(" public publicly everyone everybody anyone anybody world internet ");
    static ACCESS: List = list!(
        " visibility visible access read see share shared sharing repo repository bucket link connect \
        cidr port ingress expose exposed rollout private "
    );
    let label = words(label);
    let everybody = label.iter().find(|word| EVERYBODY.holds(word));
    let is_any = label.first().is_some_and(|first| first == "0");
    let asks = || asked_words(question).iter().any(|word| ACCESS.holds(word));
    let everybody = everybody
        .map(String::as_str)
        .or(is_any.then_some("0.0.0.0"));
    let everybody = everybody.filter(|_| commitment == Commitment::Value && asks())?;
    Some(format!("outward: {everybody}"))
}

/// The words of the sentence of `question` that asks, without the names of slash commands.
fn asked_words(question: &str) -> Vec<String> {
    let asking = asking_sentence(question).split_whitespace();
    let prose: Vec<&str> = asking
        .filter(|word| !word.trim_start_matches(['`', '"', '(']).starts_with('/'))
        .collect();
    words(&prose.join(" "))
}
