//! The table of proposals: a line each.

use std::collections::BTreeSet;

use plantune_query::suggest::{InForce, Level, Suggestion};

use super::Found;
use super::entry::{Entry, entries};
use super::terminal::{Screen, allowed, judged};
use crate::amount::{a_week, counted};
use crate::style::{BOLD, DIM};
use crate::table::{Table, number, text};

impl Screen<'_> {
    /// What is proposed, or why nothing is.
    pub fn list(&mut self, found: &Found<'_>) {
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
