//! Looks: what an agreement sees of an asking. A history has the same question in many texts; the askings that look alike
//! are judged once.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::agreement::Asking;
use super::read::ReadAsking;
use crate::recommended::recommended;

/// What an agreement sees of an asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Equal for two askings that an agreement covers alike, if it allows the numbers in their texts and if the same
    /// rules of `registry.toml` hold for both.
    pub words: u64,
    /// The largest number in the text.
    pub largest: Option<u64>,
    /// Whether the text has a zero.
    pub zero: bool,
}

impl Look {
    /// The look of `asking`.
    pub fn of(asking: &Asking<'_>) -> Self {
        let beside = |texts: &'_ [String], at: usize| texts.get(at).cloned().unwrap_or_default();
        let read = |at: usize, label: &str| {
            let description = beside(asking.descriptions, at);
            ReadAsking::of(asking.text, asking.header, label, &description, "")
        };
        let mut words = DefaultHasher::new();
        (asking.host, asking.multi_select, asking.unknown_field).hash(&mut words);
        (asking.header, asking.options).hash(&mut words);
        (asking.descriptions, asking.previews).hash(&mut words);
        recommended(asking.text, asking.options).hash(&mut words);
        for (at, label) in asking.options.iter().enumerate() {
            let option = read(at, label);
            option.act.as_str().hash(&mut words);
            [false, true]
                .map(|is_opened| option.never(is_opened))
                .hash(&mut words);
        }
        let text = read(usize::MAX, "").text;
        (text.form(), text.asking_form(), text.is_english()).hash(&mut words);
        (text.signs(), text.may_be_new(true)).hash(&mut words);
        (text.areas(), text.passing()).hash(&mut words);
        text.values().for_each(|value| value.hash(&mut words));
        Self {
            words: words.finish(),
            largest: text.numbers().max(),
            zero: text.numbers().any(|number| number == 0),
        }
    }

    /// The numbers that matter: an agreement has a largest one, and a zero or none.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        self.largest.into_iter().chain(self.zero.then_some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::agreement::{Agreement, Given};
    use super::*;

    const TEXTS: [&str; 10] = [
        "Part 7 of 12 changed. Run the tests?",
        "Part 8 of 12 changed. Run the tests?",
        "Part 0 of 12 changed. Run the tests?",
        "Part 90 of 12 changed. Run the tests?",
        "Part 7 of 12 is not changed. Run the tests?",
        "Part 7 of 12 changed for 1.5.0. Run the tests?",
        "Part 7 of 12 changed for 1.6.0. Run the tests?",
        "Part 7 of 12 changed. Delete the tests?",
        "cart.rs changed. Run the tests?",
        "delete_all.rs changed. Run the tests?",
    ];

    fn options() -> Vec<String> {
        ["Yes, run them", "Skip"].map(str::to_owned).to_vec()
    }

    fn asking<'a>(text: &'a str, options: &'a [String]) -> Asking<'a> {
        Asking {
            text,
            options,
            ..Asking::default()
        }
    }

    #[test]
    fn numbers_in_the_text_are_apart() {
        let options = options();
        let looks = TEXTS.map(|text| Look::of(&asking(text, &options)));
        let [seven, eight, zero, far, others @ ..] = looks;
        assert_eq!(seven.words, eight.words);
        assert_eq!((seven.largest, eight.zero), (Some(12), false));
        assert_eq!((zero.words, zero.zero), (seven.words, true));
        assert_eq!((far.words, far.largest), (seven.words, Some(90)));
        let mut words = vec![seven.words];
        words.extend(others.map(|other| other.words));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), 1 + others.len(), "{others:?}");
        let other = ["Yes, run all 9", "Skip"].map(str::to_owned);
        assert_ne!(Look::of(&asking(TEXTS[0], &other)).words, seven.words);
    }

    #[test]
    fn what_looks_alike_is_covered_alike() {
        let options = options();
        for given in TEXTS {
            let given = Given {
                asking: asking(given, &options),
                label: &options[0],
                session: "one",
            };
            let agreement = Agreement::exactly(&[given]).unwrap();
            for text in TEXTS {
                let asking = asking(text, &options);
                let look = Look::of(&asking);
                let has_words = TEXTS
                    .map(|text| self::asking(text, &options))
                    .into_iter()
                    .filter(|other| Look::of(other).words == look.words)
                    .map(|other| agreement.covers_words(&other, false));
                let has_words: Vec<bool> = has_words.collect();
                assert!(
                    has_words.windows(2).all(|pair| pair[0] == pair[1]),
                    "{text}"
                );
                assert_eq!(
                    agreement.covers(&asking, false).is_ok(),
                    has_words[0] && agreement.covers_numbers(look.numbers()),
                    "{text}"
                );
            }
        }
    }
}
