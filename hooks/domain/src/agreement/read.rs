//! What is read of an asking for one of its options. A history holds the same texts again and again, so the latest are
//! kept as they were read.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::act::{Act, declines};
use super::signs::{
    SignCounts, areas, final_word, is_english, is_turn, outward, outward_state, passing, signs_of,
};
use super::text::{Reading, TokenKind};
use crate::doors::find_signs;
use crate::recommended::option_text;

/// What choosing the option `label` to `text` does.
pub fn act_of(text: &str, label: &str) -> Act {
    let (text, label) = (ReadText::of(text), ReadText::of(option_text(label)));
    Act::of(text.reading(), label.reading())
}

/// One text: a question, header, label, description or preview. Each property is computed when it is first needed.
#[derive(Default)]
pub(super) struct ReadText {
    text: String,
    reading: OnceCell<Reading>,
    form: OnceCell<String>,
    asking_form: OnceCell<String>,
    signs: OnceCell<SignCounts>,
    of_names: OnceCell<SignCounts>,
    areas: OnceCell<BTreeSet<&'static str>>,
    passing: OnceCell<BTreeSet<&'static str>>,
    is_english: OnceCell<bool>,
    outward: OnceCell<Option<String>>,
    final_word: OnceCell<Option<String>>,
    danger: OnceCell<Option<String>>,
    /// What the options that were read with it do.
    acts: RefCell<Vec<(Rc<Self>, Act)>>,
}

/// How many texts are kept in memory: enough for one person's habits.
const KEPT: usize = 4096;

thread_local! {
    static LATEST: RefCell<HashMap<String, Rc<ReadText>>> = RefCell::default();
}

impl ReadText {
    pub(super) fn of(text: &str) -> Rc<Self> {
        LATEST.with_borrow_mut(|latest| {
            if let Some(read) = latest.get(text) {
                return Rc::clone(read);
            }
            if latest.len() >= KEPT {
                latest.clear();
            }
            let read = Rc::new(Self {
                text: text.to_owned(),
                ..Self::default()
            });
            latest.insert(text.to_owned(), Rc::clone(&read));
            read
        })
    }

    fn reading(&self) -> &Reading {
        self.reading.get_or_init(|| Reading::of(&self.text))
    }

    /// The text without the parts that may vary: equal each time that the same question is asked.
    pub(super) fn form(&self) -> &str {
        self.form.get_or_init(|| self.reading().form())
    }

    /// The same, but only of the sentences that ask.
    pub(super) fn asking_form(&self) -> &str {
        self.asking_form
            .get_or_init(|| self.reading().asking_form())
    }

    pub(super) fn signs(&self) -> &SignCounts {
        self.signs.get_or_init(|| signs_of(self.reading()))
    }

    /// The signs that may be new. If the form `is_known`, these are the signs in names, because names are not part of
    /// the form.
    pub(super) fn may_be_new(&self, is_known: bool) -> &SignCounts {
        if !is_known {
            return self.signs();
        }
        self.of_names.get_or_init(|| {
            let tokens = self.reading().tokens.iter();
            let names =
                tokens.filter(|token| matches!(token.kind, TokenKind::Id | TokenKind::File));
            signs_of(&Reading {
                tokens: names.cloned().collect(),
            })
        })
    }

    /// The plain numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.reading().numbers()
    }

    /// The amounts, shares, versions, dates and addresses.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        self.reading().values()
    }

    /// What choosing the option `label` to this question does.
    fn act(&self, label: &Rc<Self>) -> Act {
        let known = |acts: &Vec<(Rc<Self>, Act)>| {
            let found = acts.iter().find(|(of, _)| Rc::ptr_eq(of, label));
            found.map(|(_, act)| *act)
        };
        if let Some(act) = known(&self.acts.borrow()) {
            return act;
        }
        let act = Act::of(self.reading(), label.reading());
        self.acts.borrow_mut().push((Rc::clone(label), act));
        act
    }

    /// The areas of a program that it is about.
    pub(super) fn areas(&self) -> &BTreeSet<&'static str> {
        self.areas.get_or_init(|| areas(self.reading()))
    }

    /// Its words that turn a sentence but do not matter.
    pub(super) fn passing(&self) -> &BTreeSet<&'static str> {
        self.passing.get_or_init(|| passing(self.reading()))
    }

    pub(super) fn is_english(&self) -> bool {
        *self.is_english.get_or_init(|| is_english(self.reading()))
    }

    /// What it does that has an effect outside the project or destroys something.
    fn outward(&self) -> Option<&str> {
        let found = || outward(self.reading().tokens.iter());
        self.outward.get_or_init(found).as_deref()
    }

    fn final_word(&self) -> Option<&str> {
        let found = || final_word(self.reading());
        self.final_word.get_or_init(found).as_deref()
    }

    /// A command with an effect, money, an address or a path outside the project.
    fn danger(&self) -> Option<&str> {
        let found = || find_signs(without_yes(&self.text));
        self.danger.get_or_init(found).as_deref()
    }
}

