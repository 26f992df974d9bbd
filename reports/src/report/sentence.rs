//! Sentences with figures and names: the same words for a terminal, Markdown, JSON and the page, each of which makes the
//! names safe in its own way.

use serde::Serialize;
use serde_json::Map;

use crate::humanize::{a_week, duration};
use crate::text::{clean, one_line};

/// How much of a question or a name is shown, in columns.
const SHOWN: usize = 60;

/// A sentence. Serialised, it is an entry of `summary` or `stands_out` in `report --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sentence {
    /// Its subject.
    pub kind: &'static str,
    /// The sentence.
    pub text: String,
    /// Its figures by name.
    pub figures: Map<String, serde_json::Value>,
    /// Whom or what it names: an asker, a project, a question.
    pub about: Map<String, serde_json::Value>,
    /// The command that shows more, or does something about it.
    pub show: Option<String>,
    /// The pieces of `text`.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Words of plantune's own.
    Words(&'static str),
    /// The text from outside of this name, cut but not made harmless.
    Text(&'static str, String),
    /// A period in words.
    Date(String),
    /// The figure of this name, a count.
    Count(&'static str, u64),
    /// The figure of this name, a count of one, in the words behind it.
    Once(&'static str, &'static str),
    /// The figure of this name, a time in seconds.
    Seconds(&'static str, f64),
    /// The figure of this name, how often in a week.
    Weekly(&'static str, f64),
}

use Piece::{Count, Date, Once, Seconds, Text, Weekly, Words};

impl Piece {
    fn name(&self) -> &'static str {
        match self {
            Text(name, _) | Count(name, _) | Once(name, _) => name,
            Seconds(name, _) | Weekly(name, _) => name,
            Words(_) | Date(_) => "",
        }
    }
}

/// Permission rules that are proposed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rules {
    /// How many.
    pub rules: u64,
    /// How many prompts a week they would spare.
    pub prompts_per_week: f64,
}

impl Sentence {
    pub(super) fn new(kind: &'static str, pieces: Vec<Piece>) -> Self {
        let figures = pieces.iter().filter_map(|piece| match piece {
            Count(name, count) => Some(((*name).to_owned(), (*count).into())),
            Once(name, _) => Some(((*name).to_owned(), 1.into())),
            Seconds(name, number) | Weekly(name, number) => {
                Some(((*name).to_owned(), (*number).into()))
            }
            _ => None,
        });
        Self {
            kind,
            text: in_words(&pieces, clean),
            figures: figures.collect(),
            about: Map::new(),
            show: None,
            pieces,
        }
    }

    pub(super) fn about(mut self, name: &str, value: Option<&str>) -> Self {
        let value = value.map(|value| (name.to_owned(), value.into()));
        self.about.extend(value);
        self
    }

    pub(super) fn show(mut self, command: impl Into<String>) -> Self {
        self.show = Some(command.into());
        self
    }

    /// The words, texts from outside made harmless by `safe`.
    pub(super) fn words(&self, safe: fn(&str) -> String) -> String {
        in_words(&self.pieces, safe)
    }
}

fn in_words(pieces: &[Piece], safe: fn(&str) -> String) -> String {
    let words = pieces.iter().map(|piece| match piece {
        Words(words) | Once(_, words) => (*words).to_owned(),
        Text(_, text) => safe(text),
        Date(date) => date.clone(),
        Count(_, count) => count.to_string(),
        Seconds(_, seconds) => duration(*seconds),
        Weekly(_, times) => a_week(*times),
    });
    words.collect()
}

/// Adds `template` to `pieces`: `{name}` is the value of that name, `{name:one:many}` a count with the word for what
/// it counts; of one that begins with `once` the words alone.
pub(super) fn say(pieces: &mut Vec<Piece>, template: &'static str, values: &[Piece]) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (field, behind) = after.split_once('}').unwrap_or((after, ""));
        let mut parts = field.split(':');
        let name = parts.next().unwrap_or_default();
        let value = values.iter().find(|value| value.name() == name);
        pieces.push(Words(before));
        match (value, parts.next(), parts.next()) {
            (Some(Count(name, 1)), Some(one), _) if one.starts_with("once") => {
                pieces.push(Once(name, one));
            }
            (Some(Count(name, count)), Some(one), many) => {
                let noun = if *count == 1 { Some(one) } else { many };
                pieces.push(Count(name, *count));
                pieces.extend(noun.into_iter().flat_map(|noun| [Words(" "), Words(noun)]));
            }
            (Some(Weekly(name, times)), Some(one), many) => {
                let noun = if a_week(*times) == "1" {
                    Some(one)
                } else {
                    many
                };
                pieces.push(Weekly(name, *times));
                pieces.extend(noun.into_iter().flat_map(|noun| [Words(" "), Words(noun)]));
            }
            (value, ..) => pieces.extend(value.cloned()),
        }
        rest = behind;
    }
    pieces.push(Words(rest));
}

/// The time of this name, rounded to the millisecond, as all seconds of the report.
pub(super) fn seconds(name: &'static str, seconds: f64) -> Piece {
    Seconds(name, (seconds * 1000.0).round() / 1000.0)
}

/// The text from outside of this name.
pub(super) fn text(name: &'static str, text: &str) -> Piece {
    Text(name, one_line(text, SHOWN))
}

/// The sentence of `kind` that `template` says alone.
pub(super) fn sentence(kind: &'static str, template: &'static str, values: &[Piece]) -> Sentence {
    let mut pieces = Vec::new();
    say(&mut pieces, template, values);
    Sentence::new(kind, pieces)
}
