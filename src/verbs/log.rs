//! `plantune log`: what was asked and answered, a line each; `plantune log KEY`: why.

use plantune_query::Store;
use plantune_query::habits::{EVERYWHERE, QuestionGrouping};
use plantune_query::permissions::prompts::{LoggedPrompt, WantedPrompts};
use plantune_query::questions::{LoggedDecision, QuestionKeys, WantedDecisions, names};
use plantune_query::report::AnswerCount;
use plantune_query::suggest::{Evidence, LastAsked};
use plantune_reports::csv;
use plantune_reports::explain::{Explanation, Explanations, Held, Judgement};
use plantune_reports::log::Log;
use plantune_reports::standing::StandingPreference;
use plantune_reports::text::one_line;

use crate::document::Document;
use crate::failure::Failure;
use crate::projects::ShortNames;
use crate::proposals::Depth;
use crate::request::{ExplainRequest, LogCall, LogRequest, RowFormat};
use crate::session::Session;
use crate::standing::{review, stored};
use crate::{preferences, proposals, rule_proposals, session};

/// Lists the latest questions, and prompts where they are wanted, the latest first.
///
/// # Errors
/// Conflict for a configuration that is not understood; failed when the store cannot be read.
pub(crate) fn run(call: &LogCall, session: &Session) -> Result<Document, Failure> {
    match call {
        LogCall::List(request) => list(request, session),
        LogCall::Explain(request) => explain_call(request, session),
    }
}

