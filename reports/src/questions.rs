//! The questions there are, for a terminal.

use std::io::{self, Write};

use plantune_query::questions::{Listed, Occurrence, Unmarked};

use crate::inert::one_line;
use crate::suggestions::family_in_words;
use crate::table::{Column, lines};
use crate::text::hanging;

/// How many questions are listed.
const MOST: usize = 40;

/// How many texts of a family are shown.
const MOST_TEXTS: usize = 3;

/// How much of a text is shown, in characters.
const SHOWN: usize = 200;

/// Writes the list for a terminal `width` columns wide.
///
/// # Errors
/// Those of `out`.
pub fn write_list(listed: &[Listed], width: u16, out: &mut dyn Write) -> io::Result<()> {
    if listed.is_empty() {
        return writeln!(
            out,
            "No question was ever asked. `plantune install` logs them from now on;\n\
             `plantune import claude-code` reads the transcripts that are there already."
        );
    }
    let columns = [
        Column::text("question").least(20),
        Column::text("key").least(20),
        Column::text("project").least(10).rank(2),
        Column::number("asked"),
        Column::number("answered"),
        Column::number("for you").rank(1),
        Column::text("last").rank(1),
    ];
    let row = |one: &Listed| {
        vec![
            one_line(&one.question, SHOWN),
            one_line(&one.question_key, SHOWN),
            one_line(&one.project, SHOWN),
            one.asked.to_string(),
            one.answered.to_string(),
            one.auto_decided.to_string(),
            one.last.map_or_else(String::new, |day| day.to_string()),
        ]
    };
    let rows: Vec<Vec<String>> = listed.iter().take(MOST).map(row).collect();
    for line in lines(&columns, &rows, usize::from(width)) {
        writeln!(out, "{line}")?;
    }
    if listed.len() > MOST {
        writeln!(
            out,
            "… and {} more; --json lists them all",
            listed.len() - MOST
        )?;
    }
    writeln!(
        out,
        "\n`plantune questions show KEY` shows every time one was asked."
    )
}

/// Writes every time that questions were asked.
///
/// # Errors
/// Those of `out`.
pub fn write_askings(
    shown: &[(&Listed, Vec<Occurrence>)],
    width: u16,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (number, (listed, occurrences)) in shown.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let width = usize::from(width);
        let named = format!(
            "{} in {} ({})",
            one_line(&listed.question_key, SHOWN),
            one_line(&listed.project, SHOWN),
            one_line(&listed.key_source, SHOWN)
        );
        write!(out, "{}", hanging("", "  ", &named, width))?;
        if let Some(template) = &listed.template {
            let words = family_in_words(template, &listed.options);
            writeln!(out, "{}", one_line(&words, width))?;
        }
        writeln!(
            out,
            "asked {} times, answered by you {}, for you {}\n",
            listed.asked, listed.answered, listed.auto_decided
        )?;
        let columns = [
            Column::text("day"),
            Column::text("question").least(20),
            Column::text("answer").least(14),
            Column::number("s").rank(1),
        ];
        let rows: Vec<Vec<String>> = occurrences.iter().map(row).collect();
        for line in lines(&columns, &rows, width) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn row(occurrence: &Occurrence) -> Vec<String> {
    vec![
        occurrence
            .day
            .map_or_else(String::new, |day| day.to_string()),
        one_line(&occurrence.question, SHOWN),
        one_line(&answer(occurrence), SHOWN),
        occurrence
            .human_seconds
            .map_or_else(String::new, |seconds| format!("{seconds:.0}")),
    ]
}

/// What became of it, in words.
fn answer(occurrence: &Occurrence) -> String {
    let labels = occurrence.labels.join(", ");
    let said = match (&occurrence.free_text, &occurrence.notes) {
        (Some(text), _) if labels.is_empty() => format!("typed: {text}"),
        (Some(text), _) => format!("{labels}; typed: {text}"),
        (None, Some(notes)) => format!("{labels}; noted: {notes}"),
        (None, None) => labels,
    };
    match occurrence.outcome.as_str() {
        "answered" => said,
        "auto_decided" => format!("(for you) {said}"),
        other => format!("({other})"),
    }
}

/// Writes the families that a rule could name, each with its rule.
///
/// # Errors
/// Those of `out`.
pub fn write_unmarked(
    families: &[(&Unmarked, &str)],
    width: u16,
    out: &mut dyn Write,
) -> io::Result<()> {
    if families.is_empty() {
        return writeln!(
            out,
            "No family among the unmarked questions: none with the same options was answered three\n\
             times."
        );
    }
    let width = usize::from(width);
    for (family, rule) in families {
        let listed = &family.listed;
        let named = format!(
            "{} in {}",
            one_line(&listed.question_key, SHOWN),
            one_line(&listed.project, SHOWN)
        );
        write!(out, "{}", hanging("", "  ", &named, width))?;
        let words = family_in_words(
            listed.template.as_deref().unwrap_or_default(),
            &listed.options,
        );
        writeln!(out, "  {}", one_line(&words, width.saturating_sub(2)))?;
        for (text, _) in family.texts.iter().rev().take(MOST_TEXTS) {
            writeln!(out, "  - {}", one_line(text, width.saturating_sub(4)))?;
        }
        if let Some((label, times)) = &family.top_answer {
            let often = format!(
                "asked {} times; of the latest {} answers {times} are \"{}\"",
                listed.asked,
                family.answers,
                one_line(label, 60)
            );
            write!(out, "{}", hanging("  ", "    ", &often, width))?;
        }
        writeln!(out)?;
        for line in rule.lines() {
            writeln!(out, "      {}", one_line(line, usize::MAX))?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "Paste a rule into registry.toml, or run\n\
         `plantune questions unmarked --register KEY`.\n\
         Your answers so far count for the key that it gives."
    )
}
