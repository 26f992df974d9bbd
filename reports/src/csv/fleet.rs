//! An organisation's questions for spreadsheets.

use std::io::{self, Write};

use super::Csv;
use super::table::{Table, number, optional, text};
use crate::Format;
use crate::fleet::Document;

/// The fields of `questions` in `report --json`, and of each the most frequent answer.
impl Format<Document> for Csv {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::new(
            out,
            &[
                "name",
                "label",
                "groups",
                "questions",
                "asked",
                "answered",
                "auto_decided",
                "failed",
                "dismissed",
                "open",
                "calls",
                "sessions",
                "machines",
                "projects",
                "human_seconds",
                "away_answers",
                "away_seconds",
                "median_seconds",
                "agreement",
                "agreement_n",
                "top_answer_hash",
                "top_answer",
                "top_answer_times",
                "top_answer_machines",
                "top_answer_share",
            ],
        )?;
        for group in &document.questions {
            let top = group.top_answer.as_ref();
            let whole = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
            table.row(&[
                optional(&group.name),
                optional(&group.label),
                group.groups.to_string(),
                group.questions.to_string(),
                group.asked.to_string(),
                group.answered.to_string(),
                group.auto_decided.to_string(),
                group.failed.to_string(),
                group.dismissed.to_string(),
                group.open.to_string(),
                group.calls.to_string(),
                group.sessions.to_string(),
                group.machines.to_string(),
                group.projects.to_string(),
                group.human_seconds.to_string(),
                group.away_answers.to_string(),
                group.away_seconds.to_string(),
                number(group.median_seconds),
                number(group.agreement),
                whole(group.agreement_n),
                text(top.map_or("", |top| top.hash.as_str())),
                text(
                    top.and_then(|top| top.answer.as_deref())
                        .unwrap_or_default(),
                ),
                whole(top.map(|top| top.times)),
                whole(top.map(|top| top.machines)),
                number(top.map(|top| top.share)),
            ])?;
        }
        table.end()
    }
}
