//! `plantune undo`: takes back an answer that was given for the person, with the preference behind it, or a permission
//! rule that `suggest` added.

use std::collections::BTreeMap;
use std::path::PathBuf;

use plantune_agents::{Agent, Moment};
use plantune_domain::away;
use plantune_domain::away::Correction;
use plantune_domain::event::{ChangeReason, Event};
use plantune_domain::keys::is_id;
use plantune_domain::preferences::{Level, Policy, Preference, Scope};
use plantune_domain::recommended::{same_label, strip_mark};
use plantune_domain::sanitize::shell_word;
use plantune_query::questions::{LoggedDecision, WantedDecisions};
use plantune_reports::log;
use plantune_reports::log::labels;
use plantune_reports::text::one_line;
use plantune_settings::accepted_rules::holding;
use plantune_settings::file::lock;
use serde_json::{Value, json};

use crate::changes::{Change, apply, from_now_on, taking_back, text, undo};
use crate::document::Document;
use crate::failure::{Failure, not_written};
use crate::preferences::{PreferenceScope, each, meant_key};
use crate::request::UndoRequest;
use crate::rule_proposals::remove;
use crate::session::Session;
use crate::settings_change::host;
use crate::started_by::call;
use crate::terminal::consent::Confirmation;
use crate::verbs::tidy;
use crate::{changes, preferences, projects, terminal};

/// How much of a key or an id is shown, in characters.
const SHOWN: usize = 400;

/// More questions than a call has.
const OF_A_CALL: u32 = 64;

/// Takes back what is named: a permission rule, a preference, or the answers of a call with the preferences behind them.
///
/// # Errors
/// Failed without such an answer, and when it was taken back already; usage for a label that was not
/// offered; refused where the person
/// cannot be asked; conflict for a file that is not understood.
pub(crate) fn run(request: &UndoRequest, session: &Session) -> Result<Document, Failure> {
    if let Some(word) = &request.what {
        if let Some(done) = take_rule_out(word, request.yes, session) {
            return done.map(|()| Document::default());
        }
        let scope = request.project.clone().map(PreferenceScope::Project);
        let key = meant_key(word, scope.as_ref(), session)?;
        if is_id(&key)
            && let Some((scope, before)) = preference(&key, request, session)?
        {
            return take_preference_back(&key, scope, &before, request.yes, session);
        }
    }
    take_answers_back(request, session)
}

// `plantune undo KEY`: takes a preference back.

/// The preference for `key`, and where it stands: in the project that is meant or everywhere; `None` where there is none.
fn preference(
    key: &str,
    request: &UndoRequest,
    session: &Session,
) -> Result<Option<(PreferenceScope, Preference)>, Failure> {
    let wanted = &request.project;
    let files = preferences::all(session);
    let of_key = each(&files).filter(|(_, one, _)| *one == key);
    let standing = of_key.map(|(file, _, one)| (file.preference_scope(), one.clone()));
    let is_meant = |(scope, _): &(PreferenceScope, Preference)| match (wanted, scope.project()) {
        (Some(wanted), Some(project)) => wanted == project,
        _ => true,
    };
    let mut found: Vec<(PreferenceScope, Preference)> = standing.filter(is_meant).collect();
    if found.len() > 1 {
        // The nearest one: that of the project that is named, else of the current folder's.
        let here = projects::resolve(".", session)?;
        let near = wanted.as_deref().unwrap_or(&here);
        found.retain(|(scope, _)| scope.project() == Some(near));
        if found.is_empty() {
            let fact = format!("{} is set in several projects", one_line(key, SHOWN));
            return Err(Failure::usage(fact)
                .hint("choose one with --project; `plantune prefs list` shows them"));
        }
    }
    Ok(found.pop())
}

