//! A report that can be passed on: numbers stand instead of texts, projects, answers, and the keys that people chose. Keys
//! that plantune computed stay, as they are hashes.

use std::collections::HashMap;
use std::mem;

use plantune_domain::keys::is_made_up;
use plantune_query::permissions::prompts::{LoggedPrompt, Permissions};
use plantune_query::report::{GroupKey, QuestionCounts, QuestionGroup};

use super::document::{ReportDocument, ReportedProposal};
use crate::standing::StandingPreference;

/// The name of any answer in the person's own words, which can stay.
const TYPED: &str = "(typed)";

/// The text instead of a sentence that may quote something.
const LEFT_OUT: &str = "–";

/// The texts so far, by kind: the position of a text is its number.
#[derive(Default)]
struct Numbers(HashMap<&'static str, Vec<String>>);

impl Numbers {
    /// Puts `kind` and the number of `text` instead of it.
    fn put(&mut self, kind: &'static str, text: &mut String) {
        let known = self.0.entry(kind).or_default();
        let number = known.iter().position(|one| one == text);
        let number = number.unwrap_or_else(|| {
            known.push(mem::take(text));
            known.len() - 1
        });
        *text = format!("{kind}-{}", number + 1);
    }

    fn put_all<'t>(&mut self, kind: &'static str, texts: impl IntoIterator<Item = &'t mut String>) {
        for text in texts {
            self.put(kind, text);
        }
    }

    fn answers<'t>(&mut self, labels: impl IntoIterator<Item = &'t mut String>) {
        let labels = labels.into_iter().filter(|label| **label != TYPED);
        self.put_all("answer", labels);
    }

    /// Puts a number instead of a key that somebody chose, in a marker or in `registry.toml`, as it says what is asked.
    fn key(&mut self, key: &mut String) {
        if !is_made_up(key) {
            self.put("question", key);
        }
    }

    fn question(&mut self, one: &mut QuestionCounts) {
        self.key(&mut one.question_key);
        one.name.clone_from(&one.question_key);
        one.question.clone_from(&one.question_key);
        one.header = None;
        self.answers(one.options.iter_mut().flatten());
        self.answers(&mut one.top_answer);
        self.answers(one.answers.iter_mut().map(|answer| &mut answer.answer));
    }

    fn proposal(&mut self, one: &mut ReportedProposal) {
        self.key(&mut one.question_key);
        one.question.clone_from(&one.question_key);
        self.answers(&mut one.answer);
    }

    fn preference(&mut self, one: &mut StandingPreference) {
        self.key(&mut one.question_key);
        one.name.clone_from(&one.question_key);
        one.remedy = None;
        let standing = &mut one.standing;
        self.answers(&mut one.answer);
        self.answers(&mut standing.would_answer);
        self.answers(&mut standing.chosen_instead);
        for new in &mut standing.asked_as_new {
            // The word that was new follows the kind of difference.
            let kind = new.reason.split(':').next().unwrap_or_default();
            new.reason = kind.to_owned();
        }
    }

    fn groups(&mut self, by: GroupKey, groups: &mut [QuestionGroup]) {
        let kind = match by {
            GroupKey::Project => "project",
            GroupKey::Header => "header",
            GroupKey::Asker => "asker",
            GroupKey::Framework => "framework",
            GroupKey::Weekday | GroupKey::SessionKind | GroupKey::Agent => return,
        };
        self.put_all(kind, groups.iter_mut().filter_map(|one| one.name.as_mut()));
    }

    fn subject(&mut self, subject: &mut String, tool: &mut String) {
        self.put("prompt", subject);
        self.put("tool", tool);
    }

    fn prompt(&mut self, one: &mut LoggedPrompt) {
        self.subject(&mut one.subject, &mut one.tool);
        self.put("session", &mut one.session_id);
        self.put_all("asker", &mut one.skill);
        (one.cwd, one.source) = (String::new(), String::new());
        (one.input, one.free_text, one.although) = (None, None, None);
        one.suggestions.clear();
    }

    fn permissions(&mut self, prompts: &mut Permissions) {
        for one in &mut prompts.by_subject {
            self.subject(&mut one.subject, &mut one.tool);
        }
        let Some(detail) = &mut prompts.detail else {
            return;
        };
        let listed = detail.refusals.iter_mut().chain(&mut detail.blocked);
        listed.for_each(|one| self.prompt(one));
        for one in &mut detail.repeated {
            self.subject(&mut one.subject, &mut one.tool);
            one.suggestions.clear();
        }
        for one in &mut detail.denied_in_auto_mode {
            self.subject(&mut one.subject, &mut one.tool);
            (one.allowed_input, one.entry) = (None, None);
        }
        for one in &mut detail.skill_commands {
            self.put("asker", &mut one.skill);
        }
    }
}

impl ReportDocument {
    /// The same document with numbers instead of texts, projects, askers, commands and answers; a question that nobody
    /// named has its computed key. Call it before [`ReportDocument::with_sentences`], which quotes some of them.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        let mut numbers = Numbers::default();
        numbers.put_all("project", &mut self.heading.project);
        numbers.put_all("project", self.project_names());
        let report = &mut self.report;
        for one in &mut report.questions {
            numbers.question(one);
        }
        let most = report.asks_most.iter_mut().map(|one| &mut one.asker);
        let rejected = report.rejected_calls.iter_mut().map(|one| &mut one.asker);
        numbers.put_all("asker", most.chain(rejected));
        numbers.permissions(&mut report.permissions);
        self.own_rules.clear();
        for one in self.proposals.iter_mut().flatten() {
            numbers.proposal(one);
        }
        for one in &mut self.not_proposed {
            numbers.key(&mut one.question_key);
            one.question.clone_from(&one.question_key);
            LEFT_OUT.clone_into(&mut one.why);
        }
        for one in &mut self.standing_preferences {
            numbers.preference(one);
        }
        for one in &mut self.details.answered_for_you {
            numbers.put("project", &mut one.project);
            numbers.key(&mut one.question_key);
            one.name.clone_from(&one.question_key);
            one.question.clone_from(&one.question_key);
            numbers.answers(&mut one.answer);
        }
        numbers.groups(GroupKey::Asker, &mut self.details.askers);
        if let Some(groups) = self
            .groups
            .as_mut()
            .filter(|one| one.by != GroupKey::Project)
        {
            numbers.groups(groups.by, &mut groups.groups);
        }
        self
    }
}
