//! The tables of the report, the same for the terminal and Markdown, and its sentences, the same for the page.

use super::document::{Advice, Document, Figures, LakeState};
use crate::amount::{counted, duration, percent, share_of};
use crate::report::Section;
use crate::table::{Table, known, number, text};
use crate::text::clean;

/// How much of a keyed hash is shown.
const SHOWN_OF_HASH: usize = 8;

/// The tables, with `top` rows each of questions, askers and advice. Cells are as they were published.
pub(super) fn parts(document: &Document, top: usize) -> Vec<Section> {
    let all = usize::MAX;
    let mut parts: Vec<Section> = [
        ("Weeks", "week", &document.weeks, all),
        ("Questions", "question", &document.questions, top),
        ("Askers", "asker", &document.askers, top),
        (
            "Session kinds",
            "session kind",
            &document.session_kinds,
            all,
        ),
        ("Failures", "error", &document.errors, all),
    ]
    .into_iter()
    .filter(|(_, _, groups, _)| !groups.is_empty())
    .map(|(title, what, groups, most)| table(title, what, groups, most))
    .collect();
    parts.extend(alike(&document.answered_alike, top));
    parts.extend(prompts(document));
    parts
}

/// The period, and what was read: `2026-10-05 to 2026-11-22 (UTC), of 12 events that 2 machines published …`.
pub(super) fn heading(document: &Document) -> String {
    let lake = &document.lake;
    format!(
        "{} to {} (UTC), of {} that {} published in {} of {}",
        document.period.start,
        document.period.end,
        counted(lake.events, "event", "events"),
        counted(lake.publishers, "machine", "machines"),
        counted(lake.files, "file", "files"),
        clean(&lake.address)
    )
}

/// The totals in a sentence, or why there are none.
pub(super) fn totals(document: &Document) -> String {
    let Some(totals) = &document.totals else {
        return nothing(document);
    };
    format!(
        "{}: {} asked, {} answered by people in {}, {} decided without; {} dismissed, {} failed, {} open; \
         {}, {}, {}",
        counted(totals.questions, "question", "questions"),
        totals.asked,
        totals.answered,
        duration(totals.human_seconds),
        totals.auto_decided,
        totals.dismissed,
        totals.failed,
        totals.open,
        counted(totals.machines, "machine", "machines"),
        counted(totals.projects, "project", "projects"),
        counted(totals.sessions, "session", "sessions"),
    )
}

/// Why there are no totals.
fn nothing(document: &Document) -> String {
    let k = document.k;
    format!("Fewer than {k} machines had a question in this period: nothing is shown.")
}

/// What the rest is, where there may be one.
pub(super) fn rest(document: &Document) -> Option<String> {
    let k = document.k;
    (k > 1 && document.totals.is_some()).then(|| {
        format!(
            "(rest): groups of fewer than {k} machines, together; where these are fewer than {k}, too, with the \
             smallest other group."
        )
    })
}

/// What is said of files that should be there and are not.
pub(super) fn missing(document: &Document) -> Option<String> {
    let missing = document.lake.missing_files;
    (missing > 0).then(|| {
        format!(
            "{} that should be there by their numbers are not: a listing that ended early, or files that were removed",
            counted(missing, "file", "files")
        )
    })
}

/// When that was computed which the report rests on, and why it rests on nothing newer; `None` where it rests on the
/// events themselves and nothing is wrong.
pub fn computed(lake: &LakeState) -> Option<String> {
    let computed = lake.computed_at.as_ref().map(|at| {
        let since = lake.files_since.unwrap_or_default();
        let files = counted(lake.files, "file", "files");
        let advice = if since > 0 {
            " (--fresh reads all events)"
        } else {
            ""
        };
        format!(
            "computed {} (UTC) from {files}; {}{advice}",
            moment(at),
            self::since(since)
        )
    });
    let lines = computed.into_iter().chain(lake.not_used.clone());
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| clean(&lines.join("; ")))
}

/// How many files have come since.
pub fn since(files: u64) -> String {
    match files {
        0 => "no file has come since".to_owned(),
        _ => counted(files, "file has come since", "files have come since"),
    }
}

/// A moment in ISO 8601, to the minute, as people write it.
pub fn moment(at: &str) -> String {
    at.chars().take(16).collect::<String>().replace('T', " ")
}

