//! What a transcript says of who allowed its calls, line by line.
//!
//! Nearly all lines are results of calls that nobody was asked about: they are counted from a few bytes,
//! and never parsed.

use chrono::{DateTime, TimeDelta};
use plantune_domain::event::Kind;
use plantune_domain::permissions::{Described, describe, digest};
use plantune_domain::wire::QuestionTool;
use serde::{Deserialize, Serialize};

use super::asker::AtWork;
use super::decision::{UNCLEAR, Verdict, asks_nothing, verdict};
use super::lines::strings_of;
use super::look_back::{LookBack, Spoken};
use super::place::{Place, in_utc};
use super::result_text::text_of;
use super::transcript::Transcript;
use super::wire::{DECISION, DENIAL, Decision, END_OF_TURN, Line, MODE, REFUSAL, REFUSED, TURN};

/// Where the turn of a line stands in it, at the latest.
const HEAD: usize = 512;

/// The tools whose calls take no time: their result comes when they were decided.
const AT_ONCE: [&str; 7] = [
    "Edit",
    "MultiEdit",
    "Write",
    "Read",
    "NotebookEdit",
    "NotebookRead",
    "ExitPlanMode",
];

/// Refusals in one answer that come no further apart are one key.
const ONE_KEY: TimeDelta = TimeDelta::seconds(1);

/// A call that somebody decided about, or that was denied.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    pub(crate) kind: Kind,
    /// For how long it was granted, or why it was not.
    pub(crate) word: &'static str,
    /// What the person said with it.
    pub(crate) feedback: Option<String>,
    pub(crate) of: Place,
    pub(crate) tool_use_id: String,
    pub(crate) tool_name: String,
    /// When the model made the call.
    pub(crate) called_at: Option<String>,
    pub(crate) skill: Option<String>,
    pub(crate) described: Described,
    /// Of its input, without a key.
    pub(crate) digest: String,
    /// How long it ran before its result came, in seconds, where that is known.
    pub(crate) ran_seconds: Option<f64>,
    /// How it was asked about, as far as nobody saw a prompt.
    pub(crate) prompt: MayPrompt,
    /// True where the same call ran beside it.
    pub(crate) is_ambiguous: bool,
    /// True where other calls of the tool ran beside it.
    pub(crate) has_company: bool,
}

/// Whether the person saw a prompt for a call, as far as its transcript tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MayPrompt {
    /// They did, or may have.
    Yes,
    /// Only where a hook saw it: the tool, or the mode, asks about nothing like it.
    IfSeen,
    /// No: its prompt was waiting behind another one of the same answer, whose refusal ended both.
    Behind,
}

/// The calls of a turn that ran without anybody being asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// The host's name of the turn, as far as it has one.
    id: Option<String>,
    pub(super) calls: u32,
    pub(super) first_call: String,
    pub(super) of: Place,
}

/// What was found, in the order of the lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    Decided(Box<Decided>),
    Turn(Turn),
}

/// What is left to know when reading stops within a transcript.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(super) permission_mode: Option<String>,
    pub(super) turn: Turn,
    /// Who is at work.
    #[serde(default)]
    pub(super) at_work: AtWork,
}

impl Transcript {
    /// Looks at a line as bytes, counts it where that is enough, and returns whether it has to be parsed for who
    /// allowed its call, and whether it ends the turn. `has_needle`: as [`may_matter`](super::wire::may_matter) says.
    pub(super) fn glance(&mut self, line: &[u8], has_needle: bool) -> (bool, bool) {
        let searched = if has_needle { line } else { &[] };
        let mode = strings_of(searched, &MODE).last();
        let mut ends_turn = false;
        if mode.is_some() && self.state.permission_mode.as_deref() != mode {
            self.state.permission_mode = mode.map(str::to_owned);
        }
        if self.state.turn.calls > 0 {
            let turn = turn_of(line);
            if turn.is_some() && turn != self.state.turn.id.as_deref() {
                self.end_turn();
            }
            ends_turn = END_OF_TURN.find(line).is_some();
        }
        let concerns = match DECISION.find_iter(searched).last() {
            Some(at) if self.is_counted(searched.get(at..).unwrap_or_default(), line) => {
                self.state.turn.calls += 1;
                false
            }
            Some(_) => true,
            None => [&DENIAL, &REFUSAL]
                .iter()
                .any(|needle| needle.find(searched).is_some()),
        };
        (concerns, ends_turn)
    }

