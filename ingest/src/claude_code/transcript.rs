//! One transcript: its question calls, in the order they were made, and who allowed its calls.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use chrono::{DateTime, TimeDelta};
use plantune_domain::event::{DenialReason, RefusalReason};
use plantune_domain::permissions::{describe, digest};
use plantune_domain::wire::{QuestionTool, has_answers, sent_questions};
use serde::{Deserialize, Serialize};

use super::call::{AtWork, CallOrigin, QuestionCall, in_utc};
use super::decision::{CallDecision, CallVerdict, Decided, MayPrompt, asks_nothing, verdict};
use super::lines::{FileLines, LookBack, Spoken, string_at, strings_of};
use super::wire::{
    HostDecision, Mark, MarkedLine, REFUSED, TURN, ToolUse, TranscriptLine, text_of,
};
use super::{TranscriptSummary, lines, wire};
use crate::Progress;

/// The contents of one file.
#[derive(Default)]
pub(crate) struct Transcript {
    pub(super) calls: Vec<QuestionCall>,
    by_id: HashMap<String, usize>,
    /// True when any line is known to be a transcript's.
    is_native: bool,
    /// Lines that name the tool or a call of it.
    concerned: u64,
    /// Who allowed its calls, in the order of the lines.
    pub(super) found: Vec<PermissionFact>,
    /// The state from which reading continues.
    pub(crate) state: TranscriptState,
    /// The session, for lines that do not name one.
    pub(super) session: String,
    /// How far it was read.
    pub(crate) end: u64,
    /// Counts of everything other than its calls.
    pub(crate) summary: TranscriptSummary,
    /// The place in the latest line that has one.
    latest: CallOrigin,
}

impl Transcript {
    /// Reads the file at `path` as far as possible.
    pub(super) fn read(path: &Path, progress: &Progress) -> Self {
        let mut transcript = Self::new(path, TranscriptState::default());
        let read =
            File::open(path).and_then(|file| transcript.read_lines(&file, 0, None, progress));
        let summary = &mut transcript.summary;
        summary.files = 1;
        if let Err(error) = read {
            summary.unreadable(path, &error);
        }
        if transcript.concerned > 0 && !transcript.is_native {
            // It names the tool but is not a transcript of Claude Code.
            (
                summary.foreign_files,
                summary.unreadable_lines,
                summary.mentions,
            ) = (1, 0, 0);
        } else {
            summary.transcripts = u64::from(!transcript.calls.is_empty());
        }
        transcript
    }

    /// An empty transcript for `path`, to be read from `state` on.
    pub(crate) fn new(path: &Path, state: TranscriptState) -> Self {
        // Claude Code names a transcript after its session.
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self {
            state,
            latest: CallOrigin {
                session_id: name.clone().into_owned(),
                ..CallOrigin::default()
            },
            session: name.into_owned(),
            ..Self::default()
        }
    }

    /// Reads the lines of `file` from the offset `from` on: all there are, or the whole ones up to `length`.
    pub(crate) fn read_lines(
        &mut self,
        file: &File,
        from: u64,
        length: Option<u64>,
        progress: &Progress,
    ) -> io::Result<()> {
        let mut lines = FileLines::of(file, from)?;
        let mut back = LookBack::of(file);
        let mut is_known = false;
        self.end = from;
        while let Some(line) = lines.next()? {
            if length.is_some_and(|length| !line.is_ended || line.end > length) {
                break;
            }
            self.end = line.end;
            progress.add(line.end - line.start);
            match line.bytes {
                None => self.summary.long_lines += 1,
                Some(bytes) => {
                    is_known |= self.read_line(bytes, line.start, is_known, &mut back);
                }
            }
        }
        self.summary.bytes = self.end - from + back.bytes;
        Ok(())
    }

