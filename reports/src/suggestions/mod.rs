//! The proposals of `suggest`, for questions and for permission prompts: a table with a line each, and what is left out
//! of it. The document for scripts and the evidence of one proposal lie beside it.

mod document;
mod entry;
mod evidence;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use anstyle::Style;
use plantune_query::permissions::propose::Left;
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{InForce, Level, Reason, Rejected, Suggestion, Suggestions};

pub use self::entry::Screen;
use self::entry::{SHOWN, allowed, judged};
use crate::humanize::{a_week, counted};
use crate::table::{Table, main, number, text};
use crate::terminal::{BOLD, DIM, YELLOW};
use crate::text::one_line;
pub use document::ProposalsDocument;
pub use entry::{Entry, Proposed, answer_in_words, entries, title};

impl Screen<'_> {
    /// The proposals, or why there are none.
    pub fn list(&mut self, found: &Proposed<'_>) {
        let all: Vec<(usize, Entry<'_>)> = (1..).zip(entries(found)).collect();
        let of = |wanted: &dyn Fn(&Entry<'_>) -> bool| -> Vec<(usize, Entry<'_>)> {
            all.iter().copied().filter(|(_, one)| wanted(one)).collect()
        };
        let is_rule = |one: &Entry<'_>| matches!(one, Entry::Rule(_));
        let (rules, hints) = (of(&is_rule), of(&|one| one.is_hint()));
        let answered = of(&|one| !is_rule(one) && !one.is_hint());
        let is_nothing = answered.is_empty() && rules.is_empty();
        if !answered.is_empty() {
            self.answered(&answered);
        }
        if !rules.is_empty() {
            self.rules(&rules, !answered.is_empty());
        }
        if is_nothing {
            self.nothing(found, &hints);
        }
        let count = counted(hints.len(), "hint", "hints");
        if self.all && !hints.is_empty() {
            let head = format!("\n{count}: you answer, and your usual answer is pointed out.");
            self.out.paragraph(head, BOLD);
            self.questions(&hints);
        } else if !hints.is_empty() {
            let text = format!(
                "\n{count} would only point out your usual answer: `plantune suggest --all`"
            );
            self.out.paragraph(text, DIM);
        }
        if self.all && !is_nothing {
            let head = "Asked again and again, and not proposed:";
            self.rejected(found.questions, &[], head);
        }
        if self.all || found.questions.is_none() || is_nothing {
            self.left(found.rules.left);
        }
        self.wide(found);
        self.notes(found);
        if let Some((number, _)) = all.iter().find(|(_, one)| self.all || !one.is_hint()) {
            let all = if self.all { " --all" } else { "" };
            let part = match found.questions {
                None => format!("{all} --permissions"),
                Some(_) => all.to_owned(),
            };
            let text = format!(
                "\nNothing is changed yet. `plantune suggest {number}{part}` shows why, \
                 `plantune suggest --apply{part}` asks about each."
            );
            self.out.paragraph(text, DIM);
        }
    }

    fn answered(&mut self, found: &[(usize, Entry<'_>)]) {
        let weekly = a_week(found.iter().map(|(_, one)| weekly(one)).sum());
        let projects: BTreeSet<String> = found.iter().map(|(_, one)| self.column(one)).collect();
        let place = match projects.first() {
            Some(project) if projects.len() == 1 && !project.is_empty() => format!(" in {project}"),
            _ => String::new(),
        };
        let many = counted(found.len(), "question", "questions");
        let head = format!("{many}{place} could be answered for you, about {weekly} times a week:");
        self.out.paragraph(head, BOLD);
        self.questions(found);
        let has = |level: Level| {
            let mut levels = found.iter().flat_map(|(_, one)| match one {
                Entry::Question(one) => vec![one.level],
                Entry::Asker(asker) => asker.questions.iter().map(|one| one.level).collect(),
                Entry::Rule(_) => Vec::new(),
            });
            levels.any(|one| one == level)
        };
        let words = [
            (Level::Trial, "trial: answered, often checked"),
            (Level::Standing, "automatic: answered, checked now and then"),
        ];
        let words = words.iter().filter(|(level, _)| has(*level));
        let words: Vec<&str> = words.map(|(_, word)| *word).collect();
        self.out.paragraph(words.join(" · "), DIM);
    }

    fn questions(&mut self, found: &[(usize, Entry<'_>)]) {
        let projects: BTreeSet<String> = found.iter().map(|(_, one)| self.column(one)).collect();
        let mut table = Table::of(found);
        table.add(number("#"), |(number, _)| *number);
        table.add(text("question").least(24), |(_, one)| one.title());
        table.add(number("a week").rank(1), |(_, one)| a_week(weekly(one)));
        table.add(text("your answer").least(12), |(_, one)| match one {
            Entry::Question(Suggestion {
                answer: Some(answer),
                ..
            }) => answer.clone(),
            _ => "(recommended)".to_owned(),
        });
        table.add(number("share"), |(_, one)| share(one));
        table.add(
            text("project").least(14).rank(3),
            |(_, one)| match projects.len() {
                1 => String::new(),
                _ => self.column(one),
            },
        );
        table.add(text("change"), |(_, one)| match one {
            Entry::Question(one) => change(one.before, one.level),
            Entry::Asker(asker) => change(InForce::Nothing, asker.level()),
            Entry::Rule(_) => String::new(),
        });
        self.table(&table);
    }

    fn rules(&mut self, found: &[(usize, Entry<'_>)], follows: bool) {
        let weekly = a_week(found.iter().map(|(_, one)| weekly(one)).sum());
        let many = counted(found.len(), "permission rule", "permission rules");
        let gap = if follows { "\n" } else { "" };
        let head = format!("{gap}{many} would spare you about {weekly} prompts a week:");
        self.out.paragraph(head, BOLD);
        let mut table = Table::of(found);
        table.add(number("#"), |(number, _)| *number);
        table.add(text("rule").least(24), |(_, one)| one.title());
        table.add(number("a week").rank(1), |(_, one)| {
            a_week(self::weekly(one))
        });
        table.add(number("allowed"), |(_, one)| share(one));
        table.add(text("in").least(14).rank(2), |(_, one)| self.column(one));
        self.table(&table);
    }

    /// Where it would hold.
    fn column(&self, entry: &Entry<'_>) -> String {
        match entry {
            Entry::Question(one) => self.project(&one.asked.project),
            Entry::Rule(rule) => self.project(&rule.project),
            Entry::Asker(_) => String::new(),
        }
    }
}

/// How often it is asked in a week.
fn weekly(entry: &Entry<'_>) -> f64 {
    match entry {
        Entry::Question(one) => one.asked_per_week,
        Entry::Asker(asker) => asker.asked_per_week(),
        Entry::Rule(rule) => rule.prompts_per_week,
    }
}

/// How many of the answers, or of the prompts that were decided, were so.
fn share(entry: &Entry<'_>) -> String {
    let (so, of) = match entry {
        Entry::Question(one) => (one.evidence.agreed, judged(&one.evidence)),
        Entry::Asker(asker) => (asker.followed, asker.answers),
        Entry::Rule(rule) => (allowed(rule), rule.prompts),
    };
    format!("{so}/{of}")
}

/// `→ trial`, `hint → trial`.
fn change(before: InForce, level: Level) -> String {
    match before {
        InForce::Nothing | InForce::Decided => format!("→ {}", level.word()),
        _ => format!("{} → {}", before.word(), level.word()),
    }
}

/// How many of what is not proposed are shown.
const MOST_REJECTED: usize = 12;

/// How many notes are shown.
const MOST_NOTES: usize = 3;

/// How many rules that could be narrower are shown.
const MOST_WIDE: usize = 12;

impl Screen<'_> {
    /// That nothing is proposed: what recurs, and why it stays so.
    fn nothing(&mut self, found: &Proposed<'_>, hints: &[(usize, Entry<'_>)]) {
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

    /// The questions that recur and are not proposed, and those that are no more than a hint, with the reason, a line each.
    fn rejected(&mut self, found: Option<&Suggestions>, hints: &[(usize, Entry<'_>)], head: &str) {
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
    fn left(&mut self, left: Left) {
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
    fn wide(&mut self, found: &Proposed<'_>) {
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

    fn notes(&mut self, found: &Proposed<'_>) {
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

fn is_decided(one: &Rejected) -> bool {
    one.reason == Reason::PreferenceInForce
}
