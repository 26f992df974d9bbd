//! A made-up log that grows: what hooks would have written over two months, in an order in which
//! no day is complete before the end.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;
use std::{fmt, fs};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::{hash, spool};

use crate::chance::Chance;

/// How many days the log is spread over.
const DAYS: u64 = 60;

/// Lines that are not events and must end in quarantine.
const BAD_LINES: [&[u8]; 5] = [
    b"{\"v\":1,\"id\":\"torn\n",
    b"\0\0\0\0\0\0\n",
    b"\xff\xfe\n",
    b"[]\n",
    b"{\"v\":7,\"id\":\"00000000000000000000000000000000\",\"kind\":\"asked\"}\n",
];

/// The log's lines, each with the name of its segment.
pub(crate) struct History {
    chance: Chance,
    calls: u64,
    /// Lines that come later: after how many calls, and which.
    later: Vec<(u64, String, Vec<u8>)>,
    ready: VecDeque<(String, Vec<u8>)>,
}

impl History {
    pub(crate) fn new(chance: Chance) -> Self {
        Self {
            chance,
            calls: 0,
            later: Vec::new(),
            ready: VecDeque::new(),
        }
    }

    /// Appends about `bytes` to the spool in `events`, as hooks do: whole lines, a few at once.
    pub(crate) fn append(&mut self, events: &Path, bytes: usize) {
        let mut written = 0;
        while written < bytes {
            let (segment, mut lines) = self.next();
            // What a call has several of, and what follows in the same segment, goes out in one.
            while self.ready.front().is_some_and(|(next, _)| *next == segment)
                && self.chance.happens(0.50)
            {
                lines.extend(self.ready.pop_front().unwrap().1);
            }
            spool::append_to(&events.join(&segment), &lines).unwrap();
            written += lines.len();
            if self.chance.below(4000) == 0 {
                tear(&events.join(&segment));
            }
        }
    }

    fn next(&mut self) -> (String, Vec<u8>) {
        loop {
            if let Some(next) = self.ready.pop_front() {
                return next;
            }
            self.call();
            let (due, later) = std::mem::take(&mut self.later)
                .into_iter()
                .partition(|(call, ..)| *call <= self.calls);
            self.later = later;
            let due: Vec<(u64, String, Vec<u8>)> = due;
            self.ready
                .extend(due.into_iter().map(|(_, segment, line)| (segment, line)));
        }
    }

    /// One more call of one or two questions, and what becomes of them.
    fn call(&mut self) {
        let call = self.calls;
        self.calls += 1;
        let session = call / 6;
        let day = session.wrapping_mul(37) % DAYS;
        let at = start() + TimeDelta::days(day as i64) + TimeDelta::minutes(call as i64 % 600);
        if call.is_multiple_of(6) {
            self.log(0, &of_session(Kind::SessionStarted, session, at));
            let ended = of_session(Kind::SessionEnded, session, at + TimeDelta::hours(12));
            if self.chance.happens(0.80) {
                self.log(8, &ended);
            }
        }
        let questions = 1 + u32::from(self.chance.happens(0.20));
        let decided = self.chance.happens(0.08);
        // What came back before what was asked: written by another process, or imported.
        let is_early = self.chance.happens(0.05);
        let asked_after = if is_early {
            3 + self.chance.below(40)
        } else {
            0
        };
        let back_after = self.chance.below(if is_early { 3 } else { 60 });
        for index in 0..questions {
            let first = if decided {
                Kind::AutoDecided
            } else {
                Kind::Asked
            };
            self.log(
                asked_after,
                &of_question(first, call, index, questions, at, session),
            );
        }
        let back = match self.chance.below(100) {
            0..82 => Kind::Answered,
            82..88 => Kind::Dismissed,
            88..94 => Kind::Failed,
            _ => return,
        };
        let at = at + TimeDelta::seconds(3 + self.chance.below(60) as i64);
        for index in 0..questions {
            let mut event = of_question(back, call, index, questions, at, session);
            event.was_auto_decided = (back == Kind::Answered).then_some(decided);
            self.log(back_after, &event);
        }
    }

    /// Has an event come after so many calls; now and then twice, in its segment or in a copy of it,
    /// and now and then with something beside it that is no event.
    fn log(&mut self, after: u64, event: &Event<'_>) {
        let line = event.to_line().unwrap();
        let day = event.ts.split('T').next().unwrap();
        let segment = format!("{day}.jsonl");
        if self.chance.happens(0.04) {
            let again = after + self.chance.below(300);
            let name = match self.chance.below(2) {
                0 => segment.clone(),
                _ => format!("{day}-copy.jsonl"),
            };
            self.later.push((self.calls + again, name, line.clone()));
        }
        if self.chance.happens(0.01) {
            let bad = self.chance.one_of(&BAD_LINES).to_vec();
            self.later.push((self.calls + after, segment.clone(), bad));
        }
        self.later.push((self.calls + after, segment, line));
    }
}

/// Half a line without its end, as a writer leaves it that is killed, or has no space left.
fn tear(segment: &Path) {
    let mut file = fs::OpenOptions::new().append(true).open(segment).unwrap();
    file.write_all(b"{\"v\":1,\"id\":\"7c1b").unwrap();
}

