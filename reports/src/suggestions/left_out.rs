//! What is not proposed, and what is said beside the proposals.

use std::io::{self, Write};

use plantune_query::permissions::propose::Left;
use plantune_query::permissions::tighten::Tighten;
use plantune_query::suggest::{Reason, Rejected, Suggestions};

use super::Found;
use super::entry::{Entry, title};
use super::terminal::{SHOWN, Terminal};
use crate::inert::one_line;
use crate::style::{BOLD, DIM, YELLOW};
use crate::table::Column;

/// How many of what is not proposed are shown.
const MOST_REJECTED: usize = 12;

/// How many notes are shown.
const MOST_NOTES: usize = 3;

/// How many rules that could be narrower are shown.
const MOST_WIDE: usize = 12;

impl Terminal<'_> {
    /// That nothing is proposed: what recurs, and why it stays so.
    pub(super) fn nothing(
        &self,
        found: &Found<'_>,
        hints: &[(usize, Entry<'_>)],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let install = "`plantune install` logs them from now on, and `plantune import` reads the transcripts \
                       that are there already.";
        let Some(questions) = found.questions else {
            let has_left = found.rules.left != Left::default();
            return match has_left {
                true => self.paragraph("No permission rule to propose.", BOLD, out),
                false => self.paragraph(
                    &format!("No permission rule to propose: no prompt for permission was decided yet. {install}"),
                    anstyle::Style::new(),
                    out,
                ),
            };
        };
        if questions.rejected.is_empty() && hints.is_empty() {
            let text = format!(
                "Nothing to propose: you have not answered any question three times yet. {install}"
            );
            return self.paragraph(&text, anstyle::Style::new(), out);
        }
        let decided = questions
            .rejected
            .iter()
            .filter(|one| is_decided(one))
            .count();
        let decided = match decided {
            0 => String::new(),
            1 => " 1 question is decided already.".to_owned(),
            many => format!(" {many} questions are decided already."),
        };
        let head = format!("Nothing can be answered for you yet.{decided}");
        self.paragraph(&head, BOLD, out)?;
        self.rejected(
            found.questions,
            hints,
            "What you are asked again and again, and why it stays so:",
            out,
        )
    }

    /// What recurs and is not proposed, and what is no more than a hint, with the reason, a line each.
    pub(super) fn rejected(
        &self,
        found: Option<&Suggestions>,
        hints: &[(usize, Entry<'_>)],
        head: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let of_hints = hints.iter().filter_map(|(_, one)| match one {
            Entry::Question(one) => Some((
                title(&one.asked),
                one.lacks.as_ref().map_or_else(
                    || "a hint is all it is good for".to_owned(),
                    ToString::to_string,
                ),
            )),
            Entry::Asker(_) | Entry::Rule(_) => None,
        });
        let refused = found.into_iter().flat_map(|found| &found.rejected);
        let refused = refused.filter(|one| !is_decided(one));
        let refused = refused.map(|one| (title(&one.asked), one.explanation()));
        let all: Vec<Vec<String>> = of_hints
            .chain(refused)
            .map(|(title, why)| vec![title, why])
            .collect();
        if all.is_empty() {
            return Ok(());
        }
        self.paragraph(&format!("\n{head}"), BOLD, out)?;
        let columns = [Column::text("question").least(20), Column::main("why")];
        let shown: Vec<Vec<String>> = all.iter().take(MOST_REJECTED).cloned().collect();
        self.table(&columns, &shown, out)?;
        match all.len().saturating_sub(MOST_REJECTED) {
            0 => Ok(()),
            more => self.paragraph(&format!("… and {more} more"), DIM, out),
        }
    }

    /// How many prompts stay, and why.
    pub(super) fn left(&self, left: Left, out: &mut dyn Write) -> io::Result<()> {
        let reasons = [
            (
                left.beyond,
                "reach beyond the project, or may: a rule for them is never proposed",
            ),
            (left.no_rule, "cannot be written as a rule for just that"),
            (
                left.unsure,
                "were not allowed often enough yet, or were refused",
            ),
            (left.known, "have a rule already"),
            (
                left.mode,
                "are not asked about in the mode that you mostly work in",
            ),
        ];
        let reasons: Vec<String> = reasons
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        match reasons.is_empty() {
            true => Ok(()),
            false => {
                let text = format!("\nPermission prompts that stay: {}.", reasons.join("; "));
                self.paragraph(&text, anstyle::Style::new(), out)
            }
        }
    }

    /// The person's rules that could be narrower: a line each, or how many there are.
    pub(super) fn wide(&self, found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
        let (wide, unused): (Vec<&Tighten>, Vec<&Tighten>) =
            found.tighten.iter().partition(|one| one.danger.is_some());
        if found.questions.is_some() && !self.all {
            return match wide.len() {
                0 => Ok(()),
                many => {
                    let rules = match many {
                        1 => "1 of your permission rules allows".to_owned(),
                        many => format!("{many} of your permission rules allow"),
                    };
                    let text =
                        format!("\n{rules} more than needed: `plantune suggest --permissions`");
                    self.paragraph(&text, YELLOW, out)
                }
            };
        }
        if let Some(first) = wide.first() {
            self.paragraph("\nYour rules that allow more than needed:", BOLD, out)?;
            let columns = [
                Column::text("rule").least(16),
                Column::number("used"),
                Column::text("also allows").least(16),
                Column::text("instead").least(12).rank(1),
                Column::text("in").least(12).rank(2),
            ];
            let rows = wide.iter().take(MOST_WIDE).map(|one| {
                let instead: Vec<String> = one.instead.iter().map(ToString::to_string).collect();
                vec![
                    one.rule.to_string(),
                    one.used.to_string(),
                    one.danger.clone().unwrap_or_default(),
                    instead.join(", "),
                    one.file.clone(),
                ]
            });
            self.table(&columns, &rows.collect::<Vec<_>>(), out)?;
            self.paragraph(first.unknown(), DIM, out)?;
        }
        let Some(first) = unused.first() else {
            return Ok(());
        };
        let rules: Vec<String> = unused
            .iter()
            .take(MOST_WIDE)
            .map(|one| one_line(&one.rule.to_string(), SHOWN))
            .collect();
        let more = match unused.len().saturating_sub(MOST_WIDE) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let text = format!(
            "\nYour rules that no prompt needed: {}{more}. {}",
            rules.join(", "),
            first.unknown()
        );
        self.paragraph(&text, anstyle::Style::new(), out)
    }

    pub(super) fn notes(&self, found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
        for note in found.notes_on_questions.iter().take(MOST_NOTES) {
            self.paragraph(&format!("\n{note}"), YELLOW, out)?;
        }
        if let more @ 1.. = found.notes_on_questions.len().saturating_sub(MOST_NOTES) {
            let text = format!("\n{more} more preferences ask for a look: `plantune prefs list`");
            self.paragraph(&text, YELLOW, out)?;
        }
        for note in found.notes {
            self.paragraph(&format!("\n{note}"), YELLOW, out)?;
        }
        Ok(())
    }
}

pub(super) fn is_decided(one: &Rejected) -> bool {
    one.reason == Reason::PreferenceInForce
}
