//! One subject: its latest prompts, the rules that were offered, and the refusals.

use std::io::{self, Write};

use plantune_query::permissions::although::Reason;
use plantune_query::permissions::prompts::{Prompt, Subject};

use super::document::{Described, Offered};
use super::words::{SHOWN, although_in_words, outcome, reach_in_words};
use super::{Subjects, Terminal, more};
use crate::Format;
use crate::amount::duration;
use crate::inert::one_line;
use crate::table::{Column, lines};
use crate::text::hanging;

/// How many rules and refusals are shown.
const MOST: usize = 10;

impl Format<Subjects<'_>> for Terminal<'_> {
    fn write(&self, shown: &Subjects<'_>, out: &mut dyn Write) -> io::Result<()> {
        for (number, one) in shown.subjects.iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            self.subject(one, out)?;
        }
        Ok(())
    }
}

impl Terminal<'_> {
    fn subject(&self, one: &Described<'_>, out: &mut dyn Write) -> io::Result<()> {
        let named = format!(
            "{} ({})",
            one_line(&one.subject.subject, SHOWN),
            one_line(&one.subject.tool, SHOWN)
        );
        write!(out, "{}", hanging("", "  ", &named, self.width))?;
        for line in [
            format!("It {}.", reach_in_words(one.subject.reach)),
            counts(one.subject),
        ] {
            write!(out, "{}", hanging("  ", "  ", &line, self.width))?;
        }
        writeln!(out)?;
        self.latest(one, out)?;
        offered(&one.offered, self.width, out)?;
        although(one.although, self.width, out)?;
        self.refusals(one.all, out)
    }

    fn latest(&self, one: &Described<'_>, out: &mut dyn Write) -> io::Result<()> {
        let columns = [
            Column::text("when"),
            Column::text("outcome"),
            Column::number("waited").rank(1),
            Column::text("input").least(24),
            Column::text("project").least(10).rank(2),
            Column::text("id").rank(3),
        ];
        let row = |one: &Prompt| {
            vec![
                (self.clock)(one.at),
                outcome(one).to_owned(),
                one.waited_seconds.map_or_else(none, duration),
                one.input
                    .as_deref()
                    .map_or_else(none, |input| one_line(input, SHOWN)),
                one_line(&one.project, SHOWN),
                one_line(&one.id, SHOWN),
            ]
        };
        let rows: Vec<Vec<String>> = one.prompts.iter().map(row).collect();
        for line in lines(&columns, &rows, self.width) {
            writeln!(out, "{line}")?;
        }
        write!(out, "{}", more(one.all.len(), rows.len(), self.width))
    }

    fn refusals(&self, prompts: &[Prompt], out: &mut dyn Write) -> io::Result<()> {
        let refused = || prompts.iter().filter(|one| one.outcome == "refused");
        if refused().next().is_none() {
            return Ok(());
        }
        writeln!(out, "\nRefused")?;
        for one in refused().take(MOST) {
            let said = match (one.reason.as_deref(), one.free_text.as_deref()) {
                (_, Some(words)) => format!("\"{}\"", one_line(words, SHOWN)),
                (Some("nobody"), None) => "nobody was there to ask".to_owned(),
                (_, None) => "without a word".to_owned(),
            };
            let at = format!("  {}  ", (self.clock)(one.at));
            write!(out, "{}", hanging(&at, "    ", &said, self.width))?;
        }
        let more = refused().count().saturating_sub(MOST);
        if more > 0 {
            writeln!(out, "  … and {more} more")?;
        }
        Ok(())
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

fn none() -> String {
    "–".to_owned()
}

fn although(reasons: &[Reason], width: usize, out: &mut dyn Write) -> io::Result<()> {
    if reasons.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nAsked although a rule seems to cover it")?;
    for Reason { although, prompts } in reasons.iter().take(MOST) {
        let line = format!(
            "{prompts} × {} in {}: {}",
            although.rule,
            although.file,
            although_in_words(although)
        );
        write!(
            out,
            "{}",
            hanging("  ", "      ", &one_line(&line, usize::MAX), width)
        )?;
    }
    match reasons.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "  … and {more} more"),
    }
}

fn offered(rules: &[Offered<'_>], width: usize, out: &mut dyn Write) -> io::Result<()> {
    if rules.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nRules that were offered")?;
    for Offered { rule, times } in rules.iter().take(MOST) {
        let line = format!("{times} × {}", one_line(rule, SHOWN));
        write!(out, "{}", hanging("  ", "      ", &line, width))?;
    }
    Ok(())
}
