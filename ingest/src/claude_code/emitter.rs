//! Turns calls into events with the ids and content that the hook would have logged, in the order of the log.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use plantune_agents::claude_code;
use plantune_domain::answer::Answer;
use plantune_domain::event::{
    ANSWERS_IN_INPUT, AskReason, Event, Kind, Mechanism, NOT_PRINTED, QuestionOutcome,
    RefusalReason, SCHEMA_VERSION, question_event_id,
};
use plantune_domain::json::Text;
use plantune_domain::permissions::event_id;
use plantune_domain::project::{around_worktrees, project_key};
use plantune_domain::question::Question;
use plantune_domain::result_text::nobody_was_there;
use plantune_domain::results::Outcome;
use plantune_domain::secrets::{masked, masked_path};
use plantune_domain::session_kind::SessionKind;
use plantune_domain::{hash, session_kind};

use super::call::{CallOrigin, QuestionCall};
use super::decision::{CallDecision, Decided, MayPrompt, Prompts, waited};
use super::judged::JudgedCall;
use super::transcript::{PermissionFact, Transcript, Turn};
use super::{Sink, TranscriptSummary};
use crate::Error;

/// The `source` of imported events.
pub(crate) const SOURCE: &str = "import:claude-code";

/// Emits events, each once.
pub(crate) struct Emitter<'s> {
    sink: Sink<'s>,
    /// The project key by working directory: finding it reads files.
    projects: HashMap<String, String>,
    /// Digests of the ids of the emitted events.
    emitted: HashSet<[u8; 16]>,
    /// Digests of the calls that were read.
    calls: HashSet<[u8; 16]>,
    undated: HashSet<[u8; 16]>,
    /// The outcome of each question, by the digest of call and index; open without a result.
    outcomes: HashMap<[u8; 16], QuestionOutcome>,
    pub(crate) prompts: Prompts,
    /// The `source` of the events, and the agent's name in them.
    pub(crate) of: (&'static str, Option<&'static str>),
    /// True when an allowed call counts only if the hook logged its prompt.
    pub(crate) needs_prompt: bool,
    pub(crate) summary: TranscriptSummary,
}

/// One question of a call on its way to events.
struct AskedQuestion<'c> {
    call: &'c QuestionCall,
    question: &'c Question,
    index: usize,
    project: &'c str,
    asked_at: &'c str,
    /// A hook's answer and how it was given.
    decided: Option<&'c (Answer, Mechanism)>,
    /// True when a hook answered it, and it was asked all the same.
    is_withdrawn: bool,
    outcome: Option<&'c Outcome>,
}

impl<'s> Emitter<'s> {
    pub(crate) fn new(prompts: Prompts, sink: Sink<'s>) -> Self {
        Self {
            sink,
            projects: HashMap::new(),
            emitted: HashSet::new(),
            calls: HashSet::new(),
            undated: HashSet::new(),
            outcomes: HashMap::new(),
            prompts,
            of: (SOURCE, None),
            needs_prompt: false,
            summary: TranscriptSummary::default(),
        }
    }

    /// Emits who allowed the calls of `transcript`, if known.
    pub(crate) fn emit_permissions(&mut self, transcript: &Transcript) -> Result<(), Error> {
        for found in &transcript.found {
            match found {
                PermissionFact::Decided(decided) => self.emit_decided(decided)?,
                PermissionFact::Turn(turn) => self.emit_turn(turn)?,
            }
        }
        Ok(())
    }

