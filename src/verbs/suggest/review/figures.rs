//! What the proposals chosen so far would have done: worked out beside the screen, and said in a line.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Scope;

use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;
use plantune_query::backtest::chosen::{Askings, Chosen, ChosenScore};
use plantune_query::permissions::backtest::{Tally, backtest_of};
use plantune_query::permissions::evidence::Prompt;
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_query::suggest::{Level, Suggestion};

/// The person's history, kept in memory: the store is for others while they think.
pub(super) struct History<'a> {
    pub(super) askings: Askings,
    pub(super) prompts: Vec<Prompt>,
    pub(super) settings: &'a Suggest,
    pub(super) registry: &'a Registry,
}

/// What was chosen, as the replay needs it.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice<'a> {
    /// How many proposals would answer.
    pub(super) answering: usize,
    /// How many would only be shown.
    pub(super) shown: usize,
    questions: Vec<&'a Suggestion>,
    rules: Vec<&'a RuleProposal>,
}

/// What it would have done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Figures {
    questions: Option<ChosenScore>,
    rules: Option<Tally>,
}

impl<'a> Choice<'a> {
    /// One proposal more, for `questions` or for a `rule`.
    pub(super) fn add(&mut self, questions: Vec<&'a Suggestion>, rule: Option<&'a RuleProposal>) {
        match questions.iter().any(|one| one.level > Level::Assist) {
            true => self.answering += 1,
            false => self.shown += usize::from(!questions.is_empty()),
        }
        self.questions.extend(questions);
        self.rules.extend(rule);
    }

    fn is_empty(&self) -> bool {
        self.questions.is_empty() && self.rules.is_empty()
    }
}

impl History<'_> {
    /// `None` as soon as `goes_on` is false.
    fn replay(&self, choice: &Choice<'_>, goes_on: &dyn Fn() -> bool) -> Option<Figures> {
        let mut figures = Figures::default();
        if !choice.questions.is_empty() {
            let chosen = Chosen::of(choice.questions.iter().copied());
            let score = self
                .askings
                .score(self.settings, self.registry, &chosen, goes_on)?;
            figures.questions = Some(score);
        }
        if !choice.rules.is_empty() {
            let own = self.registry.own_reaches();
            let tally = backtest_of(&self.prompts, self.settings, own, &choice.rules);
            figures.rules = Some(tally);
        }
        Some(figures)
    }
}

/// Works figures out in a thread of its own; the last question asked is the one that counts.
pub(super) struct Calculator<'a> {
    questions: Sender<(u64, Choice<'a>)>,
    answers: Receiver<(u64, Figures)>,
    /// The number of the last question: whatever works on another one stops.
    number: &'a AtomicU64,
    asked: Choice<'a>,
    found: Option<Figures>,
}

impl<'a> Calculator<'a> {
    /// One that ends with `scope`, or when it is dropped. `number` is for it alone.
    pub(super) fn start<'s, 'e>(
        scope: &'s Scope<'s, 'e>,
        history: &'a History<'a>,
        number: &'a AtomicU64,
    ) -> Self
    where
        'a: 's,
    {
        let (questions, asked) = channel::<(u64, Choice<'a>)>();
        let (found, answers) = channel();
        scope.spawn(move || {
            while let Ok((of, choice)) = asked.recv() {
                let goes_on = || number.load(Ordering::Relaxed) == of;
                let figures = history.replay(&choice, &goes_on);
                if figures.is_some_and(|figures| found.send((of, figures)).is_err()) {
                    return;
                }
            }
        });
        Self {
            questions,
            answers,
            number,
            asked: Choice::default(),
            found: Some(Figures::default()),
        }
    }

    /// Asks what `choice` would have done.
    pub(super) fn ask(&mut self, choice: Choice<'a>) {
        let number = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        self.asked = choice;
        self.found = match self.asked.is_empty() {
            true => Some(Figures::default()),
            false => None,
        };
        // Where nobody works it out any more, a panic was reported already.
        let _ = self.questions.send((number, self.asked.clone()));
    }

    /// What is known so far, in words; true beside it when it has just become known.
    pub(super) fn in_words(&mut self) -> String {
        loop {
            match self.answers.try_recv() {
                Ok((of, figures)) if of == self.number.load(Ordering::Relaxed) => {
                    self.found = Some(figures);
                }
                Ok(_) => {}
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        in_words(&self.asked, self.found.as_ref())
    }
}

impl Drop for Calculator<'_> {
    fn drop(&mut self) {
        self.number.fetch_add(1, Ordering::Relaxed);
    }
}

/// What `choice` would have done, in words; `None` while it is being worked out.
fn in_words(choice: &Choice<'_>, figures: Option<&Figures>) -> String {
    if choice.is_empty() {
        return "Nothing is chosen yet.".to_owned();
    }
    let Some(figures) = figures else {
        return "Going through your history ...".to_owned();
    };
    let mut said = Vec::new();
    if let Some(ChosenScore { answered, shown }) = figures.questions {
        let these = |count: usize| match count {
            1 => "this 1".to_owned(),
            count => format!("these {count}"),
        };
        if choice.answering > 0 {
            said.push(format!(
                "{} would have answered {} of {} questions, {} right",
                these(choice.answering),
                answered.auto_decided(),
                answered.questions,
                answered.correct
            ));
        }
        if choice.shown > 0 {
            said.push(format!(
                "{} would have shown your usual answer {} times, {} right",
                these(choice.shown),
                shown.auto_decided(),
                shown.correct
            ));
        }
    }
    if let Some(tally) = figures.rules {
        let rules = match choice.rules.len() {
            1 => "1 rule".to_owned(),
            count => format!("{count} rules"),
        };
        let refused = match tally.refused_allowed {
            0 => String::new(),
            refused => format!(", and let {refused} run that you refused"),
        };
        said.push(format!(
            "{rules} would have spared {} of {} prompts{refused}",
            tally.spared, tally.prompts
        ));
    }
    let said = said.join("; ");
    let mut letters = said.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    format!(
        "{}{}.",
        first.map_or_else(String::new, String::from),
        letters.as_str()
    )
}

#[cfg(test)]
mod tests {
    use plantune_query::backtest::Score;

    use super::*;
    use crate::verbs::suggest::review::sample::{rule, suggestion};

    #[test]
    fn figures_are_said_with_what_they_are_of() {
        let score = |questions, correct, wrong| Score {
            questions,
            correct,
            wrong,
            ..Score::default()
        };
        let mut choice = Choice::default();
        assert_eq!(in_words(&choice, None), "Nothing is chosen yet.");
        let one = suggestion("Which layout?", "Grid", Level::Trial);
        let rule = rule("Bash(npm test)");
        choice.questions = vec![&one];
        choice.answering = 4;
        assert_eq!(in_words(&choice, None), "Going through your history ...");
        let mut figures = Figures {
            questions: Some(ChosenScore {
                answered: score(240, 60, 1),
                shown: score(240, 12, 2),
            }),
            rules: None,
        };
        assert_eq!(
            in_words(&choice, Some(&figures)),
            "These 4 would have answered 61 of 240 questions, 60 right."
        );
        choice.shown = 1;
        choice.rules = vec![&rule];
        figures.rules = Some(Tally {
            prompts: 30,
            spared: 11,
            refused_allowed: 1,
            ..Tally::default()
        });
        assert_eq!(
            in_words(&choice, Some(&figures)),
            "These 4 would have answered 61 of 240 questions, 60 right; this 1 would have shown your usual \
             answer 14 times, 12 right; 1 rule would have spared 11 of 30 prompts, and let 1 run that you refused."
        );
    }
}
