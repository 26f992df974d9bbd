//! What `suggest` proposes for questions, as what it changes.

use std::io::{self, Write};

use plantune_domain::clock;
use plantune_domain::family::asking_part;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_query::suggest::{AskerSuggestion, Suggestion, Suggestions};
use plantune_reports::inert::one_line;
use plantune_reports::suggestions::{Terminal, answer_in_words};
use plantune_reports::text::hanging;

use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::scope::PreferenceScope;
use crate::terminal;
use crate::workspace::Workspace;

/// How much of a text is shown, in columns.
const SHOWN_TEXT: usize = 200;

/// Why a question is set to be asked: it is not to be proposed again.
const NEVER: &str = "suggest never";

/// What is proposed and applied as one.
pub(super) enum Proposal<'a> {
    /// For one question.
    Question(&'a Suggestion),
    /// For the questions of one asker, some of them left out.
    Asker(AskerSuggestion),
}

impl<'a> Proposal<'a> {
    /// All proposals but those for the questions `except`.
    pub(super) fn all(found: &'a Suggestions, except: &[String]) -> Vec<Self> {
        let wanted = |one: &Suggestion| !except.contains(&one.asked.question_key);
        let questions = found.suggestions.iter().filter(|one| wanted(one));
        let askers = found.askers.iter().cloned().map(|mut asker| {
            asker.questions.retain(wanted);
            asker
        });
        let askers = askers.filter(|asker| !asker.questions.is_empty());
        questions
            .map(Self::Question)
            .chain(askers.map(Self::Asker))
            .collect()
    }

    /// What `--only` calls it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Question(one) => &one.asked.question_key,
            Self::Asker(asker) => &asker.asker,
        }
    }

    /// The questions that it is for.
    pub(super) fn questions(&self) -> Vec<&Suggestion> {
        match self {
            Self::Question(one) => vec![one],
            Self::Asker(asker) => asker.questions.iter().collect(),
        }
    }

    /// What setting it changes.
    pub(super) fn changes(&self, workspace: &Workspace) -> Result<Vec<Change>, Failure> {
        let questions = self.questions().into_iter();
        questions.map(|one| change(one, workspace)).collect()
    }

    /// What it changes never to propose it again: each question is set to be asked.
    pub(super) fn never(&self, workspace: &Workspace) -> Result<Vec<Change>, Failure> {
        let questions = self.questions().into_iter();
        questions.map(|one| never(one, workspace)).collect()
    }

    /// Writes it with its evidence, and the texts that show how far it reaches, for a terminal `width` columns wide.
    pub(super) fn show(&self, number: usize, width: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let proposal = match self {
            Self::Question(one) => (*one).into(),
            Self::Asker(asker) => asker.into(),
        };
        Terminal { width }.proposal(number, &proposal, out)?;
        let Self::Question(one) = self else {
            return Ok(());
        };
        let under = " ".repeat(13);
        for (number, text) in one.binding.most_different.iter().enumerate() {
            let first = if number == 0 { "   so far:   " } else { &under };
            let text = one_line(asking_part(text), SHOWN_TEXT);
            write!(out, "{}", hanging(first, &under, &text, width))?;
        }
        Ok(())
    }
}

/// What is proposed for questions, and the rules.
pub(super) type Chosen<'a, 'p> = (Vec<&'a Proposal<'p>>, Vec<&'a RuleProposal>);

/// The proposals of these names; all of them without names.
///
/// # Errors
/// Failed for a name that is not proposed.
pub(super) fn chosen<'a, 'p>(
    proposals: &'a [Proposal<'p>],
    rules: &'a [RuleProposal],
    only: &[String],
) -> Result<Chosen<'a, 'p>, Failure> {
    let questions = proposals.iter().map(|one| one.name().to_owned());
    let texts = rules.iter().map(|one| one.rule.to_string());
    let mut names: Vec<String> = questions.chain(texts).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(name)) {
        names.dedup();
        return Err(
            Failure::failed(format!("{unknown:?} is not among the proposals"))
                .hint(format!("proposed are: {}", names.join(", "))),
        );
    }
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    let proposals = proposals.iter().filter(|one| is_wanted(one.name()));
    let rules = rules.iter().filter(|one| is_wanted(&one.rule.to_string()));
    Ok((proposals.collect(), rules.collect()))
}

fn change(suggestion: &Suggestion, workspace: &Workspace) -> Result<Change, Failure> {
    let asked = &suggestion.asked;
    let evidence = serde_json::to_value(&suggestion.evidence)?;
    Ok(Change {
        scope: match suggestion.scope() {
            Scope::Project => PreferenceScope::Project(asked.project.clone()),
            Scope::Global => PreferenceScope::Global,
        },
        key: asked.question_key.clone(),
        preference: Some(Preference {
            set_at: Some(clock::timestamp(workspace.now)),
            set_by: Some("suggest".to_owned()),
            evidence: Some(evidence.clone()),
            ..suggestion.preference()
        }),
        reason: "suggest",
        evidence: Some(evidence),
        undone: None,
    })
}

/// Remembers that the question is not to be proposed again, as what it is: a preference to be asked.
fn never(suggestion: &Suggestion, workspace: &Workspace) -> Result<Change, Failure> {
    let mut change = change(suggestion, workspace)?;
    change.reason = NEVER;
    if let Some(preference) = &mut change.preference {
        preference.preference = Policy::AlwaysAsk;
        preference.answer = None;
        preference.level = None;
        preference.assist = None;
    }
    Ok(change)
}

/// Reports what was set, and how to take it back.
pub(super) fn report(change: &Change) -> Result<(), Failure> {
    if change.reason == NEVER {
        return terminal::print(&format!(
            "never: {} is always asked, and not proposed again\n  undo: plantune prefs clear {} {}\n",
            change.key,
            change.key,
            terminal::sanitized(&change.scope.arguments())
        ));
    }
    let preference = change.preference.as_ref();
    let answer = preference.and_then(|preference| preference.answer.as_deref());
    let done = match (preference.map(|one| (one.preference, one.level)), answer) {
        (Some((Policy::Assist, _)), _) => format!(
            "is asked with {} shown as your usual answer",
            answer.map_or_else(
                || "the recommendation".to_owned(),
                |label| answer_in_words(Some(label))
            )
        ),
        (Some((_, Some(Level::Trial))), Some(label)) => {
            format!("is answered on trial with {}", answer_in_words(Some(label)))
        }
        (Some((_, Some(Level::Trial))), None) => "follows the recommendation on trial".to_owned(),
        (_, Some(label)) => format!("is answered with {}", answer_in_words(Some(label))),
        (_, None) => "follows the recommendation".to_owned(),
    };
    let place = change.scope.project().map_or_else(
        || "everywhere".to_owned(),
        |project| format!("in {}", terminal::sanitized(project)),
    );
    terminal::print(&format!(
        "set: {} {done} {place}\n  undo: plantune prefs clear {} {}\n",
        change.key,
        change.key,
        terminal::sanitized(&change.scope.arguments()),
    ))
}
