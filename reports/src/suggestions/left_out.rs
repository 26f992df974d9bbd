//! What is not proposed, and what is said beside the proposals.

use anstyle::Style;
use plantune_query::permissions::propose::Left;
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{Reason, Rejected, Suggestions};

use super::Found;
use super::entry::{Entry, title};
use super::terminal::{SHOWN, Screen};
use crate::amount::counted;
use crate::inert::one_line;
use crate::style::{BOLD, DIM, YELLOW};
use crate::table::{Table, main, number, text};

/// How many of what is not proposed are shown.
const MOST_REJECTED: usize = 12;

/// How many notes are shown.
const MOST_NOTES: usize = 3;

/// How many rules that could be narrower are shown.
const MOST_WIDE: usize = 12;

impl Screen<'_> {
    /// That nothing is proposed: what recurs, and why it stays so.
    pub(super) fn nothing(&mut self, found: &Found<'_>, hints: &[(usize, Entry<'_>)]) {
        let Some(questions) = found.questions else {
            let has_left = found.rules.left != Left::default();
            return match has_left {
                true => self.out.paragraph("No permission rule to propose.", BOLD),
                false => self.out.paragraph(
                    format!("No permission rule to propose: no prompt for permission was decided yet.{}", found.next),
                    Style::new()),
            };
        };
        if questions.rejected.is_empty() && hints.is_empty() {
            let text = format!(
                "Nothing to propose: you have not answered any question three times yet.{}",
                found.next
            );
            return self.out.paragraph(&text, Style::new());
        }
        let decided = questions
            .rejected
            .iter()
            .filter(|one| is_decided(one))
            .count();
        let decided = match decided {
            0 => String::new(),
            many => format!(
                " {} decided already.",
                counted(many, "question is", "questions are")
            ),
        };
        let head = format!("Nothing can be answered for you yet.{decided}");
        self.out.paragraph(&head, BOLD);
        self.rejected(
            found.questions,
            hints,
            "What you are asked again and again, and why it stays so:",
        );
    }

    /// What recurs and is not proposed, and what is no more than a hint, with the reason, a line each.
    pub(super) fn rejected(
        &mut self,
        found: Option<&Suggestions>,
        hints: &[(usize, Entry<'_>)],
        head: &str,
    ) {
        let of_hints = hints.iter().filter_map(|(_, one)| match one {
            Entry::Question(one) => {
                let lacks = one.lacks.as_ref().map(ToString::to_string);
                let why = lacks.unwrap_or_else(|| "a hint is all it is good for".to_owned());
                Some((title(&one.asked), why))
            }
            Entry::Asker(_) | Entry::Rule(_) => None,
        });
        let refused = found.into_iter().flat_map(|found| &found.rejected);
        let refused = refused.filter(|one| !is_decided(one));
        let refused = refused.map(|one| (title(&one.asked), one.explanation()));
        let all: Vec<(String, String)> = of_hints.chain(refused).collect();
        if all.is_empty() {
            return;
        }
        self.out.paragraph(format!("\n{head}"), BOLD);
        let mut table = Table::of(all.iter().take(MOST_REJECTED));
        table.add(text("question").least(20), |(title, _)| &**title);
        table.add(main("why"), |(_, why)| &**why);
        self.table(&table);
        if let more @ 1.. = all.len().saturating_sub(MOST_REJECTED) {
            self.out.paragraph(format!("… and {more} more"), DIM);
        }
    }

    /// How many prompts stay, and why.
    pub(super) fn left(&mut self, left: Left) {
        let reasons = [
            (
                left.beyond,
                "reaches beyond the project, or may: a rule for it is never proposed",
                "reach beyond the project, or may: a rule for them is never proposed",
            ),
            (
                left.no_rule,
                "cannot be written as a rule for just that",
                "cannot be written as a rule for just that",
            ),
            (
                left.varied,
                "was allowed as others of its kind, with other arguments each time: no narrow rule covers them",
                "were allowed, with other arguments each time: no narrow rule covers them",
            ),
            (
                left.refused,
                "was refused, or another of its kind was",
                "were refused, or others of their kind were",
            ),
            (
                left.unsure,
                "was not allowed often enough yet",
                "were not allowed often enough yet",
            ),
            (left.known, "has a rule already", "have a rule already"),
            (
                left.mode,
                "is not asked about in the mode that you mostly work in",
                "are not asked about in the mode that you mostly work in",
            ),
        ];
        let reasons = reasons.iter().filter(|(count, ..)| *count > 0);
        let reasons: Vec<String> = reasons
            .map(|(count, one, many)| counted(*count, one, many))
            .collect();
        if !reasons.is_empty() {
            let text = format!("\nPermission prompts that stay: {}.", reasons.join("; "));
            self.out.paragraph(text, Style::new());
        }
    }

    /// The person's rules that could be narrower: a line each, or how many there are.
    pub(super) fn wide(&mut self, found: &Found<'_>) {
        let (wide, unused): (Vec<&Tighten>, Vec<&Tighten>) =
            found.tighten.iter().partition(|one| one.danger.is_some());
        if found.questions.is_some() && !self.all {
            let rules = match wide.len() {
                0 => return,
                many => counted(
                    many,
                    "of your permission rules allows",
                    "of your permission rules allow",
                ),
            };
            let text = format!("\n{rules} more than needed: `plantune suggest --permissions`");
            return self.out.paragraph(text, YELLOW);
        }
        if let Some(first) = wide.first() {
            self.out
                .paragraph("\nYour rules that allow more than needed:", BOLD);
            let instead = |one: &Tighten| -> Vec<String> {
                one.instead.iter().map(ToString::to_string).collect()
            };
            let mut table = Table::of(wide.iter().take(MOST_WIDE).copied());
            table.add(text("rule").least(16), |one| one.rule.to_string());
            table.add(number("used"), |one| one.used);
            table.add(text("also allows").least(16), |one| {
                one.danger.as_deref().unwrap_or_default()
            });
            table.add(text("instead").least(12).rank(1), |one| {
                instead(one).join(", ")
            });
            table.add(text("in").least(12).rank(2), |one| &*one.file);
            self.table(&table);
            self.out.paragraph(first.unknown(), DIM);
        }
        let Some(first) = unused.first() else {
            return;
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
        self.out.paragraph(&text, Style::new());
    }

    pub(super) fn notes(&mut self, found: &Found<'_>) {
        for note in found.notes_on_questions.iter().take(MOST_NOTES) {
            self.out.paragraph(format!("\n{note}"), YELLOW);
        }
        if let more @ 1.. = found.notes_on_questions.len().saturating_sub(MOST_NOTES) {
            let more = counted(more, "more preference asks", "more preferences ask");
            let text = format!("\n{more} for a look: `plantune prefs list`");
            self.out.paragraph(&text, YELLOW);
        }
        for note in found.notes {
            self.out.paragraph(format!("\n{note}"), YELLOW);
        }
    }
}

pub(super) fn is_decided(one: &Rejected) -> bool {
    one.reason == Reason::PreferenceInForce
}
