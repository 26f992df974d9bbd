//! The report for a person.

use std::fmt::Write as _;

use plantune_reports::amount::{duration, percent, share_of};
use plantune_reports::table::{Column, lines};
use plantune_reports::text::{clean, hanging};

use super::document::{Document, Figures, PromptFigures, TopAnswer};

/// How much of a keyed hash is shown.
const SHOWN_OF_HASH: usize = 8;

/// The report in at most `width` columns, with `top` questions and askers.
pub(crate) fn text(document: &Document, width: usize, top: usize) -> String {
    let mut text = String::new();
    let lake = &document.lake;
    let head = format!(
        "{} to {} (UTC), of {} that {} published in {} of {}",
        document.period.start,
        document.period.end,
        counted(lake.events, "event"),
        counted(lake.publishers, "machine"),
        counted(lake.files, "file"),
        clean(&lake.address)
    );
    text += &hanging("", "  ", &head, width);
    match &document.totals {
        Some(totals) => {
            let line = format!(
                "{}: {} asked, {} answered by people in {}, {} decided without; {} dismissed, {} failed, {} open; \
                 {}, {}, {}",
                counted(totals.questions, "question"),
                totals.asked,
                totals.answered,
                duration(totals.human_seconds),
                totals.auto_decided,
                totals.dismissed,
                totals.failed,
                totals.open,
                counted(totals.machines, "machine"),
                counted(totals.projects, "project"),
                counted(totals.sessions, "session"),
            );
            text += &hanging("", "  ", &line, width);
        }
        None => {
            let line = format!(
                "Fewer than {} machines had a question in this period: nothing is shown.",
                document.k
            );
            text += &hanging("", "  ", &line, width);
        }
    }
    for (title, groups, most) in [
        ("week", &document.weeks, usize::MAX),
        ("question", &document.questions, top),
        ("asker", &document.askers, top),
        ("session kind", &document.session_kinds, usize::MAX),
        ("error", &document.errors, usize::MAX),
    ] {
        text += &table(title, groups, most, width);
    }
    text += &prompts(document, width);
    if document.k > 1 && document.totals.is_some() {
        let line = format!(
            "(rest): groups of fewer than {} machines, together; where these are fewer than {0}, too, with the \
             smallest other group.",
            document.k
        );
        text += "\n";
        text += &hanging("", "  ", &line, width);
    }
    if lake.missing_files > 0 {
        let _ = writeln!(
            text,
            "{} that should be there by their numbers are not: a listing that ended early, or files that were removed",
            counted(lake.missing_files, "file")
        );
    }
    for skipped in &lake.skipped {
        let _ = writeln!(
            text,
            "skipped {}: {}",
            clean(&skipped.path),
            clean(&skipped.why)
        );
    }
    text
}

fn counted(count: u64, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

fn name(name: Option<&str>, label: Option<&str>, groups: u64) -> String {
    match (name, label) {
        (Some(_), Some(label)) => label.to_owned(),
        (Some(name), None) => name.to_owned(),
        (None, _) => format!("(rest: {groups})"),
    }
}

fn table(title: &str, groups: &[Figures], most: usize, width: usize) -> String {
    if groups.is_empty() {
        return String::new();
    }
    let columns = [
        Column::text(title).least(16),
        Column::number("asked"),
        Column::number("answered"),
        Column::number("decided"),
        Column::number("failed").rank(2),
        Column::number("left").rank(2),
        Column::number("median").rank(1),
        Column::number("agrees").rank(1),
        Column::text("most often").least(12).rank(3),
        Column::number("machines"),
        Column::number("projects").rank(2),
    ];
    // The rest is the last.
    let rest = groups.iter().filter(|group| group.name.is_none());
    let shown = groups
        .iter()
        .filter(|group| group.name.is_some())
        .take(most);
    let rows: Vec<Vec<String>> = shown.chain(rest).map(row).collect();
    let mut text = "\n".to_owned();
    for line in lines(&columns, &rows, width) {
        text += &line;
        text.push('\n');
    }
    let named = groups.iter().filter(|group| group.name.is_some()).count();
    if named > most {
        let _ = writeln!(text, "and {} more (--top, --json)", named - most);
    }
    text
}

fn row(group: &Figures) -> Vec<String> {
    let agreement = group.agreement.zip(group.agreement_n);
    vec![
        name(group.name.as_deref(), group.label.as_deref(), group.groups),
        group.asked.to_string(),
        group.answered.to_string(),
        group.auto_decided.to_string(),
        group.failed.to_string(),
        (group.dismissed + group.open).to_string(),
        group.median_seconds.map_or_else(String::new, duration),
        agreement.map_or_else(String::new, |(share, n)| share_of(share, n)),
        group.top_answer.as_ref().map_or_else(String::new, answer),
        group.machines.to_string(),
        group.projects.to_string(),
    ]
}

fn answer(top: &TopAnswer) -> String {
    let name = match &top.answer {
        Some(answer) => answer.clone(),
        None if top.hash.starts_with('(') => top.hash.clone(),
        None => format!(
            "#{}",
            top.hash.chars().take(SHOWN_OF_HASH).collect::<String>()
        ),
    };
    format!("{} {name}", percent(top.share))
}

fn prompts(document: &Document, width: usize) -> String {
    if document.permissions_by_tool.is_empty() && document.permissions.is_none() {
        return String::new();
    }
    let columns = [
        Column::text("prompts for permission").least(16),
        Column::number("asked"),
        Column::number("granted"),
        Column::number("refused"),
        Column::number("unclear").rank(2),
        Column::number("waited").rank(1),
        Column::number("machines"),
        Column::number("projects").rank(2),
    ];
    let all = document.permissions.iter();
    let rows: Vec<Vec<String>> = all
        .chain(&document.permissions_by_tool)
        .map(prompt_row)
        .collect();
    let lines = lines(&columns, &rows, width);
    format!("\n{}\n", lines.join("\n"))
}

fn prompt_row(group: &PromptFigures) -> Vec<String> {
    vec![
        name(group.name.as_deref(), None, group.groups),
        group.asked.to_string(),
        group.granted.to_string(),
        group.refused.to_string(),
        (group.ambiguous + group.open).to_string(),
        duration(group.seconds_waited),
        group.machines.to_string(),
        group.projects.to_string(),
    ]
}
