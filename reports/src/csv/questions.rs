//! The list of questions.

use std::io::{self, Write};

use super::Csv;
use super::table::{Table, text};
use crate::Format;
use crate::questions::List;

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
