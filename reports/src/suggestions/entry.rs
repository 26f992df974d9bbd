//! The proposals of `suggest` in the order in which they are numbered, and the screen that they are written on.

use chrono::NaiveDate;
use plantune_agents::claude_code;
use plantune_domain::keys::typed;
use plantune_query::permissions::propose::{Proposal, Proposals};
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{
    Asked, AskerSuggestion, EVERYWHERE, Evidence, Level, Suggestion, Suggestions,
};

use crate::standing;
use crate::table::Table;
use crate::terminal::{DIM, GREEN, Terminal, YELLOW, styled};
use crate::text::{clean, one_line};

/// Everything that there is to propose.
#[derive(Clone, Copy, Debug)]
pub struct Proposed<'a> {
    /// For questions; `None` where rules alone are wanted.
    pub questions: Option<&'a Suggestions>,
    /// Permission rules.
    pub rules: &'a Proposals,
    /// Rules that could be narrower.
    pub tighten: &'a [Tighten],
    /// Notes on questions and preferences, in words; not in the JSON.
    pub notes_on_questions: &'a [String],
    /// Notes on rules that could not be read, in words.
    pub notes: &'a [String],
    /// Hints that bring more to propose, in sentences behind a space; empty where nothing has to be done. Not in the JSON.
    pub next: &'a str,
}

/// One proposal.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// For one question.
    Question(&'a Suggestion),
    /// For the questions of one command, skill or plugin.
    Asker(&'a AskerSuggestion),
    /// A permission rule.
    Rule(&'a Proposal),
}

/// All proposals, the best first: for questions that would be answered, rules, then hints. So the numbers are the
/// same whether hints are shown or not.
pub fn entries<'a>(found: &Proposed<'a>) -> Vec<Entry<'a>> {
    let questions = found.questions.into_iter();
    let of_questions = questions.flat_map(|questions| {
        let single = questions.suggestions.iter().map(Entry::Question);
        single.chain(questions.askers.iter().map(Entry::Asker))
    });
    let (hints, answered): (Vec<Entry<'_>>, Vec<Entry<'_>>) =
        of_questions.partition(Entry::is_hint);
    let rules = found.rules.proposals.iter().map(Entry::Rule);
    answered.into_iter().chain(rules).chain(hints).collect()
}

/// The name of a question.
pub fn title(asked: &Asked) -> String {
    clean(&asked.name)
}

/// The questions that a proposal would answer, and nothing wider.
fn proposed(one: &Suggestion) -> String {
    let binding = &one.binding;
    match standing::title(binding.coverage, &binding.forms, &binding.options) {
        Some((text, 0)) => clean(&text),
        Some((text, more)) => format!("{} and {more} more", clean(&text)),
        None => title(&one.asked),
    }
}

impl Entry<'_> {
    /// True where nothing would be answered.
    pub fn is_hint(&self) -> bool {
        match self {
            Self::Question(one) => one.level == Level::Assist,
            Self::Asker(asker) => asker.level() == Level::Assist,
            Self::Rule(_) => false,
        }
    }

    /// The names that a person may call it by: its title, and what its question is called in every verb.
    pub fn called(&self) -> Vec<String> {
        match self {
            Self::Question(one) => vec![self.title(), title(&one.asked)],
            Self::Asker(_) | Self::Rule(_) => vec![self.title()],
        }
    }

    /// The name to type for it.
    pub fn typed(&self) -> String {
        match self {
            Self::Question(one) => typed(&one.asked.question_key, &one.asked.name).to_owned(),
            _ => self.name(),
        }
    }

    /// Its name for `--only`, to the letter.
    pub fn name(&self) -> String {
        match self {
            Self::Question(one) => one.asked.question_key.clone(),
            Self::Asker(asker) => asker.asker.clone(),
            Self::Rule(rule) => rule.name(),
        }
    }

    /// Its subject.
    pub fn title(&self) -> String {
        match self {
            Self::Question(one) => proposed(one),
            Self::Asker(asker) => format!(
                "{} questions of {}",
                asker.questions.len(),
                clean(&asker.asker)
            ),
            Self::Rule(rule) => match plantune_agents::named(rule.agent) {
                Some(agent) if rule.agent != claude_code::NAME => {
                    format!("{} ({})", clean(&rule.name()), agent.title())
                }
                _ => clean(&rule.name()),
            },
        }
    }
}

/// How much of a label is shown, in columns.
pub(super) const SHOWN_NAME: usize = 60;

/// The answer of a policy, in words.
pub fn answer_in_words(answer: Option<&str>) -> String {
    answer.map_or_else(
        || "what is recommended".to_owned(),
        |label| format!("\"{}\"", one_line(label, SHOWN_NAME)),
    )
}

/// How much of a rule, a path or a project is shown, in columns: enough to be copied.
pub(super) const SHOWN: usize = 220;

/// Where proposals are shown.
pub struct Screen<'a> {
    /// The text so far.
    pub out: Terminal,
    /// True to show hints as well, and what is not proposed.
    pub all: bool,
    /// The name of a project.
    pub name: &'a dyn Fn(&str) -> String,
    /// The name of a day.
    pub day: &'a dyn Fn(NaiveDate) -> String,
}

impl Screen<'_> {
    /// A table; what changes has a colour of its own.
    pub(super) fn table<T>(&mut self, table: &Table<'_, '_, T>) {
        let mut lines = table.lines(self.out.width).into_iter();
        let titles = lines.next();
        titles.iter().for_each(|line| self.out.styled(line, DIM));
        for line in lines {
            let at = line.rfind('→').unwrap_or(line.len());
            let (before, change) = line.split_at_checked(at).unwrap_or((&line, ""));
            let style = match change.contains(Level::Standing.word()) {
                true => GREEN,
                false => YELLOW,
            };
            let change = styled(change, style, self.out.colour);
            self.out.line(format!("{before}{change}"));
        }
    }

    /// `in o/r`, or `everywhere`.
    pub(super) fn place(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => format!("in {}", self.project(project)),
        }
    }

    /// The name of `project`.
    pub(super) fn project(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => one_line(&(self.name)(project), SHOWN),
        }
    }
}

/// The answers that were judged: without those that are left to the person.
pub(super) fn judged(evidence: &Evidence) -> usize {
    evidence
        .answers
        .saturating_sub(evidence.left + evidence.added)
}

pub(super) fn allowed(rule: &Proposal) -> usize {
    rule.prompts - rule.refused.min(rule.prompts)
}