    /// Reads the line at `start` if it is relevant, and returns whether it contained JSON. The first line with JSON
    /// decides what kind of file this is.
    fn read_line(
        &mut self,
        line: &[u8],
        start: u64,
        is_known: bool,
        back: &mut LookBack<'_>,
    ) -> bool {
        let marked = MarkedLine::of(line);
        let (decides, ends_turn) = self.glance(&marked);
        let mentions = marked.has(Mark::Question);
        let concerns = mentions || self.names_a_call(&marked);
        let says_who = marked.may_say_who_works();
        let (values, is_damaged) = match decides || concerns || says_who || !is_known {
            true => lines::values(&lines::text(line)),
            false => (Vec::new(), false),
        };
        let mut is_used = false;
        let native = values.iter().map(TranscriptLine);
        for line in native.filter(|line| line.is_transcript()) {
            self.is_native = true;
            if says_who {
                self.state.at_work.take(line);
            }
            if decides {
                self.take_decision(line, start, back);
            }
            is_used |= concerns && self.take(line);
        }
        self.concerned += u64::from(concerns);
        if concerns && is_damaged {
            self.summary.unreadable_lines += 1;
            self.is_native |= wire::SESSION_ID.find(line).is_some();
        } else if mentions && !is_used {
            self.summary.mentions += 1;
        }
        if ends_turn {
            self.end_turn();
        }
        let has_json = !values.is_empty();
        if has_json {
            back.keep(start, values);
        }
        has_json
    }

    fn names_a_call(&self, line: &MarkedLine<'_>) -> bool {
        let ids = [Mark::IdOfResult, Mark::IdOfCall].into_iter();
        let mut ids = ids.flat_map(|mark| line.values(mark)).filter_map(string_at);
        !self.by_id.is_empty() && ids.any(|id| self.by_id.contains_key(id))
    }

    /// Adds the facts about a call in a line, and returns whether there were any.
    fn take(&mut self, line: TranscriptLine<'_>) -> bool {
        let timestamp = line.timestamp().and_then(in_utc);
        if let Some(session) = line.session_id() {
            session.clone_into(&mut self.latest.session_id);
        }
        if let Some(cwd) = line.cwd() {
            cwd.clone_into(&mut self.latest.cwd);
        }
        if timestamp.is_some() {
            self.latest.at = timestamp;
        }
        let mut is_used = false;
        for call in line.calls() {
            if let Some(tool) = QuestionTool::from_name(call.name) {
                self.add(line, tool, &call);
                is_used = true;
            }
        }
        for result in line.results() {
            let at = self.latest.at.clone();
            if let Some(call) = self.call(result.id) {
                call.end(line, &result, at);
                let is_answered = call.is_answered();
                self.state.at_work.awaits_reply &= !is_answered;
                is_used = true;
            }
        }
        if let Some((id, answers)) = line.answers_of_hook()
            && let Some(call) = self.call(id)
        {
            // When several hooks change the input, the last to finish wins.
            call.answers_of_hook = Some(answers);
            is_used = true;
        }
        is_used
    }

    fn call(&mut self, id: &str) -> Option<&mut QuestionCall> {
        self.calls.get_mut(*self.by_id.get(id)?)
    }

    fn add(&mut self, line: TranscriptLine<'_>, tool: QuestionTool, tool_use: &ToolUse<'_>) {
        let input = tool_use.parsed_input();
        let mut questions = sent_questions(&input);
        if tool == QuestionTool::Native {
            // The host fills in missing fields, and hooks get the completed input.
            for question in &mut questions {
                question.multi_select.get_or_insert(false);
            }
        }
        self.state.at_work.awaits_reply |= !line.is_sidechain();
        let call = QuestionCall {
            tool,
            tool_name: tool_use.name.to_owned(),
            tool_use_id: tool_use.id.to_owned(),
            questions,
            has_own_answers: has_answers(&input),
            of: CallOrigin {
                entrypoint: line.entrypoint().map(str::to_owned),
                agent_id: line.agent_id().map(str::to_owned),
                permission_mode: self.state.permission_mode.clone(),
                ..self.latest.clone()
            },
            skill: self.state.at_work.asker(line),
            ending: None,
            answers_of_hook: None,
            is_by_person: false,
        };
        match self.call(tool_use.id) {
            // The same call again, now with more content. A recorded answer stays.
            Some(earlier) if earlier.ending.is_none() && call.size() > earlier.size() => {
                let answers_of_hook = earlier.answers_of_hook.take();
                *earlier = QuestionCall {
                    answers_of_hook,
                    ..call
                };
            }
            Some(_) => {}
            None => {
                self.by_id.insert(tool_use.id.to_owned(), self.calls.len());
                self.calls.push(call);
            }
        }
    }
}

