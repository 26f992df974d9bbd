//! What the gate says of texts. A history asks the same again and again, and reading a text by the door rules
//! is most of the work, so each is read once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use plantune_domain::gate::{self, ProposedAnswer, Refusal};
use plantune_domain::registry::Registry;

use crate::evidence::HumanAnswer;
use crate::memo::Memo;

/// The verdicts of the gate so far, under one registry, by all that it reads.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Memo<Option<Refusal>>, Chosen);

/// By the number of an answer: the answer, the name of its question, and why that must be asked.
type Chosen = Mutex<HashMap<usize, (HumanAnswer, String, Option<String>)>>;

/// Of how many answers it is known why they must be asked; after more it begins again.
const MOST_CHOSEN: usize = 50_000;

impl Refusals {
    /// What `work_out` says of what was chosen in `answer`, whose question is `named` so, or said before.
    pub(crate) fn of_chosen(
        &self,
        answer: &HumanAnswer,
        named: &str,
        work_out: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let chosen = || self.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, name, reason)) = chosen().get(&answer.number())
            && known.is_copy_of(answer)
            && name == named
        {
            return reason.clone();
        }
        let reason = work_out();
        let mut chosen = chosen();
        if chosen.len() == MOST_CHOSEN {
            chosen.clear();
        }
        let entry = (answer.clone(), named.to_owned(), reason.clone());
        chosen.insert(answer.number(), entry);
        reason
    }

    /// Why `proposed` must be asked, by [`gate::check`]; `None` when it need not be.
    pub(crate) fn of(&self, proposed: &ProposedAnswer<'_>, registry: &Registry) -> Option<Refusal> {
        let refusal = || gate::check(proposed, registry).err();
        self.0.get(&all_of(proposed), refusal)
    }
}

/// All texts of `proposed`, each behind its length, so that no two of them are one text together.
fn all_of(proposed: &ProposedAnswer<'_>) -> String {
    let ProposedAnswer {
        key,
        text,
        header,
        options,
        label,
        description,
        preview,
    } = proposed;
    let mut all = String::with_capacity(256);
    let mut add = |text: Option<&str>| {
        if let Some(text) = text {
            all.push_str(&text.len().to_string());
        }
        all.push(':');
        all.push_str(text.unwrap_or_default());
    };
    for text in [
        Some(*key),
        Some(text),
        *header,
        *label,
        Some(description),
        Some(preview),
    ] {
        add(text);
    }
    options.iter().for_each(|option| add(Some(option)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_counts() {
        let proposed = |key, text, header, label| ProposedAnswer {
            key,
            text,
            header,
            options: &[],
            label,
            description: "",
            preview: "",
        };
        let refusals = Refusals::default();
        let registry = Registry::default();
        for (proposed, is_refused) in [
            (proposed("x", "Old tables?", None, None), false),
            (proposed("x", "Old tables?", Some(""), None), false),
            (proposed("x", "Old tables?", None, Some("Keep them")), false),
            (proposed("x", "Old tables?", None, Some("Drop them")), true),
            (proposed("x", "Old tables?", Some("Drop them"), None), true),
            (proposed("drop", "Old tables?", None, None), true),
        ] {
            for _ in 0..2 {
                let found = refusals.of(&proposed, &registry);
                assert_eq!(found, gate::check(&proposed, &registry).err());
                assert_eq!(found.is_some(), is_refused, "{proposed:?}");
            }
        }
        assert_eq!(refusals.0.known().len(), 6);
    }
}
