//! From a random preference with the forms of its evidence, any edit of what the person would read,
//! outside of what varied, is asked.

use crate::common::bound::Bound;
use crate::common::{never_ask, question};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Value, json};

/// Words of fixed texts, none of which is a topic of [`TOPICS`].
const FIXED: [&str; 16] = [
    "grid", "layout", "sidebar", "should", "the", "look", "wide", "here", "font", "in", "of",
    "for", "`tabs`", "2", "narrow,", "(small)",
];

/// What was seen where a topic varied.
const TOPICS: [&str; 6] = ["login", "search", "themes", "charts", "icons", "tooltips"];

/// What an edit puts in.
const INSERTED: [&str; 14] = [
    "not",
    "never",
    "and",
    "all",
    "billing",
    "production",
    "`make`",
    "1000",
    "$5",
    "/etc",
    "x",
    ",",
    "!",
    "n\u{e3}o",
];

/// What one character is replaced by.
const CHARACTERS: [char; 8] = ['x', 'X', '0', '-', '.', '\u{43e}', '\u{200b}', '`'];

/// A place where the texts of the evidence varied.
#[derive(Clone, Debug)]
enum Slot {
    Words,
    Number,
    File,
}

impl Slot {
    /// As a preference holds it.
    fn written(&self) -> Value {
        match self {
            Self::Words => json!({"words": 2}),
            Self::Number => json!({"number": [10, 99]}),
            Self::File => json!({"file": {"folders": ["src"], "endings": ["md", "rs"]}}),
        }
    }

    /// Something that it takes.
    fn filler(&self, index: Index) -> String {
        let topic = TOPICS[index.index(TOPICS.len())];
        match self {
            Self::Words if index.index(2) == 0 => topic.to_owned(),
            Self::Words => format!("{topic} {}", TOPICS[index.index(TOPICS.len())]),
            Self::Number => (10 + index.index(90)).to_string(),
            Self::File => format!("src/{topic}.rs"),
        }
    }
}

/// A text as it was seen: fixed words, and between some of them places that varied.
#[derive(Clone, Debug)]
struct Seen {
    /// Two words or more each.
    fixed: Vec<Vec<&'static str>>,
    /// One less.
    slots: Vec<(Slot, Index)>,
}

impl Seen {
    fn pattern(&self) -> Value {
        let mut parts = Vec::new();
        for (at, words) in self.fixed.iter().enumerate() {
            let before = if at > 0 { " " } else { "" };
            let after = if at < self.slots.len() { " " } else { "" };
            parts.push(json!(format!("{before}{}{after}", words.join(" "))));
            parts.extend(self.slots.get(at).map(|(slot, _)| slot.written()));
        }
        parts.into()
    }

    fn text(&self) -> String {
        let fixed: Vec<String> = self.fixed.iter().map(|words| words.join(" ")).collect();
        self.with(&fixed)
    }

    fn with(&self, fixed: &[String]) -> String {
        let mut text = String::new();
        for (at, words) in fixed.iter().enumerate() {
            text += words;
            if let Some((slot, index)) = self.slots.get(at) {
                text += &format!(" {} ", slot.filler(*index));
            }
        }
        text
    }

    /// The text after `edit` of one of the fixed parts.
    fn edited(&self, edit: &Edit) -> String {
        let part = edit.part.index(self.fixed.len());
        let mut fixed: Vec<String> = self.fixed.iter().map(|words| words.join(" ")).collect();
        fixed[part] = edit.apply(&self.fixed[part]);
        self.with(&fixed)
    }
}

fn seen() -> impl Strategy<Value = Seen> {
    let slot = select(vec![Slot::Words, Slot::Number, Slot::File]);
    let slots = prop::collection::vec((slot, any::<Index>()), 0..3);
    let words = subsequence(FIXED.to_vec(), 6..=FIXED.len()).prop_shuffle();
    (words, slots).prop_map(|(words, slots)| {
        let size = words.len() / (slots.len() + 1);
        let mut fixed: Vec<Vec<&str>> = words.chunks(size).map(<[&str]>::to_vec).collect();
        let rest = fixed.split_off(slots.len() + 1).concat();
        fixed[0].extend(rest);
        Seen { fixed, slots }
    })
}