    /// True for a decision that nobody was asked for, in a turn with one already. `field`: what the line says from its
    /// name on.
    fn is_counted(&self, field: &[u8], line: &[u8]) -> bool {
        if self.state.turn.calls == 0 || turn_of(line) != self.state.turn.id.as_deref() {
            return false;
        }
        let value = field.get(DECISION.needle().len()..).unwrap_or_default();
        let Some(value) = value.trim_ascii_start().strip_prefix(b":") else {
            return false;
        };
        let mut values = serde_json::Deserializer::from_slice(value).into_iter::<Decision>();
        let Some(Ok(decision)) = values.next() else {
            return false;
        };
        let is_ruled = decision.source == "config"
            || (decision.source.starts_with("user_") && decision.reason_type.is_some());
        decision.decision == "accept" && is_ruled
    }

    /// Adds what a line, which begins at `start`, says of who allowed a call. A call that cannot be read is not there.
    pub(super) fn take_decision(&mut self, line: Line<'_>, start: u64, back: &mut LookBack<'_>) {
        let results = line.results();
        // What stands beside several results does not say which of them it is about.
        let [result] = results.as_slice() else {
            return;
        };
        let mut call = || back.call(result.id, start).ok().flatten();
        let is_question = |call: &Spoken| QuestionTool::from_name(&call.name).is_some();
        let (kind, word, feedback) = match verdict(line, result) {
            Verdict::Silent | Verdict::Nothing => return,
            Verdict::Unknown => {
                self.summary.unknown_decisions += 1;
                return;
            }
            Verdict::Unasked => return self.count(line, result.id),
            Verdict::AllowedByHook => {
                if !call().is_some_and(|call| is_question(&call)) {
                    self.count(line, result.id);
                }
                return;
            }
            Verdict::Granted(grant) => (Kind::PermissionGranted, grant, None),
            Verdict::Refused(reason, words) => (Kind::PermissionRefused, reason, words),
            Verdict::Denied(reason) => (Kind::PermissionDenied, reason, None),
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
        let (word, ran_seconds) = match (kind, word) {
            // There is no run that could have been broken off.
            (Kind::PermissionRefused, "unknown" | UNCLEAR)
                if is_at_once && text_of(result).contains(REFUSED) =>
            {
                ("rejected", Some(0.0))
            }
            (Kind::PermissionGranted, _) if !is_at_once => (word, result.seconds()),
            (_, UNCLEAR) => (word, None),
            _ => (word, Some(0.0)),
        };
        let said = Line(&call.line);
        let described = describe(&call.name, &call.input, &of.cwd);
        let prompt = match (kind, word) {
            (Kind::PermissionRefused, "rejected" | "unknown" | UNCLEAR) => {
                let mode = self.state.permission_mode.as_deref();
                let before = call.refused_before.as_deref().zip(of.at.as_deref());
                match before {
                    Some((before, at)) if are_one_key(before, at) => MayPrompt::Behind,
                    _ if asks_nothing(&call.name, described.reach, mode, word) => MayPrompt::IfSeen,
                    _ => MayPrompt::Yes,
                }
            }
            _ => MayPrompt::Yes,
        };
        self.found.push(Found::Decided(Box::new(Decided {
            kind,
            word,
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
    fn count(&mut self, line: Line<'_>, call: &str) {
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
            self.found.push(Found::Turn(turn));
        }
    }

    fn place(&self, line: Line<'_>) -> Place {
        Place {
            at: line.timestamp().and_then(in_utc),
            session_id: line.session_id().unwrap_or(&self.session).to_owned(),
            cwd: line.cwd().unwrap_or_default().to_owned(),
            permission_mode: self.state.permission_mode.clone(),
            entrypoint: line.entrypoint().map(str::to_owned),
            agent_id: line.agent_id().map(str::to_owned),
        }
    }
}

/// True for calls of one answer that were refused at these times by one key, which ends all prompts that wait.
pub(crate) fn are_one_key(one: &str, other: &str) -> bool {
    let time = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let times = time(one).zip(time(other));
    times.is_some_and(|(one, other)| (other - one).abs() <= ONE_KEY)
}

/// The turn of a line, as far as it says so at its beginning.
fn turn_of(line: &[u8]) -> Option<&str> {
    let head = line.get(..HEAD.min(line.len())).unwrap_or_default();
    strings_of(head, &TURN).next()
}
