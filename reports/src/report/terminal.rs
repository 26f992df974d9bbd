//! The report for a person at a terminal.

use std::io::{self, Write};

use anstyle::Style;
use plantune_query::report::{QuestionCounts, Week};

use super::section::Section;
use super::{Document, by, stands_out, stopped, summary};
use crate::Format;
use crate::amount::{duration, percent, share_of};
use crate::standing::{cells, note};
use crate::style::{BOLD, DIM, GREEN, YELLOW};
use crate::table::{self, Column, UNKNOWN};
use crate::text::{clean, hanging, wrap};

/// Text of at most `width` columns.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// How many columns there are.
    pub width: usize,
    /// True to use colour; nothing is said by colour alone.
    pub colour: bool,
    /// How many questions to list.
    pub top: usize,
}

impl Format<Document> for Terminal {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        self.paragraph(out, &document.heading.title(), BOLD)?;
        if let Some(project) = &document.heading.project {
            self.paragraph(out, &format!("Project {}", clean(project)), DIM)?;
        }
        writeln!(out)?;
        if document.permissions.detail.is_some() {
            self.stopped(document, out)?;
            return summary::quarantined(document)
                .map_or(Ok(()), |line| self.paragraph(out, &line, YELLOW));
        }
        if let Some(lines) = summary::nothing(document, in_quotes) {
            for line in lines {
                self.paragraph(out, &line, Style::new())?;
            }
            writeln!(out)?;
            self.stopped(document, out)?;
            self.trend(document, out)?;
        } else {
            self.stands_out(document, out)?;
            self.headline(document, out)?;
            self.stopped(document, out)?;
            self.trend(document, out)?;
            match &document.groups {
                Some(groups) => self.part(&by::part(groups, self.top), out)?,
                None => self.questions(document, out)?,
            }
            self.session_kinds(document, out)?;
            self.errors(document, out)?;
        }
        self.preferences(document, out)?;
        if let Some(line) = summary::away(document) {
            self.paragraph(out, &line, YELLOW)?;
        }
        if let Some(line) = summary::quarantined(document) {
            self.paragraph(out, &line, YELLOW)?;
        }
        if let Some(line) = summary::suggestions(document) {
            self.paragraph(out, &line, Style::new())?;
        }
        Ok(())
    }
}

fn in_quotes(command: &str) -> String {
    format!("`{command}`")
}

impl Terminal {
    fn line(&self, out: &mut dyn Write, line: &str, style: Style) -> io::Result<()> {
        if self.colour {
            writeln!(out, "{style}{line}{style:#}")
        } else {
            writeln!(out, "{line}")
        }
    }

    fn paragraph(&self, out: &mut dyn Write, text: &str, style: Style) -> io::Result<()> {
        wrap(text, self.width)
            .iter()
            .try_for_each(|line| self.line(out, line, style))
    }

