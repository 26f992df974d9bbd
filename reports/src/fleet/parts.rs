//! The tables of the report and its sentences, the same for the terminal and Markdown.

use super::document::{Alike, Document, Group};
use crate::amount::{counted, duration, percent, share_of};
use crate::report::Section;
use crate::table::{Table, known, number, text};
use crate::text::clean;

/// How much of a keyed hash is shown.
const SHOWN_OF_HASH: usize = 8;

/// The tables, with `top` rows each of questions, askers and what is answered alike. Cells are as they were published.
pub(super) fn parts(document: &Document, top: usize) -> Vec<Section> {
    let all = usize::MAX;
    let mut parts: Vec<Section> = [
        ("Weeks", "week", all),
        ("Questions", "question", top),
        ("Askers", "asker", top),
        ("Session kinds", "session kind", all),
        ("Failures", "error", all),
    ]
    .into_iter()
    .filter(|(_, part, _)| document.part(part).next().is_some())
    .map(|(title, part, most)| table(title, part, document, most))
    .collect();
    parts.extend(alike(&document.answered_alike, top));
    parts.extend(prompts(document));
    parts
}

/// The period, and what was read: `2026-10-05 to 2026-11-22 (UTC), of 12 events that 2 machines pushed …`.
pub(super) fn heading(document: &Document) -> String {
    let (lake, period) = (&document.lake, &document.period);
    format!(
        "{} to {} (UTC), of {} that {} pushed in {} of {}",
        period.start,
        period.end,
        counted(lake.rows, "event", "events"),
        counted(lake.machines, "machine", "machines"),
        counted(lake.files, "file", "files"),
        clean(&lake.address)
    )
}

/// The totals in a sentence, or why there are none.
pub(super) fn totals(document: &Document) -> String {
    let Some(all) = document.part("total").find(|all| all.name.is_some()) else {
        let k = document.k;
        return format!("Fewer than {k} machines had a question in this period: nothing is shown.");
    };
    format!(
        "{}: {} answered by people in {}, {} decided without; {} dismissed, {} failed, {} open; {}, {}, {}",
        counted(all.times, "question", "questions"),
        all.answered,
        duration(all.seconds),
        all.auto_decided,
        all.dismissed,
        all.failed,
        all.open,
        counted(all.machines, "machine", "machines"),
        counted(all.projects, "project", "projects"),
        counted(all.sessions, "session", "sessions"),
    )
}

/// What the rest is, where there is one.
pub(super) fn rest(document: &Document) -> Option<String> {
    let k = document.k;
    document.groups.iter().any(|group| group.name.is_none()).then(|| {
        format!(
            "(rest): groups of fewer than {k} machines, together; where these are fewer than {k}, too, with the \
             smallest other group."
        )
    })
}

/// An answer in clear where that is known, else the beginning of its hash.
pub fn answer_in_short(answer: Option<&str>, hash: &str) -> String {
    match answer {
        Some(answer) => answer.to_owned(),
        None if hash.starts_with('(') => hash.to_owned(),
        None => format!("#{}", hash.chars().take(SHOWN_OF_HASH).collect::<String>()),
    }
}

/// What a group is called.
fn name(group: &Group) -> String {
    match (&group.label, &group.name) {
        (Some(name), _) | (None, Some(name)) => name.clone(),
        (None, None) => format!("(rest: {})", group.groups),
    }
}

fn table(title: &str, part: &'static str, document: &Document, most: usize) -> Section {
    let named = || document.part(part).filter(|group| group.name.is_some());
    let rest = document.part(part).filter(|group| group.name.is_none());
    let mut table = Table::of(named().take(most).chain(rest));
    table.add(text(part).least(16), name);
    table.add(number("asked"), |one| one.times - one.auto_decided);
    table.add(number("answered"), |one| one.answered);
    table.add(number("decided"), |one| one.auto_decided);
    table.add(number("failed").rank(2), |one| one.failed);
    table.add(number("left").rank(2), |one| one.dismissed + one.open);
    table.add(number("median").rank(1), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("agrees").rank(1), |one| {
        let agreement = one.agreement.zip(one.agreement_n);
        known(agreement.map(|(share, n)| share_of(share, n)))
    });
    table.add(text("most often").least(12).rank(3), |one| {
        let shown = one.top_answer.as_ref().map(|top| {
            let answer = answer_in_short(top.answer.as_deref(), &top.hash);
            format!("{} {answer}", percent(top.share))
        });
        known(shown)
    });
    table.add(number("machines"), |one| one.machines);
    table.add(number("projects").rank(2), |one| one.projects);
    Section::new(title, table).with_notes(more(named().count().saturating_sub(most)))
}

fn more(more: usize) -> Vec<String> {
    let note = (more > 0).then(|| format!("and {more} more (--top, --json)"));
    note.into_iter().collect()
}

fn alike(alike: &[Alike], top: usize) -> Option<Section> {
    let mut table = Table::of(alike.iter().take(top));
    table.add(text("answered alike").least(16), |one| {
        one.label.as_deref().unwrap_or(&one.question_key)
    });
    table.add(text("answer").least(12), |one| {
        answer_in_short(one.answer.as_deref(), &one.answer_hash)
    });
    table.add(number("agreement"), |one| {
        share_of(one.times as f64 / one.answers.max(1) as f64, one.answers)
    });
    table.add(number("machines"), |one| one.machines);
    let mut notes = more(alike.len().saturating_sub(top));
    notes.push(
        "Advice to the authors of these questions: nobody answers them differently, so they need not be asked."
            .to_owned(),
    );
    let section = Section::new("What nobody answers differently", table);
    (!alike.is_empty()).then(|| section.with_notes(notes))
}

fn prompts(document: &Document) -> Option<Section> {
    let mut table = Table::of(document.part("prompts").chain(document.part("tool")));
    table.add(text("prompts for permission").least(16), name);
    table.add(number("asked"), |one| one.times);
    table.add(number("granted"), |one| one.granted);
    table.add(number("refused"), |one| one.refused);
    table.add(number("unclear").rank(2), |one| one.ambiguous + one.open);
    table.add(number("waited").rank(1), |one| duration(one.seconds));
    table.add(number("machines"), |one| one.machines);
    table.add(number("projects").rank(2), |one| one.projects);
    (!table.rows.is_empty()).then(|| Section::new("Prompts for permission", table))
}
