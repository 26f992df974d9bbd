//! What stood where texts varied. A run meets the same fillers again and again, and judging one takes the
//! door rules, so each is judged once.

use plantune_domain::binding::{Slot, file, id_prefix, number, topic};

use crate::memo::Memo;

/// What a filler is; no text is two of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filler {
    /// A topic of so many plain words.
    Topic(usize),
    /// A file in this folder, of this ending.
    File(String, String),
    /// An id with this prefix.
    Id(String),
    /// A whole number.
    Number(u32),
    /// What must hold as it was seen.
    Other,
}

/// The fillers that were judged so far.
#[derive(Debug, Default)]
pub(crate) struct Fillers {
    kinds: Memo<Filler>,
    short: Memo<bool>,
}

impl Fillers {
    /// What `text` is.
    pub(super) fn filler(&self, text: &str) -> Filler {
        self.kinds.get(text, || judge(text))
    }

    /// Whether `text` may stand where any text of its length may, by what is known.
    pub(super) fn is_short(&self, text: &str) -> bool {
        let any = Slot::Any(usize::MAX);
        self.short.get(text, || any.accepts(text))
    }

    /// [`Slot::accepts`], by what is known.
    pub(super) fn accepts(&self, slot: &Slot, text: &str) -> bool {
        match slot {
            Slot::Words(most) => {
                matches!(self.filler(text), Filler::Topic(words) if words <= *most)
            }
            Slot::File { folders, endings } => {
                matches!(self.filler(text), Filler::File(folder, ending)
                    if folders.contains(&folder) && endings.contains(&ending))
            }
            Slot::Id(prefixes) => {
                matches!(self.filler(text), Filler::Id(prefix) if prefixes.contains(&prefix))
            }
            Slot::Number(..) | Slot::Seen(_) => slot.accepts(text),
            Slot::Any(most) => text.len() <= *most && self.is_short(text),
        }
    }
}

fn judge(text: &str) -> Filler {
    let file = || {
        let (folder, ending) = file(text)?;
        Some(Filler::File(folder.to_owned(), ending.to_owned()))
    };
    let found = topic(text)
        .map(Filler::Topic)
        .or_else(|| number(text).map(Filler::Number))
        .or_else(file)
        .or_else(|| id_prefix(text).map(|prefix| Filler::Id(prefix.to_owned())));
    found.unwrap_or(Filler::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_the_slot_accepts() {
        let fillers = Fillers::default();
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let files = |endings: &[&str]| Slot::File {
            folders: owned(&["", "plans"]),
            endings: owned(endings),
        };
        let slots = [
            Slot::Words(1),
            Slot::Words(3),
            Slot::Number(2, 40),
            files(&["md"]),
            files(&["rs", "txt"]),
            Slot::Seen(owned(&["billing"])),
            Slot::Any(20),
            Slot::Id(owned(&["US"])),
        ];
        let texts = [
            "",
            " ",
            "billing",
            "the billing",
            "search index page",
            "search index pages here",
            "production",
            "delete",
            "format",
            "not",
            "e",
            "1",
            "2",
            "40",
            "41",
            "007",
            "0",
            "a.md",
            "plans/a.rs",
            "US-0042",
            "PLAN-7",
            "us-1",
            "../a.md",
            ".a.md",
            "drop/a.md",
            "a.sh",
            "größe",
            "billing ",
            "2 ",
        ];
        for slot in &slots {
            for text in texts.iter().chain(&texts) {
                assert_eq!(
                    fillers.accepts(slot, text),
                    slot.accepts(text),
                    "{slot} {text:?}"
                );
            }
        }
        assert_eq!(fillers.kinds.known().len(), texts.len());
    }
}
