//! One transcript: its question calls, in the order they were made.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use chrono::DateTime;
use memchr::memmem::Finder;
use plantune_domain::clock;
use plantune_domain::wire::{has_answers, sent_questions};

use super::call::Call;
use super::lines::{self, Line, Lines};
use super::look_back::LookBack;
use super::permissions::{Found, Permissions, State};
use super::wire::{self, ToolUse};

/// What one file holds.
#[derive(Default)]
pub(super) struct Transcript {
    pub(super) calls: Vec<Call>,
    by_id: HashMap<String, usize>,
    /// True when any line is known to be a transcript's.
    is_native: bool,
    /// Lines that name the tool or a call of it.
    concerned: u64,
    pub(super) unreadable_lines: u64,
    pub(super) long_lines: u64,
    pub(super) mentions: u64,
    /// Who allowed its calls.
    pub(super) permissions: Vec<Found>,
    /// Decisions in a form that is not known, and those whose calls are not there.
    pub(super) unknown_decisions: u64,
    pub(super) lost_decisions: u64,
    /// Why reading ended early.
    pub(super) error: Option<io::Error>,
    latest: Latest,
}

/// What the latest line that said so said.
#[derive(Default)]
struct Latest {
    timestamp: Option<String>,
    session_id: String,
    cwd: String,
    permission_mode: Option<String>,
}

/// What is looked for in a line before it is parsed.
struct Needles {
    tool: Finder<'static>,
    /// The fields that name a call.
    ids: [Finder<'static>; 2],
    session_id: Finder<'static>,
}

impl Needles {
    fn new() -> Self {
        Self {
            tool: Finder::new("AskUserQuestion"),
            ids: [Finder::new("\"tool_use_id\""), Finder::new("\"toolUseID\"")],
            session_id: Finder::new("\"sessionId\""),
        }
    }
}

/// What reads of a line who allowed its call.
struct Others<'t> {
    permissions: &'t mut Permissions,
    back: &'t mut Option<LookBack>,
    /// Where the line begins.
    start: u64,
}

impl Others<'_> {
    fn take(&mut self, line: wire::Line<'_>) {
        if line.is_transcript() {
            self.permissions.take(line, self.start, self.back);
        }
    }
}

impl Transcript {
    /// Reads the file at `path` as far as it can be read.
    pub(super) fn read(path: &Path) -> Self {
        let mut transcript = Self::default();
        // Claude Code names a transcript after its session.
        if let Some(name) = path.file_stem() {
            transcript.latest.session_id = name.to_string_lossy().into_owned();
        }
        transcript.error = transcript.read_lines(path).err();
        transcript
    }

    /// True for a file that names the tool but is none of Claude Code's transcripts.
    pub(super) fn is_foreign(&self) -> bool {
        self.concerned > 0 && !self.is_native
    }

    fn read_lines(&mut self, path: &Path) -> io::Result<()> {
        let needles = Needles::new();
        let mut lines = Lines::open(path)?;
        let mut back = lines.file().ok().map(LookBack::of);
        let mut permissions = Permissions::new(&self.latest.session_id, State::default());
        let mut is_known = false;
        let ended = loop {
            let start = lines.next_start();
            match lines.next() {
                Err(error) => break Err(error),
                Ok(None) => break Ok(()),
                Ok(Some(Line::TooLong)) => self.long_lines += 1,
                Ok(Some(Line::Whole(line))) => {
                    let mut others = Others {
                        permissions: &mut permissions,
                        back: &mut back,
                        start,
                    };
                    is_known |= self.read_line(line, is_known, &needles, &mut others);
                }
            }
        };
        if self.is_native {
            self.unknown_decisions = permissions.unknown;
            self.lost_decisions = permissions.lost;
            self.permissions = permissions.found;
        }
        ended
    }

    /// Reads one line, if it matters, and returns whether it held JSON. The first that does decides
    /// what kind of file it is.
    fn read_line(
        &mut self,
        line: &[u8],
        is_known: bool,
        needles: &Needles,
        others: &mut Others<'_>,
    ) -> bool {
        let glance = others.permissions.glance(line);
        if let Some(mode) = glance.mode
            && self.latest.permission_mode.as_deref() != Some(mode)
        {
            self.latest.permission_mode = Some(mode.to_owned());
        }
        let mentions = needles.tool.find(line).is_some();
        let concerns = mentions || self.names_a_call(line, needles);
        if !concerns && !glance.concerns && is_known {
            return true;
        }
        let text = lines::text(line);
        if text.is_empty() {
            return false;
        }
        let (values, is_damaged) = lines::values(&text);
        self.is_native |= values.iter().any(|value| wire::Line(value).is_transcript());
        if glance.concerns {
            for value in &values {
                others.take(wire::Line(value));
            }
            others.permissions.after(&glance);
        }
        if !concerns {
            return !values.is_empty();
        }
        self.concerned += 1;
        let mut is_used = false;
        for value in &values {
            is_used |= self.take(wire::Line(value));
        }
        if is_damaged {
            self.unreadable_lines += 1;
            self.is_native |= needles.session_id.find(line).is_some();
        } else if mentions && !is_used {
            self.mentions += 1;
        }
        !values.is_empty()
    }

