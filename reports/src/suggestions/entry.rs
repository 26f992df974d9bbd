//! What is proposed, in the order in which it is numbered.

use plantune_agents::claude_code;
use plantune_domain::keys::typed;
use plantune_query::permissions::propose::Proposal;
use plantune_query::suggest::{Asked, AskerSuggestion, Level, Suggestion};

use super::Found;
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

impl Entry<'_> {
    /// True where nothing would be answered.
    pub fn is_hint(&self) -> bool {
        match self {
            Self::Question(one) => one.level == Level::Assist,
            Self::Asker(asker) => asker.level() == Level::Assist,
            Self::Rule(_) => false,
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
            Self::Question(one) => title(&one.asked),
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