/// `text` without "Yes, " at its start, which may be followed by a command.
fn without_yes(text: &str) -> &str {
    let (yes, rest) = text.split_once(", ").unwrap_or_default();
    if yes.eq_ignore_ascii_case("yes") {
        rest
    } else {
        text
    }
}

/// An asking and one of its options: every text that says what choosing the option means.
pub(crate) struct ReadAsking {
    pub(super) act: Act,
    pub(super) text: Rc<ReadText>,
    pub(super) header: Rc<ReadText>,
    label: Rc<ReadText>,
    pub(super) description: Rc<ReadText>,
    preview: Rc<ReadText>,
    signs: OnceCell<SignCounts>,
}

impl ReadAsking {
    /// Reads the question `text` with its `header`, and its option `label` with `description` and `preview`.
    pub(crate) fn of(
        text: &str,
        header: &str,
        label: &str,
        description: &str,
        preview: &str,
    ) -> Self {
        let [text, label] = [text, option_text(label)].map(ReadText::of);
        Self {
            act: text.act(&label),
            text,
            header: ReadText::of(header),
            label,
            description: ReadText::of(description),
            preview: ReadText::of(preview),
            signs: OnceCell::new(),
        }
    }

    /// Text, header and description.
    fn parts(&self) -> [&ReadText; 3] {
        [&self.text, &self.header, &self.description]
    }

    /// The signs of text, header and description.
    pub(super) fn signs(&self) -> &SignCounts {
        self.signs.get_or_init(|| {
            let mut all = self.text.signs().clone();
            for (sign, times) in self.header.signs().iter().chain(self.description.signs()) {
                *all.entry(sign).or_default() += times;
            }
            all
        })
    }

    /// Their plain numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.text.numbers().chain(self.beside_text())
    }

    /// The plain numbers of header and description.
    pub(super) fn beside_text(&self) -> impl Iterator<Item = u64> {
        self.header.numbers().chain(self.description.numbers())
    }

    /// Their amounts, shares, versions, dates and addresses.
    pub(super) fn values(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts().into_iter();
        parts.flat_map(ReadText::values)
    }

    /// Why it is never answered for the person; `None` if it may be. If a rule in `registry.toml` allows it
    /// (`is_opened`), only commands, money, addresses and paths count.
    pub(crate) fn never(&self, is_opened: bool) -> Option<&str> {
        // An answer that declines does not do what the question names, although it refers to it.
        let takes_up = self.act == Act::Refers && !declines(self.label.reading());
        let takes_up = takes_up.then_some(&self.text);
        let is_address = || {
            let mut values = self.label.reading().values();
            values.any(|value| value.contains("://"))
        };
        let own = || {
            let said = self.label.outward().or_else(|| self.description.outward());
            said.or_else(|| is_address().then_some("sign: address"))
        };
        let asked = || match self.act {
            Act::Leaves => None,
            Act::Own => self.explained().or_else(|| self.text.final_word()),
            Act::Value => outward_state(self.label.reading())
                .or_else(|| self.text.outward())
                .or_else(|| self.text.final_word()),
            Act::Refers => takes_up.and_then(|text| text.outward()),
        };
        let written = [&self.label, &self.description, &self.preview].into_iter();
        let mut written = written.chain(takes_up);
        let mut danger = || written.find_map(|part| part.danger());
        match is_opened {
            true => danger(),
            false => own().or_else(asked).or_else(danger),
        }
    }

    /// What the label does according to the question's text, if the text repeats the label: "Help us get better. Share
    /// usage data only".
    fn explained(&self) -> Option<&str> {
        let text = &self.text.reading().tokens;
        let mut label = self.label.reading().tokens.iter();
        let is_repeated = label.all(|word| text.iter().any(|token| token.form == word.form));
        self.text.outward().filter(|_| is_repeated)
    }

    /// True if the label leaves things as they are, and its description does not say otherwise.
    pub(crate) fn leaves(&self) -> bool {
        self.act == Act::Leaves && self.description.signs().is_empty()
    }

    /// True if `y` is enough to agree to it: it leaves things as they are or is a value, and no text about it has a
    /// sign that matters.
    pub(crate) fn is_plain(&self) -> bool {
        let is_plain = match self.act {
            // Words such as "not" do not matter here, because they say that nothing is done: the label "Not now", the
            // description "no file".
            Act::Leaves => {
                let behind = self.label.reading().tokens.iter().skip(1).cloned();
                let behind = signs_of(&Reading {
                    tokens: behind.collect(),
                });
                let mut described = self.description.signs().keys();
                let says_no = |sign: &&str| matches!(*sign, "no" | "none" | "nothing");
                behind.keys().all(|sign| is_turn(sign)) && described.all(says_no)
            }
            Act::Value => {
                let mut said = [&self.label, &self.description, &self.text].into_iter();
                said.all(|part| part.signs().is_empty())
            }
            Act::Own | Act::Refers => false,
        };
        is_plain && self.text.is_english() && self.description.is_english()
    }
}
