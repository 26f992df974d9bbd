//! What a transcript says of who allowed its calls, line by line.
//!
//! Nearly all lines are results of calls that nobody was asked about: they are counted from a few bytes,
//! and never parsed.

use plantune_domain::permissions::{Reach, describe, digest};
use plantune_domain::wire::QuestionTool;
use serde::{Deserialize, Serialize};

use super::asker::AtWork;
use super::decision::{UNCLEAR, Verdict, verdict};
use super::lines::strings_of;
use super::look_back::{LookBack, Spoken};
use super::place::{Place, in_utc};
use super::result_text::text_of;
use super::wire::{DECISION, Decision, Line, MODE, NEEDLES, REFUSED, ToolResult};

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

/// A call that somebody decided about, or that was denied.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decided {
    pub(crate) outcome: Outcome,
    pub(crate) of: Place,
    pub(crate) tool_use_id: String,
    pub(crate) tool_name: String,
    /// When the model made the call.
    pub(crate) called_at: Option<String>,
    pub(crate) skill: Option<String>,
    pub(crate) subject: String,
    pub(crate) reach: Reach,
    pub(crate) input: String,
    /// Of its input, without a key.
    pub(crate) digest: String,
    /// How long it ran before its result came, in seconds, where that is known.
    pub(crate) ran_seconds: Option<f64>,
    /// True where the same call ran beside it.
    pub(crate) is_ambiguous: bool,
    /// True where other calls of the tool ran beside it.
    pub(crate) has_company: bool,
}