    /// Emits how a call was decided.
    pub(crate) fn emit_decided(&mut self, decided: &Decided) -> Result<(), Error> {
        let Some(at) = decided.of.at.as_deref() else {
            self.undated.insert(hash::digest(&[&decided.tool_use_id]));
            return Ok(());
        };
        if self.prompts.is_too_new(decided) {
            return Ok(());
        }
        let kind = decided.decision.kind();
        let id = event_id(kind, &decided.tool_use_id);
        if self.emitted.contains(&hash::digest(&[&id])) {
            return Ok(());
        }
        let prompt = match kind {
            Kind::PermissionDenied => None,
            _ => self.prompts.take(decided),
        };
        // A prompt that no hook logged was not shown to anybody.
        if decided.prompt != MayPrompt::Yes && prompt.is_none() {
            return Ok(());
        }
        // A call interrupted without a prompt was not refused.
        let may_be_allowed = matches!(
            decided.decision,
            CallDecision::Granted(_) | CallDecision::Refused(RefusalReason::Unclear)
        );
        if self.needs_prompt && may_be_allowed && prompt.is_none() {
            return Ok(());
        }
        let project = self.project(&decided.of.cwd);
        let mut event = event(kind, id, at, &project, &decided.of);
        event.tool_name = Some(decided.tool_name.as_str().into());
        event.tool_use_id = Some(decided.tool_use_id.as_str().into());
        event.mcp_server = mcp_server(&decided.tool_name).map(Text::from);
        event.skill = decided.skill.as_deref().map(Text::from);
        event.subject = Some(decided.described.subject.as_str().into());
        event.reach = Some(decided.described.reach);
        event.input = Some(decided.described.input.as_str().into());
        event.input_digest = self.prompts.digest(decided).map(Text::from);
        event.free_text = decided
            .feedback
            .as_deref()
            .map(|words| masked(words).into());
        let (said, count) = match decided.decision {
            CallDecision::Granted(_) => (&mut event.grant, &mut self.summary.granted),
            CallDecision::Refused(RefusalReason::Nobody) => {
                (&mut event.reason, &mut self.summary.undecided)
            }
            CallDecision::Refused(_) => (&mut event.reason, &mut self.summary.refused),
            CallDecision::Denied(_) => (&mut event.reason, &mut self.summary.denied),
        };
        *said = Some(match decided.prompt {
            MayPrompt::Behind => RefusalReason::Cancelled.as_str().into(),
            _ => decided.decision.as_str().into(),
        });
        *count += 1;
        if kind != Kind::PermissionDenied {
            self.summary.joined += u64::from(prompt.is_some());
            // With identical calls, the matching prompt is only a guess.
            let certain = prompt.as_ref().filter(|_| !decided.is_ambiguous);
            event.waited_seconds = Some(certain.and_then(|prompt| waited(decided, prompt)));
            event.asked_id = prompt.map(|prompt| prompt.id.into());
            event.ambiguous = Some(decided.is_ambiguous);
            event.called_at = decided.called_at.as_deref().map(Text::from);
        }
        self.emit_event(event)
    }

    fn emit_turn(&mut self, turn: &Turn) -> Result<(), Error> {
        let Some(at) = turn.of.at.as_deref() else {
            return Ok(());
        };
        let kind = Kind::PermissionAuto;
        let id = event_id(kind, &turn.first_call);
        if self.emitted.contains(&hash::digest(&[&id])) {
            return Ok(());
        }
        let project = self.project(&turn.of.cwd);
        let mut event = event(kind, id, at, &project, &turn.of);
        event.calls = Some(turn.calls);
        self.summary.unasked += u64::from(turn.calls);
        self.emit_event(event)
    }

    /// Emits the events of a call.
    pub(crate) fn emit(&mut self, judged: &JudgedCall) -> Result<(), Error> {
        let call = &judged.call;
        let digest = hash::digest(&[&call.tool_use_id]);
        let Some(asked_at) = call.dated() else {
            self.undated.insert(digest);
            return Ok(());
        };
        self.calls.insert(digest);
        let project = self.project(&call.of.cwd);
        let was_taken = call.took_answers_of_hook();
        let project = project.as_str();
        let parts = judged.questions.iter().enumerate();
        let parts = parts.map(|(index, one)| AskedQuestion {
            call,
            question: &one.question,
            index,
            project,
            asked_at,
            is_withdrawn: one.decided.is_some() && !was_taken,
            decided: one.decided.as_ref().filter(|_| was_taken),
            outcome: one.outcome.as_ref(),
        });
        let parts: Vec<AskedQuestion<'_>> = parts.collect();
        for part in &parts {
            self.emit_event(part.asked())?;
        }
        for part in &parts {
            let ended = part.ended();
            self.count(part, ended.as_ref());
            if let Some(event) = ended {
                self.emit_event(event)?;
            }
        }
        Ok(())
    }