/// What a group is called.
pub(crate) fn group_name(name: Option<&str>, label: Option<&str>, groups: u64) -> String {
    match (name, label) {
        (Some(_), Some(label)) => label.to_owned(),
        (Some(name), None) => name.to_owned(),
        (None, _) => format!("(rest: {groups})"),
    }
}

/// An answer in clear where that is known, else the beginning of its hash.
pub fn answer_in_short(answer: Option<&str>, hash: &str) -> String {
    match answer {
        Some(answer) => answer.to_owned(),
        None if hash.starts_with('(') => hash.to_owned(),
        None => format!("#{}", hash.chars().take(SHOWN_OF_HASH).collect::<String>()),
    }
}

/// The name of a group's most frequent answer.
pub(crate) fn answer_of(group: &Figures) -> Option<String> {
    let top = group.top_answer.as_ref()?;
    Some(answer_in_short(top.answer.as_deref(), &top.hash))
}

/// The name of the answer that everybody gives.
pub(crate) fn answer_name(advice: &Advice) -> String {
    answer_in_short(advice.answer.as_deref(), &advice.answer_hash)
}

fn table(title: &str, what: &'static str, groups: &[Figures], most: usize) -> Section {
    let rest = groups.iter().filter(|group| group.name.is_none());
    let named = || groups.iter().filter(|group| group.name.is_some());
    let more = named().count().saturating_sub(most);
    let agreement = |(share, n)| share_of(share, n);
    let mut table = Table::of(named().take(most).chain(rest));
    table.add(text(what).least(16), |one| {
        group_name(one.name.as_deref(), one.label.as_deref(), one.groups)
    });
    table.add(number("asked"), |one| one.asked);
    table.add(number("answered"), |one| one.answered);
    table.add(number("decided"), |one| one.auto_decided);
    table.add(number("failed").rank(2), |one| one.failed);
    table.add(number("left").rank(2), |one| one.dismissed + one.open);
    table.add(number("median").rank(1), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("agrees").rank(1), |one| {
        known(one.agreement.zip(one.agreement_n).map(agreement))
    });
    table.add(text("most often").least(12).rank(3), |one| {
        let top = one.top_answer.as_ref().zip(answer_of(one));
        known(top.map(|(top, name)| format!("{} {name}", percent(top.share))))
    });
    table.add(number("machines"), |one| one.machines);
    table.add(number("projects").rank(2), |one| one.projects);
    Section::new(title, table).with_notes(notes(more))
}

fn notes(more: usize) -> Vec<String> {
    match more {
        0 => Vec::new(),
        more => vec![format!("and {more} more (--top, --json)")],
    }
}

fn alike(advice: &[Advice], top: usize) -> Option<Section> {
    let mut table = Table::of(advice.iter().take(top));
    table.add(text("asked by").least(8), |one| &*one.asker);
    table.add(text("answered alike").least(16), |one| {
        &**one.label.as_ref().unwrap_or(&one.question_key)
    });
    table.add(text("answer").least(12), answer_name);
    table.add(number("agreement"), |one| {
        share_of(one.agreement, one.answers)
    });
    table.add(number("time").rank(1), |one| duration(one.human_seconds));
    table.add(number("machines"), |one| one.machines);
    let section = Section::new("What nobody answers differently", table);
    let mut notes = notes(advice.len().saturating_sub(top));
    notes.push(
        "Advice to the authors of these askers: nobody answers this differently, so it need not be asked."
            .to_owned(),
    );
    (!advice.is_empty()).then(|| section.with_notes(notes))
}

fn prompts(document: &Document) -> Option<Section> {
    let all = document.permissions.iter();
    let mut table = Table::of(all.chain(&document.permissions_by_tool));
    table.add(text("prompts for permission").least(16), |one| {
        group_name(one.name.as_deref(), None, one.groups)
    });
    table.add(number("asked"), |one| one.asked);
    table.add(number("granted"), |one| one.granted);
    table.add(number("refused"), |one| one.refused);
    table.add(number("unclear").rank(2), |one| one.ambiguous + one.open);
    table.add(number("waited").rank(1), |one| duration(one.seconds_waited));
    table.add(number("machines"), |one| one.machines);
    table.add(number("projects").rank(2), |one| one.projects);
    (!table.rows.is_empty()).then(|| Section::new("Prompts for permission", table))
}
