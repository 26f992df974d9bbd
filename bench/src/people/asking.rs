//! A question as a model words it this time.

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::templates::{Template, fill, paragraph, reworded, sentence, without_mark};

/// A question as it was sent, and the label that the person wants.
pub(super) struct Asking {
    pub(super) question: Value,
    pub(super) wanted: String,
}

/// How an asker writes one question; the same each time it asks.
#[derive(Clone, Copy)]
pub(super) struct AskerStyle {
    /// Whether the model words the descriptions itself.
    rewords_descriptions: bool,
    /// Whether an option is marked as recommended.
    recommends: bool,
}

/// The share of askings whose text is reworded, and of those whose order, mark or descriptions differ.
const REWORDED: f64 = 0.3;
const REORDERED: f64 = 0.15;
const MARK_MOVED: f64 = 0.15;
const DESCRIBED_ANEW: f64 = 0.5;
const WITHOUT_HEADER: f64 = 0.05;

/// The most options that the tool takes.
const MOST_OPTIONS: usize = 4;

/// Words that models exchange for one another: a pair is read both ways.
const EXCHANGED: [(&str, &str); 21] = [
    ("Should I", "Shall I"),
    ("Do you want to", "Would you like to"),
    ("How would you like to", "How do you want to"),
    ("What would you like to do", "What do you want to do"),
    ("How should", "How shall"),
    ("What's", "What is"),
    ("proceed", "continue"),
    ("use", "pick"),
    ("run", "execute"),
    ("create", "make"),
    ("start", "begin"),
    ("fix", "repair"),
    ("review", "look at"),
    ("choose", "select"),
    ("add", "include"),
    ("generate", "produce"),
    ("found", "detected"),
    ("handle", "deal with"),
    ("show", "display"),
    ("the", "this"),
    ("your", "the"),
];

impl AskerStyle {
    pub(super) fn new(chance: &mut Chance) -> Self {
        Self {
            rewords_descriptions: chance.happens(1.0 / 3.0),
            recommends: chance.happens(0.5),
        }
    }

    /// `template` asked once more; the person wants its option `wanted`.
    pub(super) fn ask(self, template: &Template, wanted: usize, chance: &mut Chance) -> Asking {
        let mut text = fill(&template.question, chance);
        if chance.happens(REWORDED) {
            text = match chance.below(3) {
                0 => format!("{} {text}", fill(sentence(chance), chance)),
                _ => exchanged(&text, chance),
            };
        }
        if template.lettered {
            text = format!("{}\n\n{text}", fill(paragraph(chance), chance));
        }
        let describes_anew = self.rewords_descriptions && chance.happens(DESCRIBED_ANEW);
        let mut options: Vec<(usize, String, String)> = Vec::new();
        for (at, one) in template.options.iter().enumerate() {
            let label = fill(&one.label, chance);
            let mut description = fill(&one.description, chance);
            if describes_anew {
                description = match chance.happens(0.5) {
                    true => reworded(&description, chance),
                    false => exchanged(&description, chance),
                };
            }
            options.push((at, label, description));
        }
        // The tool takes four; what the person wants is among them.
        while options.len() > MOST_OPTIONS {
            let last = options.iter().rposition(|(at, ..)| *at != wanted);
            options.remove(last.unwrap());
        }
        self.mark(&mut options, chance);
        if chance.happens(REORDERED) {
            options.rotate_left(1);
        }
        if template.lettered {
            for ((_, label, _), letter) in options.iter_mut().zip('A'..) {
                *label = format!("{letter}) {}", without_letter(label));
            }
        }
        let chosen = options.iter().find(|(at, ..)| *at == wanted).unwrap();
        let chosen = chosen.1.clone();
        let option = |(_, label, description)| json!({"label": label, "description": description});
        let options: Vec<Value> = options.into_iter().map(option).collect();
        let header: String = fill(&template.header, chance).chars().take(12).collect();
        let header = match chance.happens(WITHOUT_HEADER) {
            true => String::new(),
            false => header,
        };
        Asking {
            question: json!({"question": text, "header": header, "options": options, "multiSelect": false}),
            wanted: chosen,
        }
    }

    /// Puts the mark of the recommended option on another one, or leaves it out, now and then.
    fn mark(self, options: &mut [(usize, String, String)], chance: &mut Chance) {
        let marked = options
            .iter()
            .position(|(_, label, _)| without_mark(label) != label);
        let mut at = marked.or(self.recommends.then_some(0));
        if chance.happens(MARK_MOVED) {
            at = Some(chance.below(options.len())).filter(|_| chance.happens(0.5));
        }
        for (_, label, _) in options.iter_mut() {
            label.truncate(without_mark(label).len());
        }
        if let Some(at) = at {
            options[at].1.push_str(" (Recommended)");
        }
    }
}

/// `label` without the letter that a template has already put before it: `A) …`, `A. …` or `[A] …`.
fn without_letter(label: &str) -> &str {
    let (before, after) = label.split_once(' ').unwrap_or_default();
    let letter = before.trim_matches(['[', ']', ')', '.']);
    match letter.len() == 1 && before.len() > 1 {
        true => after,
        false => label,
    }
}

/// `text` with one word or phrase exchanged; the same where none of them occurs.
fn exchanged(text: &str, chance: &mut Chance) -> String {
    let from = chance.below(EXCHANGED.len());
    let pairs = EXCHANGED.iter().cycle().skip(from).take(EXCHANGED.len());
    let both = pairs.flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    let cased = both.flat_map(|(word, other)| {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        [
            (word.to_owned(), other.to_owned()),
            (capital(word), capital(other)),
        ]
    });
    for (word, other) in cased {
        let is_edge =
            |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
        let places = text.match_indices(&word).map(|(at, _)| at);
        let mut whole = places.filter(|at| {
            let (before, after) = (&text[..*at], &text[at + word.len()..]);
            is_edge(before.chars().next_back()) && is_edge(after.chars().next())
        });
        if let Some(at) = whole.next() {
            return format!("{}{other}{}", &text[..at], &text[at + word.len()..]);
        }
    }
    text.to_owned()
}