    /// Counts of what was found.
    pub(crate) fn finish(self) -> TranscriptSummary {
        let ended = |outcome: QuestionOutcome| {
            let outcomes = self.outcomes.values();
            outcomes.filter(|other| **other == outcome).count() as u64
        };
        TranscriptSummary {
            calls: self.calls.len() as u64,
            undated_calls: self.undated.difference(&self.calls).count() as u64,
            questions: self.outcomes.len() as u64,
            answered: ended(QuestionOutcome::Answered),
            auto_decided: ended(QuestionOutcome::AutoDecided),
            dismissed: ended(QuestionOutcome::Dismissed),
            failed: ended(QuestionOutcome::Failed),
            unanswered: ended(QuestionOutcome::Open),
            ..self.summary
        }
    }

    fn emit_event(&mut self, mut event: Event<'_>) -> Result<(), Error> {
        if !self.emitted.insert(hash::digest(&[&event.id])) {
            return Ok(());
        }
        let (source, agent) = self.of;
        event.source = source.into();
        event.agent = agent.map(Text::from);
        (self.sink)(&event)
    }

    fn count(&mut self, part: &AskedQuestion<'_>, ended: Option<&Event<'_>>) {
        let by_hook = ended.is_none_or(|event| event.was_auto_decided == Some(true));
        let outcome = match part.outcome {
            Some(Outcome::Dismissed { .. }) => QuestionOutcome::Dismissed,
            Some(Outcome::Failed { .. }) => QuestionOutcome::Failed,
            Some(Outcome::Answered(_)) if !by_hook => QuestionOutcome::Answered,
            None if part.decided.is_none() => QuestionOutcome::Open,
            _ => QuestionOutcome::AutoDecided,
        };
        let call = &part.call.tool_use_id;
        let question = hash::digest(&[call, &part.index.to_string()]);
        let known = self.outcomes.entry(question).or_insert(outcome);
        if *known == QuestionOutcome::Open {
            *known = outcome;
        }
    }

    /// Finds the projects of the folders in `cwds`, so that a worktree that is gone is known by the name of its
    /// project, whichever comes first.
    pub(crate) fn know(&mut self, cwds: impl IntoIterator<Item = String>) {
        let mut around = Vec::new();
        for cwd in cwds {
            match around_worktrees(&cwd) {
                Some(_) => around.push(cwd),
                None => drop(self.project(&cwd)),
            }
        }
        for cwd in around {
            self.project(&cwd);
        }
    }

    fn project(&mut self, cwd: &str) -> String {
        if let Some(project) = self.projects.get(cwd) {
            return project.clone();
        }
        let path = Path::new(cwd);
        let around = around_worktrees(cwd).filter(|_| !path.is_dir());
        let project = around
            .and_then(|around| self.project_around(around))
            .unwrap_or_else(|| project_key(path));
        self.projects.insert(cwd.to_owned(), project.clone());
        project
    }

    /// The known project that a worktree between these folders belongs to, as far as one alone has its name.
    fn project_around(&self, (above, names): (&str, [Option<&str>; 2])) -> Option<String> {
        let known = self.projects.values().chain(&self.prompts.projects);
        let is_main = |key: &&String| around_worktrees(key).is_none();
        let known: BTreeSet<&String> = known.filter(is_main).collect();
        let is_named = |key: &str, name| key.rsplit(['/', '\\']).next() == Some(name);
        let named = |name| {
            let mut all = known.iter().filter(|key| is_named(key, name));
            all.next().filter(|_| all.next().is_none())
        };
        let found = known.iter().find(|key| ***key == above);
        let found = found.or_else(|| names.into_iter().flatten().find_map(named))?;
        Some((*found).clone())
    }
}

