//! The questions there are: the documents, and how a terminal shows them.

use plantune_domain::event::QuestionOutcome;
use plantune_domain::keys::{KeySource, typed};
use plantune_query::questions::{Listed, Occurrence};
use serde::Serialize;

use crate::humanize::counted;
use crate::table::{Table, known, main, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::one_line;

/// Questions with every time that they were asked: `report KEY`.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionList {
    /// One a project.
    pub questions: Vec<Question>,
}

/// A question: counts as numbers, dates ISO 8601, unknown is null.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The question, and how often it was asked.
    #[serde(flatten)]
    pub listed: Listed,
    /// Every time, where that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub askings: Option<Vec<Occurrence>>,
}

impl QuestionList {
    /// The document of some questions and their askings.
    pub fn new(shown: Vec<(Listed, Vec<Occurrence>)>) -> Self {
        let question = |(listed, occurrences): (Listed, Vec<Occurrence>)| Question {
            askings: Some(occurrences),
            ..Question::new(listed)
        };
        Self {
            questions: shown.into_iter().map(question).collect(),
        }
    }
}

impl Question {
    fn new(listed: Listed) -> Self {
        Self {
            listed,
            askings: None,
        }
    }
}

/// How much of a text is shown, in characters.
const SHOWN: usize = 400;

/// How much of a label is shown, in characters.
const SHOWN_LABEL: usize = 60;

impl Show for QuestionList {
    fn show(&self, out: &mut Terminal) {
        for (number, question) in self.questions.iter().enumerate() {
            if number > 0 {
                out.line("");
            }
            askings(question, out);
        }
    }
}

fn askings(question: &Question, out: &mut Terminal) {
    let source = one_line(&question.listed.key_source, SHOWN);
    out.hanging("", "  ", format!("{} ({source})", named(question)));
    if KeySource::parse(&question.listed.key_source) == Some(KeySource::Options) {
        out.hanging("", "", in_words(question));
    }
    let listed = &question.listed;
    let times = counted(listed.asked, "time", "times");
    let (by_you, for_you) = (listed.answered, listed.auto_decided);
    out.line(format!(
        "Asked {times}. You answered {by_you}; plantune answered {for_you}.\n"
    ));
    let whole = |seconds: f64| format!("{seconds:.0}");
    let mut table = Table::of(question.askings.iter().flatten());
    table.add(text("day"), |one| known(one.day));
    table.add(main("question"), |one| one_line(&one.question, SHOWN));
    table.add(text("answer").least(14), |one| {
        one_line(&answer(one), SHOWN)
    });
    table.add(number("seconds").rank(1), |one| {
        known(one.human_seconds.map(whole))
    });
    out.table(&table);
}

/// The question and the project.
fn named(question: &Question) -> String {
    let listed = &question.listed;
    let key = one_line(typed(&listed.question_key, &listed.name), SHOWN);
    format!("{key} in {}", one_line(&question.listed.project, SHOWN))
}

/// The options that tell it.
fn in_words(question: &Question) -> String {
    let labels = question.listed.options.iter();
    let labels: Vec<String> = labels
        .map(|label| format!("\"{}\"", one_line(label, SHOWN_LABEL)))
        .collect();
    format!("every question with the options {}", labels.join(", "))
}

/// Its outcome in words.
fn answer(asking: &Occurrence) -> String {
    let labels = asking.answer.join(", ");
    let said = match (&asking.free_text, &asking.notes) {
        (Some(text), _) if labels.is_empty() => format!("typed: {text}"),
        (Some(text), _) => format!("{labels}; typed: {text}"),
        (None, Some(notes)) => format!("{labels}; noted: {notes}"),
        (None, None) => labels,
    };
    match asking.outcome {
        QuestionOutcome::Answered => said,
        QuestionOutcome::AutoDecided => format!("{said} (by plantune)"),
        other => format!("({other})"),
    }
}