fn take_preference_back(
    key: &str,
    scope: PreferenceScope,
    before: &Preference,
    yes: bool,
    session: &Session,
) -> Result<Document, Failure> {
    let change = Change::new(session, scope, key, None, ChangeReason::PrefsClear);
    let confirmation = Confirmation {
        sentence: &from_now_on(&change, Some(before), None, session),
        question: "Take it back?",
        yes,
        command: &call(),
    };
    apply(session, &[change], &confirmation).map(Document::after_change)
}

// `plantune undo` and `plantune undo ID`: takes the answers of a call back, and the preferences behind them.

/// Takes the answers of the call back, and the preferences behind them, after showing what was answered
/// and asking.
///
/// # Errors
/// The errors of [`run`].
fn take_answers_back(request: &UndoRequest, session: &Session) -> Result<Document, Failure> {
    let undone = wanted(undoable(request, session)?, &request.answers)?;
    let first = undone.first().map(|one| &one.decision);
    let Some(id) = first.and_then(|one| one.tool_use_id.clone()) else {
        return Err(nothing(request, session));
    };
    let mut changes: Vec<Change> = Vec::new();
    for one in &undone {
        if let Some(change) = change(one, session)?
            && !changes.iter().any(|one| is_same(one, &change))
        {
            changes.push(change);
        }
    }
    let takes_back = |one: &&Undone| {
        let key = one.decision.question_key.as_ref();
        one.can_change()
            && (one.decision.is_away() || changes.iter().any(|change| Some(&change.key) == key))
    };
    let changed: Vec<&Undone> = undone.iter().filter(takes_back).collect();
    if changes.is_empty() && changed.is_empty() {
        let id = one_line(&id, SHOWN);
        let by_preference = undone.iter().any(|one| is_by_preference(&one.decision));
        return Err(Failure::failed(match by_preference {
            true => format!("the preference that answered {id} is already gone"),
            false => format!("you already took {id} back"),
        })
        .hint("`plantune log --auto` lists the other answers"));
    }
    let mut out = session.terminal();
    undone
        .iter()
        .for_each(|one| log::show(&one.decision, &mut out));
    terminal::print(&out.into_text())?;
    // The command names the id, because another answer may be the last one by then.
    let command = undone.iter().filter_map(|one| one.wanted.as_deref()).fold(
        format!("plantune undo {}", shell_word(&id)),
        |command, label| format!("{command} --answer {}", shell_word(label)),
    );
    let confirmation = Confirmation {
        sentence: &sentence(&changes, &undone, session)?,
        question: "Take it back?",
        yes: request.yes,
        command: &terminal::sanitized(&command),
    };
    let is_given = match changes.is_empty() {
        true => {
            session.close_store();
            confirmation.is_given(session, "")?
        }
        false => apply(session, &changes, &confirmation)?,
    };
    if !is_given {
        return Ok(Document::default());
    }
    record(&changed, request.yes, session)?;
    Ok(Document::after_change(!changes.is_empty()))
}

/// True where both take the same preference away.
fn is_same(one: &Change, other: &Change) -> bool {
    (&one.scope, &one.key) == (&other.scope, &other.key)
}

/// The meaning of taking `changes` back: the preferences behind the answers `undone`.
fn sentence(changes: &[Change], undone: &[Undone], session: &Session) -> Result<String, Failure> {
    if changes.is_empty() {
        let is_told = undone.iter().all(|one| can_be_reported(&one.decision));
        let sentence = match is_told {
            true => "The agent learns that this answer no longer holds.",
            false => "This answer no longer holds.",
        };
        return Ok(sentence.to_owned());
    }
    let of = |change: &Change| {
        let before = preferences::preference(session, &change.scope, &change.key)?;
        let sentence = from_now_on(change, before.as_ref(), None, session);
        let is_trial = |one: &Undone| {
            one.decision.level == Some(Level::Trial.into())
                && one.decision.question_key.as_ref() == Some(&change.key)
        };
        Ok(match undone.iter().any(is_trial) {
            true => format!("{sentence} Its trial has ended."),
            false => sentence,
        })
    };
    let sentences: Vec<String> = changes.iter().map(of).collect::<Result<_, Failure>>()?;
    Ok(sentences.join("\n"))
}

