//! Proposals on a terminal: a line each.

use std::collections::BTreeSet;
use std::io::{self, Write};

use chrono::NaiveDate;
use plantune_query::permissions::propose::{Left, Proposal};
use plantune_query::permissions::tighten::Tighten;
use plantune_query::suggest::{
    AskerSuggestion, EVERYWHERE, InForce, Level, Reason, Rejected, Suggestion, Suggestions,
};

use super::entry::{Entry, entries, title};
use super::{Found, evidence};
use crate::inert::one_line;
use crate::style::{BOLD, DIM, GREEN, YELLOW, styled};
use crate::table::{self, Column};
use crate::text::{self, shell_word};

/// How many of what is not proposed are shown.
const MOST_REJECTED: usize = 12;

/// How many notes are shown.
const MOST_NOTES: usize = 3;

/// How many rules that could be narrower are shown.
const MOST_WIDE: usize = 12;

/// How much of a rule, a path or a project is shown, in columns: enough to be copied.
const SHOWN: usize = 220;

/// Text for a person, no wider than `width` columns.
#[derive(Clone, Copy)]
pub struct Terminal<'a> {
    /// Columns of the terminal.
    pub width: usize,
    /// True to use colour.
    pub colour: bool,
    /// True to show hints as well, and what is not proposed.
    pub all: bool,
    /// What a project is called.
    pub name: &'a dyn Fn(&str) -> String,
    /// What a day is called.
    pub day: &'a dyn Fn(NaiveDate) -> String,
}

