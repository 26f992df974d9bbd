//! The rows behind a figure.

use std::io::{self, Write};

use plantune_query::report::explain::Rows;

use super::table::{Table, moment, number, optional, text};

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