/// The questions of the call that is to be undone, as far as a preference answered them, or they were
/// answered because the person was away.
fn undoable(request: &UndoRequest, session: &Session) -> Result<Vec<LoggedDecision>, Failure> {
    let id = match &request.what {
        Some(id) => Some(id.clone()),
        None => last(request.project.as_deref(), session)?,
    };
    let Some(id) = id else {
        return Ok(Vec::new());
    };
    let wanted = WantedDecisions {
        tool_use_id: Some(&id),
        auto_decided: true,
        limit: OF_A_CALL,
        ..WantedDecisions::default()
    };
    let mut decisions = session.decisions(&wanted)?;
    decisions.retain(is_undoable);
    Ok(decisions)
}

/// The id of the last call with such an answer, in the project that is meant; of one that was not taken back, if there is
/// any.
fn last(project: Option<&str>, session: &Session) -> Result<Option<String>, Failure> {
    let wanted = WantedDecisions {
        project,
        auto_decided: true,
        limit: OF_A_CALL,
        ..WantedDecisions::default()
    };
    let mut decisions = session.decisions(&wanted)?;
    decisions.retain(is_undoable);
    decisions.sort_by_key(|decision| decision.undone);
    Ok(decisions
        .into_iter()
        .find_map(|decision| decision.tool_use_id))
}

/// True for an answer of a preference, and for a recommended one that was given while the person was away. An answer
/// that was repeated from earlier in the session, or came from the reviewer, is not undone here.
fn is_undoable(decision: &LoggedDecision) -> bool {
    decision.is_away() || is_by_preference(decision)
}

fn is_by_preference(decision: &LoggedDecision) -> bool {
    let policy = decision.preference.as_deref().and_then(Policy::parse);
    decision.preference_scope.is_some() && policy.is_some()
}

/// The change that takes back the preference that answered; `None` when none did, or it is gone already.
fn change(undone: &Undone, session: &Session) -> Result<Option<Change>, Failure> {
    let decision = &undone.decision;
    let key = decision.question_key.as_ref();
    let Some(key) = key.filter(|_| is_by_preference(decision)) else {
        return Ok(None);
    };
    let scope = decision.preference_scope.as_deref().and_then(Scope::parse);
    let scope = match scope {
        Some(Scope::Global) => PreferenceScope::Global,
        Some(Scope::Project) | None => PreferenceScope::Project(decision.project.clone()),
    };
    if preferences::preference(session, &scope, key)?.is_none() {
        return Ok(None);
    }
    let mut change = Change::new(session, scope, key, None, ChangeReason::Undo);
    change.evidence = undone.with_wanted(change.evidence);
    change.undone = Some(decision.clone());
    Ok(Some(change))
}

fn nothing(request: &UndoRequest, session: &Session) -> Failure {
    let what = match (&request.what, &request.project) {
        (Some(id), _) => format!("no preference answered the call {:?}", one_line(id, SHOWN)),
        (None, None) => "no preference has answered anything yet".to_owned(),
        (None, Some(_)) => "no preference has answered anything in this project yet".to_owned(),
    };
    let is_bare = request.what.is_none() && request.project.is_none();
    let hint = match last_set(session).filter(|_| is_bare) {
        Some(undo) => format!("to remove the preference you set last: {undo}"),
        None => "`plantune log --auto` lists the answers plantune gave".to_owned(),
    };
    Failure::failed(what).hint(hint)
}

/// The command that takes back the preference that was set last, in backquotes, if one is.
fn last_set(session: &Session) -> Option<String> {
    let files = preferences::all(session);
    let known = each(&files).filter(|(file, key, _)| file.problem.is_none() && is_id(key));
    let dated = known.filter(|(.., preference)| preference.set_at.is_some());
    let last = dated.max_by_key(|(.., preference)| preference.set_at.as_deref());
    let (file, key, preference) = last?;
    Some(undo(key, preference, &file.preference_scope(), session))
}

