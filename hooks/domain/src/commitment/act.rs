//! The texts of an answer that say what it makes the agent do.

use std::borrow::Cow::{self, Borrowed};

use super::sentences::{asking_sentences, without_design, without_refusals};
use super::{Commitment, YES, commitment};
use crate::doors::{find_hard, find_plain, find_signs, points_outside};
use crate::recommended::option_text;

/// The texts of an answer that say what it makes the agent do.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// What it commits to.
    pub commitment: Commitment,
    pub(crate) question: &'a str,
    pub(crate) label: &'a str,
    pub(crate) description: &'a str,
    pub(crate) preview: &'a str,
    /// What is read together: key, question, header and label, where the label refers to them.
    pub(crate) together: Vec<Cow<'a, str>>,
    /// The label, where it says by itself what is done, and the sentence that a value is given for.
    pub(crate) alone: Vec<Cow<'a, str>>,
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
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        match commitment {
            Commitment::LeavesThings | Commitment::OwnAct => alone.push(without_refusals(label)),
            Commitment::Value => {
                let asked = asking_sentences(question).join(" ");
                let asked = without_refusals(&without_design(&asked)).into_owned();
                alone.extend([Borrowed(label), Cow::Owned(asked)]);
            }
            Commitment::NamesProposal | Commitment::RefersToQuestion => together.extend([
                Borrowed(key),
                without_design(question),
                Borrowed(header),
                without_refusals(without_yes(label)),
            ]),
        }
        Self {
            commitment,
            question,
            label,
            description,
            preview,
            together,
            alone,
        }
    }

    /// What holds whatever the person says of a key: commands with an effect, SQL that writes, money, addresses,
    /// force, and destroyed data, in the act; `None` where nothing does.
    pub fn hard_reason(&self) -> Option<String> {
        let described = without_refusals(self.description);
        let acts = self.together.iter().chain(&self.alone);
        let mut acts = acts.map(AsRef::as_ref).chain([&*described, self.preview]);
        acts.find_map(find_hard).or_else(|| self.sign())
    }

    /// What plainly cannot be taken back, by the few lists that the hook has; `None` where they find nothing. The person's
    /// own word opens it.
    pub fn plain_reason(&self) -> Option<String> {
        let together: Vec<&str> = self.together.iter().map(AsRef::as_ref).collect();
        let described = without_refusals(self.description);
        let alone = self.alone.iter().map(AsRef::as_ref);
        let mut alone = alone.chain([&*described, self.preview]);
        self.hard_reason()
            .or_else(|| find_plain(&together))
            .or_else(|| alone.find_map(|text| find_plain(&[text])))
    }

    /// The sign in the label or beside it, also where it says that something is not done: words alone are believed to
    /// say so.
    fn sign(&self) -> Option<String> {
        let beside = [self.label, self.description, self.preview];
        // "Where should I write it?" "~/.bashrc"
        let filled = || match self.commitment {
            Commitment::Value if points_outside(self.label) => {
                let asked = asking_sentences(self.question);
                find_signs(&[asked.join(" ").as_str(), self.label].join(" "))
            }
            _ => None,
        };
        beside.into_iter().find_map(find_signs).or_else(filled)
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
    match YES.holds(&first) && first != "accept" && !rest.is_empty() {
        true => rest,
        false => label,
    }
}
