//! What is read of an asking for one of its options. A history holds the same askings again and again, so the latest
//! readings are kept.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::act::Act;
use super::signs::{
    Signs, add_signs, areas, final_word, is_english, is_turn, outward, outward_state, passing,
    signs_of,
};
use super::text::{Kind, Reading};
use crate::doors::find_signs;
use crate::recommended::option_text;

/// What choosing an option does: everything that is said of it.
pub(crate) struct ReadAct {
    pub(super) act: Act,
    text: Reading,
    label: Reading,
    description: Reading,
    /// Label, description, preview and text.
    written: [String; 4],
}

impl ReadAct {
    /// The act of answering `text` with `label`, which is described so.
    pub(crate) fn of(text: &str, label: &str, description: &str, preview: &str) -> Self {
        let reading = Reading::of(text);
        Self {
            act: Act::of(&reading, label),
            text: reading,
            label: Reading::of(option_text(label)),
            description: Reading::of(description),
            written: [label, description, preview, text].map(str::to_owned),
        }
    }

    /// Why it is never done for the person; `None` if it may be. If a rule of theirs `is_opened` for it, only commands,
    /// money, addresses and paths count.
    pub(crate) fn never(&self, is_opened: bool) -> Option<String> {
        let is_address = || self.label.values().any(|value| value.contains("://"));
        let own = || {
            let mut said = [&self.label, &self.description].into_iter();
            said.find_map(|reading| outward(reading.tokens.iter()))
                .or_else(|| is_address().then(|| "sign: address".to_owned()))
        };
        let asked = || match self.act {
            Act::Leaves => None,
            Act::Own => final_word(&self.text),
            Act::Value => outward_state(&self.label)
                .or_else(|| outward(self.text.asking()))
                .or_else(|| final_word(&self.text)),
            Act::Refers => outward(self.text.tokens.iter()),
        };
        let refers = self.act == Act::Refers;
        let mut written = self.written.iter().take(if refers { 4 } else { 3 });
        let mut signs = || written.find_map(|text| find_signs(without_yes(text)));
        match is_opened {
            true => signs(),
            false => own().or_else(asked).or_else(signs),
        }
    }

    /// True if it leaves things as they are, and so does what is said of it.
    pub(crate) fn leaves(&self) -> bool {
        self.act == Act::Leaves && signs_of(&self.description).is_empty()
    }

    /// True if `y` is enough to agree to it: it leaves things as they are or is a value, and nothing said of it matters.
    pub(crate) fn is_plain(&self) -> bool {
        let is_plain = match self.act {
            // Its first words say that it leaves things: "Not now". So does "no file" as its description.
            Act::Leaves => {
                let behind = self.label.tokens.iter().skip(1).cloned().collect();
                let behind = signs_of(&Reading { tokens: behind });
                let described = signs_of(&self.description);
                let says_no = |sign: &String| matches!(sign.as_str(), "no" | "none" | "nothing");
                behind.keys().all(|sign| is_turn(sign)) && described.keys().all(says_no)
            }
            Act::Value => {
                let said = [&self.label, &self.description, &self.text];
                said.into_iter().all(|reading| signs_of(reading).is_empty())
            }
            Act::Own | Act::Refers => false,
        };
        is_plain && is_english(&self.text) && is_english(&self.description)
    }
}

/// `text` without a "Yes, " in front: what follows may be a command.
fn without_yes(text: &str) -> &str {
    let (yes, rest) = text.split_once(", ").unwrap_or_default();
    if yes.eq_ignore_ascii_case("yes") {
        rest
    } else {
        text
    }
}

/// The form and the signs of a text.
pub(super) struct ReadText {
    pub(super) form: String,
    signs: Signs,
    /// Those of its names, which may differ where the form does not.
    of_names: Signs,
}

impl ReadText {
    fn of(reading: &Reading) -> Self {
        let names = reading.tokens.iter();
        let names = names.filter(|token| matches!(token.kind, Kind::Id | Kind::File));
        Self {
            form: reading.form(),
            signs: signs_of(reading),
            of_names: signs_of(&Reading {
                tokens: names.cloned().collect(),
            }),
        }
    }

    /// The signs that may be new if the form `is_known`.
    pub(super) fn may_be_new(&self, is_known: bool) -> &Signs {
        if is_known {
            &self.of_names
        } else {
            &self.signs
        }
    }
}

/// An asking as it is read for one of its options.
pub(super) struct ReadAsking {
    said: ReadAct,
    pub(super) text: ReadText,
    pub(super) description: ReadText,
    /// The form of the sentences that ask.
    pub(super) asking_form: String,
    pub(super) header_signs: Signs,
    /// The signs of text, header and description.
    pub(super) signs: Signs,
    /// What the text is about, and its words that say nothing.
    pub(super) areas: BTreeSet<String>,
    pub(super) passing: BTreeSet<String>,
    pub(super) numbers: Vec<u64>,
    pub(super) values: Vec<String>,
    pub(super) is_english: bool,
    /// Why it is never done, without a rule of the person's and with one.
    never: [OnceCell<Option<String>>; 2],
}

/// How many readings are kept: those of one person's habits.
const KEPT: usize = 4096;

thread_local! {
    static LATEST: RefCell<HashMap<String, Rc<ReadAsking>>> = RefCell::default();
}

impl ReadAsking {
    /// The reading of what is sent.
    pub(super) fn of(text: &str, header: &str, label: &str, description: &str) -> Rc<Self> {
        let sent = [text, header, label, description].join("\0");
        LATEST.with_borrow_mut(|latest| {
            if let Some(read) = latest.get(&sent) {
                return Rc::clone(read);
            }
            let read = Rc::new(Self::read(text, header, label, description));
            if latest.len() >= KEPT {
                latest.clear();
            }
            latest.insert(sent, Rc::clone(&read));
            read
        })
    }

    fn read(text: &str, header: &str, label: &str, description: &str) -> Self {
        let said = ReadAct::of(text, label, description, "");
        let header = Reading::of(header);
        let (text, description) = (ReadText::of(&said.text), ReadText::of(&said.description));
        let all = [&said.text, &header, &said.description];
        let mut signs = Signs::new();
        all.iter()
            .for_each(|reading| add_signs(reading, &mut signs));
        let values = all.iter().flat_map(|reading| reading.values());
        Self {
            asking_form: said.text.asking_form(),
            header_signs: signs_of(&header),
            areas: areas(&said.text),
            passing: passing(&said.text),
            numbers: all.iter().flat_map(|reading| reading.numbers()).collect(),
            values: values.map(str::to_owned).collect(),
            is_english: is_english(&said.text),
            never: [OnceCell::new(), OnceCell::new()],
            signs,
            text,
            description,
            said,
        }
    }

    pub(super) fn act(&self) -> Act {
        self.said.act
    }

    /// Why the act is never done for the person, as [`ReadAct::never`] says.
    pub(super) fn never(&self, is_opened: bool) -> Option<&str> {
        let [closed, opened] = &self.never;
        let known = if is_opened { opened } else { closed };
        known.get_or_init(|| self.said.never(is_opened)).as_deref()
    }
}