// The answers that an undo takes back: what the person wants instead, and who is informed.

/// How much of a label is shown, in characters.
const SHOWN_QUESTION: usize = 200;

/// The words for a change that could not be made.
const UNCHANGED: &str = "the agent is not told";

/// An answer that is taken back.
struct Undone {
    decision: LoggedDecision,
    /// The label that the person wants instead.
    wanted: Option<String>,
}

impl Undone {
    /// True when it was not taken back before, or the person says now what they want instead.
    fn can_change(&self) -> bool {
        !self.decision.undone || self.wanted.is_some()
    }

    /// `evidence`, for the record, and what is wanted instead.
    fn with_wanted(&self, evidence: Option<Value>) -> Option<Value> {
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
fn wanted(decisions: Vec<LoggedDecision>, answers: &[String]) -> Result<Vec<Undone>, Failure> {
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
        let is_it = |label: &String| same_label(label, answer);
        let offers = |one: &Undone| one.decision.options.iter().any(is_it);
        let is_given = |one: &Undone| one.decision.preferred.iter().any(is_it);
        let shown = one_line(answer, SHOWN_QUESTION);
        let problem = match undone.iter().filter(|one| offers(one)).count() {
            0 => Some(format!("\"{shown}\" was not offered")),
            1 if undone.iter().any(is_given) => Some(format!("\"{shown}\" is what was answered")),
            1 => None,
            _ => Some(format!("several questions of the call offer \"{shown}\"")),
        };
        if let Some(problem) = problem {
            let offered = undone.iter().flat_map(|one| &one.decision.options);
            let all = undone.iter().map(|one| labels(&one.decision.options));
            return Err(Failure::usage(problem)
                .did_you_mean(answer, offered.map(|label| strip_mark(label).0))
                .hint(format!("offered: {}", all.collect::<Vec<_>>().join("; "))));
        }
        for one in undone.iter_mut().filter(|one| offers(one)) {
            one.wanted = Some(strip_mark(answer).0.to_owned());
        }
    }
    undone.retain(|one| one.wanted.is_some());
    Ok(undone)
}

/// Logs the answers that were given while the person was away, leaves all answers for the agent, and says so. The
/// answers of preferences were logged when the preference was taken back.
///
/// # Errors
/// The errors of the file system.
fn record(undone: &[&Undone], yes: bool, session: &Session) -> Result<(), Failure> {
    let is_away = |one: &&Undone| one.decision.is_away();
    let away: Vec<&Undone> = undone.iter().copied().filter(is_away).collect();
    if !away.is_empty() {
        log(&away, yes, session)?;
    }
    let can_be_reported = |one: &&Undone| can_be_reported(&one.decision);
    let (told, others): (Vec<&Undone>, Vec<&Undone>) =
        undone.iter().copied().partition(can_be_reported);
    leave_corrections(&told, session)?;
    for one in &away {
        let question = one_line(&one.decision.question, SHOWN_QUESTION);
        terminal::print(&match &one.wanted {
            Some(wanted) => format!(
                "Changed to \"{}\": {question}\n",
                one_line(wanted, SHOWN_QUESTION)
            ),
            None => format!("Taken back: {question}\n"),
        })?;
    }
    for one in others {
        let agent = agent(&one.decision).map_or("the agent", |agent| agent.title());
        terminal::print(&format!(
            "plantune cannot tell {agent}. Say in your next prompt that the answer no longer holds.\n"
        ))?;
    }
    match told.as_slice() {
        [] => Ok(()),
        told if told.iter().all(|one| one.decision.session_over) => {
            terminal::print("The session is over, so the next one in this project learns of it.\n")
        }
        _ => terminal::print("The agent learns of it in its next turn.\n"),
    }
}

/// Leaves what is taken back for the hook, which tells the agent: in its session, or in the project's next one.
///
/// # Errors
/// The errors of the file system.
fn leave_corrections(undone: &[&Undone], session: &Session) -> Result<(), Failure> {
    let paths = &session.paths;
    let mut files: BTreeMap<PathBuf, Vec<Correction>> = BTreeMap::new();
    for one in undone {
        let decision = &one.decision;
        let file = match decision.session_over || decision.session_id.is_empty() {
            true => away::of_project(paths, &decision.project),
            false => away::of_session(paths, &decision.session_id),
        };
        let answered = decision.preferred.iter().map(|label| strip_mark(label).0);
        files.entry(file).or_default().push(Correction {
            question: decision.question.clone(),
            answered: answered.collect::<Vec<_>>().join(", "),
            wanted: one.wanted.clone(),
        });
    }
    for (file, found) in &files {
        away::add(file, found).map_err(|error| not_written(file, &error, UNCHANGED))?;
    }
    Ok(())
}

/// The agent that asked.
fn agent(decision: &LoggedDecision) -> Option<&'static dyn Agent> {
    plantune_agents::named(&decision.agent)
}