impl<'c> AskedQuestion<'c> {
    /// The event of the question being asked, or decided.
    fn asked(&self) -> Event<'_> {
        let kind = match self.decided {
            Some(_) => Kind::AutoDecided,
            None => Kind::Asked,
        };
        let mut event = self.event(kind, self.asked_at);
        self.question.describe_options(&mut event);
        match self.decided {
            Some((answer, mechanism)) => {
                let labels = answer.labels.iter().map(|label| label.as_str().into());
                event.answer = Some(labels.collect());
                event.free_text = answer.free_text.as_deref().map(Text::from);
                event.mechanism = Some(mechanism.as_str().into());
            }
            None if self.call.has_own_answers => {
                event.ask_reason = Some(AskReason::Ambiguous.as_str().into());
                event.reason = Some(ANSWERS_IN_INPUT.into());
            }
            None if self.is_withdrawn => {
                event.ask_reason = Some(AskReason::Ambiguous.as_str().into());
                event.reason = Some(NOT_PRINTED.into());
            }
            None => event.ask_reason = Some(self.question.unanswered_reason().as_str().into()),
        }
        event
    }

    /// The event of the result; `None` without one, or when the denial already says everything.
    fn ended(&self) -> Option<Event<'c>> {
        let outcome = self.outcome?;
        let at = self.call.ending.as_ref()?.at.as_deref();
        let mut event = self.event(outcome.kind()?, at.unwrap_or(self.asked_at));
        let decided = self.decided.map(|(answer, _)| answer);
        let label = decided.and_then(|answer| answer.labels.first());
        outcome.describe(self.question, label.map(String::as_str), &mut event);
        if let (Outcome::Answered(answer), Some(decided)) = (outcome, decided)
            && answer.labels == decided.labels
            && answer.free_text == decided.free_text
        {
            // Several labels, or text from the hook, are not the person's answer either.
            event.was_auto_decided = Some(true);
        }
        Some(event)
    }

    fn event(&self, kind: Kind, at: &'c str) -> Event<'c> {
        let call = self.call;
        let index = u32::try_from(self.index).unwrap_or(u32::MAX);
        let id = question_event_id(kind, &call.tool_use_id, index);
        let mut event = event(kind, id, at, self.project, &call.of);
        event.tool_name = Some(call.tool_name.as_str().into());
        event.tool_use_id = Some(call.tool_use_id.as_str().into());
        event.skill = call.skill.as_deref().map(Text::from);
        let ending = call.ending.as_ref();
        if ending.is_some_and(|ending| nobody_was_there(&ending.text)) {
            event.session_kind = SessionKind::Headless.as_str().into();
        }
        self.question
            .describe(self.index, call.questions.len(), &mut event);
        event
    }
}

/// The kind of session that the hook would log, judging by the transcript, which records only the entrypoint of its
/// environment. `-p` alone does not show that nobody was there.
fn session_kind(entrypoint: Option<&str>) -> SessionKind {
    session_kind::session_kind(|name| {
        let is_known = name == claude_code::ENTRYPOINT;
        Some(entrypoint.filter(|_| is_known)?.into())
    })
}

/// An event with the fields that all events have.
fn event<'e>(
    kind: Kind,
    id: String,
    at: &'e str,
    project: &'e str,
    of: &'e CallOrigin,
) -> Event<'e> {
    let entrypoint = of.entrypoint.as_deref();
    Event {
        v: SCHEMA_VERSION,
        id: id.into(),
        ts: at.into(),
        kind: kind.as_str().into(),
        session_id: of.session_id.as_str().into(),
        session_kind: session_kind(entrypoint).as_str().into(),
        project: project.into(),
        cwd: masked_path(&of.cwd).into(),
        permission_mode: of.permission_mode.as_deref().map(Text::from),
        entrypoint: entrypoint.map(Text::from),
        agent_id: of.agent_id.as_deref().map(Text::from),
        ..Event::default()
    }
}

/// The server in the name of its tool, `mcp__server__tool`.
fn mcp_server(tool: &str) -> Option<&str> {
    let (server, _) = tool.strip_prefix("mcp__")?.split_once("__")?;
    Some(server)
}