/// How a call was decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Granted(&'static str),
    Refused(&'static str, Option<String>),
    Denied(&'static str),
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
    turn: Turn,
    /// Who is at work.
    #[serde(default)]
    pub(super) at_work: AtWork,
}

/// Reads the lines of one transcript.
#[derive(Default)]
pub(crate) struct Permissions {
    /// What has to be known to read on.
    pub(crate) state: State,
    /// The session, where a line does not say.
    session: String,
    pub(super) found: Vec<Found>,
    /// Decisions in a form that is not known.
    pub(super) unknown: u64,
    /// Decisions whose calls are not in the transcript.
    pub(super) lost: u64,
}

/// What a line says before it is parsed.
#[derive(Default)]
pub(super) struct Glance {
    /// True when the line has to be parsed.
    pub(super) concerns: bool,
    ends_turn: bool,
}

impl Permissions {
    /// What reads on from `state`, in the transcript that is named for `session`.
    pub(super) fn new(session: &str, state: State) -> Self {
        Self {
            state,
            session: session.to_owned(),
            ..Self::default()
        }
    }

    /// Looks at a line as bytes, and counts it where that is enough. `has_needle`: one of [`NEEDLES`] is in it.
    pub(super) fn glance(&mut self, line: &[u8], has_needle: bool) -> Glance {
        let mut glance = Glance::default();
        let (mut decision, mut mode) = (None, None);
        let searched = if has_needle { line } else { &[] };
        for at in NEEDLES.permission.find_iter(searched) {
            let rest = searched
                .get(at + NEEDLES.permission.needle().len()..)
                .unwrap_or_default();
            if let Some(value) = rest.strip_prefix(MODE) {
                mode = string(value).or(mode);
            } else if let Some(value) = rest.strip_prefix(DECISION) {
                decision = Some(value);
            }
        }
        if mode.is_some() && self.state.permission_mode.as_deref() != mode {
            self.state.permission_mode = mode.map(str::to_owned);
        }
        if self.state.turn.calls > 0 {
            let turn = turn_of(line);
            if turn.is_some() && turn != self.state.turn.id.as_deref() {
                self.end_turn();
            }
            glance.ends_turn = NEEDLES.end_of_turn.find(line).is_some();
        }
        glance.concerns = match decision {
            Some(value) if self.is_counted(value, line) => {
                self.state.turn.calls += 1;
                false
            }
            Some(_) => true,
            None => [&NEEDLES.denial, &NEEDLES.refused]
                .iter()
                .any(|needle| needle.find(searched).is_some()),
        };
        if glance.ends_turn && !glance.concerns {
            self.end_turn();
        }
        glance
    }

    /// True for a decision that nobody was asked for, in a turn with one already.
    fn is_counted(&self, value: &[u8], line: &[u8]) -> bool {
        if self.state.turn.calls == 0 || turn_of(line) != self.state.turn.id.as_deref() {
            return false;
        }
        let value = value.trim_ascii_start().strip_prefix(b":");
        let value = value.unwrap_or_default().trim_ascii_start();
        if !value.starts_with(b"{") {
            return false;
        }
        let mut values = serde_json::Deserializer::from_slice(value).into_iter::<Decision>();
        let Some(Ok(decision)) = values.next() else {
            return false;
        };
        let is_ruled = decision.source == "config"
            || (decision.source.starts_with("user_") && decision.reason_type.is_some());
        decision.decision == "accept" && is_ruled
    }

    /// Adds what a line says, which begins at `start`. A call that cannot be read is not there.
    pub(super) fn take(&mut self, line: Line<'_>, start: u64, back: &mut LookBack<'_>) {
        let results = line.results();
        // What stands beside several results does not say which of them it is about.
        let [result] = results.as_slice() else {
            return;
        };
        let decided = line.decided();
        let is_host = line
            .entrypoint()
            .is_some_and(|name| name.starts_with("sdk"));
        let text = text_of(result);
        let verdict = verdict(&decided, &text, result.is_error, line.version(), is_host);
        let mut call = || back.call(result.id, start).ok().flatten();
        let is_question = |call: &Spoken| QuestionTool::from_name(&call.name).is_some();
        let outcome = match verdict {
            Verdict::Silent | Verdict::Nothing => return,
            Verdict::Unknown => {
                self.unknown += 1;
                return;
            }
            Verdict::Unasked => return self.count(line, result.id),
            Verdict::AllowedByHook => {
                if !call().is_some_and(|call| is_question(&call)) {
                    self.count(line, result.id);
                }
                return;
            }
            Verdict::Granted(grant) => Outcome::Granted(grant),
            Verdict::Refused(reason, words) => Outcome::Refused(reason, words),
            Verdict::Denied(reason) => Outcome::Denied(reason),
        };
        match call() {
            Some(call) if is_question(&call) => {}
            Some(call) => self.add(line, result, call, outcome),
            None => self.lost += 1,
        }
    }

    fn add(&mut self, line: Line<'_>, result: &ToolResult<'_>, call: Spoken, outcome: Outcome) {
        let of = self.place(line);
        let described = describe(&call.name, &call.input, &of.cwd);
        let is_at_once = AT_ONCE.contains(&call.name.as_str());
        let outcome = match outcome {
            // There is no run that could have been broken off.
            Outcome::Refused("unknown" | UNCLEAR, None)
                if is_at_once && text_of(result).contains(REFUSED) =>
            {
                Outcome::Refused("rejected", None)
            }
            outcome => outcome,
        };
        let ran_seconds = match &outcome {
            Outcome::Granted(_) if !is_at_once => result.seconds(),
            Outcome::Refused(UNCLEAR, _) => None,
            _ => Some(0.0),
        };
        self.found.push(Found::Decided(Box::new(Decided {
            outcome,
            of,
            tool_use_id: result.id.to_owned(),
            called_at: call.at.as_deref().and_then(in_utc),
            skill: self.state.at_work.asker(call.named),
            subject: described.subject,
            reach: described.reach,
            input: described.input,
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

    /// Ends the turn after a line that was parsed.
    pub(super) fn after(&mut self, glance: &Glance) {
        if glance.ends_turn && glance.concerns {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
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

/// The turn of a line, as far as it says so at its beginning.
fn turn_of(line: &[u8]) -> Option<&str> {
    let head = line.get(..HEAD.min(line.len())).unwrap_or_default();
    strings_of(head, &NEEDLES.turn).next()
}

/// The string that a field's value begins with.
fn string(value: &[u8]) -> Option<&str> {
    let value = value.trim_ascii_start().strip_prefix(b":")?;
    let value = value.trim_ascii_start().strip_prefix(b"\"")?;
    let end = memchr::memchr(b'"', value)?;
    std::str::from_utf8(value.get(..end)?).ok()
}
