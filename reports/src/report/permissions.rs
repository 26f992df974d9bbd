//! Prompts for permission in detail: by subject, refused, asked again, and unattended.

use plantune_query::permissions::prompts::{
    Denied, Detail, Mode, Permissions, Prompt, Repeated, Subject,
};

use super::section::Section;
use crate::amount::duration;
use crate::prompts::{outcome, reach_in_short};
use crate::table::Column;

/// The tables that have rows, each with `top` of them at most.
pub(super) fn parts(prompts: &Permissions, detail: &Detail, top: usize) -> Vec<Section> {
    let parts = [
        by_subject(&prompts.by_subject, top),
        refusals(&detail.refusals, top),
        repeated(&detail.repeated, top),
        blocked(&detail.blocked, top),
        modes(&detail.modes, top),
        denied(&detail.denied_in_auto_mode, top),
    ];
    let has_rows = |part: &Section| !part.rows.is_empty();
    parts.into_iter().filter(has_rows).collect()
}

/// A heading that says how many of all rows there are, where some are left out.
fn title(what: &str, all: usize, top: usize) -> String {
    if all > top {
        format!("{what} ({top} of {all})")
    } else {
        what.to_owned()
    }
}

fn rows<T>(all: &[T], top: usize, row: impl Fn(&T) -> Vec<String>) -> Vec<Vec<String>> {
    all.iter().take(top).map(row).collect()
}

fn by_subject(subjects: &[Subject], top: usize) -> Section {
    let row = |one: &Subject| {
        vec![
            one.subject.clone(),
            one.asked.to_string(),
            one.granted.to_string(),
            one.refused.to_string(),
            one.median_seconds.map_or_else(none, duration),
            reach_in_short(one.reach).to_owned(),
            one.tool.clone(),
        ]
    };
    Section {
        title: title("Prompts for permission by subject", subjects.len(), top),
        columns: vec![
            Column::main("subject"),
            Column::number("times"),
            Column::number("allowed"),
            Column::number("refused"),
            Column::number("median wait").rank(1),
            Column::text("reach").rank(2),
            Column::text("tool").least(6).rank(3),
        ],
        rows: rows(subjects, top, row),
        notes: Vec::new(),
    }
}

fn refusals(refused: &[Prompt], top: usize) -> Section {
    let row = |one: &Prompt| {
        let why = match (one.reason.as_deref(), &one.free_text) {
            (_, Some(words)) => words.clone(),
            (Some("nobody"), None) => "(nobody there)".to_owned(),
            _ => none(),
        };
        vec![
            one.day.to_string(),
            one.subject.clone(),
            why,
            one.project.clone(),
        ]
    };
    Section {
        title: title("Refused", refused.len(), top),
        columns: vec![
            Column::text("day"),
            Column::text("subject").least(28),
            Column::text("your words").least(20),
            Column::text("project").least(10).rank(1),
        ],
        rows: rows(refused, top, row),
        notes: Vec::new(),
    }
}

fn repeated(repeated: &[Repeated], top: usize) -> Section {
    let row = |one: &Repeated| {
        let chosen = match one.chosen.as_str() {
            "session" => "for the session",
            _ => "for good",
        };
        vec![
            one.subject.clone(),
            one.prompts.to_string(),
            chosen.to_owned(),
            one.project.clone(),
        ]
    };
    Section {
        title: title(
            "Asked again although \"don't ask again\" had been chosen",
            repeated.len(),
            top,
        ),
        columns: vec![
            Column::main("subject"),
            Column::number("times"),
            Column::text("chosen"),
            Column::text("project").least(10).rank(1),
        ],
        rows: rows(repeated, top, row),
        notes: Vec::new(),
    }
}

fn blocked(blocked: &[Prompt], top: usize) -> Section {
    let row = |one: &Prompt| {
        vec![
            one.day.to_string(),
            one.session_kind.clone(),
            outcome(one).to_owned(),
            one.subject.clone(),
            one.project.clone(),
        ]
    };
    Section {
        title: title("Stopped an agent that nobody attended", blocked.len(), top),
        columns: vec![
            Column::text("day"),
            Column::text("session").least(8),
            Column::text("outcome"),
            Column::text("subject").least(28),
            Column::text("project").least(10).rank(1),
        ],
        rows: rows(blocked, top, row),
        notes: Vec::new(),
    }
}

fn modes(modes: &[Mode], top: usize) -> Section {
    let row = |one: &Mode| {
        vec![
            one.mode.clone().unwrap_or_else(none),
            one.asked.to_string(),
            one.ran.to_string(),
            one.denied.to_string(),
        ]
    };
    Section {
        title: title("Permission modes that calls ran under", modes.len(), top),
        columns: vec![
            Column::main("mode"),
            Column::number("prompts"),
            Column::number("ran unasked"),
            Column::number("denied"),
        ],
        rows: rows(modes, top, row),
        notes: Vec::new(),
    }
}

fn denied(denied: &[Denied], top: usize) -> Section {
    let row = |one: &Denied| {
        vec![
            one.subject.clone(),
            one.denied.to_string(),
            one.allowed.to_string(),
            one.refused.to_string(),
            one.not_asked.to_string(),
            one.project.clone(),
        ]
    };
    Section {
        title: title(
            "Denied by the classifier of auto mode, and what became of it",
            denied.len(),
            top,
        ),
        columns: vec![
            Column::main("subject"),
            Column::number("denied"),
            Column::number("then allowed"),
            Column::number("then refused"),
            Column::number("not asked again"),
            Column::text("project").least(10).rank(1),
        ],
        rows: rows(denied, top, row),
        notes: Vec::new(),
    }
}

/// What stands where something is not known.
fn none() -> String {
    "–".to_owned()
}
