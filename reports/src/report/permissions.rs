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

/// The table of `subjects`, `top` rows of it at most.
pub(super) fn by_subject(subjects: &[Subject], top: usize) -> Section {
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

/// What is said where prompts are asked for and none was ever logged; `code` writes a command.
pub(super) fn nothing(code: fn(&str) -> String) -> String {
    format!(
        "No prompt for permission was logged yet. {} logs them from now on; {} reads those in the transcripts that \
         are there already.",
        code("plantune install"),
        code("plantune import claude-code")
    )
}

/// How the prompts ended: `98 were allowed, 6 refused.`
pub(super) fn sums(prompts: &Permissions) -> String {
    let parts = [
        (prompts.granted, "allowed"),
        (prompts.refused, "refused"),
        (prompts.open, "without a decision that is known"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, how)| format!("{count} {how}")).collect();
    let prompts = match prompts.asked {
        1 => "1 prompt".to_owned(),
        many => format!("{many} prompts"),
    };
    match parts.is_empty() {
        true => format!("{prompts}."),
        false => format!("{prompts}: {}.", parts.join(", ")),
    }
}

/// What needs a look, a sentence each.
pub(super) fn remarks(prompts: &Permissions) -> Vec<String> {
    let mut remarks = Vec::new();
    if prompts.asked_again > 0 {
        remarks.push(format!(
            "{} came although \"don't ask again\" had been chosen.",
            prompts.asked_again
        ));
    }
    if prompts.unattended > 0 {
        remarks.push(format!(
            "{} stopped an agent that nobody attended.",
            prompts.unattended
        ));
    }
    if prompts.lacks_approvals() {
        remarks.push(match prompts.approvals_known_since {
            None => "Approvals are not known: these transcripts tell refusals alone.".to_owned(),
            Some(since) => format!(
                "Approvals are not known before {}: earlier transcripts tell refusals alone.",
                since.format("%Y-%m-%d")
            ),
        });
    }
    // What follows explains the numbers, and is left to the detail.
    if prompts.detail.is_none() {
        return remarks;
    }
    if prompts.auto_calls + prompts.denied > 0 {
        remarks.push(format!(
            "Calls without a prompt: {} ran, {} denied.",
            prompts.auto_calls, prompts.denied
        ));
    }
    if prompts.ambiguous > 0 {
        remarks.push(format!(
            "{} cannot be told apart (identical calls at once).",
            prompts.ambiguous
        ));
    }
    if prompts.waits_away > 0 {
        remarks.push(format!(
            "{} waited while you were away: {}.",
            prompts.waits_away,
            duration(prompts.seconds_away)
        ));
    }
    let known = prompts.waits_known + prompts.waits_away;
    let unknown = prompts.asked.saturating_sub(known);
    if unknown > 0 && known > 0 {
        remarks.push(format!("How long {unknown} waited is not known."));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use plantune_query::permissions::prompts::Detail;

    use super::*;

    #[test]
    fn remarks_are_made_where_they_say_something() {
        assert_eq!(remarks(&Permissions::default()), Vec::<String>::new());
        let mut prompts = Permissions {
            asked: 9,
            refused: 1,
            ambiguous: 2,
            waits_known: 3,
            waits_away: 1,
            seconds_away: 3600.0,
            asked_again: 3,
            unattended: 1,
            ..Permissions::default()
        };
        let plain = "3 came although \"don't ask again\" had been chosen.\n\
             1 stopped an agent that nobody attended.\n\
             Approvals are not known: these transcripts tell refusals alone.";
        assert_eq!(remarks(&prompts).join("\n"), plain);
        prompts.detail = Some(Detail::default());
        let whole = format!(
            "{plain}\n2 cannot be told apart (identical calls at once).\n\
             1 waited while you were away: 1 h 00 min.\n\
             How long 5 waited is not known."
        );
        assert_eq!(remarks(&prompts).join("\n"), whole);
    }
}
