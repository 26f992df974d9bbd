//! What the report of a period holds, in its order: the same for the terminal and Markdown.

use plantune_query::report::{QuestionCounts, Totals};

use super::heading::days;
use super::section::Section;
use super::{Document, Sentence, by, permissions, summary};
use crate::amount::{change, duration, duration_change, percent, share_of};
use crate::standing::{cells, note};
use crate::table::{Column, UNKNOWN};

/// How the parts of a report are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Makes a text from outside harmless.
    pub(super) safe: fn(&str) -> String,
    /// Writes a command.
    pub(super) code: fn(&str) -> String,
    /// How many questions to list.
    pub(super) top: usize,
    /// True for an overview: nothing is compared, and less is listed.
    pub(super) is_brief: bool,
}

/// A part of a report.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Sentences, plain.
    Text(String),
    /// What needs attention.
    Warning(String),
    /// Lines that belong together.
    List(Vec<String>),
    /// A table. Cells are as they were logged.
    Table(Section),
}

/// How many subjects of prompts are listed, and how many questions in an overview.
const SUBJECTS: usize = 5;
const QUESTIONS_OF_OVERVIEW: usize = 5;
const SUBJECTS_OF_OVERVIEW: usize = 3;

/// The parts of `document`, nothing that is empty among them.
pub(super) fn parts(document: &Document, style: Style) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(detail) = &document.permissions.detail {
        parts.extend(prompts(document, style));
        let tables = permissions::parts(&document.permissions, detail, style.top);
        parts.extend(tables.into_iter().map(Part::Table));
    } else {
        let nothing = summary::nothing(document, style.code);
        parts.extend(nothing.into_iter().flatten().map(Part::Text));
        parts.extend(lead(&document.summary, style));
        parts.extend(stands_out(document, style));
        if !style.is_brief {
            parts.extend(compared(document));
        }
        parts.extend(summary::over_time(document).map(Part::Text));
        match &document.groups {
            Some(groups) => parts.push(Part::Table(by::part(groups, style.top))),
            None => parts.extend(questions(document, style)),
        }
        parts.extend(prompts(document, style));
        if !style.is_brief {
            parts.extend(session_kinds(document));
            parts.extend(failures(document));
        }
        parts.extend(preferences(document, style));
        parts.extend(summary::away(document).map(Part::Warning));
    }
    parts.extend(summary::quarantined(document).map(Part::Warning));
    parts
}

fn lead(sentences: &[Sentence], style: Style) -> Option<Part> {
    let words = sentences.iter().map(|one| one.words(style.safe));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| Part::Text(words.join(" ")))
}

