//! What is proposed, in the order in which it is numbered.

use plantune_agents::claude_code;
use plantune_domain::keys::typed;
use plantune_query::permissions::propose::Proposal;
use plantune_query::suggest::{Asked, AskerSuggestion, Level, Suggestion};

use super::Found;
use crate::binding;
use crate::text::clean;

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
pub fn entries<'a>(found: &Found<'a>) -> Vec<Entry<'a>> {
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

/// What a question is called.
pub fn title(asked: &Asked) -> String {
    clean(&asked.name)
}

/// What a proposal would answer, and nothing wider.
fn proposed(one: &Suggestion) -> String {
    let binding = &one.binding;
    match binding::title(binding.coverage, &binding.forms, &binding.options) {
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

    /// What a person may call it: its title, and what its question is called in every verb.
    pub fn called(&self) -> Vec<String> {
        match self {
            Self::Question(one) => vec![self.title(), title(&one.asked)],
            Self::Asker(_) | Self::Rule(_) => vec![self.title()],
        }
    }

    /// What is typed for it.
    pub fn typed(&self) -> String {
        match self {
            Self::Question(one) => typed(&one.asked.question_key, &one.asked.name).to_owned(),
            _ => self.name(),
        }
    }

    /// What `--only` calls it, to the letter.
    pub fn name(&self) -> String {
        match self {
            Self::Question(one) => one.asked.question_key.clone(),
            Self::Asker(asker) => asker.asker.clone(),
            Self::Rule(rule) => rule.name(),
        }
    }

    /// What it is about.
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