    fn names_a_call(&self, line: &[u8], needles: &Needles) -> bool {
        !self.by_id.is_empty()
            && needles
                .ids
                .iter()
                .any(|field| strings_of(line, field).any(|id| self.by_id.contains_key(id)))
    }

    /// Adds what a line says of a call, and returns whether it said anything.
    fn take(&mut self, line: wire::Line<'_>) -> bool {
        if !line.is_transcript() {
            return false;
        }
        let timestamp = line.timestamp().and_then(in_utc);
        remember(&mut self.latest.session_id, line.session_id());
        remember(&mut self.latest.cwd, line.cwd());
        if timestamp.is_some() {
            self.latest.timestamp.clone_from(&timestamp);
        }
        let calls = line.question_calls();
        let mut is_used = !calls.is_empty();
        for call in calls {
            self.add(line, &call);
        }
        for result in line.results() {
            if let Some(call) = self
                .by_id
                .get(result.id)
                .and_then(|at| self.calls.get_mut(*at))
            {
                let at = timestamp.as_ref().or(self.latest.timestamp.as_ref());
                call.end(&result, at.cloned());
                is_used = true;
            }
        }
        if let Some((id, answers)) = line.answers_of_hook()
            && let Some(call) = self.by_id.get(id).and_then(|at| self.calls.get_mut(*at))
        {
            // Of several hooks that change the input, the last to finish wins.
            call.answers_of_hook = Some(answers);
            is_used = true;
        }
        is_used
    }

    fn add(&mut self, line: wire::Line<'_>, tool_use: &ToolUse<'_>) {
        let call = Call {
            tool: tool_use.tool,
            tool_name: tool_use.name.to_owned(),
            tool_use_id: tool_use.id.to_owned(),
            questions: sent_questions(&tool_use.input),
            has_own_answers: has_answers(&tool_use.input),
            asked_at: self.latest.timestamp.clone(),
            session_id: self.latest.session_id.clone(),
            cwd: self.latest.cwd.clone(),
            permission_mode: self.latest.permission_mode.clone(),
            entrypoint: line.entrypoint().map(str::to_owned),
            agent_id: line.agent_id().map(str::to_owned),
            skill: line.skill(),
            ending: None,
            answers_of_hook: None,
        };
        let known = self.by_id.get(tool_use.id);
        match known.and_then(|at| self.calls.get_mut(*at)) {
            // The same call again, more of it spoken by now. What was answered stays as it was.
            Some(earlier) if earlier.ending.is_none() && call.size() > earlier.size() => {
                let answers_of_hook = earlier.answers_of_hook.take();
                *earlier = Call {
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

fn remember(latest: &mut String, said: Option<&str>) {
    if let Some(said) = said
        && latest != said
    {
        said.clone_into(latest);
    }
}

/// A time as events have it; `None` for what is none.
pub(super) fn in_utc(timestamp: &str) -> Option<String> {
    let time = DateTime::parse_from_rfc3339(timestamp).ok()?;
    Some(clock::timestamp(time.to_utc()))
}

/// The string values of a field, wherever in the line it stands, without parsing it. Escapes are
/// left as they are: ids and modes hold none.
pub(super) fn strings_of<'l>(line: &'l [u8], field: &Finder<'_>) -> impl Iterator<Item = &'l str> {
    let length = field.needle().len();
    field.find_iter(line).filter_map(move |at| {
        let value = line.get(at + length..)?.trim_ascii_start();
        let value = value.strip_prefix(b":")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"")?;
        let end = memchr::memchr(b'"', value)?;
        std::str::from_utf8(value.get(..end)?).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_without_parsing() {
        let found = |line: &str| -> Vec<String> {
            let field = Finder::new("\"id\"");
            strings_of(line.as_bytes(), &field)
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(found(r#"{"id":"a","x":{"id" : "b"}}"#), ["a", "b"]);
        assert!(found(r#"{"text":"{\"id\":\"a\"}","id":null,"id":"cut"#).is_empty());
    }

    #[test]
    fn times_are_in_utc() {
        let found = in_utc("2026-01-02T03:04:05.678+02:00");
        assert_eq!(found.as_deref(), Some("2026-01-02T01:04:05.678Z"));
        assert_eq!(in_utc("yesterday"), None);
    }
}