fn stands_out(document: &Document, style: Style) -> Option<Part> {
    let lines = document.stands_out.iter().map(|one| {
        let show = one.show.as_deref().map(style.code);
        format!("{} {}", one.words(style.safe), show.unwrap_or_default())
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then_some(Part::List(lines))
}

/// The period beside the one before, where the two can be compared; what neither has is left out.
fn compared(document: &Document) -> Option<Part> {
    if let Some(line) = summary::incomparable(document) {
        return Some(Part::Text(line));
    }
    let (now, before) = (&document.totals, &document.previous);
    if now.questions == 0 || before.questions == 0 {
        return None;
    }
    let count = |label: &str, of: fn(&Totals) -> u64| {
        let (now, before) = (of(now), of(before));
        let cells = [
            label.to_owned(),
            now.to_string(),
            before.to_string(),
            change(now, before),
        ];
        (now + before > 0).then(|| Vec::from(cells))
    };
    let time = |label: &str, of: fn(&Totals) -> f64| {
        let (now, before) = (of(now), of(before));
        let cells = [
            label.to_owned(),
            duration(now),
            duration(before),
            duration_change(now, before),
        ];
        (now + before >= 0.5).then(|| Vec::from(cells))
    };
    let rows = [
        count("Asked", |totals| totals.asked),
        count("  answered", |totals| totals.answered),
        count("  left without an answer", |totals| totals.dismissed),
        count("  could not be asked", |totals| totals.failed),
        count("  still open", |totals| totals.open),
        count("Answered by preferences", |totals| {
            totals.auto_decided_by.preferences
        }),
        count("Answered as before in the session", |totals| {
            totals.auto_decided_by.session
        }),
        count("Answered by your reviewer", |totals| {
            totals.auto_decided_by.reviewer
        }),
        count("Turned down by your reviewer", |totals| {
            totals.auto_decided_by.turned_down
        }),
        count("Answered while you were away", |totals| {
            totals.auto_decided_by.away
        }),
        count("Sessions", |totals| totals.sessions),
        time("Answering took", |totals| totals.human_seconds),
        time("Agents waited", |totals| totals.waiting_seconds),
        time("  while nobody was there", |totals| {
            totals.waiting_away_seconds
        }),
        time("Time saved", |totals| totals.seconds_saved),
    ];
    let before = days(document.heading.previous);
    Some(Part::Table(Section {
        title: format!("Questions, compared with {before}"),
        columns: vec![
            Column::text("").least(25),
            Column::number("now"),
            Column::number("before").rank(1),
            Column::number("change").rank(2),
        ],
        rows: rows.into_iter().flatten().collect(),
        notes: Vec::new(),
    }))
}

fn questions(document: &Document, style: Style) -> Option<Part> {
    let top = if style.is_brief {
        QUESTIONS_OF_OVERVIEW
    } else {
        style.top
    };
    let listing = summary::listing(document, top);
    if document.totals.questions == 0 {
        return None;
    }
    if listing.questions.is_empty() {
        return listing.once.map(Part::Text);
    }
    // What is left out first has the highest rank; --json and --csv have all of it.
    let mut columns = vec![
        Column::main("question"),
        Column::number("times"),
        Column::number("by you").rank(2),
        Column::number("for you").rank(2),
        Column::text("usual answer").least(12).rank(1),
        Column::number("share").rank(1),
        Column::number("median").rank(4),
        Column::number("as recommended").rank(5),
    ];
    if summary::several_projects(&listing.questions) {
        columns.push(Column::text("project").least(12).rank(3));
    }
    // All answered by them: the same numbers need not stand twice.
    let is_mixed = listing.questions.iter().any(|one| one.auto_decided > 0);
    let row = |question: &&QuestionCounts| question_row(question, is_mixed, columns.len());
    Some(Part::Table(Section {
        title: listing.title,
        rows: listing.questions.iter().map(row).collect(),
        notes: listing.once.into_iter().collect(),
        columns,
    }))
}

fn question_row(question: &QuestionCounts, is_mixed: bool, columns: usize) -> Vec<String> {
    let none = || UNKNOWN.to_owned();
    let if_mixed = |count: u64| if is_mixed { count.to_string() } else { none() };
    let mut row = vec![
        question.text().to_owned(),
        question.times().to_string(),
        if_mixed(question.answered),
        if_mixed(question.auto_decided),
        question.top_answer.clone().unwrap_or_else(none),
        question.top_answer_share.map_or_else(none, percent),
        question.median_seconds.map_or_else(none, duration),
        question
            .agreement
            .map_or_else(none, |share| share_of(share, question.agreement_n)),
        question.project.clone(),
    ];
    row.truncate(columns);
    row
}

/// The prompts for permission, and what needs a look. Where they are asked for, sums alone: tables follow.
fn prompts(document: &Document, style: Style) -> Option<Part> {
    let prompts = &document.permissions;
    let mut remarks = permissions::remarks(prompts);
    let is_asked_for = prompts.detail.is_some();
    if !document.has_permissions {
        return is_asked_for.then(|| Part::Text(permissions::nothing(style.code)));
    }
    if prompts.asked == 0 && !is_asked_for {
        return None;
    }
    let sums = permissions::sums(prompts);
    if is_asked_for {
        remarks.insert(0, sums);
        return Some(Part::Text(remarks.join(" ")));
    }
    remarks.push(format!(
        "{} shows them.",
        (style.code)("plantune report --prompts")
    ));
    let top = if style.is_brief {
        SUBJECTS_OF_OVERVIEW
    } else {
        SUBJECTS
    };
    let mut section = permissions::by_subject(&prompts.by_subject, top.min(style.top));
    section.notes = vec![format!("{sums} {}", remarks.join(" "))];
    Some(Part::Table(section))
}

/// Sessions by kind, where there are several.
fn session_kinds(document: &Document) -> Option<Part> {
    let kinds = &document.session_kinds;
    let row = |kind: &plantune_query::report::SessionKindCounts| {
        let counts = [kind.sessions, kind.asked, kind.answered, kind.auto_decided];
        let counts = counts.iter().map(ToString::to_string);
        std::iter::once(kind.session_kind.clone())
            .chain(counts)
            .collect()
    };
    (kinds.len() > 1).then(|| {
        Part::Table(Section {
            title: "Sessions".to_owned(),
            columns: vec![
                Column::text("session kind").least(12),
                Column::number("sessions"),
                Column::number("asked"),
                Column::number("answered").rank(1),
                Column::number("for you").rank(2),
            ],
            rows: kinds.iter().map(row).collect(),
            notes: Vec::new(),
        })
    })
}

fn failures(document: &Document) -> Option<Part> {
    let rows = document.errors.iter();
    let rows = rows.map(|error| vec![error.error_kind.clone(), error.times.to_string()]);
    (!document.errors.is_empty()).then(|| {
        Part::Table(Section {
            title: "Failures".to_owned(),
            columns: vec![Column::text("failure").least(8), Column::number("times")],
            rows: rows.collect(),
            notes: Vec::new(),
        })
    })
}

fn preferences(document: &Document, style: Style) -> Option<Part> {
    let preferences = &document.standing_preferences;
    let notes = preferences.iter().filter_map(note);
    (!preferences.is_empty()).then(|| {
        Part::Table(Section {
            title: "Answered for you, since each preference was set".to_owned(),
            columns: vec![
                Column::text("question key").least(12),
                Column::text("answer").least(8).rank(2),
                Column::number("answered"),
                Column::number("checked"),
                Column::number("agreed"),
                Column::text("state").least(8),
            ],
            rows: preferences.iter().map(|one| cells(one).into()).collect(),
            notes: notes.map(|note| (style.safe)(&note)).collect(),
        })
    })
}
