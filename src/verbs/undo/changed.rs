//! The answers that an undo takes back: what the person wants instead, and who is informed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use plantune_agents::{Agent, Moment};
use plantune_domain::corrections::{self, Correction};
use plantune_domain::event::Event;
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_query::decisions::Decision;
use plantune_reports::log::labels;
use plantune_reports::text::one_line;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::preferences::event;
use crate::terminal;
use crate::workspace::Workspace;

/// How much of a label is shown, in characters.
const SHOWN: usize = 200;

/// What a change that could not be made left as it was.
const UNCHANGED: &str = "the agent is not told";

/// An answer that is taken back.
pub(super) struct Undone {
    pub(super) decision: Decision,
    /// The label that the person wants instead.
    pub(super) wanted: Option<String>,
}

impl Undone {
    /// True when it was not taken back before, or the person says now what they want instead.
    pub(super) fn can_change(&self) -> bool {
        !self.decision.undone || self.wanted.is_some()
    }

    /// `evidence`, for the record, and what is wanted instead.
    pub(super) fn with_wanted(&self, evidence: Option<Value>) -> Option<Value> {
        let Some(wanted) = &self.wanted else {
            return evidence;
        };
        let mut evidence = evidence.unwrap_or_else(|| json!({}));
        if let Some(evidence) = evidence.as_object_mut() {
            evidence.insert("wanted".to_owned(), wanted.as_str().into());
        }
        Some(evidence)
    }
}

/// `decisions`, of one call, with the `answers` that the person wants instead; those alone, where there are
/// some.
///
/// # Errors
/// Usage (exit code 2) for a label that no question offers, that several do, or that was the answer.
pub(super) fn wanted(decisions: Vec<Decision>, answers: &[String]) -> Result<Vec<Undone>, Failure> {
    let mut undone: Vec<Undone> = decisions
        .into_iter()
        .map(|decision| Undone {
            decision,
            wanted: None,
        })
        .collect();
    if answers.is_empty() || undone.is_empty() {
        return Ok(undone);
    }
    for answer in answers {
        let offered = |one: &Undone| {
            one.decision
                .options
                .iter()
                .any(|label| same_label(label, answer))
        };
        let many = undone.iter().filter(|one| offered(one)).count();
        let usage = |fact: String| {
            let all = undone.iter().map(|one| labels(&one.decision.options));
            let hint = format!("offered: {}", all.collect::<Vec<_>>().join("; "));
            let offered = undone.iter().flat_map(|one| &one.decision.options);
            Failure::usage(fact)
                .did_you_mean(answer, offered.map(|label| strip_mark(label).0))
                .hint(hint)
        };
        let shown = one_line(answer, SHOWN);
        let fact = match many {
            0 => format!("\"{shown}\" was not offered"),
            1 => String::new(),
            _ => format!("several questions of the call offer \"{shown}\""),
        };
        if !fact.is_empty() {
            return Err(usage(fact));
        }
        let given = |one: &Undone| {
            one.decision
                .preferred
                .iter()
                .any(|label| same_label(label, answer))
        };
        if undone.iter().any(given) {
            return Err(usage(format!("\"{shown}\" is what was answered")));
        }
        for one in undone.iter_mut().filter(|one| offered(one)) {
            one.wanted = Some(strip_mark(answer).0.to_owned());
        }
    }
    undone.retain(|one| one.wanted.is_some());
    Ok(undone)
}

/// Logs the answers that were given while the person was away (those of preferences are on record with
/// these), and leaves all of them for the agent.
///
/// # Errors
/// Those of the file system.
pub(super) fn record(undone: &[&Undone], yes: bool, workspace: &Workspace) -> Result<(), Failure> {
    if undone.is_empty() {
        return Ok(());
    }
    let away: Vec<&Undone> = undone
        .iter()
        .copied()
        .filter(|one| one.decision.is_away())
        .collect();
    if !away.is_empty() {
        log(&away, yes, workspace)?;
    }
    let (told, others): (Vec<&Undone>, Vec<&Undone>) = undone
        .iter()
        .copied()
        .partition(|one| can_be_told(&one.decision));
    let paths = &workspace.paths;
    let mut files: BTreeMap<PathBuf, Vec<Correction>> = BTreeMap::new();
    for one in &told {
        let decision = &one.decision;
        let file = match decision.session_over || decision.session_id.is_empty() {
            true => corrections::of_project(paths, &decision.project),
            false => corrections::of_session(paths, &decision.session_id),
        };
        let answered: Vec<&str> = decision
            .preferred
            .iter()
            .map(|label| strip_mark(label).0)
            .collect();
        files.entry(file).or_default().push(Correction {
            question: decision.question.clone(),
            answered: answered.join(", "),
            wanted: one.wanted.clone(),
        });
    }
    for (file, found) in &files {
        corrections::add(file, found).map_err(|error| not_written(file, &error, UNCHANGED))?;
    }
    for one in &away {
        let question = one_line(&one.decision.question, SHOWN);
        terminal::print(&match &one.wanted {
            Some(wanted) => format!("changed: {question}: \"{}\"\n", one_line(wanted, SHOWN)),
            None => format!("taken back: {question}\n"),
        })?;
    }
    for one in others {
        let agent = agent(&one.decision).map_or("the agent", |agent| agent.title());
        terminal::print(&format!(
            "{agent} cannot be told: say in your next prompt that the answer no longer holds\n"
        ))?;
    }
    if told.is_empty() {
        return Ok(());
    }
    if told.iter().all(|one| one.decision.session_over) {
        return terminal::print("the session is over: the project's next one is told\n");
    }
    terminal::print("the agent is told in its next turn\n")
}

/// The agent that asked.
fn agent(decision: &Decision) -> Option<&'static dyn Agent> {
    plantune_agents::named(&decision.agent)
}

/// True when the agent takes what the hook says to it when the person speaks next.
pub(super) fn can_be_told(decision: &Decision) -> bool {
    agent(decision).is_some_and(|agent| agent.listens(Moment::Prompted))
}

/// Logs that answers given while the person was away were taken back. The reason is not that of other undos: what was
/// answered while the person was away is no evidence, and neither is that they changed it.
fn log<'a>(undone: &[&'a Undone], yes: bool, workspace: &Workspace) -> Result<(), Failure> {
    let event = |one: &&'a Undone| {
        let decision = &one.decision;
        let id = decision.tool_use_id.as_deref().unwrap_or_default();
        let index = decision.question_index.to_string();
        let event = Event {
            question_key: event::text(&decision.question_key),
            preference_scope: event::text(&decision.preference_scope),
            detail: Some(event::detail(one.with_wanted(None).as_ref(), yes)),
            ..event::event(workspace, "undo away", &[id, &index])
        };
        event::taking_back(decision, event)
    };
    let events: Vec<Event<'_>> = undone.iter().map(event).collect();
    event::log(workspace, &events, "nothing was taken back")
}
