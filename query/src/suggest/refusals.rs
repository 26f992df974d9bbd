//! What the gate says of texts. A history asks the same again and again, and reading a text by the door rules
//! is most of the work, so each is read once.

use plantune_domain::gate::{self, ProposedAnswer, Refusal};
use plantune_domain::registry::Registry;

use crate::memo::Memo;

/// The verdicts of the gate so far, under one registry, by all that it reads.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Memo<Option<Refusal>>);

impl Refusals {
    /// Why `proposed` must be asked, by [`gate::check`]; `None` when it need not be.
    pub(crate) fn of(&self, proposed: &ProposedAnswer<'_>, registry: &Registry) -> Option<Refusal> {
        let refusal = || gate::check(proposed, registry).err();
        self.0.get(&format!("{proposed:?}"), refusal)
    }
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
