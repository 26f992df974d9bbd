//! The table of proposals: a line each.

use std::collections::BTreeSet;
use std::io::{self, Write};

use plantune_query::suggest::{AskerSuggestion, InForce, Level};

use super::Found;
use super::entry::{Entry, entries};
use super::terminal::{Terminal, a_week, allowed, judged};
use crate::style::{BOLD, DIM};
use crate::table::Column;

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

    /// Where it would hold.
    fn column(&self, entry: &Entry<'_>) -> String {
        match entry {
            Entry::Question(one) => self.project(&one.asked.project),
            Entry::Rule(rule) => self.project(&rule.project),
            Entry::Asker(_) => String::new(),
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

fn answer(answer: Option<&str>) -> String {
    answer.map_or_else(|| "(recommended)".to_owned(), str::to_owned)
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