// Who allowed its calls.
//
// Nearly all lines are results of calls that nobody was asked about. They are counted from a few bytes, without
// parsing.

/// The number of bytes at the start of a line that are searched for its turn.
const HEAD: usize = 512;

/// Tools whose calls take no time: the result comes as soon as the call is decided.
const AT_ONCE: [&str; 7] = [
    "Edit",
    "MultiEdit",
    "Write",
    "Read",
    "NotebookEdit",
    "NotebookRead",
    "ExitPlanMode",
];

/// The mode that denies what other modes would ask about.
const ASK_NOBODY: &str = "dontAsk";

/// Refusals in one answer within this time come from one key press.
const ONE_KEY: TimeDelta = TimeDelta::seconds(1);

/// The calls of a turn that ran without anybody being asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// The host's id of the turn, if it has one.
    id: Option<String>,
    pub(super) calls: u32,
    pub(super) first_call: String,
    pub(super) of: CallOrigin,
}

/// A fact about permissions that was found, in the order of the lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PermissionFact {
    Decided(Box<Decided>),
    Turn(Turn),
}

/// The state of a reader that stops within a transcript, so that it can continue later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TranscriptState {
    pub(super) permission_mode: Option<String>,
    pub(super) turn: Turn,
    /// The running command or skill.
    #[serde(default)]
    pub(super) at_work: AtWork,
}

impl Transcript {
    /// Examines a line as bytes and counts it if that is enough. Returns whether it must be parsed to find who allowed
    /// its call, and whether it ends the turn.
    pub(super) fn glance(&mut self, line: &MarkedLine<'_>) -> (bool, bool) {
        let mode = line.values(Mark::Mode).rev().find_map(string_at);
        if mode.is_some() && self.state.permission_mode.as_deref() != mode {
            self.state.permission_mode = mode.map(str::to_owned);
        }
        let mut ends_turn = false;
        if self.state.turn.calls > 0 {
            let turn = turn_of(line.line);
            if turn.is_some() && turn != self.state.turn.id.as_deref() {
                self.end_turn();
            }
            ends_turn = line.has(Mark::EndOfTurn);
        }
        let concerns = if line.has(Mark::Decision) {
            let is_counted = self.is_counted(line);
            self.state.turn.calls += u32::from(is_counted);
            !is_counted
        } else {
            let mut errors = line.values(Mark::Error);
            line.has(Mark::Denial) || errors.any(|value| value.starts_with(b"true"))
        };
        (concerns, ends_turn)
    }

    /// True for a decision without asking anybody, in a turn that already has one. The last one of the line counts.
    fn is_counted(&self, line: &MarkedLine<'_>) -> bool {
        if self.state.turn.calls == 0 || turn_of(line.line) != self.state.turn.id.as_deref() {
            return false;
        }
        let Some(value) = line.values(Mark::Decision).next_back() else {
            return false;
        };
        let mut values = serde_json::Deserializer::from_slice(value).into_iter::<HostDecision>();
        let Some(Ok(decision)) = values.next() else {
            return false;
        };
        let is_ruled = decision.source == "config"
            || (decision.source.starts_with("user_") && decision.reason_type.is_some());
        decision.decision == "accept" && is_ruled
    }

