//! A report's questions, or its groups.

use std::io::{self, Write};

use plantune_query::report::Groups;

use super::Csv;
use super::table::{Table, moment, number, text};
use crate::Format;
use crate::report::Document;

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
