//! The report for a document or a chat.

use std::io::{self, Write};

use plantune_query::report::QuestionCounts;

use super::section::Section;
use super::{Document, by, stands_out, stopped, summary};
use crate::Format;
use crate::amount::{duration, percent, share_of};
use crate::markdown::{code, escape, table};
use crate::standing::{cells, note};
use crate::table::{Column, UNKNOWN};

/// Markdown with tables (GitHub's).
#[derive(Clone, Copy, Debug)]
pub struct Markdown {
    /// How many questions to list.
    pub top: usize,
}

impl Format<Document> for Markdown {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# Questions: {}\n", escape(&document.heading.title()))?;
        if let Some(project) = &document.heading.project {
            writeln!(out, "Project {}\n", escape(project))?;
        }
        if document.permissions.detail.is_some() {
            self.stopped(document, out)?;
            return summary::quarantined(document).map_or(Ok(()), |note| writeln!(out, "{note}\n"));
        }
        if let Some(lines) = summary::nothing(document, code) {
            for line in lines {
                writeln!(out, "{line}\n")?;
            }
            self.stopped(document, out)?;
            trend(document, out)?;
        } else {
            stands_out(document, out)?;
            headline(document, out)?;
            self.stopped(document, out)?;
            trend(document, out)?;
            match &document.groups {
                Some(groups) => part(&by::part(groups, self.top), out)?,
                None => self.questions(document, out)?,
            }
            session_kinds(document, out)?;
            errors(document, out)?;
        }
        preferences(document, out)?;
        let notes = [
            summary::away(document),
            summary::quarantined(document),
            summary::suggestions(document),
        ];
        for note in notes.iter().flatten() {
            writeln!(out, "{note}\n")?;
        }
        Ok(())
    }
}

impl Markdown {
    /// Questions and prompts for permission side by side, and what needs a look.
    fn stopped(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        if let Some(nothing) = stopped::nothing(document) {
            writeln!(out, "{nothing}\n")?;
        }
        for one in stopped::parts(document, self.top, escape) {
            part(&one, out)?;
        }
        Ok(())
    }

    fn questions(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let listing = summary::listing(document, self.top);
        writeln!(out, "## {}\n", listing.title)?;
        let rows: Vec<_> = listing
            .questions
            .iter()
            .map(|one| question_row(one))
            .collect();
        let titles = [
            "question",
            "times",
            "you",
            "auto",
            "usual answer",
            "share",
            "median",
            "agreed",
            "project",
        ];
        let right = [false, true, true, true, false, true, true, true, false];
        if !rows.is_empty() {
            table(out, &titles, &right, &rows)?;
        }
        listing
            .once
            .map_or(Ok(()), |line| writeln!(out, "{line}\n"))
    }
}

fn stands_out(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    if document.stands_out.is_empty() {
        return Ok(());
    }
    writeln!(out, "## {}\n", stands_out::TITLE)?;
    for line in &document.stands_out {
        writeln!(out, "- {}", line.shown(escape, code))?;
    }
    writeln!(out)
}

/// A table with its heading and notes; its cells are escaped here.
pub(crate) fn part(part: &Section, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## {}\n", part.title)?;
    let titles: Vec<_> = part.columns.iter().map(Column::title).collect();
    let right: Vec<_> = part.columns.iter().map(Column::is_number).collect();
    let escaped = |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect();
    let rows: Vec<Vec<String>> = part.rows.iter().map(escaped).collect();
    table(out, &titles, &right, &rows)?;
    for note in &part.notes {
        writeln!(out, "{note}\n")?;
    }
    Ok(())
}

fn headline(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let incomparable = summary::incomparable(document);
    let comparable = incomparable.is_none();
    let columns = if comparable { 4 } else { 2 };
    let (name, previous) = (document.heading.name(), document.heading.previous_name());
    let titles = ["", name.as_str(), previous.as_str(), "change"];
    let rows: Vec<Vec<String>> = summary::headline(document)
        .into_iter()
        .map(|row| {
            let cells = row.iter().take(columns);
            // Markdown drops leading spaces; the structure survives as entities.
            cells.map(|cell| cell.replace("  ", "&emsp;")).collect()
        })
        .collect();
    let titles: Vec<_> = titles.into_iter().take(columns).collect();
    let right: Vec<_> = (0..columns).map(|column| column > 0).collect();
    table(out, &titles, &right, &rows)?;
    if let Some(line) = incomparable {
        writeln!(out, "{line}\n")?;
    }
    if let Some(line) = summary::long_answers(document) {
        writeln!(out, "{line}\n")?;
    }
    Ok(())
}

fn trend(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    if document.trend.iter().all(|week| week.questions == 0) {
        return Ok(());
    }
    writeln!(out, "## Eight weeks\n")?;
    let rows: Vec<Vec<String>> = document
        .trend
        .iter()
        .map(|week| {
            vec![
                week.week.clone(),
                week.questions.to_string(),
                week.asked.to_string(),
                week.auto_decided.to_string(),
                duration(week.human_seconds),
            ]
        })
        .collect();
    let titles = ["week", "questions", "asked", "auto", "your time"];
    table(out, &titles, &[false, true, true, true, true], &rows)
}

fn question_row(question: &QuestionCounts) -> Vec<String> {
    let none = || UNKNOWN.to_owned();
    vec![
        escape(question.text()),
        question.times().to_string(),
        question.answered.to_string(),
        question.auto_decided.to_string(),
        question.top_answer.as_deref().map_or_else(none, escape),
        question.top_answer_share.map_or_else(none, percent),
        question.median_seconds.map_or_else(none, duration),
        question
            .agreement
            .map_or_else(none, |share| share_of(share, question.agreement_n)),
        escape(&question.project),
    ]
}

fn session_kinds(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## Sessions\n")?;
    let rows = summary::session_kinds(document, escape);
    let titles = [
        "session kind",
        "sessions",
        "questions",
        "asked",
        "answered",
        "auto",
        "failed",
        "dismissed",
    ];
    let right = [false, true, true, true, true, true, true, true];
    table(out, &titles, &right, &rows)
}

fn preferences(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let preferences = &document.standing_preferences;
    if preferences.is_empty() {
        return Ok(());
    }
    writeln!(out, "## {}\n", summary::PREFERENCES)?;
    let rows: Vec<Vec<String>> = preferences
        .iter()
        .map(|preference| cells(preference).iter().map(|cell| escape(cell)).collect())
        .collect();
    let titles = [
        "question key",
        "answer",
        "answered",
        "checked",
        "agreed",
        "state",
    ];
    table(
        out,
        &titles,
        &[false, false, true, true, true, false],
        &rows,
    )?;
    for note in preferences.iter().filter_map(note) {
        writeln!(out, "{}\n", escape(&note))?;
    }
    Ok(())
}

fn errors(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    if document.errors.is_empty() {
        return Ok(());
    }
    writeln!(out, "## Failures\n")?;
    let rows: Vec<Vec<String>> = document
        .errors
        .iter()
        .map(|error| vec![escape(&error.error_kind), error.times.to_string()])
        .collect();
    table(out, &["failure", "times"], &[false, true], &rows)
}