    /// A heading, a table below it, and an empty line.
    fn table(
        &self,
        out: &mut dyn Write,
        title: &str,
        columns: &[Column<'_>],
        rows: &[Vec<String>],
    ) -> io::Result<()> {
        self.rows(out, title, columns, rows)?;
        writeln!(out)
    }

    /// The same without the empty line.
    fn rows(
        &self,
        out: &mut dyn Write,
        title: &str,
        columns: &[Column<'_>],
        rows: &[Vec<String>],
    ) -> io::Result<()> {
        self.paragraph(out, title, BOLD)?;
        let lines = table::lines(columns, rows, self.width);
        for (number, line) in lines.iter().enumerate() {
            let style = if number == 0 { DIM } else { Style::new() };
            self.line(out, line, style)?;
        }
        Ok(())
    }

    /// Questions and prompts for permission side by side, and what needs a look.
    fn stopped(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        if let Some(nothing) = stopped::nothing(document) {
            self.paragraph(out, nothing, Style::new())?;
        }
        for part in stopped::parts(document, self.top, clean) {
            self.part(&part, out)?;
        }
        Ok(())
    }

    /// A line each, what is behind its first words indented.
    fn stands_out(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        if document.stands_out.is_empty() {
            return Ok(());
        }
        self.paragraph(out, stands_out::TITLE, BOLD)?;
        for line in &document.stands_out {
            let words = line.shown(clean, in_quotes);
            write!(out, "{}", hanging("- ", "  ", &words, self.width))?;
        }
        writeln!(out)
    }

    fn part(&self, part: &Section, out: &mut dyn Write) -> io::Result<()> {
        self.rows(out, &part.title, &part.columns, &part.rows)?;
        for note in &part.notes {
            self.paragraph(out, note, Style::new())?;
        }
        writeln!(out)
    }

    fn headline(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let incomparable = summary::incomparable(document);
        let comparable = incomparable.is_none();
        let rows: Vec<Vec<String>> = summary::headline(document)
            .into_iter()
            .map(|row| {
                row.into_iter()
                    .take(if comparable { 4 } else { 2 })
                    .collect()
            })
            .collect();
        let (name, previous) = (document.heading.name(), document.heading.previous_name());
        let mut columns = vec![Column::text("").least(25), Column::number(&name)];
        if comparable {
            columns.push(Column::number(&previous).rank(1));
            columns.push(Column::number("change").rank(2));
        }
        let lines = table::lines(&columns, &rows, self.width);
        for (number, line) in lines.iter().enumerate() {
            let style = match number {
                0 => DIM,
                1 => BOLD,
                _ if number + 1 == lines.len() && document.totals.seconds_saved > 0.0 => GREEN,
                _ => Style::new(),
            };
            self.line(out, line, style)?;
        }
        if let Some(line) = incomparable {
            self.paragraph(out, &line, DIM)?;
        }
        if let Some(line) = summary::long_answers(document) {
            self.paragraph(out, &line, Style::new())?;
        }
        writeln!(out)
    }

    fn trend(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let trend = &document.trend;
        let (Some(first), Some(last)) = (trend.first(), trend.last()) else {
            return Ok(());
        };
        if trend.iter().all(|week| week.questions == 0) {
            return Ok(());
        }
        let so_far = if document.heading.running {
            " so far"
        } else {
            ""
        };
        let title = format!("Eight weeks, {} to {}{so_far}", first.week, last.week);
        self.paragraph(out, &title, BOLD)?;
        self.sparkline(out, "questions", trend, |week| week.questions)?;
        self.sparkline(out, "asked    ", trend, |week| week.asked)?;
        writeln!(out)
    }

    fn sparkline(
        &self,
        out: &mut dyn Write,
        label: &str,
        trend: &[Week],
        of: fn(&Week) -> u64,
    ) -> io::Result<()> {
        let counts: Vec<u64> = trend.iter().map(of).collect();
        let least = counts.iter().min().copied().unwrap_or(0);
        let most = counts.iter().max().copied().unwrap_or(0);
        let bars: String = counts.iter().map(|count| bar(*count, most)).collect();
        let line = format!("{label}  {bars}  least {least}, most {most}");
        self.line(out, &line, Style::new())
    }

    fn questions(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let listing = summary::listing(document, self.top);
        // What is left out first has the highest rank; --json and --csv have all of it.
        let mut columns = vec![
            Column::main("question"),
            Column::number("times"),
            Column::number("you").rank(2),
            Column::number("auto").rank(2),
            Column::text("usual answer").least(12).rank(1),
            Column::number("share").rank(1),
            Column::number("median").rank(4),
            Column::number("agreed").rank(5),
        ];
        let several = summary::several_projects(&listing.questions);
        if several {
            columns.push(Column::text("project").least(12).rank(3));
        }
        let is_any_auto = listing.questions.iter().any(|one| one.auto_decided > 0);
        let row = |question: &&QuestionCounts| {
            let mut row = question_row(question, several);
            if let (false, Some(auto)) = (is_any_auto, row.get_mut(3)) {
                // Nothing was decided for them: a column of noughts would take the room of another.
                UNKNOWN.clone_into(auto);
            }
            row
        };
        let rows: Vec<Vec<String>> = listing.questions.iter().map(row).collect();
        if rows.is_empty() {
            self.paragraph(out, &listing.title, BOLD)?;
        } else {
            self.rows(out, &listing.title, &columns, &rows)?;
        }
        if let Some(line) = &listing.once {
            self.paragraph(out, line, Style::new())?;
        }
        writeln!(out)
    }

    fn preferences(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let preferences = &document.standing_preferences;
        if preferences.is_empty() {
            return Ok(());
        }
        let columns = [
            Column::text("question key").least(12),
            Column::text("answer").least(8).rank(2),
            Column::number("answered"),
            Column::number("checked"),
            Column::number("agreed"),
            Column::text("state").least(8),
        ];
        let rows: Vec<Vec<String>> = preferences
            .iter()
            .map(|preference| cells(preference).iter().map(|cell| clean(cell)).collect())
            .collect();
        self.table(out, summary::PREFERENCES, &columns, &rows)?;
        let notes: Vec<String> = preferences.iter().filter_map(note).collect();
        for note in &notes {
            self.paragraph(out, note, YELLOW)?;
        }
        if !notes.is_empty() {
            writeln!(out)?;
        }
        Ok(())
    }

    fn session_kinds(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let columns = [
            Column::text("session kind").least(12),
            Column::number("sessions"),
            Column::number("questions"),
            Column::number("asked").rank(1),
            Column::number("answered").rank(2),
            Column::number("auto"),
            Column::number("failed").rank(3),
            Column::number("dismissed").rank(4),
        ];
        let rows = summary::session_kinds(document, clean);
        self.table(out, "Sessions", &columns, &rows)
    }

    fn errors(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        if document.errors.is_empty() {
            return Ok(());
        }
        let columns = [Column::text("failure").least(8), Column::number("times")];
        let rows: Vec<Vec<String>> = document
            .errors
            .iter()
            .map(|error| vec![clean(&error.error_kind), error.times.to_string()])
            .collect();
        self.table(out, "Failures", &columns, &rows)
    }
}

fn question_row(question: &QuestionCounts, project: bool) -> Vec<String> {
    let none = || UNKNOWN.to_owned();
    let mut row = vec![
        clean(question.text()),
        question.times().to_string(),
        question.answered.to_string(),
        question.auto_decided.to_string(),
        question.top_answer.as_deref().map_or_else(none, clean),
        question.top_answer_share.map_or_else(none, percent),
        question.median_seconds.map_or_else(none, duration),
        question
            .agreement
            .map_or_else(none, |share| share_of(share, question.agreement_n)),
    ];
    if project {
        row.push(clean(&question.project));
    }
    row
}

/// A bar for `count` beside a greatest count of `most`; a dot for none.
fn bar(count: u64, most: u64) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    if count == 0 {
        return '·';
    }
    // 1 … most onto the eight bars, the greatest always the highest.
    let step = (u128::from(count) * 8).div_ceil(u128::from(most.max(1)));
    let index = usize::try_from(step.saturating_sub(1)).unwrap_or(7);
    BARS.get(index).copied().unwrap_or('█')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_rise_with_the_counts() {
        let bars = |counts: &[u64], most| -> String {
            counts.iter().map(|count| bar(*count, most)).collect()
        };
        assert_eq!(bars(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 8), "·▁▂▃▄▅▆▇█");
        assert_eq!(bars(&[1, 500, 1000], 1000), "▁▄█");
        assert_eq!(bars(&[0, 1], 1), "·█");
        assert_eq!(bars(&[u64::MAX], u64::MAX), "█");
    }
}
