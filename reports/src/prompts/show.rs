//! One subject: its latest prompts, the rules that were offered, and the refusals.

use plantune_query::permissions::near_miss::Reason;
use plantune_query::permissions::prompts::{Prompt, Subject};

use super::Subjects;
use super::document::{Described, Offered};
use super::words::{SHOWN, although_in_words, outcome, reach_in_words};
use crate::amount::duration;
use crate::inert::one_line;
use crate::table::{Table, known, number, text};
use crate::terminal::{Show, Terminal};

/// How many rules and refusals are shown.
const MOST: usize = 10;

impl Show for Subjects<'_> {
    fn show(&self, out: &mut Terminal) {
        for (number, one) in self.subjects.iter().enumerate() {
            if number > 0 {
                out.line("");
            }
            subject(one, out);
        }
    }
}

fn subject(one: &Described<'_>, out: &mut Terminal) {
    let Subject { subject, tool, .. } = one.subject;
    let named = format!("{} ({})", one_line(subject, SHOWN), one_line(tool, SHOWN));
    out.hanging("", "  ", named);
    let reach = format!("It {}.", reach_in_words(one.subject.reach));
    out.hanging("  ", "  ", reach);
    out.hanging("  ", "  ", counts(one.subject));
    out.line("");
    latest(one, out);
    let offered = one.offered.iter();
    let offered = offered.map(|Offered { rule, times }| format!("{times} × {rule}"));
    list("Rules that were offered", &offered.collect::<Vec<_>>(), out);
    let reasons = one.although.iter().map(|Reason { although, prompts }| {
        let why = although_in_words(although);
        format!("{prompts} × {} in {}: {why}", although.rule, although.file)
    });
    let title = "Asked although a rule seems to cover it";
    list(title, &reasons.collect::<Vec<_>>(), out);
    refusals(one.all, out);
}

fn latest(one: &Described<'_>, out: &mut Terminal) {
    let moments: Vec<(String, &Prompt)> = one
        .prompts
        .iter()
        .map(|one| (out.moment(one.at), one))
        .collect();
    let mut table = Table::of(&moments);
    table.add(text("when"), |(at, _)| &**at);
    table.add(text("outcome"), |(_, one)| outcome(one));
    table.add(number("waited").rank(1), |(_, one)| {
        known(one.waited_seconds.map(duration))
    });
    table.add(text("input").least(24), |(_, one)| {
        let input = one.input.as_deref();
        known(input.map(|input| one_line(input, SHOWN)))
    });
    table.add(text("project").least(10).rank(2), |(_, one)| {
        one_line(&one.project, SHOWN)
    });
    table.add(text("id").rank(3), |(_, one)| one_line(&one.id, SHOWN));
    out.table(&table);
    out.more(one.all.len(), moments.len());
}

fn refusals(prompts: &[Prompt], out: &mut Terminal) {
    let refused = prompts.iter().filter(|one| one.outcome == "refused");
    let refused = refused.map(|one| {
        let said = match (one.reason.as_deref(), one.free_text.as_deref()) {
            (_, Some(words)) => format!("\"{}\"", one_line(words, SHOWN)),
            (Some("nobody"), None) => "nobody was there to ask".to_owned(),
            (_, None) => "without a word".to_owned(),
        };
        format!("{}: {said}", out.moment(one.at))
    });
    list("Refused", &refused.collect::<Vec<_>>(), out);
}

/// The first of `lines` below a title, if there are any.
fn list(title: &str, lines: &[String], out: &mut Terminal) {
    if lines.is_empty() {
        return;
    }
    out.line(format!("\n{title}"));
    for line in lines.iter().take(MOST) {
        out.hanging("  ", "      ", one_line(line, usize::MAX));
    }
    if let more @ 1.. = lines.len().saturating_sub(MOST) {
        out.line(format!("  … and {more} more"));
    }
}

/// How often it was asked and what became of that, in a sentence.
fn counts(subject: &Subject) -> String {
    let times = match subject.asked {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    let mut parts = vec![
        format!("{} allowed", subject.granted),
        format!("{} refused", subject.refused),
    ];
    let others = [
        (subject.ambiguous, "unclear (identical calls at once)"),
        (subject.open, "without a known decision"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    parts.extend(others.map(|(count, what)| format!("{count} {what}")));
    let mut text = format!("Asked {times}: {}.", parts.join(", "));
    if let Some(median) = subject.median_seconds {
        text += &format!(
            " Waited {} in all, {} in the median",
            duration(subject.seconds_waited),
            duration(median)
        );
        text += &match subject.waits_known + subject.waits_away == subject.asked {
            true => ".".to_owned(),
            false => format!(" (known of {}).", subject.waits_known),
        };
    }
    if subject.waits_away > 0 {
        text += &format!(
            " {} waited while you were away: {}.",
            subject.waits_away,
            duration(subject.seconds_away)
        );
    }
    if subject.asked_again > 0 {
        text += &format!(
            " {} came although \"don't ask again\" had been chosen.",
            subject.asked_again
        );
    }
    text
}
