//! What a wrong answer costs, by the kind of question.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::named::named_enum;

named_enum! {
    /// What a question is about, by what a wrong answer to it costs.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum QuestionKind {
        /// Whether to go on, and with what: noticed at once, and said again in a sentence.
        GoOn = "go_on",
        /// What belongs to a piece of work, and what it is called.
        Scope = "scope",
        /// What is written or built.
        Content = "content",
        /// What much is built upon.
        Architecture = "architecture",
    }
}

/// What noticing and undoing a wrong answer takes, in seconds of the person's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswerSeconds {
    /// Of [`QuestionKind::GoOn`].
    pub go_on: f64,
    /// Of [`QuestionKind::Scope`].
    pub scope: f64,
    /// Of [`QuestionKind::Content`].
    pub content: f64,
    /// Of [`QuestionKind::Architecture`].
    pub architecture: f64,
}

impl Default for WrongAnswerSeconds {
    fn default() -> Self {
        Self {
            go_on: 30.0,
            scope: 60.0,
            content: 120.0,
            architecture: 300.0,
        }
    }
}

impl WrongAnswerSeconds {
    /// The same seconds for every kind.
    pub fn all(seconds: f64) -> Self {
        Self {
            go_on: seconds,
            scope: seconds,
            content: seconds,
            architecture: seconds,
        }
    }

    /// The seconds of `kind`.
    pub fn of(&self, kind: QuestionKind) -> f64 {
        match kind {
            QuestionKind::GoOn => self.go_on,
            QuestionKind::Scope => self.scope,
            QuestionKind::Content => self.content,
            QuestionKind::Architecture => self.architecture,
        }
    }
}

/// One number for all kinds, or a table with some of them.
pub(super) fn number_or_table<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<WrongAnswerSeconds, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Table(BTreeMap<QuestionKind, f64>),
    }
    let table = match Written::deserialize(deserializer)? {
        Written::Number(seconds) => return Ok(WrongAnswerSeconds::all(seconds)),
        Written::Table(table) => table,
    };
    let default = WrongAnswerSeconds::default();
    let of = |kind| table.get(&kind).copied().unwrap_or(default.of(kind));
    Ok(WrongAnswerSeconds {
        go_on: of(QuestionKind::GoOn),
        scope: of(QuestionKind::Scope),
        content: of(QuestionKind::Content),
        architecture: of(QuestionKind::Architecture),
    })
}

#[cfg(test)]
mod tests {
    use crate::config::Suggest;

    #[test]
    fn one_number_or_some_kinds() {
        let read = |text: &str| toml::from_str::<Suggest>(text).map(|one| one.wrong_answer_seconds);
        let all = read("wrong_answer_seconds = 90").unwrap();
        assert!((all.go_on - 90.0).abs() < 1e-9 && (all.architecture - 90.0).abs() < 1e-9);
        let some = read("[wrong_answer_seconds]\ngo_on = 10\narchitecture = 900.5").unwrap();
        assert!((some.go_on - 10.0).abs() < 1e-9 && (some.content - 120.0).abs() < 1e-9);
        assert!((some.architecture - 900.5).abs() < 1e-9);
        assert!(read("wrong_answer_seconds = \"long\"").is_err());
        assert_eq!(read("").unwrap(), super::WrongAnswerSeconds::default());
    }
}