    /// Adds who allowed a call, from the line at `start`. A call that cannot be read counts as missing.
    pub(super) fn take_decision(
        &mut self,
        line: TranscriptLine<'_>,
        start: u64,
        back: &mut LookBack<'_>,
    ) {
        let results = line.results();
        // With several results, the line does not say which one the decision is about.
        let [result] = results.as_slice() else {
            return;
        };
        let mut call = || back.call(result.id, start).ok().flatten();
        let is_question = |call: &Spoken| QuestionTool::from_name(&call.name).is_some();
        let (decision, feedback) = match verdict(line, result) {
            CallVerdict::Silent | CallVerdict::Nothing => return,
            CallVerdict::Unknown => {
                self.summary.unknown_decisions += 1;
                return;
            }
            CallVerdict::Unasked => return self.count(line, result.id),
            CallVerdict::AllowedByHook => {
                if !call().is_some_and(|call| is_question(&call)) {
                    self.count(line, result.id);
                }
                return;
            }
            // Earlier versions use the same words for a sub-agent that cannot ask.
            CallVerdict::Decided(CallDecision::Refused(RefusalReason::Nobody), _)
                if self.state.permission_mode.as_deref() == Some(ASK_NOBODY) =>
            {
                (CallDecision::Denied(DenialReason::Mode), None)
            }
            CallVerdict::Decided(decision, words) => (decision, words),
        };
        let Some(call) = call() else {
            self.summary.lost_decisions += 1;
            return;
        };
        if is_question(&call) {
            return;
        }
        let of = self.place(line);
        let is_at_once = AT_ONCE.contains(&call.name.as_str());
        let (decision, ran_seconds) = match decision {
            // Such a call cannot have been interrupted.
            CallDecision::Refused(RefusalReason::Unknown | RefusalReason::Unclear)
                if is_at_once && text_of(result).contains(REFUSED) =>
            {
                (CallDecision::Refused(RefusalReason::Rejected), Some(0.0))
            }
            CallDecision::Granted(_) if !is_at_once => (decision, result.seconds()),
            CallDecision::Refused(RefusalReason::Unclear) => (decision, None),
            _ => (decision, Some(0.0)),
        };
        let said = TranscriptLine(&call.line);
        let described = describe(&call.name, &call.input, &of.cwd);
        let prompt = match decision {
            CallDecision::Refused(
                reason
                @ (RefusalReason::Rejected | RefusalReason::Unknown | RefusalReason::Unclear),
            ) => {
                let mode = self.state.permission_mode.as_deref();
                let before = call.refused_before.as_deref().zip(of.at.as_deref());
                match before {
                    Some((before, at)) if are_one_key(before, at) => MayPrompt::Behind,
                    _ if asks_nothing(&call.name, described.reach, mode, reason) => {
                        MayPrompt::IfSeen
                    }
                    _ => MayPrompt::Yes,
                }
            }
            // Whether it was asked about when the host closed, only the hook knows.
            _ if line.was_shut_down() => MayPrompt::IfSeen,
            _ => MayPrompt::Yes,
        };
        self.found.push(PermissionFact::Decided(Box::new(Decided {
            decision,
            feedback,
            described,
            prompt,
            of,
            tool_use_id: result.id.to_owned(),
            called_at: said.timestamp().and_then(in_utc),
            skill: self.state.at_work.asker(said),
            digest: digest(&call.name, &call.input),
            ran_seconds,
            is_ambiguous: call.has_twin,
            has_company: call.has_company,
            tool_name: call.name,
        })));
    }

    /// Counts a call that ran without anybody being asked.
    fn count(&mut self, line: TranscriptLine<'_>, call: &str) {
        let turn = line.turn();
        if self.state.turn.calls > 0 && turn != self.state.turn.id.as_deref() {
            self.end_turn();
        }
        if self.state.turn.calls == 0 {
            self.state.turn = Turn {
                id: turn.map(str::to_owned),
                calls: 0,
                first_call: call.to_owned(),
                of: self.place(line),
            };
        }
        self.state.turn.calls += 1;
    }

    pub(super) fn end_turn(&mut self) {
        let turn = std::mem::take(&mut self.state.turn);
        if turn.calls > 0 {
            self.found.push(PermissionFact::Turn(turn));
        }
    }

    fn place(&self, line: TranscriptLine<'_>) -> CallOrigin {
        CallOrigin {
            at: line.timestamp().and_then(in_utc),
            session_id: line.session_id().unwrap_or(&self.session).to_owned(),
            cwd: line.cwd().unwrap_or_default().to_owned(),
            permission_mode: self.state.permission_mode.clone(),
            entrypoint: line.entrypoint().map(str::to_owned),
            agent_id: line.agent_id().map(str::to_owned),
        }
    }
}

/// True when calls of one answer, refused at these times, were refused by one key press, which ends all waiting
/// prompts.
pub(crate) fn are_one_key(one: &str, other: &str) -> bool {
    let time = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let times = time(one).zip(time(other));
    times.is_some_and(|(one, other)| (other - one).abs() <= ONE_KEY)
}

/// The turn of a line, if it is near the line's start.
fn turn_of(line: &[u8]) -> Option<&str> {
    let head = line.get(..HEAD.min(line.len())).unwrap_or_default();
    strings_of(head, &TURN).next()
}
