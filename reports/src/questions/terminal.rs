//! The questions on a terminal.

use std::io::{self, Write};

use super::document::{Asking, Question, Shown, Unmarked};
use crate::Format;
use crate::inert::one_line;
use crate::table::{Column, lines};
use crate::text::hanging;

/// How many texts of a family are shown.
const MOST_TEXTS: usize = 3;

/// How much of a text is shown, in characters.
const SHOWN: usize = 400;

/// How much of a label is shown, in characters.
const SHOWN_LABEL: usize = 60;

/// Text of at most `width` columns.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// How many columns there are.
    pub width: usize,
}

impl Format<Shown> for Terminal {
    fn write(&self, shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
        for (number, question) in shown.questions.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            self.askings(question, out)?;
        }
        Ok(())
    }
}

impl Format<Unmarked> for Terminal {
    fn write(&self, unmarked: &Unmarked, out: &mut dyn Write) -> io::Result<()> {
        if unmarked.families.is_empty() {
            return self.line(
                "No family among the unmarked questions: none with the same options was answered \
                 three times.",
                out,
            );
        }
        for one in &unmarked.families {
            let (question, family) = (&one.question, &one.family);
            write!(out, "{}", hanging("", "  ", &named(question), self.width))?;
            writeln!(out, "  {}", self.cut(&in_words(question), 2))?;
            for (text, _) in family.texts.iter().rev().take(MOST_TEXTS) {
                writeln!(out, "  - {}", self.cut(text, 4))?;
            }
            if let Some((label, times)) = &family.top_answer {
                let often = format!(
                    "asked {} times; of the latest {} answers {times} are \"{}\"",
                    question.asked,
                    family.answers,
                    one_line(label, 60)
                );
                write!(out, "{}", hanging("  ", "    ", &often, self.width))?;
            }
            writeln!(out)?;
            for line in one.rule.lines() {
                writeln!(out, "      {}", one_line(line, usize::MAX))?;
            }
            writeln!(out)?;
        }
        writeln!(
            out,
            "Paste a rule into registry.toml, or run\n\
             `plantune config questions --register KEY`.\n\
             Your answers so far count for the key that it gives."
        )
    }
}

impl Terminal {
    fn askings(&self, question: &Question, out: &mut dyn Write) -> io::Result<()> {
        let source = one_line(&question.key_source, SHOWN);
        let named = format!("{} ({source})", named(question));
        write!(out, "{}", hanging("", "  ", &named, self.width))?;
        if question.template.is_some() {
            self.line(&in_words(question), out)?;
        }
        writeln!(
            out,
            "asked {} times, answered by you {}, for you {}\n",
            question.asked, question.answered, question.auto_decided
        )?;
        let columns = [
            Column::text("day"),
            Column::main("question"),
            Column::text("answer").least(14),
            Column::number("s").rank(1),
        ];
        let askings = question.askings.as_deref().unwrap_or_default();
        let rows: Vec<Vec<String>> = askings.iter().map(row).collect();
        for line in lines(&columns, &rows, self.width) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn line(&self, line: &str, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", hanging("", "", line, self.width))
    }

    fn cut(&self, text: &str, indent: usize) -> String {
        one_line(text, self.width.saturating_sub(indent))
    }
}

/// The key and the project.
fn named(question: &Question) -> String {
    let key = one_line(&question.question_key, SHOWN);
    format!("{key} in {}", one_line(&question.project, SHOWN))
}

/// What makes a question one of its family.
fn in_words(question: &Question) -> String {
    let labels = question.options.iter();
    let labels: Vec<String> = labels
        .map(|label| format!("\"{}\"", one_line(label, SHOWN_LABEL)))
        .collect();
    let labels = labels.join(", ");
    match (question.template.as_deref(), &question.template_text) {
        (Some([_, ..]), Some(text)) => {
            format!("every question \"{}\" with {labels}", one_line(text, SHOWN))
        }
        _ => format!("every question with the options {labels}"),
    }
}

fn row(asking: &Asking) -> Vec<String> {
    vec![
        asking.day.clone().unwrap_or_default(),
        one_line(&asking.question, SHOWN),
        one_line(&answer(asking), SHOWN),
        asking
            .human_seconds
            .map_or_else(String::new, |seconds| format!("{seconds:.0}")),
    ]
}

/// What became of it, in words.
fn answer(asking: &Asking) -> String {
    let labels = asking.answer.join(", ");
    let said = match (&asking.free_text, &asking.notes) {
        (Some(text), _) if labels.is_empty() => format!("typed: {text}"),
        (Some(text), _) => format!("{labels}; typed: {text}"),
        (None, Some(notes)) => format!("{labels}; noted: {notes}"),
        (None, None) => labels,
    };
    match asking.outcome.as_str() {
        "answered" => said,
        "auto_decided" => format!("(for you) {said}"),
        other => format!("({other})"),
    }
}
