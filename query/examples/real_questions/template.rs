//! Questions as skills and commands have them written down: the lines of the file, and one asking of one.

use serde::Deserialize;

use plantune_domain::wire::SentQuestion;

use crate::chance::Chance;
use crate::fillers::filler;

/// A question that a skill asks, with `{kind}` where a model fills something in.
#[derive(Debug, Deserialize)]
pub(crate) struct Template {
    /// Who publishes it; the templates of one make up a person's questions.
    pub(crate) collection: String,
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) header: String,
    pub(crate) options: Vec<Choice>,
    /// False for what is asked once, when something is set up.
    #[serde(default = "yes")]
    pub(crate) recurring: bool,
    /// True where the asker letters its options and puts another paragraph before each question.
    #[serde(default)]
    pub(crate) lettered: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    pub(crate) label: String,
    #[serde(default)]
    pub(crate) description: String,
    /// Whether what it does is outward or final.
    #[serde(default)]
    pub(crate) one_way: Door,
}

/// What somebody who read the option said of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "serde_json::Value")]
pub(crate) enum Door {
    #[default]
    TwoWay,
    OneWay,
    /// Reasonable people differ: it is chosen in no measurement.
    Arguable,
}

impl TryFrom<serde_json::Value> for Door {
    type Error = String;

    fn try_from(value: serde_json::Value) -> Result<Self, String> {
        match &value {
            serde_json::Value::Bool(true) => Ok(Self::OneWay),
            serde_json::Value::Bool(false) => Ok(Self::TwoWay),
            serde_json::Value::String(text) if text == "arguable" => Ok(Self::Arguable),
            _ => Err(format!("one_way: {value}")),
        }
    }
}

fn yes() -> bool {
    true
}

/// The share of askings with something that models do now and then, for each.
const NOW_AND_THEN: f64 = 0.1;

/// The share of askings in which a model words the descriptions itself.
const REWORDED: f64 = 0.25;

impl Template {
    /// The places of the options that were said to be `door`.
    pub(crate) fn options_of(&self, door: Door) -> Vec<usize> {
        let of = |at: &usize| self.options.get(*at).is_some_and(|one| one.one_way == door);
        (0..self.options.len()).filter(of).collect()
    }

    /// The template asked as a model asks it, and the label that stands for the option `chosen`: what varies is
    /// filled in again, descriptions are reworded one time in four; the order changes, the recommendation moves,
    /// a sentence stands in front or an option is added now and then.
    pub(crate) fn asked(&self, chosen: usize, chance: &mut Chance) -> (SentQuestion, String) {
        let mut text = fill(&self.question, chance);
        if self.lettered {
            let paragraph = fill(paragraph(chance), chance);
            text = format!("{paragraph}\n\n{text}");
        } else if chance.happens(NOW_AND_THEN) {
            text = format!("{} {text}", fill(sentence(chance), chance));
        }
        let is_reworded = chance.happens(REWORDED);
        let described = self.options.iter().any(|one| !one.description.is_empty());
        let mut options: Vec<(bool, String, String)> = Vec::new();
        for (at, one) in self.options.iter().enumerate() {
            let mut description = fill(&one.description, chance);
            if is_reworded {
                description = reworded(&description, chance);
            }
            options.push((at == chosen, fill(&one.label, chance), description));
        }
        if options.len() < 4 && chance.happens(NOW_AND_THEN / 2.0) {
            let added = ("Talk it over first", "Go through it together");
            options.push((false, added.0.to_owned(), added.1.to_owned()));
        }
        let is_marked = |label: &str| label.to_lowercase().contains("(recommended");
        if !options.iter().any(|(_, label, _)| is_marked(label)) && chance.happens(0.5) {
            let moves = chance.happens(NOW_AND_THEN);
            let at = if moves {
                chance.below(options.len())
            } else {
                0
            };
            options[at].1.push_str(" (Recommended)");
        }
        if chance.happens(NOW_AND_THEN) {
            options.rotate_left(1);
        }
        if self.lettered {
            for ((_, label, _), letter) in options.iter_mut().zip('A'..) {
                *label = format!("{letter}) {label}");
            }
        }
        let chosen = options.iter().find(|(is_chosen, ..)| *is_chosen);
        let chosen = chosen
            .map(|(_, label, _)| label.clone())
            .unwrap_or_default();
        let header: String = fill(&self.header, chance).chars().take(12).collect();
        let sent = SentQuestion {
            text,
            header: Some(header).filter(|header| !header.is_empty()),
            descriptions: match described {
                true => options.iter().map(|(_, _, text)| text.clone()).collect(),
                false => Vec::new(),
            },
            options: options.into_iter().map(|(_, label, _)| label).collect(),
            multi_select: Some(false),
            ..SentQuestion::default()
        };
        (sent, chosen)
    }
}

/// `text` with each `{kind}` filled.
fn fill(text: &str, chance: &mut Chance) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_once('}')
            .and_then(|(kind, after)| Some((filler(kind, chance)?, after)))
        {
            Some((filler, after)) => filled.extend([filler.as_str(), after]),
            None => filled.extend(["{", part]),
        }
    }
    filled
}

/// A description as a model words it: its first clause, or with what it is about behind it.
fn reworded(description: &str, chance: &mut Chance) -> String {
    let mut clauses = description.split([',', ';', '—']);
    let first = clauses.next().unwrap_or_default().trim();
    match chance.happens(0.5) || first.is_empty() {
        true => first.to_owned(),
        false => format!("{first} ({})", fill("{topic}", chance)),
    }
}

fn sentence(chance: &mut Chance) -> &'static str {
    const ALL: [&str; 6] = [
        "The work on {topic} is in place.",
        "I looked at {path}.",
        "{number} of {number} tests pass.",
        "The notes on {topic} mention this.",
        "I went through {topic} as asked.",
        "This concerns {topic}.",
    ];
    ALL[chance.below(ALL.len())]
}

fn paragraph(chance: &mut Chance) -> &'static str {
    const ALL: [&str; 6] = [
        "D{number} — {topic}\n\nProject/branch/task: shop, {branch}, {topic}. In plain words: {sentence}.",
        "We are on {branch} and working on {topic}. {number} of the checks are through, {sentence}.",
        "The review of {topic} is at section {number}. What it found: {sentence}.",
        "Context: {topic} was started on {date}. The plan in {path} has {number} steps, and {sentence}.",
        "D{number} — {topic}\n\nStakes if we pick wrong: an hour of work. Note that {sentence}.",
        "I have read {path} and {path}. About {topic}: {sentence}.",
    ];
    ALL[chance.below(ALL.len())]
}