/// True when the agent takes what the hook says to it when the person speaks next.
fn can_be_reported(decision: &LoggedDecision) -> bool {
    agent(decision).is_some_and(|agent| agent.listens(Moment::Prompted))
}

/// Logs that answers given while the person was away were taken back. They have a reason of their own in the log: an
/// answer given while the person was away is no evidence of what they want, so taking it back is none either.
fn log<'a>(undone: &[&'a Undone], yes: bool, session: &Session) -> Result<(), Failure> {
    let event = |one: &&'a Undone| {
        let decision = &one.decision;
        let id = decision.tool_use_id.as_deref().unwrap_or_default();
        let index = decision.question_index.to_string();
        let base = changes::event(session, ChangeReason::UndoAway, &[id, &index]);
        let event = Event {
            question_key: text(&decision.question_key),
            preference_scope: text(&decision.preference_scope),
            detail: Some(changes::detail(one.with_wanted(None).as_ref(), yes)),
            ..base
        };
        taking_back(decision, event)
    };
    let events: Vec<Event<'_>> = undone.iter().map(event).collect();
    changes::log(session, &events, "nothing was taken back")
}

// `plantune undo RULE`: takes out a permission rule that `suggest` added, or puts back one that `--tidy` took out.

/// How much of a rule is shown, in characters.
const SHOWN_RULE: usize = 220;

/// Takes `text` out of the settings that plantune added it to, or puts it back; `None` when it is no such rule, and does not
/// look like one.
///
/// # Errors
/// Failed for what looks like a rule and was not added by plantune; conflict for a file that is not
/// understood; refused where the person cannot be asked.
fn take_rule_out(text: &str, yes: bool, session: &Session) -> Option<Result<(), Failure>> {
    let files = holding(&host(session), text);
    let shown = one_line(text, SHOWN_RULE);
    if files.is_empty()
        && let Some(put_back) = tidy::put_back(text, yes, session)
    {
        return Some(put_back);
    }
    if files.is_empty() {
        let looks_so = text.contains('(') || text.starts_with("mcp__");
        return looks_so.then(|| {
            Err(
                Failure::failed(format!("plantune neither added nor took out the rule {shown}"))
                    .hint("it removes only rules that it added, and puts back those that `suggest --tidy` took out"),
            )
        });
    }
    Some(take_out(text, yes, session))
}

fn take_out(rule: &str, yes: bool, session: &Session) -> Result<(), Failure> {
    session.close_store();
    let _lock = lock(session.paths.data())?;
    for file in holding(&host(session), rule) {
        remove(session, &file, rule, yes, &call())?;
    }
    Ok(())
}
