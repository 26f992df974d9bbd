//! CSV (RFC 4180), one table each, for spreadsheets: texts are on one line, in quotes, and none is a formula.

mod fleet;

use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use plantune_domain::sanitize::spreadsheet_text;
use plantune_query::decisions::Decision;
use plantune_query::report::Groups;
use plantune_query::report::explain::Rows;

use crate::Format;
use crate::questions::List;
use crate::report::Document;

/// The report's questions as CSV: the fields of `questions` in `report --json`, or of `groups` where the document
/// has them.
#[derive(Clone, Copy, Debug)]
pub struct Csv;

impl Format<Document> for Csv {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        if let Some(groups) = &document.groups {
            return write_groups(groups, out);
        }
        let mut table = Table::new(
            out,
            &[
                "question_key",
                "key_source",
                "project",
                "question",
                "header",
                "options",
                "door",
                "asked",
                "answered",
                "auto_decided",
                "failed",
                "dismissed",
                "agreement",
                "agreement_n",
                "median_seconds",
                "top_answer",
                "top_answer_share",
                "last_at",
                "template_text",
            ],
        )?;
        for question in &document.questions {
            let options = question.options.as_deref().unwrap_or_default();
            table.row(&[
                text(&question.question_key),
                text(&question.key_source),
                text(&question.project),
                text(&question.question),
                text(question.header.as_deref().unwrap_or_default()),
                text(&options.join(" | ")),
                text(&question.door),
                question.asked.to_string(),
                question.answered.to_string(),
                question.auto_decided.to_string(),
                question.failed.to_string(),
                question.dismissed.to_string(),
                number(question.agreement),
                question.agreement_n.to_string(),
                number(question.median_seconds),
                text(question.top_answer.as_deref().unwrap_or_default()),
                number(question.top_answer_share),
                moment(question.last_at),
                text(question.template_text.as_deref().unwrap_or_default()),
            ])?;
        }
        table.end()
    }
}

fn write_groups(groups: &Groups, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(
        out,
        &[
            "name",
            "questions",
            "asked",
            "answered",
            "auto_decided",
            "typed",
            "dismissed",
            "failed",
            "open",
            "human_seconds",
            "median_seconds",
            "away_answers",
            "away_seconds",
            "waiting_seconds",
            "waiting_away_seconds",
        ],
    )?;
    for group in &groups.groups {
        table.row(&[
            text(group.name.as_deref().unwrap_or_default()),
            group.questions.to_string(),
            group.asked.to_string(),
            group.answered.to_string(),
            group.auto_decided.to_string(),
            group.typed.to_string(),
            group.dismissed.to_string(),
            group.failed.to_string(),
            group.open.to_string(),
            group.human_seconds.to_string(),
            number(group.median_seconds),
            group.away_answers.to_string(),
            group.away_seconds.to_string(),
            group.waiting_seconds.to_string(),
            group.waiting_away_seconds.to_string(),
        ])?;
    }
    table.end()
}

/// The list of questions: the fields of `questions --json`.
impl Format<List> for Csv {
    fn write(&self, list: &List, out: &mut dyn Write) -> io::Result<()> {
        write_questions(list, out)
    }
}

fn write_questions(list: &List, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(
        out,
        &[
            "question_key",
            "key_source",
            "template",
            "project",
            "question",
            "header",
            "options",
            "asked",
            "answered",
            "auto_decided",
            "last",
            "template_text",
        ],
    )?;
    for one in &list.questions {
        let template = one.template.as_deref().unwrap_or_default();
        table.row(&[
            text(&one.question_key),
            text(&one.key_source),
            text(&template.join(" … ")),
            text(&one.project),
            text(&one.question),
            text(one.header.as_deref().unwrap_or_default()),
            text(&one.options.join(" | ")),
            one.asked.to_string(),
            one.answered.to_string(),
            one.auto_decided.to_string(),
            text(one.last.as_deref().unwrap_or_default()),
            text(one.template_text.as_deref().unwrap_or_default()),
        ])?;
    }
    table.end()
}