#[derive(Clone, Debug)]
enum Change {
    Insert(&'static str),
    Delete,
    Replace(&'static str),
    InsertCharacter(char),
    DeleteCharacter,
    ReplaceCharacter(char),
}

/// A change of one place in one fixed part.
#[derive(Clone, Debug)]
struct Edit {
    change: Change,
    part: Index,
    place: Index,
}

impl Edit {
    fn apply(&self, words: &[&str]) -> String {
        let mut words: Vec<&str> = words.to_vec();
        let at = self.place.index(words.len());
        match self.change {
            // Between two of the words: in front of the first, it might belong to what varies.
            Change::Insert(word) => words.insert(1 + self.place.index(words.len() - 1), word),
            Change::Delete => drop(words.remove(at)),
            Change::Replace(word) => words[at] = word,
            _ => return self.apply_to_characters(&words.join(" ")),
        }
        words.join(" ")
    }

    fn apply_to_characters(&self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        let at = self.place.index(characters.len());
        match self.change {
            Change::InsertCharacter(c) => {
                characters.insert(1 + self.place.index(characters.len() - 1), c);
            }
            Change::ReplaceCharacter(c) => characters[at] = c,
            _ => drop(characters.remove(at)),
        }
        characters.into_iter().collect()
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let change = prop_oneof![
        select(INSERTED.to_vec()).prop_map(Change::Insert),
        Just(Change::Delete),
        select(INSERTED.to_vec()).prop_map(Change::Replace),
        select(CHARACTERS.to_vec()).prop_map(Change::InsertCharacter),
        Just(Change::DeleteCharacter),
        select(CHARACTERS.to_vec()).prop_map(Change::ReplaceCharacter),
    ];
    (change, any::<Index>(), any::<Index>()).prop_map(|(change, part, place)| Edit {
        change,
        part,
        place,
    })
}

/// A question with two options, each of them described.
#[derive(Clone, Debug)]
struct Asking {
    text: Seen,
    descriptions: [Seen; 2],
}

fn asking() -> impl Strategy<Value = Asking> {
    (seen(), seen(), seen()).prop_map(|(text, one, other)| Asking {
        text,
        descriptions: [one, other],
    })
}

impl Asking {
    /// The question, with its texts as they are after `edits`.
    fn question(&self, text: &str, descriptions: [&str; 2]) -> Value {
        let mut question = question("k", text, &["Widen it (Recommended)", "Narrow"]);
        for (at, description) in descriptions.iter().enumerate() {
            question["options"][at]["description"] = json!(description);
        }
        question
    }

    fn shown(&self) -> Value {
        let [one, other] = &self.descriptions;
        self.question(&self.text.text(), [&one.text(), &other.text()])
    }

    fn form(&self) -> Value {
        json!({
            "text": self.text.pattern(),
            "header": "Header",
            "descriptions": self.descriptions.each_ref().map(Seen::text),
            "previews": [],
        })
    }
}

/// A preference for all of `askings`.
fn bound(askings: &[Asking]) -> Bound {
    let mut entry = never_ask(&askings[0].shown());
    entry["binding"] = askings.iter().map(Asking::form).collect();
    Bound::of("k", &entry)
}

/// What one reads of a text, whose white space does not count.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the labels of the two options become.
fn other_labels() -> impl Strategy<Value = Vec<&'static str>> {
    select(vec![
        vec!["Widen it (Recommended)"],
        vec!["Widen it (Recommended)", "Narrow", "Narrower"],
        vec!["Widen it (Recommended)", "Narr\u{43e}w"],
        vec!["Widen it (Recommended)", "Not narrow"],
        vec!["Widen it, and push (Recommended)", "Narrow"],
        vec!["Widen it (Recommended)", "Narrow\u{200b}"],
        vec!["Widen it (Recommended)", "Widen it"],
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_was_seen_is_answered(askings in prop::collection::vec(asking(), 1..4)) {
        let bound = bound(&askings);
        for asking in &askings {
            prop_assert_eq!(bound.difference(&asking.shown()), None);
        }
        let (printed, why) = bound.put(&askings[0].shown());
        // Words that were put together at random may be one-way.
        prop_assert!(printed.contains("\"allow\"") || why == "one_way", "{}", why);
    }

    #[test]
    fn edited_texts_are_asked(
        askings in prop::collection::vec(asking(), 1..4),
        edit in edit(),
        which in any::<Index>(),
    ) {
        let (bound, asking) = (bound(&askings), &askings[which.index(askings.len())]);
        let text = asking.text.edited(&edit);
        prop_assume!(folded(&text) != folded(&asking.text.text()));
        let [one, other] = &asking.descriptions;
        let question = asking.question(&text, [&one.text(), &other.text()]);
        bound.asks(&question, "text_differs");
    }

    /// Whatever is put in anywhere, one word that was in no description of the chosen option is asked.
    #[test]
    fn descriptions_with_a_new_word_are_asked(
        askings in prop::collection::vec(asking(), 1..4),
        word in select(vec!["not", "never", "all", "production", "publish", "n\u{e3}o", "$5", "\u{200b}", "rm"]),
        which in any::<Index>(),
        place in any::<Index>(),
    ) {
        let (bound, asking) = (bound(&askings), &askings[which.index(askings.len())]);
        let [one, other] = &asking.descriptions;
        let (one, other) = (one.text(), other.text());
        let mut words: Vec<&str> = one.split(' ').collect();
        words.insert(place.index(words.len() + 1), word);
        let both = [&*words.join(" "), &other];
        bound.asks(&asking.question(&asking.text.text(), both), "new_in_description");
    }

    #[test]
    fn edited_options_are_asked(asking in asking(), labels in other_labels()) {
        let bound = bound(std::slice::from_ref(&asking));
        let question = question("k", &asking.text.text(), &labels);
        bound.asks(&question, "options_differ");
    }
}
