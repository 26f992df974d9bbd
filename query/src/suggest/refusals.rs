//! What the gate says of texts. A history asks the same again and again, and reading a text by the door rules
//! is most of the work, so each is read once.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plantune_domain::gate::{self, ProposedAnswer, Refusal};
use plantune_domain::registry::Registry;

/// How many verdicts are remembered; a longer history begins again.
const MOST: usize = 20_000;

/// The verdicts of the gate so far, under one registry.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Mutex<Known>);

/// What was said of each proposal, by [`name`].
type Known = HashMap<Vec<u8>, Option<Refusal>>;

impl Refusals {
    /// Why `proposed` must be asked, by [`gate::check`]; `None` when it need not be.
    pub(crate) fn of(&self, proposed: &ProposedAnswer<'_>, registry: &Registry) -> Option<Refusal> {
        let name = name(proposed);
        if let Some(known) = self.known().get(&name) {
            return known.clone();
        }
        let refusal = gate::check(proposed, registry).err();
        let mut known = self.known();
        if known.len() == MOST {
            known.clear();
        }
        known.insert(name, refusal.clone());
        refusal
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All that the gate reads, each text behind its length, so that no two proposals have one name.
fn name(proposed: &ProposedAnswer<'_>) -> Vec<u8> {
    let ProposedAnswer {
        key,
        text,
        header,
        options,
        label,
        description,
        preview,
    } = *proposed;
    let mut name = Vec::with_capacity(256);
    let texts = [
        Some(key),
        Some(text),
        header,
        label,
        Some(description),
        Some(preview),
    ];
    let options = options.iter().map(|option| Some(option.as_str()));
    for text in texts.into_iter().chain(options) {
        // No text is as long as the greatest number says.
        name.extend_from_slice(&text.map_or(usize::MAX, str::len).to_le_bytes());
        name.extend_from_slice(text.unwrap_or_default().as_bytes());
    }
    name
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
        assert_eq!(refusals.known().len(), 6);
    }
}
