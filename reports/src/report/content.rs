//! What the report of a period holds, in its order: the same for the terminal and Markdown.

use plantune_query::report::QuestionCounts;

use super::figures::{FIGURES, Figure, Value};
use super::heading::days;
use super::section::Section;
use super::{Document, Sentence, by, permissions, summary};
use crate::amount::{change, duration, duration_change, percent, share_of};
use crate::standing::{asked_as_new, note, since, state_in_words};
use crate::table::{Table, known, main, number, text};

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
    if let Some(detail) = &document.report.permissions.detail {
        parts.extend(prompts(document, style));
        let tables = permissions::parts(&document.report.permissions, detail, style.top);
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

fn compared(document: &Document) -> Option<Part> {
    if let Some(line) = summary::incomparable(document) {
        return Some(Part::Text(line));
    }
    let (now, before) = (&document.report.totals, &document.report.previous);
    if now.questions == 0 || before.questions == 0 {
        return None;
    }
    let figures = FIGURES.iter();
    let figures = figures.filter(|one| one.value.is_there(now) || one.value.is_there(before));
    let indented = |one: &Figure| format!("{}{}", if one.is_part { "  " } else { "" }, one.label);
    let mut table = Table::of(figures);
    table.add(text("").least(25), indented);
    table.add(number("now"), |one| one.value.in_words(now));
    table.add(number("before").rank(1), |one| one.value.in_words(before));
    table.add(number("change").rank(2), |one| match one.value {
        Value::Count(of) => change(of(now), of(before)),
        Value::Seconds(of) => duration_change(of(now), of(before)),
    });
    let title = format!(
        "Questions, compared with {}",
        days(document.heading.previous)
    );
    Some(Part::Table(Section::new(title, table)))
}

fn questions(document: &Document, style: Style) -> Option<Part> {
    let top = if style.is_brief {
        QUESTIONS_OF_OVERVIEW
    } else {
        style.top
    };
    let listing = summary::listing(document, top);
    if document.report.totals.questions == 0 {
        return None;
    }
    if listing.questions.is_empty() {
        return listing.once.map(Part::Text);
    }
    let is_mixed = listing.questions.iter().any(|one| one.auto_decided > 0);
    let mut table = Table::of(listing.questions.iter().copied());
    table.add(main("question"), |one| &*one.name);
    table.add(number("times"), QuestionCounts::times);
    if is_mixed {
        table.add(number("by you").rank(2), |one| one.answered);
        table.add(number("for you").rank(2), |one| one.auto_decided);
    }
    table.add(text("usual answer").least(12).rank(1), |one| {
        known(one.top_answer.as_deref())
    });
    table.add(number("share").rank(1), |one| {
        known(one.top_answer_share.map(percent))
    });
    table.add(number("median").rank(4), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("as recommended").rank(5), |one| {
        known(one.agreement.map(|share| share_of(share, one.agreement_n)))
    });
    if summary::several_projects(&listing.questions) {
        table.add(text("project").least(12).rank(3), |one| &*one.project);
    }
    let section = Section::new(listing.title, table);
    Some(Part::Table(
        section.with_notes(listing.once.into_iter().collect()),
    ))
}

/// The prompts for permission, and what needs a look. Where they are asked for, sums alone: tables follow.
fn prompts(document: &Document, style: Style) -> Option<Part> {
    let prompts = &document.report.permissions;
    let mut remarks = permissions::remarks(prompts);
    let is_asked_for = prompts.detail.is_some();
    if !document.report.has_permissions {
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

fn session_kinds(document: &Document) -> Option<Part> {
    let kinds = &document.report.session_kinds;
    let mut table = Table::of(kinds);
    table.add(text("session kind").least(12), |one| &*one.session_kind);
    table.add(number("sessions"), |one| one.sessions);
    table.add(number("asked"), |one| one.asked);
    table.add(number("answered").rank(1), |one| one.answered);
    table.add(number("for you").rank(2), |one| one.auto_decided);
    (kinds.len() > 1).then(|| Part::Table(Section::new("Sessions", table)))
}

fn failures(document: &Document) -> Option<Part> {
    let mut table = Table::of(&document.report.errors);
    table.add(text("failure").least(8), |one| &*one.error_kind);
    table.add(number("times"), |one| one.times);
    (!document.report.errors.is_empty()).then(|| Part::Table(Section::new("Failures", table)))
}

fn preferences(document: &Document, style: Style) -> Option<Part> {
    let preferences = &document.standing_preferences;
    let mut table = Table::of(preferences);
    table.add(main("question").least(12), |one| &*one.name);
    table.add(text("answer").least(8).rank(2), |one| {
        one.answer.as_deref().unwrap_or("(recommended)")
    });
    table.add(number("answered"), |one| one.standing.decided);
    table.add(number("checked"), |one| one.standing.spot_checks);
    table.add(number("agreed"), |one| one.standing.agreed);
    table.add(text("state").least(9), |one| {
        state_in_words(one.standing.state)
    });
    table.add(text("since").rank(3), |one| {
        since(&one.standing).unwrap_or_default()
    });
    let notes = preferences.iter().filter_map(note);
    let notes = notes.chain(preferences.iter().filter_map(asked_as_new));
    let notes = notes.map(|note| (style.safe)(&note)).collect();
    let title = "Answered for you, since each preference was set";
    let section = Section::new(title, table).with_notes(notes);
    (!preferences.is_empty()).then_some(Part::Table(section))
}
