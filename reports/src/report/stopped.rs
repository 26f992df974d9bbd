//! What stopped the person: questions and prompts for permission in one picture, the same for the terminal
//! and Markdown.

use plantune_query::permissions::prompts::{Permissions, Subject};

use super::section::Section;
use super::{Document, permissions};
use crate::amount::duration;
use crate::table::Column;
use crate::text::cut;

/// How many subjects the picture names.
const NAMED: usize = 3;

/// How much of a subject it shows, in columns.
const SHOWN: usize = 20;

/// The picture, and below it `top` rows each of what is known in detail, where that was asked for. Nothing
/// when no prompt was ever logged. Cells are as they were logged; in notes `safe` has made texts from outside
/// harmless.
pub(super) fn parts(document: &Document, top: usize, safe: fn(&str) -> String) -> Vec<Section> {
    if !document.has_permissions {
        return Vec::new();
    }
    let mut parts = vec![picture(document, safe)];
    if let Some(detail) = &document.permissions.detail {
        parts.extend(permissions::parts(&document.permissions, detail, top));
    }
    parts
}

/// What is said where prompts are asked for and none was ever logged.
pub(super) fn nothing(document: &Document) -> Option<&'static str> {
    let wanted = document.permissions.detail.is_some();
    (wanted && !document.has_permissions).then_some(
        "No prompt for permission was logged yet. `plantune install` logs them from now on; \
         `plantune import claude-code` reads the transcripts that are there already.",
    )
}

fn picture(document: &Document, safe: fn(&str) -> String) -> Section {
    let (questions, prompts) = (&document.totals, &document.permissions);
    let waited = match prompts.waits_known {
        0 if prompts.asked > 0 => "–".to_owned(),
        _ => duration(prompts.seconds_waited),
    };
    let row = |label: &str, waited: String, counts: [u64; 4]| {
        let [times, yes, no, open] = counts.map(|count| count.to_string());
        vec![label.to_owned(), times, waited, yes, no, open]
    };
    let of_questions = [
        questions.asked,
        questions.answered,
        questions.dismissed,
        questions.open,
    ];
    let of_prompts = [
        prompts.asked,
        prompts.granted,
        prompts.refused,
        prompts.open,
    ];
    Section {
        title: "What stopped you".to_owned(),
        columns: vec![
            Column::text("").least(9),
            Column::number("times"),
            Column::number("waited"),
            Column::number("answered/allowed"),
            Column::number("left/refused"),
            Column::number("open").rank(1),
        ],
        rows: vec![
            row("Questions", duration(questions.human_seconds), of_questions),
            row("Permissions", waited, of_prompts),
        ],
        notes: notes(prompts, safe),
    }
}

fn notes(prompts: &Permissions, safe: fn(&str) -> String) -> Vec<String> {
    let mut notes = Vec::new();
    if prompts.detail.is_none() {
        notes.extend(most(&prompts.by_subject, safe));
    } else if prompts.auto_calls + prompts.denied > 0 {
        notes.push(format!(
            "Calls without a prompt: {} ran, {} denied.",
            prompts.auto_calls, prompts.denied
        ));
    }
    let mut remarks = remarks(prompts);
    if prompts.detail.is_none() && prompts.asked > 0 {
        remarks.push("`plantune report --prompts` shows them.".to_owned());
    }
    if !remarks.is_empty() {
        notes.push(remarks.join(" "));
    }
    notes
}

/// The most frequent subjects: `Most: npm test 12, git push 5 (2 refused).`
fn most(subjects: &[Subject], safe: fn(&str) -> String) -> Option<String> {
    let named = subjects.iter().take(NAMED).map(|one| {
        let refused = match one.refused {
            0 => String::new(),
            refused => format!(" ({refused} refused)"),
        };
        format!("{} {}{refused}", safe(&cut(&one.subject, SHOWN)), one.asked)
    });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("Most: {}.", named.join(", ")))
}

/// What needs a look, a sentence each.
fn remarks(prompts: &Permissions) -> Vec<String> {
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