/// Writes decisions: the fields of `log --json`.
///
/// # Errors
/// Those of `out`.
pub fn write_decisions(decisions: &[Decision], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(
        out,
        &[
            "put_at",
            "project",
            "session_id",
            "session_kind",
            "tool_use_id",
            "question_index",
            "question_key",
            "key_source",
            "question",
            "header",
            "options",
            "recommended",
            "one_way",
            "outcome",
            "ask_reason",
            "answer",
            "typed",
            "noted",
            "preferred",
            "preference",
            "preference_scope",
            "mechanism",
            "level",
            "assisted",
            "undone",
            "wanted",
            "reason",
            "human_seconds",
            "family_key",
            "family_text",
        ],
    )?;
    for one in decisions {
        table.row(&[
            moment(one.asked_at),
            text(&one.project),
            text(&one.session_id),
            text(&one.session_kind),
            optional(&one.tool_use_id),
            one.question_index.to_string(),
            optional(&one.question_key),
            text(&one.key_source),
            text(&one.question),
            optional(&one.header),
            text(&one.options.join(" | ")),
            optional(&one.recommended),
            optional(&one.one_way),
            text(&one.outcome),
            optional(&one.ask_reason),
            text(&one.answer.join(" | ")),
            one.typed.to_string(),
            one.noted.to_string(),
            text(&one.preferred.join(" | ")),
            optional(&one.preference),
            optional(&one.preference_scope),
            optional(&one.mechanism),
            optional(&one.level),
            one.assisted.to_string(),
            one.undone.to_string(),
            optional(&one.wanted),
            optional(&one.reason),
            number(one.human_seconds),
            text(
                one.family
                    .as_ref()
                    .map_or("", |family| &family.question_key),
            ),
            text(
                one.family
                    .as_ref()
                    .map_or("", |family| &family.template_text),
            ),
        ])?;
    }
    table.end()
}

/// Writes the rows behind a figure: the fields of `rows` in `report --explain --json`, for prompts those that
/// questions have, too.
///
/// # Errors
/// Those of `out`.
pub fn write_rows(rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
    match rows {
        Rows::Questions(rows) => {
            let mut table = Table::new(
                out,
                &[
                    "put_at",
                    "project",
                    "session_id",
                    "session_kind",
                    "tool_use_id",
                    "question_index",
                    "question_key",
                    "asker",
                    "question",
                    "outcome",
                    "decided_by",
                    "error_kind",
                    "answer",
                    "human_seconds",
                    "answering_seconds",
                    "away_seconds",
                    "waiting_seconds",
                    "seconds_saved",
                ],
            )?;
            for one in rows {
                table.row(&[
                    moment(one.at),
                    text(&one.project),
                    text(&one.session_id),
                    text(&one.session_kind),
                    text(&one.tool_use_id),
                    one.question_index.to_string(),
                    text(&one.question_key),
                    optional(&one.asker),
                    text(&one.question),
                    text(&one.outcome),
                    optional(&one.decided_by),
                    optional(&one.error_kind),
                    optional(&one.answer),
                    number(one.human_seconds),
                    number(one.answering_seconds),
                    number(one.away_seconds),
                    number(one.waiting_seconds),
                    number(one.seconds_saved),
                ])?;
            }
            table.end()
        }
        Rows::Prompts(rows) => {
            let mut table = Table::new(
                out,
                &[
                    "at",
                    "project",
                    "session_id",
                    "session_kind",
                    "id",
                    "tool",
                    "subject",
                    "outcome",
                    "grant",
                    "waited_seconds",
                ],
            )?;
            for one in rows {
                table.row(&[
                    moment(one.at),
                    text(&one.project),
                    text(&one.session_id),
                    text(&one.session_kind),
                    text(&one.id),
                    text(&one.tool),
                    text(&one.subject),
                    text(&one.outcome),
                    optional(&one.grant),
                    number(one.waited_seconds),
                ])?;
            }
            table.end()
        }
    }
}

/// A table with a heading.
struct Table<'a>(Writer<&'a mut dyn Write>);

impl<'a> Table<'a> {
    fn new(out: &'a mut dyn Write, columns: &[&str]) -> io::Result<Self> {
        let mut writer = WriterBuilder::new()
            // In quotes, a spreadsheet that takes semicolons for separators finds none in a text.
            .quote_style(QuoteStyle::NonNumeric)
            .terminator(Terminator::CRLF)
            .from_writer(out);
        writer.write_record(columns)?;
        Ok(Self(writer))
    }

    fn row(&mut self, cells: &[String]) -> io::Result<()> {
        Ok(self.0.write_record(cells)?)
    }

    fn end(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A text from outside as a cell.
fn text(text: &str) -> String {
    spreadsheet_text(text)
}

/// A text that may not be there.
fn optional(value: &Option<String>) -> String {
    text(value.as_deref().unwrap_or_default())
}

/// A number, or an empty cell for what is not known.
fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use plantune_query::questions::Listed;

    use super::*;

    #[test]
    fn formulas_are_texts_and_quotes_are_doubled() {
        let listed = Listed {
            question_key: "k".to_owned(),
            question: "=HYPERLINK(\"http://x\";\"a\")\r\n@SUM(1)\u{202e}".to_owned(),
            options: vec!["+1".to_owned(), "-2, or".to_owned()],
            asked: 12,
            ..Listed::default()
        };
        let mut out = Vec::new();
        write_questions(&List::new(vec![listed]), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert_eq!(
            lines[1],
            "\"k\",\"\",\"\",\"\",\"'=HYPERLINK(\"\"http://x\"\";\"\"a\"\") @SUM(1)\",\"\",\
             \"'+1 | -2, or\",12,0,0,\"\",\"\""
        );
        assert_eq!((lines.len(), lines[2]), (3, ""));
    }
}