fn list(request: &LogRequest, session: &Session) -> Result<Document, Failure> {
    let project = request.project.as_deref();
    let days = request.period.as_ref().map(|period| period.days);
    let usual = if days.is_some() { u32::MAX } else { LISTED };
    let limit = request.limit.unwrap_or(usual);
    let wanted = WantedDecisions {
        project,
        auto_decided: request.auto,
        days,
        limit,
        ..WantedDecisions::default()
    };
    let decisions = session.decisions(&wanted)?;
    let prompts = match request.prompts {
        true => Some(session.ask(|store| {
            store.prompts(&WantedPrompts {
                project,
                days,
                limit: Some(limit),
                ..WantedPrompts::default()
            })
        })?),
        false => None,
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut log = Log::new(decisions, prompts, limit);
    if request.format == RowFormat::Csv {
        return Ok(Document::exact(csv::decisions(&log.decisions)?));
    }
    let json = request.format == RowFormat::Json;
    if !json {
        let names = ShortNames::new(session)?;
        let of_decisions = log.decisions.iter_mut().map(|one| &mut one.project);
        let of_prompts = log.prompts.iter_mut().flatten();
        of_decisions
            .chain(of_prompts.map(|one| &mut one.project))
            .for_each(|project| names.shorten(project));
    }
    Document::of(&log, json, session)
}

// `plantune log KEY`: why a question was asked or answered, and how a prompt for permission was.

/// How many are listed where the person does not say.
const LISTED: u32 = 20;

/// The fewest characters of the end of an id that are taken for it.
const LEAST_OF_ID: usize = 6;

/// How many askings of a key are explained.
const ASKINGS: u32 = 3;

/// More questions and prompts than a call has.
const OF_A_CALL: u32 = 64;

/// How many changes of preferences are shown.
const CHANGES: u32 = 10;

/// How much of a key or an id is shown, in characters.
const SHOWN: usize = 400;

/// Explains every question of the call, or the key.
///
/// # Errors
/// Failed for what was never asked and has no preference; conflict for a file that is not understood.
fn explain_call(request: &ExplainRequest, session: &Session) -> Result<Document, Failure> {
    let (project, json) = (request.project.clone(), request.json);
    let store = session.store()?;
    let whole = whole_id(store.as_deref(), &request.what, session)?;
    let what = whole.as_deref().unwrap_or(&request.what);
    let prompts = prompts(store.as_deref(), what, session)?;
    if !prompts.is_empty() {
        let document = Explanations {
            prompts,
            ..Explanations::default()
        };
        return write(document, json, session);
    }
    let standing = review(session)?;
    let explained = match &store {
        Some(store) => found(store, what, project.as_deref(), session)?,
        None => Vec::new(),
    };
    let explained = match explained.is_empty() {
        // A preference for what was never asked is worth a word too.
        true => {
            let names = QuestionKeys {
                today: what.to_owned(),
                logged: vec![what.to_owned()],
            };
            vec![(names, project, Vec::new())]
        }
        false => explained,
    };
    let mut document = Explanations::default();
    for (names, project, decisions) in explained {
        let mut one = explanation(&names, decisions, &standing, session)?;
        if let Some(store) = &store {
            add_evidence(&mut one, &names, store, project.as_deref(), session)?;
        }
        document.explanations.push(one);
    }
    let mut explanations = document.explanations.iter();
    if explanations.all(|one| one.decisions.is_empty() && one.preferences.is_empty()) {
        let known = session::questions(None, session)?;
        return Err(Failure::failed(format!(
            "no question or permission prompt has the key or id {:?}",
            one_line(what, SHOWN)
        ))
        .did_you_mean(what, known.iter().map(|one| one.question_key.as_str()))
        .hint("`plantune log --prompts` lists them with their ids"));
    }
    write(document, json, session)
}

/// The one id that ends in `what`, if there is one.
///
/// # Errors
/// When the store cannot be read.
fn whole_id(
    store: Option<&Store>,
    what: &str,
    session: &Session,
) -> Result<Option<String>, Failure> {
    let Some(store) = store.filter(|_| what.len() >= LEAST_OF_ID) else {
        return Ok(None);
    };
    let mut found = session.read(store.ids_ending(what))?;
    Ok(found.pop().filter(|_| found.is_empty()))
}

fn write(mut document: Explanations, json: bool, session: &Session) -> Result<Document, Failure> {
    if !json {
        let names = ShortNames::new(session)?;
        let projects = document.projects();
        projects.for_each(|project| names.shorten(project));
    }
    Document::of(&document, json, session)
}

/// The prompts for permission of that id, or about the call of that id, with why those came that a rule seems to
/// cover.
fn prompts(
    store: Option<&Store>,
    id: &str,
    session: &Session,
) -> Result<Vec<LoggedPrompt>, Failure> {
    let Some(store) = store else {
        return Ok(Vec::new());
    };
    let wanted = WantedPrompts {
        id: Some(id),
        limit: Some(OF_A_CALL),
        ..WantedPrompts::default()
    };
    let mut prompts = session.read(store.prompts(&wanted))?;
    if !prompts.is_empty() {
        rule_proposals::say_although(session, &mut prompts)?;
    }
    Ok(prompts)
}

/// A question's names, the one project it is looked at in, if it is one, and the askings to explain.
type Explained = (QuestionKeys, Option<String>, Vec<LoggedDecision>);

/// The questions of the call of that id; else the latest askings of the key, under whatever key they
/// were logged.
fn found(
    store: &Store,
    what: &str,
    project: Option<&str>,
    session: &Session,
) -> Result<Vec<Explained>, Failure> {
    let grouping = session.read(QuestionGrouping::read(store, session.registry()?))?;
    let decisions = |wanted: &WantedDecisions<'_>| session.read(store.decisions(wanted));
    let of_call = decisions(&WantedDecisions {
        tool_use_id: Some(what),
        limit: OF_A_CALL,
        ..WantedDecisions::default()
    })?;
    let mut found = Vec::new();
    for decision in of_call {
        let project = decision.project.clone();
        let key = decision.question_key.clone().unwrap_or_default();
        let names = session.read(names(store, &grouping, &key, Some(&project)))?;
        found.push((names, Some(project), vec![decision]));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let names = session.read(names(store, &grouping, what, project))?;
    let of_key = decisions(&WantedDecisions {
        question_keys: &names.logged,
        project,
        limit: ASKINGS,
        ..WantedDecisions::default()
    })?;
    if of_key.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![(names, project.map(str::to_owned), of_key)])
}

/// The preferences about the question, under all its names.
fn explanation(
    names: &QuestionKeys,
    decisions: Vec<LoggedDecision>,
    standing: &[StandingPreference],
    session: &Session,
) -> Result<Explanation, Failure> {
    let registry = session.registry()?;
    let is_meant = |key: &str| names.logged.iter().any(|name| name == key);
    let (mut preferences, mut problems) = (Vec::new(), Vec::new());
    for file in preferences::all(session) {
        problems.extend(file.problem.clone());
        for (key, preference) in file.preferences.iter().filter(|(key, _)| is_meant(key)) {
            let standing = file.standing(key, standing);
            preferences.push(Held {
                stored: stored(&file, key, preference, standing, session)?,
                standing: standing.cloned(),
            });
        }
    }
    Ok(Explanation {
        registry_door: registry.door_of(&names.today),
        question_key: names.today.clone(),
        decisions,
        preferences,
        problems,
        answers: Vec::new(),
        judgements: Vec::new(),
        changes: Vec::new(),
    })
}

/// The store's account of it: in `project`, or in all of them.
fn add_evidence(
    one: &mut Explanation,
    names: &QuestionKeys,
    store: &Store,
    project: Option<&str>,
    session: &Session,
) -> Result<(), Failure> {
    let key = names.today.as_str();
    let answers = session.read(store.answers_by_name(&names.logged, project))?;
    one.answers = answers
        .into_iter()
        .map(|(answer, times)| AnswerCount { answer, times })
        .collect();
    one.changes = session.read(store.preference_changes(&names.logged, CHANGES))?;
    let depth = Depth {
        reasons: true,
        ..Depth::default()
    };
    let (found, _) = proposals::find(session, store, project, depth, |_| ())?;
    let judgement =
        |asked: &LastAsked, answer: &Option<String>, evidence: &Evidence, reason| Judgement {
            project: match asked.project.as_str() {
                EVERYWHERE => "every project".to_owned(),
                project => project.to_owned(),
            },
            proposed: Option::is_none(&reason),
            answer: answer.clone(),
            answers: evidence.answers,
            agreed: evidence.agreed,
            reason,
        };
    let proposed = found.suggestions.iter();
    let proposed = proposed.filter(|one| one.asked.question_key == key);
    let rejected = found.rejected.iter();
    let rejected = rejected.filter(|one| one.asked.question_key == key);
    one.judgements = proposed
        .map(|one| judgement(&one.asked, &one.answer, &one.evidence, None))
        .chain(rejected.map(|one| {
            judgement(
                &one.asked,
                &one.answer,
                &one.evidence,
                Some(one.reason.to_string()),
            )
        }))
        .collect();
    Ok(())
}
