//! What the report of a period holds, in its order: the same for the terminal and Markdown.

use plantune_query::report::{ErrorKind, QuestionCounts, SessionKindCounts};

use super::figures::{FIGURES, Figure, Value};
use super::heading::days;
use super::section::Section;
use super::{Document, Sentence, by, permissions, summary};
use crate::amount::{change, duration, duration_change, percent, share_of};
use crate::standing::{StandingPreference, note, state_in_words};
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

fn compared(document: &Document) -> Option<Part> {
    if let Some(line) = summary::incomparable(document) {
        return Some(Part::Text(line));
    }
    let (now, before) = (&document.totals, &document.previous);
    if now.questions == 0 || before.questions == 0 {
        return None;
    }
    let figures = FIGURES.iter();
    let figures = figures.filter(|one| one.value.is_there(now) || one.value.is_there(before));
    let indented = |one: &Figure| format!("{}{}", if one.is_part { "  " } else { "" }, one.label);
    Some(Part::Table(Section::new(
        format!(
            "Questions, compared with {}",
            days(document.heading.previous)
        ),
        figures,
        &[
            (Column::text("").least(25), &indented),
            (Column::number("now"), &|one| one.value.in_words(now)),
            (Column::number("before").rank(1), &|one| {
                one.value.in_words(before)
            }),
            (Column::number("change").rank(2), &|one| match one.value {
                Value::Count(of) => change(of(now), of(before)),
                Value::Seconds(of) => duration_change(of(now), of(before)),
            }),
        ],
    )))
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
    let none = || UNKNOWN.to_owned();
    let is_mixed = listing.questions.iter().any(|one| one.auto_decided > 0);
    let if_mixed = |count: u64| if is_mixed { count.to_string() } else { none() };
    let mut section = Section::new(
        listing.title,
        listing.questions.iter().copied(),
        &[
            (Column::main("question"), &|one: &QuestionCounts| {
                one.text().to_owned()
            }),
            (Column::number("times"), &|one| one.times().to_string()),
            (Column::number("by you").rank(2), &|one| {
                if_mixed(one.answered)
            }),
            (Column::number("for you").rank(2), &|one| {
                if_mixed(one.auto_decided)
            }),
            (Column::text("usual answer").least(12).rank(1), &|one| {
                one.top_answer.clone().unwrap_or_else(none)
            }),
            (Column::number("share").rank(1), &|one| {
                one.top_answer_share.map_or_else(none, percent)
            }),
            (Column::number("median").rank(4), &|one| {
                one.median_seconds.map_or_else(none, duration)
            }),
            (Column::number("as recommended").rank(5), &|one| {
                let n = one.agreement_n;
                one.agreement.map_or_else(none, |share| share_of(share, n))
            }),
            (Column::text("project").least(12).rank(3), &|one| {
                one.project.clone()
            }),
        ],
    );
    if !summary::several_projects(&listing.questions) {
        section.columns.pop();
    }
    Some(Part::Table(
        section.with_notes(listing.once.into_iter().collect()),
    ))
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

fn session_kinds(document: &Document) -> Option<Part> {
    let kinds = &document.session_kinds;
    let section = Section::new(
        "Sessions",
        kinds,
        &[
            (
                Column::text("session kind").least(12),
                &|one: &SessionKindCounts| one.session_kind.clone(),
            ),
            (Column::number("sessions"), &|one| one.sessions.to_string()),
            (Column::number("asked"), &|one| one.asked.to_string()),
            (Column::number("answered").rank(1), &|one| {
                one.answered.to_string()
            }),
            (Column::number("for you").rank(2), &|one| {
                one.auto_decided.to_string()
            }),
        ],
    );
    (kinds.len() > 1).then_some(Part::Table(section))
}

fn failures(document: &Document) -> Option<Part> {
    let section = Section::new(
        "Failures",
        &document.errors,
        &[
            (Column::text("failure").least(8), &|one: &ErrorKind| {
                one.error_kind.clone()
            }),
            (Column::number("times"), &|one| one.times.to_string()),
        ],
    );
    (!document.errors.is_empty()).then_some(Part::Table(section))
}

fn preferences(document: &Document, style: Style) -> Option<Part> {
    let preferences = &document.standing_preferences;
    let section = Section::new(
        "Answered for you, since each preference was set",
        preferences,
        &[
            (
                Column::text("question key").least(12),
                &|one: &StandingPreference| one.question_key.clone(),
            ),
            (Column::text("answer").least(8).rank(2), &|one| {
                one.answer
                    .clone()
                    .unwrap_or_else(|| "(recommended)".to_owned())
            }),
            (Column::number("answered"), &|one| {
                one.standing.decided.to_string()
            }),
            (Column::number("checked"), &|one| {
                one.standing.spot_checks.to_string()
            }),
            (Column::number("agreed"), &|one| {
                one.standing.agreed.to_string()
            }),
            (Column::text("state").least(8), &|one| {
                state_in_words(one.standing.state).to_owned()
            }),
        ],
    );
    let notes = preferences.iter().filter_map(note);
    let section = section.with_notes(notes.map(|note| (style.safe)(&note)).collect());
    (!preferences.is_empty()).then_some(Part::Table(section))
}