fn start() -> DateTime<Utc> {
    "2026-09-15T06:30:00Z".parse().unwrap()
}

fn of_session(kind: Kind, session: u64, at: DateTime<Utc>) -> Event<'static> {
    let session = format!("session-{session}");
    let second = at.timestamp().to_string();
    Event {
        id: hash::hex(&[kind.as_str(), &session, "", &second]).into(),
        session_id: session.into(),
        ..event(kind, at)
    }
}

fn of_question(
    kind: Kind,
    call: u64,
    index: u32,
    count: u32,
    at: DateTime<Utc>,
    session: u64,
) -> Event<'static> {
    let tool_use_id = format!("toolu_{:016x}", call.wrapping_mul(0xD6E8_FEB8_6659_FD93));
    let topic = call % 23;
    let text = format!("What about part {call} of topic {topic}, question {index}?");
    let mut event = Event {
        id: question_event_id(kind, &tool_use_id, index).into(),
        session_id: format!("session-{session}").into(),
        tool_name: Some("AskUserQuestion".into()),
        tool_use_id: Some(tool_use_id.into()),
        question_index: Some(index),
        question_count: Some(count),
        question_key: Some(format!("topic-{topic}").into()),
        key_source: Some("marker".into()),
        question: Some(text.into()),
        header: Some("Topic".into()),
        options: Some(vec!["Go on (Recommended)".into(), "Leave it".into()]),
        recommended: Some("Go on".into()),
        multi_select: Some(false),
        door: Some(if topic == 7 { "one-way" } else { "two-way" }.into()),
        project: format!("github.com/someone/project-{}", session % 5).into(),
        ..event(kind, at)
    };
    let answer = if call.is_multiple_of(5) {
        "Leave it"
    } else {
        "Go on (Recommended)"
    };
    match kind {
        Kind::Asked => event.ask_reason = Some("no_preference".into()),
        Kind::AutoDecided => {
            event.answer = Some(vec![answer.into()]);
            event.preference = Some("never-ask".into());
            event.mechanism = Some("allow".into());
        }
        Kind::Answered => {
            event.answer = Some(vec![answer.into()]);
            event.followed_recommendation = Some(Some(answer != "Leave it"));
        }
        Kind::Failed => {
            event.error = Some("MCP error -32000: Connection closed".into());
            event.error_kind = Some("connection_closed".into());
        }
        _ => event.reason = Some("rejected".into()),
    }
    event
}

fn event(kind: Kind, at: DateTime<Utc>) -> Event<'static> {
    Event {
        v: SCHEMA_VERSION,
        ts: timestamp(at).into(),
        kind: kind.as_str().into(),
        session_kind: "interactive".into(),
        cwd: "/home/dev/somewhere".into(),
        project: "github.com/someone/project-0".into(),
        permission_mode: Some("default".into()),
        entrypoint: Some("cli".into()),
        source: "hook".into(),
        ..Event::default()
    }
}

/// Random choices of the seed in `PLANTUNE_TORTURE_SEED`, else of one of its own, which is printed.
pub(crate) fn chance() -> Chance {
    let seed = super::number("PLANTUNE_TORTURE_SEED")
        .unwrap_or_else(|| RandomState::new().hash_one("seed") >> 32);
    let chance = Chance::new(seed);
    eprintln!("{}", how_to_repeat(&chance));
    chance
}

/// How to repeat these choices.
pub(crate) fn how_to_repeat(chance: &Chance) -> String {
    format!("PLANTUNE_TORTURE_SEED={}", chance.seed())
}

/// A time up to `most`.
pub(crate) fn up_to(most: Duration, chance: &mut Chance) -> Duration {
    Duration::from_micros(chance.below(most.as_micros() as u64 + 1))
}

// How long a command takes after a kill, beside computing the store from nothing.

/// The bound at which a test fails: far more than the promise, which is twice. Machines are noisy.
const BOUND: u32 = 4;

/// The time added to the bound: a short run may be interrupted for longer than it takes.
const SLACK: Duration = Duration::from_secs(1);

/// The times of commands, each with that of computing the store.
#[derive(Default)]
pub(crate) struct Ratios(Vec<(Duration, Duration)>);

impl Ratios {
    pub(crate) fn add(&mut self, took: Duration, computing: Duration) {
        self.0.push((took, computing));
    }

    fn sorted(&self) -> Vec<f64> {
        let ratios = self.0.iter();
        let mut ratios: Vec<f64> = ratios
            .map(|(took, computing)| took.as_secs_f64() / computing.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios
    }

    pub(crate) fn assert_bounded(&self) {
        for (took, computing) in &self.0 {
            assert!(
                *took < *computing * BOUND + SLACK,
                "{took:.2?} beside {computing:.2?}; {self}"
            );
        }
    }
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratios = self.sorted();
        let longest = self.0.iter().map(|(_, computing)| *computing).max();
        write!(
            f,
            "{:.2} times in the median, {:.2} at worst ({} commands; computing took up to {:.2?})",
            ratios[ratios.len() / 2],
            ratios[ratios.len() - 1],
            ratios.len(),
            longest.unwrap_or_default()
        )
    }
}