impl Terminal<'_> {
    /// Writes what is proposed, or why nothing is.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
        let all: Vec<(usize, Entry<'_>)> = (1..).zip(entries(found)).collect();
        let of = |wanted: fn(&Entry<'_>) -> bool| -> Vec<(usize, Entry<'_>)> {
            all.iter().copied().filter(|(_, one)| wanted(one)).collect()
        };
        let rules = of(|one| matches!(one, Entry::Rule(_)));
        let hints: Vec<(usize, Entry<'_>)> = all
            .iter()
            .copied()
            .filter(|(_, one)| one.is_hint())
            .collect();
        let answered = of(|one| !matches!(one, Entry::Rule(_)) && !one.is_hint());
        let is_nothing = answered.is_empty() && rules.is_empty();
        if !answered.is_empty() {
            self.answered(&answered, out)?;
        }
        if !rules.is_empty() {
            self.rules(&rules, !answered.is_empty(), out)?;
        }
        if is_nothing {
            self.nothing(found, &hints, out)?;
        }
        if self.all && !hints.is_empty() {
            let head = format!(
                "\n{}: you answer, and your usual answer is pointed out.",
                count(hints.len(), "hint")
            );
            self.paragraph(&head, BOLD, out)?;
            self.questions(&hints, out)?;
        } else if !hints.is_empty() {
            let text = format!(
                "\n{} would only point out your usual answer: `plantune suggest --all`",
                count(hints.len(), "hint")
            );
            self.paragraph(&text, DIM, out)?;
        }
        if self.all && !is_nothing {
            self.rejected(
                found.questions,
                &[],
                "Asked again and again, and not proposed:",
                out,
            )?;
        }
        if self.all || found.questions.is_none() || is_nothing {
            self.left(found.rules.left, out)?;
        }
        self.wide(found, out)?;
        self.notes(found, out)?;
        match all.iter().find(|(_, one)| self.all || !one.is_hint()) {
            None => Ok(()),
            Some((number, _)) => {
                let part = if self.all { " --all" } else { "" };
                let part = match found.questions {
                    None => format!("{part} --permissions"),
                    Some(_) => part.to_owned(),
                };
                let text = format!(
                    "\nNothing is changed yet. `plantune suggest {number}{part}` shows why, \
                     `plantune suggest --apply{part}` asks about each."
                );
                self.paragraph(&text, DIM, out)
            }
        }
    }

    /// Writes one proposal with its evidence; `number` is its number in the list.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn evidence(
        &self,
        number: usize,
        entry: &Entry<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let head = format!("{number}. {}", entry.title());
        self.paragraph(&head, BOLD, out)?;
        let sentences = match entry {
            Entry::Question(one) => evidence::question(one, self),
            Entry::Asker(asker) => evidence::asker(asker, self),
            Entry::Rule(rule) => evidence::rule(rule, self),
        };
        let command = format!(
            "`plantune suggest --apply --only {}` sets it.",
            one_line(&shell_word(&entry.name()), SHOWN)
        );
        for sentence in sentences.iter().chain([&command]) {
            writeln!(out)?;
            self.paragraph(sentence, anstyle::Style::new(), out)?;
        }
        Ok(())
    }

    /// Writes why a question is not proposed.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn refusal(&self, one: &Rejected, out: &mut dyn Write) -> io::Result<()> {
        self.paragraph(&title(&one.asked), BOLD, out)?;
        for sentence in evidence::refusal(one, self) {
            writeln!(out)?;
            self.paragraph(&sentence, anstyle::Style::new(), out)?;
        }
        Ok(())
    }

    /// Lines of `text`, each of its own lines broken by itself.
    pub(super) fn paragraph(
        &self,
        text: &str,
        style: anstyle::Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        text::paragraph(text, self.width)
            .lines()
            .try_for_each(|line| writeln!(out, "{}", styled(line, style, self.colour)))
    }

    fn table(
        &self,
        columns: &[Column<'_>],
        rows: &[Vec<String>],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let lines = table::lines(columns, rows, self.width);
        for (number, line) in lines.iter().enumerate() {
            match (
                number,
                line.rfind('→').and_then(|at| line.split_at_checked(at)),
            ) {
                (0, _) => writeln!(out, "{}", styled(line, DIM, self.colour))?,
                (_, Some((before, change))) => {
                    let style = match change.contains(Level::Standing.word()) {
                        true => GREEN,
                        false => YELLOW,
                    };
                    writeln!(out, "{before}{}", styled(change, style, self.colour))?;
                }
                (_, None) => writeln!(out, "{line}")?,
            }
        }
        Ok(())
    }

    fn answered(&self, found: &[(usize, Entry<'_>)], out: &mut dyn Write) -> io::Result<()> {
        let weekly: f64 = found.iter().map(|(_, one)| weekly(one)).sum();
        let projects: BTreeSet<String> = found.iter().map(|(_, one)| self.column(one)).collect();
        let place = match projects.first() {
            Some(project) if projects.len() == 1 && !project.is_empty() => format!(" in {project}"),
            _ => String::new(),
        };
        let head = match found.len() {
            1 => format!("1 question{place} could be answered for you"),
            many => format!("{many} questions{place} could be answered for you"),
        };
        self.paragraph(
            &format!("{head}, about {} times a week:", a_week(weekly)),
            BOLD,
            out,
        )?;
        self.questions(found, out)?;
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
        let words: Vec<&str> = words
            .iter()
            .filter(|(level, _)| has(*level))
            .map(|(_, word)| *word)
            .collect();
        self.paragraph(&words.join(" · "), DIM, out)
    }

    fn questions(&self, found: &[(usize, Entry<'_>)], out: &mut dyn Write) -> io::Result<()> {
        let columns = [
            Column::number("#"),
            Column::text("question").least(24),
            Column::number("a week").rank(1),
            Column::text("your answer").least(12),
            Column::number("share"),
            Column::text("project").least(14).rank(3),
            Column::text("change"),
        ];
        let projects: BTreeSet<String> = found.iter().map(|(_, one)| self.column(one)).collect();
        let rows: Vec<Vec<String>> = found
            .iter()
            .filter_map(|(number, entry)| {
                let (answer, agreed, of, change) = match entry {
                    Entry::Question(one) => (
                        answer(one.answer.as_deref()),
                        one.evidence.agreed,
                        judged(one),
                        change(one.before, one.level),
                    ),
                    Entry::Asker(asker) => (
                        answer(None),
                        asker.followed,
                        asker.answers,
                        change(InForce::Nothing, furthest(asker)),
                    ),
                    Entry::Rule(_) => return None,
                };
                Some(vec![
                    number.to_string(),
                    entry.title(),
                    a_week(weekly(entry)),
                    answer,
                    format!("{agreed}/{of}"),
                    match projects.len() {
                        1 => String::new(),
                        _ => self.column(entry),
                    },
                    change,
                ])
            })
            .collect();
        self.table(&columns, &rows, out)
    }

    fn rules(
        &self,
        found: &[(usize, Entry<'_>)],
        follows: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let weekly: f64 = found.iter().map(|(_, one)| weekly(one)).sum();
        let head = match found.len() {
            1 => "1 permission rule would spare you".to_owned(),
            many => format!("{many} permission rules would spare you"),
        };
        let gap = if follows { "\n" } else { "" };
        self.paragraph(
            &format!("{gap}{head} about {} prompts a week:", a_week(weekly)),
            BOLD,
            out,
        )?;
        let columns = [
            Column::number("#"),
            Column::text("rule").least(24),
            Column::number("a week").rank(1),
            Column::number("allowed"),
            Column::text("in").least(14).rank(2),
        ];
        let rows: Vec<Vec<String>> = found
            .iter()
            .filter_map(|(number, entry)| {
                let Entry::Rule(rule) = entry else {
                    return None;
                };
                Some(vec![
                    number.to_string(),
                    entry.title(),
                    a_week(rule.prompts_per_week),
                    format!("{}/{}", allowed(rule), rule.prompts),
                    self.project(&rule.project),
                ])
            })
            .collect();
        self.table(&columns, &rows, out)
    }

    /// That nothing is proposed: what recurs, and why it stays so.
    fn nothing(
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
    fn rejected(
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
    fn left(&self, left: Left, out: &mut dyn Write) -> io::Result<()> {
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
    fn wide(&self, found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
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

    fn notes(&self, found: &Found<'_>, out: &mut dyn Write) -> io::Result<()> {
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

    /// Where it would hold.
    fn column(&self, entry: &Entry<'_>) -> String {
        match entry {
            Entry::Question(one) => self.project(&one.asked.project),
            Entry::Rule(rule) => self.project(&rule.project),
            Entry::Asker(_) => String::new(),
        }
    }

    /// `in o/r`, or `everywhere`.
    pub(super) fn place(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => format!("in {}", self.project(project)),
        }
    }

    /// What `project` is called.
    pub(super) fn project(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => one_line(&(self.name)(project), SHOWN),
        }
    }
}

/// `3 hints`.
fn count(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        many => format!("{many} {what}s"),
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

/// How often in a week, in few columns.
pub(super) fn a_week(times: f64) -> String {
    match times {
        none if none <= 0.0 => "0".to_owned(),
        few if few < 0.1 => "< 0.1".to_owned(),
        few if few < 9.95 => format!("{few:.1}").trim_end_matches(".0").to_owned(),
        many => format!("{many:.0}"),
    }
}

fn answer(answer: Option<&str>) -> String {
    answer.map_or_else(|| "(recommended)".to_owned(), str::to_owned)
}

/// The answers that were judged: without those that are left to the person.
pub(super) fn judged(one: &Suggestion) -> usize {
    let evidence = &one.evidence;
    evidence
        .answers
        .saturating_sub(evidence.left + evidence.added)
}

pub(super) fn allowed(rule: &Proposal) -> usize {
    rule.prompts - rule.refused.min(rule.prompts)
}

fn furthest(asker: &AskerSuggestion) -> Level {
    let levels = asker.questions.iter().map(|one| one.level);
    levels.max().unwrap_or(Level::Assist)
}

/// `→ trial`, `hint → trial`.
fn change(before: InForce, level: Level) -> String {
    match before {
        InForce::Nothing | InForce::Decided => format!("→ {}", level.word()),
        _ => format!("{} → {}", before.word(), level.word()),
    }
}

fn is_decided(one: &Rejected) -> bool {
    one.reason == Reason::PreferenceInForce
}
